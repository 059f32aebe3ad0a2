/* errorbar.c  How far the multipliers of both routes may be from the exact ones of the same rows.
 *
 *  Householder factorisation is exact for B~ + E with columns |E_l| <= c eps (unit columns). To first order that
 *  moves the equilibrated multipliers mu = d lambda by
 *
 *      A^-1 E^T y + B~^+ E mu,     row l:  |w_l| (|y| |B~^+| + |mu|) c eps,      |w_l|^2 = [(A + S)^-1]_ll
 *
 *  w_l being the row's unit relaxed coordinate (row l of R^-1), which also bounds the rounding of Q^T y_f. The
 *  range-space route is covered by its distance from the null-space one. Neither sees a wrong J, beta or f.
 */
#include "lapack.h"
#include "system_private.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* c: the rounding of scaled rows, factorisation and substitutions as a multiple of eps. Statistical growth, not the
 * worst case: covers every multiplier of random systems up to condition 1e8 against a binary128 reference with a
 * median of some ten times the error. */
#define ROUNDINGS 4.0

/* [columns] |w_l| in equilibrated scale; the bound of |B~^+| is returned. */
static ksStatus relaxedSizes(ksSystem *system, ksiFactor *f, double *size, double *inverse)
{
    const size_t wide = (size_t)f->columns, height = (size_t)f->height;
    memset(size, 0, wide * sizeof *size);
    if (f->decomposed) {
        for (size_t p = 0; p < wide; p++)
            for (size_t i = 0; i < (size_t)f->rank; i++) {
                const double w = f->vt.at[p * wide + i] / f->sigma.at[i];
                size[f->pivot.at[p] - 1] += w * w;
            }
        *inverse = f->rank > 0 ? 1 / f->sigma.at[f->rank - 1] : 0;
    } else {
        if (ksiDoublesReserve(system, &f->copy, wide * wide))
            return KS_ERROR_NO_MEMORY;
        for (size_t c = 0; c < wide; c++)
            memcpy(f->copy.at + c * wide, f->qr.at + c * height, (c + 1) * sizeof *f->copy.at);
        int info;
        dtrtri_("U", "N", &f->columns, f->copy.at, &f->columns, &info, 1, 1);
        double square = 0;
        for (size_t c = 0; c < wide; c++)
            for (size_t p = 0; p <= c; p++) {
                const double w = f->copy.at[c * wide + p];
                size[f->pivot.at[p] - 1] += w * w;
                square += w * w;
            }
        *inverse = sqrt(square);
    }
    for (size_t c = 0; c < wide; c++)
        size[c] = sqrt(size[c]);
    return KS_OK;
}

ksStatus ksiSystemErrorBars(ksSystem *system, const double *gauss, const double *paulus, double *bar)
{
    if (!system)
        return KS_ERROR_BAD_ARGUMENT;
    system->culprit = -1;
    const size_t rows = (size_t)system->rowCount, coordinates = (size_t)system->coordinateCount;
    if (rows == 0)
        return KS_OK;
    if (!gauss || !paulus || !bar)
        return KS_ERROR_BAD_ARGUMENT;
    if (!ksiAllFinite(rows, gauss) || !ksiAllFinite(rows, paulus))
        return KS_ERROR_NOT_FINITE;
    ksiFactor *f;
    ksStatus status = ksiFactorGet(system, KSI_VIEW_EXACT, &f);
    if (status)
        return status;
    if (ksiDoublesReserve(system, &system->vector[0], coordinates + 1) ||
        ksiDoublesReserve(system, &system->vector[1], rows))
        return KS_ERROR_NO_MEMORY;
    double *y = system->vector[0].at, *size = system->vector[1].at, inverse = 0;
    status = f->columns > 0 ? relaxedSizes(system, f, size, &inverse) : KS_OK;
    if (status)
        return status;

    ksiAppliedForce(system, y);
    const double applied = sqrt(ksiDot(coordinates, y, y));
    double load = 0, slack = 0;
    for (int c = 0; c < f->columns; c++) {
        const int l = f->row.at[c];
        ksiRowAdd(system, l, paulus[l], y);
        load += f->scale.at[c] * paulus[l] * f->scale.at[c] * paulus[l];
        slack += system->compliance.at[l] * paulus[l] * paulus[l];
    }
    const double moved = sqrt(ksiDot(coordinates, y, y) + slack);
    for (int l = 0; l < system->rowCount; l++) {
        const int c = f->column.at[l];
        const double rounding =
            c < 0 ? 0 : ROUNDINGS * DBL_EPSILON * size[c] * (moved * inverse + sqrt(load) + applied) / f->scale.at[c];
        bar[l] = fmax(fabs(gauss[l] - paulus[l]), rounding);
    }
    return KS_OK;
}
