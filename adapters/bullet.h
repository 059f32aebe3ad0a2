/** @file bullet.h  Steps of Bullet (3.24), as a recording for `kinetostat judge FILE`. Compile bullet.cpp, bullet_step.cpp and
 *  bullet_tree.cpp with the program:
 *
 *      ksBullet *adapter;
 *      ksBulletCreate(world, "arm.h5", &adapter);      when the world has its bodies and joints
 *      ...                                             world->stepSimulation(...), as ever
 *      ksBulletClose(adapter);
 *
 *  c++ program.cpp bullet*.cpp $(pkg-config --cflags --libs kinetostat-report bullet-float64)     or bullet, of single precision
 *
 *  Each substep is a step of the recording: the adapter puts itself before and after it by the world's callbacks of ticks, and calls
 *  those that were there. The simulation is bitwise the same with and without. What is told:
 *    bodies    each that a joint holds, as mass and principal inertia; static and kinematic ones are driven. Of a btMultiBody its base
 *              and links; links without a mass are a part of their parents
 *    joints    what a constraint leaves free by its type and limits: btHinge, btPoint2Point, btConeTwist, btSlider, btFixed, btUniversal,
 *              btHinge2, btGeneric6Dof and its springs; links that are fixed, revolute, prismatic, spherical
 *    loads     forces and gravity as they are when the step begins; damping and gyroscopic torques as Bullet takes them; contacts, by
 *              the impulses of manifolds. Motors, stops and springs are in the joint's freedoms: of constraints by the joint's feedback, of
 *              links what is left there of the motion. Loops of btMultiBodyConstraint are loads on the links
 *    motion    velocities before and after, with rows where Bullet has them, at the begin of the substep. Of links as if all bodies
 *              moved alone: a = J (qd' - qd)/h + dJ/dt qd
 *    report    btJointFeedback, which the adapter sets for the length of a step; of links btMultiBodyJointFeedback, where the host has set it
 *  Any other constraint is a known load by its feedback: others are right given it. ksBulletGetNotes tells of which. Bodies that sleep are
 *  at rest under their weights, and report nothing. */
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
 *  @param[in]  world    a btDiscreteDynamicsWorld or btMultiBodyDynamicsWorld, which has to stay until ksBulletClose, with the
 *                       constraints and multibodies that it has now, and their masses. Free bodies may come and go
 *  @param[in]  path     of the recording, HDF5; NULL: there is no file, and steps go to the inspector of ksBulletGetRecording alone
 *  @param[out] adapter  owned by the caller, who calls ksBulletClose
 *  @return KS_OK, KS_ERROR_BAD_ARGUMENT (also: no such world; a planar link, or a link that moves without a mass), and what
 *          ksRecordingCreate and ksRecordingAddBody return */
ksStatus ksBulletCreate(btDynamicsWorld *world, const char *path, ksBullet **adapter);

/** What cannot be told as it is, a sentence a line; "" if all can. Owned by the adapter. */
const char *ksBulletGetNotes(const ksBullet *adapter);

/** How the last step went.
 *  @param[out] steps  in the recording; NULL is fine
 *  @return KS_OK, KS_ERROR_BAD_ARGUMENT (also: constraints or multibodies were added, removed or switched), KS_ERROR_BRACKET (the
 *          world's callbacks of ticks are others), and what ksRecordingBeginStep and ksRecordingEndStep return. The step is not in the
 *          recording then */
ksStatus ksBulletGetStatus(const ksBullet *adapter, long *steps);

/** The recording, which the adapter owns: ksRecordingInspect judges each step in this process. Its inspector calls back in the substep.
 *  @return NULL: there is no adapter */
ksRecording *ksBulletGetRecording(const ksBullet *adapter);

/** Closes the file, gives the world its callbacks back, and frees the adapter, whatever it returns. NULL is fine.
 *  @return KS_OK, KS_ERROR_FILE */
ksStatus ksBulletClose(ksBullet *adapter);

#ifdef __cplusplus
}
#endif
#endif
