/** @file mujoco.h  Steps of MuJoCo (2.2.2), as a recording for `kinetostat judge FILE`. Compile mujoco.c and mujoco_step.c with
 *  the program:
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
 *  The simulation is bitwise the same with and without. What is told of a step is of its begin, where MuJoCo finds its forces:
 *    bodies    each that has a mass, in its mass centre and its axes of inertia; those without are a part of their parents; mocap
 *              bodies are driven
 *    joints    what MuJoCo has as freedoms is what the other directions are held by: free (no joint), hinge, slide, ball; two hinges
 *              across each other through a point are universal, three a ball; without a joint a body is fixed to its parent. Equality
 *              constraints `connect` and `weld`, which MuJoCo means soft, are a ball and a fixed joint
 *    loads     on both bodies that they act on: xfrc_applied; actuators at sites; contacts, by mj_contactForce; and in the freedoms of
 *              joints other actuators, springs, damping, friction, stops, couplings of joints and tendons, qfrc_applied, the inertia
 *              of rotors (armature)
 *    motion    of the velocities qvel before and after the step, a = J (qvel' - qvel)/h + dJ/dt qvel, all at its begin. So what is
 *              observed is free of the error of placing the rows elsewhere in the step, and `after` has v + h a for its velocities
 *    report    cfrc_int of the joints of the tree, without the loads that act in them; efc_force of equality constraints
 *  Of joints that the recording has no type for the wrench is a known load, by mj_rnePostConstraint in the motion that was made: others
 *  are right given it. ksMujocoGetNotes tells of which, and of forces that MuJoCo knows as those of joints alone. */
#ifndef KINETOSTAT_ADAPTERS_MUJOCO_H
#define KINETOSTAT_ADAPTERS_MUJOCO_H

#include <kinetostat/recording.h>

#include <mujoco/mujoco.h>

typedef struct ksMujoco ksMujoco;

/** Makes the file, or writes over one that is there.
 *  @param[in]  m        has to stay until ksMujocoClose, with the masses, joints and gravity that it has now
 *  @param[in]  path     of the recording, HDF5; NULL: there is no file, and steps go to the inspector of ksMujocoGetRecording alone
 *  @param[out] adapter  owned by the caller, who calls ksMujocoClose
 *  @return KS_OK, KS_ERROR_UNSUPPORTED_ENGINE (mj_version() is not that of the header), KS_ERROR_BAD_ARGUMENT (also: a body that has
 *          joints and no mass, or a mass and no inertia), and what ksRecordingCreate and ksRecordingAddBody return */
ksStatus ksMujocoCreate(const mjModel *m, const char *path, ksMujoco **adapter);

/** What cannot be told as it is, a sentence a line; "" if all can. Owned by the adapter. */
const char *ksMujocoGetNotes(const ksMujoco *adapter);

/** Right before mj_step(m, d). With the integrator RK4 mj_forward is called for a copy of the data, with what callbacks there are.
 *  @return KS_OK, KS_ERROR_BAD_ARGUMENT */
ksStatus ksMujocoBegin(ksMujoco *adapter, const mjData *d);

/** Right after mj_step(m, d). Data that mj_rnePostConstraint would fill are left as they were.
 *  @return KS_OK, KS_ERROR_BAD_ARGUMENT (also: other equality constraints are active than when the adapter was made), KS_ERROR_BRACKET
 *          (no ksMujocoBegin before), KS_ERROR_ENGINE (this was not one step; MuJoCo begins anew where a number is bad), and what
 *          ksRecordingBeginStep and ksRecordingEndStep return. The step is not in the recording then */
ksStatus ksMujocoEnd(ksMujoco *adapter, mjData *d);

/** ksMujocoBegin, mj_step, ksMujocoEnd. The step is made whatever is returned, unless an argument is NULL. */
ksStatus ksMujocoStep(ksMujoco *adapter, mjData *d);

/** The recording, which the adapter owns: ksRecordingInspect judges each step in this process. Its joints have the names of the model.
 *  @return NULL: there is no adapter */
ksRecording *ksMujocoGetRecording(const ksMujoco *adapter);

/** Closes the file and frees the adapter, whatever it returns. NULL is fine.
 *  @return KS_OK, KS_ERROR_FILE */
ksStatus ksMujocoClose(ksMujoco *adapter);

#endif
