/* subscription.c  Who wants to hear of what. */
#include "inspector_private.h"

#include "../base/error.h"

#include <string.h>

ksStatus ksiSubscribe(ksInspector *inspector, const ksiSubscription *subscription)
{
    const ksStatus status =
        ksiReserve(&inspector->allocator, &inspector->subscription, &inspector->subscriptionCapacity,
                   inspector->subscriptionCount + 1, sizeof *subscription);
    if (status)
        return status;
    ksiSubscription *made = &inspector->subscription[inspector->subscriptionCount++];
    *made = *subscription;
    made->id = ++inspector->lastSubscription;
    return KS_OK;
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

static ksStatus onReaction(ksInspector *inspector, dJointID joint, ksReactionFn *fn, void *user)
{
    KSI_REQUIRE_POINTER(inspector);
    KSI_REQUIRE_POINTER(fn);
    KSI_REQUIRE(!joint || ksiInWorld(inspector, joint), "joint is not one of this world");
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

ksStatus ksInspectorOnReaction(ksInspector *inspector, dJointID joint, ksReactionFn *fn, void *user)
{
    return KSI_ANSWER(onReaction(inspector, joint, fn, user));
}

static ksStatus onContact(ksInspector *inspector, dBodyID a, dBodyID b, ksReactionFn *fn, void *user)
{
    KSI_REQUIRE_POINTER(inspector);
    KSI_REQUIRE_POINTER(fn);
    KSI_REQUIRE_POINTER(a);
    KSI_REQUIRE(a != b, "b is a");
    KSI_REQUIRE(bodyInWorld(inspector, a), "a is not a body of this world");
    KSI_REQUIRE(!b || bodyInWorld(inspector, b), "b is not a body of this world");
    const ksiSubscription subscription = {
        .kind = KSI_ON_CONTACT, .active = true, .onReaction = fn, .user = user, .body = {a, b}};
    return ksiSubscribe(inspector, &subscription);
}

ksStatus ksInspectorOnContact(ksInspector *inspector, dBodyID a, dBodyID b, ksReactionFn *fn, void *user)
{
    return KSI_ANSWER(onContact(inspector, a, b, fn, user));
}

static ksStatus onStep(ksInspector *inspector, ksStepFn *fn, void *user)
{
    KSI_REQUIRE_POINTER(inspector);
    KSI_REQUIRE_POINTER(fn);
    const ksiSubscription subscription = {.kind = KSI_ON_STEP, .active = true, .onStep = fn, .user = user};
    return ksiSubscribe(inspector, &subscription);
}

ksStatus ksInspectorOnStep(ksInspector *inspector, ksStepFn *fn, void *user)
{
    return KSI_ANSWER(onStep(inspector, fn, user));
}

static ksStatus onAlert(ksInspector *inspector, ksReactionFn *fn, void *user)
{
    KSI_REQUIRE_POINTER(inspector);
    KSI_REQUIRE_POINTER(fn);
    const ksiSubscription subscription = {.kind = KSI_ON_ALERT, .active = true, .onReaction = fn, .user = user};
    return ksiSubscribe(inspector, &subscription);
}

ksStatus ksInspectorOnAlert(ksInspector *inspector, ksReactionFn *fn, void *user)
{
    return KSI_ANSWER(onAlert(inspector, fn, user));
}

void ksiCompactSubscriptions(ksInspector *inspector)
{
    size_t kept = 0;
    for (size_t i = 0; i < inspector->subscriptionCount; i++) {
        if (inspector->subscription[i].active)
            inspector->subscription[kept++] = inspector->subscription[i];
    }
    inspector->subscriptionCount = kept;
    inspector->endedCount = 0;
}

static ksStatus off(ksInspector *inspector, void *user)
{
    KSI_REQUIRE_POINTER(inspector);
    for (size_t i = 0; i < inspector->subscriptionCount; i++) {
        if (inspector->subscription[i].user == user)
            inspector->subscription[i].active = false;
    }
    if (!inspector->busy)
        ksiCompactSubscriptions(inspector);
    return KS_OK;
}

ksStatus ksInspectorOff(ksInspector *inspector, void *user)
{
    return KSI_ANSWER(off(inspector, user));
}

ksSubscription ksInspectorGetLastSubscription(const ksInspector *inspector)
{
    return inspector ? inspector->lastSubscription : 0;
}

/* They stand in the order in which they were made. NULL: it has ended, and is gone. */
static ksiSubscription *find(ksInspector *inspector, ksSubscription id)
{
    size_t low = 0, high = inspector->subscriptionCount;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (inspector->subscription[middle].id < id)
            low = middle + 1;
        else
            high = middle;
    }
    ksiSubscription *at = inspector->subscription + low;
    return low < inspector->subscriptionCount && at->id == id ? at : NULL;
}

static ksStatus unsubscribe(ksInspector *inspector, ksSubscription id)
{
    KSI_REQUIRE_POINTER(inspector);
    KSI_REQUIRE(id > 0, "subscription is 0: none");
    KSI_REQUIRE(id <= inspector->lastSubscription, "subscription is none of this inspector");
    ksiSubscription *subscription = find(inspector, id);
    if (!subscription || !subscription->active)
        return KSI_EXPLAIN(KS_ERROR_ENDED, "subscription has ended");
    subscription->active = false;
    // half of them: who ends many one by one does not wait for each
    if (2 * ++inspector->endedCount > inspector->subscriptionCount && !inspector->busy)
        ksiCompactSubscriptions(inspector);
    return KS_OK;
}

ksStatus ksInspectorUnsubscribe(ksInspector *inspector, ksSubscription subscription)
{
    return KSI_ANSWER(unsubscribe(inspector, subscription));
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
