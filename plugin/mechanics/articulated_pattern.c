/* articulated_pattern.c  Is the system a tree, and in which order are its bodies visited? */
#include "system_private.h"

#include <string.h>

/* What a group of rows joins to a block: another block, or -1: the ground. */
static int otherBlock(const ksSystem *system, int group, int block)
{
    const int first = system->rowPiece.at[system->fronts.groupRow.at[group]];
    if (system->rowPiece.at[system->fronts.groupRow.at[group] + 1] - first < 2)
        return -1;
    const int *piece = system->pieceBlock.at + first;
    return piece[0] == block ? piece[1] : piece[0];
}

static int smallEnough(const ksSystem *system)
{
    const ksiFronts *p = &system->fronts;
    for (int b = 0; b < p->blockCount; b++)
        if (system->blockSize.at[b] > KSI_SIX)
            return 0;
    for (int g = 0; g < p->groupCount; g++) {
        const int l = p->groupRow.at[g], pieces = system->rowPiece.at[l + 1] - system->rowPiece.at[l];
        if (pieces < 1 || pieces > 2 || p->groupRow.at[g + 1] - l > KSI_SIX)
            return 0;
    }
    return 1;
}

static void addLimb(ksSystem *system, int block, int parent, int group)
{
    ksiTree *tree = &system->tree;
    if (parent >= 0)
        tree->limb[parent].lastChild = tree->limbCount;
    ksiLimb *limb = &tree->limb[tree->limbCount++];
    limb->block = block;
    limb->parent = parent;
    limb->lastChild = -1;
    limb->group = group;
    limb->side = 0;
    if (group >= 0)
        limb->side = system->pieceBlock.at[system->rowPiece.at[system->fronts.groupRow.at[group]]] != block;
}

/* Adds all that hangs on the limbs from `first` on; 0 where a loop is closed. stamped: blocks that are limbs. */
static int grow(ksSystem *system, int first, int stamp)
{
    const ksiFronts *p = &system->fronts;
    ksiTree *tree = &system->tree;
    for (int i = first; i < tree->limbCount; i++) {
        const int block = tree->limb[i].block;
        for (int q = p->blockStart.at[block]; q < p->blockStart.at[block + 1]; q++) {
            const int group = p->blockGroup.at[q], other = otherBlock(system, group, block);
            if (group == tree->limb[i].group)
                continue;
            if (other < 0 || system->blockStamp.at[other] == stamp)
                return 0;
            system->blockStamp.at[other] = stamp;
            addLimb(system, other, i, group);
        }
    }
    return 1;
}

/* Trees that stand on the ground first: their roots are given. */
static int findLimbs(ksSystem *system)
{
    const ksiFronts *p = &system->fronts;
    const int stamp = ksiNextStamp(system);
    system->tree.limbCount = 0;
    for (int pass = 0; pass < 2; pass++)
        for (int b = 0; b < p->blockCount; b++) {
            int ground = -1;
            for (int q = p->blockStart.at[b]; pass == 0 && q < p->blockStart.at[b + 1]; q++)
                if (otherBlock(system, p->blockGroup.at[q], b) < 0)
                    ground = p->blockGroup.at[q];
            if (system->blockStamp.at[b] == stamp || (pass == 0 && ground < 0))
                continue;
            system->blockStamp.at[b] = stamp;
            addLimb(system, b, -1, ground);
            if (!grow(system, system->tree.limbCount - 1, stamp))
                return 0;
        }
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
        if (ksiReserve(&system->allocator, &tree->limb, &tree->limbCapacity, (size_t)system->blockCount,
                       sizeof *tree->limb))
            return KS_ERROR_NO_MEMORY;
        tree->isTree = findLimbs(system);
    }
    tree->stamp = system->fronts.stamp;
    return KS_OK;
}
