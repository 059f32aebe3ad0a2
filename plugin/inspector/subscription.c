/* subscription.c  Who wants to hear of what. */
#include "inspector_private.h"

#include <string.h>

ksStatus ksiSubscribe(ksInspector *inspector, const ksiSubscription *subscription)
{
    ksStatus status = ksiReserve(&inspector->allocator, &inspector->subscription, &inspector->subscriptionCapacity,
                                 inspector->subscriptionCount + 1, sizeof *subscription);
    if (!status)
        inspector->subscription[inspector->subscriptionCount++] = *subscription;
    return status;
}

bool ksiInWorld(const ksInspector *inspector, dJointID joint)
{
    for (dJointID j = ksiFirstJoint(&inspector->engine); j; j = ksiNextJoint(j)) {
        if (j == joint)
            return true;
    }
    return false;
}

static bool bodyInWorld(const ksInspector *inspector, dBodyID body)
{
    for (dBodyID b = ksiFirstBody(&inspector->engine); b; b = ksiNextBody(b)) {
        if (b == body)
            return true;
    }
    return false;
}

ksStatus ksInspectorOnReaction(ksInspector *inspector, dJointID joint, ksReactionFn *fn, void *user)
{
    if (!inspector || !fn || (joint && !ksiInWorld(inspector, joint)))
        return KS_ERROR_BAD_ARGUMENT;
    ksiSubscription subscription = {.kind = KSI_ON_EVERY_REACTION, .active = true, .onReaction = fn, .user = user};
    if (joint) {
        int reversed;
        subscription.kind = KSI_ON_REACTION;
        subscription.joint = joint;
        subscription.type = dJointGetType(joint);
        ksiJointBodies(joint, subscription.body, &reversed);
    }
    return ksiSubscribe(inspector, &subscription);
}

ksStatus ksInspectorOnContact(ksInspector *inspector, dBodyID a, dBodyID b, ksReactionFn *fn, void *user)
{
    if (!inspector || !fn || !a || a == b || !bodyInWorld(inspector, a) || (b && !bodyInWorld(inspector, b)))
        return KS_ERROR_BAD_ARGUMENT;
    ksiSubscription subscription = {
        .kind = KSI_ON_CONTACT, .active = true, .onReaction = fn, .user = user, .body = {a, b}};
    return ksiSubscribe(inspector, &subscription);
}

ksStatus ksInspectorOnStep(ksInspector *inspector, ksStepFn *fn, void *user)
{
    if (!inspector || !fn)
        return KS_ERROR_BAD_ARGUMENT;
    ksiSubscription subscription = {.kind = KSI_ON_STEP, .active = true, .onStep = fn, .user = user};
    return ksiSubscribe(inspector, &subscription);
}

ksStatus ksInspectorOnAlert(ksInspector *inspector, ksReactionFn *fn, void *user)
{
    if (!inspector || !fn)
        return KS_ERROR_BAD_ARGUMENT;
    ksiSubscription subscription = {.kind = KSI_ON_ALERT, .active = true, .onReaction = fn, .user = user};
    return ksiSubscribe(inspector, &subscription);
}

void ksiCompactSubscriptions(ksInspector *inspector)
{
    size_t kept = 0;
    for (size_t i = 0; i < inspector->subscriptionCount; i++) {
        if (inspector->subscription[i].active)
            inspector->subscription[kept++] = inspector->subscription[i];
    }
    inspector->subscriptionCount = kept;
}

ksStatus ksInspectorOff(ksInspector *inspector, void *user)
{
    if (!inspector)
        return KS_ERROR_BAD_ARGUMENT;
    for (size_t i = 0; i < inspector->subscriptionCount; i++) {
        if (inspector->subscription[i].user == user)
            inspector->subscription[i].active = false;
    }
    if (!inspector->busy)
        ksiCompactSubscriptions(inspector);
    return KS_OK;
}

unsigned ksiFindListeners(ksInspector *inspector)
{
    unsigned kinds = 0;
    for (size_t n = 0; n < inspector->subscriptionCount; n++) {
        const ksiSubscription *s = &inspector->subscription[n];
        kinds |= 1u << s->kind;
        const int own = s->joint ? ksiPointersFind(&inspector->jointIndex, s->joint) : -1;
        if (own >= 0)
            inspector->joint[own].heard = true;
    }
    return kinds;
}

bool ksiIsHeard(const ksInspector *inspector, const ksiJointState *joint, unsigned kinds)
{
    if (joint->heard || kinds & 1u << KSI_ON_EVERY_REACTION)
        return true;
    if (kinds & 1u << KSI_ON_CONTACT && joint->type == dJointTypeContact)
        return true;
    return kinds & 1u << KSI_ON_ALERT && ksiIsWorthAlert(inspector, joint);
}
