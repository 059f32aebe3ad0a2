/** @file bullet.h  Records steps of Bullet (3.24) for `kinetostat judge FILE`. Compile
 *  bullet.cpp, bullet_step.cpp and bullet_tree.cpp with the program:
 *
 *      ksBullet *adapter;
 *      ksBulletCreate(world, "arm.h5", &adapter);      when the world has its bodies and joints
 *      ...                                             world->stepSimulation(...), unchanged
 *      ksBulletClose(adapter);
 *
 *  c++ program.cpp bullet*.cpp $(pkg-config --cflags --libs kinetostat-report bullet-float64)
 *
 *  If Bullet has single precision, name bullet instead of bullet-float64.
 *
 *  Each substep is a step of the recording. The adapter replaces the world's callbacks before and
 *  after a tick, and calls the host's callbacks from its own. The simulation is bitwise the same
 *  with and without the adapter. A recording contains
 *    bodies    all bodies with joints, with mass and principal inertia; static and kinematic bodies
 *              are driven. A btMultiBody has a body for its base and for each link; a link without
 *              a mass is a part of its parent
 *    joints    each of the type that has the same freedoms as the constraint with its limits:
 *              btHinge, btPoint2Point, btConeTwist, btSlider, btFixed, btUniversal, btHinge2,
 *              btGeneric6Dof and its springs; fixed, revolute, prismatic and spherical links
 *    loads     forces and gravity at the start of the step; damping and gyroscopic torques,
 *              computed by Bullet's functions; contacts, from the impulses of manifolds. Motors,
 *              stops and springs act in the freedoms of joints. For a constraint, this load is the
 *              part of its feedback in these freedoms; for a link, it is the part of the motion
 *              that other loads do not explain. A btMultiBodyConstraint, which closes a loop, is a
 *              load on its links
 *    motion    velocities before and after the substep, with rows at its start, as in Bullet. A
 *              link is a single body. Its acceleration is J (qd' - qd)/h + dJ/dt qd, with qd and
 *              qd' the joint rates before and after, J the Jacobian, and h the length of the step
 *    report    btJointFeedback, which the adapter sets for the duration of a step; for links
 *              btMultiBodyJointFeedback, if the host has set it
 *  The feedback of any other constraint is a known load, and the forces of other joints depend on
 *  it; ksBulletGetNotes lists these constraints. Sleeping bodies rest under their weights and have
 *  no report. */
#ifndef KINETOSTAT_ADAPTERS_BULLET_H
#define KINETOSTAT_ADAPTERS_BULLET_H

#include <kinetostat/recording.h>

#ifdef __cplusplus
class btDynamicsWorld;
extern "C" {
#else
typedef struct btDynamicsWorld btDynamicsWorld;
#endif

typedef struct ksBullet ksBullet;

/** Creates the recording file, replacing an existing one, and attaches the adapter to the world.
 *  @param[in]  world    a btDiscreteDynamicsWorld or btMultiBodyDynamicsWorld, which must exist
 *                       until ksBulletClose, with the same constraints, multibodies and masses. The
 *                       host may add and remove free bodies
 *  @param[in]  path     of the recording, HDF5; NULL: no file, steps go to the inspector of
 *                       ksBulletGetRecording only
 *  @param[out] adapter  owned by the caller, who calls ksBulletClose
 *  @return KS_OK, KS_ERROR_BAD_ARGUMENT (also: another type of world, a planar link, a moving link
 *          without a mass), and the errors of ksRecordingCreate and ksRecordingAddBody */
ksStatus ksBulletCreate(btDynamicsWorld *world, const char *path, ksBullet **adapter);

/** The parts of the model that the recording cannot represent, one sentence a line; "" if there are
 *  none. Owned by the adapter. */
const char *ksBulletGetNotes(const ksBullet *adapter);

/** The status of the last step.
 *  @param[out] steps  the number of steps in the recording; NULL is allowed
 *  @return KS_OK, KS_ERROR_BAD_ARGUMENT (also: constraints or multibodies were added, removed or
 *          switched), KS_ERROR_BRACKET (the host has replaced the adapter's tick callbacks), and
 *          the errors of ksRecordingBeginStep and ksRecordingEndStep. On error the step is not
 *          recorded */
ksStatus ksBulletGetStatus(const ksBullet *adapter, long *steps);

/** The recording, which the adapter owns: ksRecordingInspect judges each step in this process. Its
 *  inspector calls back in the substep.
 *  @return NULL: there is no adapter */
ksRecording *ksBulletGetRecording(const ksBullet *adapter);

/** Closes the file, restores the world's callbacks and frees the adapter, also on error. NULL is
 *  allowed.
 *  @return KS_OK, KS_ERROR_FILE */
ksStatus ksBulletClose(ksBullet *adapter);

#ifdef __cplusplus
}
#endif
#endif
