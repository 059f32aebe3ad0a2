/* engine.h  All knowledge of ODE: its private layout, its row protocol, and the changes that its steppers make to a
 * body. No other room includes a private fact about the engine. */
#ifndef KSI_ENGINE_ENGINE_H
#define KSI_ENGINE_ENGINE_H

#include "../base/rigidroot.h"
#include "number.h"

#include <kinetostat/kinetostat.h>

#define KSI_MAX_ROWS 6     /* a joint has at most six rows */
#define KSI_JOINT_TYPES 18 /* number of dJointType values, from 0 (none) */

/* The lists of one world, found once. Their heads are read anew in each step, without allocation. */
typedef struct ksiEngine {
    dWorldID world;
    void *const *bodyHead;               /* address of the world's first-body pointer */
    void *const *jointHead;              /* address of the world's first-joint pointer */
    const int *counts;                   /* numbers of bodies and joints, after the heads; NULL: not found */
    const void *vtable[KSI_JOINT_TYPES]; /* of the proven classes; joints of other classes are not read */
    int tagged;                          /* the place of the steppers' marks is proven */
    int threading;                       /* so is that of the world's threading */
    const struct ksiImages *images;      /* snapshot.h: read in place of the world; NULL: the world itself */
} ksiEngine;

/* Guard, probe and self-test. The world is not changed, and all scratch objects are gone on return. The random seed is
 * not used; floating-point flags and traps are as before. Thread-safe for different worlds. The engine must be
 * initialised (a world exists). It constructs objects on an allocation that it does not check: if the host's allocator
 * (dSetAllocHandler) returns NULL, the engine crashes here as it does anywhere else.
 * KS_OK, KS_ERROR_UNSUPPORTED_ENGINE, KS_ERROR_NO_MEMORY (the engine could not create the probes); engine is set only
 * on KS_OK. */
KS_MUST_USE ksStatus ksiEngineOpen(dWorldID world, ksiEngine *engine);

/* In what the engine differs that this thread was last refused: a member, or rows of a class, in a few words. */
const char *ksiEngineDifference(void);

/* All bodies and joints of the world, unattached ones included; NULL ends. */
dBodyID ksiFirstBody(const ksiEngine *engine);
dBodyID ksiNextBody(dBodyID body);
dJointID ksiFirstJoint(const ksiEngine *engine);
dJointID ksiNextJoint(dJointID joint);

/* Who a body or a joint of these lists is to the host: itself, or what it is an image of. */
static inline dBodyID ksiIdOfBody(const ksiEngine *engine, dBodyID body)
{
    return engine->images ? ((dBodyID const *)(const void *)body)[-1] : body;
}
static inline dJointID ksiIdOfJoint(const ksiEngine *engine, dJointID joint)
{
    return engine->images ? ((dJointID const *)(const void *)joint)[-1] : joint;
}

/* Before an image's rows are read: its bodies, by their places in the list; -1: the world. Does nothing to a joint of the world. */
void ksiPutBetween(const ksiEngine *engine, dJointID joint, const int body[2]);

/* The joint's dJointType if it is of one of the engine's own classes, as proven by ksiEngineOpen; else 0. */
int ksiKnownType(const ksiEngine *engine, dJointID joint);

/* The mark that a step left in the joint. 0: no mark, as in a joint that was made since, in one whose bodies do not
 * move, and in one joint of each island under dWorldStep; or marks are not known. */
int ksiJointMark(const ksiEngine *engine, dJointID joint);

/* The mark of a joint that another engine lets give way: no stepper leaves one in its worlds. */
enum { KSI_MEANT_SOFT = 1 };

/* The number of threads for a step of the world; 0: the calling one, or not known. */
unsigned ksiThreadCount(const ksiEngine *engine);

/* The identity of a joint. */
typedef struct ksiJoint {
    dJointType type;
    dBodyID body[2]; /* as ksiJointBodies has them */
    int reversed, enabled;
    int mark; /* ksiJointMark */
    dJointFeedback *feedback;
} ksiJoint;

/* expected: its last type, or 0 */
void ksiReadJoint(const ksiEngine *engine, dJointID joint, dJointType expected, ksiJoint *out);

/* threaded_step.c: a world that this library makes for itself. The command does not take it for one of the program's. NULL: out of memory. */
dWorldID ksiMakeOwnWorld(void);

/* A step on the calling thread, which disturbs no step of another world on another thread. The world is left without
 * threading. 0: out of memory. */
int ksiStepAlone(dWorldID world, ksStepper stepper, dReal h);

/* ksiStepAlone of a world that this library has made for itself. The command does not take it for one of the program's. */
int ksiStepOwn(dWorldID world, ksStepper stepper, dReal h);

/* Around a step in which other forces stand for the joints, before the world is changed for it: the command counts it, and cannot record
 * it. */
void ksiBeginExact(dWorldID world, dReal h);
void ksiEndExact(void);

/* Of a joint that is at the address of one that was `before`: is it the same one? A joint whose mark is gone was made since. */
static inline int ksiIsSameJoint(const ksiJoint *before, const ksiJoint *now)
{
    return now->type == before->type && now->body[0] == before->body[0] && now->body[1] == before->body[1] &&
           (!before->mark || now->mark);
}

/* The state of the list of joints, seen from outside. While it stays the same, no joint was made or destroyed, with one
 * exception: as many joints were made as destroyed, and the newest equals the old head of the list in address and mark,
 * or without a mark in address, type and bodies. ksiJointStamp returns 0 if the engine keeps no count: then there is no
 * stamp. */
typedef struct ksiStamp {
    dJointID head;
    int count, mark;
    dJointType type; /* of the head, and its bodies, if it has no mark; else zero */
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
    double condition;  /* product of the traces of both; not set if kinematic */
    int dynamic;       /* its mass and its inertia about every axis are above rounding; 0 for a kinematic body */
    bool isSingle;     /* its numbers have single precision */
    ksiRigidRoot root; /* if it is dynamic */
    double force[6];   /* f = user + gravity + gyroscopic. Kinematic: zero */
    int damped;        /* it has damping, or its angular speed is capped */
    double linearDamping, angularDamping;
    double linearThreshold2, angularThreshold2; /* squared; set if there is damping */
    double maxAngularSpeed;
    int finiteRotation;
    double finiteAxis[3]; /* axis of finite rotation; zero: finite about any axis */
    int autoDisable;
    double gravity[3];    /* the part of force[0..2] that is weight */
    int gyroscopicMode;   /* 0 for a kinematic body */
    double gyroscopic[3]; /* the part of force[3..5] that is the stepper's gyroscopic torque: zero without the mode */
} ksiBody;

/* KS_OK; KS_ERROR_NOT_FINITE (pose, velocity, and unless kinematic mass and force; a part of out is filled);
 * KS_ERROR_NOT_POSITIVE_DEFINITE (mass or inertia; all is filled, inverse with the identity that the stepper uses). */
KS_MUST_USE ksStatus ksiReadBody(const ksiEngine *engine, dBodyID body, double h, ksiBody *out);

/* Pose and velocity of a body; returns 1 if it is enabled. */
int ksiReadState(dBodyID body, double centre[3], double rotation[9], double velocity[6]);

/* What damping takes of a velocity; the cap of angular speed is not looked at. */
void ksiLostByDamping(const ksiBody *body, const double solved[6], double lost[6]);

/* v* from the velocity after the step: undoes damping, then the speed cap. Several velocities may end there: a speed
 * that either "damped" or "below the threshold" explains, a damping of 1, any speed above the cap. Takes the one
 * nearest to the guess. Returns 1 if the angular speed is at the cap. */
int ksiUndoDamping(const ksiBody *body, const double finished[6], const double guess[6], double solved[6]);

/* The velocity that moved the body to the given pose: before damping and all later changes, after the speed cap. */
void ksiPosedVelocity(const ksiBody *body, const double centre[3], const double rotation[9], double h,
                      double velocity[6]);

/* One constraint row: J v* + cfm lambda = c, lo <= lambda <= hi. Units and meaning as in ksRow. */
typedef struct ksiRow {
    ksRowKind kind;
    int findex;
    double c, cfm, lo, hi;
    double jacobian[2][6]; /* of J1 and J2; zero without a second body */
} ksiRow;

/* The motor of an axis at its stop: the engine adds its force to the bodies, without telling. It is a part of the stop's row, whose
 * c, lo and hi are those of stop and motor together. */
typedef struct ksiStoppedMotor {
    double force;    /* along the row; N or N.m */
    double velocity; /* dParamVel */
} ksiStoppedMotor;

/* The rows of one joint, as its getInfo2 writes them for the inspected stepper. Arrays are filled up to count. */
typedef struct ksiRows {
    int type; /* dJointType; 0: not known */
    int count;
    int staleLimit;   /* a hinge limit that was removed still acts */
    int overrun;      /* ... without being counted: the engine writes past the joint's rows */
    bool isSingle;    /* numbers of a body have single precision */
    int plain;        /* no row has bounds, none is all zero */
    unsigned powered; /* stops with a motor: bits by row. `motor` is set where there may be any */
    ksReasons bug;    /* bugs of the engine that falsify this joint with these rows: KS_REASON_... bits */
    double
        axisLength; /* of the joint's axis in the world, which is a factor of its rows' errors; rows are per unit axis. 1: of unit length */
    double mostCompliant;   /* the largest cfm, if it is positive */
    int axis[KSI_MAX_ROWS]; /* for a stop or a motor: the joint's axis, from 0 (dParamFMax1); else -1 */
    ksiRow row[KSI_MAX_ROWS];
    ksiStoppedMotor motor[KSI_MAX_ROWS];
} ksiRows;

/* Of a stop that pushes one way: is it the high one? With a motor, too. */
static inline int ksiIsHighStop(const ksiRow *row)
{
    return row->hi < INFINITY;
}

/* Reads the rows of an attached joint without side effects: the joint's memory is as before, the bodies are not
 * written, no lock of the stepping context is touched (safe in a world that was never stepped). Call it right before
 * the step whose rows are wanted. The states of the bodies must be finite (ksiReadBody), since the engine may abort
 * otherwise.
 * KS_OK; KS_ERROR_BAD_ARGUMENT (not attached); KS_ERROR_NOT_FINITE (a row);
 * KS_ERROR_SINGULAR (axes at which the engine itself would abort, e.g. a universal joint's are parallel: not read);
 * KS_ERROR_UNSUPPORTED_ENGINE (not a joint of the proven classes: not read). A joint that is not read has count 0. */
KS_MUST_USE ksStatus ksiReadRows(const ksiEngine *engine, dJointID joint, ksStepper stepper, double h, ksiRows *out);

/* Do the joint's rows correct errors that it has not? A false lever or a false axis corrects those that it has. */
static inline int ksiHasFalseError(const ksiRows *rows)
{
    return (rows->bug & KS_REASON_FALSE_ERROR) != 0;
}

/* c as the engine gave it. */
static inline double ksiTargetOfRow(const ksiRows *rows, int l)
{
    return rows->row[l].c - (rows->powered >> l & 1u ? rows->row[l].cfm * rows->motor[l].force : 0);
}

/* Adds times J^T m of the motors of axes at their stops: the part of the joint's wrench that the engine does not write. */
void ksiAddStoppedMotors(const ksiRows *rows, int side, double times, double force[3], double torque[3]);

/* A joint as it is now, to be read in other poses of its bodies, even after it is gone: ksiJointBytes, a multiple of
 * 8. */
size_t ksiJointBytes(dJointID joint);
void ksiCopyJoint(dJointID joint, void *copy);

/* Rows of a copied joint with its bodies elsewhere. `like`, its rows at the time of the copy, tells which rows there
 * are. The world is not touched. h: the step, s, in which wheels of a transmission turn on from the angles that it has counted.
 * gap[l]: J dq = gap is the motion that closes a row's position error; 0 for rows that hold no position. first, second: centre,
 * rotation and velocity count; NULL for the world. Of out->row only jacobian is set.
 * KS_OK; KS_ERROR_UNAVAILABLE: it has other rows there, or none that can be read. */
KS_MUST_USE ksStatus ksiReadRowsAt(const void *copy, const ksiRows *like, double h, const ksiBody *first,
                                   const ksiBody *second, ksiRows *out, double gap[KSI_MAX_ROWS]);

/* The gaps that ksiReadRowsAt would find where the bodies are, from rows that were read for a step of h: c holds them, times
 * erp/h. worldErp: the world's ERP at that time. 0: not known for all rows; the gaps are not set. */
int ksiGapsOfRows(const void *copy, const ksiRows *rows, double h, double worldErp, double gap[KSI_MAX_ROWS]);

/* The bodies of J1 and J2 (f1 and f2); *reversed is 1 if J1's is dJointGetBody(joint, 1). body[0] is NULL for an
 * unattached joint. */
void ksiJointBodies(dJointID joint, dBodyID body[2], int *reversed);

/* Feedback of our own. Fill: every number becomes a NaN that the engine never writes. OfInspector: 1 if an inspector
 * has filled it; the fourth numbers tell so even after the step. Written: 1 if the engine has written f1 and t1
 * (second: f2 and t2). */
void ksiFillFeedback(dJointFeedback *feedback);
int ksiFeedbackOfInspector(const dJointFeedback *feedback);
int ksiFeedbackWritten(const dJointFeedback *feedback, int second);

/* What the engine wrote, into the host's own feedback; that may be NULL. */
void ksiGiveWritten(const dJointFeedback *from, dJointFeedback *to);

/* Frame and anchors of a joint as documented at ksFrame. joint: in its state before the step; NULL for a contact, which has all in
 * its rows. rows: as read at the start of the step, at least one. second: NULL for the world. axes: row i is axis i in world
 * axes; anchor[i] on body[i] of ksiJointBodies, world; NaN for a type without an anchor. */
void ksiJointFrame(dJointID joint, const ksiBody *first, const ksiBody *second, const ksiRows *rows, double axes[9],
                   double anchor[2][3]);

/* 1 for a type of joint that has an anchor. */
int ksiHasAnchor(dJointType type);

/* Geometry for the accelerations of a joint's rows, beside the rows and velocities. Filled as far as its type needs it. */
typedef struct ksiGeometry {
    double between[3];  /* from the first body's mass centre to the second's; zero without one */
    double axis[2][3];  /* that the first and the second body carry */
    double lever[2][3]; /* from these mass centres to the anchors; on the world anything, or from the first */
    double distance;    /* of these anchors */
    int reversed;       /* as ksiJointBodies has it */
    unsigned carried;   /* rows of an angular motor about axes that turn with a body: bits */
    unsigned known;     /* rows whose form is known: bits */
} ksiGeometry;

/* Of a joint as it is now; second: NULL for the world. */
void ksiReadGeometry(dJointID joint, const ksiBody *first, const ksiBody *second, const ksiRows *rows,
                     ksiGeometry *out);

/* beta_l = -(dJ_l/dt) v in closed form for the joint's rows; 0 where the form is not known. Known are all rows, stops
 * and motors included, of ball, hinge, slider, universal, hinge2 (with a moving suspension too), fixed, PR
 * (perpendicular axes), PU, piston, dball, dhinge, plane2d (one body) and amotor (user mode). Not known are those of
 * contact, lmotor, transmission, amotor in Euler mode, and PR or piston attached (0, b). Exact if the velocities satisfy
 * the joint's permanent rows; a drift enters in proportion. A motor's own change of velocity is not included. first,
 * second: velocities; NULL for the world. */
void ksiRowAcceleration(const ksiRows *rows, const ksiGeometry *at, const double first[6], const double *second,
                        double beta[KSI_MAX_ROWS]);

/* Rows that hold a position which the host can set: equal stops, the distance of a double ball. */
static inline int ksiRowHoldsSetting(const ksiRows *rows, int row)
{
    return rows->row[row].kind == KS_ROW_BILATERAL && (rows->axis[row] >= 0 || rows->type == dJointTypeDBall);
}

/* That position, in m or rad: J v is its rate. erp: the share of its error that the engine takes back in a step. */
double ksiSettingOf(dJointID joint, const ksiRows *rows, int row, double *erp);

/* Asked once of each joint of a known class that takes part in a step, on the stepping thread, when idle bodies are asleep and
 * all islands are known. 1: its wrenches have been added to the forces of its bodies, and it has no rows in this step. */
typedef int ksiTakesOver(void *user, dJointID joint);

/* Is it proven what these functions need to know of the engine? */
int ksiCanSubstitute(const ksiEngine *engine);

/* What a step in which other forces stand for joints has put into the world, of that size; all zero: nothing. */
typedef struct ksiSubstitution ksiSubstitution;
extern const size_t ksiSubstitutionBytes;

/* dWorldQuickStep on the calling thread, but for the joints that are taken over. The world's threading is as before afterwards.
 * Returns what dWorldQuickStep does. Where a moved callback does not return, the world gets its own back by ksiEndSubstitution, which does
 * nothing otherwise. */
int ksiStepSubstituted(const ksiEngine *engine, double h, ksiTakesOver *takesOver, void *user, ksiSubstitution *room);
void ksiEndSubstitution(ksiSubstitution *substitution);

/* While joints are asked: does this one take part in the step? */
int ksiIsInIsland(dJointID joint);

/* While joints are asked: ksiReadRows of one that was read before the step, with its bodies as they are now. */
KS_MUST_USE ksStatus ksiReadRowsNow(const ksiEngine *engine, dJointID joint, double h, ksiRows *out);

/* force, torque about the mass centre; world axes */
void ksiAddWrench(dBodyID body, const double wrench[6]);

#endif
