/* battery_kit.h  Random worlds with all effects of the engine, reproducible to the bit from their
 * seed.
 *
 * A world is a few chains and trees of bodies, held by joints of every type and attachment, with
 * motors, stops, bounce, damping, speed caps, user forces and all other settings of a host. Two
 * worlds of one seed under the same steps are equal, including the joints' memories. */
#ifndef TESTS_KITS_BATTERY_KIT_H
#define TESTS_KITS_BATTERY_KIT_H

#include "tests/kits/engine_kit.h"

#include <stdbool.h>

enum {
    BATTERY_BODIES = 12,
    BATTERY_JOINTS = 24,
    BATTERY_CONTACTS = 6,
    BATTERY_CHANGE = 5 /* the step before which the world's ERP and CFM change */
};

/* BOUNDED: friction up to a fixed force, with the same meaning in both steppers. ROUGH: Coulomb
 * friction as well. */
typedef enum BatteryContacts { NO_CONTACTS, SMOOTH_CONTACTS, BOUNDED_CONTACTS, ROUGH_CONTACTS } BatteryContacts;

/* The contents of a world. */
typedef struct BatteryPlan {
    uint64_t seed;
    BatteryContacts contacts;
    bool loops; /* bodies held more than once: self-stresses, contradictions */
    bool idle;  /* bodies that fall asleep, or are stopped and woken within a step */
    bool plain; /* without the effects that hide a velocity or a body: no speed cap, no disabled
                   body or joint */
} BatteryPlan;

typedef struct BatteryWorld {
    BatteryPlan plan;
    dWorldID world;
    ksiEngine engine;
    dJointGroupID group, contactGroup;
    int bodyCount, jointCount, contactCount;
    dBodyID body[BATTERY_BODIES];
    dJointID joint[BATTERY_JOINTS];                                      /* permanent joints */
    bool grouped[BATTERY_JOINTS];                                        /* ... created in a joint
                                                                            group */
    dJointID contact[BATTERY_CONTACTS];                                  /* of this step */
    dSurfaceParameters surface[BATTERY_CONTACTS];                        /* ... and theirs */
    int contactBody[BATTERY_CONTACTS], contactPartner[BATTERY_CONTACTS]; /* partner -1: the world */
    Random random;                                                       /* for user forces and
                                                                            contacts, step by
                                                                            step */
    int step;
} BatteryWorld;

BatteryWorld *batteryCreate(const BatteryPlan *plan);
void batteryDestroy(BatteryWorld *battery);

/* Before: applies user forces, changes parameters, and creates the contacts of this step. After:
 * removes them. */
void batteryBeforeStep(BatteryWorld *battery);
void batteryAfterStep(BatteryWorld *battery);

/* The number of a body, or -1. */
int batteryIndex(const BatteryWorld *battery, dBodyID body);

/* battery_joints.c: a joint with random axes, stops and motors, or NULL if the type does not permit
 * this attachment. */
dJointID batteryJoint(dWorldID world, dJointGroupID group, int type, int attachment, dBodyID first, dBodyID second,
                      Random *random);
dJointID batteryContact(dWorldID world, dJointGroupID group, BatteryContacts kind, dBodyID first, dBodyID second,
                        Random *random, dSurfaceParameters *surface);

/* Applies user forces through the joint, if its type has such a call. */
void batteryPushJoint(dJointID joint, Random *random);

/* The attachment by the host: BOTH, FIRST_ONLY or SECOND_ONLY. */
int batteryAttachment(dJointID joint);

/* The bodies and islands of one step, to measure loads independently of the library. */
typedef struct BatteryScale {
    const BatteryWorld *battery;
    double h;
    ksiBody body[BATTERY_BODIES];
    int island[BATTERY_BODIES];
    double load[BATTERY_BODIES]; /* by island: largest size of a reaction or of an applied force */
} BatteryScale;

/* Before the step: masses and applied forces. After it: islands and loads, from the published
 * values. */
void batteryMeasureBefore(BatteryScale *scale, const BatteryWorld *battery, double h);
void batteryMeasureAfter(BatteryScale *scale, const ksReaction *reaction, size_t count);

/* (sum over both bodies f^T f/m + t^T I^-1 t)^(1/2) of minuend - subtrahend (NULL: zero) */
double batterySize(const BatteryScale *scale, const ksReaction *reaction, const ksWrench minuend[2],
                   const ksWrench *subtrahend);

/* The island of a joint, or -1. */
int batteryIsland(const BatteryScale *scale, const ksReaction *reaction);
double batteryLoad(const BatteryScale *scale, const ksReaction *reaction);

/* All reactions of a step. */
typedef struct BatteryReactions {
    const BatteryScale *scale;
    const ksReaction *reaction;
    size_t count;
} BatteryReactions;

/* battery_equations.c: has an engine of single precision solved the island of a joint as well as its
 * numbers permit, and the library better? false if no row tells. */
bool batteryIsRounding(const BatteryReactions *of, const ksReaction *joint);

/* The largest |J v + cfm lambda - c| of a row that no bound holds, by the engine's forces. Not for
 * friction that follows a normal force. */
typedef struct BatteryViolation {
    double share; /* of the sum of its terms' sizes */
    double speed; /* m/s or rad/s */
} BatteryViolation;

/* Raises *most to the step's. */
void batteryFindViolation(const BatteryReactions *of, BatteryViolation *most);

/* battery_table.c: coverage. */
typedef enum BatteryEffect {
    BATTERY_MOTOR,
    BATTERY_STOP,
    BATTERY_FUDGE,
    BATTERY_BOUNCE,
    BATTERY_SOFT,
    BATTERY_FRICTION,
    BATTERY_SLIDING, /* a friction or rolling row at its bound */
    BATTERY_ROLLING,
    BATTERY_USER_FORCE,
    BATTERY_GYROSCOPIC,
    BATTERY_WEIGHTLESS,
    BATTERY_DAMPED,
    BATTERY_SPEED_CAP,
    BATTERY_FINITE_ROTATION,
    BATTERY_KINEMATIC,
    BATTERY_GROUP,
    BATTERY_CHANGED_WORLD,
    BATTERY_REDUNDANT,
    BATTERY_RESET,
    BATTERY_WOKEN,
    BATTERY_MU_0,
    BATTERY_MU_INFINITE,
    BATTERY_MU_N, /* dContactApprox1: bounds follow the normal force */
    BATTERY_MU2,
    BATTERY_FDIR1,
    BATTERY_SLIP,
    BATTERY_MOTION,
    BATTERY_SOFT_ERP,
    BATTERY_TOUCH_0, /* a contact without force */
    BATTERY_EFFECTS
} BatteryEffect;

typedef struct BatteryTable {
    unsigned long seen[KSI_JOINT_TYPES][ATTACHMENTS], effect[KSI_JOINT_TYPES][BATTERY_EFFECTS];
} BatteryTable;

/* r: right after the step, while its joint exists. */
void batteryCount(BatteryTable *table, const BatteryScale *scale, const ksReaction *r);
void batteryPrintTable(const BatteryTable *table);

/* Checks that the table has every type in every attachment, every property of a body on every type,
 * and every effect. Exceptions: a null joint has no rows and is never judged, and check_determinacy
 * tests redundant rows with negligible compliance. */
void batteryCheckCoverage(const BatteryTable *table);

/* Names for messages. */
const char *batteryTypeName(int type);

/* Counts the engine's messages ("LCP internal error") instead of printing them; the handler is
 * global to the process. */
void batteryCatchMessages(void);
unsigned long batteryMessages(void);

#endif
