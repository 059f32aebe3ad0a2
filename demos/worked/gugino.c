/* gugino.c  Non-holonomic examples for Gugino 1930, who has none: a sleigh, and rolling bodies (6
 * coordinates: v, then omega). */
#include "examples_private.h"

/* A sleigh whose blade, at l before the mass centre S, does not slip sideways: n . v_S - l w = 0. n
 * turns at w: n' . v = -w u with u = e . v_S, hence beta = u w and
 *
 *     lambda = (u w - n . F / m + l tau / I) / (1 / m + l^2 / I) */
void guginoSleigh(ExampleCase *c)
{
    const double m = exampleDraw(c, 3, 0.5, 5), inertia = exampleDraw(c, 0.8, 0.2, 3), l = exampleDraw(c, 0.35, -1, 1);
    const double angle = exampleDraw(c, 0.6, -3, 3), u = exampleDraw(c, 1.4, -3, 3), w = exampleDraw(c, 0.9, -3, 3);
    const double force[3] = {exampleDraw(c, 2, -5, 5), exampleDraw(c, -1, -5, 5), exampleDraw(c, 0.7, -5, 5)};
    const double diagonal[3] = {m, m, inertia}, row[3] = {-sin(angle), cos(angle), -l};
    const double across = row[0] * force[0] + row[1] * force[1], mobility = 1 / m + l * l / inertia;
    const double lambda = (u * w - across / m + l * force[2] / inertia) / mobility;
    const int body = exampleDiagonal(c, 3, diagonal, force), blade = exampleRow(c, body, row, u * w);

    ExampleQuantity *q = exampleMultiplier(c, blade, "lambda", "(u w - n.F/m + l tau/I)/(1/m + l^2/I)", lambda);
    exampleTerm(q, u * w / mobility);
    exampleTerm(q, (fabs(force[0]) + fabs(force[1])) / m / mobility);
    exampleTerm(q, l * force[2] / inertia / mobility);
    ExampleQuantity *turn = exampleAcceleration(c, 2, "w'", "(tau - l lambda)/I", (force[2] - l * lambda) / inertia);
    exampleTerm(turn, l * q->scale / inertia);
    exampleTerm(turn, force[2] / inertia);

    const double sideways[3] = {row[0], row[1], 0};
    exampleOwn(c, blade, sideways, 1);
}

/* Adds three rows for the velocity of the point at -R z of a body: v + omega x (-R z). */
static void contactRows(ExampleCase *c, int body, double radius, const double beta[3])
{
    const double j[3][6] = {{1, 0, 0, 0, -radius, 0}, {0, 1, 0, radius, 0, 0}, {0, 0, 1, 0, 0, 0}};
    for (int i = 0; i < 3; i++) {
        double slide[6] = {0};
        slide[i] = 1;
        exampleRow(c, body, j[i], beta[i]);
        exampleOwn(c, i, slide, 1);
    }
}

static int ball(ExampleCase *c, double m, double radius, const double force[6])
{
    const double inertia = 0.4 * m * radius * radius;
    const double diagonal[6] = {m, m, m, inertia, inertia, inertia};
    return exampleDiagonal(c, 6, diagonal, force);
}

/* x down the incline, z its normal: friction -(2/7) m g sin a, acceleration (5/7) g sin a. */
void rollingIncline(ExampleCase *c)
{
    const double m = exampleDraw(c, 2, 0.5, 5), radius = exampleDraw(c, 0.5, 0.2, 2), a = exampleDraw(c, 0.4, 0.1, 1.4);
    const double force[6] = {m * g * sin(a), 0, -m * g * cos(a), 0, 0, 0}, beta[3] = {0};
    contactRows(c, ball(c, m, radius, force), radius, beta);
    exampleMultiplier(c, 0, "friction", "-(2/7) m g sin a", -2.0 / 7 * m * g * sin(a));
    exampleTerm(exampleMultiplier(c, 1, "friction across", "0", 0), m * g * sin(a));
    exampleMultiplier(c, 2, "N", "m g cos a", m * g * cos(a));
    exampleAcceleration(c, 0, "x''", "(5/7) g sin a", 5.0 / 7 * g * sin(a));
}

/* The table turns at W: v - omega x R z = W z x x, so beta = W z x v; friction (2/7) m W z x v,
 * N = m g. */
void rollingTurntable(ExampleCase *c)
{
    const double m = exampleDraw(c, 2, 0.5, 5), radius = exampleDraw(c, 0.5, 0.2, 2), w = exampleDraw(c, 1.5, -4, 4);
    const double vx = exampleDraw(c, 0.7, -3, 3), vy = exampleDraw(c, -1.2, -3, 3);
    const double force[6] = {0, 0, -m * g, 0, 0, 0}, beta[3] = {-w * vy, w * vx, 0};
    contactRows(c, ball(c, m, radius, force), radius, beta);
    exampleMultiplier(c, 0, "friction x", "-(2/7) m W v_y", -2.0 / 7 * m * w * vy);
    exampleMultiplier(c, 1, "friction y", "(2/7) m W v_x", 2.0 / 7 * m * w * vx);
    exampleMultiplier(c, 2, "N", "m g", m * g);
}

/* A thin disc rolls along x, upright for the moment: axis y (left), spin s, yaw W, lean rate 0, so
 * omega = (0, s, W), I = m R^2 diag(1/4, 1/2, 1/4), -omega x I omega = m R^2 s W / 4 along x. The
 * contact point is at -R u, u the unit vector of z less its part along the axis; in this state
 * u' = 0 and beta = 0:
 *
 *     force (0, -m R W s / 5, m g);
 *     lean acceleration omega_x' + s W = 6 W s / 5, for the axis turns at W. */
void rollingDisc(ExampleCase *c)
{
    const double m = exampleDraw(c, 2, 0.5, 5), radius = exampleDraw(c, 0.5, 0.2, 2);
    const double s = exampleDraw(c, 3, -6, 6), w = exampleDraw(c, 0.8, -4, 4), lean[6] = {0, 0, 0, 1, 0, 0};
    const double inertia = 0.25 * m * radius * radius;
    const double diagonal[6] = {m, m, m, inertia, 2 * inertia, inertia};
    const double force[6] = {0, 0, -m * g, inertia * s * w, 0, 0}, beta[3] = {0};
    const int body = exampleDiagonal(c, 6, diagonal, force);
    contactRows(c, body, radius, beta);
    exampleTerm(exampleMultiplier(c, 0, "force x", "0", 0), m * radius * s * w);
    exampleMultiplier(c, 1, "force y", "-m R W s/5", -m * radius * w * s / 5);
    exampleMultiplier(c, 2, "force z", "m g", m * g);
    exampleAlong(c, body, lean, s * w, "lean acceleration", "6 W s/5", 6 * w * s / 5);
    exampleTerm(exampleAcceleration(c, 4, "s'", "0", 0), s * w);
    exampleTerm(exampleAcceleration(c, 5, "W'", "0", 0), s * w);
}
