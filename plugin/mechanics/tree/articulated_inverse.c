/* articulated_inverse.c  Finds the diagonal of (A + S)^-1 on trees, from the root down.
 *
 * Let `y_f` be unit white noise, and let `Sigma_b` be the covariance of the motion of body `b`
 * under the rows. For a joint of body `c` to its parent `p`, with the block `Z` of (A + S)^-1,
 *
 *     Z = R^-1 (1 - X Sigma_p X^T) R^-T,      Sigma_c = L^-1 (1 - E Z E^T) L^-T
 *
 * This is the backward pass of a smoother (Rauch, Tung, Striebel 1965).
 */
#include "../system_private.h"
#include "articulated_kernel.h"

#include <math.h>

enum { SIX = KSI_SIX };

/* x := T^-1 x T^-T, x symmetric of order COUNT. T: the lower triangle with a unit diagonal */
KSI_INLINE void divideBothSides(const int COUNT, const double (*triangle)[KSI_FILLED], Row *x)
{
    Row y[SIX];
    EACH (l, 0, COUNT)
        EACH (m, 0, l)
            subtract(&x[l], triangle[l][m], &x[m], COUNT - 1);
    transpose(x, COUNT, COUNT - 1, y);
    EACH (l, 0, COUNT) {
        EACH (m, 0, l)
            subtract(&y[l], triangle[l][m], &y[m], COUNT - 1);
        x[l] = y[l];
    }
}

/* Z of the joint; parent: Sigma_p, NULL: at rest. */
KSI_INLINE void findJoint(const int ROWS, const ksiLink *link, const double (*parent)[KSI_FILLED], Row *z)
{
    EACH (a, 0, ROWS)
        makeUnit(&z[a], link->r[a][a], a);
    if (parent) {
        Row x[SIX], across[SIX];
        double through[SIX][KSI_FILLED];
        EACH (a, 0, ROWS) {
            Row sum;
            load(&x[a], link->cross[a]);
            scale(&x[a], link->r[a][a], &x[a], SIX - 1);
            clear(&sum);
            EACH (i, 0, SIX) {
                Row spread;
                load(&spread, parent[i]);
                add(&sum, link->cross[a][i], &spread, SIX - 1);
            }
            scale(&sum, link->r[a][a], &sum, SIX - 1);
            store(through[a], &sum, SIX - 1);
        }
        transpose(x, ROWS, SIX - 1, across);
        EACH (a, 0, ROWS)
            EACH (i, 0, SIX)
                subtract(&z[a], through[a][i], &across[i], ROWS - 1);
    }
    divideBothSides(ROWS, link->r, z);
}

/* Sigma_c */
KSI_INLINE void findSpread(const int ROWS, const ksiLink *link, const Row *z, double (*spread)[KSI_FILLED])
{
    Row own[SIX], across[SIX], left[SIX];
    double loaded[SIX][KSI_FILLED];
    EACH (i, 0, SIX) {
        Row sum;
        makeUnit(&left[i], link->root[i][i], i);
        clear(&sum);
        EACH (a, 0, ROWS)
            add(&sum, link->own[i][a], &z[a], ROWS - 1);
        scale(&sum, link->root[i][i], &sum, ROWS - 1);
        store(loaded[i], &sum, ROWS - 1);
        load(&own[i], link->own[i]);
        scale(&own[i], link->root[i][i], &own[i], ROWS - 1);
    }
    if (ROWS > 0)
        transpose(own, SIX, ROWS - 1, across);
    EACH (i, 0, SIX)
        EACH (a, 0, ROWS)
            subtract(&left[i], loaded[i][a], &across[a], SIX - 1);
    divideBothSides(SIX, link->root, left);
    EACH (i, 0, SIX)
        store(spread[i], &left[i], SIX - 1);
}

/* From the parent's Sigma, finds the joint's part of the diagonal and, if the body has a branch,
 * the body's Sigma. */
KSI_INLINE void passDown(const int ROWS, const ksiLink *link, const double (*parent)[KSI_FILLED],
                         double (*spread)[KSI_FILLED], double *diagonal)
{
    Row z[SIX];
    if (ROWS > 0)
        findJoint(ROWS, link, parent, z);
    // other rows can only increase the value, even if z is only rounding
    EACH (l, 0, ROWS)
        diagonal[link->row[l]] = ksiLarger(1 / link->length2[l], lane(&z[l], l));
    if (link->lastChild >= 0)
        findSpread(ROWS, link, z, spread);
}

KSI_CLONES
ksStatus ksiTreeInverseDiagonal(ksSystem *system, double *diagonal)
{
    ksiTree *tree = &system->tree;
    KSI_TRY(ksiDoublesReserve(&system->allocator, &tree->spread, (size_t)tree->limbCount * SIX * KSI_FILLED));
    double(*spread)[KSI_FILLED] = (double(*)[KSI_FILLED])tree->spread;
    for (int i = 0; i < tree->limbCount; i++) {
        const ksiLink *link = &tree->link[i];
        const double(*parent)[KSI_FILLED] = link->parent < 0 ? NULL : spread + SIX * link->parent;
#define CALL(ROWS) passDown(ROWS, link, parent, spread + SIX * i, diagonal)
        BY_ROWS(link->count, CALL)
    }
    return KS_OK;
}
