/* inspector_private.h  The inspector's own data: one step of one world, and who wants to hear of it. */
#ifndef KSI_INSPECTOR_PRIVATE_H
#define KSI_INSPECTOR_PRIVATE_H

#include "../base/memory.h"
#include "../base/pointers.h"
#include "../engine/engine.h"
#include "../mechanics/mechanics.h"
#include "projection.h"

#include <stdbool.h>
#include <stdint.h>

/* A body in this step. What stands before `island` is set anew in each step, the rest is written before it is read. What the
 * passes after the step have in common stands together. */
typedef struct ksiBodyState {
    ksStatus status; /* of reading it */
    bool dynamic;    /* has a mass: not kinematic, readable */
    bool moved;      /* the stepper moved it */
    bool found;      /* it is still there after the step */
    bool jumped;     /* the host moved it, or changed its velocity, since the last step ended */
    bool driven;     /* instead of that: it is kinematic, and the host has changed its velocity */
    unsigned reasons;
    double reported[6]; /* sum of the reported reactions */
    double known[6];    /* ... of these, of the contacts that are loads; with `heaviest`, the largest size of one */
    double carried, lightest; /* sizes of all that acts on it, and of its smallest joint's reaction */
    double heaviest, lightestLoad;
    int group, slot;        /* once groups are known: or -1, and where it stands in the group */
    int island;             /* or -1. Kept from step to step */
    int block;              /* in its island's system */
    double applied;         /* size of the applied forces, where it is dynamic */
    double residual;        /* of momentum, size in the mass metric, where it moved */
    double rounding, grain; /* ... that velocities of this size leave, and a pose that is known to rounding */
    double kinetic[3];      /* energy at the start, with v*, after the step; J, where it moved */
    double solved[6];       /* v*, before damping and speed cap */
    ksiBody begin;          /* at the start of the step; its force with what the engine adds itself */
    double converged[6];    /* acceleration of the exact solution, where its island has one */
    double finished[6];     /* velocity after the step */
    double endCentre[3], endRotation[9];
    double netError;    /* size of engine's net reaction - swept one, or -1: it was not swept; same metric */
    double netSwept;    /* ... of the swept one */
    double netEstimate; /* the first relative to the load */
    int parent;         /* union-find while islands are found */
    double gained[6];   /* by how much, where it is driven */
} ksiBodyState;

/* Sizes of a reaction and of what the engine's differs by. */
typedef struct ksiDeviation {
    double size, apart;
} ksiDeviation;

/* A joint in this step; its ksReaction has the same index. What stands before `link` is cleared in each step; arrays after
 * it are written before they are read, up to rows.count. What all passes need stands together, from `id` to the first row. */
typedef struct ksiJointState {
    int before;         /* the same joint in ksInspector::past, or -1: it was not there, or is not kept */
    int previousOfPair; /* contact of the same two bodies, or -1: of ksiFindSharing, as the next one */
    bool lastOfPair;    /* no other one follows it */
    ksPhysicalSource physicalSource;
    ksPhysicalSource betaSource[KSI_MAX_ROWS];
    ksRowPlace reported[KSI_MAX_ROWS]; /* of the engine's multiplier */
    ksRowPlace weak[KSI_MAX_ROWS];     /* bound that a row counted as inside would stay at; or KS_INSIDE */
    dJointID id;
    dBodyID body[2];
    int bodyIndex[2]; /* into ksInspector::body, -1: the world */
    dJointType type;
    int mark; /* that the stepper left in it */
    int reversed;
    int firstSubscription; /* or -1 */
    bool enabled;
    bool met;                       /* it was in the world's list after the step */
    bool alive;                     /* still the same joint of the world */
    bool read;                      /* its rows were read: it may take part in the step */
    bool solved;                    /* the engine wrote its feedback */
    bool finite;                    /* ... and no NaN or infinity */
    bool bounded;                   /* one of its rows has bounds */
    bool isLoad;                    /* a contact whose reported reaction is a known load of its bodies */
    bool soft;                      /* a bilateral one is compliant */
    bool isPlaced;                  /* its physical wrench is that of another pose */
    bool copied;                    /* there is a copy of it, */
    size_t copyAt;                  /* from this place of ksInspector::copy */
    bool framed;                    /* the frame in its ksReaction is of this step */
    bool heard;                     /* somebody has subscribed to this joint */
    bool described;                 /* its ksReaction is of this step, and its rows are complete */
    bool wasAlarming;               /* its verdict in the last step */
    bool wantsHistory;              /* its rows will be compared with those of the next step */
    bool hasConverged, hasPhysical; /* so have its rows */
    ksVerdict verdict;
    unsigned reasons;
    unsigned undetermined;           /* rows whose multiplier is not unique: bits */
    unsigned insidePhysical;         /* rows inside their bounds in the physical solution: bits */
    int freeCount, firstFree;        /* orthonormal basis of its free wrenches, in ksInspector::freeWrench */
    int rank;                        /* of its own rows */
    double load;                     /* size of what was reported of it */
    double residue;                  /* of the least-squares fit to that, size in the mass metric */
    double multiplier[KSI_MAX_ROWS]; /* of that fit: also where the rows are dependent */
    ksRowPlace place[KSI_MAX_ROWS];  /* in the solution that the island's system stands for */
    int link[2];                  /* the bodies with a mass that it joins, if it was solved; or -1. Kept from step to */
    int island;                   /* step, as this is; or -1 */
    int systemRow[KSI_MAX_ROWS];  /* in its island's system, -1: all zero */
    double rowSize[KSI_MAX_ROWS]; /* of scaled, in that system */
    double rate[KSI_MAX_ROWS];    /* J v at the start */
    double gauss[KSI_MAX_ROWS];   /* converged multipliers, by the range-space route */
    double converged[KSI_MAX_ROWS]; /* ... by the null-space route */
    double bar[KSI_MAX_ROWS];       /* ... error bars */
    ksiDeviation deviation;         /* of the engine from converged, where there is such */
    double error, errorBar, physicalError, physicalErrorBar;
    ksiRows rows;
    double scaled[KSI_MAX_ROWS][12]; /* rows in the mass metric: |sum lambda scaled| is the size of J^T lambda */
    dJointFeedback feedback;         /* the engine writes here */
    dJointFeedback *hostFeedback;
    double physical[KSI_MAX_ROWS], physicalBar[KSI_MAX_ROWS];
    ksWrench placed[2];        /* of which it is, where it is one of another pose */
    double physicalBarSize;    /* ... of the wrench, in what is determined */
    int dense[KSI_MAX_ROWS];   /* row of ksiProjection::nearest, while it has this island; or -1 */
    int bilateral;             /* ... of these rows, which come first */
    double beta[KSI_MAX_ROWS]; /* -(dJ/dt) v */
    double differenced[KSI_MAX_ROWS], late[KSI_MAX_ROWS]; /* of KS_FROM_HISTORY: by two readings, and how uncertain */
    double low[KSI_MAX_ROWS], high[KSI_MAX_ROWS];         /* bounds in force, of rows that are not plain; N or N.m */
    double boundNoise[KSI_MAX_ROWS];             /* what rounding may have put on the engine's friction bound */
    ksiDeviation physicalDeviation;              /* of the engine from physical, where there is such */
    ksiDeviation determined, physicalDetermined; /* in what is determined, where it has free wrenches; larger size */
} ksiJointState;

/* What the next step reads of a body, where the world's list of them has changed. */
typedef struct ksiBodyPast {
    double finished[6], endCentre[3], endRotation[9];
} ksiBodyPast;

/* What the next step reads of a joint, ... */
typedef struct ksiJointPast {
    dJointType type;
    dBodyID body[2];
    int bodyIndex[2];
    ksVerdict verdict;
    int mark;
    int history; /* into ksInspector::history, or -1 */
} ksiJointPast;

/* ... and of its rows, where these were read and their accelerations may have to be differenced. */
typedef struct ksiHistory {
    int count;
    ksRowKind kind[KSI_MAX_ROWS];
    int axis[KSI_MAX_ROWS];
    double target[KSI_MAX_ROWS];      /* ksiRowTarget */
    double differenced[KSI_MAX_ROWS]; /* acceleration by two readings, or NaN */
    double jacobian[KSI_MAX_ROWS][2][6];
    dBodyID body[2];
} ksiHistory;

/* A redundant island with more rows is not worth the seconds that its singular values take; nor is the nearest pose of one whose
 * matrix has more numbers than a full one of so many. */
enum { KSI_MOST_DENSE_ROWS = 400 };

/* Why an island whose rows make equations was not factorised. */
#define KSI_LEFT_REASONS (KS_REASON_BUDGET | KS_REASON_BOUND | KS_REASON_FRICTION)

/* Bodies and joints that share multipliers. */
typedef struct ksiIsland {
    int firstJoint, jointCount; /* into ksInspector::islandJoint */
    int firstBody, bodyCount;   /* into ksInspector::islandBody */
    int rowCount;               /* of the system */
    int selfStressCount;
    size_t rank;
    double load;        /* largest size of a reaction or an applied force */
    bool explained;     /* `unexplained` is known */
    double unexplained; /* part of the motion that no multipliers make */
    unsigned reasons;   /* of the whole island */
    unsigned caught;    /* of one joint, for all of them: no obstacle to solving */
    unsigned obstacles; /* to solving it: reasons */
    bool bounded;       /* one of its rows has bounds */
    bool loaded;        /* by contacts, as they were reported */
    bool seated;        /* it has chosen its system in this step */
    bool built;         /* ... and filled it: see ksiStands */
    bool solved;        /* converged values are known */
    bool determined;    /* which multipliers are unique is known */
    bool isTree;        /* its joints close no loop. Kept from step to step */
    bool drifted;       /* ksInspector::projection decides what is unique */
    double drift;       /* by how much its joints are apart, of a radius of gyration; NaN: not known. Of loops */
    double boundNoise; /* size of the most that rounding may have put on a friction bound of dWorldStep's first stage */
} ksiIsland;

/* Bodies and joints that hang together, contacts included. */
typedef struct ksiGroup {
    int *joint, *body; /* [jointCount], [bodyCount] indices */
    int jointCount, bodyCount;
    bool isSound;     /* its rows and bodies make equations */
    bool isLoaded;    /* one of its contacts is a known load */
    bool hasFriction; /* whose bounds follow a normal force */
    unsigned reasons; /* of its islands */
} ksiGroup;

/* Where an island is solved, in this step and the next. */
typedef struct ksiSeat {
    int system;               /* into ksInspector::turns, or -1 */
    uint64_t pattern;         /* of the island */
    ksiKept *kept;            /* of its mechanism, for the next step */
    unsigned shapes;          /* of the system when its last turn ended */
    bool foundOthers;         /* ... and another one when this one began */
    int repeats;              /* turns in a row in which it had the system laid out anew */
    unsigned long aloneUntil; /* before this step it shares no system, with this pattern */
} ksiSeat;

/* A system, and who takes turns in it. */
typedef struct ksiTurns {
    ksSystem *system;
    uint64_t pattern; /* of all users; 0: no others are wanted */
    int users;        /* seats */
    int island;       /* whose turn it is, or -1 */
    unsigned shapes;  /* of the system when that began */
} ksiTurns;

typedef enum ksiSubscriptionKind {
    KSI_ON_REACTION,
    KSI_ON_EVERY_REACTION,
    KSI_ON_CONTACT,
    KSI_ON_ALERT,
    KSI_ON_STEP,
    KSI_ON_THRESHOLD,
    KSI_ON_GONE /* a joint that is gone: one last call */
} ksiSubscriptionKind;

/* One limit of a threshold, from step to step. */
typedef struct ksiLimitState {
    bool over; /* an event is on */
    double lasted;
} ksiLimitState;

typedef struct ksiWatch {
    ksThreshold limits;
    ksThresholdFn *fn;
    ksiLimitState state[KS_LIMIT_COUNT];
} ksiWatch;

typedef struct ksiSubscription {
    ksiSubscriptionKind kind;
    bool active;
    ksSubscription id;
    ksReactionFn *onReaction;
    ksStepFn *onStep;
    void *user;
    dJointID joint;
    dJointType type;
    dBodyID body[2]; /* of the joint, or the pair in contact */
    int next;        /* of the same joint, in this step */
    ksiWatch watch;  /* of a threshold */
} ksiSubscription;

/* A wrench that a self-stress puts on a joint, in the mass metric, and its multipliers. */
typedef struct ksiStressShare {
    double scaled[12], multiplier[KSI_MAX_ROWS];
} ksiStressShare;

enum { KSI_BODY_CHOSEN = 1, KSI_WORLD_CHOSEN = 2 }; /* the latter: what this body makes the joint do to the world */

struct ksInspector {
    ksiEngine engine;
    ksInspectorOptions options;
    ksAllocator allocator;

    /* the step */
    bool open;       /* between BeginStep and EndStep */
    bool busy;       /* in callbacks */
    bool doomed;     /* destroyed in a callback: freed when they have run */
    bool known;      /* the world's bodies and joints were found in this step */
    ksStatus status; /* the first thing that went wrong in this bracket */
    ksStepper stepper;
    double h, previousH;
    int sweeps;  /* of QuickStep */
    bool isPool; /* ... on more than one thread */
    unsigned long step;
    double time;
    double lapped; /* when the last lap ended; s */
    ksStepReport report;
    bool reported;

    ksiBodyState *body;
    size_t bodyCount, bodyCapacity;
    ksiJointState *joint;
    size_t jointCount, jointCapacity;
    ksiBodyPast *bodyPast; /* of the last step */
    ksiJointPast *past;
    ksiHistory *history;
    size_t pastCount, pastCapacity, bodyPastCapacity, historyCount, historyCapacity;
    bool anyAsleep;                    /* a body is disabled */
    bool anyReset;                     /* one was stopped before the step */
    bool anyLoad;                      /* a contact is a known load */
    bool anyDriven;                    /* the host has changed the velocity of a kinematic one */
    size_t wantingHistory;             /* joints whose rows will be compared with those of the next step */
    ksiPointers bodyIndex, jointIndex; /* kept while the world's lists stay the same */

    ksReaction *reaction;                   /* see ksiReactionOf */
    size_t reactionCount, reactionCapacity; /* joints that are judged */

    ksiIsland *island;
    size_t islandCount, islandCapacity;
    bool islandsKnown; /* of the last step, and bodies, joints and links are the same since; or of this one */
    int *islandJoint, *islandBody;
    size_t islandJointCapacity, islandBodyCapacity;
    dJointID *loadJoint;
    size_t loadJointCapacity;
    bool groupsKnown; /* of this step */
    ksiGroup *group;
    int *groupJoint, *groupBody;
    size_t groupCount, groupCapacity, groupJointCapacity, groupBodyCapacity;
    ksiSeat *seat; /* [seatCount] of islands, kept from step to step */
    size_t seatCount, seatCapacity;
    ksiTurns *turns; /* [systemCount] systems */
    size_t systemCount, systemCapacity;
    double *copy; /* joints as they were before the step */
    size_t copyCount, copyCapacity;
    ksStatus copying; /* KS_ERROR_NO_MEMORY: some could not be copied */
    ksiProjection projection;
    double *scratch;
    struct ksiBoundedRow *boundedRow; /* of the search for rows at bounds */
    double *exact;                    /* [rows] a solution, while another split takes its place */
    unsigned char (*chosen)[2]; /* of a sum: whether it has the wrench on either body of a joint: KSI_..._CHOSEN bits */
    double *combination;        /* ... [6][rows] by the multipliers of an island */
    size_t chosenCapacity, combinationCapacity;
    double *given; /* self-stresses of a projection, by row of the system, and their parts */
    size_t givenCapacity;
    ksiStressShare *freeWrench;
    int *flag;
    size_t scratchCapacity, exactCapacity, boundedCapacity, flagCapacity, freeCount, freeCapacity;
    int *sweepSlot;
    struct ksiSweepBatch *sweepBatch;
    struct ksiSweepBody *sweepBody;
    size_t sweepSlotCapacity, sweepBatchCapacity, sweepBodyCapacity;
    ksiPointers pairIndex; /* of two bodies */

    ksiSubscription *subscription;
    size_t subscriptionCount, subscriptionCapacity;
    size_t endedCount; /* of these, one by one since they were last made to stand close */
    ksSubscription lastSubscription;
};

/* at the start of the step; NULL for the world */
static inline const ksiBody *ksiBodyOfJoint(const ksInspector *of, const ksiJointState *joint, int side)
{
    const int index = joint->bodyIndex[side];
    return index < 0 ? NULL : &of->body[index].begin;
}

/* lookup.c: s; books the time since the last lap on a phase; index of a joint, quickest where expected, or -1 */
double ksiNow(void);
void ksiLap(ksInspector *inspector, int phase);
int ksiJointAt(const ksInspector *inspector, dJointID id, size_t expected);

/* snapshot.c: the world before the step, and its motion */
KS_MUST_USE ksStatus ksiSnapshotBegin(ksInspector *inspector);
void ksiReadMotion(ksInspector *inspector); /* of all bodies: predicted too, and its energy booked */

/* feedback.c: after the step the host gets its feedback back, for one of this step's joints or for all; whether a joint is
 * still the same is found with it */
bool ksiIsCovered(const ksInspector *inspector);
void ksiTakeFeedbackOff(ksInspector *inspector, ksiJointState *joint, dJointID id);
void ksiGiveFeedbackBack(ksInspector *inspector);
void ksiFindAlive(ksInspector *inspector);

/* report.c: what the engine says it did, once the host has its feedback back */
void ksiReadReport(ksInspector *inspector);
double ksiBoundMargin(const ksiJointState *joint,
                      double bound); /* what lies this close to a bound is at it; N or N.m */
/* of the reported multiplier */
ksRowPlace ksiPlaceBetween(const ksiJointState *joint, int l, double low, double high);
ksRowPlace ksiPlaceInBounds(const ksiJointState *joint, int l);
/* mu times a normal force; any row's bounds, friction by the reported one */
void ksiSetFrictionBound(const ksInspector *inspector, ksiJointState *joint, int l, double normal);
void ksiSetReportedBounds(const ksInspector *inspector, ksiJointState *joint, int l);
double ksiBoundInForce(const ksiJointState *joint, int l, ksRowPlace place);

/* Largest size of a force that acts on a body and does not depend on multipliers. */
static inline double ksiHeaviest(const ksiBodyState *body)
{
    return body->applied > body->heaviest ? body->applied : body->heaviest;
}

/* momentum.c: does the report explain the motion */
void ksiPredictMotion(ksInspector *inspector, ksiBodyState *body);
void ksiPredictGone(ksInspector *inspector, ksiBodyState *body); /* of one that was destroyed in the bracket */
void ksiEngineAcceleration(const ksInspector *inspector, int island, double *acceleration);
void ksiCheckMomentum(ksInspector *inspector, int island); /* of its bodies, once its values are known */
void ksiCheckLooseBodies(ksInspector *inspector);          /* of those that are in none */

/* island.c: who shares multipliers with whom */
static inline ksiJointState *ksiIslandJoint(const ksInspector *of, const ksiIsland *island, int i)
{
    return &of->joint[of->islandJoint[island->firstJoint + i]];
}

static inline ksiBodyState *ksiIslandBody(const ksInspector *of, const ksiIsland *island, int i)
{
    return &of->body[of->islandBody[island->firstBody + i]];
}

/* Rows inside their bounds, as they are placed: bits. */
static inline unsigned ksiInside(const ksiJointState *joint)
{
    unsigned inside = 0;
    for (int l = 0; l < joint->rows.count; l++)
        inside |= joint->place[l] == KS_INSIDE ? 1u << l : 0;
    return inside;
}

/* The velocity that a row is to follow, where that is not an error to be corrected. */
static inline double ksiRowTarget(const ksiJointState *joint, int l)
{
    return joint->rows.row[l].kind == KS_ROW_MOTOR ? joint->rows.row[l].c : 0;
}

/* f of the step equations: what the engine applies, and known loads. */
static inline void ksiForceOnBody(const ksiBodyState *body, double force[6])
{
    for (int k = 0; k < 6; k++)
        force[k] = body->begin.force[k] + body->known[k];
}

void ksiUnite(ksInspector *inspector, int a, int b);
int ksiRootOf(ksInspector *inspector, int body);
/* What a joint joins: its bodies with a mass, if it was solved. All else about islands follows from that, which are not known
 * any more where it is not as in the last step. */
void ksiFindLink(ksInspector *inspector, ksiJointState *joint);
/* While islands are known: all but their members, then what each joint and each body has in its own. */
void ksiClearIslands(ksInspector *inspector);
void ksiAddToIsland(ksInspector *inspector, const ksiJointState *joint);
unsigned ksiObstacles(const ksInspector *inspector, const ksiJointState *joint); /* to solving it: reasons */
void ksiAddBodyToIsland(ksInspector *inspector, ksiBodyState *body);
void ksiWeigh(ksInspector *inspector, const ksiJointState *joint, double load);
/* Where they are not; all of that then, too. */
KS_MUST_USE ksStatus ksiFindIslands(ksInspector *inspector);
KS_MUST_USE ksStatus ksiBuildSystem(ksInspector *inspector, int island);
KS_MUST_USE ksStatus ksiReserveScratch(ksInspector *inspector, int island);
bool ksiIsOverBudget(const ksInspector *inspector, const ksiIsland *island);

/* seat.c: which system that is, from the first time in a step that it is filled; whether it holds what it was filled with */
KS_MUST_USE ksStatus ksiReserveSeats(ksInspector *inspector);
KS_MUST_USE ksStatus ksiTakeSeat(ksInspector *inspector, int island);
ksSystem *ksiIslandSystem(const ksInspector *inspector, int island);
bool ksiStands(const ksInspector *inspector, int island);
void ksiRightHandSides(const ksInspector *inspector, const ksiJointState *joint, double beta[KSI_MAX_ROWS]);

/* bounds.c: finds which rows lie at bounds, leaves the island's system standing with them, and its multipliers and
 * accelerations; KS_ERROR_BOUND where the search is given up */
KS_MUST_USE ksStatus ksiSettleBounds(ksInspector *inspector, int island, double *multiplier, double *acceleration);
/* With redundant contacts the split of their forces is not determined, and the engine's solution may have a row that
 * would not move if it were free on either side of its bound: those that take part in such a split count as inside from
 * now on, in the island's system too. */
KS_MUST_USE ksStatus ksiFreeWeakRows(ksInspector *inspector, int island, double *multiplier, double *acceleration);
/* both */
KS_MUST_USE ksStatus ksiSettleAndFree(ksInspector *inspector, int island, double *multiplier, double *acceleration);
/* places and friction bounds of the engine's report; true where a place has changed */
bool ksiTakeReportedPlaces(ksInspector *inspector, int island);
bool ksiIslandHasBounds(const ksInspector *inspector, int island, bool frictionOnly);

/* solve.c: converged values */
void ksiSolveIsland(ksInspector *inspector, int island);
/* the step's equations with the right rows at bounds: again, if they have given way to others */
KS_MUST_USE ksStatus ksiRestoreSystem(ksInspector *inspector, int island);

/* relaxed_check.c: converged multipliers [rows], and their bars, against those of single joints by themselves; one that is
 * farther off makes KS_REASON_RELAXED */
KS_MUST_USE ksStatus ksiCheckRelaxed(ksInspector *inspector, int island, const double *multiplier, const double *bar);

/* group.c */
KS_MUST_USE ksStatus ksiFindGroups(ksInspector *inspector);
static inline ksiJointState *ksiGroupJoint(const ksInspector *of, const ksiGroup *group, int i)
{
    return &of->joint[group->joint[i]];
}

static inline ksiBodyState *ksiGroupBody(const ksInspector *of, const ksiGroup *group, int i)
{
    return &of->body[group->body[i]];
}

/* load.c: contacts that are known loads, once the motion is known */
KS_MUST_USE ksStatus ksiJudgeLoads(ksInspector *inspector);
/* those of a value, into ksInspector::loadJoint; returns their number */
size_t ksiListLoads(const ksInspector *inspector, int island, ksValue value);
/* the largest that the forces of a contact are beside */
double ksiLoadAround(const ksInspector *inspector, const ksiJointState *joint);

/* estimate.c: how far net forces are off where contacts are known loads, or an island was not factorised; of a body of
 * which there is an estimate, relative to the load, once that is known */
void ksiEstimate(ksInspector *inspector);
void ksiRelateEstimate(const ksInspector *inspector, ksiBodyState *body);

/* sharing.c: KS_REASON_REDUNDANT of contacts that were not factorised */
KS_MUST_USE ksStatus ksiFindSharing(ksInspector *inspector);

/* history.c: what of the last step goes on in this */
/* whether the body has jumped since the last step, which left it so, or is driven */
void ksiFollowBody(ksInspector *inspector, ksiBodyState *body, const double finished[6], const double centre[3],
                   const double rotation[9]);
/* what is needed of the last step's, before they are written over; of the first bodies */
KS_MUST_USE ksStatus ksiRememberBodies(ksInspector *inspector, size_t count);
/* first the room, then each joint of the last step, in order; its place in ksInspector::history, or -1 */
KS_MUST_USE ksStatus ksiReserveHistory(ksInspector *inspector);
int ksiRememberRows(ksInspector *inspector, const ksiJointState *joint);
const ksiHistory *ksiPredecessor(const ksInspector *inspector, const ksiJointState *joint);

/* rates.c: accelerations of rows; whether physical values need that of a row inside its bounds, and the velocity that the
 * row is to follow where that is not an error to be corrected */
void ksiFindRowAccelerations(ksInspector *inspector, int island);
/* a body was stopped before the step: what was read with its velocity is not what the step started from */
bool ksiWasReset(const ksInspector *inspector, const ksiJointState *joint);
bool ksiNeedsBeta(const ksInspector *inspector, const ksiJointState *joint, int l);

/* physical.c */
void ksiSolvePhysical(ksInspector *inspector, int island);
/* -w x I w in place of the stepper's gyroscopic torque */
void ksiMechanismForce(const ksiBodyState *body, const double inertia[9], const double w[3], double force[6]);
/* places and known loads of the rows that physical values have; true where one has changed */
bool ksiTakeLoads(ksInspector *inspector, int island);
/* stops that these multipliers pull at, by row of the system or of the projection, become known: true where there are such */
bool ksiLetStopsGo(ksInspector *inspector, ksiIsland *island, bool dense, const double *multiplier);
/* of its rows: false where one is not known; the sources of its joints are */
bool ksiKnowsAccelerations(ksInspector *inspector, const ksiIsland *island);

/* drift.c: physical values of a loop that has drifted. First what is to be known for converged values;
 * false where the island is solved as it is. Then what is published */
bool ksiSolveDrifted(ksInspector *inspector, int island);
void ksiPublishDrifted(ksInspector *inspector, int island);

/* projection.c: the pose and what depends on what there, KS_ERROR_UNAVAILABLE where there is none or none is needed; then its
 * multipliers */
KS_MUST_USE ksStatus ksiFindNearest(ksInspector *inspector, ksiIsland *island);
KS_MUST_USE ksStatus ksiSolveNearest(ksInspector *inspector, ksiIsland *island);
const double *ksiMovedRow(const ksiMovedJoint *at, const ksiJointState *joint, int l); /* [12] in the pose found */

/* measure.c: the size of wrenches; of rows, and J v at the start. What no force moves is scaled by
 * zeros. */
extern const ksiRigidRoot ksiFixedRoot;
static inline const ksiRigidRoot *ksiMassRoot(const ksiBodyState *body)
{
    return body->dynamic ? &body->begin.root : &ksiFixedRoot;
}

void ksiScaleWrench(const ksiBodyState *body, const double wrench[6], double scaled[6]);
void ksiScaleRows(const ksInspector *inspector, ksiJointState *joint);
double ksiSize(const double *x, int n);
void ksiFindDeviation(const ksInspector *inspector, const ksiJointState *joint, const double *multiplier,
                      ksiDeviation *whole, ksiDeviation *determined);
/* of what free wrenches leave of one by other multipliers */
double ksiDeterminedSize(const ksInspector *inspector, const ksiJointState *joint, const double *multiplier);
void ksiScaledReaction(const ksiJointState *joint, const double *multiplier, double scaled[12]);

/* free.c: what of an island nothing determines: all of that, by its system or its projection; then of each joint, the wrenches that
 * are free and the rows whose multipliers are not unique */
KS_MUST_USE ksStatus ksiFindDeterminacy(ksInspector *inspector, int island);
KS_MUST_USE ksStatus ksiFindFreeDirections(ksInspector *inspector, int island, const int *determinate);
/* ... by the projection, by whose rows all is then determinate or not */
KS_MUST_USE ksStatus ksiFindProjectedDirections(ksInspector *inspector, int island);
unsigned ksiProjectedRows(const ksInspector *inspector, const ksiJointState *joint); /* that are not unique: bits */
/* rows of the converged solution are those of the projection */
bool ksiIsProjected(const ksInspector *inspector, const ksiIsland *island);
/* [stresses][rows of the system]: c^T lambda is the part of a self-stress in multipliers */
void ksiProjectedCombinations(const ksInspector *inspector, const ksiIsland *island, double *combination);

/* sum.c: ksInspectorSumWrenches, for who keeps the host's floating-point environment already */
KS_MUST_USE ksStatus ksiSumWrenches(ksInspector *inspector, const ksWrenchTerm *term, size_t count, ksValue value,
                                    const double *about, ksWrenchSum *out);

/* describe.c: a joint's work, once the motion is known; what is published of it once it is judged, completed when it is
 * first asked for in this step */
double ksiFindWork(const ksInspector *inspector, const ksiJointState *joint);
const ksReaction *ksiReactionOf(const ksInspector *inspector, size_t index);

/* energy.c */
void ksiBookEnergy(ksInspector *inspector, const ksiBodyState *body);

/* verdict.c */
void ksiJudge(ksInspector *inspector);

static inline bool ksiIsAlarming(const ksInspector *inspector, ksVerdict verdict)
{
    return inspector->options.alertMask >> verdict & 1u;
}

static inline bool ksiIsWorthAlert(const ksInspector *inspector, const ksiJointState *joint)
{
    return ksiIsAlarming(inspector, joint->verdict) != joint->wasAlarming;
}

/* publish.c */
void ksiPublish(ksInspector *inspector);

/* subscription.c */
void ksiCompactSubscriptions(ksInspector *inspector);
/* kinds of subscriptions, bits; marks the joints that have some of their own. Which joints callbacks will be called with: of
 * those kinds, for a joint that is judged */
unsigned ksiFindListeners(ksInspector *inspector);
bool ksiIsHeard(const ksInspector *inspector, const ksiJointState *joint, unsigned kinds);
KS_MUST_USE ksStatus ksiSubscribe(ksInspector *inspector, const ksiSubscription *subscription);
bool ksiInWorld(const ksInspector *inspector, dJointID joint);

/* threshold.c: the events of this step, for the call that is to be made of each; and the last one of a joint gone */
int ksiWatchJoint(const ksInspector *inspector, size_t index, ksiWatch *watch, ksThresholdEvent event[KS_LIMIT_COUNT]);
void ksiLastEvent(const ksiWatch *watch, const ksReaction *last, ksThresholdEvent *event);

/* lifecycle.c */
void ksiInspectorFree(ksInspector *inspector);

#endif
