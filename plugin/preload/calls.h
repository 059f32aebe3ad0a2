/* calls.h  Functions of the engine that the wrapper stands for because their use may be a trap (../report/collect/traps.h). */
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
    X(dMassSetTrimeshTotal)

/* Where traps of this process are noted from now on; NULL: nowhere. */
void ksiWatchCalls(ksiPlace *place);

#endif
