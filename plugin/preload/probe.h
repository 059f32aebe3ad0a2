/* probe.h  The half of the wrapper that knows the engine: an object of its own, loaded when a program makes its first step, which finds
 * the engine's functions where the program has them. */
#ifndef KSI_PROBE_H
#define KSI_PROBE_H

#include "channel.h"

#define KSI_PROBE_SYMBOL "ksiProbe"

typedef int ksiEngineStep(dWorldID world, dReal stepSize);

typedef struct ksiProbeFunctions {
    /* Makes the step by `step`, and records it. Returns what that does. */
    int (*step)(dWorldID world, dReal stepSize, ksStepper stepper, ksiEngineStep *step);
    void (*forget)(dWorldID world);  /* it is about to be destroyed */
    void (*moveTo)(ksiPlace *place); /* after a fork: another place in the channel, or NULL */
} ksiProbeFunctions;

/* NULL: `place` says why not. */
typedef const ksiProbeFunctions *ksiProbeOpen(ksiChannel *channel, ksiPlace *place);

#endif
