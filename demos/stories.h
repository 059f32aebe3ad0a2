/** @file stories.h  Demos that tests follow, too: machines with closed forms or sums that must come
 *  out.
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

/* --- door: what is and what is not determined of a door's hinges */

/** The same door on two hinges, or on two pins (balls). */
typedef enum DoorMount { DOOR_HINGES, DOOR_PINS } DoorMount;
enum { DOOR_ABOVE, DOOR_BELOW, DOOR_FITTINGS };

/** What a host can know of a step. Forces on the door in its own axes: x away from the hinges, z
 *  up; N, N.m. */
typedef struct DoorFigures {
    double time;
    double engine[DOOR_FITTINGS];     /**< vertical force, as reported */
    ksWrench physical[DOOR_FITTINGS]; /**< about the fitting; NaN where it is not determined */
    int freeCount[DOOR_FITTINGS];
    ksWrenchSum sum; /**< physical, of both, about the mass centre */
    int calls;       /**< of the thresholds on the fittings, so far */
    /* closed forms */
    ksWrench sumFormula;
    double pull[DOOR_FITTINGS]; /**< along x, of a fitting that is a pin */
} DoorFigures;

/** @param lowerFirst  1: the fitting below is made first */
KitRun doorBegin(Kit *kit, DoorMount mount, int lowerFirst, KitWay way);

/** One step. @param figures  the door's; pass the same ones each time. @return 0: all steps were
 *  done already */
int doorStep(KitRun *run, DoorFigures *figures);

/* --- bridge: bars that break at a force limit */

enum { BRIDGE_TRUSSES = 2, BRIDGE_BARS = 21, BRIDGE_BREAKS = 64 };

/** A bar that broke: of the first truss below BRIDGE_BARS. */
typedef struct BridgeBreak {
    int bar;
    double time, lorry; /**< s; m from the end at which it drove on */
    double load;        /**< N, by which it broke */
    double errorBar;    /**< N, of that; NaN for the engine's */
    double statics;     /**< N, by the method of joints with the lorry there and all bars in place */
} BridgeBreak;

typedef struct Bridge {
    KitRun run;
    ksValue by;                                       /**< KS_ENGINE or KS_PHYSICAL: of which value bars break */
    double lorry;                                     /**< m, in this step */
    dGeomID shape;                                    /**< of the lorry, to be seen */
    double force[BRIDGE_TRUSSES * BRIDGE_BARS][3][3]; /**< N, on the first node, by ksValue; NaN: not there */
    int isBroken[BRIDGE_TRUSSES * BRIDGE_BARS];
    int openSteps; /**< in which the physical force of a bar was not determined, so that it would not have broken */
    int breaks;
    BridgeBreak broken[BRIDGE_BREAKS]; /**< [breaks] in their order */
} Bridge;

/** The bridge must stay where it is until kitEnd(&bridge->run). */
void bridgeBegin(Kit *kit, ksValue by, KitWay way, Bridge *bridge);

/** One step, after which bars above their limit are taken out. @return 0: all steps were done
 *  already */
int bridgeStep(Bridge *bridge);

/** Force in each bar of a truss with the lorry at a place; N, pulling > 0.  Method of joints. */
void bridgeStatics(int truss, double at, double force[BRIDGE_BARS]);

/** The place of the lorry, driving on, at which the first bar reaches its limit by statics; m, to
 *  1 mm. */
double bridgeFirstBreak(int *bar);

/** N; a name such as "B2-B3". */
double bridgeLimit(int bar);
const char *bridgeBarName(int bar);

/* --- vehicle: wheel loads on a bump */

enum { VEHICLE_WHEELS = 4 };

/** A step of the car. Wheels: front right, front left, rear right, rear left. */
typedef struct VehicleFigures {
    double time, place;                /**< s; m, of its middle */
    double wheel[VEHICLE_WHEELS];      /**< N, up, of the ground on a wheel: the sum of its contacts */
    double suspension[VEHICLE_WHEELS]; /**< N, up, physical, of a spring on the chassis */
    double loads, needed;              /**< N: the sum of the wheels; what weight and motion of the whole car take */
    double chassis;                    /**< N: what weight and motion of the chassis alone take */
    int overloads;                     /**< times that a spring has carried more than its limit, so far */
} VehicleFigures;

/** N: of a wheel, and of a spring, at rest. */
extern const double vehicleWheelLoad, vehicleSpringLoad;

/** @param way  springs and dampers are the same at each step size */
KitRun vehicleBegin(Kit *kit, KitWay way);

/** One step. @param figures  the car's; pass the same ones each time. @return 0: all steps were
 *  done already */
int vehicleStep(KitRun *run, VehicleFigures *figures);

/* --- arm: a sensor at the wrist tells the payload, and what the table does to it */

typedef enum ArmPhase { ARM_GRIPS, ARM_LIFTS, ARM_RESTS, ARM_SWINGS, ARM_LOWERS, ARM_PUSHES, ARM_PHASES } ArmPhase;

/** A step of the arm. What the sensor says is physical, world axes. Sums and means are over the
 *  steps of a phase so far, after it has settled (at rest 0.4 s, pressing 0.9 s). */
typedef struct ArmFigures {
    double time;
    ArmPhase phase;
    double
        payloadNow; /**< kg: by the sensor's force and the accelerations of hand and box in this step; NaN: not in the air */
    double payload;      /**< kg: by the sums of the vertical components; NaN: not in the air yet */
    double weighed;      /**< kg: the payload when the arm rested; NaN before */
    double acceleration; /**< m/s^2, of the box */
    double table[3];     /**< N: force of the table on the box by the sensor, once it was weighed; else NaN */
    double contacts[3];  /**< N: the same by the sum of the contacts */
    double meanTable[3], meanContacts[3]; /**< N */
    int touches;                          /**< times that the wrist's threshold has told the table, so far */
    /* of the demo's own */
    ksSensor sensor;
    double force, lift; /**< sums, N and m/s^2 */
    int count;          /**< steps that they are over, or means */
} ArmFigures;

KitRun armBegin(Kit *kit, KitWay way);

/** One step. @param figures  the arm's; pass the same ones each time. @return 0: all steps were
 *  done already */
int armStep(KitRun *run, ArmFigures *figures);

/* --- wrist: a sensor weighs what an arm holds, under each stepper */

enum { WRIST_ENGINE, WRIST_PHYSICAL, WRIST_VALUES };

/** A step of the arm that holds a box. Forces are those that the sensor reads, vertical, N. */
typedef struct WristFigures {
    double time;
    double force[WRIST_VALUES];
    double mean[WRIST_VALUES],
        spread[WRIST_VALUES]; /**< over all steps since the arm has come to rest: standard deviation */
    /* of the demo's own */
    double square[WRIST_VALUES];
    int count;
} WristFigures;

extern const double wristWeight; /**< N, of the box */

/** @param way  any stepper */
KitRun wristBegin(Kit *kit, KitWay way);

/** One step. @param figures  the arm's; pass the same ones each time. @return 0: all steps were
 *  done already */
int wristStep(KitRun *run, WristFigures *figures);

/* --- linkage: mechanisms that move although they have more rows than motions to hold */

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
    int bodies, hinges, count; /**< count: 6 bodies - 5 hinges, the motions that counting leaves */
    int mobility;              /**< 6 bodies - rank: the motions that there are */
    int selfStresses;          /**< rows - rank */
    int leastFree, mostFree;   /**< free directions of a hinge */
    double engine, physical;   /**< N, of the first hinge; physical is the part that is determined */
    double off;      /**< how far free directions are from the closed form of the self-stresses, which must be 0 */
    double open;     /**< three cranks: the same for two cranks alone, which must not be 0 */
    double way;      /**< m, of the last body from the start */
    double begin[3]; /**< m, where that was */
} LinkageFigures;

KitRun linkageBegin(Kit *kit, MobileLinkage kind, KitWay way);

/** One step. @return 0: all steps were done already */
int linkageStep(KitRun *run, MobileLinkage kind, LinkageFigures *figures);

/* --- walker: six legs, their foot loads */

enum { WALKER_LEGS = 6 };

/** A step of the walker; legs from behind, right before left. */
typedef struct WalkerFigures {
    double time;
    double foot[WALKER_LEGS]; /**< N, up, of the ground on a foot: the sum of its contacts */
    double loads, needed;     /**< N: of all feet; what weight and motion of the whole walker take */
    double hips, trunk;       /**< N, up: the sum of what the hips do to the trunk, physical; what the trunk takes */
    int isUnique;             /**< 1: the hips' sum is determined */
    int standing;             /**< feet on the ground */
    int steps[WALKER_LEGS];   /**< times that a foot has come down, by the threshold on its knee */
    double place;             /**< m, of the trunk */
    /* of the demo's own */
    dJointID knee[WALKER_LEGS];
} WalkerFigures;

extern const double walkerWeight; /**< N */

/** @param walks  0: it stands */
KitRun walkerBegin(Kit *kit, int walks, KitWay way);

/** One step. @param figures  the walker's; pass the same ones each time. @return 0: all steps were
 *  done already */
int walkerStep(KitRun *run, WalkerFigures *figures);

/* --- ragdoll: a fall down stairs, and which joints would break */

enum { FALL_JOINTS = 10 };

/** The worst of a joint so far. Forces on its first body, magnitudes, N. */
typedef struct FallJoint {
    const char *name;
    double limit;            /**< N */
    double physical, engine; /**< of the step with the largest physical force */
    double time;             /**< s, of that step */
    double broken;           /**< s: when the threshold first called; NaN: it has not */
    double brokenLoad;       /**< N, as it said */
    int atStop;              /**< steps in which a stop was reached */
    int unknown;             /**< steps without a physical value */
    dJointID joint;
} FallJoint;

/** A step of the fall. */
typedef struct FallFigures {
    double time;
    double loads[3],
        needed[3];   /**< N: of stairs and ground on the ragdoll, its contacts; what weight and motion take */
    double impulse;  /**< N.s, up: loads times the step size, so far */
    double momentum; /**< kg.m/s, up, of all: less that of the start */
    double neckOff;  /**< N: neck and contacts of the head, physical, from what weight and motion of the head take */
    int verdicts[6]; /**< of its joints, by ksVerdict, so far */
    FallJoint joint[FALL_JOINTS];
} FallFigures;

extern const double fallWeight; /**< N */

KitRun fallBegin(Kit *kit, KitWay way);

/** One step. @param figures  the fall's; pass the same ones each time. @return 0: all steps were
 *  done already */
int fallStep(KitRun *run, FallFigures *figures);

/* --- pile: contacts, the friction that they use, and how far the engine is from solved */

/** A step of a pile of boxes. Errors are relative, see ksInspectorOptions. */
typedef struct PileFigures {
    double time;
    int contacts;
    double loads[3], needed[3];    /**< N: of floor and walls on all boxes; what weight and motion take */
    double friction, mostFriction; /**< |f| / (mu N) of contacts with more than 1 N: mean and largest */
    double netError,
        worstNetError; /**< of a box's net reaction, by 40 sweeps over all rows: mean and largest; NaN: none */
    double unsolved;   /**< N: the largest ksRow::unsolved; rows whose bound is not known do not count */
} PileFigures;

KitRun pileBegin(Kit *kit, int boxes, KitWay way);

/** As pileBegin, with the boxes where those of another pile are; NULL: in their places in the
 *  air. */
KitRun pileBeginAs(Kit *kit, int boxes, const Scene *as, KitWay way);

/** One step. @return 0: all steps were done already */
int pileStep(KitRun *run, PileFigures *figures);

#endif
