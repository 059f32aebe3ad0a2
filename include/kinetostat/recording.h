/** @file recording.h  Recordings of steps that any engine has made, for `kinetostat judge FILE`. Library libkinetostat-report
 *  (pkg-config kinetostat-report); it needs no header of an engine.
 *
 *      ksRecording *recording;
 *      ksRecordingCreate("arm.h5", NULL, &recording);
 *      ksRecordingAddBody(recording, &upperArm, &first);       all bodies, then all joints
 *      ksRecordingAddJoint(recording, &elbow, NULL);
 *      ...                                                     each step:
 *      ksRecordingBeginStep(recording, h, before, loads);
 *      ksRecordingEndStep(recording, after, NULL);
 *      ...
 *      ksRecordingClose(recording);
 *
 *  Or each step is judged while the host goes on, in its own process, with a file or without one:
 *
 *      ksRecordingCreate(NULL, NULL, &recording);
 *      ksRecordingInspect(recording, NULL, &inspector);        of all that was added, and is added
 *      ksInspectorOnAlert(inspector, fn, user);                and what else <kinetostat/kinetostat.h> has; ksReportWatch, ksTraceWatch
 *      ...                                                     after each ksRecordingEndStep, which calls back:
 *      ksInspectorGetReaction(inspector, ksRecordingGetJoint(recording, elbow));
 *
 *  How the engine has solved its step is not asked. So there is no converged value of such a step, and no advice. What is found:
 *    observed   what explains the motion that took place: the multipliers lambda for which as little as can be of
 *               M a - f - J^T lambda is left, M a h being the change of momentum and of angular momentum, J the joints' rows in the
 *               pose before the step. Its bar holds what is left, and how far the turning of a body leaves its torque open
 *    physical   as of any step: the reaction of the mechanism in this pose with these velocities and loads. Driven bodies accelerate by
 *               what their velocity changes in the step
 *    engine     what was reported, where something was; ksReaction::error is its distance from observed
 *  A motion of which more than the tolerance is left is KS_UNEXPLAINED (KS_REASON_MOTION): there are loads that were not told, as
 *  damping, or joints that do not hold. So is a report that is not what was observed (KS_REASON_REPORT).
 *
 *  The file is that of `kinetostat --trace-raw` and KS_TRACE_RAW, and written by the same writer; docs/recordings.md describes it.
 *  Units are kg, m, s. All is in world axes, unless it says otherwise; wrenches are on a body, torques about its mass centre.
 *  One thread at a time uses a recording; calls on several ones wait for each other, as HDF5 is often built for one thread. A child of
 *  fork() writes nothing: there ksRecordingClose does nothing, and all else is KS_ERROR_FILE. A call that fails leaves the recording as
 *  it was, but for KS_ERROR_FILE: nothing more is written then, and all further calls fail with it.
 */
#ifndef KINETOSTAT_RECORDING_H
#define KINETOSTAT_RECORDING_H

#include <kinetostat/status.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct ksRecording ksRecording;
struct ksInspector;
struct ksInspectorOptions;
struct dxBody;
struct dxJoint;

/** Options. Call ksRecordingOptionsInit, then change members. The default of a member stands first. */
typedef struct ksRecordingOptions {
    size_t size;       /**< sizeof(ksRecordingOptions); set by ksRecordingOptionsInit */
    double gravity[3]; /**< 0, 0, 0: acceleration of all bodies, m/s^2. With 0 weights are told as loads */
    int compression;   /**< 1: deflate; 0: none, to 9: smallest file */
    double reserved[8];
} ksRecordingOptions;

/** Sets the defaults. NULL is fine. */
KS_API void ksRecordingOptionsInit(ksRecordingOptions *options);

/** Where a body is, and how it moves. */
typedef struct ksRecordedState {
    double position[3];        /**< of the mass centre; m */
    double quaternion[4];      /**< w, x, y, z: from the body's axes to the world's. Its size may be off 1 by 1e-3 */
    double velocity[3];        /**< of the mass centre; m/s */
    double angularVelocity[3]; /**< rad/s */
} ksRecordedState;

/** {0} first. */
typedef struct ksRecordedBody {
    ksRecordedState state; /**< in which joints are described, and the first step begins if it is told no other */
    double mass;           /**< kg, > 0 */
    double inertia[9]; /**< kg.m^2, about the mass centre in the body's axes; row-major, symmetric, positive definite */
    int isDriven; /**< 1: it moves as the host says, whatever acts on it; mass and inertia are not read. Its velocities are those of
                     this motion, or the mechanism's reactions are others: they are not made up from positions */
    int lacksGyroscopic; /**< 1: the engine leaves out the torque -w x I w of this body */
    double reserved[4];
} ksRecordedBody;

/** What a joint holds. The numbers are those of dJointType in ODE. */
typedef enum ksJointType {
    KS_JOINT_BALL = 1,
    KS_JOINT_HINGE = 2,     /**< axis 0 */
    KS_JOINT_SLIDER = 3,    /**< along axis 0; no anchor */
    KS_JOINT_UNIVERSAL = 5, /**< axis 0 of body[0], axis 1 of body[1], across it */
    KS_JOINT_HINGE2 = 6,    /**< axis 0 (steering) of body[0], axis 1 (wheel) of body[1]; not with the world */
    KS_JOINT_FIXED = 7,     /**< no anchor */
    KS_JOINT_PR = 12,       /**< slides along axis 0 of body[0], turns about axis 1 of body[1] through the anchor */
    KS_JOINT_PU = 13,       /**< as a universal joint, and slides along axis 2 of body[0] */
    KS_JOINT_PISTON = 14,   /**< slides along axis 0, and turns about it */
    KS_JOINT_DBALL = 15,    /**< keeps the distance of both anchors */
    KS_JOINT_DHINGE = 16    /**< keeps the distance of both anchors and axis 0, which both bodies turn about */
} ksJointType;

/** {0} first. */
typedef struct ksRecordedJoint {
    ksJointType type;
    int body[2]; /**< indices of ksRecordingAddBody; body[1]: -1 for the world */
    double anchor
        [2]
        [3]; /**< m, world, where the bodies are now. The second: of KS_JOINT_DBALL and KS_JOINT_DHINGE, on body[1] */
    double axis[3][3]; /**< world, where the bodies are now; of any length. Those that the type has */
    const char *name;  /**< in reports, UTF-8, or NULL; copied, and cut after 127 bytes */
    int isSoft; /**< 1: its engine means it to give way. Its reactions have KS_REASON_SOFT then, and are those of a rigid joint */
    double reserved[3];
} ksRecordedJoint;

/** Makes the file, or writes over one that is there.
 *  @param[in]  path       of the file, HDF5; NULL: there is none, for ksRecordingInspect. Then a child of fork() may go on with a recording
 *  @param[in]  options    NULL: the defaults; copied
 *  @param[out] recording  owned by the caller, who calls ksRecordingClose
 *  @return KS_OK, KS_ERROR_BAD_ARGUMENT, KS_ERROR_NOT_FINITE, KS_ERROR_NO_MEMORY, KS_ERROR_FILE, KS_ERROR_UNAVAILABLE (a file, and
 *          this library was built without HDF5), KS_ERROR_UNSUPPORTED_ENGINE (ODE, which it writes and reads joints with, is another one) */
KS_API KS_MUST_USE ksStatus ksRecordingCreate(const char *path, const ksRecordingOptions *options,
                                              ksRecording **recording);

/** The inspector of what is recorded, made by the first call: each step that ends is one of its steps, of KS_FOREIGN_STEP, and has the
 *  values of `kinetostat judge` of the file, to the bit; bars and reasons, too, in the first 1024 steps: the judge begins anew then,
 *  and some bars hold what was seen of a run before. Reactions, callbacks, thresholds, names, reports, traces and pages are as with any
 *  inspector; a threshold passes over steps whose motion the joints do not explain (KS_UNEXPLAINED, as where contacts were not told), unless
 *  it has KS_THRESHOLD_UNCHECKED. What needs the equations of an engine's step answers KS_ERROR_UNAVAILABLE.
 *  Joints and bodies are those of a world of ODE that the recording has: ksRecordingGetJoint, of the types dJointID and dBodyID. Ask of
 *  them what you like, and leave them as they are. Nothing steps this world: ksInspectorStep, ksInspectorQuickStep and
 *  ksInspectorExactStep return KS_ERROR_ENGINE, and a report has no advice on iterations. A bracket that a host opens itself makes
 *  the recording's calls fail with KS_ERROR_BRACKET. Callbacks must not call what changes this recording: KS_ERROR_REENTRY.
 *  ksInspectorDestroy ends it, and the next call makes another one; a step that is open then is not in the file.
 *  @param[in]  options    NULL: the defaults, or those that it has; copied. KS_NEXT_STEP is as KS_SAME_STEP
 *  @param[out] inspector  owned by the recording: it goes with ksRecordingClose, before or after a report or a trace that watches it
 *  @return KS_OK, KS_ERROR_BRACKET (in a step), KS_ERROR_REENTRY, KS_ERROR_FILE, KS_ERROR_BAD_ARGUMENT (also: options, and it is there
 *          already), and what ksInspectorCreate returns */
KS_API KS_MUST_USE ksStatus ksRecordingInspect(ksRecording *recording, const struct ksInspectorOptions *options,
                                               struct ksInspector **inspector);

/** The dBodyID that an inspector knows a body by, or the dJointID of a joint. It stays the same until ksRecordingClose.
 *  @param index  as ksRecordingAddBody, ksRecordingAddJoint gave it
 *  @return NULL: there is none of this index */
KS_API struct dxBody *ksRecordingGetBody(const ksRecording *recording, int index);
KS_API struct dxJoint *ksRecordingGetJoint(const ksRecording *recording, int index);

/** Adds a body, between steps.
 *  @param[in]  body   copied
 *  @param[out] index  counted from 0, in the order of these calls; NULL is fine
 *  @return KS_OK, KS_ERROR_BAD_ARGUMENT (also: a quaternion that is no rotation, a mass that is not positive, an inertia that is not
 *          symmetric), KS_ERROR_BRACKET (in a step), KS_ERROR_NOT_FINITE, KS_ERROR_NOT_POSITIVE_DEFINITE, KS_ERROR_NO_MEMORY,
 *          KS_ERROR_FILE */
KS_API KS_MUST_USE ksStatus ksRecordingAddBody(ksRecording *recording, const ksRecordedBody *body, int *index);

/** Adds a joint, between steps. It holds the bodies as they are now.
 *  @param[in]  joint  copied
 *  @param[out] index  counted from 0, in the order of these calls; NULL is fine
 *  @return KS_OK, KS_ERROR_BAD_ARGUMENT (also: no such type or body, the same body twice, an axis of length 0, axes that should be
 *          across each other and are parallel, a joint that was described already), KS_ERROR_BRACKET (in a step),
 *          KS_ERROR_NOT_FINITE, KS_ERROR_NO_MEMORY, KS_ERROR_FILE */
KS_API KS_MUST_USE ksStatus ksRecordingAddJoint(ksRecording *recording, const ksRecordedJoint *joint, int *index);

/** What a step begins with.
 *  @param      stepSize  s, > 0
 *  @param[in]  before    [bodies] NULL: as the last step has left them
 *  @param[in]  loads     [bodies] mean over the step of all that acts on a body beside gravity and the joints: motors, springs, contacts,
 *                        damping, fields. NULL: nothing does
 *  @return KS_OK, KS_ERROR_BAD_ARGUMENT (stepSize, a quaternion), KS_ERROR_BRACKET (a step was begun), KS_ERROR_NOT_FINITE,
 *          KS_ERROR_NO_MEMORY (with an inspector: of this ksRecordingEndStep tells), KS_ERROR_FILE, KS_ERROR_REENTRY */
KS_API KS_MUST_USE ksStatus ksRecordingBeginStep(ksRecording *recording, double stepSize, const ksRecordedState *before,
                                                 const ksWrench *loads);

/** What the engine has made of it. The step is in the file, at the latest after ksRecordingFlush. An inspector judges it, and calls back.
 *  @param[in]  after     [bodies]
 *  @param[in]  reported  [joints][2] the engine's wrenches on body[0] and body[1] of each joint, mean over the step. NULL: it
 *                        reports none; a NaN: none of this joint
 *  @return KS_OK, KS_ERROR_BAD_ARGUMENT (also: a driven body's velocities are not those of its motion), KS_ERROR_BRACKET (no step was
 *          begun), KS_ERROR_NOT_FINITE (of `after`: the step stays begun, as with KS_ERROR_BAD_ARGUMENT),
 *          KS_ERROR_NO_MEMORY (the step is not in the file, or not fully inspected, as its step report says), KS_ERROR_FILE,
 *          KS_ERROR_ENDED (the inspector was destroyed in the step, which is not in the file) */
KS_API KS_MUST_USE ksStatus ksRecordingEndStep(ksRecording *recording, const ksRecordedState *after,
                                               const ksWrench (*reported)[2]);

/** Writes what waits in memory. Thereafter it is in the file, if there is one, whatever happens to the process.
 *  @return KS_OK, KS_ERROR_BAD_ARGUMENT, KS_ERROR_FILE */
KS_API KS_MUST_USE ksStatus ksRecordingFlush(ksRecording *recording);

/** Writes what waits in memory, closes the file, and frees the recording, whatever it returns. A step that was begun and not ended is
 *  left out. The inspector is destroyed. NULL is fine.
 *  @return KS_OK, KS_ERROR_FILE, KS_ERROR_REENTRY (called from a callback of its inspector: nothing is done) */
KS_API ksStatus ksRecordingClose(ksRecording *recording);

#ifdef __cplusplus
}
#endif
#endif
