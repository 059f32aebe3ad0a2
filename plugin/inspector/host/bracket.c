/* bracket.c  A step of the engine between two readings of the world. */
#include "../exact/exact.h"
#include "../phases.h"
#include "deferred.h"
#include "feedback.h"
#include "host_calls.h"

#include "../../base/fpguard.h"

#include <math.h>

static ksStatus admit(ksInspector *inspector, bool open)
{
    KSI_REQUIRE_POINTER(inspector);
    if (ksiIsInHost(inspector))
        return KS_ERROR_REENTRY;
    if (inspector->isOpen != open)
        return KSI_EXPLAIN(KS_ERROR_BRACKET, open ? "no step was begun" : "a step was begun and not ended");
    return KS_OK;
}

static ksStatus checkSize(double stepSize)
{
    KSI_REQUIRE(isfinite(stepSize) && stepSize > 0, "stepSize is %g, must be finite and > 0", stepSize);
    return KS_OK;
}

static ksStatus checkStepper(ksStepper stepper)
{
    KSI_REQUIRE(stepper != KS_EXACT_STEP, "stepper is KS_EXACT_STEP, which needs ksInspectorExactStep");
    KSI_REQUIRE(stepper == KS_WORLD_STEP || stepper == KS_QUICK_STEP || stepper == KS_FOREIGN_STEP,
                "stepper is %d, not one of ksStepper", (int)stepper);
    return KS_OK;
}

/* Announces the open step to subscribers if it was read: in a step that was not read, feedback does
 * not show how brackets are nested. If there are subscriptions, no other thread inspects a step
 * meanwhile. */
static void sayEngineStep(ksInspector *inspector, bool isDone)
{
    const bool isTaken = inspector->isTaken;
    if (!ksiHearsEngineStep(inspector))
        return;
    ksEngineStep said = {.isDone = isDone, .step = inspector->stepsDone, .time = inspector->timeDone};
    said.stepper = isTaken ? inspector->deferred->next.stepper : inspector->published.report.stepper;
    said.stepSize = isTaken ? inspector->deferred->next.h : inspector->step.h;
    if (isTaken ? !inspector->deferred->next.missing : inspector->input.isKnown)
        ksiSayEngineStep(inspector, &said);
}

/* Makes the callbacks of a deferred step, and returns its status. *isGone: a callback has destroyed
 * the inspector. */
static ksStatus catchUp(ksInspector *inspector, bool *isGone)
{
    *isGone = false;
    if (!inspector->deferred || !inspector->deferred->isDue)
        return KS_OK;
    if (!ksiDeferredWait(inspector))
        return KSI_EXPLAIN(KS_ERROR_UNAVAILABLE, "the process was forked while a step was being inspected");
    const ksStatus status = inspector->status;
    inspector->deferred->isDue = false;
    *isGone = !ksiPublish(inspector, inspector->deferred->last, true);
    return status;
}

/* Before a step: without subscriptions there is nothing to wait for. */
static ksStatus catchUpBefore(ksInspector *inspector)
{
    bool isGone;
    if (!ksiDeferIsAwaited(inspector))
        return KS_OK;
    const ksStatus status = catchUp(inspector, &isGone);
    if (isGone)
        return KSI_EXPLAIN(KS_ERROR_ENDED,
                           "a callback of the last step has destroyed the inspector: the world was not stepped");
    return status == KS_ERROR_UNAVAILABLE ? status : KS_OK;
}

static ksStatus openBracket(ksInspector *inspector, ksStepper stepper, double h)
{
    inspector->isTaken = inspector->deferred && stepper != KS_EXACT_STEP && stepper != KS_FOREIGN_STEP;
    if (inspector->isTaken)
        return ksiDeferBegin(inspector, stepper, h);
    if (inspector->deferred)
        ksiDeferNot(inspector);
    inspector->isOpen = true;
    KSI_GUARD_FP(ksiStepBegin(inspector, stepper, h));
    return inspector->status;
}

/* Callbacks may destroy the inspector, so the status is copied first. */
static ksStatus end(ksInspector *inspector)
{
    ksStatus status;
    sayEngineStep(inspector, true);
    if (inspector->isTaken) {
        status = ksiDeferEnd(inspector);
        if (inspector->isDoomed)
            ksiInspectorFree(inspector);
        return status;
    }
    inspector->isOpen = false;
    ksiStepEnd(inspector);
    status = inspector->status;
    (void)ksiPublish(inspector, inspector->subscriptions.last, false);
    return status;
}

static ksStatus beginStep(ksInspector *inspector, ksStepper stepper, double stepSize)
{
    KSI_TRY(admit(inspector, false));
    KSI_TRY(checkSize(stepSize));
    KSI_TRY(checkStepper(stepper));
    KSI_TRY(catchUpBefore(inspector));
    const ksStatus status = openBracket(inspector, stepper, stepSize);
    if (inspector->isOpen)
        sayEngineStep(inspector, false);
    return status;
}

ksStatus ksInspectorBeginStep(ksInspector *inspector, ksStepper stepper, dReal stepSize)
{
    return KSI_ANSWER(beginStep(inspector, stepper, stepSize));
}

static bool isCovered(const ksInspector *inspector)
{
    if (inspector->isTaken)
        return ksiDeferIsCovered(inspector);
    return inspector->input.isKnown && ksiIsCovered(&inspector->step);
}

ksStatus ksInspectorEndStep(ksInspector *inspector)
{
    ksStatus status = admit(inspector, true);
    if (!status && isCovered(inspector))
        status = KSI_EXPLAIN(KS_ERROR_BRACKET, "another inspector's step, begun within this one, has not ended");
    return KSI_ANSWER(status ? status : end(inspector));
}

static ksStatus flush(ksInspector *inspector)
{
    bool isGone;
    KSI_TRY(admit(inspector, false));
    return catchUp(inspector, &isGone);
}

ksStatus ksInspectorFlush(ksInspector *inspector)
{
    return KSI_ANSWER(flush(inspector));
}

/* Ends an open step in which nothing has moved. */
static ksStatus abandon(ksInspector *inspector, ksStatus why)
{
    if (inspector->isTaken)
        ksiDeferNothing(inspector);
    else
        ksiGiveFeedbackBack(&inspector->step, &inspector->report);
    inspector->isOpen = inspector->input.isKnown = false;
    // the next step has no predecessor
    inspector->input.jointCount = inspector->input.bodyCount = 0;
    inspector->step.jointCount = inspector->step.bodyCount = 0;
    inspector->published.report.culprit = inspector->input.culprit;
    inspector->published.report.culpritJoint = inspector->input.culpritJoint;
    inspector->published.isReported = true;
    return why;
}

void ksiGiveUp(ksInspector *inspector)
{
    const bool isDoomed = inspector->isDoomed;
    ksiEndSubstitution(inspector->exact.substitution);
    if (inspector->isOpen)
        (void)abandon(inspector, KS_OK);
    ksiCompactSubscriptions(inspector);
    if (isDoomed)
        ksiInspectorFree(inspector);
}

static ksStatus step(ksInspector *inspector, ksStepper stepper, double h)
{
    KSI_TRY(admit(inspector, false));
    KSI_TRY(checkSize(h));

    if (stepper == KS_EXACT_STEP && !ksiCanSubstitute(&inspector->step.engine))
        return KSI_EXPLAIN(KS_ERROR_UNSUPPORTED_ENGINE,
                           "the addresses of the world's threading and of the joints' marks are unknown");
    KSI_TRY(catchUpBefore(inspector));
    const ksStatus begun = openBracket(inspector, stepper, h);
    if (!inspector->isOpen)
        return begun;
    // the engine may abort on such a body
    if (inspector->isTaken ? inspector->deferred->culprit : inspector->input.culprit)
        return abandon(inspector, KSI_EXPLAIN(KS_ERROR_NOT_FINITE, "a body has a NaN or an infinity: report->culprit"));
    if (stepper == KS_EXACT_STEP && inspector->input.culpritJoint)
        return abandon(inspector, KSI_EXPLAIN(KS_ERROR_NOT_FINITE,
                                              "rows of a joint have a NaN or an infinity: report->culpritJoint"));
    sayEngineStep(inspector, false);
    // the engine's movedCallbacks must not step the inspector, and may destroy it
    dWorldID world = inspector->step.engine.world;
    KSI_HOST_SCOPE scope = ksiEnterHost(inspector);
    const int stepped = stepper == KS_EXACT_STEP   ? ksiMakeExactStep(inspector)
                        : stepper == KS_WORLD_STEP ? dWorldStep(world, h)
                                                   : dWorldQuickStep(world, h);
    ksiLeaveHost(&scope);
    if (stepped)
        return end(inspector);
    const bool isDoomed = inspector->isDoomed;
    const ksStatus status = abandon(inspector, KS_ERROR_ENGINE);
    if (isDoomed)
        ksiInspectorFree(inspector);
    return status;
}

ksStatus ksInspectorStep(ksInspector *inspector, dReal stepSize)
{
    return KSI_ANSWER(step(inspector, KS_WORLD_STEP, stepSize));
}

ksStatus ksInspectorQuickStep(ksInspector *inspector, dReal stepSize)
{
    return KSI_ANSWER(step(inspector, KS_QUICK_STEP, stepSize));
}

ksStatus ksInspectorExactStep(ksInspector *inspector, dReal stepSize)
{
    return KSI_ANSWER(step(inspector, KS_EXACT_STEP, stepSize));
}
