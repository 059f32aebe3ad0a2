/* follow.c  What a system that is refilled step after step keeps of the mechanism in it, apart from the system: mechanisms of
 * the same pattern may take turns in one, whose numbers then stay near. */
#include "system_private.h"

void ksiSystemFollowAs(ksSystem *system, ksiKept *kept)
{
    system->isFollowed = 1;
    system->kept = kept ? kept : &system->own;
}

unsigned ksiSystemShapes(const ksSystem *system)
{
    return system->shapes;
}

ksiKeptView *ksiKeptOfFactor(ksSystem *system, const ksiFactor *f)
{
    ksiKeptView *kept = &system->kept->view[f - system->factor];
    if (kept->shape != f->shape)
        kept->lowestKnown = 0;
    kept->shape = f->shape;
    return kept;
}

ksStatus ksiKeptCreate(const ksAllocator *allocator, ksiKept **kept)
{
    ksAllocator own;
    ksiAllocatorInit(&own, allocator);
    ksiKept *made = own.resize(own.user, NULL, sizeof *made);
    if (!made)
        return KS_ERROR_NO_MEMORY;
    *made = (ksiKept){.allocator = own};
    *kept = made;
    return KS_OK;
}

void ksiKeptForget(ksiKept *kept)
{
    kept->refined = 0;
    for (int view = 0; view < KSI_VIEW_COUNT; view++)
        kept->view[view].shape = 0;
}

void ksiKeptFree(ksiKept *kept)
{
    const ksAllocator *allocator = &kept->allocator;
    for (int view = 0; view < KSI_VIEW_COUNT; view++)
        ksiFree(allocator, kept->view[view].lowest.at);
}

void ksiKeptDestroy(ksiKept *kept)
{
    if (!kept)
        return;
    const ksAllocator allocator = kept->allocator;
    ksiKeptFree(kept);
    ksiFree(&allocator, kept);
}
