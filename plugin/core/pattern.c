/* pattern.c  Finds the order of an island's closings, and the couplings in their elimination: see
 * core.h.
 *
 * A closing is coupled with each link on its path below the common ancestor, and with each closing
 * on one of these links. So the closings on one link are a clique. All couplings of a closing pass
 * through its common ancestor, and it is eliminated before this ancestor. So only closings with the
 * same ancestor cause fill. Their order is AMD's (Amestoy, Davis, Duff 1996).
 */
#include "plan.h"

#include "../base/error.h"

#include <limits.h>
#include <stdint.h>
#include <string.h>

/* The next link on the path of a closing; -1: the end. `at` starts with its two bodies. The later
 * of two links advances, since it is not an ancestor of the other. */
static int nextOnPath(const ksiCore *core, const ksiConstraint *c, int at[2])
{
    const int k = at[0] > at[1] ? at[0] : at[1];
    if (k == c->top)
        return -1;
    for (int side = 0; side < 2; side++)
        at[side] = at[side] == k ? core->link[k].joint.partner : at[side];
    return k;
}

/* Finds the links on the path of each closing, and returns their number; SIZE_MAX: too many. paths
 * NULL: only counts them. */
static size_t findPaths(const ksiCore *core, ksiSets *paths)
{
    size_t count = 0;
    for (int c = 0; c < core->closings; c++) {
        const ksiConstraint *closing = &core->closing[c].joint;
        int at[2] = {closing->body, closing->partner};
        if (paths)
            paths->start[c] = (int)count;
        for (int k = nextOnPath(core, closing, at); k >= 0; k = nextOnPath(core, closing, at)) {
            if (paths)
                paths->list[count] = k;
            count++;
        }
    }
    if (paths)
        paths->start[core->closings] = (int)count;
    return count < INT_MAX / 2 ? count : SIZE_MAX;
}

/* Finds the order of elimination: closings with later ancestors first, otherwise by AMD. Overwrites
 * the starts of the cliques. last: scratch [closings] */
static ksStatus findOrder(ksiCore *core, const ksiSets *cliques, const ksiSets *paths, ksiInts *room, int *last,
                          int *order)
{
    KSI_TRY(ksiFindOrder(&core->allocator, core->links, cliques, core->closings, paths, room, last));
    // a stable counting sort by -top
    int *byTop = cliques->start;
    memset(byTop, 0, ((size_t)core->links + 2) * sizeof *byTop);
    for (int c = 0; c < core->closings; c++)
        byTop[core->links - core->closing[c].joint.top]++;
    for (int k = 0; k <= core->links; k++)
        byTop[k + 1] += byTop[k];
    for (int q = 0; q < core->closings; q++)
        order[byTop[core->links - 1 - core->closing[last[q]].joint.top]++] = last[q];
    return KS_OK;
}

/* Moves closing[order[q]] to closing[q], for each q. */
static void permute(ksiCore *core, int *order)
{
    for (int q = 0; q < core->closings; q++) {
        int from = order[q];
        while (from < q)
            from = order[from];
        const ksiConstraint was = core->closing[q].joint;
        core->closing[q].joint = core->closing[from].joint;
        core->closing[from].joint = was;
        core->place.at[core->closing[q].joint.joint] = -1 - q;
    }
}

/* The index of the coupling with `closing`, in a sorted range that contains it. */
static int find(const ksiCore *core, int first, int end, int closing)
{
    while (end - first > 1) {
        const int middle = first + (end - first) / 2;
        *(core->coupling[middle].closing > closing ? &end : &first) = middle;
    }
    return first;
}

ksiEight *ksiCoreCoupled(ksiCore *core, int closing, int link)
{
    const ksiConstraint *c = &core->link[link].joint;
    return core->closing[closing].joint.top == link ? core->closing[closing].top
                                                    : core->coupling[find(core, c->coupling, c->end, closing)].body;
}

static void connect(const ksiCore *core, ksiConstraint *c, int *pair)
{
    for (int q = c->coupling; q < c->end; q++) {
        ksiCoupling *coupling = &core->coupling[q];
        const int top = core->closing[coupling->closing].joint.top;
        const ksiConstraint *above = c->top < 0 ? NULL : &core->link[c->top].joint;
        coupling->up =
            top == c->top ? -1 - coupling->closing : find(core, above->coupling, above->end, coupling->closing);
        const ksiConstraint *closing = &core->closing[coupling->closing].joint;
        for (int r = q + 1; r < c->end; r++)
            *pair++ = find(core, closing->coupling, closing->end, core->coupling[r].closing);
    }
}

static size_t countPairs(ksiConstraint *c, size_t before)
{
    const size_t count = (size_t)(c->end - c->coupling);
    c->pair = (int)before;
    return before + count * (count > 0 ? count - 1 : 0) / 2;
}

static ksStatus setCouplings(ksiCore *core, const ksiSets *cliques, const int *start, const int *list)
{
    const int onLinks = cliques->start[core->links];
    core->couplings = onLinks + start[core->closings];
    KSI_TRY(ksiReserve(&core->allocator, &core->coupling, &core->couplingCapacity, (size_t)core->couplings,
                       sizeof *core->coupling));
    if (core->couplings > 0)
        memset(core->coupling, 0, (size_t)core->couplings * sizeof *core->coupling);
    for (int q = 0; q < core->couplings; q++)
        core->coupling[q].closing = q < onLinks ? cliques->list[q] : list[q - onLinks];
    size_t pairs = 0;
    for (int k = 0; k < core->links; k++) {
        core->link[k].joint.coupling = cliques->start[k];
        core->link[k].joint.end = cliques->start[k + 1];
        pairs = countPairs(&core->link[k].joint, pairs);
    }
    for (int c = 0; c < core->closings; c++) {
        core->closing[c].joint.coupling = onLinks + start[c];
        core->closing[c].joint.end = onLinks + start[c + 1];
        pairs = countPairs(&core->closing[c].joint, pairs);
    }
    if (pairs > INT_MAX)
        return KS_ERROR_NO_MEMORY;
    // one more integer, so that pair.at is not NULL if there are no pairs
    KSI_TRY(ksiIntsGrow(&core->allocator, &core->pair, pairs + 1));
    for (int k = 0; k < core->links; k++)
        connect(core, &core->link[k].joint, core->pair.at + core->link[k].joint.pair);
    for (int c = 0; c < core->closings; c++)
        connect(core, &core->closing[c].joint, core->pair.at + core->closing[c].joint.pair);
    return KS_OK;
}

ksStatus ksiCorePattern(ksiCore *core)
{
    if (core->closings == 0) {
        core->couplings = 0;
        return KS_OK;
    }
    const size_t links = (size_t)core->links, closings = (size_t)core->closings, onPaths = findPaths(core, NULL);
    ksiInts room = {NULL, 0};
    if (onPaths == SIZE_MAX || ksiIntsGrow(&core->allocator, &core->work, links + 2 + 2 * onPaths + 6 * closings + 2))
        return KS_ERROR_NO_MEMORY;
    ksiSets cliques = {core->work.at, core->work.at + links + 2};
    ksiSets paths = {cliques.list + onPaths, cliques.list + onPaths + closings + 1};
    int *order = paths.list + onPaths, *start = order + closings, *scratch = start + closings + 1;
    findPaths(core, &paths);
    ksiTransposeSets(core->closings, &paths, core->links, &cliques);
    ksStatus status = findOrder(core, &cliques, &paths, &room, scratch, order);
    if (!status) {
        permute(core, order);
        findPaths(core, &paths);
        ksiTransposeSets(core->closings, &paths, core->links, &cliques);
        status = ksiEliminateSets(&core->allocator, core->closings, &cliques, &paths, start, &room, scratch);
    }
    if (!status)
        status = setCouplings(core, &cliques, start, room.at);
    ksiFree(&core->allocator, room.at);
    return status;
}
