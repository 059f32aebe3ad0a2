/* check_relax.c  Single reactions from relaxed coordinates, Paulus 1910 (4), (17), (18). */
#include "tests/kits/system_kit.h"

static const double g = 9.81;

/* Unit mass, normals (1, 0, 0) and (.6, .8, 0), force (2, 3, 1): the shortcut for rows that stand
 * alone gives .20 with the first normal as direction, the relaxed coordinate .25. */
START_TEST(shortcutIsWrong)
{
    ksSystem *system = newSystem();
    const double force[3] = {2, 3, 1}, n1[3] = {1, 0, 0}, n2[3] = {0.6, 0.8, 0}, direction[3] = {0.8, -0.6, 0};
    ksRelaxation r = {0};
    const int b = addParticle(system, 3, 1, force);
    const int row = addRow(system, b, n1, -1, NULL, 0, 0);
    const int other = addRow(system, b, n2, -1, NULL, 0, 0);
    for (int given = 0; given < 2; given++) {
        ck_assert_ok(ksSystemRelaxRow(system, row, given ? direction : NULL, NULL, &r));
        ck_assert_near(r.multiplier, 0.25, ROUNDING);
        ck_assert_near(r.derivative, given ? 0.8 : 1, ROUNDING);
        ck_assert_near(r.rho, given ? 0.2 : 0.25, ROUNDING);
        ck_assert_near(r.effectiveMass, 1 / 0.64, ROUNDING);
        ck_assert_int_eq(r.orthogonal, 0);
        ck_assert_int_eq(r.noCrossTerm, 1);
    }
    // the normal itself moves the other row
    ck_assert_int_eq(ksSystemRelaxRow(system, row, n1, NULL, &r), KS_ERROR_NOT_ADMISSIBLE);
    ck_assert_int_eq(ksSystemCulprit(system), other);
    const double along[3] = {0, 0, 1}, zero[3] = {0}, nan[3] = {NAN, 0, 0};
    ck_assert_int_eq(ksSystemRelaxRow(system, row, along, NULL, &r), KS_ERROR_NOT_RELAXING);
    ck_assert_int_eq(ksSystemCulprit(system), row);
    ck_assert_int_eq(ksSystemRelaxRow(system, row, zero, NULL, &r), KS_ERROR_NOT_RELAXING);
    ck_assert_int_eq(ksSystemRelaxRow(system, row, nan, NULL, &r), KS_ERROR_NOT_FINITE);
    ck_assert_int_eq(ksSystemRelaxRow(system, row, NULL, nan, &r), KS_ERROR_NOT_FINITE);
    ck_assert_near(r.multiplier, 0.25, ROUNDING);
    ksSystemDestroy(system);
}
END_TEST

/* A row that is M-orthogonal to all others stands alone: in the metric M, not in the plain one. */
START_TEST(standsForItself)
{
    ksSystem *system = newSystem();
    const double mass[4] = {2, 1, 1, 3}, n1[2] = {1, 0}, n2[2] = {2, 1}, plain[2] = {0, 1}, force[2] = {1, 4};
    ksRelaxation r;
    int b;
    // n1 M^-1 n2 = 0: M^-1 n2 is along (1, 0) rotated, M (0, 1) = (1, 3)
    ck_assert_ok(ksSystemAddBlock(system, 2, mass, force, NULL, &b));
    const double across[2] = {1, 3};
    const int row = addRow(system, b, n1, -1, NULL, 0, 0);
    addRow(system, b, across, -1, NULL, 0, 0);
    ck_assert_ok(ksSystemRelaxRow(system, row, NULL, NULL, &r));
    ck_assert_int_eq(r.orthogonal, 1);
    // alone: lambda = (beta - J M^-1 f) / A, A = 3/5
    ck_assert_near(r.multiplier, -(3 * 1 - 1 * 4) / 3.0, ROUNDING);
    ck_assert_near(r.effectiveMass, 5 / 3.0, ROUNDING);
    ksSystemClear(system);
    ck_assert_ok(ksSystemAddBlock(system, 2, mass, force, NULL, &b));
    addRow(system, b, n1, -1, NULL, 0, 0);
    addRow(system, b, plain, -1, NULL, 0, 0);
    ck_assert_ok(ksSystemRelaxRow(system, 0, NULL, NULL, &r));
    ck_assert_int_eq(r.orthogonal, 0);
    (void)n2;
    ksSystemDestroy(system);
}
END_TEST

/* Paulus's own relaxed coordinates for the inclines: lift one weight off its plane, lengthen the
 * thread. */
START_TEST(paulusByHand)
{
    ksSystem *system = newSystem();
    const double m = 2, n = 3.5, a = 0.4, b = 1.1;
    const double weightM[2] = {0, m * g}, weightN[2] = {0, n * g};
    const int p = addParticle(system, 2, m, weightM), q = addParticle(system, 2, n, weightN);
    const double plane[2] = {-tan(a), 1}, plane2[2] = {-tan(b), 1};
    const double along[2] = {cos(a), sin(a)}, along2[2] = {cos(b), sin(b)};
    addRow(system, p, plane, -1, NULL, 0, 0);
    addRow(system, q, plane2, -1, NULL, 0, 0);
    addRow(system, p, along, q, along2, 0, 0);
    // across its thread, the first weight only leaves its plane; along it, the thread lengthens
    const double lift[4] = {-sin(a), cos(a), 0, 0}, grow[4] = {cos(a), sin(a), 0, 0};
    ksRelaxation r;
    ck_assert_ok(ksSystemRelaxRow(system, 0, lift, NULL, &r));
    ck_assert_near(r.multiplier, -m * g * cos(a) * cos(a), ROUNDING * 100);
    ck_assert_near(r.derivative, 1 / cos(a), ROUNDING * 100);
    ck_assert_ok(ksSystemRelaxRow(system, 2, grow, NULL, &r));
    ck_assert_near(r.multiplier, -m * n * g * (sin(a) + sin(b)) / (m + n), ROUNDING * 100);
    ck_assert_near(r.derivative, 1, ROUNDING);
    ksSystemDestroy(system);
}
END_TEST

/* Each row alone gives the result of the batch, and its effective mass is the diagonal of (A +
 * S)^-1, from the columns of the inverse: multipliers for f = 0, beta = e_l. */
START_TEST(singlyAsTogether)
{
    static Dense d;
    double multiplier[KIT_ROWS], unit[KIT_ROWS], beta[KIT_ROWS], zero[KIT_COORDINATES] = {0};
    ksSystem *system = newSystem();
    const double s = _i % 2 ? 1e-3 : 0;
    drawDense(&d, (unsigned)_i, 6 + _i, s, 10, 0);
    buildDense(system, &d);
    ck_assert_ok(ksSystemSolveGauss(system, multiplier, NULL));
    double largest = 0;
    for (int l = 0; l < d.rows; l++)
        largest = fmax(largest, fabs(multiplier[l]));
    for (int l = 0; l < d.rows; l++) {
        ksRelaxation r;
        ck_assert_ok(ksSystemRelaxRow(system, l, NULL, NULL, &r));
        ck_assert_near(r.multiplier, multiplier[l], 1e-10 * largest);
        ck_assert_near(r.derivative, 1, 1e-12);
        memset(beta, 0, sizeof beta);
        beta[l] = 1;
        ksiSystemSetBeta(system, beta);
        ksiSystemSetForce(system, zero);
        ck_assert_ok(ksSystemSolveGauss(system, unit, NULL));
        ck_assert_near(r.effectiveMass / unit[l], 1, 1e-10);
        ksiSystemSetBeta(system, d.beta);
        ksiSystemSetForce(system, d.force);
    }
    ksSystemDestroy(system);
}
END_TEST

/* Any admissible direction gives the same multiplier, also among compliant rows, whose slacks
 * follow. */
START_TEST(directionAmongCompliant)
{
    static Dense d;
    double multiplier[KIT_ROWS], direction[KIT_COORDINATES];
    unsigned long long state = 5;
    ksSystem *system = newSystem();
    drawDense(&d, (unsigned)_i, 8, 1e-3, 10, 0);
    buildDense(system, &d);
    ck_assert_ok(ksSystemSolveGauss(system, multiplier, NULL));
    for (int i = 0; i < d.coordinates; i++)
        direction[i] = draw(&state);
    for (int l = 0; l < d.rows; l++) {
        ksRelaxation r;
        ck_assert_ok(ksSystemRelaxRow(system, l, direction, NULL, &r));
        // J w of order 1 and multipliers of order 1: slacks of 1 / sqrt(s) amplify rounding by some
        // 30
        ck_assert_near(r.multiplier * r.derivative, multiplier[l] * r.derivative, 1e-10);
    }
    ksSystemDestroy(system);
}
END_TEST

/* Along another motion the multiplier is the one that would explain it: different by the row's own
 * residual times its mass. */
START_TEST(givenMotion)
{
    ksSystem *system = newSystem();
    const double force[3] = {2, 3, 1}, n1[3] = {1, 0, 0}, motion[3] = {0.5, 3, 1};
    ksRelaxation r;
    const int b = addParticle(system, 3, 2, force);
    addRow(system, b, n1, -1, NULL, 0, 0);
    ck_assert_ok(ksSystemRelaxRow(system, 0, NULL, motion, &r));
    ck_assert_near(r.multiplier, 2 * 0.5 - 2, ROUNDING);
    // the part along admissible motions does not matter: w is M-orthogonal to them
    const double unexplained[3] = {0.5, 77, -9};
    ck_assert_ok(ksSystemRelaxRow(system, 0, NULL, unexplained, &r));
    ck_assert_near(r.multiplier, -1, ROUNDING);
    ksSystemDestroy(system);
}
END_TEST

/* Rigid rows tie a chain of particles on a line, and a force pulls its end. One tie is relaxed by
 * moving all particles beyond it, or one particle for the last tie. With a given motion, the
 * reaction comes from the particles that move, whatever the others do, and whether or not their
 * rows can be satisfied at all. */
START_TEST(byItself)
{
    enum { LINKS = 40 };
    double mass[LINKS], acceleration[LINKS], direction[LINKS] = {0}, drawn = 0, beyond = 0;
    int block[LINKS];
    const double one = 1, minus = -1, known = 7;
    ksRelaxation r, whole;
    ksSystem *system = newSystem();
    for (int i = 0; i < LINKS; i++) {
        const double force = i == LINKS - 1 ? 100 : 0;
        mass[i] = 1 + 0.1 * i;
        drawn += mass[i];
        block[i] = putBlock(system, 1, &mass[i], &force, NULL);
    }
    for (int i = 0; i + 1 < LINKS; i++)
        addRow(system, block[i], &minus, block[i + 1], &one, 0, 0);
    addBounded(system, block[0], &one, -1, NULL, 0, 0, known, known);
    addBounded(system, block[LINKS - 1], &one, -1, NULL, 0, 0, known, known);
    for (int i = 0; i < LINKS; i++)
        acceleration[i] = (100 + 2 * known) / drawn;
    for (int i = LINKS - 2; i >= 0; i--) {
        beyond += mass[i + 1];
        direction[i + 1] = 0.5;
        ck_assert_ok(ksSystemRelaxRow(system, i, direction, acceleration, &r));
        ck_assert_ok(ksSystemRelaxRow(system, i, direction, NULL, &whole));
        ck_assert_near(r.multiplier, beyond * acceleration[0] - 100 - known, ROUNDING * 1000);
        ck_assert_near(r.rho, whole.rho, ROUNDING * 1000);
        ck_assert_double_eq(r.derivative, whole.derivative);
        ck_assert_int_eq(r.orthogonal, whole.orthogonal);
        // quantities of other motions are not computed
        ck_assert(isnan(r.effectiveMass) && !r.noCrossTerm);
    }
    // the known row alone, and a part of the direction that moves another row
    double along[LINKS];
    for (int i = 0; i < LINKS; i++)
        along[i] = 1;
    ck_assert_ok(ksSystemRelaxRow(system, LINKS, along, acceleration, &r));
    ck_assert_near(r.multiplier, known, ROUNDING * 1000);
    along[3] = 0;
    ck_assert_int_eq(ksSystemRelaxRow(system, 5, along, acceleration, &r), KS_ERROR_NOT_ADMISSIBLE);
    along[3] = 1;
    ck_assert_int_eq(ksSystemRelaxRow(system, 5, along, acceleration, &r), KS_ERROR_NOT_RELAXING);
    ck_assert_int_eq(ksSystemCulprit(system), 5);
    along[7] = NAN;
    ck_assert_int_eq(ksSystemRelaxRow(system, 5, along, acceleration, &r), KS_ERROR_NOT_FINITE);
    // elsewhere rows contradict each other, so no motion exists
    addRow(system, block[0], &one, -1, NULL, 1, 0);
    addRow(system, block[0], &one, -1, NULL, 2, 0);
    memset(direction, 0, sizeof direction);
    direction[LINKS - 1] = 1;
    acceleration[0] = NAN;
    ck_assert_ok(ksSystemRelaxRow(system, LINKS - 2, direction, acceleration, &r));
    ck_assert_near(r.multiplier, mass[LINKS - 1] * acceleration[1] - 100 - known, ROUNDING * 1000);
    ck_assert_int_eq(ksSystemRelaxRow(system, LINKS - 2, direction, NULL, &r), KS_ERROR_INCONSISTENT);
    ksSystemDestroy(system);
}
END_TEST

/* Compliant rows that move have the slacks of the true motion; a row that stays needs none. The
 * row's own bounds apply. */
START_TEST(byItselfAmongCompliant)
{
    const double x[2] = {1, 0}, y[2] = {0, 1}, force[2] = {3, 4}, oblique[2] = {1, 0.5}, straight[2] = {2, 0};
    double motion[2];
    ksRelaxation r;
    ksSystem *system = newSystem();
    const int b = addParticle(system, 2, 2, force);
    addBounded(system, b, x, -1, NULL, 0, 0, -2.5, INFINITY);
    addRow(system, b, y, -1, NULL, 0, 0.5);
    // y: 2 a = 4 + lambda, a + lambda / 2 = 0
    motion[0] = 0;
    motion[1] = 1;
    ck_assert_int_eq(ksSystemRelaxRow(system, 0, straight, motion, &r), KS_ERROR_BOUND);
    motion[0] = 1;
    ck_assert_ok(ksSystemRelaxRow(system, 0, straight, motion, &r));
    ck_assert_near(r.multiplier, -1, ROUNDING);
    ck_assert(r.orthogonal && isnan(r.effectiveMass));
    ck_assert_ok(ksSystemRelaxRow(system, 0, oblique, motion, &r));
    ck_assert_near(r.multiplier, -1, ROUNDING);
    ck_assert(isfinite(r.effectiveMass));
    ksSystemDestroy(system);
}
END_TEST

/* The shortcut along the row's own normal, (beta - J M^-1 f) / (A + s), is right if and only if the
 * row is orthogonal. It is removed from the other rows in the metric M^-1, or not. */
START_TEST(shortcutAlongNormal)
{
    unsigned long long state = 17 + (unsigned long long)_i;
    double mass[6], force[6], first[6], row[6];
    const double s = _i % 2 ? 0.3 : 0, beta = draw(&state);
    const int apart = _i % 4 < 2;
    ksRelaxation r;
    ksSystem *system = newSystem();
    for (int i = 0; i < 6; i++) {
        mass[i] = 2 + draw(&state);
        force[i] = draw(&state);
        first[i] = draw(&state);
    }
    const int b = addDiagonal(system, 6, mass, force);
    addRow(system, b, first, -1, NULL, beta, s);
    double self = 0, load = 0;
    for (int i = 0; i < 6; i++) {
        self += first[i] * first[i] / mass[i];
        load += first[i] * force[i] / mass[i];
    }
    for (int k = 0; k < 3; k++) {
        double across = 0;
        for (int i = 0; i < 6; i++) {
            row[i] = draw(&state);
            across += first[i] * row[i] / mass[i];
        }
        for (int i = 0; apart && i < 6; i++)
            row[i] -= across / self * first[i];
        addRow(system, b, row, -1, NULL, draw(&state), 0);
    }
    ck_assert_ok(ksSystemRelaxRow(system, 0, NULL, NULL, &r));
    ck_assert_int_eq(r.orthogonal, apart);
    const double shortcut = (beta - load) / (self + s);
    if (apart)
        ck_assert_near(r.multiplier, shortcut, ROUNDING);
    else
        ck_assert_double_gt(fabs(r.multiplier - shortcut), 1e-3);
    ksSystemDestroy(system);
}
END_TEST

/* One plane and an oblique direction: the kinetic energy has a cross term with the motion along x,
 * and |J| |w| is not J w. */
START_TEST(obliqueDirection)
{
    ksSystem *system = newSystem();
    const double force[3] = {2, 3, -9}, z[3] = {0, 0, 1}, oblique[3] = {0.8, 0, 1}, normal[3] = {0, 0, 2};
    ksRelaxation r;
    const int b = addParticle(system, 3, 1, force);
    addRow(system, b, z, -1, NULL, 0, 0);
    ck_assert_ok(ksSystemRelaxRow(system, 0, oblique, NULL, &r));
    ck_assert_near(r.multiplier, 9, ROUNDING);
    ck_assert_near(r.rho / sqrt(1.64), 7.0278, 1e-4);  // (50)
    ck_assert_int_eq(r.orthogonal, 0);
    ck_assert_int_eq(r.noCrossTerm, 0);
    ck_assert_ok(ksSystemRelaxRow(system, 0, normal, NULL, &r));
    ck_assert_near(r.multiplier, 9, ROUNDING);
    ck_assert_near(r.rho / 2, 9, ROUNDING);  // (50)
    ck_assert_int_eq(r.orthogonal, 1);
    ck_assert_int_eq(r.noCrossTerm, 1);
    ksSystemDestroy(system);
}
END_TEST

/* Paulus's two masses on inclines, z down, tied by a string of length l = x cos a + z sin a + x'
 * cos a' + z' sin a'. His own coordinate moves only the second mass: T contains -m' dl dq. Along
 * the string's normal, both move. */
START_TEST(lengthOfTheString)
{
    ksSystem *system = newSystem();
    const double m[2] = {2, 3}, slope[2] = {0.6, 0.35};
    const double f[2][2] = {{0, m[0] * g}, {0, m[1] * g}};
    double row[2][2], along[2][2];
    int b[2];
    ksRelaxation r;
    for (int i = 0; i < 2; i++) {
        const double c = cos(slope[i]), s = sin(slope[i]), across[2] = {-s, c};
        row[i][0] = c, row[i][1] = s;
        b[i] = addParticle(system, 2, m[i], f[i]);
        addRow(system, b[i], across, -1, NULL, 0, 0);
    }
    addRow(system, b[0], row[0], b[1], row[1], 0, 0);
    const double tension = -m[0] * m[1] * g * (sin(slope[0]) + sin(slope[1])) / (m[0] + m[1]);
    for (int both = 0; both < 2; both++) {
        for (int i = 0; i < 2; i++)
            for (int k = 0; k < 2; k++)
                along[i][k] = both || i == 1 ? row[i][k] / m[i] : 0;
        const double scale = both ? 1 / m[0] + 1 / m[1] : 1 / m[1];
        ck_assert_ok(ksSystemRelaxRow(system, 2, along[0], NULL, &r));
        ck_assert_near(r.multiplier, tension, ROUNDING);
        ck_assert_near(r.derivative, scale, ROUNDING);
        ck_assert_int_eq(r.orthogonal, both);
        ck_assert_int_eq(r.noCrossTerm, both);
        // the product of the sizes: |grad| = sqrt(2), and the second mass moves by its whole length
        if (!both)
            ck_assert_near(r.rho / (sqrt(2) / m[1]), tension / sqrt(2), ROUNDING);
    }
    ck_assert_ok(ksSystemRelaxRow(system, 2, NULL, NULL, &r));
    ck_assert_int_eq(r.orthogonal, 1);
    ck_assert_int_eq(r.noCrossTerm, 1);
    ksSystemDestroy(system);
}
END_TEST

/* Random systems: w has no cross term iff it is a multiple of the library's own direction; it is
 * along the normal in fewer cases. An added admissible motion changes both flags. */
START_TEST(flagsOfDirections)
{
    unsigned long long state = 170 + (unsigned long long)_i;
    double mass[6], force[6], row[3][6], w[6];
    const int apart = _i % 2;
    ksRelaxation r;
    ksSystem *system = newSystem();
    for (int i = 0; i < 6; i++)
        mass[i] = 2 + draw(&state), force[i] = draw(&state);
    const int b = addDiagonal(system, 6, mass, force);
    for (int l = 0; l < 3; l++) {
        double across = 0, self = 0;
        for (int i = 0; i < 6; i++) {
            row[l][i] = draw(&state);
            across += row[0][i] * row[l][i] / mass[i];
            self += row[0][i] * row[0][i] / mass[i];
        }
        for (int i = 0; l > 0 && apart && i < 6; i++)
            row[l][i] -= across / self * row[0][i];
        addRow(system, b, row[l], -1, NULL, draw(&state), 0);
    }
    double own[3], jump[6], impulse[6] = {0}, change[3] = {1, 0, 0}, motion[6];
    // the least motion that gives row 0 the velocity 1 and the others none; and the jump by an
    // impulse under all rows
    ck_assert_ok(ksSystemSolveImpulse(system, impulse, change, own, w, NULL));
    ck_assert_ok(ksSystemSolveImpulse(system, force, NULL, own, jump, NULL));
    for (int free = 0; free < 2; free++) {
        for (int i = 0; i < 6; i++)
            motion[i] = w[i] + 1e-3 * free * jump[i];
        ck_assert_ok(ksSystemRelaxRow(system, 0, motion, NULL, &r));
        ck_assert_int_eq(r.noCrossTerm, !free);
        ck_assert_int_eq(r.orthogonal, !free && apart);
    }
    ksSystemDestroy(system);
}
END_TEST

/* A wall does not pull: -3 N is not published, and the error names the row. */
START_TEST(wallThatPulls)
{
    ksSystem *system = newSystem();
    const double force[3] = {3, 0, 0}, x[3] = {1, 0, 0};
    ksRelaxation r = {.rho = 5};
    const int b = addParticle(system, 3, 2, force);
    const int wall = addBounded(system, b, x, -1, NULL, 0, 0, 0, INFINITY);
    ck_assert_int_eq(ksSystemRelaxRow(system, wall, NULL, NULL, &r), KS_ERROR_BOUND);
    ck_assert_int_eq(ksSystemCulprit(system), wall);
    ck_assert_double_eq(r.rho, 5);
    ck_assert_int_eq(ksSystemRelaxRow(system, wall, NULL, NULL, NULL), KS_ERROR_BAD_ARGUMENT);
    ksSystemDestroy(system);
    system = newSystem();
    const double other[3] = {-3, 0, 0};
    const int c = addParticle(system, 3, 2, other);
    addBounded(system, c, x, -1, NULL, 0, 0, 0, INFINITY);
    ck_assert_ok(ksSystemRelaxRow(system, 0, NULL, NULL, &r));
    ck_assert_near(r.multiplier, 3, ROUNDING);
    ksSystemDestroy(system);
}
END_TEST

START_TEST(redundantRow)
{
    ksSystem *system = newSystem();
    const double force[3] = {2, 3, 1}, x[3] = {1, 0, 0}, y[3] = {0, 1, 0}, zero[3] = {0}, xy[3] = {1, 1, 0};
    ksRelaxation r = {.rho = 5};
    const int b = addParticle(system, 3, 2, force);
    addRow(system, b, x, -1, NULL, 0, 0);
    addRow(system, b, y, -1, NULL, 0, 0);
    addRow(system, b, x, -1, NULL, 0, 0);
    addRow(system, b, zero, -1, NULL, 0, 0);
    ck_assert_int_eq(ksSystemRelaxRow(system, 0, NULL, NULL, &r), KS_ERROR_REDUNDANT);
    ck_assert_int_eq(ksSystemCulprit(system), 0);
    ck_assert_int_eq(ksSystemRelaxRow(system, 3, NULL, NULL, &r), KS_ERROR_REDUNDANT);
    ck_assert_int_eq(ksSystemRelaxRow(system, 0, xy, NULL, &r), KS_ERROR_NOT_ADMISSIBLE);
    ck_assert_double_eq(r.rho, 5);
    // the row that is independent of the others has its coordinate
    ck_assert_ok(ksSystemRelaxRow(system, 1, NULL, NULL, &r));
    ck_assert_near(r.multiplier, -3, ROUNDING);
    ck_assert_near(r.effectiveMass, 2, ROUNDING);
    ksSystemDestroy(system);
}
END_TEST

/* A known row has a relaxed coordinate, too, which gives the known value; the directions of other
 * rows may move it. */
START_TEST(knownRow)
{
    ksSystem *system = newSystem();
    const double force[3] = {2, 3, 1}, n1[3] = {1, 0, 0}, n2[3] = {0.6, 0.8, 0};
    ksRelaxation r;
    const int b = addParticle(system, 3, 2, force);
    addBounded(system, b, n2, -1, NULL, 0, 0, 0.7, 0.7);
    addRow(system, b, n1, -1, NULL, 0, 0);
    ck_assert_ok(ksSystemRelaxRow(system, 0, NULL, NULL, &r));
    ck_assert_near(r.multiplier, 0.7, ROUNDING);
    ck_assert_near(r.derivative, 1, ROUNDING);
    ck_assert_near(r.effectiveMass, 2 / 0.64, ROUNDING);
    ck_assert_ok(ksSystemRelaxRow(system, 1, n1, NULL, &r));
    ck_assert_near(r.multiplier, -2 - 0.6 * 0.7, ROUNDING);
    ck_assert_int_eq(r.orthogonal, 1);
    ksSystemDestroy(system);
}
END_TEST

/* No row is left to factorise: its multiplier is known, and the bodies move as under an applied
 * force. A sanitizer checks the use of empty arrays. */
START_TEST(onlyKnownRows)
{
    ksSystem *system = newSystem();
    const double force[3] = {4, 0, 0}, x[3] = {1, 0, 0}, z[3] = {0, 0, 1};
    double multiplier[2], a[6], bar[2];
    int determinate[2];
    size_t rank = 9;
    ksGaussMeasure measure;
    ksRelaxation relaxation;
    const int b = addParticle(system, 3, 2, force);
    addBounded(system, b, x, -1, NULL, 0, 0, 6, 6);
    if (_i)
        addRow(system, addParticle(system, 3, 2, force), z, -1, NULL, 1, 0);
    ck_assert_ok(ksSystemSolveGauss(system, multiplier, a));
    ck_assert_ok(ksSystemSolvePaulus(system, multiplier, a));
    ck_assert_near(a[0], 5, ROUNDING);
    ck_assert_ok(ksSystemSolveLeastNorm(system, multiplier, a));
    ck_assert_near(a[0], 5, ROUNDING);
    ck_assert_double_eq(multiplier[0], 6);
    ck_assert_ok(ksSystemGetDeterminacy(system, determinate, &rank));
    ck_assert_uint_eq(rank, (size_t)_i);
    ck_assert_int_eq(determinate[0], 1);
    ck_assert_ok(ksiSystemErrorBars(system, KSI_STRESS_NONE, multiplier, multiplier, bar));
    ck_assert_double_eq(bar[0], 0);
    ck_assert_ok(ksSystemMeasure(system, a, &measure));
    ck_assert_near(measure.unexplained, 0, ROUNDING);
    ck_assert_ok(ksSystemRelaxRow(system, 0, NULL, NULL, &relaxation));
    ck_assert_near(relaxation.multiplier, 6, ROUNDING);
    ksSystemDestroy(system);
}
END_TEST

int main(void)
{
    TCase *rows = tcase_create("rows");
    tcase_add_test(rows, shortcutIsWrong);
    tcase_add_test(rows, standsForItself);
    tcase_add_loop_test(rows, shortcutAlongNormal, 0, 12);
    tcase_add_test(rows, paulusByHand);
    tcase_add_loop_test(rows, singlyAsTogether, 0, 12);
    tcase_add_loop_test(rows, directionAmongCompliant, 0, 8);
    tcase_add_test(rows, givenMotion);
    tcase_add_test(rows, byItself);
    tcase_add_test(rows, byItselfAmongCompliant);
    tcase_add_test(rows, obliqueDirection);
    tcase_add_test(rows, lengthOfTheString);
    tcase_add_loop_test(rows, flagsOfDirections, 0, 20);
    tcase_add_test(rows, wallThatPulls);
    tcase_add_test(rows, redundantRow);
    tcase_add_test(rows, knownRow);
    tcase_add_loop_test(rows, onlyKnownRows, 0, 2);
    return runCase("relax", rows);
}
