/* elimination.c  The symbolic part of a sparse elimination: see elimination.h. */
#include "elimination.h"

#include "../base/error.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include <amd.h>

void ksiTransposeSets(int sets, const ksiSets *of, int members, ksiSets *out)
{
    int *start = out->start;
    memset(start, 0, ((size_t)members + 2) * sizeof *start);
    // counting sort: counts are in start[m + 2], running places in start[m + 1], final starts in
    // start[m]
    for (int pass = 0; pass < 2; pass++) {
        for (int k = 0; k < sets; k++)
            for (int q = of->start[k]; q < of->start[k + 1]; q++)
                if (pass == 0)
                    start[of->list[q] + 2]++;
                else
                    out->list[start[of->list[q] + 1]++] = k;
        for (int m = 0; pass == 0 && m < members; m++)
            start[m + 2] += start[m + 1];
    }
}

ksStatus ksiFindOrder(const ksAllocator *allocator, int sets, const ksiSets *of, int n, const ksiSets *setsOf,
                      ksiInts *room, int *order)
{
    const size_t members = (size_t)n;
    size_t pairs = 0;
    for (int k = 0; k < sets; k++) {
        const size_t count = (size_t)(of->start[k + 1] - of->start[k]);
        pairs += count * count;
    }
    // amd_2 needs 1.2 nz + n numbers for its lists, and nine vectors
    const size_t lists = pairs + pairs / 5 + members + 1;
    if (lists > INT_MAX || ksiIntsGrow(allocator, room, 9 * members + lists))
        return KS_ERROR_NO_MEMORY;
    int *begin = room->at, *length = begin + n, *weight = length + n, *next = weight + n, *last = next + n;
    int *head = last + n, *element = head + n, *degree = element + n, *mark = degree + n, *list = mark + n, fill = 0;
    for (int c = 0; c < n; c++)
        mark[c] = -1;
    for (int c = 0; c < n; c++) {
        begin[c] = fill;
        mark[c] = c;
        for (int p = setsOf->start[c]; p < setsOf->start[c + 1]; p++)
            for (int q = of->start[setsOf->list[p]]; q < of->start[setsOf->list[p] + 1]; q++) {
                const int other = of->list[q];
                if (mark[other] != c) {
                    mark[other] = c;
                    list[fill++] = other;
                }
            }
        length[c] = fill - begin[c];
    }
    amd_2(n, begin, list, length, (int)lists, fill, weight, next, last, head, element, degree, mark, NULL, NULL);
    memcpy(order, last, members * sizeof *order);
    return KS_OK;
}

static int compareInts(const void *a, const void *b)
{
    const int x = *(const int *)a, y = *(const int *)b;
    return (x > y) - (x < y);
}

ksStatus ksiEliminateSets(const ksAllocator *allocator, int n, const ksiSets *sets, const ksiSets *setsOf, int *start,
                          ksiInts *list, int *scratch)
{
    int *mark = scratch, *child = mark + n, *sibling = child + n, fill = 0;
    for (int c = 0; c < n; c++)
        mark[c] = child[c] = -1;
    for (int c = 0; c < n; c++) {
        start[c] = fill;
        mark[c] = c;
        KSI_TRY(ksiIntsGrow(allocator, list, (size_t)fill + (size_t)n));
        for (int p = setsOf->start[c]; p < setsOf->start[c + 1]; p++)
            for (int q = sets->start[setsOf->list[p]]; q < sets->start[setsOf->list[p] + 1]; q++)
                if (sets->list[q] > c && mark[sets->list[q]] != c)
                    mark[list->at[fill++] = sets->list[q]] = c;
        for (int e = child[c]; e >= 0; e = sibling[e])
            for (int q = start[e]; q < start[e + 1]; q++)
                if (mark[list->at[q]] != c)
                    mark[list->at[fill++] = list->at[q]] = c;
        if (fill == start[c])
            continue;
        qsort(list->at + start[c], (size_t)(fill - start[c]), sizeof *list->at, compareInts);
        const int parent = list->at[start[c]];
        sibling[c] = child[parent];
        child[parent] = c;
        if (fill > INT_MAX / 4)
            return KS_ERROR_NO_MEMORY;
    }
    start[n] = fill;
    return KS_OK;
}
