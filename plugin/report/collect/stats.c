/* stats.c  Statistics of worlds and joints. */
#include "metrics.h"
#include "pairs.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

void ksiRangeNote(ksiRange *range, double x)
{
    if (!isfinite(x))
        return;
    const float value = (float)x;
    range->least = !range->isKnown || value < range->least ? value : range->least;
    range->largest = !range->isKnown || value > range->largest ? value : range->largest;
    range->isKnown = true;
}

static void addRange(ksiRange *into, const ksiRange *from)
{
    if (!from->isKnown)
        return;
    ksiRangeNote(into, (double)from->least);
    ksiRangeNote(into, (double)from->largest);
}

static void addJointBucket(void *into, const void *from)
{
    ksiJointBucket *a = into;
    const ksiJointBucket *b = from;
    a->count += b->count;
    for (int i = 0; i < KSI_RANGES; i++)
        addRange(&a->range[i], &b->range[i]);
}

static void addWorldBucket(void *into, const void *from)
{
    ksiWorldBucket *a = into;
    const ksiWorldBucket *b = from;
    if (a->steps == 0 || (b->steps > 0 && b->begin < a->begin))
        a->begin = b->begin;
    a->steps += b->steps;
    for (int i = 0; i < KSI_VERDICTS; i++)
        a->verdict[i] += b->verdict[i];
}

size_t ksiMotionRoom(const ksReport *report, size_t world)
{
    const bool isKept = report->options.frameRate > 0 && world < KSI_MOST_MOTIONS;
    return isKept ? KSI_MOTION_SLACK * report->options.frameBytes / report->worldCount : 0;
}

ksiWorldStats *ksiWorldAt(const ksReport *report, size_t index)
{
    return index < report->worldCount ? report->world[index] : NULL;
}

ksiWorldStats *ksiWorldMake(ksReport *report, const char *name)
{
    const ksAllocator *allocator = &report->allocator;
    char own[32];
    snprintf(own, sizeof own, "world %zu", report->worldCount + 1);
    if (ksiReserve(allocator, &report->world, &report->worldCapacity, report->worldCount + 1, sizeof *report->world))
        return NULL;
    ksiWorldStats *world = ksiRoomMake(allocator, sizeof *world);
    char *copy = world ? ksiRoomCopy(allocator, name ? name : own) : NULL;
    if (!copy) {
        ksiFree(allocator, world);
        return NULL;
    }
    *world = (ksiWorldStats){.name = copy,
                             .run = KSI_NO_RUN,
                             .place = report->worldCount,
                             .erp = NAN,
                             .cfm = NAN,
                             .timeline = {.size = sizeof(ksiWorldBucket), .add = addWorldBucket}};
    report->world[report->worldCount++] = world;
    return world;
}

static void freeJoint(const ksAllocator *allocator, ksiJointStats *joint)
{
    ksiFree(allocator, joint->given);
    ksiMetricsFree(allocator, &ksiJointMetrics, joint);
    ksiEntriesFree(allocator, &ksiTriedMetrics, &joint->tried);
    ksiTimelineFree(allocator, &joint->timeline);
    ksiFree(allocator, joint);
}

void ksiWorldFree(const ksAllocator *allocator, ksiWorldStats *world)
{
    for (size_t i = 0; i < world->jointCount; i++)
        freeJoint(allocator, world->joint[i]);
    ksiEntriesFree(allocator, &ksiAdviceMetrics, &world->advice);
    ksiEntriesFree(allocator, &ksiUsedMetrics, &world->used);
    ksiFree(allocator, world->joint);
    ksiMapFree(allocator, &world->jointIndex);
    ksiMetricsFree(allocator, &ksiContactMetrics, &world->contacts);
    ksiMetricsFree(allocator, &ksiWorldMetrics, world);
    ksiFree(allocator, world->contactShares.body);
    ksiFree(allocator, world->flickers.pair);
    ksiPairsFree(allocator, &world->pairs);
    ksiExcludedJointsFree(allocator, &world->excluded);
    ksiTimelineFree(allocator, &world->timeline);
    ksiMotionFree(allocator, &world->motion);
    ksiFree(allocator, world->name);
    ksiFree(allocator, world);
}

static uint64_t keyOf(int high, int low)
{
    return (uint64_t)high << 32 | (uint32_t)low;
}

ksiJointStats *ksiJointFind(const ksiWorldStats *world, dJointType type, int number, const int body[2])
{
    const uint64_t *index = ksiMapFind(&world->jointIndex, keyOf((int)type, number), keyOf(body[0], body[1]));
    return index ? world->joint[*index] : NULL;
}

ksiJointStats *ksiJointMake(const ksAllocator *allocator, ksiWorldStats *world, dJointType type, int number,
                            const int body[2])
{
    ksiJointStats *joint = ksiJointFind(world, type, number, body);
    if (joint)
        return joint;
    if (!ksiReserve(allocator, &world->joint, &world->jointCapacity, world->jointCount + 1, sizeof *world->joint))
        joint = ksiRoomMake(allocator, sizeof *joint);
    if (!joint || !ksiMapPut(allocator, &world->jointIndex, keyOf((int)type, number), keyOf(body[0], body[1]),
                             world->jointCount)) {
        ksiFree(allocator, joint);
        return NULL;
    }
    *joint = (ksiJointStats){.type = type,
                             .number = number,
                             .body = {body[0], body[1]},
                             .timeline = {.size = sizeof(ksiJointBucket), .add = addJointBucket, .k = world->exponent}};
    world->joint[world->jointCount++] = joint;
    return joint;
}

bool ksiRename(const ksAllocator *allocator, ksiJointStats *joint, const char *given, uint64_t step)
{
    if (!given || (joint->given && step < joint->givenStep))
        return true;
    joint->givenStep = step;
    if (joint->given && strcmp(joint->given, given) == 0)
        return true;
    char *copy = ksiRoomCopy(allocator, given);
    if (!copy)
        return false;
    ksiFree(allocator, joint->given);
    joint->given = copy;
    return true;
}

/* Number of buckets of each joint; a power of two. */
static size_t bucketsOfJoint(size_t joints)
{
    size_t buckets = KSI_JOINT_BUCKETS;
    while (buckets > KSI_LEAST_BUCKETS && buckets * joints > KSI_ALL_BUCKETS)
        buckets /= 2;
    return buckets;
}

void ksiFitTimelines(ksiWorldStats *world, uint64_t first, uint64_t last)
{
    ksiTimelineCoarsen(&world->timeline, ksiTimelineExponent(first, last, KSI_WORLD_BUCKETS));
    const unsigned k = ksiTimelineExponent(first, last, bucketsOfJoint(world->jointCount));
    if (k <= world->exponent)
        return;
    world->exponent = k;
    for (size_t i = 0; i < world->jointCount; i++)
        ksiTimelineCoarsen(&world->joint[i]->timeline, k);
}
