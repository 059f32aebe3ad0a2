/* combination.c  Self-stresses that can be read, and combinations of multipliers that they leave alone.
 *
 *      J^T n = 0;     c^T lambda is determinate iff c . n = 0 for every self-stress n      Paulus 1910, assumption 2
 *
 *  The orthonormal basis of determinacy.c mixes all self-stresses with each other. Gauss-Jordan elimination with
 *  complete pivoting, in the scale of unit rows, leaves vectors that touch as few rows as their number allows: those
 *  that have no row in common with the others come out by themselves.
 */
#include "system_private.h"

#include "../quietly.h"

#include <math.h>
#include <string.h>

/* The size of a unit of lambda_l in the metric of the self-stresses. */
static double unitOf(const ksSystem *system, int row)
{
    return system->rowSize.at[row];
}

/* The largest entry of vectors `from` and later. Returns its vector, -1 where they are zero. */
static int findPivot(const double *basis, int count, int rows, int from, int *row)
{
    double largest = 0;
    int vector = -1;
    for (int k = from; k < count; k++)
        for (int l = 0; l < rows; l++)
            if (fabs(basis[(size_t)k * (size_t)rows + (size_t)l]) > largest) {
                largest = fabs(basis[(size_t)k * (size_t)rows + (size_t)l]);
                vector = k;
                *row = l;
            }
    return vector;
}

static void exchange(double *a, double *b, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const double kept = a[i];
        a[i] = b[i];
        b[i] = kept;
    }
}

/* Entries of vector k below what counts as determinate are rounding or drift; then in units of lambda, with 1 at the
 * pivot. */
static void finish(const ksSystem *system, double *n, int pivot)
{
    const size_t rows = (size_t)system->rowCount;
    const double least = system->selfStressNoise * sqrt(ksiDot(rows, n, n)), unit = unitOf(system, pivot) / n[pivot];
    for (int l = 0; l < system->rowCount; l++)
        n[l] = fabs(n[l]) < least ? 0 : n[l] * unit / unitOf(system, l);
    n[pivot] = 1;
}

/* Reduced echelon form of the self-stresses, kept until the system changes. */
static ksStatus findEchelon(ksSystem *system)
{
    const double *basis;
    int count;
    ksStatus status = ksiSystemGetSelfStress(system, &basis, &count);
    if (status || system->echelonKnown)
        return status;
    const size_t rows = (size_t)system->rowCount, wide = (size_t)count;
    if (ksiDoublesReserve(system, &system->echelon, wide * rows + 1) ||
        ksiIntsReserve(system, &system->echelonPivot, wide + 1))
        return KS_ERROR_NO_MEMORY;
    double *e = system->echelon.at;
    for (size_t k = 0; k < wide; k++)
        for (size_t l = 0; l < rows; l++)
            e[k * rows + l] = basis[k * rows + l] * unitOf(system, (int)l);
    for (int k = 0; k < count; k++) {
        int pivot = 0;
        const int best = findPivot(e, count, system->rowCount, k, &pivot);
        if (best < 0)
            return KS_ERROR_SINGULAR;
        double *own = e + (size_t)k * rows;
        if (best > k)
            exchange(own, e + (size_t)best * rows, rows);
        system->echelonPivot.at[k] = pivot;
        for (int other = 0; other < count; other++) {
            double *n = e + (size_t)other * rows;
            const double times = other == k ? 0 : n[pivot] / own[pivot];
            for (size_t l = 0; times != 0 && l < rows; l++)
                n[l] -= times * own[l];
            if (other != k)
                n[pivot] = 0;
        }
    }
    for (int k = 0; k < count; k++)
        finish(system, e + (size_t)k * rows, system->echelonPivot.at[k]);
    system->echelonKnown = 1;
    return KS_OK;
}

static ksStatus getSelfStresses(ksSystem *system, double *basis, int capacity, int *count)
{
    if (!ksiBeginCall(system) || !count)
        return KS_ERROR_BAD_ARGUMENT;
    const ksStatus status = findEchelon(system);
    if (status)
        return status;
    if (basis && capacity < system->selfStressCount)
        return KS_ERROR_BAD_ARGUMENT;
    *count = system->selfStressCount;
    if (basis && *count > 0)
        memcpy(basis, system->echelon.at, (size_t)*count * (size_t)system->rowCount * sizeof *basis);
    return KS_OK;
}

ksStatus ksSystemGetSelfStresses(ksSystem *system, double *basis, int capacity, int *count)
{
    KSI_RETURN_QUIETLY(getSelfStresses(system, basis, capacity, count));
}

/* c . n = 0, by the rows that both touch: what c asks of others does not weigh here. */
static int leavesAlone(const ksSystem *system, const double *coefficient, const double *n)
{
    double sum = 0, size = 0, square = 0;
    for (int l = 0; l < system->rowCount; l++) {
        if (n[l] == 0)
            continue;
        const double unit = unitOf(system, l);
        sum += coefficient[l] * n[l];
        size += coefficient[l] / unit * (coefficient[l] / unit);
        square += unit * n[l] * (unit * n[l]);
    }
    // an entry that was cut from n as noise may be missed tenfold
    return fabs(sum) <= 10 * system->selfStressNoise * sqrt(size) * sqrt(square);
}

static ksStatus getCombination(ksSystem *system, const double *coefficient, int *determinate, double *value)
{
    if (!ksiBeginCall(system))
        return KS_ERROR_BAD_ARGUMENT;
    const size_t rows = (size_t)system->rowCount;
    if (!coefficient && rows > 0)
        return KS_ERROR_BAD_ARGUMENT;
    for (int l = 0; l < system->rowCount; l++)
        if (!isfinite(coefficient[l])) {
            system->culprit = l;
            return KS_ERROR_NOT_FINITE;
        }
    ksStatus status = findEchelon(system);
    if (!status && ksiDoublesReserve(system, &system->vector[0], rows + 1))
        status = KS_ERROR_NO_MEMORY;
    if (status)
        return status;
    int unique = 1;
    for (int k = 0; unique && k < system->selfStressCount; k++)
        unique = leavesAlone(system, coefficient, system->echelon.at + (size_t)k * rows);
    double sum = NAN;
    if (value && unique) {
        status = ksiSystemSolveLeastNorm(system, system->vector[0].at, NULL);
        if (status)
            return status;
        sum = ksiDot(rows, coefficient, system->vector[0].at);
        if (!isfinite(sum))
            return KS_ERROR_NOT_FINITE;
    }
    if (determinate)
        *determinate = unique;
    if (value)
        *value = sum;
    return KS_OK;
}

ksStatus ksSystemGetCombination(ksSystem *system, const double *coefficient, int *determinate, double *value)
{
    KSI_RETURN_QUIETLY(getCombination(system, coefficient, determinate, value));
}
