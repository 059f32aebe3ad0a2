/* gauss_measure.c  Measures how far a motion is from the least constraint, and why.   Sources:
 * Gauss 1829 for Z; Radakovic 1896 for the first term, in his Z, which has no 1/2. The second term
 * is ours.
 *
 *      1/2 |a~ - a~*|^2 = 1/2 Q~^T (T~^T M~ T~)^-1 Q~  +  1/2 r^T (A + S)^+ r,
 *                             unexplained                     solver error
 *
 * where a~ = (a, sqrt(S) lambda), Q~ = T~^T (M~ a~ - f~), and * marks the true motion. In scaled
 * coordinates, z = y - y_f, the terms are 1/2 |Q2^T z|^2 and 1/2 |R^-T r|^2, both without
 * cancellation. The frame Q spans every row that can carry force, including known rows; otherwise a
 * wrong known value would show as unexplained. The residual `r` of known rows is J~ (a~ - a~*). If
 * the exact factorisation has computed Q^T z, then R^-T r = Q1^T (z - z*), to the rounding of the
 * true motion. The load of the true motion is Q1^T z*.
 */
#include "../system_private.h"

#include "../../base/fpguard.h"

#include <math.h>
#include <stdbool.h>

/* z = (y - y_f, slacks) in the frame of `all`, and r / d_l of its rows. A known row's force is in
 * y_f; its slack comes from the difference between reported and known multiplier. */
static void deviations(ksSystem *system, const ksiFactor *exact, const ksiFactor *all, const double *multiplier,
                       const double *y, double *z, double *side)
{
    const ksiSystemMotion *m = &system->motion;
    const size_t coordinates = (size_t)system->model.coordinateCount;
    for (size_t i = 0; i < coordinates; i++)
        z[i] = y[i] - m->applied[i];
    for (int c = 0; c < all->columns; c++) {
        const int l = all->row[c], known = system->model.rowKnown[l];
        const double s = system->model.compliance[l];
        double slack = 0;
        if (s > 0 && multiplier)
            slack = sqrt(s) * (multiplier[l] - (known ? system->model.lo[l] : 0));
        else if (s > 0 && !known)
            slack = m->y[exact->slack[exact->column[l]]];
        double r = ksiRowDot(&system->model, l, y) + sqrt(s) * slack;
        r -= known ? ksiRowDot(&system->model, l, m->y) : system->model.beta[l];
        side[c] = r / all->scale[c];
        if (s > 0)
            z[all->slack[c]] = slack;
    }
}

void ksiSystemObserve(ksSystem *system, const double *acceleration, const double *multiplier)
{
    system->observed = (ksiObserved){.acceleration = acceleration, .multiplier = multiplier};
}

/* From Q^T z, which the exact factorisation has computed. */
static ksStatus measureTaken(ksSystem *system, ksiFactor *exact, ksGaussMeasure *found)
{
    const size_t height = (size_t)exact->height, rank = (size_t)exact->rank;
    KSI_TRY(ksiDoublesReserve(&system->allocator, &system->vector[1], height));
    double *z = system->vector[1];
    ksiSparseTakeSide(exact, 1, z);
    found->constraint = 0.5 * ksiDot(height, z, z);
    found->unexplained = 0.5 * ksiDot(height - rank, z + rank, z + rank);
    for (size_t i = 0; i < rank; i++)
        z[i] -= system->motion.load[i];
    found->solverError = 0.5 * ksiDot(rank, z, z);
    return KS_OK;
}

/* From the rows, if Q^T z is not available. */
static ksStatus measureAny(ksSystem *system, const double *acceleration, const double *multiplier,
                           const ksiFactor *exact, ksGaussMeasure *found)
{
    ksiFactor *all;
    KSI_TRY(ksiFactorGet(system, system->model.knownCount > 0 ? KSI_VIEW_ALL : KSI_VIEW_EXACT, &all));
    const size_t coordinates = (size_t)system->model.coordinateCount, height = (size_t)all->height;
    KSI_TRY(ksiReserveVectors(system, coordinates, height, (size_t)system->model.rowCount));
    double *y = system->vector[0], *z = system->vector[1], *side = system->vector[2];
    ksiScaleMotion(&system->model, acceleration, y);
    deviations(system, exact, all, multiplier, y, z, side);
    const size_t rank = (size_t)all->rank;
    found->constraint = 0.5 * ksiDot(height, z, z);
    ksiApplyQTransposed(all, z);
    found->unexplained = 0.5 * ksiDot(height - rank, z + rank, z + rank);
    ksiSolveRTransposed(all, side, z);
    found->solverError = 0.5 * ksiDot(rank, z, z);
    return KS_OK;
}

static ksStatus checkArguments(ksSystem *system, const double *acceleration, const ksGaussMeasure *out)
{
    KSI_REQUIRE_SYSTEM(system);
    const size_t coordinates = (size_t)system->model.coordinateCount;
    KSI_REQUIRE_POINTER(out);
    KSI_REQUIRE(acceleration || coordinates == 0, "acceleration is NULL");
    if (!ksiAllFinite(coordinates, acceleration))
        return KSI_EXPLAIN(KS_ERROR_NOT_FINITE, "acceleration has a NaN or an infinity");
    return KS_OK;
}

ksStatus ksiSystemMeasure(ksSystem *system, const double *acceleration, const double *multiplier, ksGaussMeasure *out)
{
    KSI_TRY(checkArguments(system, acceleration, out));
    const size_t rows = (size_t)system->model.rowCount;
    if (multiplier && !ksiAllFinite(rows, multiplier))
        return KS_ERROR_NOT_FINITE;
    const ksStatus status = ksiTreeMeasure(system, acceleration, multiplier, out);
    if (status != KS_ERROR_UNAVAILABLE)
        return status;
    ksiFactor *exact;
    KSI_TRY(ksiTrueMotion(system, &exact));
    const bool isTaken = system->observed.isTaken && acceleration == system->observed.acceleration &&
                         multiplier == system->observed.multiplier;
    ksGaussMeasure found;
    if (isTaken && system->model.knownCount == 0 && exact->isSparse && exact->sparse.sidesKnown)
        KSI_TRY(measureTaken(system, exact, &found));
    else
        KSI_TRY(measureAny(system, acceleration, multiplier, exact, &found));
    if (!isfinite(found.constraint) || !isfinite(found.unexplained) || !isfinite(found.solverError))
        return KS_ERROR_NOT_FINITE;
    *out = found;
    return KS_OK;
}

/* The distance of M a - f from range(J^T) in the metric M^-1, over every row that can carry force:
 * with T a basis of null(J) it is (Q^T (T^T M T)^-1 Q)^(1/2), Q = T^T (M a - f), the left-hand
 * sides of Lagrange II. */
ksStatus ksiSystemExplain(ksSystem *system, const double *acceleration, double *unexplained)
{
    const size_t coordinates = (size_t)system->model.coordinateCount;
    if (!ksiAllFinite(coordinates, acceleration))
        return KS_ERROR_NOT_FINITE;
    const ksStatus status = ksiTreeExplain(system, acceleration, unexplained);
    if (status != KS_ERROR_UNAVAILABLE)
        return status;
    ksiFactor *reach;
    KSI_TRY(ksiFactorGet(system, KSI_VIEW_REACH, &reach));
    KSI_TRY(ksiDoublesReserve(&system->allocator, &system->vector[0], coordinates));
    double *z = system->vector[0];
    ksiScaleMotion(&system->model, acceleration, z);
    for (size_t i = 0; i < coordinates; i++)
        z[i] -= system->model.scaledForce[i];
    ksiApplyQTransposed(reach, z);
    const size_t rank = (size_t)reach->rank;
    *unexplained = sqrt(ksiDot(coordinates - rank, z + rank, z + rank));
    return KS_OK;
}

typedef struct Observed {
    const double *acceleration;
    ksGaussMeasure *out;
} Observed;

static ksStatus bilateralMeasure(ksSystem *system, void *context)
{
    const Observed *observed = context;
    return ksiSystemMeasure(system, observed->acceleration, NULL, observed->out);
}

static ksStatus measure(ksSystem *system, const double *acceleration, ksGaussMeasure *out)
{
    KSI_TRY(checkArguments(system, acceleration, out));
    return ksiWithinBounds(system, bilateralMeasure, &(Observed){.acceleration = acceleration, .out = out});
}

ksStatus ksSystemMeasure(ksSystem *system, const double *acceleration, ksGaussMeasure *out)
{
    KSI_RETURN_OF_SYSTEM(system, measure(system, acceleration, out));
}
