/* merge.c  Adds one report to another. */
#include "../collect/collect.h"
#include "../collect/metrics.h"
#include "../collect/pairs.h"
#include "../files/failure.h"

#include <string.h>

static bool mergeJoint(const ksAllocator *allocator, ksiJointStats *into, const ksiJointStats *from)
{
    if (into->steps == 0 || from->firstStep < into->firstStep)
        into->firstStep = from->firstStep;
    return ksiRename(allocator, into, from->given, from->givenStep) &&
           ksiMetricsMerge(allocator, &ksiJointMetrics, into, from) &&
           ksiEntriesMerge(allocator, &ksiTriedMetrics, &into->tried, &from->tried) &&
           ksiTimelineMerge(allocator, &into->timeline, &from->timeline);
}

/* Merges the steps and times of the first and last step. */
static void mergeSpan(ksiWorldStats *into, const ksiWorldStats *from)
{
    const bool isFirst = into->inspected == 0;
    if (from->inspected == 0)
        return;
    into->meanWindow = from->meanWindow;
    if (isFirst || from->firstStep < into->firstStep) {
        into->firstStep = from->firstStep;
        into->firstTime = from->firstTime;
        into->energy.begin = from->energy.begin;
    }
    if (isFirst || from->lastStep >= into->lastStep) {
        into->lastStep = from->lastStep;
        into->lastTime = from->lastTime;
        into->energy.end = from->energy.end;
        into->erp = from->erp;
        into->cfm = from->cfm;
    }
    if (isFirst || from->leastStepSize < into->leastStepSize)
        into->leastStepSize = from->leastStepSize;
}

/* Adds all joints before any timeline: the number of joints determines the size of buckets, which
 * never shrinks. */
static bool mergeJoints(const ksAllocator *allocator, ksiWorldStats *into, const ksiWorldStats *from)
{
    for (size_t i = 0; i < from->jointCount; i++) {
        if (!ksiJointMake(allocator, into, from->joint[i]->type, from->joint[i]->number, from->joint[i]->body))
            return false;
    }
    ksiFitTimelines(into, into->firstStep, into->lastStep);
    for (size_t i = 0; i < from->jointCount; i++) {
        const ksiJointStats *other = from->joint[i];
        ksiJointStats *joint = ksiJointMake(allocator, into, other->type, other->number, other->body);
        if (!joint || !mergeJoint(allocator, joint, other))
            return false;
    }
    return true;
}

static bool mergeWorld(const ksAllocator *allocator, ksiWorldStats *into, const ksiWorldStats *from)
{
    mergeSpan(into, from);
    for (int i = 0; i < KS_ENERGY_COUNT; i++)
        ksiExactMerge(&into->energy.of[i], &from->energy.of[i]);
    return ksiMetricsMerge(allocator, &ksiWorldMetrics, into, from) && mergeJoints(allocator, into, from) &&
           ksiTimelineMerge(allocator, &into->timeline, &from->timeline) &&
           ksiMetricsMerge(allocator, &ksiContactMetrics, &into->contacts, &from->contacts) &&
           ksiContactSharesMerge(allocator, &into->contactShares, &from->contactShares) &&
           ksiFlickersMerge(allocator, &into->flickers, &from->flickers) &&
           ksiPairsMerge(allocator, &into->pairs, &from->pairs) &&
           ksiExcludedJointsMerge(allocator, &into->excluded, &from->excluded) &&
           ksiEntriesMerge(allocator, &ksiUsedMetrics, &into->used, &from->used) &&
           ksiEntriesMerge(allocator, &ksiAdviceMetrics, &into->advice, &from->advice);
}

/* The world with the same run and place; in a report without runs, with the same index. NULL: out
 * of memory. */
static ksiWorldStats *worldLike(ksReport *into, const ksiWorldStats *from, size_t index, size_t run)
{
    if (run == KSI_NO_RUN)
        return index < into->worldCount ? into->world[index] : ksiWorldMake(into, from->name);
    const uint64_t *known = ksiMapFind(&into->worldIndex, run, from->place);
    if (known)
        return into->world[*known];
    ksiWorldStats *made = ksiWorldMake(into, from->name);
    if (!made || !ksiMapPut(&into->allocator, &into->worldIndex, run, from->place, into->worldCount - 1))
        return NULL;
    made->run = run;
    made->place = from->place;
    return made;
}

static ksStatus mergeRuns(ksReport *into, const ksReport *from, size_t *index)
{
    ksStatus status = KS_OK;
    for (size_t i = 0; i < from->runCount && !status; i++)
        status = ksiReportAddRun(into, &from->run[i], &index[i]);
    return status;
}

static bool isSameText(const char *a, const char *b)
{
    return a && b ? strcmp(a, b) == 0 : a == b;
}

/* Do both reports select the same joints, steps and trials, and count errors above the same
 * limit? */
static bool areMadeAlike(const ksReportOptions *a, const ksReportOptions *b)
{
    return isSameText(a->joints, b->joints) && isSameText(a->limit.joints, b->limit.joints) && a->types == b->types &&
           a->from == b->from && a->to == b->to && a->adviseEvery == b->adviseEvery &&
           a->limit.above == b->limit.above && a->limit.value == b->limit.value;
}

/* Adds a world. Both parts must have means over the same window. */
static ksStatus addWorld(ksReport *into, const ksReport *from, size_t index, size_t run)
{
    const ksiWorldStats *other = from->world[index];
    ksiWorldStats *world = worldLike(into, other, index, run);
    if (!world)
        return KS_ERROR_NO_MEMORY;
    if (world->inspected > 0 && other->inspected > 0 && world->meanWindow != other->meanWindow)
        return ksiReportFail(from->runCount > 0 ? from->run[0].file : "a report", KS_ERROR_BAD_ARGUMENT,
                             "was made with --mean %g, and another part of the same run with --mean %g",
                             other->meanWindow, world->meanWindow);
    return mergeWorld(&into->allocator, world, other) ? KS_OK : KS_ERROR_NO_MEMORY;
}

ksStatus ksiReportMerge(ksReport *into, const ksReport *from)
{
    size_t *run = ksiRoomMake(&into->allocator, (from->runCount + 1) * sizeof *run);
    if (run && !areMadeAlike(&into->options, &from->options)) {
        ksiFree(&into->allocator, run);
        return ksiReportFail(
            from->runCount > 0 ? from->run[0].file : "a report", KS_ERROR_BAD_ARGUMENT,
            "differs from the first report in --joints, --types, --advise-every, --value, or --target");
    }
    ksStatus status = run ? mergeRuns(into, from, run) : KS_ERROR_NO_MEMORY;
    for (size_t i = 0; i < from->worldCount && !status; i++) {
        const size_t of = from->world[i]->run;
        status = addWorld(into, from, i, of == KSI_NO_RUN ? KSI_NO_RUN : run[of]);
    }
    ksiFree(&into->allocator, run);
    return status;
}

/* Omits the animation if memory is short. */
static void mergeMotion(ksReport *into, size_t index, const ksiWorldStats *from)
{
    const size_t room = ksiMotionRoom(into, index);
    if (room > 0)
        (void)!ksiMotionMerge(&into->allocator, &into->world[index]->motion, into->options.frameRate, room,
                              &from->motion);
}

ksStatus ksiReportMergeWorld(ksReport *into, size_t world, const ksReport *from)
{
    mergeMotion(into, world, from->world[0]);
    return mergeWorld(&into->allocator, ksiWorldAt(into, world), from->world[0]) ? KS_OK : KS_ERROR_NO_MEMORY;
}
