/** @file recording.h  Records the steps of any engine, for `kinetostat judge FILE`. Library
 *  libkinetostat-recording (pkg-config kinetostat-recording), which links no engine: a program may
 *  have any engine, ODE included. ksRecordingInspect, ksRecordingGetBody and ksRecordingGetJoint
 *  need ODE: libkinetostat-report has these three, and also all other functions. Link one of the
 *  two libraries.
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
 *  Each step can also be judged at once in the host's process, with or without a file:
 *
 *      ksRecordingCreate(NULL, NULL, &recording);
 *      ksRecordingInspect(recording, NULL, &inspector);        all bodies and joints, present and future
 *      ksInspectorOnAlert(inspector, fn, user);                and the rest of <kinetostat/kinetostat.h>; ksReportWatch, ksTraceWatch
 *      ...                                                     after each ksRecordingEndStep, which
 *                                                              makes the callbacks:
 *      ksInspectorGetReaction(inspector, ksRecordingGetJoint(recording, elbow));
 *
 *  The equations of the engine's step are unknown. So such a step has no converged value and no
 *  advice. Its values are:
 *    observed   the multipliers lambda that explain the motion: the ones with the least remainder M
 *               a - f - J^T lambda, where M a h is the change of momentum and of angular momentum,
 *               and J are the joints' rows in the pose before the step. Its bar contains the
 *               remainder, and the uncertainty of a torque on a body that turns within the step
 *    physical   as for any step: the reaction of the mechanism in this pose at these velocities
 *               under these loads. Driven bodies accelerate by the change of their velocity in the
 *               step
 *    engine     the reported force, if there is one; ksReaction::error is its distance from
 *               observed
 *  A motion whose remainder exceeds the tolerance is KS_UNEXPLAINED (KS_REASON_MOTION): a load such
 *  as damping was not recorded, or a joint does not hold. A report that differs from the observed
 *  value is also KS_UNEXPLAINED (KS_REASON_REPORT).
 *
 *  The file has the format of `kinetostat --trace-raw` and KS_TRACE_RAW: docs/recordings.md. Units
 *  are kg, m, s. Vectors are in world axes unless stated otherwise; wrenches act on a body, with
 *  torques about its mass centre. Use a recording from one thread at a time; calls on different
 *  recordings wait for each other, since HDF5 is often built for one thread. A child of fork()
 *  writes nothing: in the child ksRecordingClose does nothing, and all other calls return
 *  KS_ERROR_FILE. A call that fails leaves the recording unchanged. After KS_ERROR_FILE nothing
 *  more is written, and all further calls fail with this status.
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

/** Options. Call ksRecordingOptionsInit, then change members. Each member's comment begins with its
 *  default. */
typedef struct ksRecordingOptions {
    size_t size;       /**< sizeof(ksRecordingOptions); set by ksRecordingOptionsInit */
    double gravity[3]; /**< 0, 0, 0: acceleration of all bodies, m/s^2. If it is 0, pass the weights
                            as loads */
    int compression;   /**< 1: deflate level, from 0 (none) to 9 (smallest file) */
    int isSingle;      /**< 0; 1: the engine has single precision. Bars and tolerances then include
                            the rounding of single precision */
    double reserved[8];
} ksRecordingOptions;

/** Sets the defaults. NULL is fine. */
KS_API void ksRecordingOptionsInit(ksRecordingOptions *options);

/** Position and velocity of a body. */
typedef struct ksRecordedState {
    double position[3];        /**< of the mass centre; m */
    double quaternion[4];      /**< w, x, y, z: from the body's axes to the world's; of unit length
                                    to 1e-3 */
    double velocity[3];        /**< of the mass centre; m/s */
    double angularVelocity[3]; /**< rad/s */
} ksRecordedState;

/** A body. Initialise it with {0}. */
typedef struct ksRecordedBody {
    ksRecordedState state; /**< joints are described in this state; by default the first step begins
                                in it */
    double mass;           /**< kg, > 0 */
    double inertia[9];     /**< kg.m^2, about the mass centre in the body's axes; row-major,
                                symmetric, positive definite */
    int isDriven;          /**< 1: the host prescribes its motion, whatever acts on it; mass and
                                inertia are ignored. Its velocities must be the velocities of this
                                motion: they determine the reactions, and are not derived from
                                positions */
    int lacksGyroscopic;   /**< 1: the engine omits the torque -w x I w of this body */
    double reserved[4];
} ksRecordedBody;

/** The type of a joint. The numbers are those of dJointType in ODE. */
typedef enum ksJointType {
    KS_JOINT_BALL = 1,
    KS_JOINT_HINGE = 2,     /**< axis 0 */
    KS_JOINT_SLIDER = 3,    /**< along axis 0; no anchor */
    KS_JOINT_UNIVERSAL = 5, /**< axis 0 of body[0] and, across axis 0, axis 1 of body[1] */
    KS_JOINT_HINGE2 = 6,    /**< axis 0 (steering) of body[0], axis 1 (wheel) of body[1]; not with
                                 the world */
    KS_JOINT_FIXED = 7,     /**< no anchor */
    KS_JOINT_PR = 12,       /**< slides along axis 0 of body[0], turns about axis 1 of body[1]
                                 through the anchor */
    KS_JOINT_PU = 13,       /**< a universal joint that also slides along axis 2 of body[0] */
    KS_JOINT_PISTON = 14,   /**< slides along axis 0, and turns about it */
    KS_JOINT_DBALL = 15,    /**< keeps the distance between both anchors */
    KS_JOINT_DHINGE = 16    /**< keeps the distance between both anchors, keeps axis 0 of both
                                 bodies parallel, and prevents a shift along it; each body turns
                                 about axis 0 through its own anchor */
} ksJointType;

/** A joint. Initialise it with {0}. */
typedef struct ksRecordedJoint {
    ksJointType type;
    int body[2];         /**< indices of ksRecordingAddBody; body[1]: -1 for the world */
    double anchor[2][3]; /**< m, world, in the present pose. The second anchor is on body[1], for
                              KS_JOINT_DBALL and KS_JOINT_DHINGE */
    double axis[3][3];   /**< world, in the present pose; of any length. Only the axes of the type
                              are read */
    const char *name;    /**< in reports, UTF-8, or NULL; copied, and truncated after 127 bytes */
    int isSoft;          /**< 1: compliant in its engine. Its reactions then have KS_REASON_SOFT,
                              and are the reactions of a rigid joint */
    double reserved[3];
} ksRecordedJoint;

/** Creates the file, or overwrites an existing file.
 *  @param[in]  path       the HDF5 file; NULL: no file, for ksRecordingInspect alone. A child of
 *                         fork() can then continue with the recording
 *  @param[in]  options    NULL: the defaults; copied
 *  @param[out] recording  owned by the caller, who calls ksRecordingClose
 *  @return KS_OK, KS_ERROR_BAD_ARGUMENT, KS_ERROR_NOT_FINITE, KS_ERROR_NO_MEMORY, KS_ERROR_FILE */
KS_API KS_MUST_USE ksStatus ksRecordingCreate(const char *path, const ksRecordingOptions *options,
                                              ksRecording **recording);

/** Returns the inspector of the recording; the first call creates it. Each ksRecordingEndStep is a
 *  step of this inspector, a KS_FOREIGN_STEP. Its values equal the values of
 *  `kinetostat judge` bit by bit. Bars and reasons agree in the first 1024 steps. From step 1024 on the judge
 *  begins new windows of records, and some bars depend on the steps of the window so far.
 *  Reactions, callbacks, thresholds, names, reports, traces and pages work as with any inspector. A
 *  threshold skips steps whose motion the joints do not explain (KS_UNEXPLAINED, for instance
 *  unrecorded contacts), unless it has KS_THRESHOLD_UNCHECKED. Calls that need the equations of an
 *  engine's step return KS_ERROR_UNAVAILABLE. Joints and bodies belong to an ODE world of the
 *  recording: see ksRecordingGetJoint. You may read them, but must not change them. Nothing steps
 *  this world: ksInspectorStep, ksInspectorQuickStep and ksInspectorExactStep return
 *  KS_ERROR_ENGINE, and a report has no advice on iterations. While a host has a bracket open, the
 *  recording's calls fail with KS_ERROR_BRACKET. Callbacks must not change this recording:
 *  KS_ERROR_REENTRY. After ksInspectorDestroy the next call creates a new inspector; a step that
 *  was open is not in the file.
 *  @param[in]  options    NULL: the defaults, or the existing inspector's; copied. KS_NEXT_STEP
 *                         acts as KS_SAME_STEP
 *  @param[out] inspector  owned by the recording, destroyed by ksRecordingClose, before or after a
 *                         report or a trace that watches it
 *  @return KS_OK, KS_ERROR_BRACKET (in a step), KS_ERROR_REENTRY, KS_ERROR_FILE,
 *          KS_ERROR_BAD_ARGUMENT (also: options for an existing inspector), and the statuses of
 *          ksInspectorCreate */
KS_API KS_MUST_USE ksStatus ksRecordingInspect(ksRecording *recording, const struct ksInspectorOptions *options,
                                               struct ksInspector **inspector);

/** The dBodyID or dJointID that identifies a body or a joint to an inspector. It is constant from
 *  ksRecordingInspect until ksRecordingClose.
 *  @param index  of ksRecordingAddBody or ksRecordingAddJoint
 *  @return NULL: no such index, or ksRecordingInspect was never called */
KS_API struct dxBody *ksRecordingGetBody(const ksRecording *recording, int index);
KS_API struct dxJoint *ksRecordingGetJoint(const ksRecording *recording, int index);

/** Adds a body, between steps.
 *  @param[in]  body   copied
 *  @param[out] index  counted from 0, in the order of these calls; NULL is fine
 *  @return KS_OK, KS_ERROR_BAD_ARGUMENT (also: a quaternion not of unit length, a mass that is not
 *          positive, an inertia that is not symmetric), KS_ERROR_BRACKET (in a step),
 *          KS_ERROR_NOT_FINITE, KS_ERROR_NOT_POSITIVE_DEFINITE, KS_ERROR_NO_MEMORY,
 *          KS_ERROR_FILE */
KS_API KS_MUST_USE ksStatus ksRecordingAddBody(ksRecording *recording, const ksRecordedBody *body, int *index);

/** Adds a joint, between steps. It constrains the bodies in their present pose.
 *  @param[in]  joint  copied
 *  @param[out] index  counted from 0, in the order of these calls; NULL is fine
 *  @return KS_OK, KS_ERROR_BAD_ARGUMENT (also: no such type or body, the same body twice, an axis
 *          of length 0, axes that must differ and are parallel, a duplicate joint),
 *          KS_ERROR_BRACKET (in a step), KS_ERROR_NOT_FINITE, KS_ERROR_NO_MEMORY, KS_ERROR_FILE */
KS_API KS_MUST_USE ksStatus ksRecordingAddJoint(ksRecording *recording, const ksRecordedJoint *joint, int *index);

/** Begins a step: records its input.
 *  @param      stepSize  s, > 0
 *  @param[in]  before    [bodies] NULL: as after the last step
 *  @param[in]  loads     [bodies] the mean over the step of all forces on a body (motors, springs,
 *                        contacts, damping, fields), except gravity and the forces of joints. NULL:
 *                        none
 *  @return KS_OK, KS_ERROR_BAD_ARGUMENT (stepSize, a quaternion), KS_ERROR_BRACKET (a step is
 *          open), KS_ERROR_NOT_FINITE, KS_ERROR_NO_MEMORY (with an inspector, ksRecordingEndStep
 *          returns it instead), KS_ERROR_FILE, KS_ERROR_REENTRY */
KS_API KS_MUST_USE ksStatus ksRecordingBeginStep(ksRecording *recording, double stepSize, const ksRecordedState *before,
                                                 const ksWrench *loads);

/** Ends a step: records its result. The step is in the file after ksRecordingFlush, or earlier. An
 *  inspector judges it and makes its callbacks.
 *  @param[in]  after     [bodies]
 *  @param[in]  reported  [joints][2] the engine's wrenches on body[0] and body[1] of each joint,
 *                        mean over the step. NULL: no report; NaN: no report for this joint
 *  @return KS_OK, KS_ERROR_BAD_ARGUMENT (also: a driven body's velocities disagree with its
 *          motion), KS_ERROR_BRACKET (no step is open), KS_ERROR_NOT_FINITE (in `after`: the step
 *          stays open, as with KS_ERROR_BAD_ARGUMENT), KS_ERROR_NO_MEMORY (the step is not in the
 *          file, or not fully inspected, as its step report says), KS_ERROR_FILE, KS_ERROR_ENDED
 *          (the inspector was destroyed in the step, which is not in the file) */
KS_API KS_MUST_USE ksStatus ksRecordingEndStep(ksRecording *recording, const ksRecordedState *after,
                                               const ksWrench (*reported)[2]);

/** Writes all buffered steps. If there is a file, these steps are then in it, whatever happens to
 *  the process.
 *  @return KS_OK, KS_ERROR_BAD_ARGUMENT, KS_ERROR_FILE */
KS_API KS_MUST_USE ksStatus ksRecordingFlush(ksRecording *recording);

/** Writes all buffered steps, closes the file, and frees the recording, whatever it returns. An
 *  open step is discarded. The inspector is destroyed. NULL is allowed.
 *  @return KS_OK, KS_ERROR_FILE, KS_ERROR_REENTRY (called from a callback of its inspector: nothing
 *          is done) */
KS_API ksStatus ksRecordingClose(ksRecording *recording);

#ifdef __cplusplus
}
#endif
#endif
