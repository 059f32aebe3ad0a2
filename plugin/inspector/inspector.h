/* inspector.h  The inspector: results of its phases, their workspace, and subscriptions. */
#ifndef KSI_INSPECTOR_INSPECTOR_H
#define KSI_INSPECTOR_INSPECTOR_H

#include "../base/arena.h"
#include "../base/clock.h"
#include "adjacency.h"
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

/* The largest permitted number of sweeps: a larger number is a mistake, and would take minutes. */
enum { KSI_MOST_SWEEPS = 1000000 };

/* Result and workspace of ksInspectorSolveImpulse. */
typedef struct ksiImpactRoom {
    ksSystem *system; /* NULL: not called yet */
    ksJointImpact *joint;
    ksBodyImpact *body;
    double *number;
    int *flag;
    size_t jointCapacity, bodyCapacity, numberCapacity, flagCapacity;
} ksiImpactRoom;

/* A joint of a sum. */
typedef struct ksiChosen {
    int island, joint;      /* sorted by these; island -1: none */
    unsigned char named[2]; /* by side: is the wrench on this body in the sum? selection.c */
} ksiChosen;

typedef struct ksiSelection {
    ksiChosen *at; /* [joints] */
    size_t count;
} ksiSelection;

/* The host's function that is running: host_calls.h. */
typedef struct ksiHostCalls {
    bool isCalled;
    uintptr_t frame; /* of its caller */
    pthread_t thread;
    void (*giveUp)(ksInspector *inspector); /* ksiGiveUp; host_calls.c calls it through this
                                               pointer */
} ksiHostCalls;

struct ksInspector {
    ksiArena arena; /* of the memory of all following members */
    ksiStep step;   /* the following members, as phases and queries read them */
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
    ksStatus missing;      /* why the step to be inspected was not recorded, or KS_OK */

    bool isOpen;     /* between BeginStep and EndStep */
    bool isTaken;    /* the open step is inspected later: ksiDeferBegin */
    bool isDoomed;   /* destroyed in a callback; freed after the callbacks */
    ksStatus status; /* the first error in this bracket */
    unsigned long stepsDone;
    double timeDone;
    double worldEnergy; /* after the last inspected step; NaN: none */
    ksiClock clock;

    ksiJointLayout *layout; /* [joints] */
    ksiPlaces *queried;     /* [joints] */
    ksStatus *refused;      /* [islands] */
    int *parent;            /* [bodies] union_find.h */
    dJointID *contactList;  /* [joints] */
    ksiAdjacency adjacency;
    ksiSelection selection;   /* of the last sum */
    ksiImpactRoom impact;     /* of the last query */
    ksiAfter after, breaking; /* after: of the last query; breaking: of the joints that break in
                                 this step */
    ksiSubscriptions subscriptions;
    ksiTouches touches;
    ksiContactRoom contactRoom; /* of pairs, with options.contactPhysical */
    ksiAttributeList attributes;
    size_t bodyCapacity[KSI_BODY_ARRAY_COUNT], jointCapacity[KSI_JOINT_ARRAY_COUNT];
};

/* The solver of an island of this step. */
static inline ksiSolver *ksiSolverOf(ksInspector *inspector, int island)
{
    return &inspector->lanes.at[inspector->islands.island[island].lane].solver;
}

/* reserve.c: reserves memory for bodies and joints; frees all of it */
KS_MUST_USE ksStatus ksiReserveBodies(ksInspector *inspector, size_t count);
KS_MUST_USE ksStatus ksiReserveJoints(ksInspector *inspector, size_t count);
void ksiBindStep(ksInspector *inspector); /* points the step at the arrays that phases write */
void ksiInspectorFree(ksInspector *inspector);

/* bracket.c: drops the unfinished step without publishing, and restores the host's feedback. */
void ksiGiveUp(ksInspector *inspector);

/* step.c */
void ksiStepOpen(ksInspector *inspector, ksStepper stepper, double h); /* the first part of
                                                                          ksiStepBegin, which reads
                                                                          nothing */
void ksiStepBegin(ksInspector *inspector, ksStepper stepper, double h);
void ksiStepEnd(ksInspector *inspector);

/* threshold.c: fills a subscription to a joint's load for ksiSubscribe, or returns why not. joint
 * NULL: contacts */
KS_MUST_USE ksStatus ksiBeginThreshold(ksInspector *inspector, dJointID joint, const ksThreshold *limits,
                                       ksThresholdFn *fn, void *user, ksiSubscription *out);
/* KS_ERROR_NO_ANCHOR: the wrench on this body of the joint has no such reference point */
KS_MUST_USE ksStatus ksiCheckPoint(const ksThreshold *limits, dBodyID body, dJointType type);

/* threshold.c. ksiWatchJoint: the events of this step, one for each call of the host's function.
 * ksiLastEvent: the last event of a vanished joint. */
int ksiWatchJoint(ksInspector *inspector, size_t joint, ksiWatch *watch, ksThresholdEvent event[KS_LIMIT_COUNT]);
/* The largest ratio of the load to a limit whose event starts in this step; 0: there is none. */
double ksiOverload(ksInspector *inspector, size_t joint, ksiWatch *watch);
void ksiLastEvent(const ksiWatch *watch, const ksReaction *last, ksThresholdEvent *event);

#endif
