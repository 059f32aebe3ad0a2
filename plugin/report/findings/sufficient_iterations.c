/* sufficient_iterations.c  Finds the number of iterations with which the solver keeps errors within
 * the limit of a report. */
#include "advice.h"

#include <math.h>

enum { UNKNOWN, HOLDS, FAILS };

/* Are too many steps above the limit? At least the limit's percentage of the steps, rounded up as
 * in ksiQuantile, must be within the limit. */
static bool isTooOften(const ksReportLimit *limit, uint64_t steps, uint64_t above)
{
    return (double)(steps - above) < ceil(limit->percentile / 100 * (double)steps * (1 - 1e-12));
}

/* Is each joint within the limit with this number of iterations? */
static int holds(const ksiView *view, const ksiWorldView *world, int iterations, int how)
{
    const bool isAnyOff = ksiIsUnsolved(view, world);
    int found = UNKNOWN;
    for (size_t i = 0; i < world->jointCount; i++) {
        const ksiJointView *joint = &world->joint[i];
        // a joint that passes, or is allowed to fail, needs no more iterations
        const bool isMeant = isAnyOff ? joint->isOff : joint->isJudged && !joint->isAbove;
        for (size_t k = 0; isMeant && k < joint->stats->tried.count; k++) {
            const ksiTried *tried = (const ksiTried *)joint->stats->tried.at + k;
            if (tried->iterations != iterations || tried->steps[how] == 0)
                continue;
            if (isTooOften(view->limit, tried->steps[how], tried->above[how]))
                return FAILS;
            found = HOLDS;
        }
    }
    return found;
}

bool ksiIsUnsolved(const ksiView *view, const ksiWorldView *world)
{
    const ksReportLimit *limit = view->limit;
    bool isAny = false;
    for (size_t i = 0; i < world->jointCount; i++)
        isAny = isAny || (world->joint[i].isOff && ksiQuantile(&world->joint[i].stats->error[KSI_SOLVER].size,
                                                               limit->percentile) > limit->above);
    return isAny;
}

int ksiMostIterations(const ksiWorldStats *world)
{
    const ksiUsedIterations *used = world->used.at;
    return used ? used[world->used.count - 1].iterations : 0;
}

ksiEnough ksiEnoughIterations(const ksiView *view, const ksiWorldView *world)
{
    const int used = ksiMostIterations(world->stats);
    const ksiAdvice *advice = world->stats->advice.at;
    ksiEnough out = {0, 0, false};
    for (size_t i = 0; i < world->stats->advice.count && !out.enough; i++) {
        const int iterations = advice[i].iterations;
        // for the run's own number of iterations the run itself is better evidence
        if (holds(view, world, iterations, KSI_ALONE) != HOLDS || (iterations == used && ksiIsUnsolved(view, world)))
            continue;
        const int inARow = holds(view, world, iterations, KSI_IN_A_ROW);
        if (iterations > used && !out.alone)
            out.alone = iterations;
        if (inARow == FAILS)
            continue;
        out.enough = iterations;
        out.isChecked = inARow == HOLDS;
    }
    return out;
}
