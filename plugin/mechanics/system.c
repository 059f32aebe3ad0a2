/* system.c  A constrained system: creation, destruction, and checks that use no route.
 *
 *     M a = f + J^T lambda,   J_l a + s_l lambda_l = beta_l
 *
 * These are Lagrange's equations of the first kind: Banach, Mechanics X §6; Gugino 1930 (1)-(3). A
 * system is filled in system_fill.c and rigid.c.
 */
#include "../base/vectorise.h"
#include "system_private.h"

#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

void ksiForgetKnown(ksSystem *system, bool areOthers)
{
    if (areOthers)
        system->gauss.numericKnown = 0;
    system->tree.known = system->tree.hasTrueMotion = 0;
    for (int view = 0; view < KSI_VIEW_COUNT; view++)
        system->factor[view].known = 0;
    system->stresses.known = 0;
    system->stresses.splitError = 0;
    system->motion.known = KSI_MOTION_UNKNOWN;
    system->observed = (ksiObserved){0};
}

void ksiForget(ksSystem *system)
{
    system->pattern = NULL;
    ksiForgetKnown(system, true);
}

/* Forgets what depends on a tolerance, and the proofs of rank. */
static void forgetRank(ksSystem *system)
{
    for (int view = 0; view < KSI_VIEW_COUNT; view++)
        if (ksiViewAt((ksiViewIndex)view).compliance != KSI_COMPLIANCE_ALL)
            system->factor[view].known = 0;
    for (int i = 0; i < KSI_VIEW_COUNT; i++)
        system->factor[i].rankIsProved = 0;
    system->stresses.known = 0;
    system->tree.known = system->tree.hasTrueMotion = 0;
    if (system->motion.known == KSI_MOTION_PROJECTED)
        system->motion.known = KSI_MOTION_UNKNOWN;
}

ksStatus ksiSystemCreate(const ksAllocator *allocator, ksSystem **system)
{
    KSI_REQUIRE_POINTER(system);
    ksAllocator own;
    ksiAllocatorInit(&own, allocator);
    ksSystem *made = own.resize(own.user, NULL, sizeof *made);
    if (!made)
        return KS_ERROR_NO_MEMORY;
    memset(made, 0, sizeof *made);
    ksiArenaOpen(&made->memory, &own, &made->allocator);
    made->model = (ksiModel){.allocator = &made->allocator, .kinematicSizesKnown = 1};
    made->rankTolerance = 1e-10;
    made->inputRounding = DBL_EPSILON;
    made->culprit = -1;
    made->warm = &made->ownWarm;
    made->patterns.allocator = &made->allocator;
    *system = made;
    return KS_OK;
}

ksStatus ksSystemCreate(ksSystem **system)
{
    return KSI_ANSWER(ksiSystemCreate(NULL, system));
}

void ksSystemDestroy(ksSystem *system)
{
    if (!system)
        return;
    const ksAllocator from = system->memory.from;
    ksiArenaClose(&system->memory);
    ksiFree(&from, system);
}

void ksSystemClear(ksSystem *system)
{
    if (!system)
        return;
    ksiForget(system);
    system->culprit = -1;
    ksiModelClear(&system->model);
}

static ksStatus setRigidCompliance(ksSystem *system, double compliance)
{
    KSI_REQUIRE_POINTER(system);
    KSI_REQUIRE(isgreaterequal(compliance, 0), "compliance is %g, must be >= 0", compliance);
    if (system->model.rigidCompliance != compliance) {
        system->model.rigidCompliance = compliance;
        forgetRank(system);
    }
    return KS_OK;
}

ksStatus ksSystemSetRigidCompliance(ksSystem *system, double compliance)
{
    return KSI_ANSWER(setRigidCompliance(system, compliance));
}

static ksStatus setRankTolerance(ksSystem *system, double tolerance)
{
    KSI_REQUIRE_POINTER(system);
    KSI_REQUIRE(isgreater(tolerance, 0) && isless(tolerance, 1), "tolerance is %g, must be in (0, 1)", tolerance);
    if (system->rankTolerance != tolerance) {
        system->rankTolerance = tolerance;
        forgetRank(system);
    }
    return KS_OK;
}

ksStatus ksSystemSetRankTolerance(ksSystem *system, double tolerance)
{
    return KSI_ANSWER(setRankTolerance(system, tolerance));
}

ksStatus ksiNameCulprit(const ksSystem *system, ksStatus status)
{
    if (status && system && system->culprit >= 0 && !ksiIsExplained(status))
        return KSI_EXPLAIN(status, "row %d: %s", system->culprit, ksiWordsOf(status));
    return status;
}

void ksiSystemSetRounding(ksSystem *system, double epsilon)
{
    system->inputRounding = epsilon;
}

void ksiSystemSetDenseBudget(ksSystem *system, int rows)
{
    system->denseBudget = rows;
}

int ksSystemCoordinateCount(const ksSystem *system)
{
    return system ? system->model.coordinateCount : 0;
}

int ksSystemRowCount(const ksSystem *system)
{
    return system ? system->model.rowCount : 0;
}

int ksSystemCulprit(const ksSystem *system)
{
    return system ? system->culprit : -1;
}

ksStatus ksiReserveVectors(ksSystem *system, size_t first, size_t second, size_t third)
{
    KSI_TRY(ksiDoublesReserve(&system->allocator, &system->vector[0], first));
    KSI_TRY(ksiDoublesReserve(&system->allocator, &system->vector[1], second));
    return ksiDoublesReserve(&system->allocator, &system->vector[2], third);
}

static double largestLoad(const ksSystem *system, const double *multiplier)
{
    double largest = 0;
    for (int l = 0; l < system->model.rowCount; l++)
        largest = fmax(largest, ksiRowLength(&system->model, l) * fabs(multiplier[l]));
    return largest;
}

/* Is any multiplier beyond a bound, even by rounding? */
static bool anyOutside(const ksSystem *system, const double *multiplier)
{
    const double *lo = system->model.lo, *hi = system->model.hi;
    int any = 0;
    for (int l = 0; l < system->model.rowCount; l++)
        any |= (multiplier[l] < lo[l]) | (multiplier[l] > hi[l]);
    return any;
}

ksStatus ksiCheckEmptyRows(ksSystem *system)
{
    for (int l = 0; l < system->model.rowCount; l++)
        if (!system->model.rowKnown[l] && ksiRowIsEmpty(&system->model, l) && system->model.beta[l] != 0) {
            system->culprit = l;
            return KS_ERROR_INCONSISTENT;
        }
    return KS_OK;
}

int ksiBreaksBounds(ksSystem *system, int row, double multiplier, double load)
{
    const double out = fmax(system->model.lo[row] - multiplier, multiplier - system->model.hi[row]);
    const int breaks = ksiRowLength(&system->model, row) * out > KSI_BOUND_ROUNDING * load;
    if (breaks)
        system->culprit = row;
    return breaks;
}

ksStatus ksiCheckBounds(ksSystem *system, const double *multiplier)
{
    if (system->model.boundedCount == 0 || !anyOutside(system, multiplier))
        return KS_OK;
    const double largest = largestLoad(system, multiplier);
    for (int l = 0; l < system->model.rowCount; l++)
        if (ksiBreaksBounds(system, l, multiplier[l], largest))
            return KS_ERROR_BOUND;
    return KS_OK;
}
