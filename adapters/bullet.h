/** @file bullet.h  Steps of Bullet (3.24), as a recording for `kinetostat judge FILE`. Compile
 *  bullet.cpp, bullet_step.cpp and bullet_tree.cpp with the program:
 *
 *      ksBullet *adapter;
 *      ksBulletCreate(world, "arm.h5", &adapter);      when the world has its bodies and joints
 *      ...                                             world->stepSimulation(...), as ever
 *      ksBulletClose(adapter);
 *
 *  c++ program.cpp bullet*.cpp $(pkg-config --cflags --libs kinetostat-report bullet-float64)
 *  or bullet, of single precision
 *
 *  Each substep is a step of the recording. The adapter takes over the world's tick callbacks
 *  before and after a substep, and calls the host's. The simulation is bitwise the same with and
 *  without the adapter. A recording contains
 *    bodies    all bodies with joints, with mass and principal inertia; static and kinematic bodies
 *              are driven. A btMultiBody has a body for its base and for each link; links without a
 *              mass are a part of their parents
 *    joints    of the type that has the freedoms of the constraint by its type and limits: btHinge,
 *              btPoint2Point, btConeTwist, btSlider, btFixed, btUniversal, btHinge2, btGeneric6Dof
 *              and its springs; fixed, revolute, prismatic and spherical links
 *    loads     forces and gravity at the start of the step; damping and gyroscopic torques,
 *              computed by Bullet's functions; contacts, from the impulses of manifolds. Motors,
 *              stops and springs act in the freedoms of joints: for constraints this is the part of
 *              the feedback there, for links the part of the motion that other loads leave
 *              unexplained. Loops of btMultiBodyConstraint are loads on the links
 *    motion    velocities before and after the substep, with rows at its start, as in Bullet. Links
 *              are treated as single bodies: a = J (qd' - qd)/h + dJ/dt qd
 *    report    btJointFeedback, which the adapter sets for the duration of a step; for links
 *              btMultiBodyJointFeedback, if the host has set it
 *  The feedback of any other constraint is a known load, and other joints are as right as this
 *  load; ksBulletGetNotes lists these constraints. Sleeping bodies rest under their weights, and
 *  report nothing. */
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

/** Makes the file, or writes over one that is there, and attaches itself to the world.
 *  @param[in]  world    a btDiscreteDynamicsWorld or btMultiBodyDynamicsWorld, which has to stay
 *                       until ksBulletClose, with the constraints and multibodies that it has now,
 *                       and their masses. Free bodies may come and go
 *  @param[in]  path     of the recording, HDF5; NULL: there is no file, and steps go to the
 *                       inspector of ksBulletGetRecording alone
 *  @param[out] adapter  owned by the caller, who calls ksBulletClose
 *  @return KS_OK, KS_ERROR_BAD_ARGUMENT (also: no such world; a planar link, or a link that moves
 *          without a mass), and what ksRecordingCreate and ksRecordingAddBody return */
ksStatus ksBulletCreate(btDynamicsWorld *world, const char *path, ksBullet **adapter);

/** What cannot be told as it is, a sentence a line; "" if all can. Owned by the adapter. */
const char *ksBulletGetNotes(const ksBullet *adapter);

/** How the last step went.
 *  @param[out] steps  in the recording; NULL is fine
 *  @return KS_OK, KS_ERROR_BAD_ARGUMENT (also: constraints or multibodies were added, removed or
 *          switched), KS_ERROR_BRACKET (the world's callbacks of ticks are others), and what
 *          ksRecordingBeginStep and ksRecordingEndStep return. The step is not in the recording
 *          then */
ksStatus ksBulletGetStatus(const ksBullet *adapter, long *steps);

/** The recording, which the adapter owns: ksRecordingInspect judges each step in this process. Its
 *  inspector calls back in the substep.
 *  @return NULL: there is no adapter */
ksRecording *ksBulletGetRecording(const ksBullet *adapter);

/** Closes the file, gives the world its callbacks back, and frees the adapter, whatever it returns.
 *  NULL is fine.
 *  @return KS_OK, KS_ERROR_FILE */
ksStatus ksBulletClose(ksBullet *adapter);

#ifdef __cplusplus
}
#endif
#endif
