/* engine.h  All knowledge of ODE: its private layout, its row protocol, and the changes that its
 * steppers make to a body. No other folder relies on a private fact about the engine. */
#ifndef KSI_ENGINE_ENGINE_H
#define KSI_ENGINE_ENGINE_H

#include "../base/rigidroot.h"
#include "number.h"

#include <kinetostat/kinetostat.h>

#define KSI_MAX_ROWS 6     /* a joint has at most six rows */
#define KSI_JOINT_TYPES 18 /* number of dJointType values, from 0 (none) */

/* The lists of one world, located once. Each step reads their heads again, without allocation. */
typedef struct ksiEngine {
    dWorldID world;
    void *const *bodyHead;               /* address of the world's first-body pointer */
    void *const *jointHead;              /* address of the world's first-joint pointer */
    const int *counts;                   /* number of bodies, then number of joints: stored after
                                            the heads; NULL: not found */
    const void *vtable[KSI_JOINT_TYPES]; /* virtual tables of the proven classes; joints of other
                                            classes are not read */
    int tagged;                          /* the offset of the steppers' marks is proven */
    int threading;                       /* the offset of the world's threading is proven */
    const struct ksiImages *images;      /* these images (snapshot.h) are read instead of the world;
                                            NULL: the world itself is read */
} ksiEngine;

/* Verifies the engine by guard, probe and self-test. Leaves the world unchanged, removes all
 * scratch objects, restores floating-point flags and traps, and does not use the random seed.
 * Thread-safe for different worlds. The engine must be initialised (a world exists). The engine
 * does not check its allocations, and crashes if the host's allocator (dSetAllocHandler) returns
 * NULL.
 * KS_OK, KS_ERROR_UNSUPPORTED_ENGINE, KS_ERROR_NO_MEMORY (the engine could not create the probes).
 * Sets `engine` only on KS_OK. */
KS_MUST_USE ksStatus ksiEngineOpen(dWorldID world, ksiEngine *engine);

/* The part of the engine that differs, after this thread's last KS_ERROR_UNSUPPORTED_ENGINE: a
 * member, a class, or its precision. */
const char *ksiEngineDifference(void);

/* All bodies and joints of the world, including unattached joints; NULL: the end of the list. */
dBodyID ksiFirstBody(const ksiEngine *engine);
dBodyID ksiNextBody(dBodyID body);
dJointID ksiFirstJoint(const ksiEngine *engine);
dJointID ksiNextJoint(dJointID joint);

/* The host's own body or joint for an entry of these lists, which may be an image. */
static inline dBodyID ksiIdOfBody(const ksiEngine *engine, dBodyID body)
{
    return engine->images ? ((dBodyID const *)(const void *)body)[-1] : body;
}
static inline dJointID ksiIdOfJoint(const ksiEngine *engine, dJointID joint)
{
    return engine->images ? ((dJointID const *)(const void *)joint)[-1] : joint;
}

/* Call it before reading an image's rows: sets the image's bodies by list position; -1: the
 * world. */
void ksiPutBetween(const ksiEngine *engine, dJointID joint, const int body[2]);

/* The joint's dJointType if it is of one of the engine's own classes, as proven by ksiEngineOpen;
 * else 0. */
int ksiKnownType(const ksiEngine *engine, dJointID joint);

/* The mark that a step left in the joint. 0: no mark, or marks are not known. A new joint has no
 * mark. Neither has a joint whose bodies do not move. Under dWorldStep, one joint of each island
 * has no mark either. */
int ksiJointMark(const ksiEngine *engine, dJointID joint);

/* Mark of a joint that another engine softens on purpose. In the worlds of that engine no stepper
 * leaves marks. */
enum { KSI_MEANT_SOFT = 1 };

/* The number of threads that step the world; 0: only the calling thread, or unknown. */
unsigned ksiThreadCount(const ksiEngine *engine);

typedef struct ksiJoint {
    dJointType type;
    dBodyID body[2]; /* bodies of J1 and J2, as ksiJointBodies sets them */
    int reversed, enabled;
    int mark; /* ksiJointMark */
    dJointFeedback *feedback;
} ksiJoint;

/* expected: the joint's last known type, or 0 */
void ksiReadJoint(const ksiEngine *engine, dJointID joint, dJointType expected, ksiJoint *out);

/* threaded_step.c: creates a world of this library, which the command does not count. NULL: out of
 * memory. */
dWorldID ksiMakeOwnWorld(void);

/* Does nothing if the engine was built without threading: such an engine would abort. */
void ksiSetThreading(dWorldID world, const dThreadingFunctionsInfo *functions,
                     dThreadingImplementationID implementation);

/* Steps on the calling thread, without effect on another world's step on another thread. Leaves the
 * world without threading. 0: out of memory. */
int ksiStepAlone(dWorldID world, ksStepper stepper, dReal h);

/* ksiStepAlone for a world of this library, which the command does not count. */
int ksiStepOwn(dWorldID world, ksStepper stepper, dReal h);

/* Call these around a step in which other forces replace the joints, before the world changes: the
 * command counts the step and cannot record it. */
void ksiBeginExact(dWorldID world, dReal h);
void ksiEndExact(void);

/* Is `now` the same joint as `before`, which had the same address? If the mark is gone, the joint
 * is new. */
static inline int ksiIsSameJoint(const ksiJoint *before, const ksiJoint *now)
{
    return now->type == before->type && now->body[0] == before->body[0] && now->body[1] == before->body[1] &&
           (!before->mark || now->mark);
}

/* A fingerprint of the list of joints. While it is unchanged, no joint was made or destroyed, with
 * one exception: the number of joints is the same, and the newest joint has the address and the
 * mark of the old head. If the old head has no mark, its address, type and bodies are compared.
 * ksiJointStamp returns 0 if the engine keeps no count: then there is no stamp. */
typedef struct ksiStamp {
    dJointID head;
    int count, mark;
    dJointType type; /* type and bodies of the head if it has no mark; else zero */
    dBodyID body[2];
} ksiStamp;
int ksiJointStamp(const ksiEngine *engine, ksiStamp *stamp);
int ksiStampHolds(const ksiEngine *engine, const ksiStamp *stamp);

/* A body at the start of a step of size h: all data that the stepper will use. */
typedef struct ksiBody {
    dBodyID id;
    int kinematic, enabled;
    double centre[3];
    double rotation[9]; /* row-major, body to world */
    double velocity[6]; /* linear, angular (world axes) */
    double mass;
    double inertia[9]; /* world axes, R I R^T; row-major */
    double inverse[9]; /* world axes, the stepper's I^-1 */
    double condition;  /* product of the traces of `inertia` and `inverse`; not set if kinematic */
    int dynamic;       /* the mass, and the inertia about every axis, are above rounding; 0 for a
                          kinematic body */
    bool isSingle;     /* the body's numbers have single precision */
    ksiRigidRoot root; /* the root of its mass; valid if `dynamic` */
    double force[6];   /* force and torque: user + gravity + gyroscopic; zero for a kinematic
                          body */
    int damped;        /* the body has damping, or its angular speed is capped */
    double linearDamping, angularDamping;
    double linearThreshold2, angularThreshold2; /* squares of the thresholds; set if a damping is
                                                   not 0 */
    double maxAngularSpeed;
    int finiteRotation;
    double finiteAxis[3]; /* axis of finite rotation; zero: finite about any axis */
    int autoDisable;
    double gravity[3];    /* the part of force[0..2] that is weight */
    int gyroscopicMode;   /* 0 for a kinematic body */
    double gyroscopic[3]; /* the part of force[3..5] that is the stepper's gyroscopic torque: zero
                             without the mode */
} ksiBody;

/* KS_OK; KS_ERROR_NOT_FINITE (pose, velocity, mass or force; out is partly filled);
 * KS_ERROR_NOT_POSITIVE_DEFINITE (mass or inertia; out is complete, with the inverse that the
 * stepper uses). A kinematic body's mass and force are not checked. */
KS_MUST_USE ksStatus ksiReadBody(const ksiEngine *engine, dBodyID body, double h, ksiBody *out);

/* Reads the pose and velocity of a body; returns 1 if it is enabled. */
int ksiReadState(dBodyID body, double centre[3], double rotation[9], double velocity[6]);

/* The velocity that damping removes. Ignores the cap of angular speed. */
void ksiLostByDamping(const ksiBody *body, const double solved[6], double lost[6]);

/* Computes v* from the velocity after the step: undoes damping, then the speed cap. Several v* may
 * lead to the same velocity: if the speed is near the threshold, if the damping is 1, or if the
 * speed was above the cap. Chooses the v* nearest to the guess. Returns 1 if the angular speed is
 * at the cap. */
int ksiUndoDamping(const ksiBody *body, const double finished[6], const double guess[6], double solved[6]);

/* The velocity that moved the body to this pose: the velocity after the speed cap and before all
 * later changes, such as damping. */
void ksiPosedVelocity(const ksiBody *body, const double centre[3], const double rotation[9], double h,
                      double velocity[6]);

/* One constraint row: J v* + cfm lambda = c, lo <= lambda <= hi. Units and meaning as in ksRow. */
typedef struct ksiRow {
    ksRowKind kind;
    int findex;
    double c, cfm, lo, hi;
    double jacobian[2][6]; /* J1 and J2; J2 is zero without a second body */
} ksiRow;

/* The motor of an axis at its stop. The engine adds the motor's force to the bodies and does not
 * report it. This library counts the force as part of the stop's row, whose c, lo and hi combine
 * stop and motor. */
typedef struct ksiStoppedMotor {
    double force;    /* along the row; N or N.m */
    double velocity; /* dParamVel */
} ksiStoppedMotor;

/* The rows of one joint, as its getInfo2 writes them for the inspected stepper. Arrays are filled
 * up to count. */
typedef struct ksiRows {
    int type; /* dJointType; 0: not known */
    int count;
    int permanent;     /* rows before the rows of axes; later rows are stops, motors and friction */
    int staleLimit;    /* 1: a removed hinge limit still acts */
    int overrun;       /* 1: the limit acts through a row that the engine writes beyond the joint's
                          row count */
    bool isSingle;     /* the bodies' numbers have single precision */
    int plain;         /* no row has bounds or is all zero */
    unsigned powered;  /* rows of stops with a motor, as bits; `motor` is valid for these rows */
    ksReasons bug;     /* bugs of the engine that falsify these rows: KS_REASON_... bits */
    double axisLength; /* length of the joint's axis in the world, a factor of its rows' errors; 1
                          for a unit axis. The rows themselves are for a unit axis */
    /* Rounding of levers, m, and of directions, rad, that an engine of single precision computes as
     * differences of points in the world; else 0. */
    double leverRounding, turnRounding;
    double mostCompliant;   /* the largest cfm of the rows; 0 if none is positive */
    int axis[KSI_MAX_ROWS]; /* the axis of a stop or a motor, from 0 (dParamFMax1); -1 for other
                               rows */
    ksiRow row[KSI_MAX_ROWS];
    ksiStoppedMotor motor[KSI_MAX_ROWS];
} ksiRows;

/* Is a one-way stop the high stop of its axis? The stop may have a motor. */
static inline int ksiIsHighStop(const ksiRow *row)
{
    return row->hi < INFINITY;
}

/* Reads the rows of an attached joint without side effects: the joint's memory and the bodies stay
 * as they are. It takes no lock of the stepping context, so a world that never stepped is safe.
 * Call it right before the step in question. The states of the bodies must be finite (ksiReadBody),
 * since the engine may abort otherwise. KS_OK; KS_ERROR_BAD_ARGUMENT (not attached);
 * KS_ERROR_NOT_FINITE (a row); KS_ERROR_SINGULAR (not read: the engine itself would abort, e.g. on
 * parallel axes of a universal joint); KS_ERROR_UNSUPPORTED_ENGINE (not read: no proven class, or
 * too many rows); KS_ERROR_UNAVAILABLE (not read: ksiHoldStops has failed). An unread joint has
 * count 0. */
KS_MUST_USE ksStatus ksiReadRows(const ksiEngine *engine, dJointID joint, ksStepper stepper, double h, ksiRows *out);

/* Do the rows correct an error that does not exist? (Rows with false levers or axes correct errors
 * that exist.) */
static inline int ksiHasFalseError(const ksiRows *rows)
{
    return (rows->bug & KS_REASON_FALSE_ERROR) != 0;
}

/* The engine's own c of the row, without the force of a stopped motor. */
static inline double ksiTargetOfRow(const ksiRows *rows, int l)
{
    return rows->row[l].c - (rows->powered >> l & 1u ? rows->row[l].cfm * rows->motor[l].force : 0);
}

/* Adds `times` J^T m, the forces m of the motors of axes at their stops, which the engine does not
 * report. */
void ksiAddStoppedMotors(const ksiRows *rows, int side, double times, double force[3], double torque[3]);

/* A copy of a joint in its present state. Its rows can be read in other poses of its bodies, even
 * after the joint is gone. ksiJointBytes is a multiple of 8. */
size_t ksiJointBytes(dJointID joint);
void ksiCopyJoint(dJointID joint, void *copy);

/* Reads the rows of a copied joint with its bodies in another pose. The world is not touched. like:
 * the joint's rows at the time of the copy, which select the rows to read. h: step size, s; in this
 * time, a transmission's wheels continue from their counted angles. gap[l]: the motion J dq = gap
 * closes a row's position error; 0 for rows that hold no position. first, second: centre, rotation
 * and velocity are read; NULL for the world. In out->row only kind and jacobian are meaningful.
 * KS_OK; KS_ERROR_UNAVAILABLE: the joint's rows differ in that pose, or cannot be read. */
KS_MUST_USE ksStatus ksiReadRowsAt(const void *copy, const ksiRows *like, double h, const ksiBody *first,
                                   const ksiBody *second, ksiRows *out, double gap[KSI_MAX_ROWS]);

/* The gaps that ksiReadRowsAt would find in the present pose, from rows of a step of h: c is the
 * gap times erp/h. worldErp: the world's ERP when the rows were read. Returns 0 if a gap is
 * unknown: `gap` then has no meaning. */
int ksiGapsOfRows(const void *copy, const ksiRows *rows, double h, double worldErp, double gap[KSI_MAX_ROWS]);

/* The largest ERP with which the engine corrects the position errors of a joint's rows. worldErp:
 * the world's ERP when the rows were read. */
double ksiLargestErp(dJointID joint, const ksiRows *rows, double worldErp);

/* Sets body[0] and body[1] to the bodies of J1 and J2 (f1 and f2); *reversed is 1 if body[0] is
 * dJointGetBody(joint, 1). body[0] is NULL for an unattached joint. */
void ksiJointBodies(dJointID joint, dBodyID body[2], int *reversed);

/* The library's own feedback. ksiFillFeedback sets every number to a NaN that the engine never
 * writes. ksiFeedbackOfInspector returns 1 if an inspector filled the feedback; the fourth numbers
 * show this even after the step. ksiFeedbackWritten returns 1 if the engine wrote f1 and t1
 * (second: f2 and t2). */
void ksiFillFeedback(dJointFeedback *feedback);
int ksiFeedbackOfInspector(const dJointFeedback *feedback);
int ksiFeedbackWritten(const dJointFeedback *feedback, int second);

/* Copies the numbers that the engine wrote into the host's own feedback, which may be NULL. */
void ksiGiveWritten(const dJointFeedback *from, dJointFeedback *to);

/* Sets the axes and anchors of a joint as documented at ksFrame. joint: must be in its state before
 * the step; NULL for a contact, whose rows hold all data. rows: read at the start of the step; at
 * least one row. second: NULL for the world. axes: row i is axis i in world axes. anchor[i]: on
 * body[i] of ksiJointBodies, in world axes; NaN for a type without an anchor. */
void ksiJointFrame(dJointID joint, const ksiBody *first, const ksiBody *second, const ksiRows *rows, double axes[9],
                   double anchor[2][3]);

int ksiHasAnchor(dJointType type);

/* Geometry for the accelerations of a joint's rows. Only the members that the joint's type needs
 * are set. */
typedef struct ksiGeometry {
    double between[3];  /* from the first body's mass centre to the second's; zero without a second
                           body */
    double axis[2][3];  /* the axis that turns with the first body, then the axis that turns with
                           the second body */
    double lever[2][3]; /* from the bodies' mass centres to their anchors; the world's lever is
                           arbitrary, or starts at the first body's mass centre */
    double distance;    /* distance between the two anchors */
    int reversed;       /* as ksiJointBodies sets it */
    unsigned carried;   /* rows of an angular motor about axes that turn with a body: bits */
    unsigned known;     /* rows with a closed form: bits */
} ksiGeometry;

/* Geometry of a joint in its present state; second: NULL for the world. */
void ksiReadGeometry(dJointID joint, const ksiBody *first, const ksiBody *second, const ksiRows *rows,
                     ksiGeometry *out);

/* beta_l = -(dJ_l/dt) v in closed form for the joint's rows; 0 where no form is known. Known: all
 * rows, with stops and motors, of ball, hinge, slider, universal, hinge2 (also with a moving
 * suspension), fixed and PU. Also known: PR (perpendicular axes), piston, dball, dhinge, plane2d
 * (one body) and amotor (user mode). Not known: contact, lmotor, transmission, amotor in Euler
 * mode, and PR or piston attached (0, b). Exact if the velocities satisfy the joint's permanent
 * rows; the error is proportional to a drift. A change of a motor's target velocity is not
 * included. second: NULL for the world. */
void ksiRowAcceleration(const ksiRows *rows, const ksiGeometry *at, const double first[6], const double *second,
                        double beta[KSI_MAX_ROWS]);

/* The position that a row holds, in m or rad; J v is its rate. The host can set it: it is the
 * distance of a double ball, or the position of equal stops. erp: the share of the position's error
 * that a step corrects. */
double ksiSettingOf(dJointID joint, const ksiRows *rows, int row, double *erp);

/* Called on the stepping thread for each active joint of a known class, after idle bodies fell
 * asleep and all islands were found. Returns 1 if it has added the joint's wrenches to the forces
 * of the bodies; the joint then has no rows in this step. */
typedef int ksiTakesOver(void *user, dJointID joint);

/* Are the engine facts that these functions rely on proven? */
int ksiCanSubstitute(const ksiEngine *engine);

/* State of a step in which other forces replace joints. Its size is ksiSubstitutionBytes. If all
 * bytes are zero, no such step is in progress. */
typedef struct ksiSubstitution ksiSubstitution;
extern const size_t ksiSubstitutionBytes;

/* Runs dWorldQuickStep on the calling thread, without the replaced joints. Restores the world's
 * threading and returns the result of dWorldQuickStep. If a moved callback does not return, call
 * ksiEndSubstitution to restore the world; after a completed step, ksiEndSubstitution does
 * nothing. */
int ksiStepSubstituted(const ksiEngine *engine, double h, ksiTakesOver *takesOver, void *user, ksiSubstitution *room);
void ksiEndSubstitution(ksiSubstitution *substitution);

/* Within a call of ksiTakesOver: does this joint take part in the step? */
int ksiIsInIsland(dJointID joint);

/* Within a call of ksiTakesOver: reads the rows of a joint in its present state. ksiReadRows must
 * have read the joint before the step. */
KS_MUST_USE ksStatus ksiReadRowsNow(const ksiEngine *engine, dJointID joint, double h, ksiRows *out);

/* Adds a wrench to the forces on a body: force, torque about the mass centre; world axes. */
void ksiAddWrench(dBodyID body, const double wrench[6]);

#endif
