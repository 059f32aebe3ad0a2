/** @file stories.h  Demos that tests run, too: machines with closed forms, or with sums that must be
 *  right.
 *
 *      KitRun run = doorBegin(&kit, DOOR_PINS, 0, kit.way);
 *      DoorFigures figures;
 *      while (doorStep(&run, &figures))
 *          ...
 *      kitEnd(&run);
 *
 *  Each story is one file: its bodies and joints, what happens in each step, and its table. z is
 *  up; kg, m, s, rad. */
#ifndef DEMOS_STORIES_H
#define DEMOS_STORIES_H

#include "kit.h"

/* Programs; see KIT_MAIN. */
int storyArm(int argc, char **argv);
int storyBridge(int argc, char **argv);
int storyDoor(int argc, char **argv);
int storyLinkage(int argc, char **argv);
int storyPile(int argc, char **argv);
int storyRagdoll(int argc, char **argv);
int storyVehicle(int argc, char **argv);
int storyWalker(int argc, char **argv);
int storyWrist(int argc, char **argv);

/* --- door: determined and undetermined forces of a door's hinges */

/** The same door on two hinges, or on two pins (balls). */
typedef enum DoorMount { DOOR_HINGES, DOOR_PINS } DoorMount;
enum { DOOR_ABOVE, DOOR_BELOW, DOOR_FITTINGS };

/** The results of a step. Forces on the door in its own axes: x away from the hinges, z up; N,
 *  N.m. */
typedef struct DoorFigures {
    double time;
    double engine[DOOR_FITTINGS];     /**< vertical force, as reported */
    ksWrench physical[DOOR_FITTINGS]; /**< about the fitting; NaN: not determined */
    int freeCount[DOOR_FITTINGS];
    ksWrenchSum sum; /**< physical, of both, about the mass centre */
    int calls;       /**< of the thresholds on the fittings since the start */
    /* closed forms */
    ksWrench sumFormula;
    double pull[DOOR_FITTINGS]; /**< along x, of a fitting that is a pin */
} DoorFigures;

/** @param lowerFirst  1: the lower fitting is created first */
KitRun doorBegin(Kit *kit, DoorMount mount, int lowerFirst, KitWay way);

/** Makes one step. @param figures the door's, the same struct each time. @return 0: all steps had
 *  been made */
int doorStep(KitRun *run, DoorFigures *figures);

/* --- bridge: bars that break at a force limit */

enum { BRIDGE_TRUSSES = 2, BRIDGE_BARS = 21, BRIDGE_BREAKS = 64 };

/** A broken bar. Bars below BRIDGE_BARS are in the first truss. */
typedef struct BridgeBreak {
    int bar;
    double time, lorry; /**< s; m from the end where the lorry entered */
    double load;        /**< N, of the bar when it broke */
    double errorBar;    /**< N, of `load`; NaN for the engine's value */
    double statics;     /**< N, by the method of joints, with the lorry at this place and all bars
                             intact */
} BridgeBreak;

typedef struct Bridge {
    KitRun run;
    ksValue by;                                       /**< KS_ENGINE or KS_PHYSICAL: the value that
                                                           breaks bars */
    double lorry;                                     /**< m, in this step */
    dGeomID shape;                                    /**< the lorry's, for viewers */
    double force[BRIDGE_TRUSSES * BRIDGE_BARS][3][3]; /**< N, on the first node, by ksValue; NaN:
                                                           the bar is broken, or the value
                                                           unknown */
    int isBroken[BRIDGE_TRUSSES * BRIDGE_BARS];
    int openSteps; /**< in which the physical force of a bar was not determined, so that the bar
                        could not break */
    int breaks;
    BridgeBreak broken[BRIDGE_BREAKS]; /**< [breaks] in the order of time */
} Bridge;

/** The struct must not move until kitEnd(&bridge->run). */
void bridgeBegin(Kit *kit, ksValue by, KitWay way, Bridge *bridge);

/** Makes one step, then removes the bars above their limits. @return 0: all steps had been made */
int bridgeStep(Bridge *bridge);

/** Force in each bar of a truss with the lorry at a place; N, pulling > 0.  Method of joints. */
void bridgeStatics(int truss, double at, double force[BRIDGE_BARS]);

/** The first place of the lorry where a bar reaches its limit by statics; m, to 1 mm. */
double bridgeFirstBreak(int *bar);

/** N; a name such as "B2-B3". */
double bridgeLimit(int bar);
const char *bridgeBarName(int bar);

/* --- vehicle: wheel loads on a bump */

enum { VEHICLE_WHEELS = 4 };

/** A step of the car. Wheels: front right, front left, rear right, rear left. */
typedef struct VehicleFigures {
    double time, place;                /**< s; m, of its middle */
    double wheel[VEHICLE_WHEELS];      /**< N, up, of the ground on a wheel: the sum of its
                                            contacts */
    double suspension[VEHICLE_WHEELS]; /**< N, up, physical, of a spring on the chassis */
    double loads, needed;              /**< N: the sum of the wheels; the force that weight and
                                            motion of the whole car require */
    double chassis;                    /**< N: the force that weight and motion of the chassis alone
                                            require */
    int overloads;                     /**< how often a spring has exceeded its limit since the
                                            start */
} VehicleFigures;

/** N: of a wheel, and of a spring, at rest. */
extern const double vehicleWheelLoad, vehicleSpringLoad;

/** @param way  springs and dampers do not depend on its step size */
KitRun vehicleBegin(Kit *kit, KitWay way);

/** Makes one step. @param figures the car's, the same struct each time. @return 0: all steps had
 *  been made */
int vehicleStep(KitRun *run, VehicleFigures *figures);

/* --- arm: a sensor at the wrist measures the payload, and the force of a table on it */

typedef enum ArmPhase { ARM_GRIPS, ARM_LIFTS, ARM_RESTS, ARM_SWINGS, ARM_LOWERS, ARM_PUSHES, ARM_PHASES } ArmPhase;

/** A step of the arm. The sensor reads the physical value in world axes. Sums and means are over
 *  the steps of the present phase, after it has settled (at rest 0.4 s, pressing 0.9 s). */
typedef struct ArmFigures {
    double time;
    ArmPhase phase;
    double payloadNow;                    /**< kg: by the sensor's force and the accelerations of
                                               hand and box in this step; NaN: not in the air */
    double payload;                       /**< kg: by the sums of the vertical components; NaN: not
                                               in the air yet */
    double weighed;                       /**< kg: the payload when the arm rested; NaN before */
    double acceleration;                  /**< m/s^2, of the box */
    double table[3];                      /**< N: force of the table on the box by the sensor, after
                                               the box was weighed; else NaN */
    double contacts[3];                   /**< N: the same by the sum of the contacts */
    double meanTable[3], meanContacts[3]; /**< N */
    int touches;                          /**< how often the wrist's threshold has detected the
                                               table since the start */
    /* of the demo's own */
    ksSensor sensor;
    double force, lift; /**< sums, N and m/s^2 */
    int count;          /**< number of steps in the sums */
} ArmFigures;

KitRun armBegin(Kit *kit, KitWay way);

/** Makes one step. @param figures the arm's, the same struct each time. @return 0: all steps had
 *  been made */
int armStep(KitRun *run, ArmFigures *figures);

/* --- wrist: a sensor weighs a box that an arm holds, under each stepper */

enum { WRIST_ENGINE, WRIST_PHYSICAL, WRIST_VALUES };

/** A step of the arm that holds a box. Forces are vertical readings of the sensor, N. */
typedef struct WristFigures {
    double time;
    double force[WRIST_VALUES];
    double mean[WRIST_VALUES], spread[WRIST_VALUES]; /**< standard deviation over all steps since
                                                          the arm has come to rest */
    /* of the demo's own */
    double square[WRIST_VALUES];
    int count;
} WristFigures;

extern const double wristWeight; /**< N, of the box */

/** @param way  any stepper */
KitRun wristBegin(Kit *kit, KitWay way);

/** Makes one step. @param figures the arm's, the same struct each time. @return 0: all steps had
 *  been made */
int wristStep(KitRun *run, WristFigures *figures);

/* --- linkage: mechanisms that move although they have too many constraint rows */

typedef enum MobileLinkage {
    LINKAGE_FOURBAR,
    LINKAGE_CRANKS,
    LINKAGE_BENNETT,
    LINKAGE_SARRUS,
    LINKAGE_KINDS
} MobileLinkage;

/** A step of a linkage. */
typedef struct LinkageFigures {
    double time;
    int bodies, hinges, count; /**< count: 6 bodies - 5 hinges, the mobility by counting */
    int mobility;              /**< 6 bodies - rank: the true mobility */
    int selfStresses;          /**< rows - rank */
    int leastFree, mostFree;   /**< free directions of a hinge */
    double engine, physical;   /**< N, of the first hinge; physical: the determined part */
    double off;                /**< distance of the free directions from the closed form of the
                                    self-stresses; must be 0 */
    double open;               /**< three cranks: the same for two of the cranks; must not be 0 */
    double way;                /**< m, distance of the last body from its start */
    double begin[3];           /**< m, its start */
} LinkageFigures;

KitRun linkageBegin(Kit *kit, MobileLinkage kind, KitWay way);

/** Makes one step. @return 0: all steps had been
 *  made */
int linkageStep(KitRun *run, MobileLinkage kind, LinkageFigures *figures);

/* --- walker: six legs, their foot loads */

enum { WALKER_LEGS = 6 };

/** A step of the walker; legs from behind, right before left. */
typedef struct WalkerFigures {
    double time;
    double foot[WALKER_LEGS]; /**< N, up, of the ground on a foot: the sum of its contacts */
    double loads, needed;     /**< N: of all feet; the force that weight and motion of the whole
                                   walker require */
    double hips, trunk;       /**< N, up: the sum of the hips' physical forces on the trunk; the
                                   force that its weight and motion require */
    int isUnique;             /**< 1: the hips' sum is determined */
    int standing;             /**< feet on the ground */
    int steps[WALKER_LEGS];   /**< how often a foot has come down, by the threshold on its knee */
    double place;             /**< m, of the trunk */
    /* of the demo's own */
    dJointID knee[WALKER_LEGS];
} WalkerFigures;

extern const double walkerWeight; /**< N */

/** @param walks  0: it stands */
KitRun walkerBegin(Kit *kit, int walks, KitWay way);

/** Makes one step. @param figures the walker's, the same struct each time. @return 0: all steps had
 *  been made */
int walkerStep(KitRun *run, WalkerFigures *figures);

/* --- ragdoll: a fall down stairs, and which joints would break */

enum { FALL_JOINTS = 10 };

/** A joint's worst loads since the start: magnitudes of the force on its first body, N. */
typedef struct FallJoint {
    const char *name;
    double limit;            /**< N */
    double physical, engine; /**< of the step with the largest physical force */
    double time;             /**< s, of that step */
    double broken;           /**< s: the first call of the threshold; NaN: none */
    double brokenLoad;       /**< N, by this call */
    int atStop;              /**< steps in which a stop was reached */
    int unknown;             /**< steps without a physical value */
    dJointID joint;
} FallJoint;

/** A step of the fall. */
typedef struct FallFigures {
    double time;
    double loads[3], needed[3]; /**< N: contact forces of stairs and ground on the ragdoll; the
                                     force that weight and motion require */
    double impulse;             /**< N.s, up: the sum of loads times the step size */
    double momentum;            /**< kg.m/s, up: the change since the start, of all bodies */
    double neckOff;             /**< N: difference of the physical forces on the head (neck and
                                     contacts) from the force that its weight and motion require */
    int verdicts[6];            /**< number of verdicts on its joints, by ksVerdict */
    FallJoint joint[FALL_JOINTS];
} FallFigures;

extern const double fallWeight; /**< N */

KitRun fallBegin(Kit *kit, KitWay way);

/** Makes one step. @param figures the fall's, the same struct each time. @return 0: all steps had
 *  been made */
int fallStep(KitRun *run, FallFigures *figures);

/* --- pile: contacts, their use of friction, and the engine's distance from the solution */

/** A step of a pile of boxes. Errors are relative, see ksInspectorOptions. */
typedef struct PileFigures {
    double time;
    int contacts;
    double loads[3], needed[3];     /**< N: of floor and walls on all boxes; the force that weight
                                         and motion require */
    double friction, mostFriction;  /**< |f| / (mu N) of contacts with more than 1 N: mean and
                                         largest */
    double netError, worstNetError; /**< of a box's net reaction, by 40 sweeps over all rows: mean
                                         and largest; NaN: none */
    double unsolved;                /**< N: the largest ksRow::unsolved of rows with a known
                                         bound */
} PileFigures;

KitRun pileBegin(Kit *kit, int boxes, KitWay way);

/** As pileBegin, with the boxes in the pose of another pile; NULL: in their initial pose in the
 *  air. */
KitRun pileBeginAs(Kit *kit, int boxes, const Scene *as, KitWay way);

/** Makes one step. @return 0: all steps had been
 *  made */
int pileStep(KitRun *run, PileFigures *figures);

#endif
