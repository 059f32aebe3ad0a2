/* lifecycle.c  Creation, destruction and getters of an inspector. */
#include "deferred.h"
#include "feedback.h"
#include "host_calls.h"

#include "../../base/fpguard.h"

#include <math.h>
#include <string.h>

static bool positive(double x)
{
    return isfinite(x) && x > 0;
}

#define REQUIRE_POSITIVE(x) KSI_REQUIRE(positive(x), "%s is %g, must be finite and > 0", #x, x)

static ksStatus check(const ksInspectorOptions *options)
{
    KSI_REQUIRE(options->size == sizeof *options, "options->size is %zu, must be %zu: call ksInspectorOptionsInit",
                options->size, sizeof *options);
    REQUIRE_POSITIVE(options->tolerance);
    REQUIRE_POSITIVE(options->momentumTolerance);
    REQUIRE_POSITIVE(options->loadFloor);
    KSI_REQUIRE(isfinite(options->rigidCfm) && options->rigidCfm >= 0,
                "options->rigidCfm is %g, must be finite and >= 0", options->rigidCfm);
    KSI_REQUIRE(positive(options->rankTolerance) && options->rankTolerance < 1,
                "options->rankTolerance is %g, must be in (0, 1)", options->rankTolerance);
    REQUIRE_POSITIVE(options->meanWindow);
    KSI_REQUIRE(options->contacts <= KS_CONTACTS_SOLVED, "options->contacts is %d, not one of ksContacts",
                (int)options->contacts);
    KSI_REQUIRE(options->exactContacts <= KS_EXACT_CONTACTS_SWEPT,
                "options->exactContacts is %d, not one of ksExactContacts", (int)options->exactContacts);
    KSI_REQUIRE(options->relaxedPerStep >= 0, "options->relaxedPerStep is %d, must be >= 0", options->relaxedPerStep);
    KSI_REQUIRE(options->contactSweeps <= KSI_MOST_SWEEPS, "options->contactSweeps is %zu, must be <= %d",
                options->contactSweeps, KSI_MOST_SWEEPS);
    KSI_REQUIRE(options->frictionRounds <= KSI_MOST_SWEEPS, "options->frictionRounds is %zu, must be <= %d",
                options->frictionRounds, KSI_MOST_SWEEPS);
    KSI_REQUIRE(options->latency <= KS_NEXT_STEP, "options->latency is %d, not one of ksLatency",
                (int)options->latency);
    KSI_REQUIRE(options->workers >= 0 && options->workers <= KSI_MOST_WORKERS,
                "options->workers is %d, must be from 0 to %d", options->workers, KSI_MOST_WORKERS);
    const ksExecutor *executor = options->executor;
    KSI_REQUIRE(!executor || (executor->post && executor->wait), "options->executor lacks a callback");
    return KS_OK;
}

static ksStatus create(dWorldID world, const ksInspectorOptions *options, ksInspector **inspector)
{
    KSI_REQUIRE_POINTER(world);
    KSI_REQUIRE_POINTER(inspector);
    KSI_TRY(options ? check(options) : KS_OK);
    ksInspectorOptions chosen;
    if (options)
        chosen = *options;
    else
        ksInspectorOptionsInit(&chosen);
    ksAllocator from;
    ksiAllocatorInit(&from, &chosen.allocator);

    ksiEngine engine;
    const ksStatus opened = ksiEngineOpen(world, &engine);
    if (opened == KS_ERROR_UNSUPPORTED_ENGINE)
        return KSI_EXPLAIN(opened, "%s: it differs in %s", ksiWordsOf(opened), ksiEngineDifference());
    KSI_TRY(opened);
    ksInspector *made = from.resize(from.user, NULL, sizeof *made);
    if (!made)
        return KS_ERROR_NO_MEMORY;
    memset(made, 0, sizeof *made);
    ksiArenaOpen(&made->arena, &from, &made->step.allocator);
    made->host.giveUp = ksiGiveUp;
    made->step.engine = engine;
    made->step.seen = &made->step.engine;
    made->step.options = chosen;
    made->worldEnergy = NAN;
    made->means.clock = ksiMeanClockOf(chosen.meanWindow);
    made->step.compliance[0] = 1;
    if (chosen.executor) {
        made->lanes.executor = *chosen.executor;
        made->step.options.executor = &made->lanes.executor;
    }
    ksiBindStep(made);
    const ksStatus status = chosen.latency == KS_NEXT_STEP ? ksiDefer(made) : KS_OK;
    if (!status)
        *inspector = made;
    else
        ksiInspectorFree(made);
    return status;
}

ksStatus ksInspectorCreate(dWorldID world, const ksInspectorOptions *options, ksInspector **inspector)
{
    return KSI_ANSWER(create(world, options, inspector));
}

void ksInspectorDestroy(ksInspector *inspector)
{
    if (!inspector)
        return;
    if (ksiIsInHost(inspector)) {
        inspector->isDoomed = true;
        return;
    }
    if (inspector->isOpen && !inspector->isTaken)
        ksiGiveFeedbackBack(&inspector->step, &inspector->report);
    ksiInspectorFree(inspector);
}

/* Waits for the last step's inspection. false: there is none, or the next step is being recorded
 * and the last one is unknown. */
static bool isAnswering(const ksInspector *inspector)
{
    return inspector && !(inspector->isTaken && inspector->isOpen) && ksiDeferredWait(inspector);
}

/* Fills `count` reactions, at least one, and returns the first. */
static const ksReaction *fillReactions(const ksInspector *inspector, size_t first, size_t count)
{
    KSI_GUARD_FP({
        for (size_t i = first; i < first + count; i++)
            (void)ksiReactionOf(&inspector->step, &inspector->published, i);
    });
    return &inspector->published.reaction[first];
}

const ksReaction *ksInspectorGetReaction(const ksInspector *inspector, dJointID joint)
{
    if (!joint || !isAnswering(inspector) || inspector->published.count == 0)
        return NULL;
    int index = ksiPointersFind(&inspector->input.jointIndex, joint);
    return index < 0 ? NULL : fillReactions(inspector, (size_t)index, 1);
}

const ksReaction *ksInspectorGetReactions(const ksInspector *inspector, size_t *count)
{
    size_t known = isAnswering(inspector) ? inspector->published.count : 0;
    if (count)
        *count = known;
    return known ? fillReactions(inspector, 0, known) : NULL;
}

const ksStepReport *ksInspectorGetStepReport(const ksInspector *inspector)
{
    return isAnswering(inspector) && inspector->published.isReported ? &inspector->published.report : NULL;
}

dBodyID ksInspectorGetBody(const ksInspector *inspector, size_t index)
{
    return isAnswering(inspector) && index < inspector->step.bodyCount ? inspector->step.body[index].begin.id : NULL;
}

int ksInspectorGetMass(const ksInspector *inspector, dBodyID body, double *mass, double inverse[9])
{
    const int index = body && isAnswering(inspector) && inspector->step.bodyCount > 0
                          ? ksiPointersFind(&inspector->input.bodyIndex, body)
                          : -1;
    if (index < 0 || !mass)
        return 0;
    const ksiBodyInput *input = &inspector->step.body[index];
    if (input->status || (!input->begin.kinematic && !input->dynamic))
        return 0;
    *mass = input->begin.kinematic ? INFINITY : input->begin.mass;
    for (int i = 0; inverse && i < 9; i++)
        inverse[i] = input->begin.kinematic ? 0 : input->begin.inverse[i];
    return 1;
}

double ksInspectorGetStepSize(const ksInspector *inspector)
{
    return isAnswering(inspector) ? inspector->step.h : 0;
}

const ksInspectorOptions *ksInspectorGetOptions(const ksInspector *inspector)
{
    return inspector ? &inspector->step.options : NULL;
}

dWorldID ksInspectorGetWorld(const ksInspector *inspector)
{
    return inspector ? inspector->step.engine.world : NULL;
}
