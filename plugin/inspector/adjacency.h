/* adjacency.h  The joints of each body in a step, found on request. */
#ifndef KSI_INSPECTOR_ADJACENCY_H
#define KSI_INSPECTOR_ADJACENCY_H

#include "step_view.h"

typedef struct ksiAdjacency {
    int *first;      /* [bodies + 1] the first place of each body in `joint` */
    int (*joint)[2]; /* [joints] the joints of body 0, of body 1, and so on, each list in ascending
                        order; two places for each joint, one for each of its bodies */
    bool isKnown;    /* of this step */
    int *queue;      /* [bodies] the bodies that a search has reached */
    int *mark;       /* [bodies] the last search that has reached this body */
    int searches;    /* number of searches in this step */
} ksiAdjacency;

void ksiFindAdjacency(const ksiStep *step, ksiAdjacency *out);

/* Returns the body that has fewer joints. Its list contains all joints between the two bodies.
 * body: indices in the step; body[1] is -1 for the world or for any body. */
static inline int ksiBodyOfFewer(const ksiAdjacency *adjacency, const int body[2])
{
    const int *first = adjacency->first, a = body[0], b = body[1];
    return b < 0 || first[a + 1] - first[a] <= first[b + 1] - first[b] ? a : b;
}

/* Loops over the joints of a body. */
#define KSI_EACH_ADJACENT(adjacency, body, i, index)                                                                   \
    for (int i = (adjacency)->first[body], index = -1;                                                                 \
         i < (adjacency)->first[(body) + 1] && ((index) = ((const int *)(adjacency)->joint)[i], true); i++)

#endif
