/* own_step.c  Steps of worlds that belong to this library. */
#include "engine.h"

/* Is there only under the command, in its wrapper for the engine's steppers: more, or fewer, steps that are none of the program's. */
__attribute__((weak)) void kinetostatOwnSteps(int more);

static void announce(int more)
{
    if (kinetostatOwnSteps)
        kinetostatOwnSteps(more);
}

int ksiStepOwn(dWorldID world, ksStepper stepper, dReal h)
{
    announce(1);
    const int stepped = (stepper == KS_QUICK_STEP ? dWorldQuickStep : dWorldStep)(world, h);
    announce(-1);
    return stepped;
}
