/* publish.c  Phase 14: the callbacks after a step.
 *
 * All results of the step are final before the first call. A callback may change the world, so
 * before each later call the world's own list shows whether the joint still exists. Callbacks run
 * with the host's floating-point flags and traps, which the library leaves unchanged between
 * calls. */
#include "../host/feedback.h"
#include "../host/host_calls.h"
#include "../inspector.h"
#include "../phases.h"

#include "../../base/fpguard.h"
#include "../../engine/body_stamp.h"

#include <math.h>
#include <string.h>

/* The round of calls after one step. */
typedef struct Round {
    ksInspector *inspector;
    size_t count;     /* subscriptions that existed when the round began; later ones wait for the
                         next step */
    int firstGeneral; /* chain of subscriptions to every reaction */
    int firstAlert;   /* chain of subscriptions to alerts */
    bool dirty;       /* a callback has run since joints were last checked */
    bool isLate;      /* the world may have changed since the step ended */
    bool anyBreaks;   /* there are thresholds of joints that may break */
    bool stamped;
    ksiStamp stamp; /* of the joint list when it was last searched */
} Round;

static void call(Round *round, size_t subscription, const ksReaction *reaction)
{
    // the array may move while the callback subscribes
    const ksiSubscription *s = &round->inspector->subscriptions.at[subscription];
    if (!s->active)
        return;
    s->onReaction(reaction, s->user);
    round->dirty = true;
}

static void callThreshold(Round *round, size_t subscription, const ksThresholdEvent *event)
{
    const ksiSubscription *s = &round->inspector->subscriptions.at[subscription];
    if (!s->active)
        return;
    s->watch.fn(event, s->user);
    round->dirty = true;
}

static void lookForJoints(Round *round)
{
    ksiFindAlive(&round->inspector->step, round->isLate, round->inspector->published.isAlive);
    round->stamped = ksiJointStamp(&round->inspector->step.engine, &round->stamp);
}

static bool stillThere(Round *round, size_t joint)
{
    // a host that destroys the inspector may also have destroyed the world
    if (round->inspector->isDoomed)
        return false;
    if (round->dirty && !(round->stamped && ksiStampHolds(&round->inspector->step.engine, &round->stamp)))
        lookForJoints(round);
    round->dirty = false;
    return round->inspector->published.isAlive[joint];
}

/* Is it a threshold whose joint may break? Such thresholds have a round of their own. */
static bool breaks(const ksiSubscription *s)
{
    return s->kind == KSI_ON_THRESHOLD && s->watch.limits.flags & KS_THRESHOLD_BREAKS;
}

/* Puts a subscription at the head of a chain. */
static void chain(ksiSubscription *s, size_t n, int *first)
{
    s->next = *first;
    *first = (int)n;
}

/* Ends the subscriptions to joints and bodies that are gone, and chains the others to their joints
 * and bodies. */
static void sortSubscriptions(Round *round)
{
    ksInspector *inspector = round->inspector;
    ksiPublished *published = &inspector->published;
    if (round->isLate)
        lookForJoints(round);
    for (size_t i = 0; i < inspector->step.jointCount; i++) {
        published->isAlive[i] = inspector->step.report[i].isAlive && (!round->isLate || published->isAlive[i]);
        published->firstSubscription[i] = -1;
    }
    for (size_t i = 0; i < inspector->step.bodyCount; i++)
        published->firstOfBody[i] = -1;
    for (size_t n = round->count; n-- > 0;) {
        ksiSubscription *s = &inspector->subscriptions.at[n];
        const bool isThreshold = s->kind == KSI_ON_THRESHOLD;
        if (s->kind == KSI_ON_CONTACT || s->kind == KSI_ON_TOUCH || (isThreshold && !s->joint)) {
            bool isThere = true;
            for (int side = 0; side < 2; side++)
                isThere &= !s->body[side] || ksiPointersFind(&inspector->input.bodyIndex, s->body[side]) >= 0;
            const ksiSubscription *pair =
                s->watch.pair ? ksiFindSubscription(&inspector->subscriptions, s->watch.pair) : NULL;
            isThere &= !s->watch.pair || (pair && pair->active);
            if (isThreshold && !isThere)
                s->kind = KSI_ON_GONE;
            s->active &= isThere || isThreshold;
        }
        const int body = s->kind == KSI_ON_CONTACT ? ksiPointersFind(&inspector->input.bodyIndex, s->body[0]) : -1;
        if (body >= 0)
            chain(s, n, &published->firstOfBody[body]);
        else if (s->kind == KSI_ON_EVERY_REACTION)
            chain(s, n, &round->firstGeneral);
        else if (s->kind == KSI_ON_ALERT)
            chain(s, n, &round->firstAlert);
        if (s->kind != KSI_ON_REACTION && !(isThreshold && s->joint))
            continue;
        const int at = ksiPointersFind(&inspector->input.jointIndex, s->joint);
        const ksiJointInput *joint = at < 0 ? NULL : &inspector->step.joint[at];
        const bool same = joint && published->isAlive[at] && joint->type == s->type && joint->body[0] == s->body[0] &&
                          joint->body[1] == s->body[1];
        if (same)
            chain(s, n, &published->firstSubscription[at]);
        else
            s->kind = KSI_ON_GONE;
        round->anyBreaks |= breaks(s);
    }
}

static void callLast(Round *round, size_t subscription, const ksReaction *last)
{
    const ksiWatch *watch = &round->inspector->subscriptions.at[subscription].watch;
    ksThresholdEvent event;
    if (!watch->fn) {
        call(round, subscription, last);
        return;
    }
    ksiLastEvent(watch, last, &event);
    callThreshold(round, subscription, &event);
}

static void sayGone(Round *round)
{
    ksInspector *inspector = round->inspector;
    for (size_t n = 0; n < round->count; n++) {
        ksiSubscription s = inspector->subscriptions.at[n];
        if (s.kind != KSI_ON_GONE || !s.active || inspector->isDoomed)
            continue;
        ksReaction last;
        ksiFillGone(&inspector->step, &last);
        last.joint = s.joint;
        last.type = s.type;
        last.body[0] = s.body[0];
        last.body[1] = s.body[1];
        callLast(round, n, &last);
        inspector->subscriptions.at[n].active = false;
    }
}

/* Calls a threshold of the joint with this index. An index beyond the joints stands for a threshold
 * of contacts. */
static void publishThreshold(Round *round, size_t subscription, size_t index)
{
    ksInspector *inspector = round->inspector;
    ksThresholdEvent event[KS_LIMIT_COUNT];
    int count;
    KSI_GUARD_FP(count = ksiWatchJoint(inspector, index, &inspector->subscriptions.at[subscription].watch, event));
    const bool isOfJoint = index < inspector->step.jointCount;
    for (int i = 0; i < count && (isOfJoint ? stillThere(round, index) : !inspector->isDoomed); i++)
        callThreshold(round, subscription, &event[i]);
}

/* Calls the subscriptions to a joint, in the order of subscription. They are in several chains,
 * each in this order: the chain of the joint, the chain of every reaction, and, for a contact, the
 * chains of its two bodies. */
static void publishJoint(Round *round, size_t index)
{
    enum { CHAINS = 4 };
    ksInspector *inspector = round->inspector;
    const ksiJointInput *joint = &inspector->step.joint[index];
    int head[CHAINS] = {inspector->published.firstSubscription[index], round->firstGeneral, -1, -1};
    KSI_EACH_BODY (joint->bodyIndex, side, body)
        head[2 + side] = joint->type == dJointTypeContact ? inspector->published.firstOfBody[body] : -1;
    if (head[3] == head[2])
        head[3] = -1;  // a joint of a body with itself
    for (;;) {
        int *next = &head[0];
        for (int i = 1; i < CHAINS; i++)
            if (head[i] >= 0 && (*next < 0 || head[i] < *next))
                next = &head[i];
        const int n = *next;
        if (n < 0)
            return;
        const ksiSubscription *s = &inspector->subscriptions.at[n];
        *next = s->next;
        const bool wanted = s->kind != KSI_ON_CONTACT || ksiIsAbout(s, joint->body);
        if (!wanted || breaks(s) || !stillThere(round, index))
            continue;
        if (s->kind == KSI_ON_THRESHOLD)
            publishThreshold(round, (size_t)n, index);
        else
            call(round, (size_t)n, ksiReactionOf(&inspector->step, &inspector->published, index));
    }
}

/* --- Joints that break, one after the other --- */

typedef void VisitBreaking(Round *round, size_t subscription, size_t joint, void *context);

/* Visits the thresholds of joints that may break and have not broken in this step, in the order of
 * joints. */
static void eachBreaking(Round *round, VisitBreaking *visit, void *context)
{
    ksInspector *inspector = round->inspector;
    for (size_t i = 0; i < inspector->published.count && !inspector->isDoomed; i++) {
        for (int n = inspector->published.firstSubscription[i]; n >= 0;) {
            const ksiSubscription *s = &inspector->subscriptions.at[n];
            const int next = s->next;
            if (breaks(s) && s->active && inspector->breaking.joint[i].standing != KSI_GONE && stillThere(round, i))
                visit(round, (size_t)n, i, context);
            n = next;
        }
    }
}

typedef struct Weakest {
    size_t subscription, joint;
    double times; /* ratio of its load to its limit; 0: nothing breaks */
} Weakest;

/* Two overloads count as equal if their relative difference is below this number. Of joints with
 * equal overloads, the first in the step breaks. */
static const double alike = 1e-6;

static void compareOverload(Round *round, size_t subscription, size_t joint, void *context)
{
    Weakest *weakest = context;
    double times;
    KSI_GUARD_FP(times = ksiOverload(round->inspector, joint, &round->inspector->subscriptions.at[subscription].watch));
    if (times > weakest->times * (1 + alike))
        *weakest = (Weakest){subscription, joint, times};
}

static void publishRest(Round *round, size_t subscription, size_t joint, void *context)
{
    (void)context;
    publishThreshold(round, subscription, joint);
}

/* Releases a joint, and all joints that its callback has destroyed. Contacts keep their reported
 * forces. If the new loads of a mechanism cannot be computed, none of its other joints breaks. */
static void letGo(Round *round, size_t joint)
{
    const ksiStep *step = &round->inspector->step;
    ksiAfter *breaking = &round->inspector->breaking;
    for (size_t i = 0; i < step->jointCount; i++) {
        const bool goes = i == joint || (step->joint[i].type != dJointTypeContact && !stillThere(round, i));
        if (goes && breaking->joint[i].standing != KSI_GONE)
            ksiAfterGoes(step, (int)i, breaking);
    }
    for (size_t i = 0; i < step->jointCount; i++) {
        const int island = step->member[i].island;
        ksStatus status = KS_OK;
        if (breaking->joint[i].standing == KSI_GOES)
            KSI_GUARD_FP(status = ksiAfterSolve(step, ksiSolverOf(round->inspector, island), island, breaking));
        (void)status;  // on failure, the other joints are KSI_UNKNOWN
    }
}

static void publishBreaks(Round *round)
{
    enum { MOST = 32 };
    ksInspector *inspector = round->inspector;
    if (!round->anyBreaks || ksiAfterBegin(&inspector->step, &inspector->breaking))
        return;
    for (int count = 0; !inspector->isDoomed; count++) {
        Weakest weakest = {.times = 0};
        eachBreaking(round, compareOverload, &weakest);
        if (weakest.times == 0) {
            eachBreaking(round, publishRest, NULL);
            return;
        }
        if (count == MOST)
            return;
        publishThreshold(round, weakest.subscription, weakest.joint);
        if (!inspector->isDoomed)
            letGo(round, weakest.joint);
    }
}

static void publishAlert(Round *round, size_t index)
{
    ksInspector *inspector = round->inspector;
    if (!ksiIsWorthAlert(inspector, index))
        return;
    for (int n = round->firstAlert, next; n >= 0; n = next) {
        next = inspector->subscriptions.at[n].next;
        if (stillThere(round, index))
            call(round, (size_t)n, ksiReactionOf(&inspector->step, &inspector->published, index));
    }
}

/* Calls the thresholds of contacts, which belong to no joint. */
static void publishPairs(Round *round)
{
    for (size_t n = 0; n < round->count && !round->inspector->isDoomed; n++) {
        const ksiSubscription *s = &round->inspector->subscriptions.at[n];
        if (s->kind == KSI_ON_THRESHOLD && !s->joint && s->active)
            publishThreshold(round, n, round->inspector->step.jointCount);
    }
}

/* Marks the bodies of the step that still exist. */
static ksiBodyStamp lookForBodies(ksInspector *inspector)
{
    const ksiStep *step = &inspector->step;
    int *exists = inspector->touches.ofBody;
    memset(exists, 0, step->bodyCount * sizeof *exists);
    for (dBodyID body = ksiFirstBody(&step->engine); body; body = ksiNextBody(body)) {
        const int at = ksiPointersFind(&inspector->input.bodyIndex, body);
        if (at >= 0)
            exists[at] = true;
    }
    return ksiStampBodies(&step->engine);
}

static bool isInWorld(const ksInspector *inspector, dBodyID body)
{
    const int at = ksiPointersFind(&inspector->input.bodyIndex, body);
    return !body || (at >= 0 && inspector->touches.ofBody[at]);
}

/* Calls the subscriptions to touches, unless a callback has destroyed one of the bodies. */
static void publishTouches(ksInspector *inspector)
{
    const ksiTouches *touches = &inspector->touches;
    ksiBodyStamp stamp = {.count = -1};
    for (size_t i = 0; i < touches->count && !inspector->isDoomed; i++) {
        const ksTouch *event = &touches->at[i].event;
        const ksiSubscription *s = ksiFindSubscription(&inspector->subscriptions, touches->at[i].of);
        if (!s || !s->active || !touches->at[i].isTold)
            continue;
        if (!ksiBodyStampHolds(&inspector->step.engine, &stamp))
            stamp = lookForBodies(inspector);
        if (isInWorld(inspector, event->body[0]) && isInWorld(inspector, event->body[1]))
            s->onTouch(event, s->user);
    }
}

/* The number of subscriptions up to this one. */
static size_t countUpTo(const ksiSubscriptions *all, ksSubscription last)
{
    size_t count = all->count;
    while (count > 0 && all->at[count - 1].id > last)
        count--;
    return count;
}

bool ksiPublish(ksInspector *inspector, ksSubscription last, bool isLate)
{
    Round round = {.inspector = inspector,
                   .count = countUpTo(&inspector->subscriptions, last),
                   .firstGeneral = -1,
                   .firstAlert = -1,
                   .isLate = isLate};
    KSI_HOST_SCOPE scope = ksiEnterHost(inspector);
    if (isLate)
        KSI_GUARD_FP(ksiClockStart(&inspector->clock));
    if (inspector->published.isKnown) {
        round.stamped = ksiJointStamp(&inspector->step.engine, &round.stamp);
        sortSubscriptions(&round);
        sayGone(&round);
    }
    for (size_t i = 0; i < inspector->published.count && !inspector->isDoomed; i++)
        publishJoint(&round, i);
    publishBreaks(&round);
    for (size_t i = 0; round.firstAlert >= 0 && i < inspector->published.count && !inspector->isDoomed; i++)
        publishAlert(&round, i);
    if (inspector->published.isKnown)
        publishPairs(&round);
    if (inspector->touches.isFound)
        publishTouches(inspector);
    KSI_GUARD_FP(ksiClockLap(&inspector->clock, &inspector->published.report.seconds[KS_PHASE_CALLBACKS]));
    for (size_t n = 0; n < round.count; n++) {
        ksiSubscription s = inspector->subscriptions.at[n];
        if (s.kind == KSI_ON_STEP && s.active && !inspector->isDoomed)
            s.onStep(&inspector->published.report, s.user);
    }
    ksiLeaveHost(&scope);
    ksiCompactSubscriptions(inspector);
    const bool isDoomed = inspector->isDoomed;
    if (isDoomed)
        ksiInspectorFree(inspector);
    return !isDoomed;
}
