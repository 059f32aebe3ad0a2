/* adjacency.c  The joints of each body in a step: a counting sort. */
#include "adjacency.h"

#include <string.h>

/* A joint of a body with itself is listed once. */
#define EACH_END(joint, body)                                                                                          \
    KSI_EACH_BODY ((joint)->bodyIndex, body##Side, body)                                                               \
        if (body##Side == 0 || (joint)->bodyIndex[0] != body)

void ksiFindAdjacency(const ksiStep *step, ksiAdjacency *out)
{
    int *list = (int *)out->joint, count = 0;
    if (out->isKnown)
        return;
    memset(out->first, 0, (step->bodyCount + 1) * sizeof *out->first);
    memset(out->mark, 0, step->bodyCount * sizeof *out->mark);
    for (size_t i = 0; i < step->jointCount; i++)
        EACH_END (&step->joint[i], body)
            out->first[body]++;
    for (size_t i = 0; i <= step->bodyCount; i++)
        out->first[i] = count += out->first[i];
    // fill each list from its end to its beginning
    for (int i = (int)step->jointCount; i-- > 0;)
        EACH_END (&step->joint[i], body)
            list[--out->first[body]] = i;
    out->searches = 0;
    out->isKnown = true;
}
