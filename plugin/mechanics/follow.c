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
    return system->patterns.layouts;
}

ksStatus ksiSystemPattern(ksSystem *system)
{
    if (system->isPatternCurrent)
        return KS_OK;
    const ksStatus status = ksiFindPattern(&system->patterns, &system->model, &system->kept->pattern);
    if (status)
        return status;
    system->pattern = system->kept->pattern;
    system->isPatternCurrent = 1;
    return KS_OK;
}

ksiKeptView *ksiKeptOfFactor(ksSystem *system, const ksiFactor *f)
{
    return &system->kept->view[f->index];
}

ksiKeptView *ksiLowestOfFactor(ksSystem *system, const ksiFactor *f)
{
    ksiKeptView *kept = ksiKeptOfFactor(system, f);
    if (kept->lowestOf != f->symbolic->id)
        kept->lowestKnown = 0;
    kept->lowestOf = f->symbolic->id;
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

void ksiKeptFree(ksiKept *kept)
{
    const ksAllocator *allocator = &kept->allocator;
    ksiLeavePattern(&kept->pattern);
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
