/* probe.h  The half of the wrapper that knows the engine: an object of its own, loaded when a program makes its first step, which finds
 * the engine's functions where the program has them. */
#ifndef KSI_PRELOAD_PROBE_H
#define KSI_PRELOAD_PROBE_H

#include "channel.h"

#define KSI_PROBE_SYMBOL "ksiProbe"

typedef int ksiEngineStep(dWorldID world, dReal stepSize);

typedef struct ksiProbeFunctions {
    /* Makes the step by `step`, and records it. Returns what that does. */
    int (*step)(dWorldID world, dReal stepSize, ksStepper stepper, ksiEngineStep *step);
    void (*stepExactly)(dWorldID world, dReal stepSize); /* a step begins that cannot be recorded; NULL: it has ended */
    /* It is about to be destroyed, or its process ends: it counts if it has joints and was never stepped. All: until `next` returns NULL. */
    void (*miss)(dWorldID world);
    void (*missAll)(dWorldID (*next)(void));
    void (*forget)(dWorldID world);  /* it is about to be destroyed */
    void (*moveTo)(ksiPlace *place); /* after a fork: another place in the channel, or NULL */
    void (*nameJoint)(dWorldID world, dJointID joint, const char *name); /* by the program; NULL: no name any longer */
    void (*noteAbort)(
        void); /* the program is about to abort, on this thread: if it does in a step, its bodies are looked at */
} ksiProbeFunctions;

/* NULL: `place` says why not. */
typedef const ksiProbeFunctions *ksiProbeOpen(ksiChannel *channel, ksiPlace *place);

#endif
