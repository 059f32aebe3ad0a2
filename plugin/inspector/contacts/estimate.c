/* estimate.c  Phase 12: estimates the error of the engine's net forces on bodies. For contacts that
 * are known loads, the error is the distance of their net force from its mean (net_run.c). Before
 * there is a mean, and for islands without a factorisation, sweeps estimate the error (pgs.c). The
 * split of a force among contacts is not unique. But if the friction bounds are fixed, the net
 * force on a body is unique. In the sweeps, this force is `u`. */
#include "../phases.h"
#include "../publish/wrench_norm.h"
#include "pgs.h"

#include <math.h>

/* The error relative to the body's load; swept: the size of its swept net reaction. */
static double relate(const ksiStep *step, int index, double swept, double error)
{
    const ksiBodyInput *body = &step->body[index];
    const int island = step->bodyMember[index].island;
    const double around = island < 0 ? 0 : step->islandConverged[island].load;
    double reported[6];
    ksiScaleWrench(body, step->bodyReport[index].net, reported);
    double load = fmax(ksiSize(reported, 6), swept);
    load = fmax(load, step->options.loadFloor * fmax(step->motion[index].applied, around));
    return error == 0 ? 0 : error / load;
}

static void compare(const ksiPgsRun *s, int i, ksiBodyEstimate *out)
{
    const int body = s->group->body[i];
    const ksiBodyInput *input = &s->step->body[body];
    double applied[6], engine[6], swept[6], difference[6];
    ksiScaleWrench(input, input->begin.force, applied);
    ksiScaleWrench(input, s->step->bodyReport[body].net, engine);
    for (int k = 0; k < 6; k++) {
        swept[k] = s->body[i].u[k] - applied[k];
        difference[k] = swept[k] - engine[k];
    }
    out[body].isKnown = true;
    out[body].error = ksiSize(difference, 6);
    out[body].relative = relate(s->step, body, ksiSize(swept, 6), out[body].error);
}

static ksStatus estimate(const ksiStep *step, const ksiGroup *group, ksiEstimates *out)
{
    ksiPgsRun s;
    KSI_TRY(ksiPgsRunOnce(step, &out->groups, group, step->options.estimateSweeps, &out->room, &s));
    for (int i = 0; i < group->bodyCount; i++)
        compare(&s, i, out->body);
    return KS_OK;
}

static bool isUnsolved(const ksiGroup *group)
{
    return group->reasons & KSI_NOT_FACTORISED;
}

/* Are all net forces known without sweeps? */
static bool isComplete(const ksiStep *step, bool areLoadsKnown)
{
    bool complete = areLoadsKnown || !step->input->anyLoad;
    for (size_t i = 0; complete && i < step->islands->count; i++)
        complete = !(step->islandConverged[i].reasons & KSI_NOT_FACTORISED);
    return complete;
}

static ksStatus sweepGroups(const ksiStep *step, ksiEstimates *out)
{
    if (isComplete(step, out->runs.isKnown))
        return KS_OK;
    KSI_TRY(ksiFindGroups(step, &out->groups));
    for (size_t i = 0; i < out->groups.members.count; i++) {
        const ksiGroup *group = &out->groups.group[i];
        if (ksiPgsIsPossible(step, group) && (isUnsolved(group) || (group->isLoaded && !out->runs.isKnown)))
            KSI_TRY(estimate(step, group, out));
    }
    return KS_OK;
}

ksStatus ksiEstimate(const ksiStep *step, const ksiMeanClock *clock, ksiEstimates *out)
{
    out->groups.isKnown = false;
    for (size_t i = 0; i < step->bodyCount; i++)
        out->body[i].isKnown = false;
    if (!step->options.estimateSweeps || step->isForeign)
        return KS_OK;
    KSI_TRY(ksiTakeNetRuns(step, clock, &out->runs));
    KSI_TRY(sweepGroups(step, out));
    ksiJudgeNetRuns(step, &out->runs, out->body);
    return KS_OK;
}
