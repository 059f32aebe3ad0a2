/* combination.c  Finds readable self-stresses, and combinations of multipliers that self-stresses
 * do not change.
 *
 *     J^T n = 0;  c^T lambda is determinate iff c . n = 0 for every self-stress n
 *                   (for one row Paulus 1910, assumption 2)
 *
 * The orthonormal basis of determinacy.c mixes all self-stresses with each other. Gauss-Jordan
 * elimination with complete pivoting, in the scale of unit rows, leaves vectors that touch few
 * rows. A self-stress that shares no row with the others becomes a vector of its own.
 */
#include "../system_private.h"

#include "../../base/fpguard.h"

#include <math.h>
#include <string.h>

/* The largest entry of vectors `from` and later, its place in *at. Returns its vector, -1 if they
 * are zero. */
static int findPivot(const double *vector, int count, int length, int from, int *at)
{
    double largest = 0;
    int found = -1;
    for (int k = from; k < count; k++)
        for (int l = 0; l < length; l++)
            if (fabs(vector[(size_t)k * (size_t)length + (size_t)l]) > largest) {
                largest = fabs(vector[(size_t)k * (size_t)length + (size_t)l]);
                found = k;
                *at = l;
            }
    return found;
}

/* Gauss-Jordan elimination with complete pivoting of `count` vectors [length], which may change
 * places; pivot: [count] the place at which only this vector is not zero. Returns 0 if they are not
 * independent. */
static int reduceEchelon(int count, int length, double *vector, int *pivot)
{
    const size_t size = (size_t)length;
    for (int k = 0; k < count; k++) {
        const int best = findPivot(vector, count, length, k, &pivot[k]);
        if (best < 0)
            return 0;
        double *own = vector + (size_t)k * size, *found = vector + (size_t)best * size;
        for (size_t i = 0; best > k && i < size; i++) {
            const double kept = own[i];
            own[i] = found[i];
            found[i] = kept;
        }
        for (int other = 0; other < count; other++) {
            double *n = vector + (size_t)other * size;
            const double times = other == k ? 0 : n[pivot[k]] / own[pivot[k]];
            for (size_t i = 0; times != 0 && i < size; i++)
                n[i] -= times * own[i];
            if (other != k)
                n[pivot[k]] = 0;
        }
    }
    return 1;
}

/* Clears entries below the noise, which are rounding or drift; then scales to units of lambda, with
 * 1 at the pivot. */
static void finish(const ksSystem *system, double *n, int pivot)
{
    const size_t rows = (size_t)system->model.rowCount;
    const double *size = system->model.kinematicSize;
    const double least = system->stresses.noise * sqrt(ksiDot(rows, n, n)), unit = size[pivot] / n[pivot];
    for (int l = 0; l < system->model.rowCount; l++)
        n[l] = fabs(n[l]) < least ? 0 : n[l] * unit / size[l];
    n[pivot] = 1;
}

/* Reduced echelon form of the self-stresses, kept until the system changes. */
static ksStatus findEchelon(ksSystem *system)
{
    const double *basis;
    int count;
    ksStatus status = ksiSystemGetSelfStress(system, &basis, &count);
    if (status || system->stresses.echelonKnown)
        return status;
    const size_t rows = (size_t)system->model.rowCount, wide = (size_t)count;
    KSI_TRY(ksiDoublesReserve(&system->allocator, &system->stresses.echelon, wide * rows));
    KSI_TRY(ksiIntsReserve(&system->allocator, &system->stresses.echelonPivot, wide));
    double *e = system->stresses.echelon;
    for (size_t k = 0; k < wide; k++)
        for (size_t l = 0; l < rows; l++)
            e[k * rows + l] = basis[k * rows + l] * system->model.kinematicSize[l];
    if (!reduceEchelon(count, system->model.rowCount, e, system->stresses.echelonPivot))
        return KS_ERROR_SINGULAR;
    for (int k = 0; k < count; k++)
        finish(system, e + (size_t)k * rows, system->stresses.echelonPivot[k]);
    system->stresses.echelonKnown = 1;
    return KS_OK;
}

static ksStatus getSelfStresses(ksSystem *system, double *basis, int capacity, int *count)
{
    KSI_REQUIRE_SYSTEM(system);
    KSI_REQUIRE_POINTER(count);
    KSI_TRY(findEchelon(system));
    KSI_REQUIRE(!basis || capacity >= system->stresses.count, "capacity is %d, of %d self-stresses", capacity,
                system->stresses.count);
    *count = system->stresses.count;
    ksiCopy((size_t)*count * (size_t)system->model.rowCount, system->stresses.echelon, basis);
    return KS_OK;
}

ksStatus ksSystemGetSelfStresses(ksSystem *system, double *basis, int capacity, int *count)
{
    KSI_RETURN_OF_SYSTEM(system, getSelfStresses(system, basis, capacity, count));
}

/* Computes C n, by which a self-stress n changes the combinations. Returns its noise, from the rows
 * that both touch: coefficients of other rows do not count. */
static double changeOf(const ksiCombinations *c, int s, double *change)
{
    const int from = c->sparse ? c->sparse->start[s] : 0, end = c->sparse ? c->sparse->start[s + 1] : c->rows;
    const double *n = c->sparse ? c->sparse->part : c->stress + (size_t)s * (size_t)c->rows;
    double size = 0, square = 0;
    memset(change, 0, (size_t)c->width * sizeof *change);
    for (int i = from; i < end; i++) {
        const int l = c->sparse ? c->sparse->row[i] : i;
        const double unit = c->unit[l];
        if (n[i] == 0)
            continue;
        for (int k = 0; k < c->width; k++) {
            const double part = c->coefficient[(size_t)k * (size_t)c->rows + (size_t)l];
            change[k] += part * n[i];
            size += part / unit * (part / unit);
        }
        square += unit * n[i] * (unit * n[i]);
    }
    return c->noise * sqrt(size) * sqrt(square);
}

int ksiFindFreeCombinations(const ksiCombinations *c, double *basis)
{
    const size_t width = (size_t)c->width;
    for (int found = 0;; found++) {
        double most = 0;
        for (int s = 0; found < c->width && s < c->stressCount; s++) {
            double change[KSI_MOST_COMBINATIONS];
            const double noise = changeOf(c, s, change);
            ksiOrthogonalise(width, basis, (size_t)found, change);
            const double size = sqrt(ksiDot(width, change, change));
            for (int k = 0; size > fmax(most, noise) && k < c->width; k++)
                basis[(size_t)found * width + (size_t)k] = change[k] / size;
            most = size > noise ? fmax(most, size) : most;
        }
        if (most == 0)
            return found;
    }
}

ksStatus ksiSystemFindFreeCombinations(ksSystem *system, int width, const double *coefficient, double *basis,
                                       int *count)
{
    KSI_TRY(findEchelon(system));
    *count = ksiFindFreeCombinations(&(ksiCombinations){.width = width,
                                                        .rows = system->model.rowCount,
                                                        .coefficient = coefficient,
                                                        .stressCount = system->stresses.count,
                                                        .stress = system->stresses.echelon,
                                                        .unit = system->model.kinematicSize,
                                                        .noise = system->stresses.noise},
                                     basis);
    return KS_OK;
}

static ksStatus getCombination(ksSystem *system, const double *coefficient, int *determinate, double *value)
{
    KSI_REQUIRE_SYSTEM(system);
    const size_t rows = (size_t)system->model.rowCount;
    KSI_REQUIRE(coefficient || rows == 0, "coefficient is NULL");
    for (int l = 0; l < system->model.rowCount; l++)
        if (!isfinite(coefficient[l])) {
            system->culprit = l;
            return KSI_EXPLAIN(KS_ERROR_NOT_FINITE, "coefficient[%d] is %g", l, coefficient[l]);
        }
    int free = 0;
    double direction, sum = NAN;
    KSI_TRY(ksiSystemFindFreeCombinations(system, 1, coefficient, &direction, &free));
    KSI_TRY(ksiDoublesReserve(&system->allocator, &system->vector[0], rows));
    if (value && !free) {
        KSI_TRY(ksiSystemSolveLeastNorm(system, system->vector[0], NULL));
        sum = ksiDot(rows, coefficient, system->vector[0]);
        if (!isfinite(sum))
            return KS_ERROR_NOT_FINITE;
    }
    if (determinate)
        *determinate = !free;
    if (value)
        *value = sum;
    return KS_OK;
}

ksStatus ksSystemGetCombination(ksSystem *system, const double *coefficient, int *determinate, double *value)
{
    KSI_RETURN_OF_SYSTEM(system, getCombination(system, coefficient, determinate, value));
}
