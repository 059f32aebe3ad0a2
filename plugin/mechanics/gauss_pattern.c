/* gauss_pattern.c  The symbolic part of the range-space route: which rows couple, in which order to eliminate them.
 *
 *  A_lr = J_l M^-1 J_r^T = sum over the blocks that l and r share of b_l . b_r
 *
 *  is not zero only for rows that share a block. The order is AMD's (Amestoy, Davis, Duff 1996), the elimination
 *  tree LDL's (Davis 2005); both work in memory of the caller. The result holds as long as the pattern (sizes of
 *  blocks, blocks of each row, rows left out) is the same, also in another system built after ksSystemClear.
 */
#include "system_private.h"

#include <limits.h>
#include <string.h>

#include <amd.h>
#include <ldl.h>

static int leftOut(const ksSystem *system, int row)
{
    return system->rowKnown.at[row] || ksiRowIsEmpty(system, row);
}

static int same(const ksiInts *a, const ksiInts *b, int count)
{
    return count == 0 || memcmp(a->at, b->at, (size_t)count * sizeof *a->at) == 0;
}

static int samePattern(const ksSystem *system)
{
    const ksiGauss *g = &system->gauss;
    if (!g->patternKnown || g->blockCount != system->blockCount || g->rowCount != system->rowCount)
        return 0;
    if (g->rowCount > 0 && (!same(&g->rowPiece, &system->rowPiece, g->rowCount + 1) ||
                            !same(&g->pieceBlock, &system->pieceBlock, system->pieceCount)))
        return 0;
    if (!same(&g->blockSize, &system->blockSize, g->blockCount))
        return 0;
    for (int l = 0; l < g->rowCount; l++)
        if ((g->column.at[l] < 0) != leftOut(system, l))
            return 0;
    return 1;
}

/* Keeps the pattern, and the columns of the rows that are not left out. */
static ksStatus keepPattern(ksSystem *system)
{
    ksiGauss *g = &system->gauss;
    const size_t rows = (size_t)system->rowCount, pieces = (size_t)system->pieceCount;
    if (ksiIntsReserve(system, &g->blockSize, (size_t)system->blockCount) ||
        ksiIntsReserve(system, &g->rowPiece, rows + 1) || ksiIntsReserve(system, &g->pieceBlock, pieces) ||
        ksiIntsReserve(system, &g->column, rows) || ksiIntsReserve(system, &g->order, rows))
        return KS_ERROR_NO_MEMORY;
    g->blockCount = system->blockCount;
    g->rowCount = system->rowCount;
    if (g->blockCount > 0)
        memcpy(g->blockSize.at, system->blockSize.at, (size_t)g->blockCount * sizeof(int));
    if (rows > 0)
        memcpy(g->rowPiece.at, system->rowPiece.at, (rows + 1) * sizeof(int));
    if (pieces > 0)
        memcpy(g->pieceBlock.at, system->pieceBlock.at, pieces * sizeof(int));
    g->columns = 0;
    for (int l = 0; l < g->rowCount; l++)
        g->column.at[l] = leftOut(system, l) ? -1 : g->columns++;
    return KS_OK;
}

/* The pieces of each block, as compressed lists; *pairs bounds the number of coupled pieces. */
static ksStatus listPieces(ksSystem *system, size_t *pairs)
{
    ksiGauss *g = &system->gauss;
    const size_t blocks = (size_t)g->blockCount, pieces = (size_t)system->pieceCount;
    if (ksiIntsReserve(system, &g->blockStart, blocks + 2) || ksiIntsReserve(system, &g->blockPiece, pieces) ||
        ksiIntsReserve(system, &g->pieceRow, pieces))
        return KS_ERROR_NO_MEMORY;
    // counting sort: start[b + 2] counts, start[b + 1] runs, start[b] stays
    int *start = g->blockStart.at;
    memset(start, 0, (blocks + 2) * sizeof *start);
    for (int l = 0; l < g->rowCount; l++)
        for (int p = g->rowPiece.at[l]; p < g->rowPiece.at[l + 1]; p++) {
            g->pieceRow.at[p] = l;
            if (g->column.at[l] >= 0)
                start[g->pieceBlock.at[p] + 2]++;
        }
    *pairs = 0;
    for (size_t b = 0; b < blocks; b++) {
        *pairs += (size_t)start[b + 2] * (size_t)start[b + 2];
        start[b + 2] += start[b + 1];
    }
    for (int p = 0; p < system->pieceCount; p++)
        if (g->column.at[g->pieceRow.at[p]] >= 0)
            g->blockPiece.at[start[g->pieceBlock.at[p] + 1]++] = p;
    return KS_OK;
}

/* Fill-reducing order by AMD: order[k] is the column of the k-th pivot. */
static ksStatus orderColumns(ksSystem *system, size_t pairs)
{
    ksiGauss *g = &system->gauss;
    // amd_2 wants 1.2 nz + n for the lists and nine vectors
    const size_t n = (size_t)g->columns, lists = pairs + pairs / 5 + n + 1;
    if (lists > INT_MAX || ksiIntsReserve(system, &g->amd, 9 * n + lists) || ksiIntsReserve(system, &g->flag, n + 1))
        return KS_ERROR_NO_MEMORY;
    int *begin = g->amd.at, *length = begin + n, *weight = length + n, *next = weight + n, *last = next + n;
    int *head = last + n, *element = head + n, *degree = element + n, *mark = degree + n, *list = mark + n;
    for (size_t k = 0; k < n; k++)
        mark[k] = -1;
    int fill = 0;
    for (int l = 0; l < g->rowCount; l++) {
        const int k = g->column.at[l];
        if (k < 0)
            continue;
        begin[k] = fill;
        mark[k] = k;
        for (int p = g->rowPiece.at[l]; p < g->rowPiece.at[l + 1]; p++) {
            const int b = g->pieceBlock.at[p];
            for (int q = g->blockStart.at[b]; q < g->blockStart.at[b + 1]; q++) {
                const int other = g->column.at[g->pieceRow.at[g->blockPiece.at[q]]];
                if (mark[other] != k) {
                    mark[other] = k;
                    list[fill++] = other;
                }
            }
        }
        length[k] = fill - begin[k];
    }
    amd_2(g->columns, begin, list, length, (int)lists, fill, weight, next, last, head, element, degree, mark, NULL,
          NULL);
    memcpy(g->order.at, last, n * sizeof *last);
    return KS_OK;
}

/* The upper triangle of the permuted matrix by columns, and where each pair of pieces adds to it. The diagonal is
 * the first entry of each column. On entry order[] and column[] speak of unpermuted columns. */
static ksStatus placePairs(ksSystem *system, size_t pairs)
{
    ksiGauss *g = &system->gauss;
    const size_t n = (size_t)g->columns;
    // half of the pairs of different rows, and the diagonals
    const size_t bound = pairs + n;
    if (bound > INT_MAX || ksiIntsReserve(system, &g->start, n + 1) || ksiIntsReserve(system, &g->index, bound) ||
        ksiIntsReserve(system, &g->left, bound) || ksiIntsReserve(system, &g->right, bound) ||
        ksiIntsReserve(system, &g->target, bound))
        return KS_ERROR_NO_MEMORY;
    // column -> place in the order, then row -> place and place -> row
    int *place = g->flag.at;
    for (int k = 0; k < g->columns; k++)
        place[g->order.at[k]] = k;
    for (int l = 0; l < g->rowCount; l++)
        if (g->column.at[l] >= 0) {
            g->column.at[l] = place[g->column.at[l]];
            g->order.at[g->column.at[l]] = l;
        }

    int *seen = g->amd.at, *where = g->amd.at + n;
    for (size_t k = 0; k < n; k++)
        seen[k] = -1;
    int fill = 0, pair = 0;
    for (int k = 0; k < g->columns; k++) {
        const int l = g->order.at[k];
        g->start.at[k] = fill;
        seen[k] = k;
        where[k] = fill;
        g->index.at[fill++] = k;
        for (int p = g->rowPiece.at[l]; p < g->rowPiece.at[l + 1]; p++) {
            const int b = g->pieceBlock.at[p];
            for (int q = g->blockStart.at[b]; q < g->blockStart.at[b + 1]; q++) {
                const int piece = g->blockPiece.at[q], i = g->column.at[g->pieceRow.at[piece]];
                if (i >= k)
                    continue;
                if (seen[i] != k) {
                    seen[i] = k;
                    where[i] = fill;
                    g->index.at[fill++] = i;
                }
                g->left.at[pair] = p;
                g->right.at[pair] = piece;
                g->target.at[pair++] = where[i];
            }
        }
    }
    g->start.at[g->columns] = fill;
    g->pairCount = pair;
    g->valueCount = fill;
    return KS_OK;
}

static ksStatus eliminationTree(ksSystem *system)
{
    ksiGauss *g = &system->gauss;
    const size_t n = (size_t)g->columns;
    if (ksiIntsReserve(system, &g->lStart, n + 1) || ksiIntsReserve(system, &g->parent, n + 1) ||
        ksiIntsReserve(system, &g->lCount, n + 1) || ksiIntsReserve(system, &g->stack, n + 1) ||
        ksiDoublesReserve(system, &g->value, (size_t)g->valueCount) || ksiDoublesReserve(system, &g->pivot, n) ||
        ksiDoublesReserve(system, &g->dense, n))
        return KS_ERROR_NO_MEMORY;
    ldl_symbolic(g->columns, g->start.at, g->index.at, g->lStart.at, g->parent.at, g->lCount.at, g->flag.at, NULL,
                 NULL);
    size_t count = 0;
    for (size_t k = 0; k < n; k++)
        count += (size_t)g->lCount.at[k];
    if (count > INT_MAX || ksiIntsReserve(system, &g->lIndex, count) || ksiDoublesReserve(system, &g->lValue, count))
        return KS_ERROR_NO_MEMORY;
    return KS_OK;
}

ksStatus ksiGaussPattern(ksSystem *system)
{
    ksiGauss *g = &system->gauss;
    if (samePattern(system))
        return KS_OK;
    g->patternKnown = g->numericKnown = 0;
    size_t pairs;
    if (keepPattern(system) || listPieces(system, &pairs))
        return KS_ERROR_NO_MEMORY;
    if (g->columns > 0 && (orderColumns(system, pairs) || placePairs(system, pairs) || eliminationTree(system)))
        return KS_ERROR_NO_MEMORY;
    g->patternKnown = 1;
    return KS_OK;
}
