/* articulated_inverse.c  The diagonal of (A + S)^-1 on trees, from the root down.
 *
 *  With Sigma_b = (y - y_f as unit noise: what the rows leave of it in body b) of the parent p and of the body c itself
 *
 *      Z = (A + S)^-1 of the joint = R^-1 (1 - X Sigma_p X^T) R^-T,     Sigma_c = L^-1 (1 - E Z E^T) L^-T
 *
 *  This is the backward pass of a smoother (Rauch, Tung, Striebel 1965).
 */
#include "system_private.h"

#include <float.h>
#include <math.h>

enum { SIX = KSI_SIX };

/* x := L^-1 x */
static void solveBody(const ksiLimb *limb, double x[SIX])
{
    for (int i = 0; i < SIX; i++) {
        x[i] *= limb->rootInverse[i];
        for (int k = 0; k < i; k++)
            x[i] -= limb->root[i][k] * x[k];
    }
}

/* x := R^-T x */
static void solveJoint(const ksiLimb *limb, double x[SIX])
{
    for (int l = limb->count - 1; l >= 0; l--)
        for (int m = l + 1; m < limb->count; m++)
            x[l] -= limb->r[m][l] * x[m];
    for (int l = 0; l < limb->count; l++)
        x[l] *= limb->rInverse[l];
}

/* Z; parent: Sigma_p, NULL: it does not move. What is no more than the rounding of the difference is that rounding. */
static void findJoint(const ksiLimb *limb, const double *parent, double z[SIX][SIX])
{
    double middle[SIX][SIX], x[SIX][SIX] = {{0}};
    for (int a = 0; a < limb->count; a++) {
        double through[SIX] = {0};
        for (int i = 0; parent && i < SIX; i++)
            through[i] = ksiDot(SIX, parent + SIX * i, limb->cross[a]);
        for (int b = 0; b < limb->count; b++)
            middle[a][b] = (a == b) * (1 + DBL_EPSILON) - (parent ? ksiDot(SIX, through, limb->cross[b]) : 0);
        x[a][a] = 1;
        solveJoint(limb, x[a]);
    }
    for (int l = 0; l < limb->count; l++)
        for (int m = 0; m < limb->count; m++) {
            z[l][m] = 0;
            for (int a = 0; a <= l; a++)
                for (int b = 0; b <= m; b++)
                    z[l][m] += x[l][a] * middle[a][b] * x[m][b];
        }
}

/* Sigma_c */
static void findSpread(const ksiLimb *limb, double z[SIX][SIX], double *spread)
{
    for (int i = 0; i < SIX; i++)
        for (int k = 0; k < SIX; k++) {
            spread[SIX * i + k] = i == k;
            for (int a = 0; a < limb->count; a++)
                for (int b = 0; b < limb->count; b++)
                    spread[SIX * i + k] -= limb->own[i][a] * z[a][b] * limb->own[k][b];
        }
    // L^-1 on both sides: rows, then columns of what is symmetric
    for (int pass = 0; pass < 2; pass++) {
        for (int i = 0; i < SIX; i++)
            solveBody(limb, spread + SIX * i);
        for (int i = 0; i < SIX; i++)
            for (int k = 0; k < i; k++) {
                const double kept = spread[SIX * i + k];
                spread[SIX * i + k] = spread[SIX * k + i];
                spread[SIX * k + i] = kept;
            }
    }
}

ksStatus ksiTreeInverseDiagonal(ksSystem *system, ksiTree *tree, double *diagonal)
{
    if (ksiDoublesReserve(system, &tree->spread, (size_t)tree->limbCount * SIX * SIX))
        return KS_ERROR_NO_MEMORY;
    for (int i = 0; i < tree->limbCount; i++) {
        const ksiLimb *limb = &tree->limb[i];
        double z[SIX][SIX];
        findJoint(limb, limb->parent < 0 ? NULL : tree->spread.at + (size_t)limb->parent * SIX * SIX, z);
        findSpread(limb, z, tree->spread.at + (size_t)i * SIX * SIX);
        // no less than without the other rows, also where rounding is all that is left of it
        for (int l = 0; l < limb->count; l++) {
            const int row = limb->row[l];
            diagonal[row] = fmax(z[l][l], 1 / (system->diagonal.at[row] + system->compliance.at[row]));
        }
    }
    return KS_OK;
}
