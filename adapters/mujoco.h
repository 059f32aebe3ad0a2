/** @file mujoco.h  Records steps of MuJoCo (2.2.2) for `kinetostat judge FILE`. Compile
 *  mujoco.c and mujoco_step.c with the program:
 *
 *      ksMujoco *adapter;
 *      ksMujocoCreate(m, "arm.h5", &adapter);
 *      ...                                     in place of each mj_step(m, d):
 *      ksMujocoStep(adapter, d);
 *      ...
 *      ksMujocoClose(adapter);
 *
 *  cc program.c mujoco.c mujoco_step.c $(pkg-config --cflags --libs kinetostat-report) -lmujoco -lm
 *
 *  The simulation is bitwise the same with and without the adapter. The record of a step describes
 *  its start, where MuJoCo computes its forces:
 *    bodies    each body with a mass, at its mass centre, in its axes of inertia; a body without a
 *              mass is a part of its parent; mocap bodies are driven
 *    joints    each joint constrains the directions that MuJoCo's joints leave out of their
 *              freedoms: free (no joint), hinge, slide, ball; two perpendicular hinges through a
 *              point are a universal joint, three a ball; a body without a joint is fixed to its
 *              parent. The equality constraints `connect` and `weld`, soft by design, are a ball
 *              and a fixed joint
 *    loads     on both bodies: xfrc_applied; actuators at sites; contacts, by mj_contactForce. In
 *              the freedoms of joints: other actuators, springs, damping, friction, stops,
 *              couplings of joints and tendons, qfrc_applied, the inertia of rotors (armature)
 *    motion    the acceleration a = J (qvel' - qvel)/h + dJ/dt qvel, with qvel and qvel' the
 *              velocities before and after the step, h its length, and J the Jacobian at its start.
 *              So no error of the observed force comes from rows of another moment. The velocity
 *              after the step is recorded as v + h a, with v the velocity of the body before
 *    report    cfrc_int for joints of the tree, without the loads that act in them; efc_force for
 *              equality constraints
 *  If the recording has no type for a joint, the joint's wrench is a known load, from
 *  mj_rnePostConstraint for the simulated motion, and the forces of other joints depend on it.
 *  ksMujocoGetNotes lists these joints, and forces that MuJoCo knows only in joint coordinates. */
#ifndef KINETOSTAT_ADAPTERS_MUJOCO_H
#define KINETOSTAT_ADAPTERS_MUJOCO_H

#include <kinetostat/recording.h>

#include <mujoco/mujoco.h>

typedef struct ksMujoco ksMujoco;

/** Creates the recording file, replacing an existing one.
 *  @param[in]  m        must exist until ksMujocoClose, with unchanged masses, joints and gravity
 *  @param[in]  path     of the recording, HDF5; NULL: no file, steps go to the inspector of
 *                       ksMujocoGetRecording only
 *  @param[out] adapter  owned by the caller, who calls ksMujocoClose
 *  @return KS_OK, KS_ERROR_UNSUPPORTED_ENGINE (mj_version() is not the header's version),
 *          KS_ERROR_BAD_ARGUMENT (also: a body that has joints and no mass, or a mass and no
 *          inertia), and the errors of ksRecordingCreate and ksRecordingAddBody */
ksStatus ksMujocoCreate(const mjModel *m, const char *path, ksMujoco **adapter);

/** The parts of the model that the recording cannot represent, one sentence a line; "" if there are
 *  none. Owned by the adapter. */
const char *ksMujocoGetNotes(const ksMujoco *adapter);

/** Call this right before mj_step(m, d). With the integrator RK4 it calls mj_forward on a copy of
 *  the data, with the host's callbacks.
 *  @return KS_OK, KS_ERROR_BAD_ARGUMENT */
ksStatus ksMujocoBegin(ksMujoco *adapter, const mjData *d);

/** Call this right after mj_step(m, d). It restores the data that mj_rnePostConstraint fills.
 *  @return KS_OK, KS_ERROR_BAD_ARGUMENT (also: an equality constraint was switched on or off since
 *          ksMujocoCreate), KS_ERROR_BRACKET (no ksMujocoBegin before), KS_ERROR_ENGINE (time did
 *          not advance by one step: MuJoCo resets the simulation if a number is bad), and the
 *          errors of ksRecordingBeginStep and ksRecordingEndStep. On error the step is not
 *          recorded */
ksStatus ksMujocoEnd(ksMujoco *adapter, mjData *d);

/** ksMujocoBegin, mj_step, ksMujocoEnd. MuJoCo steps whatever the status is, unless an argument is
 *  NULL. */
ksStatus ksMujocoStep(ksMujoco *adapter, mjData *d);

/** The recording, which the adapter owns: ksRecordingInspect judges each step in this process. Its
 *  joints have the names of the model.
 *  @return NULL: there is no adapter */
ksRecording *ksMujocoGetRecording(const ksMujoco *adapter);

/** Closes the file and frees the adapter, also on error. NULL is allowed.
 *  @return KS_OK, KS_ERROR_FILE */
ksStatus ksMujocoClose(ksMujoco *adapter);

#endif
