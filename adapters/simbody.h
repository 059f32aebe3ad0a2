/** @file simbody.h  Steps of Simbody (3.7), as a recording for `kinetostat judge FILE`. Compile simbody.cpp with the program:
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
 *  The first stepTo of an integrator tells that an interval begins, and makes no step: call it before, or again.
 *
 *  The simulation is bitwise the same with and without: all is found in copies of the state. What is told of a step is of its begin:
 *    bodies    each mobilised body, in its mass centre and its own axes
 *    joints    Pin, Slider, Ball, Universal and Weld as hinge, slider, ball, universal and fixed; Free is none. Of other mobilisers the
 *              wrench is a known load: that of calcMobilizerReactionForces. A Constraint::Ball whose points are less than a millimetre
 *              apart in the state of ksSimbodyCreate is a ball; of other constraints the wrenches are known loads
 *    loads     rigid body forces of the system, gravity among them; mobility forces, in the freedoms of joints; what constraints apply
 *    motion    of the speeds u before and after the step, a = J (u' - u)/h + dJ/dt u, all at its begin. An integrator of first order makes
 *              u' of the accelerations there; one of higher order, of its own mean over the step
 *    report    calcMobilizerReactionForces without the mobility forces; of a Ball what its multipliers are */
#ifndef KINETOSTAT_ADAPTERS_SIMBODY_H
#define KINETOSTAT_ADAPTERS_SIMBODY_H

#include <kinetostat/recording.h>

#include <Simbody.h>

struct ksSimbody;

/** Makes the file, or writes over one that is there.
 *  @param      system   this and matter have to stay until ksSimbodyClose, with the bodies and mobilisers that they have now
 *  @param      state    realised to Stage::Model or later; joints are described in its pose
 *  @param      path     of the recording, HDF5; NULL: there is no file, and steps go to the inspector of ksSimbodyGetRecording alone
 *  @param[out] adapter  owned by the caller, who calls ksSimbodyClose
 *  @return KS_OK, KS_ERROR_BAD_ARGUMENT (also: a body without a mass, a mobiliser that is locked or follows a Motion), KS_ERROR_NO_MEMORY,
 *          KS_ERROR_ENGINE (Simbody has thrown), and what ksRecordingCreate, ksRecordingAddBody and ksRecordingAddJoint return */
ksStatus ksSimbodyCreate(const SimTK::MultibodySystem &system, const SimTK::SimbodyMatterSubsystem &matter,
                         const SimTK::State &state, const char *path, ksSimbody **adapter);

/** Right before a step. @return KS_OK, KS_ERROR_BAD_ARGUMENT, KS_ERROR_NO_MEMORY, KS_ERROR_ENGINE (Simbody has thrown) */
ksStatus ksSimbodyBegin(ksSimbody *adapter, const SimTK::State &state);

/** Right after it.
 *  @return KS_OK, KS_ERROR_BAD_ARGUMENT (also: time did not go on), KS_ERROR_BRACKET (no ksSimbodyBegin before), KS_ERROR_NO_MEMORY,
 *          KS_ERROR_NOT_FINITE, KS_ERROR_ENGINE (Simbody has thrown), and what ksRecordingBeginStep and ksRecordingEndStep return. The step is
 *          not in the recording then */
ksStatus ksSimbodyEnd(ksSimbody *adapter, const SimTK::State &state);

/** The recording, which the adapter owns: ksRecordingInspect judges each step in this process. Its bodies are those of the matter, in the order of their indices.
 *  @return NULL: there is no adapter */
ksRecording *ksSimbodyGetRecording(const ksSimbody *adapter);

/** Closes the file and frees the adapter, whatever it returns. NULL is fine. @return KS_OK, KS_ERROR_FILE */
ksStatus ksSimbodyClose(ksSimbody *adapter);

#endif
