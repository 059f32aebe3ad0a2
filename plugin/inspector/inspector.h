/* inspector.h  The inspector: results of its phases, their workspace, and subscriptions. */
#ifndef KSI_INSPECTOR_INSPECTOR_H
#define KSI_INSPECTOR_INSPECTOR_H

#include "../base/arena.h"
#include "../base/clock.h"
#include "contacts/contact_physical.h"
#include "contacts/flicker.h"
#include "contacts/pgs.h"
#include "contacts/touch.h"
#include "host/attributes.h"
#include "host/subscription.h"
#include "lanes.h"
#include "publish/published.h"
#include "publish/release.h"
#include "read/memory.h"

#include <pthread.h>
#include <stdint.h>

typedef struct ksiDeferred ksiDeferred;

#define KSI_COUNT_SEEN(type, place, name) +1
#define KSI_COUNT_OWN(place) +1
enum {
    KSI_BODY_ARRAY_COUNT = KSI_BODY_ARRAYS(KSI_COUNT_SEEN, KSI_COUNT_OWN),
    KSI_JOINT_ARRAY_COUNT = KSI_JOINT_ARRAYS(KSI_COUNT_SEEN, KSI_COUNT_OWN, KSI_COUNT_SEEN)
};
#undef KSI_COUNT_SEEN
#undef KSI_COUNT_OWN

/* More of them take minutes: the number is a mistake. */
enum { KSI_MOST_SWEEPS = 1000000 };

/* The answer to ksInspectorSolveImpulse, and what it was found with. */
typedef struct ksiImpactRoom {
    ksSystem *system; /* NULL: none was asked for */
    ksJointImpact *joint;
    ksBodyImpact *body;
    double *number;
    int *flag;
    size_t jointCapacity, bodyCapacity, numberCapacity, flagCapacity;
} ksiImpactRoom;

/* Functions of the host run: host_calls.h. */
typedef struct ksiHostCalls {
    bool isCalled;
    uintptr_t frame; /* of who called them */
    pthread_t thread;
    void (*giveUp)(ksInspector *inspector); /* ksiGiveUp, which is above those that call the host */
} ksiHostCalls;

struct ksInspector {
    ksiArena arena; /* of all memory of what follows */
    ksiStep step;   /* what phases and queries read: the same as what follows */
    ksiInput input;
    ksiExact exact;
    ksiReport report;
    ksiMotion motion;
    ksiIslands islands;
    ksiConverged converged;
    ksiEstimates estimates;
    ksiPhysical physical;
    ksiContacts contacts;
    ksiFlicker flicker;
    ksiVerdicts verdicts;
    ksiPublished published;
    ksiMeans means;
    ksiMemory memory;
    ksiLanes lanes;

    ksiHostCalls host;
    ksiDeferred *deferred; /* deferred_wait.h; NULL: steps are inspected in place */
    ksStatus missing;      /* why nothing was taken of the step that is to be inspected, or KS_OK */

    bool isOpen;     /* between BeginStep and EndStep */
    bool isTaken;    /* the step that is open is inspected later: ksiDeferBegin */
    bool isDoomed;   /* destroyed in a callback: freed when they have run */
    ksStatus status; /* the first thing that went wrong in this bracket */
    unsigned long stepsDone;
    double timeDone;
    double worldEnergy; /* after the last step that was inspected; NaN: there was none */
    ksiClock clock;

    ksiJointLayout *layout;     /* [joints] */
    ksiPlaces *queried;         /* [joints] */
    ksStatus *refused;          /* [islands] */
    int *parent;                /* [bodies] union_find.h */
    unsigned char (*chosen)[2]; /* [joints] of a sum: whether it has the wrench on either body: KSI_..._CHOSEN bits */
    dJointID *contactList;      /* [joints] */
    ksiImpactRoom impact;       /* of the last one that was asked for */
    ksiAfter after, breaking;   /* likewise; of the joints that break in this step */
    ksiSubscriptions subscriptions;
    ksiTouches touches;
    ksiContactRoom contactRoom; /* of pairs, with options.contactPhysical */
    ksiAttributeList attributes;
    size_t bodyCapacity[KSI_BODY_ARRAY_COUNT], jointCapacity[KSI_JOINT_ARRAY_COUNT];
};

/* The room where an island of this step is solved. */
static inline ksiSolver *ksiSolverOf(ksInspector *inspector, int island)
{
    return &inspector->lanes.at[inspector->islands.island[island].lane].solver;
}

/* reserve.c: room for so many; all of it is given back */
KS_MUST_USE ksStatus ksiReserveBodies(ksInspector *inspector, size_t count);
KS_MUST_USE ksStatus ksiReserveJoints(ksInspector *inspector, size_t count);
void ksiBindStep(ksInspector *inspector); /* points the step at the arrays that phases write */
void ksiInspectorFree(ksInspector *inspector);

/* bracket.c: nothing of what was under way is published, and the host has its feedback back. */
void ksiGiveUp(ksInspector *inspector);

/* step.c */
void ksiStepOpen(ksInspector *inspector, ksStepper stepper, double h); /* the first half of Begin: nothing is read */
void ksiStepBegin(ksInspector *inspector, ksStepper stepper, double h);
void ksiStepEnd(ksInspector *inspector);

/* threshold.c: a subscription of a joint's load, and why it is refused. joint: NULL, of contacts */
KS_MUST_USE ksStatus ksiBeginThreshold(ksInspector *inspector, dJointID joint, const ksThreshold *limits,
                                       ksThresholdFn *fn, void *user, ksiSubscription *out);
/* ... and KS_ERROR_NO_ANCHOR: there is no point about which to take the wrench on this body of the joint */
KS_MUST_USE ksStatus ksiCheckPoint(const ksThreshold *limits, dBodyID body, dJointType type);

/* threshold.c: the events of this step, for the call that is to be made of each; and the last one of a joint gone */
int ksiWatchJoint(ksInspector *inspector, size_t joint, ksiWatch *watch, ksThresholdEvent event[KS_LIMIT_COUNT]);
/* ... and by how many times the load is above a limit that it enters in this step; 0: none */
double ksiOverload(ksInspector *inspector, size_t joint, ksiWatch *watch);
void ksiLastEvent(const ksiWatch *watch, const ksReaction *last, ksThresholdEvent *event);

#endif
