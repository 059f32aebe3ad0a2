/** @file ode.h  Records steps of ODE as steps of an engine with unknown equations, for `kinetostat
 *  judge FILE`. Masses, joints, loads and reports are read by public functions of ODE; its rows are
 *  not read. Compared with an inspector of the same steps, the recording shows the quality of a
 *  judgement from outside. Compile ode.c with the program:
 *
 *      ksOde *adapter;
 *      ksOdeCreate(world, body, bodyCount, joint, jointCount, "arm.h5", &adapter);
 *      ...                                     around each step, dWorldStep or dWorldQuickStep:
 *      ksOdeBegin(adapter, h);
 *      dWorldQuickStep(world, h);
 *      ksOdeEnd(adapter);
 *      ...
 *      ksOdeClose(adapter);
 *
 *  cc program.c ode.c $(pkg-config --cflags --libs kinetostat-recording ode) -lm
 *
 *  The program's own ODE may be of version 0.13 or later, of either precision, and linked in any
 *  way. ksRecordingInspect, which judges steps in the program's own process, is in
 *  kinetostat-report, which links the ODE that it was built with: then leave kinetostat-recording
 *  out.
 *
 *  The simulation is bitwise the same with and without. What is told of a step:
 *    bodies    the bodies of the list; kinematic ones are driven. A body without gravity
 *              (dBodySetGravityMode) has a load against its weight
 *    joints    those of the list: ball, hinge, slider, universal, hinge2 without a spring, fixed,
 *              piston, and double ball between two bodies
 *    loads     dBodyGetForce and dBodyGetTorque before the step; the feedback of all other joints
 *              on these bodies, contacts included; for joints of the list the part of the feedback
 *              in their freedoms, as of motors and stops, and the motors of axes at their stops,
 *              which the feedback leaves out. A body that sleeps after the step has a load that
 *              keeps it at rest
 *    report    the engine's feedback, without what is a load
 *  Feedback pointers of the host are replaced within a step, and what was reported is copied. */
#ifndef KINETOSTAT_ADAPTERS_ODE_H
#define KINETOSTAT_ADAPTERS_ODE_H

#include <kinetostat/recording.h>

#include <ode/ode.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct ksOde ksOde;

/** Makes the file, or writes over one that is there.
 *  @param      world       the world of all bodies and joints. They must exist until ksOdeClose,
 *                          with unchanged masses and connections
 *  @param[in]  body        [bodyCount] all that move or hold a joint of the list; copied
 *  @param[in]  joint       [jointCount] in the order of the recording; copied. The reports of
 *                          joints without a type in recordings are known loads. NULL: none
 *  @param[in]  path        of the recording, HDF5; NULL: no file; steps go to the inspector of
 *                          ksOdeGetRecording only
 *  @param[out] adapter     owned by the caller, who calls ksOdeClose
 *  @return KS_OK, KS_ERROR_BAD_ARGUMENT (also: a body or joint of another world, a duplicate body,
 *          a joint of a body that is not in the list, a body with damping, which ODE applies after
 *          its step), KS_ERROR_NO_MEMORY, and what ksRecordingCreate, ksRecordingAddBody and
 *          ksRecordingAddJoint return */
ksStatus ksOdeCreate(dWorldID world, const dBodyID *body, int bodyCount, const dJointID *joint, int jointCount,
                     const char *path, ksOde **adapter);

/** How many joints of the list are known loads. */
int ksOdeCountOthers(const ksOde *adapter);

/** Right before a step of the world.
 *  @return KS_OK, KS_ERROR_BAD_ARGUMENT (also: a joint of the recording is disabled or holds other
 *          bodies), KS_ERROR_BRACKET (a step was begun), KS_ERROR_NO_MEMORY. The step is not
 *          recorded then */
ksStatus ksOdeBegin(ksOde *adapter, double stepSize);

/** Adds a contact that was created between ksOdeBegin and the step; once for each. ksOdeBegin finds
 *  all earlier contacts.
 *  @return KS_OK, KS_ERROR_BAD_ARGUMENT (also: it holds no body of the list), KS_ERROR_BRACKET (no
 *          step was begun), KS_ERROR_NO_MEMORY */
ksStatus ksOdeAddContact(ksOde *adapter, dJointID joint);

/** Right after it, before contacts are removed.
 *  @return KS_OK, KS_ERROR_BRACKET (no step was begun), KS_ERROR_ENGINE (a body has reached its
 *          dBodySetMaxAngularSpeed), and what ksRecordingBeginStep and ksRecordingEndStep return.
 *          The step is not in the recording then */
ksStatus ksOdeEnd(ksOde *adapter);

/** The recording, which the adapter owns: ksRecordingInspect judges each step in this process. Its
 *  bodies and joints are in the order of the lists, without the joints that are known loads.
 *  @return NULL: there is no adapter */
ksRecording *ksOdeGetRecording(const ksOde *adapter);

/** Closes the file and frees the adapter, whatever the status is. Within a step the host gets its
 *  feedback pointers back. NULL is allowed.
 *  @return KS_OK, KS_ERROR_FILE */
ksStatus ksOdeClose(ksOde *adapter);

#ifdef __cplusplus
}
#endif
#endif
