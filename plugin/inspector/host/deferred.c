/* deferred.c  Copies each step on the host's thread into one of two snapshots, for inspection on
 * another thread.
 *
 * The phases are the same as for a step that is inspected in place. Here they inspect images of the
 * snapshot (engine/snapshot.h), with the host's rounding mode. So results are bitwise the same.
 * Bodies and joints are identified by the host's addresses. */
#include "deferred.h"

#include "../../base/fpguard.h"

#include <string.h>

static void see(ksInspector *inspector, const ksiDeferredStep *step)
{
    ksiDeferred *deferred = inspector->deferred;
    inspector->step.seen = &deferred->seen;
    inspector->missing = step->missing;
    if (!inspector->missing)
        inspector->missing = ksiShowBegin(&inspector->step.allocator, step->snapshot, &deferred->images);
    ksiStepBegin(inspector, step->stepper, step->h);
    if (!inspector->missing)
        ksiShowEnd(step->snapshot, &deferred->images);
    inspector->missing = KS_OK;
}

/* Inspects the recorded step, on any thread. */
static void inspect(void *of)
{
    ksInspector *inspector = of;
    const ksiDeferredStep *step = &inspector->deferred->job;
    fenv_t own;
    fegetenv(&own);
    fesetenv(&step->environment);
    KSI_GUARD_FP(see(inspector, step));
    ksiStepEnd(inspector);
    fesetenv(&own);
}

ksStatus ksiDefer(ksInspector *inspector)
{
    const ksAllocator *allocator = &inspector->step.allocator;
    ksiDeferred *made = allocator->resize(allocator->user, NULL, sizeof *made);
    if (!made)
        return KS_ERROR_NO_MEMORY;
    memset(made, 0, sizeof *made);
    ksStatus status = ksiWorkerCreate(allocator, inspector->step.options.executor, inspect, inspector, &made->worker);
    if (!status)
        status = ksiImagesOpen(&inspector->step.engine, &made->images, &made->seen);
    if (status) {
        ksiWorkerDestroy(made->worker);
        ksiFree(allocator, made);
        return status;
    }
    ksiTakerInit(&inspector->step.engine, &made->taker);
    inspector->deferred = made;
    return KS_OK;
}

ksStatus ksiDeferBegin(ksInspector *inspector, ksStepper stepper, double h)
{
    ksiDeferred *deferred = inspector->deferred;
    if (!ksiWorkerIsSound(deferred->worker))
        return KSI_EXPLAIN(KS_ERROR_UNAVAILABLE, "the process was forked while a step was being inspected");
    ksiSnapshot *snapshot = &deferred->snapshot[deferred->taking];
    ksiDeferredStep *next = &deferred->next;
    *next = (ksiDeferredStep){.snapshot = snapshot, .stepper = stepper, .h = h};
    fegetenv(&next->environment);
    KSI_GUARD_FP(next->missing = ksiTakeBegin(&inspector->step.engine, &inspector->step.allocator, h, &deferred->taker,
                                              snapshot, &deferred->culprit));
    inspector->isOpen = true;
    return next->missing ? next->missing : deferred->culprit ? KS_ERROR_NOT_FINITE : KS_OK;
}

bool ksiDeferIsCovered(const ksInspector *inspector)
{
    const ksiDeferred *deferred = inspector->deferred;
    return !deferred->next.missing &&
           ksiTakeIsCovered(&inspector->step.engine, &deferred->taker, &deferred->snapshot[deferred->taking]);
}

static void endTaking(ksInspector *inspector)
{
    ksiDeferred *deferred = inspector->deferred;
    if (!deferred->next.missing)
        ksiTakeEnd(&inspector->step.engine, &deferred->taker, &deferred->snapshot[deferred->taking]);
    inspector->isOpen = false;
}

ksStatus ksiDeferEnd(ksInspector *inspector)
{
    ksiDeferred *deferred = inspector->deferred;
    endTaking(inspector);
    if (!ksiDeferredWait(inspector))
        return KSI_EXPLAIN(KS_ERROR_UNAVAILABLE, "the process was forked while a step was being inspected");
    // the snapshot after a step without images must be complete
    deferred->taker.isBlank |= deferred->images.isBehind;
    deferred->job = deferred->next;
    deferred->taking = !deferred->taking;
    deferred->isDue = true;
    deferred->last = inspector->subscriptions.last;
    const ksStatus status = deferred->next.missing ? deferred->next.missing
                            : deferred->culprit    ? KS_ERROR_NOT_FINITE
                                                   : KS_OK;
    ksiWorkerPost(deferred->worker);
    return status;
}

void ksiDeferNothing(ksInspector *inspector)
{
    ksiDeferred *deferred = inspector->deferred;
    endTaking(inspector);
    (void)ksiDeferredWait(inspector);
    // the images have not seen this step
    deferred->taker.isBlank = true;
    deferred->isDue = false;
    inspector->step.seen = &inspector->step.engine;
    ksiStepOpen(inspector, deferred->next.stepper, deferred->next.h);
    inspector->status = KS_OK;
    inspector->input.culprit = deferred->culprit;
}

void ksiDeferNot(ksInspector *inspector)
{
    (void)ksiDeferredWait(inspector);
    inspector->deferred->isDue = false;
    inspector->step.seen = &inspector->step.engine;
}

bool ksiDeferIsAwaited(const ksInspector *inspector)
{
    const ksiDeferred *deferred = inspector->deferred;
    if (!deferred || !deferred->isDue)
        return false;
    for (size_t i = 0; i < inspector->subscriptions.count; i++) {
        const ksiSubscription *s = &inspector->subscriptions.at[i];
        if (s->id <= deferred->last && s->active && s->kind != KSI_ON_DESTROY)
            return true;
    }
    return false;
}
