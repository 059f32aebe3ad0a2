/* reserve.c  Room for a step of so many bodies and joints, kept from step to step. */
#include "settle.h"

#include <string.h>

/* A pointer to the array's pointer, and the size of an element. */
typedef struct Array {
    void *memory;
    size_t size;
} Array;

#define ARRAY(pointer)                                                                                                 \
    {                                                                                                                  \
        &(pointer), sizeof *(pointer)                                                                                  \
    }
#define COUNT(array) (sizeof(array) / sizeof *(array))

/* At least one of each: memset takes no NULL, even for nothing. */
static ksStatus reserve(const ksiStep *step, const Array *array, size_t *capacity, size_t arrays, size_t count)
{
    ksStatus status = KS_OK;
    for (size_t i = 0; !status && i < arrays; i++)
        status = ksiReserve(&step->allocator, array[i].memory, &capacity[i], count > 0 ? count : 1, array[i].size);
    return status;
}

void ksiShow(ksInspector *inspector)
{
    ksiStep *step = &inspector->step;
    step->input = &inspector->input;
    step->body = inspector->input.body;
    step->joint = inspector->input.joint;
    step->feedback = inspector->input.feedback;
    step->given = inspector->input.given;
    step->report = inspector->report.joint;
    step->bodyReport = inspector->report.body;
    step->reportPlaces = inspector->report.places;
    step->motion = inspector->motion.body;
    step->islands = &inspector->islands;
    step->island = inspector->islands.island;
    step->member = inspector->islands.joint;
    step->bodyMember = inspector->islands.body;
    step->layout = inspector->layout;
    step->islandConverged = inspector->converged.island;
    step->converged = inspector->converged.joint;
    step->bodyConverged = inspector->converged.body;
    step->convergedPlaces = inspector->converged.places;
    step->islandFree = inspector->converged.free.island;
    step->free = inspector->converged.free.joint;
    step->estimate = inspector->estimates.body;
    step->isTaken = inspector->exact.isTaken;
    step->islandPhysical = inspector->physical.island;
    step->physical = inspector->physical.joint;
    step->run = inspector->physical.run;
    step->acceleration = inspector->physical.acceleration;
    step->physicalPlaces = inspector->physical.places;
    step->islandPhysicalFree = inspector->physical.free.island;
    step->physicalFree = inspector->physical.free.joint;
    step->contact = inspector->contacts.joint;
    step->contactPlaces = inspector->contacts.places;
    step->verdict = inspector->verdicts.joint;
    step->observed = inspector->verdicts.observed;
    step->momentumReasons = inspector->verdicts.momentumReasons;
    step->memory = &inspector->memory;
}

/* There are at most as many islands as bodies. */
ksStatus ksiReserveBodies(ksInspector *inspector, size_t count)
{
    const Array array[] = {
        ARRAY(inspector->input.body),
        ARRAY(inspector->report.body),
        ARRAY(inspector->motion.body),
        ARRAY(inspector->islands.body),
        ARRAY(inspector->islands.bodyOf),
        ARRAY(inspector->islands.island),
        ARRAY(inspector->converged.body),
        ARRAY(inspector->converged.island),
        ARRAY(inspector->converged.free.island),
        ARRAY(inspector->estimates.body),
        ARRAY(inspector->physical.island),
        ARRAY(inspector->physical.free.island),
        ARRAY(inspector->verdicts.momentumReasons),
        ARRAY(inspector->parent),
        ARRAY(inspector->refused),
    };
    _Static_assert(COUNT(array) == COUNT(inspector->bodyCapacity), "a capacity for each");
    const ksStatus status = reserve(&inspector->step, array, inspector->bodyCapacity, COUNT(array), count);
    ksiShow(inspector);
    return status;
}

/* What is published has members that stay zero. */
static void clearPublished(ksInspector *inspector, size_t from, size_t to)
{
    if (from >= to)
        return;
    memset(inspector->published.reaction + from, 0, (to - from) * sizeof *inspector->published.reaction);
    memset(inspector->published.row + from * KSI_MAX_ROWS, 0, (to - from) * KSI_MAX_ROWS * sizeof(ksRow));
}

ksStatus ksiReserveJoints(ksInspector *inspector, size_t count)
{
    const Array array[] = {
        {&inspector->published.row, KSI_MAX_ROWS * sizeof(ksRow)},
        ARRAY(inspector->published.reaction),
        ARRAY(inspector->published.isFilled),
        ARRAY(inspector->published.isHeard),
        ARRAY(inspector->published.isAlive),
        ARRAY(inspector->published.firstSubscription),
        ARRAY(inspector->input.joint),
        ARRAY(inspector->input.feedback),
        ARRAY(inspector->input.given),
        ARRAY(inspector->exact.isTaken),
        ARRAY(inspector->report.joint),
        ARRAY(inspector->report.places),
        ARRAY(inspector->islands.joint),
        ARRAY(inspector->islands.jointOf),
        ARRAY(inspector->converged.joint),
        ARRAY(inspector->converged.places),
        ARRAY(inspector->converged.free.joint),
        ARRAY(inspector->physical.joint),
        ARRAY(inspector->physical.run),
        ARRAY(inspector->physical.acceleration),
        ARRAY(inspector->physical.places),
        ARRAY(inspector->physical.free.joint),
        ARRAY(inspector->contacts.joint),
        ARRAY(inspector->contacts.places),
        ARRAY(inspector->verdicts.joint),
        ARRAY(inspector->verdicts.observed),
        ARRAY(inspector->memory.joint),
        ARRAY(inspector->memory.run),
        ARRAY(inspector->layout),
        ARRAY(inspector->queried),
        ARRAY(inspector->chosen),
        ARRAY(inspector->contactList),
    };
    _Static_assert(COUNT(array) == COUNT(inspector->jointCapacity), "a capacity for each");
    // the smaller of the capacities of what is cleared
    const size_t *capacity = inspector->jointCapacity, before = capacity[0] < capacity[1] ? capacity[0] : capacity[1];
    ksStatus status = reserve(&inspector->step, array, inspector->jointCapacity, COUNT(array), count);
    ksiShow(inspector);
    clearPublished(inspector, before, capacity[0] < capacity[1] ? capacity[0] : capacity[1]);
    // room for them is made here
    if (!status)
        status = ksiPointersReset(&inspector->step.allocator, &inspector->contacts.pairIndex, count);
    return status;
}

void ksiInspectorFree(ksInspector *inspector)
{
    const bool isMine = ksiFreeDeferred(inspector);
    ksiSayDestroyed(inspector);
    if (!isMine)
        return;
    const ksAllocator allocator = inspector->step.allocator;
    ksiEstimates *estimates = &inspector->estimates;
    ksiFreeLanes(inspector);
    ksiFreeGivenNames(&allocator, &inspector->givenNames);
    ksSystemDestroy(inspector->impact.system);
    void *owned[] = {
        inspector->input.body,
        inspector->input.joint,
        inspector->input.feedback,
        inspector->input.given,
        inspector->input.copy,
        inspector->input.bodyIndex.slot,
        inspector->input.jointIndex.slot,
        inspector->exact.isTaken,
        inspector->exact.past,
        inspector->exact.firstPast,
        inspector->exact.substitution,
        inspector->report.joint,
        inspector->report.body,
        inspector->report.places,
        inspector->motion.body,
        inspector->islands.island,
        inspector->islands.joint,
        inspector->islands.body,
        inspector->islands.jointOf,
        inspector->islands.bodyOf,
        inspector->converged.island,
        inspector->converged.joint,
        inspector->converged.body,
        inspector->converged.places,
        inspector->converged.free.island,
        inspector->converged.free.joint,
        estimates->body,
        estimates->groups.group,
        estimates->groups.of,
        estimates->groups.slot,
        estimates->groups.parent,
        estimates->groups.jointOf,
        estimates->groups.bodyOf,
        estimates->room.slot,
        estimates->room.batch,
        estimates->room.body,
        inspector->physical.island,
        inspector->physical.joint,
        inspector->physical.run,
        inspector->physical.acceleration,
        inspector->physical.places,
        inspector->physical.free.island,
        inspector->physical.free.joint,
        inspector->contacts.joint,
        inspector->contacts.places,
        inspector->contacts.pairIndex.slot,
        inspector->verdicts.joint,
        inspector->verdicts.observed,
        inspector->verdicts.momentumReasons,
        inspector->published.reaction,
        inspector->published.row,
        inspector->published.isFilled,
        inspector->published.isHeard,
        inspector->published.isAlive,
        inspector->published.firstSubscription,
        inspector->memory.body,
        inspector->memory.joint,
        inspector->memory.run,
        inspector->memory.history,
        inspector->layout,
        inspector->queried,
        inspector->refused,
        inspector->parent,
        inspector->chosen,
        inspector->contactList,
        inspector->impact.joint,
        inspector->impact.body,
        inspector->impact.number,
        inspector->impact.flag,
        inspector->subscriptions.at,
        inspector,
    };
    for (size_t i = 0; i < COUNT(owned); i++)
        ksiFree(&allocator, owned[i]);
}
