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

#include <amd.h>

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

/* Finds the groups: successive rows over the same blocks are one group. Then lists the groups of
 * each block. */
static ksStatus findGroups(const ksiModel *model, ksiFronts *p)
{
    const size_t rows = (size_t)p->rowCount, blocks = (size_t)p->blockCount;
    KSI_TRY(ksiIntsReserve(model->allocator, &p->groupRow, rows + 1));
    KSI_TRY(ksiIntsReserve(model->allocator, &p->blockStart, blocks + 2));
    KSI_TRY(ksiIntsReserve(model->allocator, &p->blockGroup, (size_t)model->pieceCount));
    p->groupCount = 0;
    for (int l = 0; l < p->rowCount; l++)
        if (l == 0 || !sameBlocks(model, l - 1, l))
            p->groupRow[p->groupCount++] = l;
    p->groupRow[p->groupCount] = p->rowCount;

    // counting sort: counts are in start[b + 2], running places in start[b + 1], final starts in
    // start[b]
    int *start = p->blockStart;
    memset(start, 0, (blocks + 2) * sizeof *start);
    for (int pass = 0; pass < 2; pass++) {
        for (int g = 0; g < p->groupCount; g++) {
            const int l = p->groupRow[g];
            for (int i = p->rowPiece[l]; i < p->rowPiece[l + 1]; i++) {
                const int b = p->pieceBlock[i];
                if (pass == 0)
                    start[b + 2]++;
                else
                    p->blockGroup[start[b + 1]++] = g;
            }
        }
        for (size_t b = 0; pass == 0 && b < blocks; b++)
            start[b + 2] += start[b + 1];
    }
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

/* Fill-reducing order of the groups; amd_2 works in memory of the caller. */
static ksStatus orderGroups(const ksAllocator *allocator, ksiFronts *p)
{
    const size_t n = (size_t)p->groupCount;
    size_t pairs = 0;
    for (int b = 0; b < p->blockCount; b++) {
        const size_t count = (size_t)(p->blockStart[b + 1] - p->blockStart[b]);
        pairs += count * count;
    }
    // amd_2 needs 1.2 nz + n numbers for its lists, and nine vectors
    const size_t lists = pairs + pairs / 5 + n + 1;
    if (lists > INT_MAX || ksiIntsReserve(allocator, &p->work, 9 * n + lists) ||
        ksiIntsReserve(allocator, &p->order, n) || ksiIntsReserve(allocator, &p->place, n))
        return KS_ERROR_NO_MEMORY;
    int *begin = p->work, *length = begin + n, *weight = length + n, *next = weight + n, *last = next + n;
    int *head = last + n, *element = head + n, *degree = element + n, *mark = degree + n, *list = mark + n;
    for (size_t g = 0; g < n; g++)
        mark[g] = -1;
    int fill = 0;
    for (int g = 0; g < p->groupCount; g++) {
        const int l = p->groupRow[g];
        begin[g] = fill;
        mark[g] = g;
        for (int i = p->rowPiece[l]; i < p->rowPiece[l + 1]; i++) {
            const int b = p->pieceBlock[i];
            for (int q = p->blockStart[b]; q < p->blockStart[b + 1]; q++) {
                const int other = p->blockGroup[q];
                if (mark[other] != g) {
                    mark[other] = g;
                    list[fill++] = other;
                }
            }
        }
        length[g] = fill - begin[g];
    }
    amd_2(p->groupCount, begin, list, length, (int)lists, fill, weight, next, last, head, element, degree, mark, NULL,
          NULL);
    for (int k = 0; k < p->groupCount; k++) {
        p->order[k] = last[k];
        p->place[last[k]] = k;
    }
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

/* Each block is led by the first of its groups. */
static ksStatus findLeaders(const ksAllocator *allocator, ksiFronts *p)
{
    const size_t n = (size_t)p->groupCount;
    if (ksiIntsReserve(allocator, &p->leadStart, n + 2) || ksiIntsReserve(allocator, &p->lead, (size_t)p->blockCount))
        return KS_ERROR_NO_MEMORY;
    int *start = p->leadStart;
    memset(start, 0, (n + 2) * sizeof *start);
    for (int pass = 0; pass < 2; pass++) {
        for (int b = 0; b < p->blockCount; b++) {
            const int leader = ksiLeaderOf(p, b);
            if (leader == INT_MAX)
                continue;
            if (pass == 0)
                start[leader + 2]++;
            else
                p->lead[start[leader + 1]++] = b;
        }
        for (size_t k = 0; pass == 0 && k < n; k++)
            start[k + 2] += start[k + 1];
    }
    return KS_OK;
}

/* Appends a front to upper(k) unless it is there. */
static ksStatus append(const ksAllocator *allocator, ksiFronts *p, int *mark, int k, int upper, int *fill)
{
    if (mark[upper] == k)
        return KS_OK;
    mark[upper] = k;
    if (*fill == INT_MAX || ksiIntsReserve(allocator, &p->upper, (size_t)*fill + 1))
        return KS_ERROR_NO_MEMORY;
    p->upper[(*fill)++] = upper;
    if (p->parent[k] < 0 || upper < p->parent[k])
        p->parent[k] = upper;
    return KS_OK;
}

/* Sorts each upper(k) in ascending order: transposes the lists twice by counting sort. */
static ksStatus sortUppers(const ksAllocator *allocator, ksiFronts *p)
{
    const size_t n = (size_t)p->groupCount, fill = (size_t)p->upperStart[n];
    KSI_TRY(ksiIntsReserve(allocator, &p->work, 2 * n + 2 + fill));
    // counts are in start[u + 2], running places in start[u + 1], final starts in start[u]
    int *start = p->work, *below = start + n + 2, *next = below + fill;
    memset(start, 0, (n + 2) * sizeof *start);
    for (size_t i = 0; i < fill; i++)
        start[p->upper[i] + 2]++;
    for (size_t k = 0; k < n; k++) {
        start[k + 2] += start[k + 1];
        next[k] = p->upperStart[k];
    }
    for (int k = 0; k < p->groupCount; k++)
        for (int i = p->upperStart[k]; i < p->upperStart[k + 1]; i++)
            below[start[p->upper[i] + 1]++] = k;
    for (int u = 0; u < p->groupCount; u++)
        for (int i = start[u]; i < start[u + 1]; i++)
            p->upper[next[below[i]]++] = u;
    return KS_OK;
}

static ksStatus findUppers(const ksAllocator *allocator, ksiFronts *p)
{
    const size_t n = (size_t)p->groupCount;
    if (ksiIntsReserve(allocator, &p->upperStart, n + 1) || ksiIntsReserve(allocator, &p->firstChild, n) ||
        ksiIntsReserve(allocator, &p->nextChild, n) || ksiIntsReserve(allocator, &p->parent, n))
        return KS_ERROR_NO_MEMORY;
    int *mark = p->work, fill = 0;
    for (size_t k = 0; k < n; k++)
        mark[k] = p->firstChild[k] = p->nextChild[k] = p->parent[k] = -1;
    for (int k = 0; k < p->groupCount; k++) {
        p->upperStart[k] = fill;
        mark[k] = k;
        for (int i = p->leadStart[k]; i < p->leadStart[k + 1]; i++) {
            const int b = p->lead[i];
            for (int q = p->blockStart[b]; q < p->blockStart[b + 1]; q++)
                KSI_TRY(append(allocator, p, mark, k, p->place[p->blockGroup[q]], &fill));
        }
        for (int c = p->firstChild[k]; c >= 0; c = p->nextChild[c])
            for (int i = p->upperStart[c]; i < p->upperStart[c + 1]; i++)
                KSI_TRY(append(allocator, p, mark, k, p->upper[i], &fill));
        p->upperStart[k + 1] = fill;
        const int parent = p->parent[k];
        if (parent >= 0) {
            p->nextChild[k] = p->firstChild[parent];
            p->firstChild[parent] = k;
        }
    }
    return KS_OK;
}

ksStatus ksiFindRowGroups(const ksiModel *model, ksiFronts *p)
{
    p->isOrdered = 0;
    return keepPattern(model, p) || findGroups(model, p) ? KS_ERROR_NO_MEMORY : KS_OK;
}

ksStatus ksiOrderFronts(const ksAllocator *allocator, ksiFronts *p)
{
    if (!p->isOrdered && p->groupCount > 0 &&
        (orderGroups(allocator, p) || findLeaders(allocator, p) || findUppers(allocator, p) ||
         sortUppers(allocator, p)))
        return KS_ERROR_NO_MEMORY;
    p->isOrdered = 1;
    return KS_OK;
}
