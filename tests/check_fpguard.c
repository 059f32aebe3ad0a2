/* check_fpguard.c  No call on a system changes the floating-point flags and traps of the host. */
#define _GNU_SOURCE  // feenableexcept
#include "tests/redundant_kit.h"

#include <fenv.h>

static const int traps = FE_DIVBYZERO | FE_INVALID | FE_OVERFLOW;

/* Flags and traps around a call: none of the first, all of the others. */
#define QUIETLY(...)                                                                                                   \
    do {                                                                                                               \
        feclearexcept(FE_ALL_EXCEPT);                                                                                  \
        feenableexcept(traps);                                                                                         \
        __VA_ARGS__;                                                                                                   \
        const int flags_ = fetestexcept(FE_ALL_EXCEPT), left_ = fegetexcept();                                         \
        fedisableexcept(traps);                                                                                        \
        ck_assert_msg(flags_ == 0 && left_ == traps, "%s: flags %x, traps %x", #__VA_ARGS__, (unsigned)flags_,         \
                      (unsigned)left_);                                                                                \
    } while (0)

static void askForAll(ksSystem *system)
{
    enum { ROWS = 64, COORDINATES = 64 };
    static double x[ROWS], a[COORDINATES], bar[ROWS], basis[ROWS * ROWS];
    const double *const along[1] = {x};
    const int block[1] = {0};
    const ksProbe probe = {1, block, along};
    ksGaussMeasure measure;
    ksRelaxation relaxation;
    ksImpulse energy;
    int flag[ROWS], count;
    size_t rank;
    double number;
    ck_assert_int_le(ksSystemRowCount(system), ROWS);
    ck_assert_int_le(ksSystemCoordinateCount(system), COORDINATES);
    QUIETLY(ck_assert_ok(ksSystemSolveGauss(system, x, a)));
    QUIETLY(ck_assert_ok(ksSystemSolvePaulus(system, x, a)));
    QUIETLY(ck_assert_ok(ksSystemSolveMotion(system, a)));
    QUIETLY(ck_assert_ok(ksSystemMeasure(system, a, &measure)));
    QUIETLY(ck_assert_ok(ksSystemGetErrorBars(system, bar)));
    QUIETLY(ck_assert_ok(ksSystemGetDeterminacy(system, flag, &rank)));
    QUIETLY(ck_assert_ok(ksSystemSolveLeastNorm(system, x, a)));
    QUIETLY(ck_assert_ok(ksSystemGetSelfStresses(system, basis, ROWS, &count)));
    QUIETLY(ck_assert_ok(ksSystemGetCombination(system, x, &count, &number)));
    QUIETLY(ck_assert_ok(ksSystemSolveImpulse(system, NULL, NULL, x, a, &energy)));
    QUIETLY(ck_assert_ok(ksSystemGetMobility(system, &probe, &probe, &number)));
    for (int l = 0; l < ksSystemRowCount(system); l++)
        QUIETLY((void)!ksSystemRelaxRow(system, l, NULL, NULL, &relaxation));
}

static void fillTree(ksSystem *system)
{
    static Dense d;
    drawDense(&d, 7, 25, 0.1, 100, 0);
    QUIETLY(buildDense(system, &d));
}

static void fillRedundant(ksSystem *system)
{
    banach(system, 0.7, 0.3, 0.4, 0);
}

START_TEST(callsAreNotNoticed)
{
    ksSystem *system = newSystem();
    (_i ? fillRedundant : fillTree)(system);
    askForAll(system);
    ksSystemDestroy(system);
}
END_TEST

/* Refused calls are checked, too. */
START_TEST(lookingRaisesNothing)
{
    ksSystem *system = newSystem();
    const double odd[3] = {INFINITY, NAN, 0}, zero[3] = {0}, centre[3] = {1, 1e-30, 3}, axis[3] = {1e300, 1e-9, 1e300};
    double direction[6];
    int row;
    ksGaussMeasure measure;
    ksRowSpec spec;
    ksRowSpecInit(&spec);
    spec.lo = NAN;
    addParticle(system, 3, 2, zero);
    QUIETLY(ck_assert_int_eq(ksSystemMeasure(system, odd, &measure), KS_ERROR_NOT_FINITE));
    QUIETLY(ck_assert_int_ne(ksSystemAddRow(system, &spec, &row), KS_OK));
    QUIETLY(ck_assert_int_eq(ksSystemSetRigidCompliance(system, NAN), KS_ERROR_BAD_ARGUMENT));
    QUIETLY(ck_assert_int_eq(ksSystemSetRankTolerance(system, NAN), KS_ERROR_BAD_ARGUMENT));
    QUIETLY(ksProbeForce(centre, axis, axis, direction));
    QUIETLY(ksProbeForce(centre, odd, axis, direction));
    QUIETLY(ksProbeCouple(odd, direction));
    ksSystemDestroy(system);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("quietly");
    TCase *tcase = tcase_create("quietly");
    tcase_add_loop_test(tcase, callsAreNotNoticed, 0, 2);
    tcase_add_test(tcase, lookingRaisesNothing);
    suite_add_tcase(suite, tcase);
    return runSuite(suite);
}
