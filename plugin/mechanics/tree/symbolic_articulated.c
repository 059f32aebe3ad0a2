/* symbolic_articulated.c  Finds whether the system is a tree, and in which order its bodies are
 * visited. */
#include "articulated.h"

#include <limits.h>
#include <math.h>
#include <stdbool.h>

typedef struct Growth {
    ksiModel *model;
    const ksiFronts *fronts;
    ksiLinks *links;
} Growth;

/* The other block of a group of rows; -1: the ground. */
static int otherBlock(const Growth *t, int group, int block)
{
    const int row = t->fronts->groupRow[group], first = t->model->rowPiece[row];
    const int *piece = t->model->pieceBlock + first;
    if (t->model->rowPiece[row + 1] - first < 2)
        return -1;
    return piece[0] == block ? piece[1] : piece[0];
}

static int smallEnough(const Growth *t)
{
    const ksiFronts *p = t->fronts;
    for (int b = 0; b < p->blockCount; b++)
        if (t->model->blockSize[b] > KSI_SIX)
            return 0;
    for (int g = 0; g < p->groupCount; g++) {
        const int l = p->groupRow[g], pieces = t->model->rowPiece[l + 1] - t->model->rowPiece[l];
        if (pieces < 1 || pieces > 2 || p->groupRow[g + 1] - l > KSI_SIX)
            return 0;
    }
    return 1;
}

static void addLink(const Growth *t, int block, int parent, int group, int stamp)
{
    ksiLinks *tree = t->links;
    if (parent >= 0)
        tree->place[parent].lastChild = tree->count;
    ksiLinkPlace *link = &tree->place[tree->count++];
    link->block = block;
    link->parent = parent;
    link->lastChild = -1;
    link->next = t->fronts->blockStart[block];
    link->group = group;
    link->side = 0;
    if (group >= 0)
        link->side = t->model->pieceBlock[t->model->rowPiece[t->fronts->groupRow[group]]] != block;
    t->model->blockStamp[block] = stamp;
}

/* Adds up to `most` children of a link; blocks that were added have the stamp. Returns 0 if a loop
 * is closed. */
static int addChildren(const Growth *t, int parent, int most, int stamp)
{
    const ksiFronts *p = t->fronts;
    ksiLinkPlace *link = &t->links->place[parent];
    for (int end = p->blockStart[link->block + 1]; link->next < end && most > 0; link->next++) {
        const int group = p->blockGroup[link->next], other = otherBlock(t, group, link->block);
        if (group == link->group)
            continue;
        if (other < 0 || t->model->blockStamp[other] == stamp)
            return 0;
        addLink(t, other, parent, group, stamp);
        most--;
    }
    return 1;
}

/* Grows a tree from its root by generations: first one child of each link, then the other children.
 * Neighbours in the list then usually have different parents, see factorise() in articulated.c. */
static int grow(const Growth *t, int root, int group, int stamp)
{
    const ksiLinks *tree = t->links;
    int begin = tree->count;
    addLink(t, root, -1, group, stamp);
    for (int end = begin; begin < tree->count; begin = end) {
        end = tree->count;
        for (int i = begin; i < end; i++)
            if (!addChildren(t, i, 1, stamp))
                return 0;
        for (int i = begin; i < end; i++)
            if (!addChildren(t, i, INT_MAX, stamp))
                return 0;
    }
    return 1;
}

/* The heaviest block of the links from `first` on; -1: some of these blocks have fewer than six
 * coordinates. */
static int heaviestBlock(const Growth *t, int first)
{
    const ksiLinks *tree = t->links;
    int heaviest = tree->place[first].block;
    for (int i = first; i < tree->count; i++) {
        const int block = tree->place[i].block;
        if (t->model->blockSize[block] < KSI_SIX)
            return -1;
        if (ksiBlockWeight(t->model, block) > ksiBlockWeight(t->model, heaviest))
            heaviest = block;
    }
    return heaviest;
}

/* The last link, or the one halfway from there to the root. */
static int lastLink(const ksiLinks *tree, int toMiddle)
{
    const ksiLinkPlace *link = tree->place;
    int at = tree->count - 1;
    for (int ahead = link[at].parent; toMiddle && ahead >= 0 && link[ahead].parent >= 0; at = link[at].parent)
        ahead = link[link[ahead].parent].parent;
    return at;
}

/* Any rigid body may be the root of a free tree. The middle of its longest path has at least two
 * independent branches. One end of this path is the body farthest from an arbitrary body. The other
 * end is the body farthest from the first end. A much heavier body takes precedence, see
 * MOST_ROUNDING. If a body has fewer than six coordinates, a joint may have more rows than it has
 * coordinates: the first body then stays the root. */
static int growFree(const Growth *t, int root, int stamp)
{
    ksiLinks *tree = t->links;
    const int first = tree->count;
    int heaviest = root;
    for (int k = 0; k < 2; k++) {
        if (!grow(t, root, -1, stamp))
            return 0;
        heaviest = heaviestBlock(t, first);
        if (heaviest < 0)
            return 1;
        root = tree->place[lastLink(tree, k)].block;
        for (; tree->count > first; tree->count--)
            t->model->blockStamp[tree->place[tree->count - 1].block] = 0;
    }
    const bool isHeavy = ksiBlockWeight(t->model, heaviest) > KSI_MUCH_HEAVIER * ksiBlockWeight(t->model, root);
    return grow(t, isHeavy ? heaviest : root, -1, stamp);
}

/* The group that joins a block to the ground, the last if there are several, or -1. */
static int groundGroup(const Growth *t, int block)
{
    const ksiFronts *p = t->fronts;
    int ground = -1;
    for (int q = p->blockStart[block]; q < p->blockStart[block + 1]; q++)
        if (otherBlock(t, p->blockGroup[q], block) < 0)
            ground = p->blockGroup[q];
    return ground;
}

/* Trees on the ground first, since their roots are prescribed. */
static int findLinks(const Growth *t)
{
    const int stamp = ksiNextStamp(t->model), blocks = t->fronts->blockCount;
    t->links->count = 0;
    for (int b = 0; b < blocks; b++) {
        const int ground = groundGroup(t, b);
        if (ground >= 0 && t->model->blockStamp[b] != stamp && !grow(t, b, ground, stamp))
            return 0;
    }
    for (int b = 0; b < blocks; b++)
        if (t->model->blockStamp[b] != stamp && !growFree(t, b, stamp))
            return 0;
    return 1;
}

static ksStatus find(const Growth *t)
{
    ksiLinks *links = t->links;
    KSI_TRY(ksiReserve(t->model->allocator, &links->place, &links->capacity, (size_t)t->model->blockCount,
                       sizeof *links->place));
    links->isTree = findLinks(t);
    return KS_OK;
}

ksStatus ksiFindLinks(ksiModel *model, const ksiFronts *fronts, ksiLinks *links, unsigned *id)
{
    const Growth growth = {model, fronts, links};
    if (links->id > 0)
        return KS_OK;
    links->isTree = 0;
    if (smallEnough(&growth) && find(&growth))
        return KS_ERROR_NO_MEMORY;
    links->id = ++*id;
    return KS_OK;
}
