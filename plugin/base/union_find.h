/* union_find.h  Disjoint sets of integers. */
#ifndef KSI_BASE_UNION_FIND_H
#define KSI_BASE_UNION_FIND_H

#include <stddef.h>

static inline void ksiSetsReset(int *parent, size_t count)
{
    for (size_t i = 0; i < count; i++)
        parent[i] = (int)i;
}

/* The member that stands for the set of i. */
static inline int ksiSetOf(int *parent, int i)
{
    while (parent[i] != i)
        i = parent[i] = parent[parent[i]];
    return i;
}

static inline void ksiSetsUnite(int *parent, int a, int b)
{
    parent[ksiSetOf(parent, a)] = ksiSetOf(parent, b);
}

#endif
