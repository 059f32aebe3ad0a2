/* gauss.c  The range-space route: all multipliers at once, without the motion.
 *
 *  (A + S) lambda = beta - J M^-1 f,   A = J M^-1 J^T = B^T B              Gugino 1930 (4)
 *
 *  from Gauss's principle: among the accelerations that satisfy the rows the true one is nearest to M^-1 f in the
 *  metric M. Sparse A + S = L D L^T (LDL, Davis 2005). The residual of the refinement goes through the motion,
 *  r = beta - J a - S lambda with y = y_f + B lambda, not through A: so it sees what forming A has rounded away.
 */
#include "system_private.h"

#include <math.h>
#include <string.h>

#include <ldl.h>

/* A pivot below this share of its own diagonal element is noise: elimination subtracts numbers of the size of the
 * diagonal and leaves some 1e-14 of it for a hundred rows. At the limit the refinement below still gains two digits
 * a step. It corresponds to rows that depend on each other to 3e-7. */
#define LOST_PIVOT 1e-13

/* Steps of refinement. The first takes out the rounding of A, the second what is left where rows nearly depend. */
#define REFINEMENTS 2

/* The last step of refinement moves no multiplier by more than this share of the largest, in unit rows; otherwise the
 * factors are worth nothing, though no single pivot is lost: A is singular to rounding over several of them. */
#define SETTLED 1e-3

static void assemble(ksSystem *system)
{
    ksiGauss *g = &system->gauss;
    memset(g->value.at, 0, (size_t)g->valueCount * sizeof *g->value.at);
    for (int k = 0; k < g->columns; k++) {
        const int l = g->order.at[k];
        g->value.at[g->start.at[k]] = system->diagonal.at[l] + system->compliance.at[l];
    }
    // A_lr += b_l . b_r over a block that both have
    for (int i = 0; i < g->pairCount; i++) {
        const int p = g->left.at[i];
        g->value.at[g->target.at[i]] +=
            ksiDot((size_t)system->blockSize.at[system->pieceBlock.at[p]], system->entry.at + system->pieceEntry.at[p],
                   system->entry.at + system->pieceEntry.at[g->right.at[i]]);
    }
}

static ksStatus factorise(ksSystem *system)
{
    ksiGauss *g = &system->gauss;
    ksStatus status = ksiGaussPattern(system);
    if (status || g->numericKnown)
        return status;
    const size_t rows = (size_t)system->rowCount;
    if (ksiDoublesReserve(system, &g->load, (size_t)system->coordinateCount) ||
        ksiDoublesReserve(system, &g->rhs, rows) || ksiDoublesReserve(system, &g->multiplier, rows) ||
        ksiDoublesReserve(system, &g->correction, rows))
        return KS_ERROR_NO_MEMORY;
    g->singular = 0;
    if (g->columns > 0) {
        assemble(system);
        const int done =
            ldl_numeric(g->columns, g->start.at, g->index.at, g->value.at, g->lStart.at, g->parent.at, g->lCount.at,
                        g->lIndex.at, g->lValue.at, g->pivot.at, g->dense.at, g->stack.at, g->flag.at, NULL, NULL);
        g->singular = done < g->columns;
        for (int k = 0; !g->singular && k < g->columns; k++)
            g->singular = !(g->pivot.at[k] > LOST_PIVOT * g->value.at[g->start.at[k]]);
    }
    g->numericKnown = 1;
    return KS_OK;
}

/* y = y_f + B lambda into load. */
static void loadedMotion(ksSystem *system)
{
    ksiGauss *g = &system->gauss;
    ksiAppliedForce(system, g->load.at);
    for (int k = 0; k < g->columns; k++)
        ksiRowAdd(system, g->order.at[k], g->multiplier.at[g->order.at[k]], g->load.at);
}

/* lambda += (A + S)^-1 (beta - J a - S lambda). 1: the multipliers have settled. */
static int refine(ksSystem *system)
{
    ksiGauss *g = &system->gauss;
    for (int k = 0; k < g->columns; k++) {
        const int l = g->order.at[k];
        g->correction.at[k] =
            system->beta.at[l] - ksiRowDot(system, l, g->load.at) - system->compliance.at[l] * g->multiplier.at[l];
    }
    ldl_lsolve(g->columns, g->correction.at, g->lStart.at, g->lIndex.at, g->lValue.at);
    ldl_dsolve(g->columns, g->correction.at, g->pivot.at);
    ldl_ltsolve(g->columns, g->correction.at, g->lStart.at, g->lIndex.at, g->lValue.at);
    double moved = 0, largest = 0;
    for (int k = 0; k < g->columns; k++) {
        const int l = g->order.at[k];
        const double square = system->diagonal.at[l] + system->compliance.at[l];
        g->multiplier.at[l] += g->correction.at[k];
        moved = fmax(moved, square * g->correction.at[k] * g->correction.at[k]);
        largest = fmax(largest, square * g->multiplier.at[l] * g->multiplier.at[l]);
    }
    loadedMotion(system);
    return moved <= SETTLED * SETTLED * largest;
}

ksStatus ksSystemSolveGauss(ksSystem *system, double *multiplier, double *acceleration)
{
    if (!system)
        return KS_ERROR_BAD_ARGUMENT;
    system->culprit = -1;
    if (!multiplier && system->rowCount > 0)
        return KS_ERROR_BAD_ARGUMENT;
    ksiGauss *g = &system->gauss;
    ksStatus status = factorise(system);
    if (status)
        return status;
    if (g->singular)
        return ksSystemSolvePaulus(system, multiplier, acceleration);

    for (int l = 0; l < system->rowCount; l++) {
        g->multiplier.at[l] = system->rowKnown.at[l] ? system->lo.at[l] : 0;
        // 0 = beta has no solution but for beta = 0
        if (!system->rowKnown.at[l] && ksiRowIsEmpty(system, l) && system->beta.at[l] != 0) {
            system->culprit = l;
            return KS_ERROR_INCONSISTENT;
        }
    }
    ksiAppliedForce(system, g->load.at);
    int settled = 1;
    for (int step = 0; step <= REFINEMENTS && g->columns > 0; step++)
        settled = refine(system);
    if (!settled)
        return ksSystemSolvePaulus(system, multiplier, acceleration);
    const size_t rows = (size_t)system->rowCount, coordinates = (size_t)system->coordinateCount;
    ksiUnscaleMotion(system, g->load.at);
    if (!ksiAllFinite(rows, g->multiplier.at) || !ksiAllFinite(coordinates, g->load.at))
        return KS_ERROR_NOT_FINITE;
    status = ksiCheckBounds(system, g->multiplier.at);
    if (status)
        return status;
    if (rows > 0)
        memcpy(multiplier, g->multiplier.at, rows * sizeof *multiplier);
    if (acceleration && coordinates > 0)
        memcpy(acceleration, g->load.at, coordinates * sizeof *acceleration);
    return KS_OK;
}

size_t ksiSystemFactorEntries(const ksSystem *system)
{
    const ksiGauss *g = &system->gauss;
    return g->patternKnown && g->columns > 0 ? (size_t)g->lStart.at[g->columns] : 0;
}
