/** @file ode.h  Records steps of ODE as steps of an engine with unknown equations, for `kinetostat
 *  judge FILE`. Masses, joints, loads and reports are read by public functions of ODE; its rows are
 *  not read. Compared with an inspector of the same steps, the recording shows the quality of a
 *  judgement from outside. Compile ode.c, which includes ode_inside.h, with the program:
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
 *  way. To judge steps in the program's own process (ksRecordingInspect), link kinetostat-report in
 *  place of kinetostat-recording. It links the ODE that it was built with.
 *
 *  The simulation is bitwise the same with and without the adapter. A recording contains
 *    bodies    the bodies of the list; kinematic ones are driven. A body without gravity
 *              (dBodySetGravityMode) has a load against its weight
 *    joints    those of the list: ball, hinge, slider, universal, hinge2 without a spring, fixed,
 *              piston, and double ball between two bodies
 *    loads     dBodyGetForce and dBodyGetTorque before the step; the feedback of all other joints
 *              on these bodies, contacts included; the feedback of the listed joints in their
 *              freedoms, which comes from motors and stops; for all joints, the motors of axes at
 *              their stops, which the feedback leaves out. The motor of a PU joint's slide acts at
 *              the anchors that the joint has in ksOdeCreate. If the joint is not in the list, the
 *              motor acts as if the joint did not drift. A body that sleeps after the step has a
 *              load that keeps it at rest
 *    report    the engine's feedback, without the parts that are loads
 *  The adapter replaces the host's feedback pointers during a step, and copies the feedback into
 *  the host's structs. */
#ifndef KINETOSTAT_ADAPTERS_ODE_H
#define KINETOSTAT_ADAPTERS_ODE_H

#include <kinetostat/recording.h>

#include <ode/ode.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct ksOde ksOde;

/** Creates the recording file, replacing an existing one.
 *  @param      world       the world of all bodies and joints. They must exist until ksOdeClose,
 *                          with unchanged masses and connections
 *  @param[in]  body        [bodyCount] all bodies that move or hold a joint of the list; copied
 *  @param[in]  joint       [jointCount] in the order of the recording; copied. A joint whose type
 *                          recordings do not have is a known load, as reported. NULL: none
 *  @param[in]  path        of the recording, HDF5; NULL: no file; steps go to the inspector of
 *                          ksOdeGetRecording only
 *  @param[out] adapter     owned by the caller, who calls ksOdeClose
 *  @return KS_OK, KS_ERROR_BAD_ARGUMENT (also: a body or joint of another world, a duplicate body,
 *          a joint of a body that is not in the list, a body with damping, which ODE applies after
 *          its step), KS_ERROR_NO_MEMORY, and the errors of ksRecordingCreate, ksRecordingAddBody
 *          and ksRecordingAddJoint */
ksStatus ksOdeCreate(dWorldID world, const dBodyID *body, int bodyCount, const dJointID *joint, int jointCount,
                     const char *path, ksOde **adapter);

/** The number of joints of the list that are known loads. */
int ksOdeCountOthers(const ksOde *adapter);

/** Call this right before a step of the world.
 *  @return KS_OK, KS_ERROR_BAD_ARGUMENT (also: a joint of the recording is disabled or holds other
 *          bodies), KS_ERROR_BRACKET (a step was begun), KS_ERROR_NO_MEMORY. On error the step is
 *          not recorded */
ksStatus ksOdeBegin(ksOde *adapter, double stepSize);

/** Adds a contact that was created between ksOdeBegin and the step. Call this once for each such
 *  contact; ksOdeBegin finds all earlier ones.
 *  @return KS_OK, KS_ERROR_BAD_ARGUMENT (also: it holds no body of the list), KS_ERROR_BRACKET (no
 *          step was begun), KS_ERROR_NO_MEMORY */
ksStatus ksOdeAddContact(ksOde *adapter, dJointID joint);

/** Call this right after the step, before the host removes contacts.
 *  @return KS_OK, KS_ERROR_BRACKET (no step was begun), KS_ERROR_ENGINE (a body has reached its
 *          dBodySetMaxAngularSpeed), and the errors of ksRecordingBeginStep and ksRecordingEndStep.
 *          On error the step is not recorded */
ksStatus ksOdeEnd(ksOde *adapter);

/** The recording, which the adapter owns: ksRecordingInspect judges each step in this process. Its
 *  bodies and joints are in the order of the lists, without the joints that are known loads.
 *  @return NULL: there is no adapter */
ksRecording *ksOdeGetRecording(const ksOde *adapter);

/** Closes the file and frees the adapter, also on error. Between ksOdeBegin and ksOdeEnd it
 *  restores the host's feedback pointers. NULL is allowed.
 *  @return KS_OK, KS_ERROR_FILE */
ksStatus ksOdeClose(ksOde *adapter);

#ifdef __cplusplus
}
#endif
#endif
