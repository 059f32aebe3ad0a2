/* motion.c  The null-space route: finds the true motion by Lagrange II, then each multiplier from
 * its relaxed coordinate.
 *
 *     J T = 0,   a = a0 + T q'',   (T^T M T) q'' = T^T (f - M a0)          Lagrange II, Banach X §7
 *     lambda_l = w_l^T (M a - f) / (J_l w_l),   J_r w_l = 0 for r != l       Paulus 1910 (17), (18)
 *
 * In the frame of factor.c, with Q = [Q1 Q2] and T = M^{-1/2} Q2:
 *
 *     y = Q1 R^-T beta + Q2 Q2^T y_f,  W = Q1 R^-T,   lambda = W^T (y - y_f) = R^-1 Q1^T (y - y_f).
 */
#include "../system_private.h"

#include "../../base/fpguard.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

/* Writes Q^T of motion.applied into y. If only right-hand sides change, motion.applied is zero. */
static void enterApplied(ksSystem *system, ksiFactor *f)
{
    ksiSystemMotion *m = &system->motion;
    int first = 0;
    memset(m->y, 0, (size_t)f->height * sizeof *m->y);
    while (first < system->model.coordinateCount && m->applied[first] == 0)
        first++;
    if (first == system->model.coordinateCount)
        return;
    ksiCopy((size_t)system->model.coordinateCount, m->applied, m->y);
    ksiApplyQTransposed(f, m->y);
}

/* Q^T y and the load of the rows, from motion.applied. isOwn: this is the current system's own
 * applied force. */
static void projectLoad(ksSystem *system, ksiFactor *f, const double *beta, bool isOwn)
{
    ksiSystemMotion *m = &system->motion;
    m->known = KSI_MOTION_UNKNOWN;
    m->hasMultipliers = 0;
    m->beta = beta;
    if (f->height == 0)
        return;
    // Q^T y_f = (Q1^T y_f, Q2^T y_f); R^-T beta replaces the first part
    if (isOwn && f->isSparse && f->sparse.sidesKnown)
        ksiSparseTakeSide(f, 0, m->y);
    else
        enterApplied(system, f);
    for (int c = 0; beta && c < f->columns; c++)
        m->side[c] = beta[f->row[c]] / f->scale[c];
    if (!beta)
        memset(m->side, 0, (size_t)f->columns * sizeof *m->side);
    ksiSolveRTransposed(f, m->side, m->load);
    for (int i = 0; i < f->rank; i++) {
        const double wanted = m->load[i];
        m->load[i] = wanted - m->y[i];
        m->y[i] = wanted;
    }
    m->known = KSI_MOTION_PROJECTED;
    m->projectedBy = f;
}

/* Finds the motion from Q^T y. */
static ksStatus finishMotion(ksSystem *system, ksiFactor *f)
{
    ksiSystemMotion *m = &system->motion;
    const size_t coordinates = (size_t)system->model.coordinateCount;
    m->known = KSI_MOTION_UNKNOWN;
    if (f->height == 0)
        return KS_OK;
    ksiApplyQ(f, m->y);
    ksiUnscaleMotion(&system->model, m->y, m->acceleration);
    if (!ksiAllFinite((size_t)f->height, m->y) || !ksiAllFinite(coordinates, m->acceleration))
        return KS_ERROR_NOT_FINITE;
    return KS_OK;
}

ksStatus ksiProjectMotion(ksSystem *system, ksiFactor *f, const double *beta)
{
    ksiSystemMotion *m = &system->motion;
    const size_t rank = (size_t)f->rank;
    projectLoad(system, f, beta, 0);
    m->alongRows = ksiDot(rank, m->y, m->y);
    m->alongMotions = ksiDot((size_t)f->height - rank, m->y + rank, m->y + rank);
    return finishMotion(system, f);
}

/* The load without the motion: enough for the multipliers. */
static ksStatus findLoad(ksSystem *system, ksiFactor *f)
{
    KSI_TRY(ksiMotionReserve(system));
    ksiAppliedForce(&system->model, system->motion.applied);
    projectLoad(system, f, system->model.beta, 1);
    return KS_OK;
}

ksStatus ksiFindMotion(ksSystem *system, ksiFactor *f)
{
    const ksiSystemMotion *m = &system->motion;
    const bool isProjected = m->known == KSI_MOTION_PROJECTED && m->projectedBy == f;
    KSI_TRY(isProjected ? KS_OK : findLoad(system, f));
    return finishMotion(system, f);
}

ksStatus ksiCheckConsistent(ksSystem *system, ksiFactor *f)
{
    const ksiSystemMotion *m = &system->motion;
    const size_t coordinates = (size_t)system->model.coordinateCount;
    double size = 0;
    if (f->rank < f->columns)
        size = sqrt(ksiDot((size_t)f->height, m->y, m->y)) + sqrt(ksiDot(coordinates, m->applied, m->applied));
    double worst = 1;
    for (int l = 0; l < system->model.rowCount; l++) {
        const int c = f->column[l];
        const double beta = m->beta ? m->beta[l] : 0;
        double excess = 0;
        if (system->model.rowKnown[l])
            continue;
        if (c < 0) {
            excess = beta != 0 ? INFINITY : 0;
        } else if (f->rank < f->columns) {
            double missed = beta - ksiRowDot(&system->model, l, m->y);
            if (f->slack[c] >= 0)
                missed -= sqrt(system->model.compliance[l]) * m->y[f->slack[c]];
            excess = fabs(missed) / (KSI_INCONSISTENT * (fabs(beta) + f->scale[c] * size));
        }
        if (excess > worst) {
            worst = excess;
            system->culprit = l;
        }
    }
    return worst > 1 ? KS_ERROR_INCONSISTENT : KS_OK;
}

ksStatus ksiTrueMotion(ksSystem *system, ksiFactor **f)
{
    ksStatus status = ksiFactorGet(system, KSI_VIEW_EXACT, f);
    if (status || system->motion.known == KSI_MOTION_TRUE)
        return status;
    KSI_TRY(ksiFindMotion(system, *f));
    KSI_TRY(ksiCheckConsistent(system, *f));
    system->motion.known = KSI_MOTION_TRUE;
    return KS_OK;
}

void ksiFindMultipliers(ksSystem *system, ksiFactor *f)
{
    ksiSystemMotion *m = &system->motion;
    // side is no longer in use once the motion is known
    ksiSolveR(f, m->load, m->side);
    for (int l = 0; l < system->model.rowCount; l++) {
        const int c = f->column[l];
        m->multiplier[l] = c >= 0 ? m->side[c] / f->scale[c] : 0;
        if (system->model.rowKnown[l])
            m->multiplier[l] = system->model.lo[l];
    }
}

static ksStatus finiteMultipliers(ksSystem *system, ksiFactor *f)
{
    ksiFindMultipliers(system, f);
    return ksiAllFinite((size_t)system->model.rowCount, system->motion.multiplier) ? KS_OK : KS_ERROR_NOT_FINITE;
}

ksStatus ksiTrueMultipliers(ksSystem *system, ksiFactor **f)
{
    ksStatus status = ksiTrueMotion(system, f);
    if (status || system->motion.hasMultipliers)
        return status;
    status = finiteMultipliers(system, *f);
    system->motion.hasMultipliers = !status;
    return status;
}

static void copyOut(const ksSystem *system, double *multiplier, double *acceleration)
{
    ksiCopy((size_t)system->model.rowCount, system->motion.multiplier, multiplier);
    ksiCopy((size_t)system->model.coordinateCount, system->motion.acceleration, acceleration);
}

ksStatus ksiSystemSolveTree(ksSystem *system, double *multiplier, double *acceleration)
{
    const ksStatus status = ksiTreeSolveSystem(system, KSI_VIEW_EXACT, multiplier, acceleration);
    // refinement is for the range-space route
    system->gauss.isRefined |= !status;
    return status;
}

/* multiplier NULL: not computed, and bounds are not checked. */
static ksStatus solve(ksSystem *system, double *multiplier, double *acceleration)
{
    ksStatus status = ksiTreeSolveSystem(system, KSI_VIEW_EXACT, multiplier, acceleration);
    if (!status && multiplier)
        status = ksiTreeSolvePaulus(system, multiplier);
    if (status != KS_ERROR_UNAVAILABLE)
        return status;
    ksiFactor *f;
    KSI_TRY(multiplier ? ksiTrueMultipliers(system, &f) : ksiTrueMotion(system, &f));
    if (multiplier)
        KSI_TRY(ksiCheckBounds(system, system->motion.multiplier));
    copyOut(system, multiplier, acceleration);
    return KS_OK;
}

ksStatus ksiSolveMotion(ksSystem *system, void *acceleration)
{
    return solve(system, NULL, acceleration);
}

ksStatus ksiSystemSolvePaulus(ksSystem *system, double *multiplier, double *acceleration)
{
    KSI_REQUIRE_SYSTEM(system);
    KSI_REQUIRE(multiplier || system->model.rowCount == 0, "multiplier is NULL");
    return solve(system, multiplier, acceleration);
}

int ksiSystemIsWalked(const ksSystem *system)
{
    return system->tree.hasTrueMotion && system->tree.isWalked;
}

ksStatus ksSystemSolvePaulus(ksSystem *system, double *multiplier, double *acceleration)
{
    KSI_RETURN_OF_SYSTEM(system, ksiSystemSolvePaulus(system, multiplier, acceleration));
}

/* multiplier or acceleration NULL: not computed. */
static ksStatus solveLeastNorm(ksSystem *system, double *multiplier, double *acceleration)
{
    const ksStatus status = ksiTreeSolveSystem(system, KSI_VIEW_RIGID, multiplier, acceleration);
    if (status != KS_ERROR_UNAVAILABLE)
        return status;
    ksiFactor *f;
    KSI_TRY(ksiFactorGet(system, KSI_VIEW_RIGID, &f));
    KSI_TRY(acceleration ? ksiFindMotion(system, f) : findLoad(system, f));
    if (multiplier)
        KSI_TRY(finiteMultipliers(system, f));
    copyOut(system, multiplier, acceleration);
    return KS_OK;
}

ksStatus ksiSystemSolveLeastNorm(ksSystem *system, double *multiplier, double *acceleration)
{
    KSI_REQUIRE_SYSTEM(system);
    KSI_REQUIRE(multiplier || system->model.rowCount == 0, "multiplier is NULL");
    return solveLeastNorm(system, multiplier, acceleration);
}

ksStatus ksiSystemSolveLeastNormMotion(ksSystem *system, double *acceleration)
{
    KSI_REQUIRE_SYSTEM(system);
    return solveLeastNorm(system, NULL, acceleration);
}

ksStatus ksSystemSolveLeastNorm(ksSystem *system, double *multiplier, double *acceleration)
{
    KSI_RETURN_OF_SYSTEM(system, ksiSystemSolveLeastNorm(system, multiplier, acceleration));
}
