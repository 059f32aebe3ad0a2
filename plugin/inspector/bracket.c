/* bracket.c  A step of the engine between two looks at the world. */
#include "exact.h"
#include "feedback.h"
#include "inspector.h"
#include "phases.h"

#include "../base/fpguard.h"

#include <math.h>

static ksStatus admit(const ksInspector *inspector, bool open)
{
    KSI_REQUIRE_POINTER(inspector);
    if (inspector->isBusy)
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
    KSI_REQUIRE(stepper != KS_EXACT_STEP, "stepper is KS_EXACT_STEP, which is not of a bracket");
    KSI_REQUIRE(stepper == KS_WORLD_STEP || stepper == KS_QUICK_STEP, "stepper is %d, not one of ksStepper",
                (int)stepper);
    return KS_OK;
}

/* Of a step that could not be read, an inspector's feedback does not tell whose bracket is in whose. */
static void sayEngineStep(ksInspector *inspector, bool isDone)
{
    if (inspector->input.isKnown)
        ksiSayEngineStep(inspector, isDone);
}

static ksStatus end(ksInspector *inspector)
{
    sayEngineStep(inspector, true);
    ksiStepEnd(inspector);
    // callbacks may destroy the inspector: keep what is returned
    const ksStatus status = inspector->status;
    ksiPublish(inspector);
    return status;
}

static ksStatus beginStep(ksInspector *inspector, ksStepper stepper, double stepSize)
{
    ksStatus status = admit(inspector, false);
    if (!status)
        status = checkSize(stepSize);
    if (!status)
        status = checkStepper(stepper);
    if (status)
        return status;
    KSI_GUARD_FP(ksiStepBegin(inspector, stepper, stepSize));
    sayEngineStep(inspector, false);
    return inspector->status;
}

ksStatus ksInspectorBeginStep(ksInspector *inspector, ksStepper stepper, dReal stepSize)
{
    return KSI_ANSWER(beginStep(inspector, stepper, stepSize));
}

ksStatus ksInspectorEndStep(ksInspector *inspector)
{
    ksStatus status = admit(inspector, true);
    if (!status && inspector->input.isKnown && ksiIsCovered(&inspector->step))
        status = KSI_EXPLAIN(KS_ERROR_BRACKET, "another inspector's step, begun within this one, is not ended");
    return KSI_ANSWER(status ? status : end(inspector));
}

/* Nothing has moved. */
static ksStatus abandon(ksInspector *inspector, ksStatus why)
{
    ksiGiveFeedbackBack(&inspector->step, &inspector->report);
    inspector->isOpen = inspector->input.isKnown = false;
    // no predecessor for the next step
    inspector->input.jointCount = inspector->input.bodyCount = 0;
    inspector->step.jointCount = inspector->step.bodyCount = 0;
    inspector->published.report.culprit = inspector->input.culprit;
    inspector->published.isReported = true;
    return why;
}

static ksStatus step(ksInspector *inspector, ksStepper stepper, double h)
{
    ksStatus status = admit(inspector, false);
    if (!status)
        status = checkSize(h);
    if (status)
        return status;

    if (stepper == KS_EXACT_STEP && !ksiCanSubstitute(&inspector->step.engine))
        return KSI_EXPLAIN(KS_ERROR_UNSUPPORTED_ENGINE,
                           "the places of the world's threading and the joints' marks are unknown");
    KSI_GUARD_FP(ksiStepBegin(inspector, stepper, h));
    // the engine may abort on such a body
    if (inspector->input.culprit)
        return abandon(inspector, KSI_EXPLAIN(KS_ERROR_NOT_FINITE, "a body has a NaN or an infinity: report->culprit"));
    sayEngineStep(inspector, false);
    // moved callbacks must not step the inspector, and may destroy it
    dWorldID world = inspector->step.engine.world;
    inspector->isBusy = true;
    const int stepped = stepper == KS_EXACT_STEP   ? ksiMakeExactStep(inspector)
                        : stepper == KS_WORLD_STEP ? dWorldStep(world, h)
                                                   : dWorldQuickStep(world, h);
    inspector->isBusy = false;
    if (stepped)
        return end(inspector);
    const bool isDoomed = inspector->isDoomed;
    status = abandon(inspector, KS_ERROR_ENGINE);
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
