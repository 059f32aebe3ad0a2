/* impulse.c  Solves impacts: impulses for forces, jumps of velocity for accelerations.   Source:
 * Lamb 1911, §1.
 *
 *     M v+ = M v- + P + J^T lambda,      J v+ + S lambda = c
 *
 * This is the problem of motion.c with f = M v- + P and beta = c; with bounds, it is the problem of
 * bounded.c. As there, v+ is found without the impulses `lambda` of the rows, which system.h calls
 * L. Finite forces give no impulse. So a bound is 0 or infinite, and rows at bounds are known rows.
 *
 * With M = L L^T, Q = [Q1 Q2] the frame of factor.c and y_f = L^T v- + L^-1 P, Routh's mixed form
 * has no cross term:
 *
 *     T + 1/2 lambda^T S lambda = 1/2 |Q2^T y_f|^2 + 1/2 |R^-T c|^2,
 *     from rest  1/2 P^T B P + 1/2 c^T (A + S)^-1 c
 */
#include "system_private.h"

#include "../base/fpguard.h"

#include <math.h>

/* Impulses of the unknown rows; 0 for known rows. */
static void findReaction(ksSystem *system, ksiFactor *f)
{
    ksiFindMultipliers(system, f);
    for (int l = 0; system->model.knownCount > 0 && l < system->model.rowCount; l++)
        if (system->model.rowKnown[l])
            system->motion.multiplier[l] = 0;
}

/* before: [coordinates] L^T v-. */
static ksImpulse balance(const ksSystem *system, const double *impulse, const double *before)
{
    const ksiSystemMotion *m = &system->motion;
    const size_t n = (size_t)system->model.coordinateCount;
    ksImpulse e = {.before = 0.5 * ksiDot(n, before, before),
                   .after = 0.5 * ksiDot(n, m->y, m->y),
                   .unconstrained = 0.5 * ksiDot(n, m->applied, m->applied),
                   .momentum = 0.5 * m->alongMotions,
                   .prescribed = 0.5 * m->alongRows};
    for (size_t i = 0; impulse && i < n; i++)
        e.given += 0.5 * impulse[i] * (system->model.velocity[i] + m->acceleration[i]);
    for (int l = 0; l < system->model.rowCount; l++) {
        const double reaction = m->multiplier[l];
        if (reaction == 0)
            continue;
        const double after = ksiRowDot(&system->model, l, m->y);
        e.byRows += 0.5 * reaction * (ksiRowDot(&system->model, l, before) + after);
        // 1/2 |y_f|^2 - 1/2 |y+|^2, where y+ = y_f + B lambda
        e.lost -= 0.5 * reaction * (ksiRowDot(&system->model, l, m->applied) + after);
        e.stored += 0.5 * system->model.compliance[l] * reaction * reaction;
    }
    return e;
}

/* L^T v- and L^T v- + L^-1 P: [coordinates] each. */
static void enterMomenta(const ksSystem *system, const double *impulse, double *before, double *applied)
{
    const size_t n = (size_t)system->model.coordinateCount;
    ksiScaleMotion(&system->model, system->model.velocity, before);
    if (impulse)
        ksiScaleForce(&system->model, impulse, applied);
    for (size_t i = 0; i < n; i++)
        applied[i] = before[i] + (impulse ? applied[i] : 0);
}

/* The motion after the impact, and its reactions, into system->motion; L^T v- into vector[0]. */
static ksStatus strike(ksSystem *system, const double *impulse, const double *rowVelocity)
{
    const size_t n = (size_t)system->model.coordinateCount;
    ksiFactor *f;
    KSI_TRY(ksiFactorGet(system, KSI_VIEW_EXACT, &f));
    KSI_TRY(ksiMotionReserve(system));
    KSI_TRY(ksiDoublesReserve(&system->allocator, &system->vector[0], n));
    enterMomenta(system, impulse, system->vector[0], system->motion.applied);
    KSI_TRY(ksiProjectMotion(system, f, rowVelocity));
    KSI_TRY(ksiCheckConsistent(system, f));
    findReaction(system, f);
    return KS_OK;
}

typedef struct Blow {
    const double *impulse, *rowVelocity;
    double *reaction, *velocity;
    ksImpulse *energy;
} Blow;

static ksStatus solveBilateral(ksSystem *system, void *context)
{
    const Blow *blow = context;
    const size_t n = (size_t)system->model.coordinateCount, rows = (size_t)system->model.rowCount;
    KSI_TRY(strike(system, blow->impulse, blow->rowVelocity));
    const ksiSystemMotion *m = &system->motion;
    const ksImpulse found = balance(system, blow->impulse, system->vector[0]);
    if (!ksiAllFinite(rows, m->multiplier) ||
        !isfinite(found.unconstrained + found.after + found.given + found.byRows) ||
        !isfinite(found.before + found.lost + found.stored + found.momentum + found.prescribed))
        return KS_ERROR_NOT_FINITE;
    ksiCopy(rows, m->multiplier, blow->reaction);
    ksiCopy(n, m->acceleration, blow->velocity);
    if (blow->energy)
        *blow->energy = found;
    return KS_OK;
}

static double impulsive(double bound)
{
    return isfinite(bound) ? 0 : bound;
}

/* Momenta, row velocities and the bounds of impulses take the places of forces, right-hand sides
 * and bounds. */
static ksStatus solveWithinBounds(ksSystem *system, Blow *blow)
{
    ksiModel *model = &system->model;
    const size_t n = (size_t)model->coordinateCount, rows = (size_t)model->rowCount;
    KSI_TRY(ksiDoublesReserve(&system->allocator, &system->bounded.finite, 2 * n + 5 * rows));
    double *force = system->bounded.finite, *beta = force + n, *lo = beta + rows, *hi = lo + rows, *low = hi + rows,
           *high = low + rows, *before = high + rows;
    ksiCopy(n, model->scaledForce, force);
    ksiCopy(rows, model->beta, beta);
    ksiCopy(rows, model->lo, lo);
    ksiCopy(rows, model->hi, hi);
    for (size_t l = 0; l < rows; l++) {
        low[l] = impulsive(lo[l]);
        high[l] = impulsive(hi[l]);
        model->beta[l] = blow->rowVelocity ? blow->rowVelocity[l] : 0;
    }
    enterMomenta(system, blow->impulse, before, model->scaledForce);
    ksiSetBounds(system, low, high);
    const ksStatus status = ksiWithinBounds(system, solveBilateral, blow);
    const int culprit = system->culprit;
    ksiCopy(n, force, model->scaledForce);
    ksiCopy(rows, beta, model->beta);
    ksiSetBounds(system, lo, hi);
    system->culprit = culprit;
    return status;
}

static ksStatus solveImpulse(ksSystem *system, Blow *blow)
{
    KSI_REQUIRE_SYSTEM(system);
    const size_t n = (size_t)system->model.coordinateCount;
    const double *impulse = blow->impulse, *rowVelocity = blow->rowVelocity;
    for (int l = 0; rowVelocity && l < system->model.rowCount; l++)
        if (!isfinite(rowVelocity[l])) {
            system->culprit = l;
            return KSI_EXPLAIN(KS_ERROR_NOT_FINITE, "rowVelocity[%d] is %g", l, rowVelocity[l]);
        }
    if (impulse && !ksiAllFinite(n, impulse))
        return KSI_EXPLAIN(KS_ERROR_NOT_FINITE, "impulse has a NaN or an infinity");
    return system->model.boundedCount > 0 ? solveWithinBounds(system, blow) : solveBilateral(system, blow);
}

ksStatus ksSystemSolveImpulse(ksSystem *system, const double *impulse, const double *rowVelocity, double *reaction,
                              double *velocity, ksImpulse *energy)
{
    Blow blow = {
        .impulse = impulse, .rowVelocity = rowVelocity, .reaction = reaction, .velocity = velocity, .energy = energy};
    KSI_RETURN_OF_SYSTEM(system, solveImpulse(system, &blow));
}
