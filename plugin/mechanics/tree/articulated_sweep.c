/* articulated_sweep.c  Substitutes on trees, from the leaves to the root and back: see
 * articulated.h. */
#include "../system_private.h"
#include "articulated_kernel.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum { SIX = KSI_SIX };

/* L_ii g, R_ll t, and their terms in the parent's g. */
KSI_INLINE void reduceSides(const int ROWS, ksiLink *link, ksiLink *parent, const double *beta)
{
    double g[SIX], t[SIX];
    EACH_DOWN (i, 0, SIX) {
        g[i] = link->g[i];
        EACH_DOWN (m, i + 1, SIX)
            g[i] -= link->root[m][i] * g[m];
        link->own[i][ROWS] = g[i];
    }
    EACH (l, 0, ROWS)
        t[l] = beta[link->row[l]];
    EACH (i, 0, SIX) {
        const double weighed = link->root[i][i] * g[i];
        EACH (l, 0, ROWS)
            t[l] -= link->own[i][l] * weighed;
    }
    EACH_DOWN (j, 0, ROWS) {
        link->cross[j][SIX] = t[j];
        EACH (k, 0, j)
            t[k] -= link->r[j][k] * t[j];
        if (parent)
            ksiAddSix(parent->g, link->r[j][j] * link->cross[j][SIX], link->cross[j]);
    }
}

KSI_CLONES
void ksiTreeSweep(ksSystem *system, const double *beta, const double *applied)
{
    ksiTree *tree = &system->tree;
    for (int i = 0; i < tree->limbCount; i++) {
        ksiLink *link = &tree->link[i];
        const int block = link->block;
        const double *from = applied ? applied + system->model.blockOffset[block] : NULL;
        memset(link->g, 0, sizeof link->g);
        if (from && system->model.blockSize[block] == SIX)
            memcpy(link->g, from, SIX * sizeof *from);
        else
            ksiCopy((size_t)system->model.blockSize[block], from, link->g);
    }
    for (int i = tree->limbCount; i-- > 0;) {
        ksiLink *link = &tree->link[i], *parent = link->parent < 0 ? NULL : &tree->link[link->parent];
#define REDUCE(ROWS) reduceSides(ROWS, link, parent, beta)
        BY_ROWS(link->count, REDUCE)
    }
}

/* From the root: finds the joint's multipliers and, if `moves`, the body's motion. Each lambda is a
 * difference of terms. *load2 is the largest lambda, squared. *rounded is the largest sum of the
 * sizes of such terms, squared. Both are in unit rows. */
KSI_INLINE void solveDown(const int ROWS, bool moves, ksiLink *link, const ksiLink *parent, double *multiplier,
                          double *rounded, double *load2)
{
    double part[SIX] = {0}, lambda[SIX], y[SIX], most = *rounded, most2 = *load2;
    if (parent) {
        EACH (i, 0, SIX)
            y[i] = parent->y[i];
        EACH (l, 0, ROWS)
            EACH (i, 0, SIX)
                part[l] += link->cross[l][i] * y[i];
    }
    EACH (l, 0, ROWS) {
        const double t = link->cross[l][SIX], inverse = link->r[l][l], whole = (fabs(t) + fabs(part[l])) * inverse;
        lambda[l] = (t - part[l]) * inverse;
        EACH (m, 0, l)
            lambda[l] -= link->r[l][m] * lambda[m];
        most = ksiLarger(most, link->length2[l] * whole * whole);
        most2 = ksiLarger(most2, link->length2[l] * lambda[l] * lambda[l]);
    }
    *rounded = most;
    *load2 = most2;
    EACH (l, 0, ROWS)
        multiplier[link->row[l]] = lambda[l];
    if (!moves)
        return;
    EACH (i, 0, SIX) {
        y[i] = link->own[i][ROWS];
        EACH (l, 0, ROWS)
            y[i] += link->own[i][l] * lambda[l];
        y[i] *= link->root[i][i];
        EACH (k, 0, i)
            y[i] -= link->root[i][k] * y[k];
    }
    EACH (i, 0, SIX)
        link->y[i] = y[i];
}

KSI_CLONES
void ksiTreeSolve(ksSystem *system, double *multiplier, double *y)
{
    ksiTree *tree = &system->tree;
    double rounded = 0, load2 = 0;
    for (int i = 0; i < tree->limbCount; i++) {
        ksiLink *link = &tree->link[i];
        const ksiLink *parent = link->parent < 0 ? NULL : &tree->link[link->parent];
        const bool moves = y || link->lastChild >= 0;
#define SOLVE(ROWS) solveDown(ROWS, moves, link, parent, multiplier, &rounded, &load2)
        BY_ROWS(link->count, SOLVE)
        if (!y)
            continue;
        double *to = y + system->model.blockOffset[link->block];
        if (system->model.blockSize[link->block] == SIX)
            memcpy(to, link->y, sizeof link->y);
        else
            memcpy(to, link->y, (size_t)system->model.blockSize[link->block] * sizeof *to);
    }
    tree->rounding = DBL_EPSILON * sqrt(rounded);
    tree->load = sqrt(load2);
}
