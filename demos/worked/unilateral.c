/* unilateral.c  Unilateral constraints, whose virtual displacements go one way only (Banach,
 * chapter X, § 3). The examples are ours. A row lambda >= 0 with J a >= beta pushes, or lets go and
 * has lambda = 0. ksSystemSolveBounded finds which. */
#include "examples_private.h"

/* A bead of mass m under a force P in the corner of two smooth walls, n_1 along x, n_2 at an angle
 * to it: with c = n_1 . n_2 both hold it,
 *
 *     lambda_1 = -(P . n_1 - c P . n_2) / (1 - c^2),     and likewise lambda_2,
 *
 * if both are positive; else one wall holds it while it slides along this wall, or none does. */
void cornerBead(ExampleCase *c)
{
    const double m = exampleDraw(c, 2, 0.5, 5), angle = exampleDraw(c, 1.9, 0.6, 2.5);
    const double force[2] = {exampleDraw(c, -3, -9, 5), exampleDraw(c, -1, -9, 5)};
    const double n1[2] = {1, 0}, n2[2] = {cos(angle), sin(angle)}, between = n2[0];
    const double onto1 = -force[0], onto2 = -(force[0] * n2[0] + force[1] * n2[1]), steep = 1 - between * between;
    double lambda1 = (onto1 - between * onto2) / steep, lambda2 = (onto2 - between * onto1) / steep;
    if (lambda1 < 0 || lambda2 < 0) {
        // one wall holds the bead if its motion then leaves the other wall
        const int by1 = onto1 > 0 && between * onto1 >= onto2, by2 = onto2 > 0 && between * onto2 >= onto1;
        lambda1 = by1 ? onto1 : 0;
        lambda2 = by2 ? onto2 : 0;
    }
    const int bead = exampleParticle(c, 2, m, force);
    exampleUnilateral(c, bead, n1, 0);
    exampleUnilateral(c, bead, n2, 0);
    ExampleQuantity *first = exampleMultiplier(c, 0, "lambda_1", "-(P.n1 - c P.n2)/(1 - c^2) or -P.n1 or 0", lambda1);
    ExampleQuantity *second = exampleMultiplier(c, 1, "lambda_2", "-(P.n2 - c P.n1)/(1 - c^2) or -P.n2 or 0", lambda2);
    const double leaves = lambda1 > 0 ? 0 : (between * lambda2 - onto1) / m;
    ExampleQuantity *motion = exampleAlong(c, bead, n1, 0, "n_1.a", "0, or (P.n1 + c lambda_2)/m", leaves);
    const double term = fabs(force[0]) + fabs(force[1]);
    exampleTerm(first, term / steep);
    exampleTerm(second, term / steep);
    exampleTerm(motion, term / steep / m);
}

/* A rod of length 2 l lies across the edge of a smooth table, its middle s beyond the edge;
 * coordinates: height of the middle, slope. For s < 0 the edge and the rod's end on the table share
 * the weight; for s > 0 the end lifts and the rod begins to tip about the edge, k^2 = l^2 / 3:
 *
 *     N_edge = m g k^2 / (k^2 + s^2). */
void rodOffTable(ExampleCase *c)
{
    const double m = exampleDraw(c, 1.2, 0.5, 5), l = exampleDraw(c, 0.5, 0.2, 2);
    const double s = l * exampleDraw(c, 0.4, -0.9, 0.9), k2 = l * l / 3, weight[2] = {-m * g, 0},
                 diagonal[2] = {m, m * k2};
    const double atEdge[2] = {1, -s}, atEnd[2] = {1, -l};
    const int rod = exampleDiagonal(c, 2, diagonal, weight), rests = s < 0;
    exampleUnilateral(c, rod, atEdge, 0);
    exampleUnilateral(c, rod, atEnd, 0);
    exampleMultiplier(c, 0, "N_edge", "m g l/(l - s), s < 0; m g k^2/(k^2 + s^2)",
                      rests ? m * g * l / (l - s) : m * g * k2 / (k2 + s * s));
    ExampleQuantity *end =
        exampleMultiplier(c, 1, "N_end", "-m g s/(l - s), s < 0; 0", rests ? -m * g * s / (l - s) : 0);
    ExampleQuantity *tip =
        exampleAcceleration(c, 1, "slope''", "0, s < 0; -g s/(k^2 + s^2)", rests ? 0 : -g * s / (k2 + s * s));
    exampleTerm(end, m * g / 2);
    exampleTerm(tip, g / l);
}

/* A bob on a string of length L, at an angle to the vertical, with speed v across: |x| <= L has
 * J = -e, beta = v^2 / L. The string is slack where the tension would be negative. */
void slackString(ExampleCase *c)
{
    const double m = exampleDraw(c, 0.8, 0.5, 5), length = exampleDraw(c, 1.5, 0.3, 3),
                 angle = exampleDraw(c, 2.3, -3.1, 3.1);
    const double v = exampleDraw(c, 2.5, -6, 6), weight[2] = {0, -m * g}, row[2] = {-sin(angle), cos(angle)};
    const double tension = m * (v * v / length + g * cos(angle));
    const int bob = exampleParticle(c, 2, m, weight);
    exampleUnilateral(c, bob, row, v * v / length);
    ExampleQuantity *q = exampleMultiplier(c, 0, "tension", "m (v^2/L + g cos a), or 0", fmax(tension, 0));
    exampleTerm(q, m * g);
    const double across[2] = {cos(angle), sin(angle)};
    exampleTerm(exampleAlong(c, bob, across, 0, "a across", "-g sin a", -g * sin(angle)), g);
}

/* A ladder of length 2 l slides from rest at the angle a_0 to the ground between a smooth wall and
 * a smooth floor. If it touches both up to the angle a, a'^2 = 3 g (sin a_0 - sin a) / 2 l and
 *
 *     N_wall = 3/4 m g cos a (3 sin a - 2 sin a_0),
 *
 * It leaves the wall at sin a = 2/3 sin a_0; then N_floor = m (g - l a'^2 sin a) / (1 + 3
 * cos^2 a). Coordinates: middle x, height, a. */
void slidingLadder(ExampleCase *c)
{
    const double m = exampleDraw(c, 9, 2, 20), l = exampleDraw(c, 2, 0.5, 3), from = exampleDraw(c, 1.2, 0.4, 1.5);
    const double sine = sin(from) * exampleDraw(c, 0.8, 0.35, 1), cosine = sqrt(1 - sine * sine);
    const double rate2 = 1.5 * g / l * (sin(from) - sine), weight[3] = {0, -m * g, 0},
                 diagonal[3] = {m, m, m * l * l / 3};
    const double wall[3] = {1, 0, l * sine}, floor[3] = {0, 1, -l * cosine};
    const double push = 0.75 * m * g * cosine * (3 * sine - 2 * sin(from));
    // both touch: N_floor = m (g + l a'' cos a - l a'^2 sin a), a'' = -3 g cos a / 4 l
    const double both = m * (g - 0.75 * g * cosine * cosine - l * rate2 * sine);
    const double alone = m * (g - l * rate2 * sine) / (1 + 3 * cosine * cosine);
    const int ladder = exampleDiagonal(c, 3, diagonal, weight);
    exampleUnilateral(c, ladder, wall, -l * cosine * rate2);
    exampleUnilateral(c, ladder, floor, -l * sine * rate2);
    ExampleQuantity *q = exampleMultiplier(c, 0, "N_wall", "3/4 m g cos a (3 sin a - 2 sin a_0), or 0", fmax(push, 0));
    exampleTerm(q, m * g);
    q = exampleMultiplier(c, 1, "N_floor", "m g + m y'', y = l sin a", push > 0 ? both : alone);
    exampleTerm(q, m * g);
}
