/* engine.h  The room that knows ODE: its private layout, its row protocol, and what its steppers do to a body.
 * Nothing outside this room includes a private fact about the engine. It knows no mechanics of the routes. */
#ifndef KSI_ENGINE_H
#define KSI_ENGINE_H

#include "../base/rigidroot.h"

#include <kinetostat/kinetostat.h>

#define KSI_MAX_ROWS 6     /* a joint has at most six rows */
#define KSI_JOINT_TYPES 18 /* numbers of dJointType, from 0 (none) */

/* The lists of one world, found once: their heads are read afresh at each step, without allocation. */
typedef struct ksiEngine {
    dWorldID world;
    void *const *bodyHead;               /* address of the world's first-body pointer */
    void *const *jointHead;              /* address of the world's first-joint pointer */
    const int *counts;                   /* numbers of bodies and joints, behind the heads; NULL where they are not */
    const void *vtable[KSI_JOINT_TYPES]; /* of the proven classes; a joint of any other is not read */
    int tagged;                          /* the steppers' marks are where they are looked for */
    int threading;                       /* so is what the world steps with */
} ksiEngine;

/* Guard, probe and self-test. Nothing of the world is changed, all scratch objects are gone on return; the random seed
 * is not used, floating-point flags and traps are as before. Thread-safe for different worlds. The engine must be
 * initialised (a world exists). It constructs on an allocation that it does not check: where the host's allocator
 * (dSetAllocHandler) returns NULL the engine crashes here as it does anywhere else.
 * KS_OK, KS_ERROR_UNSUPPORTED_ENGINE, KS_ERROR_NO_MEMORY (the engine could not create the probes); engine is set only
 * on KS_OK. */
KS_MUST_USE ksStatus ksiEngineOpen(dWorldID world, ksiEngine *engine);

/* All bodies and joints of the world, unattached ones included; NULL ends. */
dBodyID ksiFirstBody(const ksiEngine *engine);
dBodyID ksiNextBody(dBodyID body);
dJointID ksiFirstJoint(const ksiEngine *engine);
dJointID ksiNextJoint(dJointID joint);

/* The joint's dJointType where it is one of the engine's own classes, as proven by ksiEngineOpen; else 0. */
int ksiKnownType(const ksiEngine *engine, dJointID joint);

/* The mark that a step left in the joint. 0: it left none, as in one that was made since, in one on no body that moves,
 * and in one joint of each island under dWorldStep; or marks are not known. */
int ksiJointMark(const ksiEngine *engine, dJointID joint);

/* How many threads a step of the world has at its disposal; 0: the one that calls, or it is not known. */
unsigned ksiThreadCount(const ksiEngine *engine);

/* What a joint is now. */
typedef struct ksiJoint {
    dJointType type;
    dBodyID body[2]; /* as ksiJointBodies has them */
    int reversed, enabled;
    int mark; /* ksiJointMark */
    dJointFeedback *feedback;
} ksiJoint;

/* expected: the type that it had, or 0 */
void ksiReadJoint(const ksiEngine *engine, dJointID joint, dJointType expected, ksiJoint *out);

/* What the list of joints looks like from outside. While it does so no joint was made or destroyed, unless as many were
 * made as destroyed and the one made last is like the list's old head, in address and mark, or without a mark in
 * address, type and bodies. ksiJointStamp returns 0 where the engine keeps no count: then there is no stamp. */
typedef struct ksiStamp {
    dJointID head;
    int count, mark;
    dJointType type; /* of the head, and its bodies, where it has no mark; else zero */
    dBodyID body[2];
} ksiStamp;
int ksiJointStamp(const ksiEngine *engine, ksiStamp *stamp);
int ksiStampHolds(const ksiEngine *engine, const ksiStamp *stamp);

/* A body at the start of a step of size h: all that the stepper will use. */
typedef struct ksiBody {
    dBodyID id;
    int kinematic, enabled;
    double centre[3];
    double rotation[9]; /* row-major, body to world */
    double velocity[6]; /* linear, angular (world axes) */
    double mass;
    double inertia[9]; /* world axes, R I R^T; row-major */
    double inverse[9]; /* world axes, the stepper's I^-1 */
    double condition;  /* product of their traces; unless kinematic */
    int dynamic;       /* it has a mass, about every axis more of it than rounding; 0 for a kinematic body */
    ksiRigidRoot root; /* where it is dynamic */
    double force[6];   /* f = user + gravity + gyroscopic; fudge is the caller's to add. Kinematic: zero */
    int damped;        /* ... or its angular speed is capped */
    double linearDamping, angularDamping;
    double linearThreshold2, angularThreshold2; /* squared; where there is damping */
    double maxAngularSpeed;
    int finiteRotation;
    double finiteAxis[3]; /* of a finite rotation; zero: none, then it is finite about any axis */
    int autoDisable;
    double gravity[3];    /* the part of force[0..2] that is weight */
    int gyroscopicMode;   /* 0 for a kinematic body */
    double gyroscopic[3]; /* the part of force[3..5] that is the stepper's gyroscopic torque: zero without the mode */
} ksiBody;

/* KS_OK; KS_ERROR_NOT_FINITE (pose, velocity, and unless kinematic mass and force; a part of out is filled);
 * KS_ERROR_NOT_POSITIVE_DEFINITE (mass or inertia; all is filled, inverse with the identity that the stepper uses). */
KS_MUST_USE ksStatus ksiReadBody(const ksiEngine *engine, dBodyID body, double h, ksiBody *out);

/* Where it is and how it moves; returns 1 where it is enabled. */
int ksiReadState(dBodyID body, double centre[3], double rotation[9], double velocity[6]);

/* v* from the velocity after the step: undoes damping, then the speed cap. Of several that end there (a speed from which
 * either "damped" or "below the threshold" follows, a damping of 1, any speed above the cap) the one nearest to the
 * guess. Returns 1 where the angular speed is at the cap. */
int ksiUndoDamping(const ksiBody *body, const double finished[6], const double guess[6], double solved[6]);

/* The velocity that moved the body to the given pose, before damping and whatever came later; after the speed cap. */
void ksiPosedVelocity(const ksiBody *body, const double centre[3], const double rotation[9], double h,
                      double velocity[6]);

/* One constraint row: J v* + cfm lambda = c, lo <= lambda <= hi. Units and meaning as in ksRow. */
typedef struct ksiRow {
    ksRowKind kind;
    int findex;
    double c, cfm, lo, hi;
    double jacobian[2][6]; /* of J1 and J2; zero where there is no second body */
} ksiRow;

/* The rows of one joint, as its getInfo2 writes them for the stepper that is inspected. Arrays are filled up to count. */
typedef struct ksiRows {
    int type; /* dJointType; 0: none that is known */
    int count;
    int staleLimit;         /* a hinge's limit that was removed acts */
    int overrun;            /* ... without being counted: the engine writes past the joint's rows */
    int fudged;             /* there is a `fudge` */
    int plain;              /* no row has bounds, none is all zero */
    unsigned bug;           /* of the engine, that falsifies this joint with these rows: KS_REASON_... bits */
    double mostCompliant;   /* the largest cfm, where it is positive */
    int axis[KSI_MAX_ROWS]; /* of a stop or a motor: which of the joint's axes, from 0 (dParamFMax1); else -1 */
    ksiRow row[KSI_MAX_ROWS];
    ksWrench fudge[2]; /* what the engine will add to the applied forces of J1's and J2's body in this step */
} ksiRows;

/* Reads the rows of an attached joint without side effects: the joint's memory is as before, the bodies are not written,
 * no lock of the stepping context is touched (safe in a world that was never stepped). For the rows of the coming step
 * call it right before that. The states of the bodies have to be finite (ksiReadBody): the engine may abort otherwise.
 * KS_OK; KS_ERROR_BAD_ARGUMENT (not attached); KS_ERROR_NOT_FINITE (a row);
 * KS_ERROR_SINGULAR (axes at which the engine itself would abort, e.g. a universal joint's are parallel: not read);
 * KS_ERROR_UNSUPPORTED_ENGINE (not a joint of the proven classes: not read). What is not read has count 0. */
KS_MUST_USE ksStatus ksiReadRows(const ksiEngine *engine, dJointID joint, ksStepper stepper, double h, ksiRows *out);

/* A joint as it is now, to be read in other poses of its bodies, also when it is gone: ksiJointBytes, a multiple of 8. */
size_t ksiJointBytes(dJointID joint);
void ksiCopyJoint(dJointID joint, void *copy);

/* Rows of a copied joint with its bodies elsewhere: `like`, its rows where it was copied, tells which there are. Nothing of
 * the world is touched. gap[l]: J dq = gap is the motion that closes a row's position error; 0 of rows that hold no
 * position. first, second: centre, rotation and velocity count; NULL for the world. Of out->row jacobian alone is set.
 * KS_OK; KS_ERROR_UNAVAILABLE: it has other rows there, or none that can be read. */
KS_MUST_USE ksStatus ksiReadRowsAt(const ksiEngine *engine, const void *copy, const ksiRows *like, const ksiBody *first,
                                   const ksiBody *second, ksiRows *out, double gap[KSI_MAX_ROWS]);

/* ksiRowAcceleration of such rows. */
void ksiRowAccelerationAt(const void *copy, const ksiBody *first, const ksiBody *second, const ksiRows *rows,
                          double beta[KSI_MAX_ROWS], int known[KSI_MAX_ROWS]);

/* The bodies of J1 and J2 (f1 and f2); *reversed is 1 where J1's is dJointGetBody(joint, 1). body[0] is NULL for an
 * unattached joint. */
void ksiJointBodies(dJointID joint, dBodyID body[2], int *reversed);

/* Feedback of our own. Fill: every number becomes a NaN that the engine never writes. OfInspector: 1 if any inspector has
 * filled it, which the fourth numbers tell after the step too. Written: 1 where the engine has written f1 and t1
 * (second: f2 and t2). */
void ksiFillFeedback(dJointFeedback *feedback);
int ksiFeedbackOfInspector(const dJointFeedback *feedback);
int ksiFeedbackWritten(const dJointFeedback *feedback, int second);

/* Frame and anchors of a joint as documented at ksFrame. rows: as read at the start of the step, not without any.
 * second: NULL for the world. axes: row i is axis i in world axes; anchor[i] on body[i] of ksiJointBodies, world; NaN
 * where the type has none. */
void ksiJointFrame(dJointID joint, const ksiBody *first, const ksiBody *second, const ksiRows *rows, double axes[9],
                   double anchor[2][3]);

/* 1 where ksiJointFrame asks the joint itself, which has to be as it was before the step; else its joint may be NULL. */
int ksiFrameAsksJoint(const ksiRows *rows, const ksiBody *second);

/* beta_l = -(dJ_l/dt) v in closed form for the joint's rows where it is known: known[l] is set to 1 and beta[l] filled,
 * else known[l] = 0 and beta[l] = 0. Known are all rows, stops and motors included, of ball, hinge, slider, universal,
 * hinge2 (a moving suspension too), fixed, PR (perpendicular axes), PU, piston, dball, dhinge, plane2d (one body) and
 * amotor (user mode); not those of contact, lmotor, transmission, amotor in Euler mode, and PR or piston attached
 * (0, b). Exact where the velocities satisfy the joint's permanent rows; a drift enters in proportion. A motor's own
 * change of velocity is not in it. second: NULL for the world; a kinematic body with its velocity. */
void ksiRowAcceleration(dJointID joint, const ksiBody *first, const ksiBody *second, const ksiRows *rows,
                        double beta[KSI_MAX_ROWS], int known[KSI_MAX_ROWS]);

#endif
