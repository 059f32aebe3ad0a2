/* deferred_wait.c  Waits for the inspecting thread before the calling thread uses the inspector. */
#include "deferred_wait.h"

bool ksiDeferredWait(const ksInspector *inspector)
{
    return !inspector->deferred || ksiWorkerWait(inspector->deferred->worker);
}

bool ksiEndDeferred(ksInspector *inspector)
{
    ksiDeferred *deferred = inspector->deferred;
    if (!deferred)
        return true;
    if (inspector->isOpen && inspector->isTaken && !deferred->next.missing)
        ksiTakeEnd(&inspector->step.engine, &deferred->taker, &deferred->snapshot[deferred->taking]);
    if (!ksiWorkerIsSound(deferred->worker))
        return false;
    ksiWorkerDestroy(deferred->worker);
    ksiImagesClose(&deferred->images);
    return true;
}
