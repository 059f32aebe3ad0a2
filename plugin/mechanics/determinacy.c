/* determinacy.c  Which multipliers are unique, and the self-stresses that the others differ by.
 *
 *  lambda is fixed by M a = f + J^T lambda up to self-stresses J^T n = 0; a combination c^T lambda is determinate iff
 *  c is orthogonal to all of them, row l iff its relaxed coordinate exists (Paulus 1910, assumption 2). In the
 *  equilibrated multipliers mu_l = d_l lambda_l the self-stresses are the right singular vectors of R beyond the rank.
 *  J^T n = 0 knows no masses, and neither may what counts as zero: both are decided in the kinematic metric.
 */
#include "system_private.h"

#include <math.h>
#include <string.h>

double ksiStressNoise(const ksiFactor *f)
{
    if (f->stressCount > 0)
        return f->stressNoise;
    const int values = f->height < f->columns ? f->height : f->columns;
    if (!f->decomposed || f->rank == 0 || f->rank >= values)
        return KSI_LEAST_NOISE;
    const double noise = KSI_NOISE_OVER_TILT * f->sigma.at[f->rank] / f->sigma.at[f->rank - 1];
    return fmin(fmax(noise, KSI_LEAST_NOISE), KSI_MOST_NOISE);
}

/* n_l = V2_l / d_l of a decomposition, vector after vector. */
static void takeDecomposed(const ksSystem *system, const ksiFactor *f, double *basis)
{
    // of one weight throughout, mass metric and kinematic one differ by that
    const double unit = f->isKinematic || system->blockCount == 0 ? 1 : ksiBlockWeight(system, 0);
    const size_t rows = (size_t)system->rowCount, wide = (size_t)f->columns, rank = (size_t)f->rank;
    for (size_t k = 0; k < wide - rank; k++)
        for (size_t p = 0; p < wide; p++) {
            const int c = f->pivot.at[p] - 1;
            basis[k * rows + (size_t)f->row.at[c]] = f->vt.at[p * wide + rank + k] / (unit * f->scale.at[c]);
        }
}

/* The same of a factorisation without dependent rows: orthonormal over rows of unit size. */
static void takeDependent(const ksSystem *system, const ksiFactor *f, double *basis)
{
    const size_t rows = (size_t)system->rowCount, wide = (size_t)f->columns;
    const int isTurned = ksiWeightSpread(system) < 1;
    const double *size = system->rowSize.at;
    for (size_t k = 0; k < (size_t)f->stressCount; k++) {
        double *n = basis + k * rows, square = 0;
        for (size_t c = 0; c < wide; c++)
            n[f->row.at[c]] = f->stress.at[k * wide + c] * f->unit.at[c] * size[f->row.at[c]];
        // of one weight throughout, the vectors have been orthogonal in either metric
        if (isTurned)
            ksiTakeOut(rows, basis, (int)k, n);
        square = ksiDot(rows, n, n);
        const double inverse = 1 / sqrt(square);
        for (size_t l = 0; l < rows; l++)
            n[l] *= inverse;
    }
    for (size_t k = 0; k < (size_t)f->stressCount; k++)
        for (size_t l = 0; l < rows; l++)
            basis[k * rows + l] /= size[l];
}

/* The self-stresses, and a unit vector for every row without entries. */
static ksStatus findSelfStress(ksSystem *system, ksiFactor *f)
{
    if (system->selfStressKnown)
        return KS_OK;
    ksiSizeRows(system);
    int empty = 0;
    for (int l = 0; l < system->rowCount; l++)
        empty += f->column.at[l] < 0 && !system->rowKnown.at[l];
    const size_t rows = (size_t)system->rowCount;
    const size_t stressed = (size_t)(f->columns - f->rank), count = stressed + (size_t)empty;
    // one more: never NULL
    if (ksiDoublesReserve(system, &system->selfStress, count * rows + 1))
        return KS_ERROR_NO_MEMORY;
    double *basis = system->selfStress.at;
    if (count > 0)
        memset(basis, 0, count * rows * sizeof *basis);
    if (f->stressCount > 0)
        takeDependent(system, f, basis);
    else if (stressed > 0)
        takeDecomposed(system, f, basis);
    double *next = basis + stressed * rows;
    for (int l = 0; empty > 0 && l < system->rowCount; l++)
        if (f->column.at[l] < 0 && !system->rowKnown.at[l]) {
            next[l] = 1;
            next += rows;
        }
    system->selfStressCount = (int)count;
    system->selfStressNoise = ksiStressNoise(f);
    system->selfStressKnown = 1;
    system->echelonKnown = 0;
    return KS_OK;
}

double ksiSystemStressNoise(const ksSystem *system)
{
    return system->selfStressNoise;
}

double ksiSystemRowSize(ksSystem *system, int row)
{
    ksiSizeRows(system);
    return system->rowSize.at[row];
}

static int isDeterminate(const ksSystem *system, int row)
{
    double square = 0;
    for (int k = 0; k < system->selfStressCount; k++) {
        const double n = system->selfStress.at[(size_t)k * (size_t)system->rowCount + (size_t)row];
        square += system->rowSize.at[row] * n * system->rowSize.at[row] * n;
    }
    return square < system->selfStressNoise * system->selfStressNoise;
}

/* The self-stresses into the system, and the rank. */
static ksStatus decide(ksSystem *system, int *rank)
{
    ksStatus status = ksiTreeIsDeterminate(system, rank);
    if (!status && *rank >= 0) {
        // one more: never NULL
        status = ksiDoublesReserve(system, &system->selfStress, 1);
        system->selfStressCount = 0;
        system->selfStressNoise = KSI_LEAST_NOISE;
        system->selfStressKnown = !status;
        system->echelonKnown = 0;
        return status;
    }
    ksiFactor *f;
    if (!status)
        status = ksiDecidingFactor(system, &f);
    if (!status)
        status = findSelfStress(system, f);
    if (!status)
        *rank = f->rank;
    return status;
}

ksStatus ksSystemGetDeterminacy(ksSystem *system, int *determinate, size_t *rank)
{
    if (!system)
        return KS_ERROR_BAD_ARGUMENT;
    system->culprit = -1;
    int found;
    const ksStatus status = decide(system, &found);
    if (status)
        return status;
    for (int l = 0; determinate && l < system->rowCount; l++)
        determinate[l] = isDeterminate(system, l);
    if (rank)
        *rank = (size_t)found;
    return KS_OK;
}

ksStatus ksiSystemGetSelfStress(ksSystem *system, const double **basis, int *count)
{
    if (!system)
        return KS_ERROR_BAD_ARGUMENT;
    system->culprit = -1;
    if (!basis || !count)
        return KS_ERROR_BAD_ARGUMENT;
    int rank;
    const ksStatus status = decide(system, &rank);
    if (status)
        return status;
    *basis = system->selfStress.at;
    *count = system->selfStressCount;
    return KS_OK;
}

ksStatus ksiSystemAdoptSelfStress(ksSystem *system, const double *reference, double *multiplier)
{
    const double *basis;
    int count;
    const ksStatus status = ksiSystemGetSelfStress(system, &basis, &count);
    if (status || system->rowCount == 0)
        return status;
    if (!reference || !multiplier)
        return KS_ERROR_BAD_ARGUMENT;
    const size_t rows = (size_t)system->rowCount;
    // only the rows that take part are looked at: others may hold anything
    for (int k = 0; k < count; k++) {
        const double *n = basis + (size_t)k * rows;
        for (size_t l = 0; l < rows; l++)
            if (n[l] != 0 && !(isfinite(reference[l]) && isfinite(multiplier[l]))) {
                system->culprit = (int)l;
                return KS_ERROR_NOT_FINITE;
            }
    }
    for (int k = 0; k < count; k++) {
        // the basis is orthonormal: one vector after the other is the same as all at once
        const double *n = basis + (size_t)k * rows;
        double part = 0;
        for (size_t l = 0; l < rows; l++)
            if (n[l] != 0)
                part += system->rowSize.at[l] * system->rowSize.at[l] * n[l] * (reference[l] - multiplier[l]);
        for (size_t l = 0; l < rows; l++)
            multiplier[l] += part * n[l];
    }
    return KS_OK;
}
