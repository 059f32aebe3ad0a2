/* elimination.h  The symbolic part of a sparse elimination: the order of the members of a matrix,
 * and its fill. Members of one set are coupled with each other. */
#ifndef KSI_LINEAR_ELIMINATION_H
#define KSI_LINEAR_ELIMINATION_H

#include "../base/memory.h"

/* A growing array of integers. */
typedef struct ksiInts {
    int *at;
    size_t capacity;
} ksiInts;

/* Sets of integers: set k is list[start[k]] .. list[start[k + 1] - 1]. */
typedef struct ksiSets {
    int *start, *list;
} ksiSets;

/* Makes room for `count` integers. */
static inline ksStatus ksiIntsGrow(const ksAllocator *allocator, ksiInts *ints, size_t count)
{
    return ksiReserve(allocator, &ints->at, &ints->capacity, count, sizeof *ints->at);
}

/* Transposes sets of members: lists the sets of each member, in ascending order. out->start:
 * [members + 2] */
void ksiTransposeSets(int sets, const ksiSets *of, int members, ksiSets *out);

/* Finds an order of n members that causes little fill, by AMD (Amestoy, Davis, Duff 1996). setsOf:
 * sets of each member; room: workspace; order: [n] */
KS_MUST_USE ksStatus ksiFindOrder(const ksAllocator *allocator, int sets, const ksiSets *of, int n,
                                  const ksiSets *setsOf, ksiInts *room, int *order);

/* Symbolic elimination of n members in ascending order. list[start[c]] .. list[start[c + 1] - 1]
 * are the later members, in ascending order, that are coupled with c when it is eliminated.
 * scratch: [3 n] */
KS_MUST_USE ksStatus ksiEliminateSets(const ksAllocator *allocator, int n, const ksiSets *sets, const ksiSets *setsOf,
                                      int *start, ksiInts *list, int *scratch);

#endif
