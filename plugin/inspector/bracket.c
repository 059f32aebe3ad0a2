/* bracket.c  A step of the engine between two looks at the world. */
#include "inspector_private.h"

#include "../base/quietly.h"

#include <math.h>
#include <string.h>

static ksStatus admit(const ksInspector *inspector, bool open)
{
    KSI_REQUIRE_POINTER(inspector);
    if (inspector->busy)
        return KS_ERROR_REENTRY;
    if (inspector->open != open)
        return KSI_EXPLAIN(KS_ERROR_BRACKET, open ? "no step was begun" : "a step was begun and not ended");
    return KS_OK;
}

static ksStatus checkStep(ksStepper stepper, double stepSize)
{
    KSI_REQUIRE(isfinite(stepSize) && stepSize > 0, "stepSize is %g, must be finite and > 0", stepSize);
    KSI_REQUIRE(stepper == KS_WORLD_STEP || stepper == KS_QUICK_STEP, "stepper is %d, not one of ksStepper",
                (int)stepper);
    return KS_OK;
}

static void begin(ksInspector *inspector, ksStepper stepper, double h)
{
    inspector->open = true;
    inspector->stepper = stepper;
    inspector->previousH = inspector->h;
    inspector->h = h;
    inspector->sweeps = stepper == KS_QUICK_STEP ? dWorldGetQuickStepNumIterations(inspector->engine.world) : 0;
    inspector->isPool = stepper == KS_QUICK_STEP && ksiThreadCount(&inspector->engine) > 1;
    inspector->reactionCount = 0;
    inspector->reported = inspector->groupsKnown = false;
    memset(&inspector->report, 0, sizeof inspector->report);
    inspector->lapped = ksiNow();
    inspector->report.step = inspector->step;
    inspector->report.time = inspector->time;
    inspector->report.stepper = stepper;
    inspector->status = ksiSnapshotBegin(inspector);
}

/* What is unique of a loop that has drifted its physical values tell, which are found first then. */
static bool beginPhysical(ksInspector *inspector, int island)
{
    ksiFindRowAccelerations(inspector, island);
    const bool drifted = ksiSolveDrifted(inspector, island);
    ksiLap(inspector, KS_PHASE_PHYSICAL);
    return drifted;
}

static void endPhysical(ksInspector *inspector, int island, bool drifted)
{
    if (drifted)
        ksiPublishDrifted(inspector, island);
    else
        ksiSolvePhysical(inspector, island);
    ksiLap(inspector, KS_PHASE_PHYSICAL);
}

/* Island by island: what a solution has written is read again while it is near. */
static void solve(ksInspector *inspector)
{
    ksiReadReport(inspector);
    ksiReadMotion(inspector);
    ksStatus status = ksiFindIslands(inspector);
    ksiLap(inspector, KS_PHASE_SNAPSHOT);
    if (status) {
        inspector->status = status;
        inspector->known = false;  // islands without systems
        return;
    }
    const bool physical = inspector->options.values & KS_COMPUTE_PHYSICAL;
    for (int i = 0; i < (int)inspector->islandCount; i++) {
        const bool drifted = physical && beginPhysical(inspector, i);
        ksiSolveIsland(inspector, i);
        ksiCheckMomentum(inspector, i);
        if (inspector->options.values)
            ksiLap(inspector, KS_PHASE_VERDICT);
        if (physical)
            endPhysical(inspector, i, drifted);
    }
    ksiCheckLooseBodies(inspector);
    status = ksiJudgeLoads(inspector);
    if (status)
        inspector->status = status;
    ksiLap(inspector, KS_PHASE_VERDICT);
    if (inspector->options.estimateSweeps)
        ksiEstimate(inspector);
    ksiJudge(inspector);
    ksiLap(inspector, KS_PHASE_VERDICT);
}

static void finish(ksInspector *inspector)
{
    inspector->lapped = ksiNow();
    inspector->open = false;
    inspector->report.stepped = 1;
    if (inspector->known)
        solve(inspector);
    inspector->report.inspected = !inspector->status;
    inspector->reported = true;
    inspector->step++;
    inspector->time += inspector->h;
}

static ksStatus end(ksInspector *inspector)
{
    KSI_QUIETLY(finish(inspector));
    // callbacks may destroy the inspector: keep what is returned
    ksStatus status = inspector->status;
    ksiPublish(inspector);
    return status;
}

static ksStatus beginStep(ksInspector *inspector, ksStepper stepper, double stepSize)
{
    ksStatus status = admit(inspector, false);
    if (!status)
        status = checkStep(stepper, stepSize);
    if (status)
        return status;
    KSI_QUIETLY(begin(inspector, stepper, stepSize));
    return inspector->status;
}

ksStatus ksInspectorBeginStep(ksInspector *inspector, ksStepper stepper, dReal stepSize)
{
    return KSI_ANSWER(beginStep(inspector, stepper, stepSize));
}

ksStatus ksInspectorEndStep(ksInspector *inspector)
{
    ksStatus status = admit(inspector, true);
    if (!status && inspector->known && ksiIsCovered(inspector))
        status = KSI_EXPLAIN(KS_ERROR_BRACKET, "another inspector's step, begun within this one, is not ended");
    return KSI_ANSWER(status ? status : end(inspector));
}

/* Nothing has moved. */
static ksStatus abandon(ksInspector *inspector, ksStatus why)
{
    ksiGiveFeedbackBack(inspector);
    inspector->open = inspector->known = false;
    inspector->jointCount = inspector->bodyCount = 0;  // no predecessor for the next step
    inspector->reported = true;
    return why;
}

static ksStatus step(ksInspector *inspector, ksStepper stepper, double h)
{
    ksStatus status = admit(inspector, false);
    if (!status)
        status = checkStep(stepper, h);
    if (status)
        return status;

    KSI_QUIETLY(begin(inspector, stepper, h));
    // the engine may abort on such a body
    if (inspector->report.culprit)
        return abandon(inspector, KSI_EXPLAIN(KS_ERROR_NOT_FINITE, "a body has a NaN or an infinity: report->culprit"));
    dWorldID world = inspector->engine.world;
    int stepped = stepper == KS_WORLD_STEP ? dWorldStep(world, h) : dWorldQuickStep(world, h);
    return stepped ? end(inspector) : abandon(inspector, KS_ERROR_ENGINE);
}

ksStatus ksInspectorStep(ksInspector *inspector, dReal stepSize)
{
    return KSI_ANSWER(step(inspector, KS_WORLD_STEP, stepSize));
}

ksStatus ksInspectorQuickStep(ksInspector *inspector, dReal stepSize)
{
    return KSI_ANSWER(step(inspector, KS_QUICK_STEP, stepSize));
}
