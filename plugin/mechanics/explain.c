/* explain.c  The part of a motion that no multipliers explain: the distance of M a - f from range(J^T) in the metric
 * M^-1, over every row that can carry force. With T a basis of null(J) it is (Q^T (T^T M T)^-1 Q)^(1/2),
 * Q = T^T (M a - f), the left-hand sides of Lagrange II.   Source: Radakovic 1896. */
#include "system_private.h"

#include <math.h>
#include <string.h>

ksStatus ksiSystemExplain(ksSystem *system, const double *acceleration, double *unexplained)
{
    const size_t coordinates = (size_t)system->model.coordinateCount;
    if (!ksiAllFinite(coordinates, acceleration))
        return KS_ERROR_NOT_FINITE;
    int done;
    ksStatus status = ksiTreeExplain(system, acceleration, unexplained, &done);
    if (done)
        return status;
    ksiFactor *reach;
    status = ksiFactorGet(system, KSI_VIEW_REACH, &reach);
    if (!status)
        status = ksiDoublesReserve(&system->allocator, &system->vector[0], coordinates + 1);
    if (status)
        return status;
    double *z = system->vector[0].at;
    memcpy(z, acceleration, coordinates * sizeof *z);
    ksiScaleMotion(&system->model, z);
    for (size_t i = 0; i < coordinates; i++)
        z[i] -= system->model.scaledForce.at[i];
    ksiApplyQTransposed(reach, z);
    const size_t rank = (size_t)reach->rank;
    *unexplained = sqrt(ksiDot(coordinates - rank, z + rank, z + rank));
    return KS_OK;
}
