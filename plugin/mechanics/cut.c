/* cut.c  Multipliers by cuts: from the leaves of the graph of blocks to its root, one small problem a block.
 *
 *      J_c^T lambda_c = M a - f - sum over the other rows at the block of J_k^T lambda_k
 *
 *  c: the rows of the bridge towards the root. Known reactions are applied forces (Paulus 1910, concluding remark): that
 *  is how the rows of loops take part, whose multipliers come from their relaxed coordinates. The balance is of one
 *  block, never of a side moved as if it were rigid: that would need joints without gaps.
 *
 *  From block to block rounding grows as the loads' transfer does: not at all along ordinary joints, exponentially
 *  along rows of arbitrary ratios. So noise of the size of rounding goes along, through the same balances.
 */
#include "cut.h"

#include "system_private.h"

#include "../quietly.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* A bridge whose unit columns are nearer to dependent than this at its block is left to the relaxed coordinates: half of
 * the digits would be lost here, and an exact dependence divides by rounding. */
#define DEPENDENT 1e-8

/* The noise that a multiplier may carry, of the largest load so far, before its bridge is left to the relaxed
 * coordinates. The noise is one draw, not a bound: errors of ten times this pass now and then. */
#define NOISY 1e-11

/* The row's part at a block. */
static const double *pieceAt(const ksSystem *system, int row, int block)
{
    int p = system->rowPiece.at[row];
    while (system->pieceBlock.at[p] != block)
        p++;
    return system->entry.at + system->pieceEntry.at[p];
}

/* B_c of the block in unit columns, factorised in place; 0: dependent. */
static int factorise(ksSystem *system, int block, int edge, double *matrix)
{
    ksiCut *g = &system->cut;
    const int size = system->blockSize.at[block], first = g->edgeStart.at[edge];
    const int count = g->edgeStart.at[edge + 1] - first;
    if (count > size)
        return 0;
    for (int k = 0; k < count; k++) {
        const double *piece = pieceAt(system, g->edgeRow.at[first + k], block);
        const double scale = sqrt(ksiDot((size_t)size, piece, piece));
        g->scale.at[first + k] = scale;
        double *column = matrix + (size_t)k * (size_t)size;
        for (int i = 0; i < size; i++)
            column[i] = piece[i] / scale;
        for (int j = 0; j < k; j++)
            ksiReflect(size - j, matrix + (size_t)j * (size_t)(size + 1), g->tau.at[first + j], column + j);
        g->tau.at[first + k] = ksiReflector(size - k, column + k);
        if (!(fabs(column[k]) > DEPENDENT))
            return 0;
    }
    return 1;
}

/* A row that moves nothing stands for itself: s lambda = beta. */
static int standsAlone(const ksSystem *system, int row)
{
    return system->diagonal.at[row] == 0;
}

/* Factorises the bridges and marks the rows that are cut. complete: no other row needs its relaxed coordinate. */
static ksStatus prepare(ksSystem *system, int *complete)
{
    ksiCut *g = &system->cut;
    const size_t rows = (size_t)system->rowCount, coordinates = (size_t)system->coordinateCount;
    if (ksiIntsReserve(system, &g->matrixStart, (size_t)system->blockCount) ||
        ksiIntsReserve(system, &g->isCut, rows) || ksiDoublesReserve(system, &g->tau, rows) ||
        ksiDoublesReserve(system, &g->matrix, (size_t)system->entryCount) ||
        ksiDoublesReserve(system, &g->scale, rows) || ksiDoublesReserve(system, &g->rest, coordinates) ||
        ksiDoublesReserve(system, &g->noise, coordinates) || ksiDoublesReserve(system, &g->side, 2 * coordinates) ||
        ksiDoublesReserve(system, &g->multiplier, rows) || ksiMotionReserve(system))
        return KS_ERROR_NO_MEMORY;
    int used = 0, open = 0;
    for (int l = 0; l < system->rowCount; l++)
        g->isCut.at[l] = 0;
    for (int b = 0; b < system->blockCount; b++) {
        const int edge = g->bridge.at[b];
        g->matrixStart.at[b] = -1;
        if (edge < 0 || !factorise(system, b, edge, g->matrix.at + used))
            continue;
        g->matrixStart.at[b] = used;
        for (int k = g->edgeStart.at[edge]; k < g->edgeStart.at[edge + 1]; k++) {
            g->isCut.at[g->edgeRow.at[k]] = 1;
            used += system->blockSize.at[b];
        }
    }
    for (int l = 0; l < system->rowCount; l++)
        open += !g->isCut.at[l] && !system->rowKnown.at[l] && !standsAlone(system, l);
    *complete = open == 0;
    return KS_OK;
}

/* x = lambda_c of the block's bridge for what the block carries: R lambda_c = Q^T rest. */
static void balance(const ksSystem *system, int block, const double *rest, double *x)
{
    const ksiCut *g = &system->cut;
    const int edge = g->bridge.at[block], first = g->edgeStart.at[edge];
    const int count = g->edgeStart.at[edge + 1] - first, size = system->blockSize.at[block];
    const double *matrix = g->matrix.at + g->matrixStart.at[block];
    memcpy(x, rest + system->blockOffset.at[block], (size_t)size * sizeof *x);
    for (int j = 0; j < count; j++)
        ksiReflect(size - j, matrix + (size_t)j * (size_t)(size + 1), g->tau.at[first + j], x + j);
    for (int k = count - 1; k >= 0; k--) {
        const double *column = matrix + (size_t)k * (size_t)size;
        x[k] /= column[k];
        for (int i = 0; i < k; i++)
            x[i] -= column[i] * x[k];
    }
    for (int k = 0; k < count; k++)
        x[k] /= g->scale.at[first + k];
}

/* 1 or -1, evenly. */
static double sign(ksiCut *g)
{
    g->draw = g->draw * 6364136223846793005U + 1442695040888963407U;
    return g->draw >> 63 ? 1 : -1;
}

/* Takes a solved row to the other side of the balance, its multiplier and the noise in it. */
static void settle(ksSystem *system, int row, double noise)
{
    ksiCut *g = &system->cut;
    const double load = g->multiplier.at[row];
    ksiRowAdd(system, row, -load, g->rest.at);
    ksiRowAdd(system, row, -noise - DBL_EPSILON * sign(g) * load, g->noise.at);
    g->largest = fmax(g->largest, sqrt(system->diagonal.at[row]) * fabs(load));
}

/* The bridge of a block whose other rows are solved; 0: the noise is too large, nothing is done. */
static int solveBlock(ksSystem *system, int block)
{
    ksiCut *g = &system->cut;
    const int edge = g->bridge.at[block], first = g->edgeStart.at[edge];
    const int count = g->edgeStart.at[edge + 1] - first;
    double *x = g->side.at, *noise = x + system->blockSize.at[block];
    balance(system, block, g->rest.at, x);
    balance(system, block, g->noise.at, noise);
    for (int k = 0; k < count; k++)
        if (!(sqrt(system->diagonal.at[g->edgeRow.at[first + k]]) * fabs(noise[k]) <= NOISY * g->largest))
            return 0;
    for (int k = 0; k < count; k++) {
        g->multiplier.at[g->edgeRow.at[first + k]] = x[k];
        settle(system, g->edgeRow.at[first + k], noise[k]);
    }
    return 1;
}

/* The multipliers of all rows by their relaxed coordinates along y, slacks from the true motion; y NULL: that itself. */
static ksStatus relaxAll(ksSystem *system, const double *y)
{
    ksiFactor *f;
    ksStatus status = ksiFactorGet(system, KSI_VIEW_EXACT, &f);
    if (!status)
        status = ksiFindMotion(system, f);
    if (!status)
        status = ksiCheckConsistent(system, f);
    if (status)
        return status;
    ksiMotion *m = &system->motion;
    if (y) {
        // load = Q1^T (y - y_f)
        for (int i = 0; i < system->coordinateCount; i++)
            m->y.at[i] = y[i] - m->applied.at[i];
        ksiEnterFrame(f, m->y.at);
        for (int i = 0; i < f->rank; i++)
            m->load.at[i] = m->y.at[i];
    }
    ksiFindMultipliers(system, f);
    return KS_OK;
}

/* Known rows, and those that move nothing. */
static ksStatus solveSimple(ksSystem *system)
{
    for (int l = 0; l < system->rowCount; l++) {
        double *multiplier = system->cut.multiplier.at + l;
        const double s = system->compliance.at[l], beta = system->beta.at[l];
        if (system->rowKnown.at[l]) {
            *multiplier = system->lo.at[l];
        } else if (standsAlone(system, l)) {
            if (s == 0 && beta != 0) {
                system->culprit = l;
                return KS_ERROR_INCONSISTENT;
            }
            *multiplier = s > 0 ? beta / s : 0;
        }
    }
    return KS_OK;
}

/* What each block carries, y - y_f less the rows that are no bridges, and the noise in that. */
static void loadBlocks(ksSystem *system, const double *y)
{
    ksiCut *g = &system->cut;
    const double *applied = system->motion.applied.at;
    ksiAppliedForce(system, system->motion.applied.at);
    g->draw = 1;
    g->largest = 0;
    for (int i = 0; i < system->coordinateCount; i++) {
        const double size = fabs(y[i]) + fabs(applied[i]);
        g->rest.at[i] = y[i] - applied[i];
        g->noise.at[i] = DBL_EPSILON * sign(g) * size;
        g->largest = fmax(g->largest, size);
    }
    for (int l = 0; l < system->rowCount; l++)
        if (!g->isCut.at[l] && !system->rowKnown.at[l])
            settle(system, l, 0);
}

/* From the leaves to the root. relaxed: the multipliers by relaxed coordinates are in system->motion. */
static ksStatus walk(ksSystem *system, const double *y, int relaxed)
{
    ksiCut *g = &system->cut;
    for (int i = g->nodeCount - 1; i >= 0; i--) {
        const int node = g->order.at[i];
        if (node == system->blockCount || g->matrixStart.at[node] < 0 || solveBlock(system, node))
            continue;
        const ksStatus status = relaxed ? KS_OK : relaxAll(system, y);
        if (status)
            return status;
        relaxed = 1;
        const int edge = g->bridge.at[node];
        for (int k = g->edgeStart.at[edge]; k < g->edgeStart.at[edge + 1]; k++) {
            const int l = g->edgeRow.at[k];
            g->isCut.at[l] = 0;
            g->multiplier.at[l] = system->motion.multiplier.at[l];
            settle(system, l, 0);
        }
    }
    return KS_OK;
}

/* All multipliers. y: L^T a, or NULL for the true motion. */
static ksStatus solve(ksSystem *system, const double *y)
{
    ksiCut *g = &system->cut;
    int complete;
    ksStatus status = ksiCutGraph(system);
    if (!status)
        status = prepare(system, &complete);
    if (status)
        return status;
    const int relaxed = !y || !complete;
    status = relaxed ? relaxAll(system, y) : solveSimple(system);
    if (status)
        return status;
    for (int l = 0; relaxed && l < system->rowCount; l++)
        g->multiplier.at[l] = system->motion.multiplier.at[l];
    loadBlocks(system, y ? y : system->motion.y.at);
    return walk(system, y, relaxed);
}

static ksStatus solveCut(ksSystem *system, const double *acceleration, double *multiplier, int *cut)
{
    if (!ksiBeginCall(system))
        return KS_ERROR_BAD_ARGUMENT;
    const size_t rows = (size_t)system->rowCount, coordinates = (size_t)system->coordinateCount;
    if (!multiplier && rows > 0)
        return KS_ERROR_BAD_ARGUMENT;
    const double *y = NULL;
    if (acceleration && coordinates > 0) {
        if (!ksiAllFinite(coordinates, acceleration))
            return KS_ERROR_NOT_FINITE;
        if (ksiDoublesReserve(system, &system->vector[0], coordinates))
            return KS_ERROR_NO_MEMORY;
        memcpy(system->vector[0].at, acceleration, coordinates * sizeof *acceleration);
        ksiScaleMotion(system, system->vector[0].at);
        y = system->vector[0].at;
    }
    const ksStatus status = solve(system, y);
    if (status)
        return status;
    if (!ksiAllFinite(rows, system->cut.multiplier.at))
        return KS_ERROR_NOT_FINITE;
    if (rows > 0)
        memcpy(multiplier, system->cut.multiplier.at, rows * sizeof *multiplier);
    if (cut && rows > 0)
        memcpy(cut, system->cut.isCut.at, rows * sizeof *cut);
    return KS_OK;
}

ksStatus ksSystemSolveCut(ksSystem *system, const double *acceleration, double *multiplier, int *cut)
{
    KSI_RETURN_QUIETLY(solveCut(system, acceleration, multiplier, cut));
}
