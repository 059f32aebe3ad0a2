/* rank.c  The least singular values of a factorisation, from R alone.
 *
 *  Without pivoting in the values |R_kk| may be far above the least singular value. Inverse iteration with R^T R finds it,
 *  and what it has found is kept out of the search for the next: a factor of ten between neighbours is a hundred for
 *  the iteration.
 */
#include "system_private.h"

#include <math.h>
#include <string.h>

/* An iteration gains a factor of (next / least)^2 in the vector, twice its digits in the value. */
#define ITERATIONS 3

/* Singular values that are looked for below what is in doubt. A gap above more of them needs as many redundant rows
 * that have all kept away from R's diagonal. */
#define LOWEST 8

/* Values come out from above, the least by little and the others by more: what is this share of a gap may be one. */
#define NEARLY 0.8

/* x without its parts in the `found` unit vectors, of unit length; 0 where nothing is left. */
static int setApart(size_t n, const double *vector, int found, double *x)
{
    for (int k = 0; k < found; k++) {
        const double part = ksiDot(n, vector + (size_t)k * n, x);
        for (size_t i = 0; i < n; i++)
            x[i] -= part * vector[(size_t)k * n + i];
    }
    const double size = sqrt(ksiDot(n, x, x));
    for (size_t i = 0; size > 0 && i < n; i++)
        x[i] /= size;
    return size > 0 && isfinite(size);
}

/* The next singular value, and its vector behind the `found` others; 0 where it cannot be told. frame: [columns]. */
static double nextSingular(ksiFactor *f, double *vector, int found, double *frame)
{
    const size_t n = (size_t)f->columns;
    double *x = vector + (size_t)found * n, square = 0;
    // any vector that is not orthogonal to the one that is wanted
    for (size_t i = 0; i < n; i++)
        x[i] = 1 + 0.5 * sin(1.7 * (double)(i + 1) * (found + 1));
    for (int i = 0; i < ITERATIONS; i++) {
        if (!setApart(n, vector, found, x))
            return 0;
        ksiRowsToFrame(f, x, frame);
        square = ksiDot(n, frame, frame);
        ksiFrameToRows(f, frame, x);
    }
    if (!setApart(n, vector, found, x))
        return 0;
    return isfinite(square) && square > 0 ? 1 / sqrt(square) : 0;
}

ksStatus ksiLeastSingular(ksSystem *system, ksiFactor *f, double *least)
{
    const size_t n = (size_t)f->columns;
    if (ksiDoublesReserve(system, &f->copy, 2 * n))
        return KS_ERROR_NO_MEMORY;
    *least = nextSingular(f, f->copy.at, 0, f->copy.at + n);
    return KS_OK;
}

ksStatus ksiRankIsFull(ksSystem *system, ksiFactor *f, double tolerance, int *full)
{
    const size_t n = (size_t)f->columns;
    const double doubt = KSI_SAFE_MARGIN * tolerance;
    *full = 0;
    if (f->decomposed || !(f->smallest > doubt))
        return KS_OK;
    if (ksiDoublesReserve(system, &f->copy, (LOWEST + 1) * n))
        return KS_ERROR_NO_MEMORY;
    double before = INFINITY;
    for (int k = 0; k < LOWEST && (size_t)k < n; k++) {
        const double sigma = nextSingular(f, f->copy.at, k, f->copy.at + LOWEST * n);
        if (sigma == 0 || sigma >= NEARLY * KSI_RANK_GAP * before)
            return KS_OK;
        if (sigma > doubt)
            break;
        before = sigma;
    }
    *full = 1;
    return KS_OK;
}
