/* check_limits.c  Tolerances of plugin/mechanics/, each from both sides: a factor of 3 inside, a
 * factor of 3 outside. */
#include "tests/kits/system_kit.h"

#include <float.h>

static const double side[2] = {1. / 3, 3};
static const double x[3] = {1, 0, 0}, z[3] = {0, 0, 1}, none[3] = {0, 0, 0}, push[3] = {-6, 0, 0};

/* A particle of mass 1 under a force, in three directions. */
static ksSystem *particle(const double *force)
{
    ksSystem *system = newSystem();
    addParticle(system, 3, 1, force);
    return system;
}

static void add(ksSystem *system, const double row[3], double beta, double compliance)
{
    addRow(system, 0, row, -1, NULL, beta, compliance);
}

/* A mass matrix with a second pivot of rounding size. */
START_TEST(massPivot)
{
    const double c = sqrt(1 - 2 * DBL_EPSILON * side[_i]), mass[4] = {1, c, c, 1};
    ksSystem *system = newSystem();
    int block;
    ck_assert_int_eq(ksSystemAddBlock(system, 2, mass, none, NULL, &block),
                     _i ? KS_OK : KS_ERROR_NOT_POSITIVE_DEFINITE);
    ksSystemDestroy(system);
}
END_TEST

/* Two unit rows at a small angle: the ratio of their singular values is half of the angle. */
START_TEST(defaultRankTolerance)
{
    const double turned[3] = {1, 2e-10 * side[_i], 0};
    ksSystem *system = particle(none);
    size_t rank;
    add(system, x, 0, 0);
    add(system, turned, 0, 0);
    ck_assert_ok(ksSystemGetDeterminacy(system, NULL, &rank));
    ck_assert_uint_eq(rank, _i ? 2 : 1);
    ksSystemDestroy(system);
}
END_TEST

/* Dependent rows share the load; of independent rows the first carries all of it. */
static void expectShared(ksSystem *system, ksStatus solve(ksSystem *, double *, double *), int isShared)
{
    double multiplier[2];
    ck_assert_ok(solve(system, multiplier, NULL));
    ck_assert_near(multiplier[0], isShared ? 3 : 6, 0.1);
    ck_assert_near(multiplier[1], isShared ? 3 : 0, 0.1);
}

/* The orthogonal route decides by singular values, the other by the motion of the unit column (1,
 * -1) / sqrt(2). */
START_TEST(roundingRank)
{
    for (int isGauss = 0; isGauss < 2; isGauss++) {
        const double turned[3] = {1, (isGauss ? sqrt(2) * 1e-12 : 2e-13) * side[_i], 0};
        ksSystem *system = particle(push);
        add(system, x, 0, 0);
        add(system, turned, 0, 0);
        expectShared(system, isGauss ? ksSystemSolveGauss : ksSystemSolvePaulus, !_i);
        ksSystemDestroy(system);
    }
}
END_TEST

/* Refinement solves rows that are set aside in one call: the pivot of the second of two rigid rows
 * is the square of their angle; compliance keeps the pivot of two equal compliant rows. */
START_TEST(lostPivots)
{
    for (int isCompliant = 0; isCompliant < 2; isCompliant++) {
        const double compliance = isCompliant ? 1e-13 * side[_i] : 0;
        const double turned[3] = {1, isCompliant ? 0 : sqrt(1e-10 * side[_i]), 0};
        double multiplier[2];
        ksSystem *system = particle(push);
        add(system, x, 0, compliance);
        add(system, turned, 0, compliance);
        ck_assert_ok(ksiSystemSolveRoughly(system, multiplier));
        ck_assert_int_eq(ksiSystemIsRefined(system), !_i);
        ksSystemDestroy(system);
    }
}
END_TEST

/* Equal rows with the right-hand sides 1 and 1 + delta are off by delta / 2 each, relative to
 * |beta| + |a| = 2. */
START_TEST(contradiction)
{
    double multiplier[2];
    const ksStatus expected = _i ? KS_ERROR_INCONSISTENT : KS_OK;
    ksSystem *system = particle(none);
    add(system, x, 1, 0);
    add(system, x, 1 + 4e-9 * side[_i], 0);
    ck_assert_int_eq(ksSystemSolveGauss(system, multiplier, NULL), expected);
    ck_assert_int_eq(ksSystemSolvePaulus(system, multiplier, NULL), expected);
    ksSystemDestroy(system);
}
END_TEST

/* A load of 6 beyond its bound; a single row's load is also compared with the applied force. */
START_TEST(bound)
{
    double multiplier;
    ksRelaxation relaxation;
    const ksStatus expected = _i ? KS_ERROR_BOUND : KS_OK;
    for (int isSingle = 0; isSingle < 2; isSingle++) {
        ksSystem *system = particle(push);
        addBounded(system, 0, x, -1, NULL, 0, 0, -INFINITY, 6 * (1 - (1 + isSingle) * 1e-9 * side[_i]));
        if (isSingle) {
            ck_assert_int_eq(ksSystemRelaxRow(system, 0, NULL, NULL, &relaxation), expected);
        } else {
            ck_assert_int_eq(ksSystemSolveGauss(system, &multiplier, NULL), expected);
            ck_assert_int_eq(ksSystemSolvePaulus(system, &multiplier, NULL), expected);
        }
        ksSystemDestroy(system);
    }
}
END_TEST

/* A direction that moves another row, and one that hardly moves its own. */
START_TEST(admissible)
{
    const double y[3] = {0, 1, 0}, across[3] = {1, 1e-9 * side[_i], 0}, along[3] = {1e-9 * side[_i], 0, 1};
    ksRelaxation relaxation;
    ksSystem *system = particle(push);
    add(system, x, 0, 0);
    add(system, y, 0, 0);
    ck_assert_int_eq(ksSystemRelaxRow(system, 0, across, NULL, &relaxation), _i ? KS_ERROR_NOT_ADMISSIBLE : KS_OK);
    ck_assert_int_eq(ksSystemRelaxRow(system, 0, along, NULL, &relaxation), _i ? KS_OK : KS_ERROR_NOT_RELAXING);
    ksSystemDestroy(system);
}
END_TEST

/* A direction off the normal has a cross term with the motion along the plane; with a second row
 * off the normal, the first row no longer relaxes alone. */
START_TEST(orthogonal)
{
    const double beside[3] = {1, 1e-12 * side[_i], 0}, across[3] = {1e-12 * side[_i], 1, 0};
    ksRelaxation relaxation;
    ksSystem *system = particle(push);
    add(system, x, 0, 0);
    ck_assert_ok(ksSystemRelaxRow(system, 0, beside, NULL, &relaxation));
    ck_assert_int_eq(relaxation.orthogonal, !_i);
    ck_assert_int_eq(relaxation.noCrossTerm, !_i);
    add(system, across, 0, 0);
    ck_assert_ok(ksSystemRelaxRow(system, 0, NULL, NULL, &relaxation));
    ck_assert_int_eq(relaxation.orthogonal, !_i);
    ksSystemDestroy(system);
}
END_TEST

/* Rows (1, 0, 0), (1, tilt, share) and (0, 0, 1): except for the tilt, the third one's part in
 * their self-stress is share / sqrt(2); the tilt of the self-stress is tilt / sqrt(2). */
static int isThirdDeterminate(double tilt, double share)
{
    const double leaning[3] = {1, tilt, share};
    int determinate[3];
    size_t rank;
    ksSystem *system = particle(none);
    ck_assert_ok(ksSystemSetRankTolerance(system, 1e-4));
    add(system, x, 0, 0);
    add(system, leaning, 0, 0);
    add(system, z, 0, 0);
    ck_assert_ok(ksSystemGetDeterminacy(system, determinate, &rank));
    ck_assert_uint_eq(rank, 2);
    ck_assert(!determinate[0] && !determinate[1]);
    ksSystemDestroy(system);
    return determinate[2];
}

START_TEST(noise)
{
    static const struct {
        double tilt, share;
    } cases[] = {{0, 1e-9}, {1e-6, 1e2 * 1e-6 / 1.41421356}, {5e-5, 1e-3}};
    ck_assert_int_eq(isThirdDeterminate(cases[_i / 2].tilt, sqrt(2) * cases[_i / 2].share * side[_i % 2]), _i % 2 == 0);
}
END_TEST

/* Rows over a light and a heavy body, (1, 1) and (1, -1): as unit columns they have the singular
 * values 1 and the root of the mass ratio. With the second row doubled, the rows are dependent by a
 * decomposition, for which values below its rounding are zero, and all share the load on the light
 * body. As long as the rows are independent, the second one has all its digits. */
START_TEST(unequalMasses)
{
    const double ratio = DBL_EPSILON * side[_i], one = 1, minus = -1, load = -2, heavy = -1 / ratio;
    for (int rows = 3; rows >= 2; rows--) {
        double multiplier[3];
        ksSystem *system = newSystem();
        addParticle(system, 1, 1, &load);
        addParticle(system, 1, 1 / (ratio * ratio), rows == 3 ? none : &heavy);
        for (int l = 0; l < rows; l++)
            addRow(system, 0, &one, 1, l ? &minus : &one, 0, 0);
        ck_assert_ok(ksSystemSolveLeastNorm(system, multiplier, NULL));
        if (rows == 3)
            ck_assert_near(multiplier[0], _i ? 1 : 2. / 3, 1e-9);
        else
            ck_assert_near(multiplier[0] * ratio, 0.5, 1e-12);
        ksSystemDestroy(system);
    }
}
END_TEST

int main(void)
{
    TCase *limits = tcase_create("limits");
    tcase_add_loop_test(limits, massPivot, 0, 2);
    tcase_add_loop_test(limits, defaultRankTolerance, 0, 2);
    tcase_add_loop_test(limits, roundingRank, 0, 2);
    tcase_add_loop_test(limits, lostPivots, 0, 2);
    tcase_add_loop_test(limits, contradiction, 0, 2);
    tcase_add_loop_test(limits, bound, 0, 2);
    tcase_add_loop_test(limits, admissible, 0, 2);
    tcase_add_loop_test(limits, orthogonal, 0, 2);
    tcase_add_loop_test(limits, noise, 0, 6);
    tcase_add_loop_test(limits, unequalMasses, 0, 2);
    return runCase("limits", limits);
}
