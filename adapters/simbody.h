/** @file simbody.h  Records steps of Simbody (3.7) for `kinetostat judge FILE`. Compile
 *  simbody.cpp with the program:
 *
 *      ksSimbody *adapter;
 *      ksSimbodyCreate(system, matter, state, "arm.h5", &adapter);
 *      ...                                     around each step of an integrator:
 *      ksSimbodyBegin(adapter, integrator.getState());
 *      integrator.stepTo(time);
 *      ksSimbodyEnd(adapter, integrator.getState());
 *      ...
 *      ksSimbodyClose(adapter);
 *
 *  c++ program.cpp simbody.cpp $(pkg-config --cflags --libs kinetostat-report simbody)
 *
 *  The first stepTo of an integrator makes no step: call it once before the first ksSimbodyBegin.
 *
 *  The simulation is bitwise the same with and without the adapter, which computes in copies of the
 *  state. The record of a step describes its start:
 *    bodies    each mobilised body, at its mass centre, in its own axes
 *    joints    Pin, Slider, Ball, Universal and Weld are hinge, slider, ball, universal and fixed;
 *              Free is no joint. The wrench of any other mobiliser is a known load, from
 *              calcMobilizerReactionForces. A Constraint::Ball is a ball if its points are less
 *              than a millimetre apart in the state of ksSimbodyCreate; the wrenches of other
 *              constraints are known loads
 *    loads     rigid body forces of the system, including gravity; mobility forces, in the freedoms
 *              of joints; forces of constraints
 *    motion    the acceleration a = J (u' - u)/h + dJ/dt u, with u and u' the speeds before and
 *              after the step, h its length, and J the Jacobian at its start. An integrator of
 *              first order computes u' from the accelerations at the start; an integrator of higher
 *              order, from their mean over the step
 *    report    calcMobilizerReactionForces without the mobility forces; for a Ball its
 *              multipliers */
#ifndef KINETOSTAT_ADAPTERS_SIMBODY_H
#define KINETOSTAT_ADAPTERS_SIMBODY_H

#include <kinetostat/recording.h>

#include <Simbody.h>

struct ksSimbody;

/** Creates the recording file, replacing an existing one.
 *  @param      system   this and matter must exist until ksSimbodyClose, with unchanged bodies and
 *                       mobilisers
 *  @param      state    realised to Stage::Model or later; joints are described in its pose
 *  @param      path     of the recording, HDF5; NULL: no file; steps go to the inspector of
 *                       ksSimbodyGetRecording only
 *  @param[out] adapter  owned by the caller, who calls ksSimbodyClose
 *  @return KS_OK, KS_ERROR_BAD_ARGUMENT (also: a body without a mass, a mobiliser that is locked or
 *          follows a Motion), KS_ERROR_NO_MEMORY, KS_ERROR_ENGINE (Simbody has thrown), and the
 *          errors of ksRecordingCreate, ksRecordingAddBody and ksRecordingAddJoint */
ksStatus ksSimbodyCreate(const SimTK::MultibodySystem &system, const SimTK::SimbodyMatterSubsystem &matter,
                         const SimTK::State &state, const char *path, ksSimbody **adapter);

/** Call this right before a step. @return KS_OK, KS_ERROR_BAD_ARGUMENT, KS_ERROR_NO_MEMORY,
 *  KS_ERROR_ENGINE (Simbody has thrown) */
ksStatus ksSimbodyBegin(ksSimbody *adapter, const SimTK::State &state);

/** Call this right after the step.
 *  @return KS_OK, KS_ERROR_BAD_ARGUMENT (also: time did not advance), KS_ERROR_BRACKET (no
 *          ksSimbodyBegin before), KS_ERROR_NO_MEMORY, KS_ERROR_NOT_FINITE, KS_ERROR_ENGINE
 *          (Simbody has thrown), and the errors of ksRecordingBeginStep and ksRecordingEndStep. On
 *          error the step is not recorded */
ksStatus ksSimbodyEnd(ksSimbody *adapter, const SimTK::State &state);

/** The recording, which the adapter owns: ksRecordingInspect judges each step in this process. It
 *  has the bodies of the matter, in the order of their indices.
 *  @return NULL: there is no adapter */
ksRecording *ksSimbodyGetRecording(const ksSimbody *adapter);

/** Closes the file and frees the adapter, also on error. NULL is allowed. @return KS_OK,
 *  KS_ERROR_FILE */
ksStatus ksSimbodyClose(ksSimbody *adapter);

#endif
