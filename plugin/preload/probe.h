/* probe.h  The half of the wrapper that knows the engine. It is a separate object, loaded at a
 * program's first step. It finds the engine's functions where the program has them. */
#ifndef KSI_PRELOAD_PROBE_H
#define KSI_PRELOAD_PROBE_H

#include "channel.h"

#define KSI_PROBE_SYMBOL "ksiProbe"

typedef int ksiEngineStep(dWorldID world, dReal stepSize);

typedef struct ksiProbeFunctions {
    /* Makes the step through `step`, records it, and returns its result. */
    int (*step)(dWorldID world, dReal stepSize, ksStepper stepper, ksiEngineStep *step);
    void (*stepExactly)(dWorldID world, dReal stepSize); /* begins a step that cannot be recorded;
                                                            NULL: it has ended */
    /* Call it before a world is destroyed or the process ends: counts the world if it has joints
     * and never stepped. missAll does this for each world, until `next` returns NULL. */
    void (*miss)(dWorldID world);
    void (*missAll)(dWorldID (*next)(void));
    void (*forget)(dWorldID world);  /* call it before the world is destroyed */
    void (*moveTo)(ksiPlace *place); /* call it after a fork with the new place in the channel, or
                                        NULL */
    /* Sets the name that the program gives a joint; NULL removes it. */
    void (*nameJoint)(dWorldID world, dJointID joint, const char *name);
    void (*noteAbort)(void); /* call it before an abort: checks the bodies of the world that this
                                thread, or else any thread, is stepping */
} ksiProbeFunctions;

/* Opens the probe. NULL: the reason is in `place`. */
typedef const ksiProbeFunctions *ksiProbeOpen(ksiChannel *channel, ksiPlace *place);

#endif
