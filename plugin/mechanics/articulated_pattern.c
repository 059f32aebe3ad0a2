/* articulated_pattern.c  Is the system a tree, and in which order are its bodies visited? */
#include "system_private.h"

#include <limits.h>

/* What a group of rows joins to a block: another block, or -1: the ground. */
static int otherBlock(const ksSystem *system, int group, int block)
{
    const int first = system->model.rowPiece.at[system->fronts.groupRow.at[group]];
    if (system->model.rowPiece.at[system->fronts.groupRow.at[group] + 1] - first < 2)
        return -1;
    const int *piece = system->model.pieceBlock.at + first;
    return piece[0] == block ? piece[1] : piece[0];
}

static int smallEnough(const ksSystem *system)
{
    const ksiFronts *p = &system->fronts;
    for (int b = 0; b < p->blockCount; b++)
        if (system->model.blockSize.at[b] > KSI_SIX)
            return 0;
    for (int g = 0; g < p->groupCount; g++) {
        const int l = p->groupRow.at[g], pieces = system->model.rowPiece.at[l + 1] - system->model.rowPiece.at[l];
        if (pieces < 1 || pieces > 2 || p->groupRow.at[g + 1] - l > KSI_SIX)
            return 0;
    }
    return 1;
}

static void addLimb(ksSystem *system, int block, int parent, int group, int stamp)
{
    ksiTree *tree = &system->tree;
    if (parent >= 0)
        tree->limb[parent].lastChild = tree->limbCount;
    ksiLimb *limb = &tree->limb[tree->limbCount++];
    limb->block = block;
    limb->parent = parent;
    limb->lastChild = -1;
    limb->next = system->fronts.blockStart.at[block];
    limb->group = group;
    limb->side = 0;
    if (group >= 0)
        limb->side = system->model.pieceBlock.at[system->model.rowPiece.at[system->fronts.groupRow.at[group]]] != block;
    system->model.blockStamp.at[block] = stamp;
}

/* Adds up to `most` of the blocks that hang on a limb; those that were added have the stamp. 0: a loop is closed. */
static int addChildren(ksSystem *system, int parent, int most, int stamp)
{
    const ksiFronts *p = &system->fronts;
    ksiLimb *limb = &system->tree.limb[parent];
    for (int end = p->blockStart.at[limb->block + 1]; limb->next < end && most > 0; limb->next++) {
        const int group = p->blockGroup.at[limb->next], other = otherBlock(system, group, limb->block);
        if (group == limb->group)
            continue;
        if (other < 0 || system->model.blockStamp.at[other] == stamp)
            return 0;
        addLimb(system, other, parent, group, stamp);
        most--;
    }
    return 1;
}

/* A tree from its root, a generation at a time: the first children of all, then the others. Neighbours in the list then
 * have different parents as a rule, see factorise(). */
static int grow(ksSystem *system, int root, int group, int stamp)
{
    const ksiTree *tree = &system->tree;
    int begin = tree->limbCount;
    addLimb(system, root, -1, group, stamp);
    for (int end = begin; begin < tree->limbCount; begin = end) {
        end = tree->limbCount;
        for (int i = begin; i < end; i++)
            if (!addChildren(system, i, 1, stamp))
                return 0;
        for (int i = begin; i < end; i++)
            if (!addChildren(system, i, INT_MAX, stamp))
                return 0;
    }
    return 1;
}

/* The heaviest block of the limbs from `first` on; -1: some have fewer than six coordinates. */
static int heaviestBlock(const ksSystem *system, int first)
{
    const ksiTree *tree = &system->tree;
    int heaviest = tree->limb[first].block;
    for (int i = first; i < tree->limbCount; i++) {
        const int block = tree->limb[i].block;
        if (system->model.blockSize.at[block] < KSI_SIX)
            return -1;
        if (ksiBlockWeight(&system->model, block) > ksiBlockWeight(&system->model, heaviest))
            heaviest = block;
    }
    return heaviest;
}

/* The last limb, or the one half of the way from there to the root. */
static int lastLimb(const ksiTree *tree, int toMiddle)
{
    const ksiLimb *limb = tree->limb;
    int at = tree->limbCount - 1;
    for (int ahead = limb[at].parent; toMiddle && ahead >= 0 && limb[ahead].parent >= 0; at = limb[at].parent)
        ahead = limb[limb[ahead].parent].parent;
    return at;
}

/* Any rigid body may be the root of a tree that is free. From the middle there are at least two branches that have
 * nothing to do with each other: the longest way is that from the body farthest from any to the one farthest from there.
 * A body that is much heavier comes first, see MOST_ROUNDING. Particles may have fewer coordinates than a joint has
 * rows: then the first body stays the root. */
static int growFromMiddle(ksSystem *system, int root, int stamp)
{
    ksiTree *tree = &system->tree;
    const int first = tree->limbCount;
    int heaviest = root;
    for (int k = 0; k < 2; k++) {
        if (!grow(system, root, -1, stamp))
            return 0;
        heaviest = heaviestBlock(system, first);
        if (heaviest < 0)
            return 1;
        root = tree->limb[lastLimb(tree, k)].block;
        for (; tree->limbCount > first; tree->limbCount--)
            system->model.blockStamp.at[tree->limb[tree->limbCount - 1].block] = 0;
    }
    const int isHeavy =
        ksiBlockWeight(&system->model, heaviest) > KSI_MUCH_HEAVIER * ksiBlockWeight(&system->model, root);
    return grow(system, isHeavy ? heaviest : root, -1, stamp);
}

/* The group that joins a block to the ground, the last if there are several, or -1. */
static int groundGroup(const ksSystem *system, int block)
{
    const ksiFronts *p = &system->fronts;
    int ground = -1;
    for (int q = p->blockStart.at[block]; q < p->blockStart.at[block + 1]; q++)
        if (otherBlock(system, p->blockGroup.at[q], block) < 0)
            ground = p->blockGroup.at[q];
    return ground;
}

/* Trees that stand on the ground first: their roots are given. */
static int findLimbs(ksSystem *system)
{
    const int stamp = ksiNextStamp(&system->model), blocks = system->fronts.blockCount;
    system->tree.limbCount = 0;
    for (int b = 0; b < blocks; b++) {
        const int ground = groundGroup(system, b);
        if (ground >= 0 && system->model.blockStamp.at[b] != stamp && !grow(system, b, ground, stamp))
            return 0;
    }
    for (int b = 0; b < blocks; b++)
        if (system->model.blockStamp.at[b] != stamp && !growFromMiddle(system, b, stamp))
            return 0;
    return 1;
}

ksStatus ksiTreePattern(ksSystem *system)
{
    ksiTree *tree = &system->tree;
    const ksStatus status = ksiGroupsPattern(system);
    if (status || tree->stamp == system->fronts.stamp)
        return status;
    tree->stamp = 0;
    tree->known = tree->isTree = 0;
    if (smallEnough(system)) {
        if (ksiReserve(&system->allocator, &tree->limb, &tree->limbCapacity, (size_t)system->model.blockCount,
                       sizeof *tree->limb))
            return KS_ERROR_NO_MEMORY;
        tree->isTree = findLimbs(system);
    }
    tree->stamp = system->fronts.stamp;
    return KS_OK;
}
