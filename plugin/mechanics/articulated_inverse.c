/* articulated_inverse.c  The diagonal of (A + S)^-1 on trees, from the root down.
 *
 *  With Sigma_b = (y - y_f as unit noise: what the rows leave of it in body b) of the parent p and of the body c itself
 *
 *      Z = (A + S)^-1 of the joint = R^-1 (1 - X Sigma_p X^T) R^-T,     Sigma_c = L^-1 (1 - E Z E^T) L^-T
 *
 *  This is the backward pass of a smoother (Rauch, Tung, Striebel 1965).
 */
#include "../vectorise.h"
#include "system_private.h"

#include <float.h>
#include <math.h>

enum { SIX = KSI_SIX };

/* x := T^-1 x T^-T of symmetric x; T: rows over their diagonal element */
KSI_INLINE void divideBothSides(const double (*triangle)[KSI_FILLED], int count, double (*x)[SIX])
{
    for (int side = 0; side < 2; side++) {
        for (int l = 0; l < count; l++)
            for (int m = 0; m < l; m++)
                ksiAddSix(x[l], -triangle[l][m], x[m]);
        for (int i = 0; i < SIX; i++)
            for (int k = 0; k < i; k++) {
                const double kept = x[i][k];
                x[i][k] = x[k][i];
                x[k][i] = kept;
            }
    }
}

/* Z; parent: Sigma_p, NULL: it does not move. What is no more than the rounding of the difference is that rounding. */
KSI_INLINE void findJoint(const ksiLimb *limb, const double (*parent)[SIX], double z[SIX][SIX])
{
    for (int a = 0; a < limb->count; a++) {
        double through[SIX] = {0};
        z[a][a] = (1 + DBL_EPSILON) * limb->r[a][a];
        for (int i = 0; parent && i < SIX; i++)
            ksiAddSix(through, limb->r[a][a] * limb->cross[a][i], parent[i]);
        for (int b = 0; parent && b < limb->count; b++)
            z[a][b] -= limb->r[b][b] * ksiDotSix(through, limb->cross[b]);
    }
    divideBothSides(limb->r, limb->count, z);
}

/* Sigma_c */
KSI_INLINE void findSpread(const ksiLimb *limb, double z[SIX][SIX], double (*spread)[SIX])
{
    for (int i = 0; i < SIX; i++) {
        double load[SIX] = {0};
        for (int a = 0; a < limb->count; a++)
            ksiAddSix(load, limb->root[i][i] * limb->own[i][a], z[a]);
        for (int k = 0; k < SIX; k++)
            spread[i][k] = (i == k ? limb->root[i][i] : 0) -
                           (limb->count > 0 ? limb->root[k][k] * ksiDotSix(load, limb->own[k]) : 0);
    }
    divideBothSides(limb->root, SIX, spread);
}

KSI_CLONES
ksStatus ksiTreeInverseDiagonal(ksSystem *system, ksiTree *tree, double *diagonal)
{
    if (ksiDoublesReserve(system, &tree->spread, (size_t)tree->limbCount * SIX * SIX))
        return KS_ERROR_NO_MEMORY;
    double(*spread)[SIX] = (double(*)[SIX])tree->spread.at;
    for (int i = 0; i < tree->limbCount; i++) {
        const ksiLimb *limb = &tree->limb[i];
        double z[SIX][SIX] = {{0}};
        findJoint(limb, limb->parent < 0 ? NULL : spread + SIX * limb->parent, z);
        findSpread(limb, z, spread + SIX * i);
        // no less than without the other rows, also where rounding is all that is left of it
        for (int l = 0; l < limb->count; l++)
            diagonal[limb->row[l]] = fmax(z[l][l], 1 / limb->length2[l]);
    }
    return KS_OK;
}
