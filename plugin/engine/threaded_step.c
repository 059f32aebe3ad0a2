/* threaded_step.c  Makes steps on the calling thread, and steps of worlds that belong to this
 * library.
 *
 * Worlds without threading share the engine's own threading, which serves one thread at a time. */
#include "engine.h"

/* Adds `more` to the number of this library's own steps in progress. Only the command's wrapper
 * defines this function. */
__attribute__((weak)) void kinetostatOwnSteps(int more);

/* Announces a step of `world` in which forces replace the joints, and which cannot be recorded;
 * NULL: the step has ended. Only the command's wrapper defines this function. */
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

void ksiSetThreading(dWorldID world, const dThreadingFunctionsInfo *functions,
                     dThreadingImplementationID implementation)
{
    if (dCheckConfiguration("ODE_EXT_threading"))
        dWorldSetStepThreadingImplementation(world, functions, implementation);
}

int ksiStepAlone(dWorldID world, ksStepper stepper, dReal h)
{
    dThreadingImplementationID own = dThreadingAllocateSelfThreadedImplementation();
    if (!own)
        return 0;
    ksiSetThreading(world, dThreadingImplementationGetFunctions(own), own);
    const int stepped = (stepper == KS_QUICK_STEP ? dWorldQuickStep : dWorldStep)(world, h);
    ksiSetThreading(world, NULL, NULL);
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
