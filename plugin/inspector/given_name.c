/* given_name.c  The names that the host gives to joints. */
#include "given_name.h"
#include "inspector.h"

#include "../base/error.h"

#include <stdint.h>
#include <string.h>

/* The first that is not before this address. */
static size_t placeOf(const ksiGivenNames *names, dJointID joint)
{
    size_t low = 0, high = names->count;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if ((uintptr_t)names->at[middle].joint < (uintptr_t)joint)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static ksiGivenName *find(const ksiGivenNames *names, dJointID joint)
{
    const size_t at = placeOf(names, joint);
    return at < names->count && names->at[at].joint == joint ? names->at + at : NULL;
}

/* Of a joint that is there. */
static bool isSame(const ksiGivenName *given)
{
    dBodyID body[2];
    int reversed;
    ksiJointBodies(given->joint, body, &reversed);
    return dJointGetType(given->joint) == given->type && body[0] == given->body[0] && body[1] == given->body[1];
}

static void removeName(const ksAllocator *allocator, ksiGivenNames *names, size_t at)
{
    ksiFree(allocator, names->at[at].name);
    names->count--;
    memmove(names->at + at, names->at + at + 1, (names->count - at) * sizeof *names->at);
}

/* Joints come and go between calls: those that are gone lose their names. */
static void forgetGone(ksInspector *inspector)
{
    ksiGivenNames *names = &inspector->givenNames;
    const ksiEngine *engine = &inspector->step.engine;
    if (names->count == 0 || (names->isStamped && ksiStampHolds(engine, &names->stamp)))
        return;
    for (size_t i = 0; i < names->count; i++)
        names->at[i].isThere = false;
    for (dJointID j = ksiFirstJoint(engine); j; j = ksiNextJoint(j)) {
        ksiGivenName *given = find(names, j);
        if (given)
            given->isThere = isSame(given);
    }
    for (size_t i = names->count; i-- > 0;) {
        if (!names->at[i].isThere)
            removeName(&inspector->step.allocator, names, i);
    }
    names->isStamped = ksiJointStamp(engine, &names->stamp);
}

static ksStatus setName(ksInspector *inspector, dJointID joint, const char *name)
{
    KSI_REQUIRE_POINTER(inspector);
    KSI_REQUIRE_POINTER(joint);
    KSI_REQUIRE(!name || *name, "name is empty: NULL takes a name away");
    KSI_REQUIRE(ksiIsInWorld(inspector, joint), "joint is not one of this world");
    forgetGone(inspector);
    const ksAllocator *allocator = &inspector->step.allocator;
    ksiGivenNames *names = &inspector->givenNames;
    const size_t place = placeOf(names, joint);
    const bool isNamed = place < names->count && names->at[place].joint == joint;
    if (!name) {
        if (isNamed)
            removeName(allocator, names, place);
        return KS_OK;
    }
    const ksStatus status = ksiReserve(allocator, &names->at, &names->capacity, names->count + 1, sizeof *names->at);
    if (status)
        return status;
    char *copy = allocator->resize(allocator->user, NULL, strlen(name) + 1);
    if (!copy)
        return KS_ERROR_NO_MEMORY;
    strcpy(copy, name);
    ksiGivenName *given = names->at + place;
    if (isNamed) {
        ksiFree(allocator, given->name);
    } else {
        memmove(given + 1, given, (names->count - place) * sizeof *given);
        names->count++;
    }
    int reversed;
    *given = (ksiGivenName){.joint = joint, .type = dJointGetType(joint), .name = copy};
    ksiJointBodies(joint, given->body, &reversed);
    return KS_OK;
}

/* Is there only under the command, whose report has the names, too. */
__attribute__((weak)) void kinetostatJointName(dWorldID world, dJointID joint, const char *name);

ksStatus ksInspectorSetName(ksInspector *inspector, dJointID joint, const char *name)
{
    const ksStatus status = setName(inspector, joint, name);
    if (!status && kinetostatJointName)
        kinetostatJointName(inspector->step.engine.world, joint, name);
    return KSI_ANSWER(status);
}

/* What is gone is forgotten here, too: that changes no answer. */
const char *ksInspectorGetName(const ksInspector *inspector, dJointID joint)
{
    if (!inspector || inspector->givenNames.count == 0 || !find(&inspector->givenNames, joint))
        return NULL;
    forgetGone((ksInspector *)inspector);
    const ksiGivenName *given = find(&inspector->givenNames, joint);
    return given && isSame(given) ? given->name : NULL;
}

void ksiFreeGivenNames(const ksAllocator *allocator, ksiGivenNames *names)
{
    for (size_t i = 0; i < names->count; i++)
        ksiFree(allocator, names->at[i].name);
    ksiFree(allocator, names->at);
}
