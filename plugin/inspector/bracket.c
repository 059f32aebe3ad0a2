/* bracket.c  A step of the engine between two looks at the world. */
#include "inspector.h"
#include "phases.h"

#include "../base/quietly.h"

#include <math.h>

static ksStatus admit(const ksInspector *inspector, bool open)
{
    if (!inspector)
        return KS_ERROR_BAD_ARGUMENT;
    if (inspector->isBusy)
        return KS_ERROR_REENTRY;
    return inspector->isOpen == open ? KS_OK : KS_ERROR_BRACKET;
}

static ksStatus end(ksInspector *inspector)
{
    ksiStepEnd(inspector);
    // callbacks may destroy the inspector: keep what is returned
    const ksStatus status = inspector->status;
    ksiPublish(inspector);
    return status;
}

ksStatus ksInspectorBeginStep(ksInspector *inspector, ksStepper stepper, dReal stepSize)
{
    ksStatus status = admit(inspector, false);
    if (status)
        return status;
    if (!isfinite(stepSize) || stepSize <= 0 || (stepper != KS_WORLD_STEP && stepper != KS_QUICK_STEP))
        return KS_ERROR_BAD_ARGUMENT;
    KSI_QUIETLY(ksiStepBegin(inspector, stepper, stepSize));
    return inspector->status;
}

ksStatus ksInspectorEndStep(ksInspector *inspector)
{
    ksStatus status = admit(inspector, true);
    if (!status && inspector->input.isKnown && ksiIsCovered(&inspector->step))
        status = KS_ERROR_BRACKET;
    return status ? status : end(inspector);
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
    if (status)
        return status;
    if (!isfinite(h) || h <= 0)
        return KS_ERROR_BAD_ARGUMENT;

    KSI_QUIETLY(ksiStepBegin(inspector, stepper, h));
    // the engine may abort on such a body
    if (inspector->input.culprit)
        return abandon(inspector, KS_ERROR_NOT_FINITE);
    dWorldID world = inspector->step.engine.world;
    int stepped = stepper == KS_WORLD_STEP ? dWorldStep(world, h) : dWorldQuickStep(world, h);
    return stepped ? end(inspector) : abandon(inspector, KS_ERROR_ENGINE);
}

ksStatus ksInspectorStep(ksInspector *inspector, dReal stepSize)
{
    return step(inspector, KS_WORLD_STEP, stepSize);
}

ksStatus ksInspectorQuickStep(ksInspector *inspector, dReal stepSize)
{
    return step(inspector, KS_QUICK_STEP, stepSize);
}
