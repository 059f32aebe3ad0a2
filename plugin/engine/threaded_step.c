/* threaded_step.c  Steps on a specified thread, and steps of this library's own worlds.
 *
 * Worlds without threading share the engine's, which serves one thread at a time: the host may use it on another thread. */
#include "engine.h"

/* Is there only under the command, in its wrapper: more, or fewer, steps and new worlds that are none of the program's. */
__attribute__((weak)) void kinetostatOwnSteps(int more);

/* Likewise: a step of the program's world begins in which other forces stand for the joints. It cannot be recorded. NULL: it has ended. */
__attribute__((weak)) void kinetostatExactStep(dWorldID world, dReal h);

static void announce(int more)
{
    if (kinetostatOwnSteps)
        kinetostatOwnSteps(more);
}

dWorldID ksiMakeOwnWorld(void)
{
    announce(1);
    const dWorldID world = dWorldCreate();
    announce(-1);
    return world;
}

int ksiStepAlone(dWorldID world, ksStepper stepper, dReal h)
{
    dThreadingImplementationID own = dThreadingAllocateSelfThreadedImplementation();
    if (!own)
        return 0;
    dWorldSetStepThreadingImplementation(world, dThreadingImplementationGetFunctions(own), own);
    const int stepped = (stepper == KS_QUICK_STEP ? dWorldQuickStep : dWorldStep)(world, h);
    dWorldSetStepThreadingImplementation(world, NULL, NULL);
    dThreadingFreeImplementation(own);
    return stepped;
}

int ksiStepOwn(dWorldID world, ksStepper stepper, dReal h)
{
    announce(1);
    const int stepped = ksiStepAlone(world, stepper, h);
    announce(-1);
    return stepped;
}

void ksiBeginExact(dWorldID world, dReal h)
{
    if (kinetostatExactStep)
        kinetostatExactStep(world, h);
    announce(1);
}

void ksiEndExact(void)
{
    announce(-1);
    if (kinetostatExactStep)
        kinetostatExactStep(NULL, 0);
}
