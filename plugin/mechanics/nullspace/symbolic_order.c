/* symbolic_order.c  Finds the groups of the sparse orthogonal factorisation, and their order.
 *
 * `R` has the pattern of the Cholesky factor of B~^T B~ = A + S, here by groups of rows. A block
 * enters the front of the first of its groups to be eliminated. A front's columns are the groups of
 * its blocks and the remaining columns of its children:
 *
 *     upper(k) = groups of blocks led by k  +  upper(c) of its children c,  without k;
 *     parent(k) = min upper(k)
 *
 * The order is AMD's (Amestoy, Davis, Duff 1996) on the graph of groups that share a block.
 */
#include "fronts.h"

#include <limits.h>
#include <string.h>

static int same(const int *a, const int *b, int count)
{
    return count == 0 || memcmp(a, b, (size_t)count * sizeof *a) == 0;
}

int ksiSameRowGroups(const ksiModel *model, const ksiFronts *p)
{
    if (p->blockCount != model->blockCount || p->rowCount != model->rowCount ||
        !same(p->blockSize, model->blockSize, p->blockCount))
        return 0;
    return p->rowCount == 0 || (same(p->rowPiece, model->rowPiece, p->rowCount + 1) &&
                                same(p->pieceBlock, model->pieceBlock, model->pieceCount));
}

static ksStatus keepPattern(const ksiModel *model, ksiFronts *p)
{
    const size_t rows = (size_t)model->rowCount, pieces = (size_t)model->pieceCount;
    KSI_TRY(ksiIntsReserve(model->allocator, &p->blockSize, (size_t)model->blockCount));
    KSI_TRY(ksiIntsReserve(model->allocator, &p->rowPiece, rows + 1));
    KSI_TRY(ksiIntsReserve(model->allocator, &p->pieceBlock, pieces));
    p->blockCount = model->blockCount;
    p->rowCount = model->rowCount;
    if (p->blockCount > 0)
        memcpy(p->blockSize, model->blockSize, (size_t)p->blockCount * sizeof(int));
    if (rows > 0)
        memcpy(p->rowPiece, model->rowPiece, (rows + 1) * sizeof(int));
    if (pieces > 0)
        memcpy(p->pieceBlock, model->pieceBlock, pieces * sizeof(int));
    return KS_OK;
}

static int sameBlocks(const ksiModel *model, int a, int b)
{
    const int *piece = model->rowPiece, count = piece[a + 1] - piece[a];
    return count == piece[b + 1] - piece[b] &&
           (count == 0 ||
            memcmp(model->pieceBlock + piece[a], model->pieceBlock + piece[b], (size_t)count * sizeof(int)) == 0);
}

/* Finds the groups: successive rows over the same blocks are one group. Then lists the blocks of
 * each group, and the groups of each block. */
static ksStatus findGroups(const ksiModel *model, ksiFronts *p)
{
    const size_t rows = (size_t)p->rowCount, blocks = (size_t)p->blockCount, pieces = (size_t)model->pieceCount;
    KSI_TRY(ksiIntsReserve(model->allocator, &p->groupRow, rows + 1));
    KSI_TRY(ksiIntsReserve(model->allocator, &p->groupStart, rows + 1));
    KSI_TRY(ksiIntsReserve(model->allocator, &p->groupBlock, pieces));
    KSI_TRY(ksiIntsReserve(model->allocator, &p->blockStart, blocks + 2));
    KSI_TRY(ksiIntsReserve(model->allocator, &p->blockGroup, pieces));
    int fill = 0;
    p->groupCount = 0;
    for (int l = 0; l < p->rowCount; l++) {
        if (l > 0 && sameBlocks(model, l - 1, l))
            continue;
        p->groupStart[p->groupCount] = fill;
        p->groupRow[p->groupCount++] = l;
        for (int i = p->rowPiece[l]; i < p->rowPiece[l + 1]; i++)
            p->groupBlock[fill++] = p->pieceBlock[i];
    }
    p->groupRow[p->groupCount] = p->rowCount;
    p->groupStart[p->groupCount] = fill;
    ksiTransposeSets(p->groupCount, &(ksiSets){p->groupStart, p->groupBlock}, p->blockCount,
                     &(ksiSets){p->blockStart, p->blockGroup});
    return KS_OK;
}

void ksiLeaveOutHubs(ksiFronts *p, int mostGroups)
{
    int fill = 0, *start = p->blockStart;
    for (int b = 0; b < p->blockCount; b++) {
        const int first = start[b], count = start[b + 1] - first;
        start[b] = fill;
        for (int i = 0; count <= mostGroups && i < count; i++)
            p->blockGroup[fill++] = p->blockGroup[first + i];
    }
    start[p->blockCount] = fill;
}

static ksStatus orderGroups(const ksAllocator *allocator, ksiFronts *p)
{
    const size_t n = (size_t)p->groupCount;
    const ksiSets groups = {p->blockStart, p->blockGroup}, blocks = {p->groupStart, p->groupBlock};
    KSI_TRY(ksiIntsReserve(allocator, &p->order, n));
    KSI_TRY(ksiIntsReserve(allocator, &p->place, n));
    KSI_TRY(ksiFindOrder(allocator, p->blockCount, &groups, p->groupCount, &blocks, &p->work, p->order));
    for (int k = 0; k < p->groupCount; k++)
        p->place[p->order[k]] = k;
    return KS_OK;
}

int ksiLeaderOf(const ksiFronts *p, int block)
{
    int leader = INT_MAX;
    for (int q = p->blockStart[block]; q < p->blockStart[block + 1]; q++)
        if (p->place[p->blockGroup[q]] < leader)
            leader = p->place[p->blockGroup[q]];
    return leader;
}

/* Each block is led by the first of its groups. blocks: blocks of each front; isLed: scratch
 * [blockCount] */
static void findLeaders(ksiFronts *p, const ksiSets *blocks, int *isLed)
{
    int fill = 0;
    memset(isLed, 0, (size_t)p->blockCount * sizeof *isLed);
    for (int k = 0; k < p->groupCount; k++) {
        p->leadStart[k] = fill;
        for (int i = blocks->start[k]; i < blocks->start[k + 1]; i++) {
            if (!isLed[blocks->list[i]])
                p->lead[fill++] = blocks->list[i];
            isLed[blocks->list[i]] = 1;
        }
    }
    p->leadStart[p->groupCount] = fill;
}

static void findChildren(ksiFronts *p)
{
    for (int k = 0; k < p->groupCount; k++)
        p->firstChild[k] = p->nextChild[k] = p->parent[k] = -1;
    for (int k = 0; k < p->groupCount; k++) {
        if (p->upperStart[k] == p->upperStart[k + 1])
            continue;
        const int parent = p->parent[k] = p->upper.at[p->upperStart[k]];
        p->nextChild[k] = p->firstChild[parent];
        p->firstChild[parent] = k;
    }
}

static ksStatus findTree(const ksAllocator *allocator, ksiFronts *p)
{
    const size_t n = (size_t)p->groupCount, count = (size_t)p->blockCount, pieces = (size_t)p->blockStart[count];
    KSI_TRY(ksiIntsReserve(allocator, &p->leadStart, n + 1));
    KSI_TRY(ksiIntsReserve(allocator, &p->lead, count));
    KSI_TRY(ksiIntsReserve(allocator, &p->upperStart, n + 1));
    KSI_TRY(ksiIntsReserve(allocator, &p->firstChild, n));
    KSI_TRY(ksiIntsReserve(allocator, &p->nextChild, n));
    KSI_TRY(ksiIntsReserve(allocator, &p->parent, n));
    KSI_TRY(ksiIntsGrow(allocator, &p->work, 2 * pieces + 4 * n + 2 + count));
    const ksiSets fronts = {p->blockStart, p->work.at};
    ksiSets blocks = {p->work.at + pieces, p->work.at + pieces + n + 2};
    int *scratch = blocks.list + pieces;
    for (size_t i = 0; i < pieces; i++)
        fronts.list[i] = p->place[p->blockGroup[i]];
    ksiTransposeSets(p->blockCount, &fronts, p->groupCount, &blocks);
    findLeaders(p, &blocks, scratch);
    KSI_TRY(ksiEliminateSets(allocator, p->groupCount, &fronts, &blocks, p->upperStart, &p->upper, scratch));
    findChildren(p);
    return KS_OK;
}

ksStatus ksiFindRowGroups(const ksiModel *model, ksiFronts *p)
{
    p->isOrdered = 0;
    return keepPattern(model, p) || findGroups(model, p) ? KS_ERROR_NO_MEMORY : KS_OK;
}

ksStatus ksiOrderFronts(const ksAllocator *allocator, ksiFronts *p)
{
    if (!p->isOrdered && p->groupCount > 0 && (orderGroups(allocator, p) || findTree(allocator, p)))
        return KS_ERROR_NO_MEMORY;
    p->isOrdered = 1;
    return KS_OK;
}
