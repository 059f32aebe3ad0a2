/* estimate.c  Contacts that are known loads, and islands that are not factorised: how far the engine's net forces on bodies
 * are from those of its own equations, as far as a number of sweeps (sweep.c) can tell. How contacts share a force is not
 * unique; the net force on a body, the u of the sweeps, is, given the bounds of friction. */
#include "sweep.h"

#include <math.h>

enum { settling = 10 }; /* one sweep of so many, the last ones: what momentum has overshot dies away */

static void compare(const ksiSweeps *s, int i, ksiBodyState *body)
{
    double applied[6], engine[6], swept[6], difference[6];
    ksiScaleWrench(body, body->begin.force, applied);
    ksiScaleWrench(body, body->reported, engine);
    for (int k = 0; k < 6; k++) {
        swept[k] = s->body[i].u[k] - applied[k];
        difference[k] = swept[k] - engine[k];
    }
    body->netError = ksiSize(difference, 6);
    body->netSwept = ksiSize(swept, 6);
}

static ksStatus estimate(ksInspector *inspector, const ksiGroup *group)
{
    ksiSweeps s;
    ksStatus status = ksiSweepsBegin(inspector, group, 1, &s);
    if (status)
        return status;
    const size_t sweeps = inspector->options.estimateSweeps, last = sweeps / settling;
    ksiSweepsRun(&s, sweeps - last, &ksiFastest);
    ksiSweepsRun(&s, last, &ksiSettling);
    for (int i = 0; i < group->bodyCount; i++)
        compare(&s, i, ksiGroupBody(inspector, group, i));
    return KS_OK;
}

static bool isWanted(const ksInspector *inspector, const ksiGroup *group)
{
    return ksiSweepsPossible(inspector, group) && (group->isLoaded || group->reasons & KSI_LEFT_REASONS);
}

/* Nothing is known to be missing. */
static bool isComplete(const ksInspector *inspector)
{
    bool complete = !inspector->anyLoad;
    for (size_t i = 0; complete && i < inspector->islandCount; i++)
        complete = !(inspector->island[i].reasons & KSI_LEFT_REASONS);
    return complete;
}

void ksiEstimate(ksInspector *inspector)
{
    if (isComplete(inspector))
        return;
    ksStatus status = ksiFindGroups(inspector);
    for (size_t i = 0; !status && i < inspector->groupCount; i++)
        if (isWanted(inspector, &inspector->group[i]))
            status = estimate(inspector, &inspector->group[i]);
    if (status)
        inspector->status = status;
    ksiLap(inspector, KS_PHASE_ESTIMATE);
}

void ksiRelateEstimate(const ksInspector *inspector, ksiBodyState *body)
{
    double reported[6];
    ksiScaleWrench(body, body->reported, reported);
    const double around = body->island < 0 ? 0 : inspector->island[body->island].load;
    double load = fmax(ksiSize(reported, 6), body->netSwept);
    load = fmax(load, inspector->options.loadFloor * fmax(body->applied, around));
    body->netEstimate = body->netError == 0 ? 0 : body->netError / load;
}
