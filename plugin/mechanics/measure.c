/* measure.c  How far a motion is from the least constraint, and why.   Source: Radakovic 1896 (his Z is twice ours).
 *
 *      |a~ - a~*|^2 = Q~^T (T~^T M~ T~)^-1 Q~  +  r^T (A + S)^+ r,      Q~ = T~^T (M~ a~ - f~)
 *                     unexplained                 solver error
 *
 *  with a~ = (a, sqrt(S) lambda). In scaled coordinates z = y - y_f, the first term is |Q2^T z|^2 and the second
 *  |R^-T r|^2: nothing cancels in either. The frame spans every row that can carry force, known ones too; otherwise
 *  a wrong known value would show as unexplained. For them r = J~ (a~ - a~*).
 */
#include "system_private.h"

#include <math.h>
#include <string.h>

/* z = (y - y_f, slacks) for the frame of `all`, r of its rows, over d_l. A known row's force is in y_f, its slack is
 * the difference of its multipliers. */
static void deviations(ksSystem *system, const ksiFactor *exact, const ksiFactor *all, const double *multiplier,
                       const double *y, double *z, double *side)
{
    const ksiMotion *m = &system->motion;
    const size_t coordinates = (size_t)system->coordinateCount;
    for (size_t i = 0; i < coordinates; i++)
        z[i] = y[i] - m->applied.at[i];
    for (int c = 0; c < all->columns; c++) {
        const int l = all->row.at[c], known = system->rowKnown.at[l];
        const double s = system->compliance.at[l];
        double slack = 0;
        if (s > 0 && multiplier)
            slack = sqrt(s) * (multiplier[l] - (known ? system->lo.at[l] : 0));
        else if (s > 0 && !known)
            slack = m->y.at[exact->slack.at[exact->column.at[l]]];
        double r = ksiRowDot(system, l, y) + sqrt(s) * slack;
        r -= known ? ksiRowDot(system, l, m->y.at) : system->beta.at[l];
        side[c] = r / all->scale.at[c];
        if (s > 0)
            z[all->slack.at[c]] = slack;
    }
}

void ksiSystemObserve(ksSystem *system, const double *acceleration, const double *multiplier)
{
    system->observed = (ksiObserved){.acceleration = acceleration, .multiplier = multiplier};
}

ksStatus ksiSystemMeasure(ksSystem *system, const double *acceleration, const double *multiplier, ksGaussMeasure *out)
{
    if (!system)
        return KS_ERROR_BAD_ARGUMENT;
    system->culprit = -1;
    const size_t coordinates = (size_t)system->coordinateCount, rows = (size_t)system->rowCount;
    if (!out || (!acceleration && coordinates > 0))
        return KS_ERROR_BAD_ARGUMENT;
    if (!ksiAllFinite(coordinates, acceleration) || (multiplier && !ksiAllFinite(rows, multiplier)))
        return KS_ERROR_NOT_FINITE;
    int done;
    ksStatus status = ksiTreeMeasure(system, acceleration, multiplier, out, &done);
    if (done)
        return status;
    ksiFactor *exact, *all;
    status = ksiTrueMotion(system, &exact);
    if (!status)
        status = ksiFactorGet(system, system->knownCount > 0 ? KSI_VIEW_ALL : KSI_VIEW_EXACT, &all);
    if (status)
        return status;
    double *y, *z, *side;
    if (ksiDoublesReserve(system, &system->vector[0], coordinates + 1) ||
        ksiDoublesReserve(system, &system->vector[1], (size_t)all->height + 1) ||
        ksiDoublesReserve(system, &system->vector[2], rows + 1))
        return KS_ERROR_NO_MEMORY;
    y = system->vector[0].at;
    z = system->vector[1].at;
    side = system->vector[2].at;
    const int isTaken = system->observed.isTaken && acceleration == system->observed.acceleration &&
                        multiplier == system->observed.multiplier;
    if (coordinates > 0)
        memcpy(y, isTaken ? system->motion.observed.at : acceleration, coordinates * sizeof *y);
    if (!isTaken)
        ksiScaleMotion(system, y);
    deviations(system, exact, all, multiplier, y, z, side);

    ksGaussMeasure found;
    const size_t height = (size_t)all->height, rank = (size_t)all->rank;
    found.constraint = 0.5 * ksiDot(height, z, z);
    if (isTaken && all->isSparse && all->sparse.sidesKnown)
        ksiSparseTakeSide(all, 1, z);
    else
        ksiEnterFrame(all, z);
    found.unexplained = ksiDot(height - rank, z + rank, z + rank);
    ksiRowsToFrame(all, side, z);
    found.solverError = ksiDot(rank, z, z);
    if (!isfinite(found.constraint) || !isfinite(found.unexplained) || !isfinite(found.solverError))
        return KS_ERROR_NOT_FINITE;
    *out = found;
    return KS_OK;
}

ksStatus ksSystemMeasure(ksSystem *system, const double *acceleration, ksGaussMeasure *out)
{
    return ksiSystemMeasure(system, acceleration, NULL, out);
}
