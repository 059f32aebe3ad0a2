/* warmstart.c  Warm start of a mechanism, separate from the system, which solves other mechanisms as well. */
#include "system_private.h"

void ksiSystemSetWarmStart(ksSystem *system, ksiWarmStart *warm)
{
    system->isWarmStarted = 1;
    system->warm = warm ? warm : &system->ownWarm;
}

unsigned ksiSystemLayouts(const ksSystem *system)
{
    return system->patterns.layouts;
}

ksStatus ksiSystemPattern(ksSystem *system)
{
    if (system->pattern)
        return KS_OK;
    KSI_TRY(ksiFindPattern(&system->patterns, &system->model, &system->warm->pattern));
    system->pattern = system->warm->pattern;
    return KS_OK;
}

ksiWarmView *ksiWarmViewOf(ksSystem *system, const ksiFactor *f)
{
    return &system->warm->view[f->index];
}

ksiWarmView *ksiWarmLowestOf(ksSystem *system, const ksiFactor *f)
{
    ksiWarmView *warm = ksiWarmViewOf(system, f);
    if (warm->lowestOf != f->symbolic->id)
        warm->lowestKnown = 0;
    warm->lowestOf = f->symbolic->id;
    return warm;
}

ksStatus ksiWarmStartCreate(const ksAllocator *allocator, ksiWarmStart **warm)
{
    ksAllocator own;
    ksiAllocatorInit(&own, allocator);
    ksiWarmStart *made = own.resize(own.user, NULL, sizeof *made);
    if (!made)
        return KS_ERROR_NO_MEMORY;
    *made = (ksiWarmStart){.allocator = own};
    *warm = made;
    return KS_OK;
}

void ksiWarmStartDestroy(ksiWarmStart *warm)
{
    if (!warm)
        return;
    const ksAllocator allocator = warm->allocator;
    ksiLeavePattern(&warm->pattern);
    for (int view = 0; view < KSI_VIEW_COUNT; view++)
        ksiFree(&allocator, warm->view[view].lowest.at);
    ksiFree(&allocator, warm);
}
