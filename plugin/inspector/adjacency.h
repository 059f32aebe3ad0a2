/* adjacency.h  The joints of each body in a step, found on request. */
#ifndef KSI_INSPECTOR_ADJACENCY_H
#define KSI_INSPECTOR_ADJACENCY_H

#include "step_view.h"

typedef struct ksiAdjacency {
    int *first;      /* [bodies + 1] the first place of each body in `joint` */
    int (*joint)[2]; /* [joints] two places for each joint: a list of all joints, body by body; the
                        joints of a body ascend */
    bool isKnown;    /* of this step */
    int *queue;      /* [bodies] the bodies that a search has reached */
    int *mark;       /* [bodies] the last search that has reached this body */
    int searches;    /* number of searches in this step */
} ksiAdjacency;

void ksiFindAdjacency(const ksiStep *step, ksiAdjacency *out);

/* The one of two bodies with fewer joints: its list has all joints between the two. Indices in the
 * step; the second is -1 for the world or any body. */
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
