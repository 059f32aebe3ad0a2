/* calls.h  Engine functions that the wrapper replaces to detect traps (traps.h). */
#ifndef KSI_PRELOAD_CALLS_H
#define KSI_PRELOAD_CALLS_H

#include "channel.h"

#define KSI_CALLS(X)                                                                                                   \
    X(dCollide)                                                                                                        \
    X(dJointCreateContact)                                                                                             \
    X(dJointAttach)                                                                                                    \
    X(dJointAddPistonForce)                                                                                            \
    X(dJointGetAMotorAngle)                                                                                            \
    X(dJointGetSliderPositionRate)                                                                                     \
    X(dJointGetPistonPositionRate)                                                                                     \
    X(dJointGetPRPositionRate)                                                                                         \
    X(dMassSetTrimesh)                                                                                                 \
    X(dMassSetTrimeshTotal)                                                                                            \
    X(dJointGetPUPositionRate)                                                                                         \
    X(dJointAddUniversalTorques)                                                                                       \
    X(dJointGetUniversalAngle2Rate)                                                                                    \
    X(dJointGetHinge2Angle2)                                                                                           \
    X(dJointGetTransmissionAngle1)                                                                                     \
    X(dJointGetTransmissionAngle2)                                                                                     \
    X(dJointSetLMotorParam)                                                                                            \
    X(dJointSetPlane2DXParam)                                                                                          \
    X(dJointSetPlane2DYParam)                                                                                          \
    X(dJointSetPlane2DAngleParam)                                                                                      \
    X(dJointSetHingeAxisOffset)                                                                                        \
    X(dJointSetSliderAxisDelta)                                                                                        \
    X(dJointSetUniversalAxis1Offset)                                                                                   \
    X(dJointSetUniversalAxis2Offset)                                                                                   \
    X(dWorldExportDIF)                                                                                                 \
    X(dWorldSetQuickStepW)

/* Sets the place that records the traps of this process; NULL: none. */
void ksiWatchCalls(ksiPlace *place);

#endif
