/* check_fpguard.c  No call on a system or a mechanism changes the host's floating-point flags and
 * traps. */
#define _GNU_SOURCE  // feenableexcept
#include "tests/kits/coordinates_kit.h"
#include "tests/kits/redundant_kit.h"

#include <fenv.h>

static const int traps = FE_DIVBYZERO | FE_INVALID | FE_OVERFLOW;

/* Makes a call, with no flags before it and all traps on, and checks both afterwards. */
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

/* 1 / q: at 0 the host's own function divides by zero. */
static ksStatus inverse(const ksDual *q, ksDual t, ksDual *value, void *user)
{
    (void)t;
    (void)user;
    value[0] = ksDualDiv(ksDualOf(1), q[0]);
    return KS_OK;
}

START_TEST(coordinatesAreNotNoticed)
{
    const double mass = 1, third = 1.0 / 3, zero = 0;
    double x;
    int cyclic[2];
    ksCoordinates *c = NULL;
    ksCoordinatesSpec spec = specOf(1, inverse);
    ksLagrangian lagrangian = {0};
    ksRemainder remainder = {.departure = &x};
    ksConstraintRow row = {0};
    ksIntegrability answer;
    spec.particleCount = 1;
    spec.particleMass = &mass;
    spec.potential = inverse;
    QUIETLY(ck_assert_ok(ksCoordinatesCreate(&spec, &c)));
    QUIETLY(ck_assert_ok(ksCoordinatesSet(c, &third, &third, third)));
    QUIETLY(ck_assert_int_eq(ksCoordinatesSet(c, &zero, &third, third), KS_ERROR_NOT_FINITE));
    QUIETLY(ck_assert_ok(ksCoordinatesGetLagrangian(c, &lagrangian)));
    QUIETLY(ck_assert_ok(ksCoordinatesGetRemainder(c, &third, &remainder)));
    QUIETLY(ck_assert_ok(ksCoordinatesGetVelocity(c, &third, &third, third, &x)));
    QUIETLY(ck_assert_ok(ksCoordinatesGetCyclic(c, cyclic)));
    QUIETLY(ck_assert_ok(ksCoordinatesGetConstraint(c, inverse, NULL, &row)));
    QUIETLY(ck_assert_ok(ksCoordinatesGetVelocityRow(c, inverse, NULL, &row)));
    QUIETLY(ck_assert_ok(ksCoordinatesGetIntegrability(c, 1, inverse, NULL, &answer)));
    QUIETLY(ksCoordinatesDestroy(c));
}
END_TEST

int main(void)
{
    TCase *tcase = tcase_create("quietly");
    tcase_add_loop_test(tcase, callsAreNotNoticed, 0, 2);
    tcase_add_test(tcase, lookingRaisesNothing);
    tcase_add_test(tcase, coordinatesAreNotNoticed);
    return runCase("quietly", tcase);
}
