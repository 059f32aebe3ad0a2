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
    KSI_ON_GONE /* a joint that is gone: one last call */
} ksiSubscriptionKind;

/* One limit of a threshold, from step to step. */
typedef struct ksiLimitState {
    bool over;           /* an event is on */
    double lasted, peak; /* s above the limit, and the largest load in these */
} ksiLimitState;

/* Of several joints at once: what is seen of them; false: nothing. */
typedef struct ksiWatch ksiWatch;
typedef bool ksiSeeFn(ksInspector *inspector, ksiWatch *watch, ksiSight *sight);

struct ksiWatch {
    ksThreshold limits;
    ksThresholdFn *fn;
    ksiLimitState state[KS_LIMIT_COUNT];
    ksiWindow window;
    ksiSeeFn *see;       /* NULL: of one joint */
    void *sum;           /* what it sees, freed with the subscription */
    bool isOver;         /* ... and its first term is gone */
    ksSubscription pair; /* of ksInspectorPair: this one, or that which it is a threshold of; else 0 */
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
    dBodyID body[2];     /* of the joint, or the pair in contact */
    int next;            /* of the same joint, in this step */
    ksiWatch watch;      /* of a threshold, or of a mean */
    double leastImpulse; /* of a touch */
} ksiSubscription;

typedef struct ksiSubscriptions {
    ksiSubscription *at; /* in the order of their ids */
    size_t count, capacity;
    size_t endedCount; /* of these, one by one since they were last made to stand close */
    ksSubscription last;
} ksiSubscriptions;

KS_MUST_USE ksStatus ksiSubscribe(ksInspector *inspector, const ksiSubscription *subscription);
void ksiCompactSubscriptions(ksInspector *inspector);
void ksiSayDestroyed(ksInspector *inspector);
bool ksiHearsEngineStep(const ksInspector *inspector);
void ksiSayEngineStep(ksInspector *inspector, const ksEngineStep *said); /* in a scope of host_calls.h */
bool ksiIsInWorld(const ksInspector *inspector, dJointID joint);
bool ksiIsBodyInWorld(const ksInspector *inspector, dBodyID body);
/* a: a body of this world; b: another, or NULL */
KS_MUST_USE ksStatus ksiCheckPair(const ksInspector *inspector, dBodyID a, dBodyID b);
/* NULL: it has ended, and is gone */
ksiSubscription *ksiFindSubscription(const ksiSubscriptions *all, ksSubscription id);
/* The index of the first one with this id or a later one, or their count. */
size_t ksiFirstSubscription(const ksiSubscriptions *all, ksSubscription id);

/* Once a step is judged: of all means. Those end whose first term is gone. */
void ksiTakeOwnMeans(ksInspector *inspector);

/* Is it about this pair, in either order? */
static inline bool ksiIsAbout(const ksiSubscription *s, const dBodyID body[2])
{
    const dBodyID *pair = s->body;
    return (pair[0] == body[0] && (!pair[1] || pair[1] == body[1])) ||
           (pair[0] == body[1] && (!pair[1] || pair[1] == body[0]));
}

/* Kinds of subscriptions, bits; marks the joints that have some of their own. Which joints callbacks will be called with: of
 * those kinds, for a joint that is judged. Whether its verdict has entered or left the alarming ones. */
unsigned ksiFindListeners(ksInspector *inspector);
bool ksiIsHeard(const ksInspector *inspector, size_t joint, unsigned kinds);
bool ksiIsWorthAlert(const ksInspector *inspector, size_t joint);

#endif
