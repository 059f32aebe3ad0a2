/* subscription.h  Subscriptions. */
#ifndef KSI_INSPECTOR_HOST_SUBSCRIPTION_H
#define KSI_INSPECTOR_HOST_SUBSCRIPTION_H

#include "../publish/load.h"

typedef enum ksiSubscriptionKind {
    KSI_ON_REACTION,
    KSI_ON_EVERY_REACTION,
    KSI_ON_CONTACT,
    KSI_ON_ALERT,
    KSI_ON_STEP,
    KSI_ON_THRESHOLD,
    KSI_ON_TOUCH,
    KSI_ON_MEAN,
    KSI_ON_DESTROY,
    KSI_ON_ENGINE_STEP,
    KSI_ON_GONE /* a vanished joint: one last call */
} ksiSubscriptionKind;

/* One limit of a threshold, from step to step. */
typedef struct ksiLimitState {
    bool over;           /* between the start and the end of an event */
    double lasted, peak; /* lasted: time above the limit, s; peak: largest load in this time */
} ksiLimitState;

/* Measures several joints at once; false: no value. */
typedef struct ksiWatch ksiWatch;
typedef bool ksiSeeFn(ksInspector *inspector, ksiWatch *watch, ksiSight *sight);

struct ksiWatch {
    ksThreshold limits;
    ksThresholdFn *fn;
    ksiLimitState state[KS_LIMIT_COUNT];
    ksiWindow window;
    ksiSeeFn *see;       /* NULL: the watch measures one joint */
    void *sum;           /* the argument of `see`, freed with the subscription */
    bool isOver;         /* the first term of the sum is gone */
    ksSubscription pair; /* for ksInspectorPair, this subscription; for a threshold of a pair, the
                            subscription of the pair; else 0 */
};

typedef struct ksiSubscription {
    ksiSubscriptionKind kind;
    bool active;
    ksSubscription id;
    ksReactionFn *onReaction;
    ksStepFn *onStep;
    ksDestroyFn *onDestroy;
    ksEngineStepFn *onEngineStep;
    ksTouchFn *onTouch;
    void *user;
    dJointID joint;
    dJointType type;
    dBodyID body[2];     /* of the joint, or in contact */
    int next;            /* the next subscription of the same joint in this step */
    ksiWatch watch;      /* of a threshold, or of a mean */
    double leastImpulse; /* of a touch */
} ksiSubscription;

typedef struct ksiSubscriptions {
    ksiSubscription *at; /* sorted by id */
    size_t count, capacity;
    size_t endedCount; /* number of those that ended one by one since the last compaction */
    ksSubscription last;
} ksiSubscriptions;

KS_MUST_USE ksStatus ksiSubscribe(ksInspector *inspector, const ksiSubscription *subscription);
void ksiCompactSubscriptions(ksInspector *inspector);
void ksiSayDestroyed(ksInspector *inspector);
bool ksiHearsEngineStep(const ksInspector *inspector);
/* Makes the callbacks in a scope of host_calls.h. */
void ksiSayEngineStep(ksInspector *inspector, const ksEngineStep *said);
bool ksiIsInWorld(const ksInspector *inspector, dJointID joint);
bool ksiIsBodyInWorld(const ksInspector *inspector, dBodyID body);
/* Checks that `a` is a body of this world, and `b` another one, or NULL. */
KS_MUST_USE ksStatus ksiCheckPair(const ksInspector *inspector, dBodyID a, dBodyID b);
/* NULL: the subscription has ended. */
ksiSubscription *ksiFindSubscription(const ksiSubscriptions *all, ksSubscription id);
/* The index of the first subscription with this id or a later one; else the count. */
size_t ksiFirstSubscription(const ksiSubscriptions *all, ksSubscription id);

/* After the verdicts: updates all means, and ends those whose first term has vanished. */
void ksiTakeOwnMeans(ksInspector *inspector);

/* Is the subscription for this pair of bodies, in either order? */
static inline bool ksiIsAbout(const ksiSubscription *s, const dBodyID body[2])
{
    const dBodyID *pair = s->body;
    return (pair[0] == body[0] && (!pair[1] || pair[1] == body[1])) ||
           (pair[0] == body[1] && (!pair[1] || pair[1] == body[0]));
}

/* ksiFindListeners: the kinds of all subscriptions, as bits; marks the joints that have
 * subscriptions of their own. ksiIsHeard: will subscriptions of these kinds be called with this
 * judged joint? ksiIsWorthAlert: has its verdict become alarming, or ceased to be so? */
unsigned ksiFindListeners(ksInspector *inspector);
bool ksiIsHeard(const ksInspector *inspector, size_t joint, unsigned kinds);
bool ksiIsWorthAlert(const ksInspector *inspector, size_t joint);

#endif
