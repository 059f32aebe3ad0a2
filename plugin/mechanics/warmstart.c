/* warmstart.c  The warm start of a mechanism. It is separate from the system, because one system
 * may solve several mechanisms in turn. */
#include "system_private.h"

#include <string.h>

void ksiSystemSetWarmStart(ksSystem *system, ksiWarmStart *warm)
{
    system->isWarmStarted = 1;
    system->warm = warm ? warm : &system->ownWarm;
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

ksStatus ksiSystemCreateWarmStart(ksSystem *system, ksiWarmStart **warm)
{
    ksiWarmStart *made = system->allocator.resize(system->allocator.user, NULL, sizeof *made);
    if (!made)
        return KS_ERROR_NO_MEMORY;
    memset(made, 0, sizeof *made);
    *warm = made;
    return KS_OK;
}
