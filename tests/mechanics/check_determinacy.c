/* check_determinacy.c  Uniqueness in redundant systems, and an answer that does not depend on
 * regularisation. */
#include "tests/kits/redundant_kit.h"

/* Rank 17 of 20, and 16 if the rods are in line. */
START_TEST(banachRank)
{
    ksSystem *system = newSystem();
    const double angle[] = {0.5, -1.2, 0, 0.5 * M_PI, -0.5 * M_PI};
    int determinate[20];
    size_t rank;
    banach(system, angle[_i], 1, 0, 0);
    ck_assert_ok(ksSystemGetDeterminacy(system, determinate, &rank));
    ck_assert_uint_eq(rank, _i < 3 ? 17 : 16);
    if (_i < 3)
        // x and z of each pin are in the plane of motion; all others are not unique
        for (int l = 0; l < 20; l++)
            ck_assert_int_eq(determinate[l], l % 5 == 0 || l % 5 == 2);
    ksSystemDestroy(system);
}
END_TEST

/* Tilted out of the axes, no row is determinate, although two directions of each hinge are. They
 * have the reactions of the plane mechanism, however the rest is split. */
START_TEST(banachTilted)
{
    ksSystem *system = newSystem();
    const double angle = 0.6, rate = 1.1, tilt = 0.8, m = 1.3, l = 0.9, c = cos(angle), s = sin(angle);
    int determinate[20];
    size_t rank;
    double multiplier[20];
    banach(system, angle, rate, tilt, 0);
    ck_assert_ok(ksSystemGetDeterminacy(system, determinate, &rank));
    ck_assert_uint_eq(rank, 17);
    for (int row = 0; row < 20; row++)
        ck_assert_int_eq(determinate[row], 0);
    const Vector er = {s, 0, -c}, et = {c, 0, s};
    // Gauss's route gives the other route's answer without a factor of A, also for undetermined
    // parts
    expectBoth(system, NULL, NULL, 1e-11);
    for (int way = 0; way < 3; way++) {
        if (way == 0)
            ck_assert_ok(ksSystemSolveGauss(system, multiplier, NULL));
        else if (way == 1)
            ck_assert_ok(ksSystemSolvePaulus(system, multiplier, NULL));
        else
            ck_assert_ok(ksSystemSolveLeastNorm(system, multiplier, NULL));
        for (int hinge = 0; hinge < 4; hinge++)
            for (int k = 0; k < 2; k++) {
                Vector direction;
                rotate(tilt, k ? et : er, direction);
                double found = 0;
                for (int i = 0; i < 3; i++)
                    found += direction[i] * multiplier[5 * hinge + i];
                const double fixed = k ? 0.3 * m * g * s : -m * (l * rate * rate + 1.5 * g * c);
                const double carried = k ? -0.1 * m * g * s : -0.5 * m * (l * rate * rate + g * c);
                ck_assert_near(found, hinge < 2 ? fixed : carried, 1e-11);
            }
    }
    ksSystemDestroy(system);
}
END_TEST

/* Drift raises the zero singular values to 1e-6 and contradicts the right-hand sides: with the rank
 * tolerance of 1e-4, rank and determinate rows do not change, and the in-plane reactions are right
 * within the drift. */
START_TEST(banachDrifted)
{
    ksSystem *system = newSystem();
    const double angle = 0.6, rate = 1.1, m = 1.3, l = 0.9, c = cos(angle), s = sin(angle), drift = 3e-6;
    int determinate[20];
    size_t rank;
    double multiplier[20], believed[20];
    ck_assert_ok(ksSystemSetRankTolerance(system, 1e-4));
    banach(system, angle, rate, 0, drift);
    ck_assert_ok(ksSystemGetDeterminacy(system, determinate, &rank));
    ck_assert_uint_eq(rank, 17);
    for (int row = 0; row < 20; row++)
        ck_assert_int_eq(determinate[row], row % 5 == 0 || row % 5 == 2);
    ck_assert_ok(ksSystemSolveLeastNorm(system, multiplier, NULL));
    for (int hinge = 0; hinge < 4; hinge++)
        for (int k = 0; k < 2; k++) {
            const double er = k ? -c : s, et = k ? s : c;
            const double fixed = -m * (l * rate * rate + 1.5 * g * c) * er + 0.3 * m * g * s * et;
            const double carried = -0.5 * m * ((l * rate * rate + g * c) * er + 0.2 * g * s * et);
            // a hundred times the drift, of loads of some 20 N
            ck_assert_near(multiplier[5 * hinge + 2 * k], hinge < 2 ? fixed : carried, 100 * drift * 20);
        }
    // without the tolerance, 20 drifted rows fix 18 coordinates and contradict each other
    ck_assert_int_eq(ksSystemSolvePaulus(system, believed, NULL), KS_ERROR_INCONSISTENT);
    ck_assert_ok(ksSystemSetRankTolerance(system, 1e-10));
    ck_assert_ok(ksSystemGetDeterminacy(system, NULL, &rank));
    ck_assert_uint_eq(rank, 18);
    ksSystemDestroy(system);
}
END_TEST

/* With regularisation, a gap of delta becomes opposing loads of delta / 2s; the determinate answer
 * shares the weight. */
START_TEST(doorRegularised)
{
    ksSystem *system = newSystem();
    const double s = 1e-8, delta = 1e-3;
    double regularised[10], rigid[10];
    int determinate[10];
    size_t rank;
    ck_assert_ok(ksSystemSetRigidCompliance(system, 1e-6));
    door(system, s, delta);
    ck_assert_ok(ksSystemSolveGauss(system, regularised, NULL));
    ck_assert_double_gt(fabs(regularised[7] - regularised[2]), 0.9 * delta / s);
    ck_assert_ok(ksSystemSolveLeastNorm(system, rigid, NULL));
    ck_assert_double_lt(fabs(rigid[7] - rigid[2]), 1);
    ck_assert_near(rigid[2] + rigid[7], 20 * g, 0.05);
    ck_assert_ok(ksSystemGetDeterminacy(system, determinate, &rank));
    ck_assert_uint_eq(rank, 5);
    // with real springs as hinges everything is unique, and the rank is the number of springs
    ck_assert_ok(ksSystemSetRigidCompliance(system, 0));
    ck_assert_ok(ksSystemGetDeterminacy(system, determinate, &rank));
    ck_assert_uint_eq(rank, 10);
    for (int l = 0; l < 10; l++)
        ck_assert_int_eq(determinate[l], 1);
    ksSystemDestroy(system);
}
END_TEST

/* Three directions in a plane: more rows than coordinates, though any two are far from
 * dependent. */
START_TEST(moreRowsThanCoordinates)
{
    ksSystem *system = newSystem();
    const double force[2] = {3, 0};
    size_t rank;
    int determinate[3];
    const int b = addParticle(system, 2, 1, force);
    for (int i = 0; i < 3; i++) {
        const double angle = M_PI / 3 * i, row[2] = {cos(angle), sin(angle)};
        addRow(system, b, row, -1, NULL, 0, 0);
    }
    ck_assert_ok(ksSystemGetDeterminacy(system, determinate, &rank));
    ck_assert_uint_eq(rank, 2);
    for (int l = 0; l < 3; l++)
        ck_assert_int_eq(determinate[l], 0);
    // without self-stress: lambda = -2/3 (row . f)
    const double multiplier[3] = {-2, -1, 1}, motion[2] = {0, 0};
    expectBoth(system, multiplier, motion, ROUNDING);
    ksSystemDestroy(system);
}
END_TEST

/* Two rows 1e-6 apart: independent by a tolerance of rounding, dependent by 1e-4; both without
 * compliance. */
START_TEST(nearlyParallel)
{
    ksSystem *system = newSystem();
    const double r1[2] = {1, 0}, r2[2] = {1, 1e-6}, force[2] = {3, 0};
    double multiplier[2];
    size_t rank;
    const int b = addParticle(system, 2, 1, force);
    addRow(system, b, r1, -1, NULL, 0, 0);
    addRow(system, b, r2, -1, NULL, 0, 0);
    ck_assert_ok(ksSystemGetDeterminacy(system, NULL, &rank));
    ck_assert_uint_eq(rank, 2);
    ck_assert_ok(ksSystemSetRankTolerance(system, 1e-4));
    ck_assert_ok(ksSystemGetDeterminacy(system, NULL, &rank));
    ck_assert_uint_eq(rank, 1);
    ck_assert_ok(ksSystemSolveLeastNorm(system, multiplier, NULL));
    ck_assert_near(multiplier[0], -1.5, 1e-5);
    ck_assert_near(multiplier[1], -1.5, 1e-5);
    ksSystemDestroy(system);
}
END_TEST

/* Without redundancy the determinate answer is the plain one; small compliance is ignored, real
 * springs count. */
START_TEST(rigidView)
{
    static Dense d, e;
    double found[KIT_ROWS], a[KIT_COORDINATES], wanted[KIT_ROWS], wantedA[KIT_COORDINATES];
    ksSystem *system = newSystem();
    drawDense(&d, (unsigned)_i, 15, 1e-7, 10, 0);
    for (int l = 0; l < 15; l += 3)
        d.compliance[l] = 0.5;
    e = d;
    for (int l = 0; l < 15; l++)
        if (l % 3)
            e.compliance[l] = 0;
    buildDense(system, &d);
    solveWide(&e, wanted, wantedA);
    ck_assert_ok(ksSystemSetRigidCompliance(system, 1e-6));
    ck_assert_ok(ksSystemSolveLeastNorm(system, found, a));
    for (int l = 0; l < 15; l++)
        ck_assert_near(found[l], wanted[l], 1e-10);
    for (int i = 0; i < KIT_COORDINATES; i++)
        ck_assert_near(a[i], wantedA[i], 1e-10);
    ksSystemDestroy(system);
}
END_TEST

/* The basis: as many vectors as rows minus rank, orthonormal in diag(A), without force on any
 * body. */
START_TEST(selfStress)
{
    ksSystem *system = newSystem();
    const double *basis, zero[6] = {0};
    int count;
    banach(system, 0.4, 0, _i ? 0.8 : 0, 0);
    // a row without entries, and a known one, which is determinate
    addRow(system, 0, zero, -1, NULL, 0, 0);
    const double z[6] = {0, 0, 1, 0, 0, 0};
    addBounded(system, 0, z, -1, NULL, 0, 0, 2, 2);
    ck_assert_ok(ksiSystemGetSelfStress(system, &basis, &count));
    ck_assert_int_eq(count, 4);
    for (int i = 0; i < count; i++) {
        ck_assert_double_eq(basis[i * 22 + 21], 0);
        // orthonormal: projecting zero onto the i-th vector gives that vector, without a part of
        // the others
        double taken[22] = {0}, a[18], size = 0;
        ck_assert_ok(ksiSystemProjectSelfStress(system, basis + i * 22, taken));
        for (int l = 0; l < 22; l++) {
            ck_assert_near(taken[l], basis[i * 22 + l], ROUNDING);
            size = fmax(size, fabs(taken[l]));
        }
        ck_assert_double_gt(size, 0.01);
        // M^-1 J^T n = 0
        const double none[18] = {0};
        ksSystem *loaded = newSystem();
        load = basis + i * 22;
        banach(loaded, 0.4, 0, _i ? 0.8 : 0, 0);
        load = NULL;
        ksiSystemSetForce(loaded, none);
        ck_assert_ok(ksSystemSolveMotion(loaded, a));
        for (int k = 0; k < 18; k++)
            ck_assert_near(a[k], 0, ROUNDING);
        ksSystemDestroy(loaded);
    }
    int determinate[22];
    size_t rank;
    ck_assert_ok(ksSystemGetDeterminacy(system, determinate, &rank));
    ck_assert_uint_eq(rank, 17);
    ck_assert_int_eq(determinate[20], 0);
    ck_assert_int_eq(determinate[21], 1);
    ksSystemDestroy(system);
}
END_TEST

/* Adopting replaces the undetermined part by the reference's, and does not change the motion;
 * repeating it changes nothing. */
START_TEST(adoptSelfStress)
{
    ksSystem *system = newSystem();
    const double weight[3] = {0, 0, -6}, x[3] = {1, 0, 0}, z[3] = {0, 0, 1}, z2[3] = {0, 0, 2};
    double multiplier[3] = {0}, reference[3] = {7, 4, NAN};
    const int b = addParticle(system, 3, 2, weight);
    addRow(system, b, z, -1, NULL, 0, 0);
    addRow(system, b, z2, -1, NULL, 0, 0);
    addRow(system, b, x, -1, NULL, 1, 0);
    ck_assert_ok(ksSystemSolvePaulus(system, multiplier, NULL));
    ck_assert_near(multiplier[0], 3, ROUNDING);
    ck_assert_near(multiplier[1], 1.5, ROUNDING);
    // the reference carries 15 in total: its self-stress part is along (2, -1) / |(2, -1)|_A, with
    // the weights 1 and 4
    for (int twice = 0; twice < 2; twice++) {
        ck_assert_ok(ksiSystemProjectSelfStress(system, reference, multiplier));
        ck_assert_near(multiplier[0] + 2 * multiplier[1], 6, ROUNDING * 10);
        ck_assert_near(multiplier[0] - 2 * multiplier[1], 7 - 8, ROUNDING * 10);
        ck_assert_near(multiplier[2], 2, ROUNDING);
    }
    reference[0] = NAN;
    const double kept = multiplier[0];
    ck_assert_int_eq(ksiSystemProjectSelfStress(system, reference, multiplier), KS_ERROR_NOT_FINITE);
    ck_assert_double_eq(multiplier[0], kept);
    ksSystemDestroy(system);
}
END_TEST

/* A known row keeps its value to the last bit if its neighbours on the same block share a load. */
START_TEST(adoptBesideKnown)
{
    enum { ROWS = 7 };
    ksSystem *system = newSystem();
    double multiplier[ROWS], reference[ROWS];
    const double weight[3] = {1, 2, -6};
    const double *basis;
    int count;
    const int b = addParticle(system, 3, 2, weight);
    for (int l = 0; l < ROWS; l++) {
        const double row[3] = {1 + sin(l), cos(2 * l), sin(3 * l + 1)};
        if (l < 2)
            addBounded(system, b, row, -1, NULL, 0, 0, 0.7 + l, 0.7 + l);
        else
            addRow(system, b, row, -1, NULL, 0, 0);
        reference[l] = 5 * cos(l);
    }
    ck_assert_ok(ksSystemSolvePaulus(system, multiplier, NULL));
    ck_assert_ok(ksiSystemProjectSelfStress(system, reference, multiplier));
    ck_assert_ok(ksiSystemGetSelfStress(system, &basis, &count));
    ck_assert_int_eq(count, 2);
    for (int l = 0; l < 2; l++) {
        ck_assert_double_eq(multiplier[l], 0.7 + l);
        for (int k = 0; k < count; k++)
            ck_assert_double_eq(basis[k * ROWS + l], 0);
    }
    ksSystemDestroy(system);
}
END_TEST

/* Six rows that weld two bodies, or a body and the world, at a point half a metre from each. */
static void bond(ksSystem *system, int a, int b)
{
    const Vector arm = {0.5, 0, 0}, back = {-0.5, 0, 0};
    for (int i = 0; i < 6; i++) {
        double ja[6] = {0}, jb[6] = {0};
        ja[i] = 1;
        jb[i] = -1;
        if (i < 3) {
            cross(arm, ja, ja + 3);
            cross(back, jb, jb + 3);
        }
        addRow(system, a, ja, b, jb, 0, 0);
    }
}

/* World - heavy - light - world: rank 12 of 18, and no row is unique, for any masses. */
START_TEST(heavyAndLight)
{
    ksSystem *system = newSystem();
    const double light = pow(10, -_i), none[6] = {0};
    const double massive[6] = {1e3, 1e3, 1e3, 7, 7, 7};
    const double slight[6] = {light, light, light, 7e-3 * light, 7e-3 * light, 7e-3 * light};
    int determinate[18], count;
    size_t rank;
    const double *basis;
    ksRelaxation relaxation;
    const int heavy = addDiagonal(system, 6, massive, none), small = addDiagonal(system, 6, slight, none);
    bond(system, heavy, -1);
    bond(system, heavy, small);
    bond(system, small, -1);
    ck_assert_ok(ksSystemSetRankTolerance(system, 1e-4));
    ck_assert_ok(ksSystemGetDeterminacy(system, determinate, &rank));
    ck_assert_uint_eq(rank, 12);
    for (int l = 0; l < 18; l++) {
        ck_assert_int_eq(determinate[l], 0);
        ck_assert_int_eq(ksSystemRelaxRow(system, l, NULL, NULL, &relaxation), KS_ERROR_REDUNDANT);
    }
    ck_assert_ok(ksiSystemGetSelfStress(system, &basis, &count));
    ck_assert_int_eq(count, 6);
    for (int a = 0; a < count; a++)
        for (int b = 0; b < count; b++) {
            double sum = 0;
            for (int l = 0; l < 18; l++)
                sum += basis[18 * a + l] * basis[18 * b + l] * pow(ksiSystemKinematicSize(system, l), 2);
            ck_assert_near(sum, a == b, ROUNDING);
        }
    ksSystemDestroy(system);
}
END_TEST

/* Two masses on a cord over a light disc of radius 1, (x, angle), which hangs at a fixed height:
 * x_1 + angle = 0, x_2 - angle = 0, x_1 = -1 prescribed. Unit rows that act on the disc alone
 * differ by no more than its share of mass. */
START_TEST(lightPulley)
{
    ksSystem *system = newSystem();
    const double light = pow(10, -2 * _i), one[1] = {1}, turn[1] = {1}, back[1] = {-1}, weight[1] = {-g};
    int determinate[3];
    double multiplier[3];
    size_t rank;
    const int left = addParticle(system, 1, 1, weight), right = addParticle(system, 1, 2, NULL);
    const int disc = addParticle(system, 1, light, NULL);
    addRow(system, left, one, disc, turn, 0, 0);
    addRow(system, right, one, disc, back, 0, 0);
    ck_assert_ok(ksSystemSetRankTolerance(system, 1e-4));
    ck_assert_ok(ksSystemGetDeterminacy(system, determinate, &rank));
    ck_assert_uint_eq(rank, 2);
    ck_assert_int_eq(determinate[0] && determinate[1], 1);
    // a = -g / (1 + 2 + light) of all; the cord carries the right mass and the disc
    const double a = g / (3 + light);
    ck_assert_ok(ksSystemSolveLeastNorm(system, multiplier, NULL));
    // A loses as many digits as the mass ratio has
    ck_assert_near(multiplier[0], g - a, 1e-13 * (1 + 1 / sqrt(light)) * g);
    ck_assert_near(multiplier[1], 2 * a, 1e-13 * (1 + 1 / sqrt(light)) * g);
    ksSystemDestroy(system);
}
END_TEST

/* Links of 1 m on hinges along y, the first one doubled. The spectrum of the other rows passes 1e-4
 * without a gap. */
START_TEST(longChainHungTwice)
{
    enum { LINKS = 80, ALL = 5 * LINKS + 5 };
    ksSystem *system = newSystem();
    const Vector y = {0, 1, 0}, up = {0, 0, 1}, along = {0, 0, -1}, top = {0, 0, 0.5}, low = {0, 0, -0.5};
    int determinate[ALL], previous = -1;
    size_t rank;
    for (int i = 0; i < LINKS; i++) {
        const int b = addRod(system, 1, 1, along, up);
        for (int twice = 0; twice < (i == 0 ? 2 : 1); twice++)
            hingeRows(system, b, top, 0, previous, low, 0, y);
        previous = b;
    }
    ck_assert_ok(ksSystemSetRankTolerance(system, 1e-4));
    ck_assert_ok(ksSystemGetDeterminacy(system, determinate, &rank));
    ck_assert_uint_eq(rank, 5 * LINKS);
    for (int l = 0; l < ALL; l++)
        ck_assert_int_eq(determinate[l], l >= 10);
    // too large for a budget of 100 dense rows
    ksiSystemSetDenseBudget(system, 100);
    ck_assert_ok(ksSystemSetRankTolerance(system, 2e-4));
    rank = 7;
    ck_assert_int_eq(ksSystemGetDeterminacy(system, determinate, &rank), KS_ERROR_UNAVAILABLE);
    ck_assert_uint_eq(rank, 7);
    ksiSystemSetDenseBudget(system, 0);
    ck_assert_ok(ksSystemGetDeterminacy(system, determinate, &rank));
    ck_assert_uint_eq(rank, 5 * LINKS);
    ksSystemDestroy(system);
}
END_TEST

/* Levers x_l = 2 x_(l-1), in either order of rows: eliminated from the first on, every |R_kk| is
 * above 0.4, yet a combination of unit rows has size 2^-40. */
START_TEST(smallWithoutSmallPivot)
{
    enum { LEVERS = 41 };
    ksSystem *system = newSystem();
    const double one[1] = {1}, two[1] = {-2};
    size_t rank;
    for (int i = 0; i < LEVERS; i++)
        addParticle(system, 1, 1, NULL);
    for (int i = 0; i < LEVERS; i++) {
        const int l = _i ? LEVERS - 1 - i : i;
        addRow(system, l, one, l - 1, two, 0, 0);
    }
    ck_assert_ok(ksSystemSetRankTolerance(system, 1e-4));
    ck_assert_ok(ksSystemGetDeterminacy(system, NULL, &rank));
    ck_assert_uint_eq(rank, LEVERS - 1);
    ksSystemDestroy(system);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("determinacy");
    TCase *rods = tcase_create("rods");
    tcase_add_loop_test(rods, banachRank, 0, 5);
    tcase_add_test(rods, banachTilted);
    tcase_add_test(rods, banachDrifted);
    suite_add_tcase(suite, rods);
    TCase *rigid = tcase_create("rigid");
    tcase_add_test(rigid, doorRegularised);
    tcase_add_test(rigid, moreRowsThanCoordinates);
    tcase_add_test(rigid, nearlyParallel);
    tcase_add_loop_test(rigid, rigidView, 0, 10);
    tcase_add_loop_test(rigid, selfStress, 0, 2);
    tcase_add_test(rigid, adoptSelfStress);
    tcase_add_test(rigid, adoptBesideKnown);
    suite_add_tcase(suite, rigid);
    TCase *rank = tcase_create("rank");
    tcase_add_loop_test(rank, heavyAndLight, 0, 8);
    tcase_add_loop_test(rank, lightPulley, 0, 6);
    tcase_add_test(rank, longChainHungTwice);
    tcase_add_loop_test(rank, smallWithoutSmallPivot, 0, 2);
    suite_add_tcase(suite, rank);
    return runSuite(suite);
}
