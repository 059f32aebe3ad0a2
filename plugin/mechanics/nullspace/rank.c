/* rank.c  Finds the least singular values of a factorisation, from R alone.
 *
 * Without pivoting, |R_kk| may be far above the least singular value. Inverse iteration with R^T R
 * finds this value. The search for the next value deflates the vectors found so far. If two
 * neighbouring values differ by a factor of ten, the iteration gains a factor of a hundred.
 */
#include "../system_private.h"

#include <math.h>
#include <string.h>

/* Inverse iterations; each gains a factor of (next / least)^2 in the vector, and twice the digits
 * in the value. */
#define ITERATIONS 3

/* Largest number of singular values that are searched for below the doubtful range. A gap above
 * more of them would need as many redundant rows, none of which shows on R's diagonal. A larger
 * number only costs time. */
#define LOWEST 8

/* Values are estimates from above, close for the least one and less so for the others: a ratio of
 * this share of a gap may be a gap. */
#define NEARLY 0.8

/* Share of a general vector that is added to a remembered one, which may be orthogonal to the
 * wanted one. The result of one iteration may then be too large by a factor of 1 / FRESH. If that
 * could matter, another iteration follows. The number only affects the cost: with a tenth of it, a
 * step of four-bars takes 1 % more instructions; with ten times as much, it takes no fewer. */
#define FRESH 0.1

/* Normalises x; returns 0 if that is impossible. */
static int normalise(size_t n, double *x)
{
    const double size = sqrt(ksiDot(n, x, x)), inverse = 1 / size;
    for (size_t i = 0; size > 0 && i < n; i++)
        x[i] *= inverse;
    return size > 0 && isfinite(size);
}

/* A start vector that is not orthogonal to the wanted one, number `found`. */
static double general(size_t i, int found)
{
    return 1 + 0.5 * sin(1.7 * (double)(i + 1) * (found + 1));
}

/* Columns that are not left out as dependent. */
static size_t members(const ksiFactor *f)
{
    return (size_t)(f->isSparse ? f->symbolic->memberCount : f->columns);
}

/* Returns 1 / least singular value, estimated from below by `iterations` from x; 0: unknown. x
 * becomes the singular vector, not normalised. The `found` vectors are deflated. frame: [rank]. */
static double iterate(ksiFactor *f, const double *vector, int found, int iterations, double *x, double *frame)
{
    const size_t n = members(f);
    double square = 0;
    for (int i = 0; i < iterations; i++) {
        ksiOrthogonalise(n, vector, (size_t)found, x);
        if (!normalise(n, x))
            return 0;
        (f->isSparse ? ksiSparseSolveRTransposed : ksiDenseSolveRTransposed)(f, x, frame);
        square = ksiDot(n, frame, frame);
        (f->isSparse ? ksiSparseSolveR : ksiDenseSolveR)(f, frame, x);
    }
    return isfinite(square) ? sqrt(square) : 0;
}

/* The next singular value, and its vector behind the `found` others; 0: unknown. */
static double nextSingular(ksiFactor *f, double *vector, int found, double *frame)
{
    const size_t n = members(f);
    double *x = vector + (size_t)found * n;
    for (size_t i = 0; i < n; i++)
        x[i] = general(i, found);
    const double inverse = iterate(f, vector, found, ITERATIONS, x, frame);
    ksiOrthogonalise(n, vector, (size_t)found, x);
    return normalise(n, x) && inverse > 0 ? 1 / inverse : 0;
}

ksStatus ksiLeastSingular(ksSystem *system, ksiFactor *f, double *least)
{
    const size_t n = members(f);
    ksiWarmView *warm = ksiWarmViewOf(system, f);
    KSI_TRY(ksiDoublesReserve(&system->allocator, &warm->lowest, 2 * n));
    KSI_TRY(ksiDoublesReserve(&system->allocator, &f->copy, n));
    double *x = warm->lowest, *other = x + n;
    const int known = system->isWarmStarted && warm->lowestOf == f->symbolic->id;
    for (size_t i = 0; !known && i < n; i++)
        x[i] = other[i] = general(i, 0) / sqrt((double)n);
    for (size_t i = 0; known && i < n; i++)
        x[i] += FRESH * other[i];
    double inverse = iterate(f, NULL, 0, known ? 1 : ITERATIONS, x, f->copy);
    const double spread = ksiFactorSpread(f);
    if (known && inverse * KSI_SAFE_MARGIN * system->rankTolerance > FRESH * spread)
        inverse = iterate(f, NULL, 0, 1, x, f->copy);
    warm->lowestOf = normalise(n, x) ? f->symbolic->id : 0;
    *least = warm->lowestOf && inverse > 0 ? 1 / inverse : 0;
    return KS_OK;
}

/* *smooth: the spectrum has no gap below `doubt`. */
static ksStatus isSmooth(ksSystem *system, ksiFactor *f, double doubt, int *smooth)
{
    const size_t n = members(f);
    *smooth = 0;
    KSI_TRY(ksiDoublesReserve(&system->allocator, &f->copy, (LOWEST + 1) * n));
    double before = INFINITY;
    for (int k = 0; k < LOWEST && (size_t)k < n; k++) {
        const double sigma = nextSingular(f, f->copy, k, f->copy + LOWEST * n);
        if (sigma == 0 || sigma >= NEARLY * KSI_RANK_GAP * before)
            return KS_OK;
        if (sigma > doubt)
            break;
        before = sigma;
    }
    *smooth = 1;
    return KS_OK;
}

ksStatus ksiRankIsFull(ksSystem *system, ksiFactor *f, int *full)
{
    const double doubt = KSI_SAFE_MARGIN * system->rankTolerance;
    const int clear = f->smallest > doubt;
    double least;
    *full = 0;
    f->least = 0;
    if (f->decomposed || !(clear || (system->isWarmStarted && f->smallest > KSI_CLEARS_ROUNDING)))
        return KS_OK;
    KSI_TRY(ksiLeastSingular(system, f, &least));
    f->least = least;
    *full = clear && least > doubt;
    return *full ? KS_OK : isSmooth(system, f, doubt, full);
}
