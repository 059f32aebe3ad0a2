/* state.h  One step of one world: the structs written by each phase of step.c, in the order of the phases.
 *
 * Later phases read them through ksiStep (step_view.h). Arrays are by body, joint or island of the step. Members belong to this step alone
 * unless their comment says "kept". */
#ifndef KSI_INSPECTOR_STATE_H
#define KSI_INSPECTOR_STATE_H

#include "../base/bridges.h"
#include "../base/error.h"
#include "../base/memory.h"
#include "../base/pointers.h"
#include "../engine/engine.h"

#include <stdbool.h>
#include <stdint.h>

/* --- 1. Read: the world before the step --- */

typedef struct ksiBodyInput {
    ksStatus status; /* of reading it */
    bool dynamic;    /* has a mass: not kinematic, readable */
    bool awake;      /* the stepper is expected to move it */
    bool jumped;     /* the host moved it, or changed its velocity, since the last step ended; unless it is driven */
    bool isPut;      /* ... and put it elsewhere: farther than it moves in a step. Not of a kinematic one */
    bool driven;     /* it is kinematic, and the host has only changed its velocity, by `gained` */
    ksReasons reasons;
    ksiBody begin;    /* its force includes the forces that the engine adds itself */
    bool isStopped;   /* the engine has stopped it within this step, as an idle body: `begin` is at rest */
    double stopped;   /* the kinetic energy that this took; J */
    double open;      /* of a foreign step: size of the torque that is not known, by how it was turned. Else 0 */
    double gained[6]; /* of a kinematic body that is driven or has jumped; from rest, if it is new */
    /* Of a body that damping or the cap of angular speed slows down. Both are forces of the mechanism: */
    bool isSlowed;
    double moving[6];  /* its velocity there: the one that has moved it here, before damping took of it */
    double slowing[6]; /* the force that takes as much in this step; where that is not known, by the law of damping */
} ksiBodyInput;

/* Axes and anchors that only the joint itself can tell, before the step. */
typedef struct ksiFrame {
    double axes[9], anchor[2][3];
} ksiFrame;

/* Of a row that holds a position which the host can set; of others nothing is written. */
typedef struct ksiSetting {
    double position;
    double left; /* what the engine has yet to take back of the host's shifts */
    double gap;  /* ... and of all that the joint is off by */
} ksiSetting;

typedef struct ksiJointInput {
    dJointID id;
    dJointID seen; /* what is read: the joint, or an image of it */
    dJointType type;
    dBodyID body[2];
    int bodyIndex[2]; /* -1: the world */
    int reversed;
    int before; /* the same joint in ksiMemory::joint, or -1: it was not there, or nothing of it is needed */
    ksReasons reasons;
    bool enabled;
    bool isRead;       /* its rows are known: it may take part in the step */
    bool isLoad;       /* a contact whose reported reaction is a known load of its bodies */
    bool isBounded;    /* one of its rows has bounds */
    bool isSoft;       /* a bilateral one is compliant */
    bool isFramed;     /* `frame` is known */
    bool isCopied;     /* there is a copy of it, from this place of ksiInput::copy: */
    bool wantsHistory; /* its rows will be compared with those of the next step */
    bool wasAlarming;  /* its verdict in the last step */
    bool goesOn;       /* it was in that step: the same joint of the same bodies, and no contact */
    bool isMeantSoft;  /* of a foreign step: its engine lets it give way; its rows here are rigid */
    double fudgeWork;  /* in the last step, if it goes on */
    size_t copyAt;
    ksiGeometry geometry;
    double rate[KSI_MAX_ROWS];   /* J v */
    double moving[KSI_MAX_ROWS]; /* ... of the mechanism's velocities */
    double target[KSI_MAX_ROWS]; /* of motors, and of positions that the host shifts: the velocity to follow; else 0 */
    ksiSetting setting[KSI_MAX_ROWS];
    unsigned follows;     /* rows that have a target, or had one in the last step: bits */
    double compliance[2]; /* linear, m/N; angular, rad/(N.m), 0: by the radius of gyration */
    ksiRows rows;
    double scaled[KSI_MAX_ROWS][12]; /* rows in the mass metric: |sum lambda scaled| is the size of J^T lambda */
    ksiFrame frame;
} ksiJointInput;

/* Of a foreign step: what its engine reported of a joint, if it was told. */
typedef struct ksiGivenReport {
    bool isKnown;
    ksWrench on[2];
} ksiGivenReport;

/* In place of the host's while the engine steps: it writes here. */
typedef struct ksiJointFeedback {
    dJointFeedback own, *host;
} ksiJointFeedback;

typedef struct ksiInput {
    ksiBodyInput *body;
    ksiJointInput *joint;
    ksiJointFeedback *feedback;
    ksiGivenReport *given;
    ksiPointers bodyIndex, jointIndex; /* kept while the world's lists stay the same */
    size_t bodyCount, jointCount;
    bool isKnown;    /* the world's bodies and joints were found in this step */
    bool sameJoints; /* as in the last step, in the same order; bodies likewise */
    bool sameBodies;
    bool anyAsleep;        /* a body is disabled */
    bool anySingle;        /* numbers of a body have single precision */
    bool anyLoad;          /* a contact is a known load */
    bool anyDriven;        /* a kinematic body is, or has jumped */
    size_t wantingHistory; /* joints */
    dBodyID culprit;       /* a body that is not finite, or NULL */
    dJointID culpritJoint; /* one whose rows are not, or NULL */
    double erp;            /* the world's, when rows were read */
    double gravity[3];     /* ... likewise */
    double *copy;          /* joints as they were before the step */
    size_t copyCount, copyCapacity;
    ksStatus copying; /* KS_ERROR_NO_MEMORY: some could not be copied */
} ksiInput;

/* --- 2. Report: what the engine says it did --- */

/* Where rows lie between their bounds, in one solution: low, high are those in force, N or N.m, of rows that are not plain. */
typedef struct ksiPlaces {
    ksRowPlace place[KSI_MAX_ROWS];
    ksRowPlace degenerate[KSI_MAX_ROWS]; /* bound that a row counted as inside would stay at; or KS_INSIDE */
    double low[KSI_MAX_ROWS], high[KSI_MAX_ROWS];
} ksiPlaces;

typedef struct ksiJointReport {
    bool isWritten; /* the engine wrote its feedback: the joint took part in the step */
    bool isFinite;  /* ... without NaN or infinity */
    bool isAlive;   /* still the same joint of the world, when the step was over */
    bool isMet;     /* it was in the world's list then */
    int mark;       /* that the stepper left in it. Kept */
    ksReasons reasons;
    int rank;                        /* of its own rows */
    double load;                     /* size of the part of the reported reaction that the rows explain */
    double residue;                  /* size of the rest of it */
    double fudgeWork;                /* J, of motors at their stops; energy.c, for the next step */
    double multiplier[KSI_MAX_ROWS]; /* least-squares fit: also where the rows are dependent */
} ksiJointReport;

typedef struct ksiBodyReport {
    double net[6];   /* sum of the reported reactions */
    double loads[6]; /* ... of contacts that are known loads */
} ksiBodyReport;

typedef struct ksiReport {
    ksiJointReport *joint;
    ksiBodyReport *body;
    ksiPlaces *places; /* [joints] */
} ksiReport;

/* --- 3. Motion --- */

/* After the step. */
typedef struct ksiBodyEnd {
    double velocity[6], centre[3], rotation[9];
    bool isSlowed;
    double moved[6],
        lost[6]; /* the velocity that moved it, after the cap of angular speed; what that and damping took. Else not set */
} ksiBodyEnd;

typedef struct ksiBodyMotion {
    bool found;     /* it is still there after the step */
    bool moved;     /* it has a mass, and the stepper moved it */
    bool wasMoving; /* if it was stopped first: its velocity was more than the tolerance of its load */
    ksReasons reasons;
    double applied;                /* size of the applied forces, where it is dynamic */
    double residual;               /* of momentum, size in the mass metric, where it moved */
    double rounding, poseRounding; /* ... that velocities of this size leave, and a pose that is known to rounding */
    double kinetic[3];             /* energy at the start, with v*, after the step; J, where it moved */
    double undamped[6];            /* v*: before damping and speed cap */
    ksiBodyEnd end;                /* kept */
} ksiBodyMotion;

typedef struct ksiEnergy {
    double kinetic[2], potentialChange, forceWork, gravityDiscretisation, dampingWork;
    double gyroscopicWork; /* part of forceWork */
    double world[2];       /* as ksStepReport::worldEnergy */
} ksiEnergy;

typedef struct ksiMotion {
    ksiBodyMotion *body;
    ksiEnergy energy;
    bool anyReset; /* a body was stopped before the step */
} ksiMotion;

/* --- 4. Islands: who shares multipliers with whom --- */

/* Kept while bodies and joints stay the same. */
typedef struct ksiJointMember {
    int link[2];   /* bodies with a mass that it joins, if it took part in the step; or -1 */
    int island;    /* or -1 */
    bool isBridge; /* without it its bodies would be apart, the world and kinematic bodies taken as one */
} ksiJointMember;

typedef struct ksiBodyMember {
    int island;            /* or -1 */
    int block;             /* place in the island */
    double loadSum;        /* sizes of all that acts on it */
    double leastJoint;     /* size of the smallest reaction of a joint on it; INFINITY: none */
    double largestContact; /* ... and of contacts that are known loads */
    double leastContact;
} ksiBodyMember;

typedef struct ksiIsland {
    int firstJoint, jointCount; /* into ksiIslands::jointOf */
    int firstBody, bodyCount;   /* into ksiIslands::bodyOf */
    bool isTree;                /* its joints close no loop, but for motors beside balls */
    bool isBounded;             /* one of its rows has bounds */
    bool isLoaded;              /* by contacts, as they were reported */
    bool isNoisy;               /* contacts act on it whose forces nobody has solved for: a solver's noise is in them */
    bool isStruck;              /* one of its contacts has a blow */
    int rowCount;               /* that are not all zero */
    double load;                /* largest size of a reaction or an applied force */
    double mass;                /* of its bodies */
    ksReasons caught;           /* reasons of one joint, for all of them: no obstacle to solving */
    ksReasons obstacles;        /* to solving it: reasons */
    int lane;                   /* where it is solved: lanes.h */
} ksiIsland;

/* The rows of a joint in its island's system: the same with any rows at bounds. */
typedef struct ksiJointLayout {
    int row[KSI_MAX_ROWS];     /* -1: all zero */
    double size[KSI_MAX_ROWS]; /* of scaled */
} ksiJointLayout;

typedef struct ksiIslands {
    ksiIsland *island;
    ksiJointMember *joint;
    ksiBodyMember *body;
    int *jointOf, *bodyOf;
    ksiBridgeNode *node; /* [bodies + 1] the last one is the ground */
    size_t count;
    bool isKnown; /* members, of the last step */
} ksiIslands;

/* --- What is unique --- */

/* A wrench that a self-stress puts on a joint, in the mass metric, and its multipliers. */
typedef struct ksiStressShare {
    double scaled[12], multiplier[KSI_MAX_ROWS];
} ksiStressShare;

typedef struct ksiJointFree {
    unsigned undetermined; /* rows whose multiplier is not unique: bits */
    int count, first;      /* orthonormal basis of its free wrenches, in ksiFreeWrenches */
    int lane;              /* ... of this lane */
    double tilt;           /* what the fit of the pose leaves open of that basis, in radians */
} ksiJointFree;

typedef struct ksiIslandFree {
    bool isKnown;
    bool isPosed; /* by the nearest pose of a loop that has drifted */
    int selfStressCount;
    size_t rank;
} ksiIslandFree;

typedef struct ksiDeterminacy {
    ksiIslandFree *island;
    ksiJointFree *joint;
} ksiDeterminacy;

/* Of all joints of a lane; phases add to it. */
typedef struct ksiFreeWrenches {
    ksiStressShare *at;
    size_t count, capacity;
    int lane;
} ksiFreeWrenches;

/* --- 7. and 8. Active set and converged values: the engine's own step equations, solved exactly --- */

/* Sizes of a reaction and of what the engine's differs by. */
typedef struct ksiDeviation {
    double size, difference;
} ksiDeviation;

typedef struct ksiJointConverged {
    bool isKnown; /* and so are its rows */
    ksiDeviation deviation;
    ksiDeviation determined; /* in what is determined, where it has free wrenches; larger size */
    double gauss[KSI_MAX_ROWS], paulus[KSI_MAX_ROWS]; /* multipliers by the range-space and the null-space route */
    double bar[KSI_MAX_ROWS];
    double relaxed[KSI_MAX_ROWS]; /* |w_l| of the relaxed coordinate; NaN at a bound */
} ksiJointConverged;

typedef struct ksiBodyConverged {
    double leastJoint; /* as ksiBodyMember, of the larger of both reactions */
    double acceleration[6];
} ksiBodyConverged;

typedef struct ksiIslandConverged {
    bool isSolved;
    ksReasons reasons; /* why it is not */
    double load;       /* as ksiIsland, of converged reactions too */
    double boundNoise; /* size of the most that rounding may have put on a friction bound of dWorldStep's first stage */
    double gap;        /* of both routes: certificate.c */
    double poseRounding; /* size of what the rounding of poses makes of c, beside the bars; 0 in double precision */
    ksGaussMeasure measure;
} ksiIslandConverged;

typedef struct ksiConverged {
    ksiIslandConverged *island;
    ksiJointConverged *joint;
    ksiBodyConverged *body;
    ksiPlaces *places; /* [joints] */
    ksiDeterminacy free;
} ksiConverged;

/* --- 5., 6. and 10. Bias accelerations, nearest pose, physical values: the reactions of the continuous mechanism --- */

/* beta = -(dJ/dt) v by row; without what the geometry tells of any velocities, which ksiPermittedAccelerations adds. */
typedef struct ksiJointAcceleration {
    ksPhysicalSource source[KSI_MAX_ROWS];
    double beta[KSI_MAX_ROWS];
    double differenced[KSI_MAX_ROWS]; /* of KS_FROM_HISTORY: by two readings */
    double betaError[KSI_MAX_ROWS];   /* how uncertain: one from history, or that the host may only now have caused */
} ksiJointAcceleration;

typedef struct ksiJointPhysical {
    bool isKnown;
    bool isCertain; /* of a tree: by itself; velocities leave nothing of it open */
    bool hasGap;
    ksPhysicalSource source;
    ksReasons reasons;
    double barSize; /* of the wrench, in what is determined */
    double noise;   /* ... part of it: of contacts. NaN: not known */
    ksiDeviation deviation, determined;
    double multiplier[KSI_MAX_ROWS], bar[KSI_MAX_ROWS];
    double adopted[KSI_MAX_ROWS]; /* share of the engine's own in a multiplier, ... */
    double taken[KSI_MAX_ROWS];   /* ... and what it brings that differs from its mean */
    double held[KSI_MAX_ROWS];    /* what stops would carry that were let go, ... */
    unsigned blows, doubts;       /* ... for a blow, and for what may be one or a solver's noise: rows, bits */
    double split[KSI_MAX_ROWS];   /* part of the engine's multipliers less these that is a self-stress of the island */
    double slack;                 /* size of its impulse that would give bodies velocities which the rows permit */
    double forbidden[KSI_MAX_ROWS]; /* impulses that would take away the velocities which the rows forbid */
    double implicit[KSI_MAX_ROWS];  /* of a tree: what the engine's gyroscopic torques make of its multipliers */
    double fields[KSI_MAX_ROWS];    /* of a tree that is not softened: what other permitted velocities would change */
    double gap[KSI_MAX_ROWS];       /* of a tree: by which a row that holds is off, if hasGap; m or rad */
    /* Where it has free wrenches: with what elastic joints would carry of these. Known if isShared */
    bool isShared;
    double shared[KSI_MAX_ROWS], sharedBar[KSI_MAX_ROWS];
} ksiJointPhysical;

/* How far the engine's multipliers, which explain the motion, are from the physical ones in the mean over a window of steps: size of
 * the wrench, and by row. */
typedef struct ksiMeanApart {
    double size, row[KSI_MAX_ROWS];
} ksiMeanApart;

/* Sums of y, i y and y^2 over the steps of a window, i = 0, 1, ... */
typedef struct ksiTrend {
    double sum, rising, square;
} ksiTrend;

enum { KSI_RUN_WINDOWS = 4 };

/* A sum over steps, times h: of multipliers by row, and as a wrench on the first body, in the world's axes. */
typedef struct ksiRunSum {
    double row[KSI_MAX_ROWS], wrench[6];
} ksiRunSum;

/* Sums over the steps of the window that is under way. */
typedef struct ksiRunSums {
    int count, noted;              /* steps; those of which there is noise */
    double time;                   /* s */
    ksiRunSum apart, known;        /* what ksiMeanApart is the mean of; as much of it as departure.c tells */
    double reported[KSI_MAX_ROWS]; /* the engine's multipliers */
    ksiTrend own[KSI_MAX_ROWS], ownWrench[12]; /* of the engine's own part; the wrench in the mass metric */
} ksiRunSums;

/* The same sums since a row has been in the run, until a window of it is whole; without its first step. Wrenches are of all rows, as long
 * as the first one is among them. */
typedef struct ksiRunBegin {
    int steps[KSI_MAX_ROWS]; /* that it has been there; -1: a window is whole */
    double time[KSI_MAX_ROWS];
    ksiRunSum apart, known;
} ksiRunBegin;

typedef struct ksiRunMean {
    ksiRunSums sums;
    ksiRunBegin begin;
    ksiMeanApart whole[KSI_RUN_WINDOWS]; /* the last windows that are whole, the last one first; 0: there is none */
    ksiMeanApart most;                   /* the largest of these */
    ksiRunSum forbidden; /* of a tree, as of the last step: ksiJointPhysical::forbidden, with so many rows that hold */
    int heldRows;
    double open; /* share of the steps of late in which its velocities left the forces of the tree open */
    /* Of the last window that is whole and of a loop that has drifted, or of softened rows: */
    double slack[1 + KSI_RUN_WINDOWS]; /* the largest, of the window under way too */
    bool isNoiseKnown;
    ksiMeanApart noise;        /* of the engine's own part */
    double mean[KSI_MAX_ROWS]; /* of the engine's multipliers */
    unsigned long step;        /* the last that is in the sums */
    int noisy;                 /* steps for which contacts bring noise: a window's, after the last one that touched */
    double duration;           /* of the last window that is whole; s */
    int rows, length;          /* of the joint; steps of a window, 0: nothing is known */
    int joints, bodies;        /* of its mechanism: another one has other forces */
    unsigned stops, kept;      /* axes at a stop in that step, and those whose motor has been on its target: bits */
    unsigned blows;            /* ... and those whose stop was hit, or still is, for certain: bits */
} ksiRunMean;

typedef struct ksiIslandPhysical {
    bool isUncertain; /* accelerations of its rows, or blows, are */
    bool isOpen;      /* the velocities of a tree leave its forces open */
    bool isSoftened;  /* ... which are the engine's own as far as its joints have drifted */
    int heldRows;     /* of a tree: inside their bounds, and rigid */
    bool isDrifted;   /* its joints do not fit; the nearest pose in which they do decides what is unique */
    bool isWeak;      /* ... which they do but for little, that makes the least singular value of its rows */
    bool isLoaded;    /* by known forces of stops, beside contacts */
    double drift;     /* by how much its joints are apart, of a radius of gyration; NaN: not known. Of loops */
    ksReasons reasons;
} ksiIslandPhysical;

typedef struct ksiPhysical {
    ksiIslandPhysical *island;
    ksiJointPhysical *joint;
    ksiRunMean *run; /* [joints] kept */
    ksiJointAcceleration *acceleration;
    ksiPlaces *places;   /* [joints] */
    ksiDeterminacy free; /* known where it is not that of converged values: use ksiFreeOf */
} ksiPhysical;

/* --- 11. Contacts that are known loads --- */

typedef struct ksiJointContact {
    bool isJudged;
    ksReasons reasons;
    unsigned isFrozen; /* rows whose bound nobody knows: bits */
    ksiDeviation deviation;
    double alone[KSI_MAX_ROWS]; /* its rows' multipliers, each given all others */
    int previousOfPair;         /* contact of the same two bodies, or -1 */
    bool isLastOfPair;
} ksiJointContact;

typedef struct ksiContacts {
    ksiJointContact *joint;
    ksiPlaces *places;     /* [joints] */
    ksiPointers pairIndex; /* of two bodies */
} ksiContacts;

/* --- 12. Estimate of net forces --- */

typedef struct ksiBodyEstimate {
    bool isKnown;
    double error;    /* size of engine's net reaction - swept one, or of its contact force - the mean; mass metric */
    double relative; /* ... to its load */
} ksiBodyEstimate;

/* --- 9. and 13. Momentum and verdict --- */

typedef struct ksiJointVerdict {
    ksVerdict verdict;
    ksReasons reasons;
    double error, errorBar, physicalError, physicalErrorBar, loadNoise;
} ksiJointVerdict;

/* What tells the force that the motion took: the momentum of what a bridge holds together, or each row's relaxed coordinate. */
typedef enum ksiTold { KSI_NOT_TOLD, KSI_BY_SIDES, KSI_BY_ROWS } ksiTold;

/* By the motion that took place. */
typedef struct ksiJointObserved {
    ksiTold told;
    double remainder;                /* of the motion of its mechanism, at most, once it is explained; mass metric */
    double spread;                   /* of KSI_BY_SIDES: of the mechanism about its first body; m kg^(1/2) */
    bool isFalse;                    /* the motion is explained if this joint's report is replaced, ... */
    ksReasons reasons;               /* ... which it was not for these */
    double multiplier[KSI_MAX_ROWS]; /* in place of the reported ones, where these are false */
    double bar[KSI_MAX_ROWS];        /* of KSI_BY_ROWS */
} ksiJointObserved;

typedef struct ksiVerdicts {
    ksiJointVerdict *joint;
    ksiJointObserved *observed; /* [joints] */
    ksReasons *momentumReasons; /* [bodies] of momentum, unless a false report explains it */
    double momentumResidual;
} ksiVerdicts;

/* --- A step that is solved before it is made --- */

/* A bounded joint of the last step, for the next one. */
typedef struct ksiExactPast {
    dJointID id;
    dJointType type;
    dBodyID body[2];
    int next;          /* of the same list, or -1 */
    double normal[12]; /* its first row */
    double multiplier[KSI_MAX_ROWS];
} ksiExactPast;

typedef struct ksiExact {
    bool *isTaken;       /* [joints] its multipliers were applied in place of the engine's */
    bool *isSwept;       /* [joints] ... and were found by sweeps */
    size_t fallbackRows; /* of islands that were left to the engine, ... */
    ksReasons fallback;  /* ... and the reasons */
    size_t next;         /* joint that is asked for */
    bool isSolved;       /* the step is */
    bool isRemembered;   /* what follows is, of the step `remembered` */
    unsigned long remembered;
    ksiExactPast *past; /* by joint of the last step */
    int *firstPast;     /* [listCount] of a list by both bodies: into past, or -1 */
    size_t listCount;
    size_t pastCapacity, firstCapacity;
    ksiSubstitution *substitution;
    size_t substitutions; /* 1: there is room for one */
} ksiExact;

#endif
