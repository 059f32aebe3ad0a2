/* subscription.c  Subscriptions. */
#include "deferred_wait.h"
#include "host_calls.h"

#include "../../base/error.h"
#include "../../base/sorted.h"

#include <string.h>

ksStatus ksiSubscribe(ksInspector *inspector, const ksiSubscription *subscription)
{
    ksiSubscriptions *all = &inspector->subscriptions;
    (void)ksiDeferredWait(inspector);
    KSI_TRY(ksiReserve(&inspector->step.allocator, &all->at, &all->capacity, all->count + 1, sizeof *all->at));
    ksiSubscription *made = &all->at[all->count++];
    *made = *subscription;
    made->active = true;
    made->id = ++all->last;
    return KS_OK;
}

bool ksiIsInWorld(const ksInspector *inspector, dJointID joint)
{
    for (dJointID j = ksiFirstJoint(&inspector->step.engine); j; j = ksiNextJoint(j)) {
        if (j == joint)
            return true;
    }
    return false;
}

bool ksiIsBodyInWorld(const ksInspector *inspector, dBodyID body)
{
    for (dBodyID b = ksiFirstBody(&inspector->step.engine); b; b = ksiNextBody(b)) {
        if (b == body)
            return true;
    }
    return false;
}

/* hasFunction: the callback is not NULL. */
static ksStatus subscribe(ksInspector *inspector, bool hasFunction, const ksiSubscription *subscription)
{
    KSI_REQUIRE_POINTER(inspector);
    KSI_REQUIRE(hasFunction, "fn is NULL");
    return ksiSubscribe(inspector, subscription);
}

static ksStatus onReaction(ksInspector *inspector, dJointID joint, ksReactionFn *fn, void *user)
{
    KSI_REQUIRE_POINTER(inspector);
    KSI_REQUIRE_POINTER(fn);
    KSI_REQUIRE(!joint || ksiIsInWorld(inspector, joint), "joint does not belong to this world");
    ksiSubscription subscription = {.kind = KSI_ON_EVERY_REACTION, .onReaction = fn, .user = user};
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

ksStatus ksiCheckPair(const ksInspector *inspector, dBodyID a, dBodyID b)
{
    KSI_REQUIRE_POINTER(a);
    KSI_REQUIRE(a != b, "a and b are the same body");
    KSI_REQUIRE(ksiIsBodyInWorld(inspector, a), "a is not a body of this world");
    KSI_REQUIRE(!b || ksiIsBodyInWorld(inspector, b), "b is not a body of this world");
    return KS_OK;
}

/* Subscribes to a pair of bodies. */
static ksStatus onPair(ksInspector *inspector, bool hasFunction, const ksiSubscription *subscription)
{
    KSI_REQUIRE_POINTER(inspector);
    KSI_REQUIRE(hasFunction, "fn is NULL");
    KSI_REQUIRE(isgreaterequal(subscription->leastImpulse, 0), "leastImpulse is %g, must be >= 0",
                subscription->leastImpulse);
    KSI_TRY(ksiCheckPair(inspector, subscription->body[0], subscription->body[1]));
    return ksiSubscribe(inspector, subscription);
}

ksStatus ksInspectorOnContact(ksInspector *inspector, dBodyID a, dBodyID b, ksReactionFn *fn, void *user)
{
    const ksiSubscription subscription = {.kind = KSI_ON_CONTACT, .onReaction = fn, .user = user, .body = {a, b}};
    return KSI_ANSWER(onPair(inspector, fn, &subscription));
}

ksStatus ksInspectorOnTouch(ksInspector *inspector, dBodyID a, dBodyID b, double leastImpulse, ksTouchFn *fn,
                            void *user)
{
    const ksiSubscription subscription = {
        .kind = KSI_ON_TOUCH, .onTouch = fn, .user = user, .body = {a, b}, .leastImpulse = leastImpulse};
    return KSI_ANSWER(onPair(inspector, fn, &subscription));
}

ksStatus ksInspectorOnStep(ksInspector *inspector, ksStepFn *fn, void *user)
{
    const ksiSubscription subscription = {.kind = KSI_ON_STEP, .onStep = fn, .user = user};
    return KSI_ANSWER(subscribe(inspector, fn, &subscription));
}

ksStatus ksInspectorOnDestroy(ksInspector *inspector, ksDestroyFn *fn, void *user)
{
    const ksiSubscription subscription = {.kind = KSI_ON_DESTROY, .onDestroy = fn, .user = user};
    return KSI_ANSWER(subscribe(inspector, fn, &subscription));
}

ksStatus ksInspectorOnEngineStep(ksInspector *inspector, ksEngineStepFn *fn, void *user)
{
    const ksiSubscription subscription = {.kind = KSI_ON_ENGINE_STEP, .onEngineStep = fn, .user = user};
    return KSI_ANSWER(subscribe(inspector, fn, &subscription));
}

ksStatus ksInspectorOnAlert(ksInspector *inspector, ksReactionFn *fn, void *user)
{
    const ksiSubscription subscription = {.kind = KSI_ON_ALERT, .onReaction = fn, .user = user};
    return KSI_ANSWER(subscribe(inspector, fn, &subscription));
}

void ksiSayDestroyed(ksInspector *inspector)
{
    const ksiSubscriptions *all = &inspector->subscriptions;
    for (size_t i = 0; i < all->count; i++) {
        if (all->at[i].kind == KSI_ON_DESTROY && all->at[i].active)
            all->at[i].onDestroy(all->at[i].user);
    }
}

bool ksiHearsEngineStep(const ksInspector *inspector)
{
    bool any = false;
    for (size_t i = 0; i < inspector->subscriptions.count; i++)
        any |= inspector->subscriptions.at[i].kind == KSI_ON_ENGINE_STEP;
    return any;
}

void ksiSayEngineStep(ksInspector *inspector, const ksEngineStep *said)
{
    const size_t count = inspector->subscriptions.count;
    KSI_HOST_SCOPE scope = ksiEnterHost(inspector);
    for (size_t i = 0; i < count; i++) {
        // the array may move while the callback runs
        const ksiSubscription s = inspector->subscriptions.at[i];
        if (s.kind == KSI_ON_ENGINE_STEP && s.active)
            s.onEngineStep(said, s.user);
    }
    ksiLeaveHost(&scope);
}

void ksiTakeOwnMeans(ksInspector *inspector)
{
    for (size_t i = 0; i < inspector->subscriptions.count; i++) {
        ksiSubscription *s = &inspector->subscriptions.at[i];
        ksiSight sight;
        if (s->kind != KSI_ON_MEAN || !s->active)
            continue;
        (void)s->watch.see(inspector, &s->watch, &sight);
        s->active = !s->watch.isOver;
    }
}

void ksiCompactSubscriptions(ksInspector *inspector)
{
    ksiSubscriptions *all = &inspector->subscriptions;
    size_t kept = 0;
    for (size_t i = 0; i < all->count; i++) {
        if (all->at[i].active) {
            all->at[kept++] = all->at[i];
        } else {
            ksiFree(&inspector->step.allocator, all->at[i].watch.window.at);
            ksiFree(&inspector->step.allocator, all->at[i].watch.window.from);
            ksiFree(&inspector->step.allocator, all->at[i].watch.sum);
        }
    }
    all->count = kept;
    all->endedCount = 0;
}

static ksStatus off(ksInspector *inspector, void *user)
{
    KSI_REQUIRE_POINTER(inspector);
    (void)ksiDeferredWait(inspector);
    for (size_t i = 0; i < inspector->subscriptions.count; i++) {
        if (inspector->subscriptions.at[i].user == user && inspector->subscriptions.at[i].kind != KSI_ON_MEAN)
            inspector->subscriptions.at[i].active = false;
    }
    if (!ksiIsInHost(inspector))
        ksiCompactSubscriptions(inspector);
    return KS_OK;
}

ksStatus ksInspectorOff(ksInspector *inspector, void *user)
{
    return KSI_ANSWER(off(inspector, user));
}

ksSubscription ksInspectorGetLastSubscription(const ksInspector *inspector)
{
    return inspector ? inspector->subscriptions.last : 0;
}

static int byId(const void *key, const void *element)
{
    const ksSubscription a = *(const ksSubscription *)key, b = ((const ksiSubscription *)element)->id;
    return (a > b) - (a < b);
}

/* Subscriptions are sorted by age, and so by id. */
size_t ksiFirstSubscription(const ksiSubscriptions *all, ksSubscription id)
{
    return ksiPlaceOf(&id, byId, all->at, all->count, sizeof *all->at);
}

ksiSubscription *ksiFindSubscription(const ksiSubscriptions *all, ksSubscription id)
{
    const size_t at = ksiFirstSubscription(all, id);
    return at < all->count && all->at[at].id == id ? &all->at[at] : NULL;
}

static ksStatus unsubscribe(ksInspector *inspector, ksSubscription id)
{
    KSI_REQUIRE_POINTER(inspector);
    KSI_REQUIRE(id > 0, "subscription is 0, which is none");
    ksiSubscriptions *all = &inspector->subscriptions;
    (void)ksiDeferredWait(inspector);
    KSI_REQUIRE(id <= all->last, "subscription does not belong to this inspector");
    ksiSubscription *subscription = ksiFindSubscription(all, id);
    if (!subscription || !subscription->active)
        return KSI_EXPLAIN(KS_ERROR_ENDED, "subscription has ended");
    subscription->active = false;
    // compact only when half of the subscriptions have ended, so that ending many of them one by
    // one stays fast
    if (2 * ++all->endedCount > all->count && !ksiIsInHost(inspector))
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
