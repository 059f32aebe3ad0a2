/* adjacency.h  The joints of each body in a step, found on request. */
#ifndef KSI_INSPECTOR_ADJACENCY_H
#define KSI_INSPECTOR_ADJACENCY_H

#include "step_view.h"

typedef struct ksiAdjacency {
    int *first;      /* [bodies + 1] of each body: into joint */
    int (*joint)[2]; /* [joints] 2 joints numbers in one list; those of a body ascend */
    bool isKnown;    /* of this step */
    int *queue;      /* [bodies] those that a search has reached */
    int *mark;       /* [bodies] the last search that reached it */
    int searches;    /* in this step */
} ksiAdjacency;

void ksiFindAdjacency(const ksiStep *step, ksiAdjacency *out);

/* The body whose list has all joints between these two (index in the step; -1: the world, or any
 * body); it is the shorter list. */
static inline int ksiBodyOfFewer(const ksiAdjacency *adjacency, const int body[2])
{
    const int *first = adjacency->first, a = body[0], b = body[1];
    return b < 0 || first[a + 1] - first[a] <= first[b + 1] - first[b] ? a : b;
}

/* Loops over the joints of a body. */
#define KSI_EACH_ADJACENT(adjacency, body, i, index)                                                                   \
    for (int i = (adjacency)->first[body], index = -1;                                                                 \
         i < (adjacency)->first[(body) + 1] && ((index) = *(*(adjacency)->joint + i), true); i++)

#endif
