/* attributes.c  Names and compliances that the host gives to joints. */
#include "attributes.h"
#include "../inspector.h"

#include "../../base/error.h"
#include "../../base/sorted.h"

#include <math.h>
#include <string.h>

static ksiAttributes *find(const ksiAttributeList *list, dJointID joint)
{
    const size_t at = ksiPlaceOf(&joint, ksiByAddress, list->at, list->count, sizeof *list->at);
    return at < list->count && list->at[at].joint == joint ? list->at + at : NULL;
}

/* Do the attributes belong to the joint that is at this address now? */
static bool isSame(const ksiAttributes *given)
{
    dBodyID body[2];
    int reversed;
    ksiJointBodies(given->joint, body, &reversed);
    return dJointGetType(given->joint) == given->type && body[0] == given->body[0] && body[1] == given->body[1];
}

static void removeAt(const ksAllocator *allocator, ksiAttributeList *list, size_t at)
{
    ksiFree(allocator, list->at[at].name);
    list->compliant -= list->at[at].compliance[0] > 0;
    list->count--;
    memmove(list->at + at, list->at + at + 1, (list->count - at) * sizeof *list->at);
}

/* Drops the attributes of joints that no longer exist. */
static void forgetGone(ksInspector *inspector)
{
    ksiAttributeList *list = &inspector->attributes;
    const ksiEngine *engine = &inspector->step.engine;
    if (list->count == 0 || (list->isStamped && ksiStampHolds(engine, &list->stamp)))
        return;
    for (size_t i = 0; i < list->count; i++)
        list->at[i].isThere = false;
    for (dJointID j = ksiFirstJoint(engine); j; j = ksiNextJoint(j)) {
        ksiAttributes *given = find(list, j);
        if (given)
            given->isThere = isSame(given);
    }
    for (size_t i = list->count; i-- > 0;) {
        if (!list->at[i].isThere)
            removeAt(&inspector->step.allocator, list, i);
    }
    list->isStamped = ksiJointStamp(engine, &list->stamp);
}

/* The attributes of the joint, which are created if it has none; NULL: out of memory, and nothing
 * has changed. */
static ksiAttributes *attributesOf(ksInspector *inspector, dJointID joint)
{
    ksiAttributeList *list = &inspector->attributes;
    ksiAttributes *given = find(list, joint);
    int reversed;
    if (given)
        return given;
    given = ksiFindOrInsert(&inspector->step.allocator, &joint, sizeof joint, ksiByAddress, &list->at, &list->capacity,
                            &list->count, sizeof *list->at);
    if (!given)
        return NULL;
    given->type = dJointGetType(joint);
    ksiJointBodies(joint, given->body, &reversed);
    return given;
}

/* Removes attributes without a value. */
static void dropIfEmpty(ksInspector *inspector, const ksiAttributes *given)
{
    if (!given->name && !(given->compliance[0] > 0))
        removeAt(&inspector->step.allocator, &inspector->attributes, (size_t)(given - inspector->attributes.at));
}

/* --- Names --- */

static ksStatus setName(ksInspector *inspector, dJointID joint, const char *name)
{
    KSI_REQUIRE_POINTER(inspector);
    KSI_REQUIRE_POINTER(joint);
    KSI_REQUIRE(!name || *name, "name is empty: pass NULL to remove a name");
    KSI_REQUIRE(ksiIsInWorld(inspector, joint), "joint does not belong to this world");
    forgetGone(inspector);
    const ksAllocator *allocator = &inspector->step.allocator;
    char *copy = name ? allocator->resize(allocator->user, NULL, strlen(name) + 1) : NULL;
    if (name && !copy)
        return KS_ERROR_NO_MEMORY;
    if (name)
        strcpy(copy, name);
    ksiAttributes *given = name ? attributesOf(inspector, joint) : find(&inspector->attributes, joint);
    if (!given) {
        ksiFree(allocator, copy);
        return name ? KS_ERROR_NO_MEMORY : KS_OK;
    }
    ksiFree(allocator, given->name);
    given->name = copy;
    dropIfEmpty(inspector, given);
    return KS_OK;
}

/* Exists only in a process that the command has started. The report of the command then has the
 * names, too. */
__attribute__((weak)) void kinetostatJointName(dWorldID world, dJointID joint, const char *name);

ksStatus ksInspectorSetName(ksInspector *inspector, dJointID joint, const char *name)
{
    const ksStatus status = setName(inspector, joint, name);
    if (!status && kinetostatJointName)
        kinetostatJointName(inspector->step.engine.world, joint, name);
    return KSI_ANSWER(status);
}

/* Attributes of vanished joints are dropped here, too, which changes no result. */
const char *ksInspectorGetName(const ksInspector *inspector, dJointID joint)
{
    if (!inspector || inspector->attributes.count == 0 || !find(&inspector->attributes, joint))
        return NULL;
    forgetGone((ksInspector *)inspector);
    const ksiAttributes *given = find(&inspector->attributes, joint);
    return given && isSame(given) ? given->name : NULL;
}

/* --- Compliances --- */

static ksStatus setCompliance(ksInspector *inspector, dJointID joint, double linear, double angular)
{
    KSI_REQUIRE_POINTER(inspector);
    const bool isTaken = joint && linear == 0 && angular == 0;
    KSI_REQUIRE(isTaken || (isfinite(linear) && linear > 0), "linear is %g, must be finite and > 0", linear);
    KSI_REQUIRE(isfinite(angular) && angular >= 0, "angular is %g, must be finite and >= 0", angular);
    if (!joint) {
        inspector->step.compliance[0] = linear;
        inspector->step.compliance[1] = angular;
        return KS_OK;
    }
    KSI_REQUIRE(ksiIsInWorld(inspector, joint), "joint does not belong to this world");
    forgetGone(inspector);
    ksiAttributes *given = isTaken ? find(&inspector->attributes, joint) : attributesOf(inspector, joint);
    if (!given)
        return isTaken ? KS_OK : KS_ERROR_NO_MEMORY;
    inspector->attributes.compliant -= given->compliance[0] > 0;
    inspector->attributes.compliant += linear > 0;
    given->compliance[0] = linear;
    given->compliance[1] = angular;
    dropIfEmpty(inspector, given);
    return KS_OK;
}

ksStatus ksInspectorSetCompliance(ksInspector *inspector, dJointID joint, double linear, double angular)
{
    return KSI_ANSWER(setCompliance(inspector, joint, linear, angular));
}

void ksiReadCompliances(ksInspector *inspector)
{
    const ksiAttributeList *list = &inspector->attributes;
    if (list->compliant > 0)
        forgetGone(inspector);
    for (size_t i = 0; i < inspector->input.jointCount; i++) {
        ksiJointInput *joint = &inspector->input.joint[i];
        const ksiAttributes *given = list->compliant > 0 ? find(list, joint->id) : NULL;
        const double *compliance = given && given->compliance[0] > 0 ? given->compliance : inspector->step.compliance;
        memcpy(joint->compliance, compliance, sizeof joint->compliance);
    }
}
