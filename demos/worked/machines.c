/* machines.c  Banach, Mechanics, chapter X, §§ 7.1-7.4: machines (z up unless stated). */
#include "examples_private.h"

/* Weights on the drums R and r of one wheel, z_1 = R phi, z_2 = -r phi; D = I + m1 R^2 + m2 r^2
 * (39):
 *     phi'' = g (m2 r - m1 R) / D,
 *     lambda = m1 g (I + m2 r (R + r)) / D,   m2 g (I + m1 R (R + r)) / D */
void banachDoublePulley(ExampleCase *c)
{
    const double m1 = exampleDraw(c, 2, 0.5, 5), m2 = exampleDraw(c, 3, 0.5, 5), inertia = exampleDraw(c, 0.9, 0.2, 3);
    const double big = exampleDraw(c, 0.6, 0.5, 2), small = exampleDraw(c, 0.25, 0.1, 0.5), one[1] = {1};
    const double w1[1] = {-m1 * g}, w2[1] = {-m2 * g}, onBig[1] = {-big}, onSmall[1] = {small};
    const double d = inertia + m1 * big * big + m2 * small * small;
    const int z1 = exampleParticle(c, 1, m1, w1), z2 = exampleParticle(c, 1, m2, w2);
    const int phi = exampleParticle(c, 1, inertia, NULL);
    exampleRow2(c, z1, one, phi, onBig, 0);
    exampleRow2(c, z2, one, phi, onSmall, 0);
    exampleMultiplier(c, 0, "lambda_1", "m1 g (I + m2 r (R + r))/D",
                      m1 * g * (inertia + m2 * small * (big + small)) / d);
    exampleMultiplier(c, 1, "lambda_2", "m2 g (I + m1 R (R + r))/D", m2 * g * (inertia + m1 * big * (big + small)) / d);
    ExampleQuantity *turn = exampleAcceleration(c, 2, "phi''", "g (m2 r - m1 R)/D", g * (m2 * small - m1 * big) / d);
    exampleTerm(turn, g * m1 * big / d);
    const double first[3] = {1, 0, 0}, second[3] = {0, 1, 0};
    exampleOwn(c, 0, first, 1);
    exampleOwn(c, 1, second, 1);
}

/* Pin between the points at armA of rod a and armB of rod b (-1: fixed), x and z. A point's
 * acceleration at r from the mass centre is x'' + w' (-r_z, r_x) - w^2 r. */
static void pin(ExampleCase *c, int a, const double armA[2], double rateA, int b, const double armB[2], double rateB)
{
    const double ax[3] = {1, 0, -armA[1]}, az[3] = {0, 1, armA[0]};
    const double square = rateA * rateA;
    if (b < 0) {
        exampleRow(c, a, ax, square * armA[0]);
        exampleRow(c, a, az, square * armA[1]);
        return;
    }
    const double bx[3] = {-1, 0, armB[1]}, bz[3] = {0, -1, -armB[0]};
    exampleRow2(c, a, ax, b, bx, square * armA[0] - rateB * rateB * armB[0]);
    exampleRow2(c, a, az, b, bz, square * armA[1] - rateB * rateB * armB[1]);
}

/* Rods OA and CB hang from O and C and carry AB; equal, I = m l^2 / 3 about an end; e_r = (sin p,
 * -cos p) along OA and CB, e_t = (cos p, sin p):
 *     p'' = -(6 g / 5 l) sin p;
 *     on AB at A and at B        -m/2 [(l p'^2 + g cos p) e_r + (g / 5) sin p e_t];
 *     at O on OA and at C on CB  -m (l p'^2 + 1.5 g cos p) e_r + 0.3 m g sin p e_t */
void banachThreeRods(ExampleCase *c)
{
    static const char *const name[8] = {"O x", "O z", "C x", "C z", "A x", "A z", "B x", "B z"};
    const double m = exampleDraw(c, 1.3, 0.5, 5), l = exampleDraw(c, 0.9, 0.3, 2), p = exampleDraw(c, 0.5, -1.4, 1.4);
    const double rate = exampleDraw(c, 1.1, -3, 3), half = 0.5 * l, s = sin(p), co = cos(p);
    const double er[2] = {s, -co}, et[2] = {co, s}, diagonal[3] = {m, m, m * l * l / 12}, weight[3] = {0, -m * g, 0};
    const int oa = exampleDiagonal(c, 3, diagonal, weight), ab = exampleDiagonal(c, 3, diagonal, weight);
    const int cb = exampleDiagonal(c, 3, diagonal, weight);
    const double up[2] = {-half * er[0], -half * er[1]}, down[2] = {half * er[0], half * er[1]};
    const double left[2] = {-half, 0}, right[2] = {half, 0};
    pin(c, oa, up, rate, -1, NULL, 0);
    pin(c, cb, up, rate, -1, NULL, 0);
    pin(c, ab, left, 0, oa, down, rate);
    pin(c, ab, right, 0, cb, down, rate);

    const double pull = l * rate * rate;
    for (int row = 0; row < 8; row++) {
        const int i = row % 2, fixed = row < 4;
        const double value = fixed ? -m * (pull + 1.5 * g * co) * er[i] + 0.3 * m * g * s * et[i]
                                   : -0.5 * m * ((pull + g * co) * er[i] + 0.2 * g * s * et[i]);
        ExampleQuantity *q = exampleMultiplier(c, row, name[row],
                                               fixed ? "-m (l p'^2 + 1.5 g cos p) e_r + 0.3 m g sin p e_t"
                                                     : "-m/2 ((l p'^2 + g cos p) e_r + (g/5) sin p e_t)",
                                               value);
        // differences of a component are relative to the whole force
        exampleTerm(q, fixed ? m * (pull + 1.5 * g * co) : 0.5 * m * (pull + g * co));
    }
    ExampleQuantity *turn = exampleAcceleration(c, 2, "p''", "-(6g/5l) sin p", -1.2 * g / l * s);
    exampleTerm(turn, g / l);
    exampleTerm(exampleAcceleration(c, 5, "AB turns", "0", 0), g / l + rate * rate);
}

/* phi = x cos wt + z sin wt - p; n = (cos, sin) across the line, e = (-sin, cos) along it,
 * x = p n + q e:
 *     q'' = w^2 q - g cos wt (50),   lambda = m (g sin wt - p w^2 - 2 w q'),
 *     power -lambda phi_t = -w q lambda
 * Without the factor 2 of 2 phi_xt . v the multiplier would be half of this. */
void banachRotatingLine(ExampleCase *c)
{
    const double m = exampleDraw(c, 1.5, 0.5, 5), wt = exampleDraw(c, 0.36, -3, 3), w = exampleDraw(c, 1.2, -4, 4);
    const double p = exampleDraw(c, 0.4, -1, 1), q = exampleDraw(c, 0.7, -2, 2), rate = exampleDraw(c, -0.9, -3, 3);
    const double weight[2] = {0, -m * g}, n[2] = {cos(wt), sin(wt)}, e[2] = {-n[1], n[0]};
    // phi_xt . v = w e . v with e . v = q' + w p; phi_tt = -w^2 n . x = -w^2 p
    const int point = exampleParticle(c, 2, m, weight);
    const int on = exampleRow(c, point, n, w * w * p - 2 * w * (rate + w * p));
    const double lambda = m * (g * sin(wt) - p * w * w - 2 * w * rate);
    ExampleQuantity *reaction = exampleMultiplier(c, on, "lambda", "m (g sin wt - p w^2 - 2 w q')", lambda);
    exampleTerm(reaction, m * g);
    exampleTerm(reaction, 2 * m * w * rate);
    exampleTerm(reaction, m * w * w * p);
    ExampleQuantity *motion = exampleAlong(c, point, e, w * w * q, "q''", "w^2 q - g cos wt", w * w * q - g * cos(wt));
    exampleTerm(motion, g);
    exampleScaled(c, on, -w * q, "power", "-w q lambda", -w * q * lambda)->scale = fabs(w * q) * reaction->scale;
    exampleOwn(c, on, n, 1);
}

/* z down. Weights m + mu and m on a pulley, z_1 = r t, z_2 = -r t; an insect mu climbs on the
 * thread of m by f(t), z_3 = z_2 + f:
 *     q'' = mu f'' / k,  k = 2 (m + mu) + I / r^2,
 *     lambda = -(m + mu) (g - q''),  -(m + mu) (g + q'') + mu f'',  mu (f'' - q'' - g)
 * Print: the "z_2" of (62) and the "z_2 = 0" after it are z_3. */
void banachAtwood(ExampleCase *c)
{
    const double m = exampleDraw(c, 2, 0.5, 5), mu = exampleDraw(c, 0.3, 0.1, 1), inertia = exampleDraw(c, 0.5, 0.1, 3);
    const double r = exampleDraw(c, 0.4, 0.2, 2), climb = exampleDraw(c, 1.7, -5, 5);
    const double one[1] = {1}, minus[1] = {-1}, minusR[1] = {-r}, plusR[1] = {r};
    const double w1[1] = {(m + mu) * g}, w2[1] = {m * g}, w3[1] = {mu * g};
    const int z1 = exampleParticle(c, 1, m + mu, w1), z2 = exampleParticle(c, 1, m, w2);
    const int z3 = exampleParticle(c, 1, mu, w3), turn = exampleParticle(c, 1, inertia, NULL);
    exampleRow2(c, z1, one, turn, minusR, 0);
    exampleRow2(c, z2, one, turn, plusR, 0);
    exampleRow2(c, z3, one, z2, minus, climb);
    const double k = 2 * (m + mu) + inertia / (r * r), q2 = mu * climb / k;
    // equal weights on both sides cancel
    exampleTerm(exampleAcceleration(c, 0, "q''", "mu f''/k", q2), (m + mu) * g / k);
    exampleMultiplier(c, 0, "lambda_1", "-(m + mu)(g - q'')", -(m + mu) * (g - q2));
    exampleMultiplier(c, 1, "lambda_2", "-(m + mu)(g + q'') + mu f''", -(m + mu) * (g + q2) + mu * climb);
    exampleTerm(exampleMultiplier(c, 2, "lambda_3", "mu (f'' - q'' - g)", mu * (climb - q2 - g)), (m + mu) * g);
    const double first[4] = {1, 0, 0, 0}, second[4] = {0, 1, 1, 0}, third[4] = {0, 0, 1, 0};
    exampleOwn(c, 0, first, 1);
    exampleOwn(c, 1, second, 1);
    exampleOwn(c, 2, third, 1);
}
