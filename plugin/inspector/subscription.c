/* subscription.c  Who wants to hear of what. */
#include "inspector.h"
#include "phases.h"

#include <string.h>

ksStatus ksiSubscribe(ksInspector *inspector, const ksiSubscription *subscription)
{
    ksiSubscriptions *all = &inspector->subscriptions;
    const ksStatus status =
        ksiReserve(&inspector->step.allocator, &all->at, &all->capacity, all->count + 1, sizeof *all->at);
    if (!status)
        all->at[all->count++] = *subscription;
    return status;
}

bool ksiIsInWorld(const ksInspector *inspector, dJointID joint)
{
    for (dJointID j = ksiFirstJoint(&inspector->step.engine); j; j = ksiNextJoint(j)) {
        if (j == joint)
            return true;
    }
    return false;
}

static bool bodyInWorld(const ksInspector *inspector, dBodyID body)
{
    for (dBodyID b = ksiFirstBody(&inspector->step.engine); b; b = ksiNextBody(b)) {
        if (b == body)
            return true;
    }
    return false;
}

ksStatus ksInspectorOnReaction(ksInspector *inspector, dJointID joint, ksReactionFn *fn, void *user)
{
    if (!inspector || !fn || (joint && !ksiIsInWorld(inspector, joint)))
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
    ksiSubscriptions *all = &inspector->subscriptions;
    size_t kept = 0;
    for (size_t i = 0; i < all->count; i++) {
        if (all->at[i].active)
            all->at[kept++] = all->at[i];
    }
    all->count = kept;
}

ksStatus ksInspectorOff(ksInspector *inspector, void *user)
{
    if (!inspector)
        return KS_ERROR_BAD_ARGUMENT;
    for (size_t i = 0; i < inspector->subscriptions.count; i++) {
        if (inspector->subscriptions.at[i].user == user)
            inspector->subscriptions.at[i].active = false;
    }
    if (!inspector->isBusy)
        ksiCompactSubscriptions(inspector);
    return KS_OK;
}

unsigned ksiFindListeners(ksInspector *inspector)
{
    unsigned kinds = 0;
    memset(inspector->published.isHeard, 0, inspector->step.jointCount * sizeof *inspector->published.isHeard);
    for (size_t n = 0; n < inspector->subscriptions.count; n++) {
        const ksiSubscription *s = &inspector->subscriptions.at[n];
        kinds |= 1u << s->kind;
        const int own = s->joint ? ksiPointersFind(&inspector->input.jointIndex, s->joint) : -1;
        if (own >= 0)
            inspector->published.isHeard[own] = true;
    }
    return kinds;
}

bool ksiIsWorthAlert(const ksInspector *inspector, size_t joint)
{
    const ksiStep *step = &inspector->step;
    return ksiIsAlarming(step, step->verdict[joint].verdict) != step->joint[joint].wasAlarming;
}

bool ksiIsHeard(const ksInspector *inspector, size_t joint, unsigned kinds)
{
    if (inspector->published.isHeard[joint] || kinds & 1u << KSI_ON_EVERY_REACTION)
        return true;
    if (kinds & 1u << KSI_ON_CONTACT && inspector->step.joint[joint].type == dJointTypeContact)
        return true;
    return kinds & 1u << KSI_ON_ALERT && ksiIsWorthAlert(inspector, joint);
}
