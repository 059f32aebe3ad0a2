/* lanes.c  Divides the islands of a step among lanes, and the lanes among threads.
 *
 * Any thread may take any lane, without an effect on results. A thread starts with the lanes that
 * it had before, whose memory is in its cache, and continues with lanes that no thread has started.
 * So other threads lengthen a step at most by the one lane that each has started. */
#include "inspector.h"

#include <string.h>

/* Cost of a joint in a tree, and in loops, whose self-stresses cost more; unit: about 0.4
 * microseconds */
enum { TREE_JOINT = 2, LOOP_JOINT = 5 };
/* Least cost of a lane: far more than the cost of waking a thread and of loading another solver
 * into the cache */
enum { LEAST_WEIGHT = 256 };

static size_t weightOf(const ksiIsland *island)
{
    return (size_t)island->jointCount * (island->isTree ? TREE_JOINT : LOOP_JOINT);
}

/* A power of two, which seldom changes when joints come and go. */
static int countLanes(const ksiStep *step, size_t weight)
{
    size_t count = 1;
    while (step->options.values && 2 * count <= KSI_MOST_LANES && 2 * count * LEAST_WEIGHT <= weight &&
           2 * count <= step->islands->count)
        count *= 2;
    return (int)count;
}

static ksStatus makeLanes(ksInspector *inspector, int count)
{
    ksiLanes *lanes = &inspector->lanes;
    const ksStatus status =
        ksiReserve(&inspector->step.allocator, &lanes->at, &lanes->capacity, (size_t)count, sizeof *lanes->at);
    for (; !status && lanes->made < count; lanes->made++) {
        ksiLane *made = &lanes->at[lanes->made];
        memset(made, 0, sizeof *made);
        ksiCoreIslandInit(&made->solver.pose.island, &inspector->step.allocator);
        made->freeWrenches.lane = lanes->made;
    }
    inspector->step.lane = lanes->at;
    return status;
}

/* All lanes share the arrays by joint and by island; each lane writes the elements of its
 * islands. */
static ksStatus open(ksInspector *inspector, ksiLane *lane)
{
    lane->solver.layout = inspector->layout;
    lane->solver.queried = inspector->queried;
    lane->solver.refused = inspector->refused;
    return ksiReserveSolver(&inspector->step, &lane->solver, lane->first, lane->end);
}

/* An island belongs to the lane that contains its middle. */
static void assign(const ksiStep *step, size_t weight, ksiLanes *lanes, ksiIsland *island)
{
    size_t before = 0;
    for (int k = 0; k < lanes->count; k++)
        lanes->at[k].first = lanes->at[k].end = 0;
    for (int i = 0; i < (int)step->islands->count; i++) {
        const size_t own = weightOf(&island[i]);
        const size_t k = (2 * before + own) * (size_t)lanes->count / (2 * weight);
        ksiLane *lane = &lanes->at[k];
        island[i].lane = (int)k;
        if (lane->end == 0)
            lane->first = i;
        lane->end = i + 1;
        before += own;
    }
}

ksStatus ksiDivideIslands(ksInspector *inspector)
{
    const ksiStep *step = &inspector->step;
    ksiLanes *lanes = &inspector->lanes;
    size_t weight = 0;
    for (size_t i = 0; i < step->islands->count; i++)
        weight += weightOf(&step->island[i]);
    const int count = countLanes(step, weight);
    KSI_TRY(makeLanes(inspector, count));
    lanes->count = count;
    assign(step, weight, lanes, inspector->islands.island);
    for (int k = 0; k < count; k++)
        KSI_TRY(open(inspector, &lanes->at[k]));
    return KS_OK;
}

/* --- Threads --- */

/* Works on all unstarted lanes, from this one on. */
static void takeLanes(ksInspector *inspector, int from)
{
    ksiLanes *lanes = &inspector->lanes;
    for (int i = 0; i < lanes->count; i++) {
        ksiLane *lane = &lanes->at[(from + i) % lanes->count];
        if (atomic_exchange(&lane->isTaken, true))
            continue;
        ksiClockStart(&lane->clock);
        lanes->work(inspector, lane);
    }
}

/* On another thread, with the rounding mode of the waiting thread. */
static void help(void *of)
{
    const ksiHelper *helper = of;
    fenv_t own;
    fegetenv(&own);
    fesetenv(&helper->inspector->lanes.environment);
    takeLanes(helper->inspector, helper->first);
    fesetenv(&own);
}

/* The number of helping threads, at most `wanted`; fewer without memory. */
static int findHelpers(ksInspector *inspector, int wanted)
{
    ksiLanes *lanes = &inspector->lanes;
    const ksExecutor *executor = inspector->step.options.executor;
    while (lanes->helperCount < wanted) {
        ksiHelper *helper = &lanes->helper[lanes->helperCount];
        helper->inspector = inspector;
        if (ksiWorkerCreate(&inspector->step.allocator, executor, help, helper, &helper->worker))
            break;
        lanes->helperCount++;
    }
    return lanes->helperCount < wanted ? lanes->helperCount : wanted;
}

void ksiWorkOnLanes(ksInspector *inspector, ksiLaneFn *work)
{
    ksiLanes *lanes = &inspector->lanes;
    const int workers = inspector->step.options.workers;
    const int wanted = workers < lanes->count ? workers - 1 : lanes->count - 1;
    const int helpers = wanted > 0 ? findHelpers(inspector, wanted) : 0;
    lanes->work = work;
    for (int k = 0; k < lanes->count; k++)
        atomic_store(&lanes->at[k].isTaken, false);
    if (helpers > 0)
        fegetenv(&lanes->environment);
    for (int k = 0; k < helpers; k++) {
        lanes->helper[k].first = (k + 1) * lanes->count / (helpers + 1);
        ksiWorkerPost(lanes->helper[k].worker);
    }
    takeLanes(inspector, 0);
    for (int k = 0; k < helpers; k++)
        (void)ksiWorkerWait(lanes->helper[k].worker);
}

void ksiEndHelpers(ksInspector *inspector)
{
    for (int k = 0; k < inspector->lanes.helperCount; k++)
        ksiWorkerDestroy(inspector->lanes.helper[k].worker);
}
