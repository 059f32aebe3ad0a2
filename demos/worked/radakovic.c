/* radakovic.c  A double pendulum for Radakovic 1896, who has no example (z up), D = a_1 - a_2, in
 * rectangular coordinates with two rods; his Q_1, Q_2 and his Z, which is twice Gauss's as system.h
 * has it. Banach's dependent parameters (II') on the same pendulum with its end on a vertical line.
 *
 * e = (sin a, -cos a) along a rod, t = (cos a, sin a) across: t' = -a' e, e' = a' t. With angular
 * accelerations b_k,
 *
 *     Q_1 = k11 b_1 + k12 b_2 + h_1,   k11 = (m1 + m2) l1^2,   k12 = m2 l1 l2 cos D,
 *     Q_2 = k12 b_1 + k22 b_2 + h_2,   k22 = m2 l2^2,
 *     h_1 = m2 l1 l2 w2^2 sin D + (m1 + m2) g l1 sin a_1,
 *     h_2 = -m2 l1 l2 w1^2 sin D + m2 g l2 sin a_2 */
#include "examples_private.h"

typedef struct Rods {
    double m1, m2, l1, l2, a1, a2, w1, w2;
    double k11, k12, k22, h1, h2, det;
    double e1[2], e2[2], t1[2], t2[2];
    int p, q; /* blocks */
} Rods;

static Rods drawRods(ExampleCase *c)
{
    Rods r = {0};
    r.m1 = exampleDraw(c, 1.4, 0.5, 3);
    r.m2 = exampleDraw(c, 0.8, 0.5, 3);
    r.l1 = exampleDraw(c, 0.7, 0.5, 2);
    r.l2 = exampleDraw(c, 1.1, 0.5, 2);
    r.a1 = exampleDraw(c, 0.5, -1.2, 1.2);
    r.a2 = exampleDraw(c, -0.5, -1.2, 1.2);
    r.w1 = exampleDraw(c, 1.3, -3, 3);
    r.w2 = exampleDraw(c, -0.6, -3, 3);
    return r;
}

static void lagrange(Rods *r)
{
    const double delta = r->a1 - r->a2, coupling = r->m2 * r->l1 * r->l2;
    r->k11 = (r->m1 + r->m2) * r->l1 * r->l1;
    r->k12 = coupling * cos(delta);
    r->k22 = r->m2 * r->l2 * r->l2;
    r->h1 = coupling * r->w2 * r->w2 * sin(delta) + (r->m1 + r->m2) * g * r->l1 * sin(r->a1);
    r->h2 = -coupling * r->w1 * r->w1 * sin(delta) + r->m2 * g * r->l2 * sin(r->a2);
    // k11 k22 - k12^2 without cancellation
    r->det = coupling * r->l1 * r->l2 * (r->m1 + r->m2 * sin(delta) * sin(delta));
    r->e1[0] = r->t1[1] = sin(r->a1);
    r->e2[0] = r->t2[1] = sin(r->a2);
    r->e1[1] = -(r->t1[0] = cos(r->a1));
    r->e2[1] = -(r->t2[0] = cos(r->a2));
}

/* e_1 . a_p = -l1 w1^2,   e_2 . (a_q - a_p) = -l2 w2^2 */
static void addRods(ExampleCase *c, Rods *r)
{
    const double weight1[2] = {0, -r->m1 * g}, weight2[2] = {0, -r->m2 * g}, minus2[2] = {-r->e2[0], -r->e2[1]};
    r->p = exampleParticle(c, 2, r->m1, weight1);
    r->q = exampleParticle(c, 2, r->m2, weight2);
    exampleRow(c, r->p, r->e1, -r->l1 * r->w1 * r->w1);
    exampleRow2(c, r->q, r->e2, r->p, minus2, -r->l2 * r->w2 * r->w2);
}

/* t_2 . (a_q - a_p) / l2 = b_2, the second angular acceleration as a quantity. */
static ExampleQuantity *secondAngle(ExampleCase *c, const Rods *r, const char *formula, double closed)
{
    const double across[2] = {r->t2[0] / r->l2, r->t2[1] / r->l2};
    ExampleQuantity *q = exampleAlong(c, r->q, across, 0, "b_2", formula, closed);
    q->onCoordinate[0] = -across[0];
    q->onCoordinate[1] = -across[1];
    return q;
}

/* (A lambda)_1 = b1 = -l1 w1^2 - g cos a_1,  (A lambda)_2 = b2 = -l2 w2^2,
 * m1 A = [1, -cos D; -cos D, 1 + m1/m2]. */
static void tensions(const Rods *r, double lambda[2], double *least)
{
    const double cosine = cos(r->a1 - r->a2), sine = sin(r->a1 - r->a2);
    const double b1 = -r->l1 * r->w1 * r->w1 - g * cos(r->a1), b2 = -r->l2 * r->w2 * r->w2;
    const double below = r->m1 + r->m2 * sine * sine;
    lambda[0] = r->m1 * ((r->m1 + r->m2) * b1 + r->m2 * cosine * b2) / below;
    lambda[1] = r->m1 * r->m2 * (b2 + b1 * cosine) / below;
    // |a* - M^-1 f|^2 = lambda^T A lambda: all of Z that remains where Q = 0
    *least = lambda[0] * b1 + lambda[1] * b2;
}

void radakovicRods(ExampleCase *c)
{
    Rods r = drawRods(c);
    double lambda[2], least;
    lagrange(&r);
    addRods(c, &r);
    tensions(&r, lambda, &least);
    exampleMultiplier(c, 0, "lambda_1", "m1 ((m1+m2) b1 + m2 b2 cos D)/(m1 + m2 sin^2 D)", lambda[0]);
    ExampleQuantity *second = exampleMultiplier(c, 1, "lambda_2", "m1 m2 (b2 + b1 cos D)/(m1 + m2 sin^2 D)", lambda[1]);
    exampleTerm(second, lambda[0]);

    const double across[2] = {r.t1[0] / r.l1, r.t1[1] / r.l1};
    ExampleQuantity *b1 =
        exampleAlong(c, r.p, across, 0, "b_1", "(k12 h2 - k22 h1)/D", (r.k12 * r.h2 - r.k22 * r.h1) / r.det);
    ExampleQuantity *b2 = secondAngle(c, &r, "(k12 h1 - k11 h2)/D", (r.k12 * r.h1 - r.k11 * r.h2) / r.det);
    exampleTerm(b1, r.k22 * r.h1 / r.det);
    exampleTerm(b1, r.k12 * r.h2 / r.det);
    exampleTerm(b2, r.k12 * r.h1 / r.det);
    exampleTerm(b2, r.k11 * r.h2 / r.det);
}

/* Drives that enforce b_1, b_2 supply the remainder of Lagrange's left-hand sides: their torques
 * are Q_1, Q_2. His relaxed coordinates are the angles themselves. */
void radakovicDriven(ExampleCase *c)
{
    Rods r = drawRods(c);
    const double b1 = exampleDraw(c, 2.5, -8, 8), b2 = exampleDraw(c, -3.1, -8, 8);
    lagrange(&r);
    addRods(c, &r);
    const double angle1[2] = {r.t1[0] / r.l1, r.t1[1] / r.l1}, angle2[2] = {r.t2[0] / r.l2, r.t2[1] / r.l2};
    const double minus2[2] = {-angle2[0], -angle2[1]};
    const int first = exampleRow(c, r.p, angle1, b1), second = exampleRow2(c, r.q, angle2, r.p, minus2, b2);

    ExampleQuantity *q1 =
        exampleMultiplier(c, first, "Q_1", "(m1+m2) l1^2 b1 + m2 l1 l2 (b2 cos D + w2^2 sin D) + (m1+m2) g l1 sin a1",
                          r.k11 * b1 + r.k12 * b2 + r.h1);
    ExampleQuantity *q2 =
        exampleMultiplier(c, second, "Q_2", "m2 l2^2 b2 + m2 l1 l2 (b1 cos D - w1^2 sin D) + m2 g l2 sin a2",
                          r.k12 * b1 + r.k22 * b2 + r.h2);
    exampleTerm(q1, r.k11 * b1);
    exampleTerm(q1, r.h1);
    exampleTerm(q2, r.k12 * b1);
    exampleTerm(q2, r.k22 * b2);
    exampleTerm(q2, r.h2);
    // the arms of the drives carry Q / l across the rods
    exampleTerm(q1, r.k12 * b2);
    exampleTerm(q2, q1->closed * r.l2 / r.l1);

    const double turn1[4] = {r.l1 * r.t1[0], r.l1 * r.t1[1], r.l1 * r.t1[0], r.l1 * r.t1[1]};
    const double turn2[4] = {0, 0, r.l2 * r.t2[0], r.l2 * r.t2[1]};
    exampleOwn(c, first, turn1, 1);
    exampleOwn(c, second, turn2, 1);
}

/* Z of the motion with b_1, b_2, and the part of it that no multiplier explains,
 * (1/D) SUM A_kl Q_k Q_l. */
void radakovicMeasure(ExampleCase *c)
{
    Rods r = drawRods(c);
    const double b1 = exampleDraw(c, 2.5, -8, 8), b2 = exampleDraw(c, -3.1, -8, 8);
    double lambda[2], least;
    lagrange(&r);
    addRods(c, &r);
    tensions(&r, lambda, &least);
    for (int i = 0; i < 2; i++) {
        c->observed[i] = r.l1 * (b1 * r.t1[i] - r.w1 * r.w1 * r.e1[i]);
        c->observed[2 + i] = c->observed[i] + r.l2 * (b2 * r.t2[i] - r.w2 * r.w2 * r.e2[i]);
    }
    const double q1 = r.k11 * b1 + r.k12 * b2 + r.h1, q2 = r.k12 * b1 + r.k22 * b2 + r.h2;
    const double part = (r.k22 * q1 * q1 - 2 * r.k12 * q1 * q2 + r.k11 * q2 * q2) / r.det;
    ExampleQuantity *distance =
        exampleSquare(c, EXAMPLE_DISTANCE, "unexplained", "(k22 Q1^2 - 2 k12 Q1 Q2 + k11 Q2^2)/D", part);
    exampleTerm(distance, r.k22 * q1 * q1 / r.det);
    exampleTerm(distance, r.k11 * q2 * q2 / r.det);
    ExampleQuantity *z = exampleSquare(c, EXAMPLE_CONSTRAINT, "Z", "the same + lambda^T A lambda", part + least);
    exampleTerm(z, distance->scale);
}

/* The end of the pendulum on a vertical line, psi = l1 sin a_1 + l2 sin a_2 - d:
 *     mu = (b + J K^-1 h) / (J K^-1 J^T),
 *     J = (l1 cos a_1, l2 cos a_2),   b = l1 w1^2 sin a_1 + l2 w2^2 sin a_2 */
static Rods drawSlider(ExampleCase *c, double j[2], double *beta, double *mu, double *term)
{
    Rods r = drawRods(c);
    r.w2 = -r.l1 * cos(r.a1) * r.w1 / (r.l2 * cos(r.a2));
    lagrange(&r);
    j[0] = r.l1 * cos(r.a1);
    j[1] = r.l2 * cos(r.a2);
    *beta = r.l1 * r.w1 * r.w1 * sin(r.a1) + r.l2 * r.w2 * r.w2 * sin(r.a2);
    const double mobility = (r.k22 * j[0] * j[0] - 2 * r.k12 * j[0] * j[1] + r.k11 * j[1] * j[1]) / r.det;
    const double x1 = (r.k22 * j[0] - r.k12 * j[1]) / r.det, x2 = (r.k11 * j[1] - r.k12 * j[0]) / r.det;
    *mu = (*beta + x1 * r.h1 + x2 * r.h2) / mobility;
    *term = fmax(fmax(fabs(x1 * r.h1), fabs(x2 * r.h2)), r.l1 * r.w1 * r.w1 + r.l2 * r.w2 * r.w2) / mobility;
    *term = fmax(*term, (r.k11 * fabs(j[1] * r.h2) + r.k12 * fabs(j[0] * r.h2)) / (r.det * mobility));
    return r;
}

static const char muFormula[] = "(b + J K^-1 h)/(J K^-1 J^T)";

/* (II'): the parameters a_1, a_2 depend on each other, and the condition has a multiplier of its
 * own. One block, M not diagonal; the velocity terms of Lagrange II are in the force. */
void banachDependent(ExampleCase *c)
{
    double j[2], beta, mu, term;
    const Rods r = drawSlider(c, j, &beta, &mu, &term);
    const double mass[4] = {r.k11, r.k12, r.k12, r.k22}, force[2] = {-r.h1, -r.h2}, first[2] = {1, 0};
    const int block = exampleBlock(c, 2, mass, force), row = exampleRow(c, block, j, beta);
    exampleTerm(exampleMultiplier(c, row, "mu", muFormula, mu), term);
    exampleOwn(c, row, first, j[0]);
}

/* The force on the end does not change if both rods have multipliers, too. */
void banachDependentRods(ExampleCase *c)
{
    double j[2], beta, mu, term;
    Rods r = drawSlider(c, j, &beta, &mu, &term);
    const double across[2] = {1, 0};
    addRods(c, &r);
    const int row = exampleRow(c, r.q, across, 0);
    exampleTerm(exampleMultiplier(c, row, "mu", muFormula, mu), term);
    const double turn[4] = {r.l1 * r.t1[0], r.l1 * r.t1[1], r.l1 * r.t1[0], r.l1 * r.t1[1]};
    exampleOwn(c, row, turn, j[0]);
}
