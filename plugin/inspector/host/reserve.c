/* reserve.c  Memory for the bodies and joints of a step, kept from step to step. */
#include "deferred_wait.h"

#include <string.h>

#define SEEN_ARRAY(type, place, name) OWN_ARRAY(place)
// at least one of each: memset takes no NULL, even for size 0
#define OWN_ARRAY(place) KSI_ARRAY(inspector->place, count > 0 ? count : 1),
#define PHYSICAL_ARRAY(type, place, name) KSI_ARRAY(inspector->place, isPhysical ? count : 0),
#define SHOW(type, place, name) step->name = inspector->place;
#define DO_NOT_SHOW(place)
#define COUNT(array) (sizeof(array) / sizeof *(array))

void ksiBindStep(ksInspector *inspector)
{
    ksiStep *step = &inspector->step;
    step->input = &inspector->input;
    step->islands = &inspector->islands;
    step->memory = &inspector->memory;
    step->means = &inspector->means;
    KSI_BODY_ARRAYS(SHOW, DO_NOT_SHOW)
    KSI_JOINT_ARRAYS(SHOW, DO_NOT_SHOW, SHOW)
}

ksStatus ksiReserveBodies(ksInspector *inspector, size_t count)
{
    count++;  // the ground is a node of the graph of joints, too
    const ksiArray array[] = {KSI_BODY_ARRAYS(SEEN_ARRAY, OWN_ARRAY)};
    const ksStatus status = ksiReserveArrays(&inspector->step.allocator, array, COUNT(array), inspector->bodyCapacity);
    ksiBindStep(inspector);
    return status;
}

static void clearPublished(ksInspector *inspector, size_t from, size_t to)
{
    if (from >= to)
        return;
    memset(inspector->published.reaction + from, 0, (to - from) * sizeof *inspector->published.reaction);
    memset(inspector->published.row + from, 0, (to - from) * sizeof *inspector->published.row);
}

ksStatus ksiReserveJoints(ksInspector *inspector, size_t count)
{
    const bool isPhysical = inspector->step.options.values & KS_COMPUTE_PHYSICAL;
    const ksiArray array[] = {KSI_JOINT_ARRAYS(SEEN_ARRAY, OWN_ARRAY, PHYSICAL_ARRAY)};
    // the least capacity of the cleared arrays
    const size_t *capacity = inspector->jointCapacity, before = capacity[0] < capacity[1] ? capacity[0] : capacity[1];
    const ksStatus status = ksiReserveArrays(&inspector->step.allocator, array, COUNT(array), inspector->jointCapacity);
    ksiBindStep(inspector);
    clearPublished(inspector, before, capacity[0] < capacity[1] ? capacity[0] : capacity[1]);
    // the index of contact pairs gets its memory here, too
    return status ? status : ksiPointersReset(&inspector->step.allocator, &inspector->contacts.pairIndex, count);
}

void ksiInspectorFree(ksInspector *inspector)
{
    const bool isMine = ksiEndDeferred(inspector);
    ksiSayDestroyed(inspector);
    if (!isMine)
        return;
    const ksAllocator from = inspector->arena.from;
    ksiEndHelpers(inspector);
    ksiArenaClose(&inspector->arena);
    ksiFree(&from, inspector);
}
