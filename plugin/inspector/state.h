/* state.h  One step of one world: the structs written by each phase of step.c, in the order of the
 * phases.
 *
 * Later phases read them through ksiStep (step_view.h). Arrays are indexed by body, joint or island
 * of the step. Members belong to this step alone unless their comment says "kept". */
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
    ksStatus status; /* of the read */
    bool dynamic;    /* has a mass: it is not kinematic, and was readable */
    bool awake;      /* the stepper is expected to move it */
    bool jumped;     /* the host has moved it or changed its velocity since the last step, and it is
                        not driven */
    bool isPut;      /* ... and moved it farther than it moves in a step; not for kinematic
                        bodies */
    bool driven;     /* it is kinematic, and the host has only changed its velocity, by `gained` */
    ksReasons reasons;
    ksiBody begin;     /* its force includes the forces that the engine adds itself */
    bool isStopped;    /* the engine has stopped it within this step, as an idle body: `begin` is at
                         rest */
    double stopped;    /* the kinetic energy that this stop takes away; J */
    double open;       /* in a foreign step: size of the unknown torque, from the unknown integration
                         of rotations. Else 0 */
    double gained[6];  /* change of velocity of a kinematic body that is driven or has jumped; from
                         rest, if it is new */
    bool isSlowed;     /* by damping or the cap of angular speed, which are forces of the mechanism */
    double moving[6];  /* if it is slowed or driven, its velocity in the mechanism: the velocity
                          before damping, or before the host's change, which moved the body to its
                          pose */
    double slowing[6]; /* if it is slowed, the force that slows it by as much in this step; if
                          unknown, the force by the law of damping */
} ksiBodyInput;

/* Axes and anchors before the step, which only the joint itself knows. */
typedef struct ksiFrame {
    double axes[9], anchor[2][3];
} ksiFrame;

/* For a row that fixes a position which the host can set; not written for other rows. */
typedef struct ksiSetting {
    double position;
    double left; /* the remaining part of the host's shifts */
    double gap;  /* the whole gap of the row */
} ksiSetting;

/* The softest of a joint's rows, motors aside. KSI_SOFT: a bilateral row. */
typedef enum ksiSoftness { KSI_NOT_SOFT, KSI_SOFT_STOP, KSI_SOFT } ksiSoftness;

typedef struct ksiJointInput {
    dJointID id;
    dJointID seen; /* the joint that is read, or its image */
    dJointType type;
    dBodyID body[2];
    int bodyIndex[2]; /* -1: the world */
    int reversed;
    int before; /* index of the joint in ksiMemory::joint; -1: the joint is new, or its data is not
                   needed */
    ksReasons reasons;
    bool enabled;
    bool isRead;       /* its rows are known, so it may take part in the step */
    bool isLoad;       /* a contact whose reported reaction is a known load of its bodies */
    bool isBounded;    /* one of its rows has bounds */
    ksiSoftness soft;  /* compliance above options.rigidCfm */
    bool isFramed;     /* `frame` is known */
    bool isCopied;     /* ksiInput::copy has a copy of it, from copyAt on */
    bool wantsHistory; /* its rows will be compared with those of the next step */
    bool wasAlarming;  /* its verdict in the last step was alarming */
    bool goesOn;       /* the joint and its bodies are the same as in the last step, and it is not a
                          contact */
    bool isMeantSoft;  /* in a foreign step: compliant in its engine; its rows here are rigid */
    double fudgeWork;  /* work of motors at their stops in the last step, J; 0 for a new joint */
    size_t copyAt;
    double erp; /* in single precision, the largest of its rows; else 0 */
    ksiGeometry geometry;
    double rate[KSI_MAX_ROWS];   /* J v */
    double moving[KSI_MAX_ROWS]; /* ... for the velocities in the mechanism */
    double target[KSI_MAX_ROWS]; /* velocity of a motor's target, or of a position that the host
                                    shifts; else 0 */
    ksiSetting setting[KSI_MAX_ROWS];
    unsigned follows;     /* rows that have a target, or had one in the last step: bits */
    double compliance[2]; /* linear, m/N; angular, rad/(N.m), 0: by the radius of gyration */
    ksiRows rows;
    double scaled[KSI_MAX_ROWS][12]; /* rows in the mass metric: |sum lambda scaled| is the size of
                                        J^T lambda */
    ksiFrame frame;
} ksiJointInput;

/* In a foreign step: the other engine's report of a joint, if there is one. */
typedef struct ksiGivenReport {
    bool isKnown;
    ksWrench on[2];
} ksiGivenReport;

/* Replaces the host's feedback while the engine steps. */
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
    bool sameJoints; /* the joints and bodies of the last step, in the same order */
    bool sameBodies;
    bool anyAsleep;        /* a body is disabled */
    bool anySingle;        /* numbers of a body have single precision */
    bool anyLoad;          /* a contact is a known load */
    bool anyDriven;        /* a kinematic body is driven or has jumped */
    size_t wantingHistory; /* number of joints with wantsHistory */
    dBodyID culprit;       /* a body that is not finite, or NULL */
    dJointID culpritJoint; /* a joint with rows that are not finite, or NULL */
    double erp;            /* the world's, when rows were read */
    double gravity[3];     /* ... likewise */
    double *copy;          /* joints as they were before the step */
    size_t copyCount, copyCapacity;
    ksStatus copying; /* KS_ERROR_NO_MEMORY: some joints could not be copied */
} ksiInput;

/* --- 2. The engine's report --- */

/* Where the rows of a joint are in one solution: inside or at their bounds. low, high: bounds of
 * the multipliers, N or N.m; not set if all rows of the joint are plain. */
typedef struct ksiPlaces {
    ksRowPlace place[KSI_MAX_ROWS];
    ksRowPlace degenerate[KSI_MAX_ROWS]; /* the bound of a row that is at it, but counts as inside;
                                            else KS_INSIDE */
    double low[KSI_MAX_ROWS], high[KSI_MAX_ROWS];
} ksiPlaces;

typedef struct ksiJointReport {
    bool isWritten; /* the engine wrote its feedback: the joint took part in the step */
    bool isFinite;  /* ... without NaN or infinity */
    bool isAlive;   /* the joint still exists after the step */
    bool isMet;     /* it is in the world's list after the step */
    int mark;       /* the stepper's mark. Kept */
    ksReasons reasons;
    int rank;                        /* of its own rows */
    double load;                     /* size of the part of the reported reaction that the rows
                                        explain */
    double residue;                  /* size of the other part of the reported reaction */
    double fudgeWork;                /* work of motors at their stops, J; set by energy.c for the
                                        next step */
    double multiplier[KSI_MAX_ROWS]; /* least-squares fit, also if the rows are dependent */
} ksiJointReport;

typedef struct ksiBodyReport {
    double net[6];   /* sum of the reported reactions */
    double loads[6]; /* ... of contacts that are known loads */
    double loadSum;  /* sum of the loads of its joints */
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
    double moved[6], lost[6]; /* moved: the velocity that moved the body, after the cap of angular
                                 speed; lost: the velocity that the cap and damping took away. Set
                                 if isSlowed */
} ksiBodyEnd;

typedef struct ksiBodyMotion {
    bool found;     /* it still exists after the step */
    bool moved;     /* it has a mass, and the stepper moved it */
    bool wasMoving; /* if the engine stopped it: it lost more momentum than the tolerance of its
                       load */
    ksReasons reasons;
    double applied;                /* size of the applied forces, if it is dynamic */
    double residual;               /* of momentum, size in the mass metric, if it moved */
    double rounding, poseRounding; /* the residual that rounding may cause. rounding: of velocities
                                      of this size; poseRounding: of the pose */
    double kinetic[3];             /* energy at the start, with v*, after the step; J, if it
                                      moved */
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

/* --- 4. Islands: joints and bodies that share multipliers --- */

/* Kept while bodies and joints stay the same. */
typedef struct ksiJointMember {
    int link[2];   /* bodies with a mass that it connects, if it took part in the step; else -1 */
    int island;    /* or -1 */
    bool isBridge; /* a bridge: its removal disconnects its bodies; the world and kinematic bodies
                      count as one body */
} ksiJointMember;

typedef struct ksiBodyMember {
    int island;            /* or -1 */
    int block;             /* place in the island */
    double loadSum;        /* sum of the sizes of all forces on it */
    double leastJoint;     /* size of the smallest reaction of a joint on it; INFINITY: none */
    double largestContact; /* size of the largest force of a contact that is a known load */
    double leastContact;   /* ... of the smallest force of such a contact; INFINITY: none */
} ksiBodyMember;

typedef struct ksiIsland {
    int firstJoint, jointCount; /* into ksiIslands::jointOf */
    int firstBody, bodyCount;   /* into ksiIslands::bodyOf */
    bool isTree;                /* its joints close no loop, except motors beside balls */
    bool isBounded;             /* one of its rows has bounds */
    bool isLoaded;              /* reported contact forces act on it */
    bool isNoisy;               /* unsolved contact forces act on it, with a solver's noise */
    bool isStruck;              /* one of its contacts has a blow */
    int rowCount;               /* rows that are not all zero */
    double load;                /* largest size of a reaction or an applied force */
    double mass;                /* of its bodies */
    ksReasons caught;           /* reasons of single joints that apply to all its joints, and do not
                                   prevent a solution */
    ksReasons obstacles;        /* reasons against solving it */
    int lane;                   /* lane in which it is solved: lanes.h */
} ksiIsland;

/* The rows of a joint in its island's system, whichever rows are at bounds. */
typedef struct ksiJointLayout {
    int row[KSI_MAX_ROWS];     /* index of the row; -1: its elements are all zero */
    double size[KSI_MAX_ROWS]; /* of ksiJointInput::scaled */
} ksiJointLayout;

typedef struct ksiIslands {
    ksiIsland *island;
    ksiJointMember *joint;
    ksiBodyMember *body;
    int *jointOf, *bodyOf;
    ksiBridgeNode *node; /* [bodies + 1] the last one is the ground */
    size_t count;
    bool isKnown; /* the members of the last step are known */
} ksiIslands;

/* --- Determinacy --- */

/* The wrench of a self-stress on a joint, in the mass metric, and its multipliers. */
typedef struct ksiStressShare {
    double scaled[12], multiplier[KSI_MAX_ROWS];
} ksiStressShare;

typedef struct ksiJointFree {
    unsigned undetermined; /* rows whose multiplier is not unique: bits */
    int count, first;      /* number and first index, in ksiFreeWrenches, of an orthonormal basis of
                              its free wrenches */
    int lane;              /* ... of this lane */
    double tilt;           /* uncertainty of that basis by the fit of the pose, in radians */
} ksiJointFree;

typedef struct ksiIslandFree {
    bool isKnown;
    bool isPosed; /* found in the nearest pose of a drifted loop */
    int selfStressCount;
    size_t rank;
} ksiIslandFree;

typedef struct ksiDeterminacy {
    ksiIslandFree *island;
    ksiJointFree *joint;
} ksiDeterminacy;

/* Free wrenches of all joints of a lane; phases append. */
typedef struct ksiFreeWrenches {
    ksiStressShare *at;
    size_t count, capacity;
    int lane;
} ksiFreeWrenches;

/* --- 7. and 8. Active set, converged values: the engine's step equations, solved exactly --- */

/* Sizes of a reaction, and of the difference of the engine's reaction from it. */
typedef struct ksiDeviation {
    double size, difference;
} ksiDeviation;

typedef struct ksiJointConverged {
    bool isKnown; /* its values and the values of its rows are known */
    ksiDeviation deviation;
    ksiDeviation determined;                          /* of the determined part, if it has free
                                                         wrenches; size: of the larger reaction */
    double gauss[KSI_MAX_ROWS], paulus[KSI_MAX_ROWS]; /* multipliers by the range-space and the
                                                         null-space route; in a drifted loop
                                                         without solved contacts, by the core */
    double bar[KSI_MAX_ROWS];
    double relaxed[KSI_MAX_ROWS]; /* |w_l| of the relaxed coordinate; NaN at a bound */
} ksiJointConverged;

typedef struct ksiBodyConverged {
    double leastJoint; /* as in ksiBodyMember, but with the larger of both reactions */
    double acceleration[6];
} ksiBodyConverged;

typedef struct ksiIslandConverged {
    bool isSolved;
    ksReasons reasons;   /* why it is unknown */
    double load;         /* as in ksiIsland, but with converged reactions */
    double boundNoise;   /* largest effect of rounding on a friction bound of dWorldStep's first
                            stage */
    double gap;          /* duality gap of both routes: certificate.c */
    double poseRounding; /* effect of the rounding of poses on c, in addition to the bars; 0 in
                            double precision */
    ksGaussMeasure measure;
} ksiIslandConverged;

typedef struct ksiConverged {
    ksiIslandConverged *island;
    ksiJointConverged *joint;
    ksiBodyConverged *body;
    ksiPlaces *places; /* [joints] */
    ksiDeterminacy free;
} ksiConverged;

/* --- 5., 6., 10. Bias accelerations, nearest pose, physical values of the mechanism --- */

/* beta = -(dJ/dt) v by row, without the part that follows from the joint's geometry:
 * ksiPermittedAccelerations adds it, for given velocities. */
typedef struct ksiJointAcceleration {
    ksPhysicalSource source[KSI_MAX_ROWS];
    double beta[KSI_MAX_ROWS];
    double differenced[KSI_MAX_ROWS]; /* for KS_FROM_HISTORY: by two readings of the row */
    double betaError[KSI_MAX_ROWS];   /* uncertainty of beta: because of two readings, or of a
                                         change by the host in this step */
    double excess[KSI_MAX_ROWS];      /* of a row that follows a velocity: the part of J v that
                                         is not motion of the mechanism */
} ksiJointAcceleration;

typedef struct ksiJointPhysical {
    bool isKnown;
    bool isCertain; /* of a tree: the multipliers are the same for both permitted velocity fields */
    bool hasGap;
    ksPhysicalSource source;
    ksReasons reasons;
    double barSize; /* bar of the determined part of the wrench */
    double noise;   /* ... its part by the noise of contacts. NaN: unknown */
    ksiDeviation deviation, determined;
    double multiplier[KSI_MAX_ROWS], bar[KSI_MAX_ROWS];
    double adopted[KSI_MAX_ROWS];   /* the engine's share of a multiplier, ... */
    double taken[KSI_MAX_ROWS];     /* ... and the deviation from the mean that this share adds */
    double held[KSI_MAX_ROWS];      /* the force that released stops would have if they held */
    unsigned blows, doubts;         /* stops and motors released for a blow; those released for a
                                       blow or for solver noise: rows, bits */
    unsigned idle;                  /* stops that carry no load in the report: rows, bits */
    double split[KSI_MAX_ROWS];     /* self-stress in the difference between the engine's
                                       multipliers and `multiplier` */
    double slack;                   /* size of the joint's impulse, among the impulses that would
                                       make the velocities permitted */
    double excess[KSI_MAX_ROWS];    /* of a drifted loop: the excess of the engine in the joint's
                                       multipliers of the last step */
    double forbidden[KSI_MAX_ROWS]; /* impulses that would remove the forbidden velocities */
    double implicit[KSI_MAX_ROWS];  /* of a tree: effect of the engine's gyroscopic torques */
    double away[KSI_MAX_ROWS];      /* of a softened tree: the part of the bar that is the distance
                                       from the report, */
    double awaySize;                /* and the same part of barSize */
    double fields[KSI_MAX_ROWS];    /* of an unsoftened tree: change of the multipliers by the other
                                       permitted velocity field */
    double gap[KSI_MAX_ROWS];       /* of a tree: gap of a held row, if hasGap; m or rad */
    /* For a joint with free wrenches: the multipliers with the shares of elastic joints, known if
     * isShared */
    bool isShared;
    double shared[KSI_MAX_ROWS], sharedBar[KSI_MAX_ROWS];
} ksiJointPhysical;

/* Distance between the mean of the engine's multipliers, which explain the motion, and the mean of
 * the physical multipliers over a window: size of its wrench, and size by row. */
typedef struct ksiMeanApart {
    double size, row[KSI_MAX_ROWS];
} ksiMeanApart;

/* Sums of y, i y and y^2 over the steps of a window, i = 0, 1, ... */
typedef struct ksiTrend {
    double sum, rising, square;
} ksiTrend;

/* The engine's part of the multipliers. row: in the world's axes, by row; in a body's axes, the sum
 * of the rows' forces [3], and of the torques [3] of rows without a force. wrench: in the mass
 * metric. */
typedef struct ksiRunTrend {
    ksiTrend row[KSI_MAX_ROWS], wrench[12];
} ksiRunTrend;

enum { KSI_RUN_WINDOWS = 4 };

/* A sum over steps of h times the multipliers: by row, and as a wrench on the first body, in the
 * world's axes. */
typedef struct ksiRunSum {
    double row[KSI_MAX_ROWS], wrench[6];
} ksiRunSum;

/* Sums over the steps of the present window. */
typedef struct ksiRunSums {
    int count, noted;              /* count: steps; noted: steps in `trend` */
    double time;                   /* s */
    ksiRunSum apart, known;        /* apart: sum for ksiMeanApart; known: the part of it that
                                      departure.c explains */
    double reported[KSI_MAX_ROWS]; /* the engine's multipliers */
    ksiRunTrend trend[3];          /* in the world's axes, and in the axes of either body */
} ksiRunSums;

/* The sums of ksiRunSums from a row's second step on, until its first complete window. The wrenches
 * are sums over the rows that are included so far, and count while row 0 is included. */
typedef struct ksiRunBegin {
    int steps[KSI_MAX_ROWS]; /* of the row; -1: a window is complete */
    double time[KSI_MAX_ROWS];
    ksiRunSum apart, known;
} ksiRunBegin;

typedef struct ksiRunMean {
    ksiRunSums sums;
    ksiRunBegin begin;
    ksiMeanApart whole[KSI_RUN_WINDOWS]; /* the last complete windows, the newest first; 0: none */
    ksiMeanApart most;                   /* the largest of these */
    ksiRunSum forbidden;                 /* in the last step: ksiJointPhysical::forbidden, */
    double lastStep;                     /* ... its h, s, */
    bool isLeftOut, wasPushed;           /* ... its difference counts as 0, the host moved bodies, */
    int heldRows;                        /* ... and the mechanism's number of held rows */
    double open;                         /* recent share of steps in which the velocities of the
                                            tree left its forces uncertain */
    /* For a drifted loop, or softened rows, in the last complete window: */
    double slack[1 + KSI_RUN_WINDOWS]; /* largest ksiJointPhysical::slack in the present window, and
                                          in each of the last complete windows */
    bool isNoiseKnown;
    ksiMeanApart noise;        /* of the engine's part */
    ksiMeanApart excess2;      /* recent mean square of the excess, which later steps have shown */
    int told;                  /* known steps minus unknown steps, within limits: run_noise.c */
    double mean[KSI_MAX_ROWS]; /* of the engine's multipliers */
    unsigned long step;        /* number of the last step in the sums */
    int noisy;                 /* remaining steps with noise of contacts: a window after the last
                                  touch */
    double duration;           /* of the last complete window; s */
    int rows, length;          /* rows: of the joint; length: steps of a window; 0: the run is
                                  unknown */
    int joints, bodies;        /* numbers of joints and bodies, which identify its mechanism */
    unsigned stops, kept;      /* in the step `step`: axes at a stop; axes with a motor on its
                                  target: bits */
    unsigned blows;            /* ... and axes with a stop that is certainly hit, or whose blow
                                  continues: bits */
    unsigned inside;           /* ... and axes with a motor whose report is inside its bounds */
} ksiRunMean;

typedef struct ksiIslandPhysical {
    bool isUncertain; /* accelerations of its rows, or blows, are uncertain */
    bool isOpen;      /* a tree whose velocities leave its forces uncertain */
    bool isSoftened;  /* ... and solved with softened rows */
    int heldRows;     /* of a tree, or a drifted loop: rows that are rigid and inside their
                         bounds */
    bool isDrifted;   /* its joints do not fit, so the nearest pose in which they fit determines
                         uniqueness */
    bool isWeak;      /* its joints nearly fit, but the gaps cause the least singular value of its
                         rows */
    bool isLoaded;    /* known forces of stops and contacts act on it */
    bool isPushed;    /* the host has moved a body, or changed its velocity, since the last step */
    double drift;     /* of loops: largest gap, relative to a radius of gyration; NaN: unknown */
    ksReasons reasons;
} ksiIslandPhysical;

typedef struct ksiPhysical {
    ksiIslandPhysical *island;
    ksiJointPhysical *joint;
    ksiRunMean *run; /* [joints] kept */
    ksiJointAcceleration *acceleration;
    ksiPlaces *places;   /* [joints] */
    ksiDeterminacy free; /* known if it differs from the determinacy of converged values: use
                            ksiFreeOf */
} ksiPhysical;

/* --- 11. Contacts that are known loads --- */

typedef struct ksiJointContact {
    bool isJudged;
    ksReasons reasons;
    unsigned isFrozen; /* rows with unknown bounds: bits */
    ksiDeviation deviation;
    double alone[KSI_MAX_ROWS]; /* the multiplier that solves each row alone */
    int previousOfPair;         /* previous contact of the same two bodies, or -1 */
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
    double error;    /* size of the difference of the engine's and the swept net reaction, or of its
                        contact force and the mean; mass metric */
    double relative; /* ... to its load */
} ksiBodyEstimate;

/* --- 9. and 13. Momentum and verdict --- */

typedef struct ksiJointVerdict {
    ksVerdict verdict;
    ksReasons reasons;
    double error, errorBar, physicalError, physicalErrorBar, loadNoise;
} ksiJointVerdict;

/* Source of the observed force: the momentum of one side of a bridge, or each row's relaxed
 * coordinate. */
typedef enum ksiTold { KSI_NOT_TOLD, KSI_BY_SIDES, KSI_BY_ROWS } ksiTold;

/* Results by the simulated motion. */
typedef struct ksiJointObserved {
    ksiTold told;
    double remainder;                /* if the motion is explained: bound of the unexplained motion
                                        of its mechanism; mass metric */
    double spread;                   /* for KSI_BY_SIDES: spread of the mechanism's mass about its
                                        first body; m kg^(1/2) */
    bool isFalse;                    /* replacing this report would explain the motion, ... */
    ksReasons reasons;               /* ... which is not explained for these reasons */
    double multiplier[KSI_MAX_ROWS]; /* they replace the reported multipliers if isFalse */
    double bar[KSI_MAX_ROWS];        /* of KSI_BY_ROWS */
} ksiJointObserved;

typedef struct ksiVerdicts {
    ksiJointVerdict *joint;
    ksiJointObserved *observed; /* [joints] */
    ksReasons *momentumReasons; /* [bodies] by momentum, unless a false report explains it */
    double momentumResidual;
} ksiVerdicts;

/* --- A step that is solved before it is made --- */

/* A bounded joint of the last step, kept for the next step. */
typedef struct ksiExactPast {
    dJointID id;
    dJointType type;
    dBodyID body[2];
    int next;          /* next of the same list, or -1 */
    double normal[12]; /* its first row */
    double multiplier[KSI_MAX_ROWS];
} ksiExactPast;

typedef struct ksiExact {
    bool *isTaken;       /* [joints] its multipliers were applied in place of the engine's */
    bool *isSwept;       /* [joints] ... and were found by sweeps */
    size_t fallbackRows; /* rows of islands left to the engine, ... */
    ksReasons fallback;  /* ... and the reasons */
    size_t next;         /* joint that the engine probably requests next */
    bool isSolved;       /* the step is solved */
    bool isRemembered;   /* the following members are known; they are of the step `remembered` */
    unsigned long remembered;
    ksiExactPast *past; /* by joint of the last step */
    int *firstPast;     /* [listCount] first of a list by both bodies, in past; or -1 */
    size_t listCount;
    size_t pastCapacity, firstCapacity;
    ksiSubstitution *substitution;
    size_t substitutions; /* capacity: 0 or 1 */
} ksiExact;

#endif
