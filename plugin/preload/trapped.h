/* trapped.h  What the wrapped functions share: their caller's engine, and the traps that the
 * process has not met yet.
 *
 * The wrapped functions need only the C library, without libm, and the engine's public
 * functions. */
#ifndef KSI_PRELOAD_TRAPPED_H
#define KSI_PRELOAD_TRAPPED_H

#include "calls.h"

#include "../report/collect/traps.h"

#include <ode/ode.h>
#include <pthread.h>
#include <stdbool.h>

/* Engine functions that the checks call. */
#define KSI_ASKED(X)                                                                                                   \
    X(dCheckConfiguration)                                                                                             \
    X(dGeomGetClass)                                                                                                   \
    X(dGeomGetAABB)                                                                                                    \
    X(dGeomTriMeshGetTriangleCount)                                                                                    \
    X(dGeomTriMeshGetTriangle)                                                                                         \
    X(dJointGetBody)                                                                                                   \
    X(dJointGetType)                                                                                                   \
    X(dJointGetAMotorMode)                                                                                             \
    X(dJointGetHingeAngle)                                                                                             \
    X(dJointGetHinge2Angle2Rate)                                                                                       \
    X(dJointGetPistonAnchor2)                                                                                          \
    X(dJointGetPistonAxis)                                                                                             \
    X(dJointGetSliderAxis)                                                                                             \
    X(dJointGetSliderPosition)                                                                                         \
    X(dJointGetPRAxis1)                                                                                                \
    X(dJointGetPRAnchor)                                                                                               \
    X(dJointGetPUAxis3)                                                                                                \
    X(dJointGetPUAnchor)                                                                                               \
    X(dJointGetTransmissionAxis1)                                                                                      \
    X(dJointGetTransmissionAxis2)                                                                                      \
    X(dJointGetUniversalAngle1)                                                                                        \
    X(dJointGetUniversalAngle2)                                                                                        \
    X(dBodyGetMass)                                                                                                    \
    X(dBodyGetPosition)                                                                                                \
    X(dBodyGetLinearVel)                                                                                               \
    X(dBodyGetAngularVel)                                                                                              \
    X(dWorldGetContactMaxCorrectingVel)

#define KSI_PUBLIC __attribute__((visibility("default")))
#define KSI_MEMBER(name) __typeof__(name) *name;
#define KSI_STANDS(name) KSI_PUBLIC __typeof__(name) name;
KSI_CALLS(KSI_STANDS)

/* An engine's functions. Functions of KSI_CALLS may belong to another preloaded object, which calls
 * the engine. */
typedef struct ksiCallee {
    KSI_CALLS(KSI_MEMBER)
    KSI_ASKED(KSI_MEMBER)
} ksiCallee;

/* A calling address. Calls by the engine or by Kinetostat itself cause no traps. */
typedef struct ksiCaller {
    const void *at;
    const ksiCallee *engine;
    bool isProgram;
} ksiCaller;

/* The caller of the function that uses this macro. */
#define KSI_CALLER() ksiCallerAt(__builtin_return_address(0))
const ksiCaller *ksiCallerAt(const void *at);

/* Is the caller an inspected program that has not met this trap yet? */
bool ksiIsOpen(const ksiCaller *caller, int trap);
void ksiNoteTrap(int trap);

extern pthread_mutex_t ksiTrapLock; /* no process forks while it is held */

/* Least relative difference, and least speed in m/s or rad/s, that count. */
static const double ksiTrapShare = 0.01, ksiTrapSpeed = 1e-3;

static inline double ksiTrapDot(const dReal *a, const dReal *b)
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static inline double ksiTrapSize(double x)
{
    return x < 0 ? -x : x;
}

#endif
