/* module.c  A module that is linked with the engine, for late.c. */
#include <ode/ode.h>

int run(void);

int run(void)
{
    dInitODE2(0);
    dWorldID world = dWorldCreate();
    dBodyID body = dBodyCreate(world);
    dJointID joint = dJointCreateBall(world, NULL);
    dWorldSetGravity(world, 0, 0, -9.81);
    dJointAttach(joint, body, NULL);
    dJointSetBallAnchor(joint, 1, 0, 0);
    for (int i = 0; i < 25; i++)
        dWorldQuickStep(world, 0.01);
    dWorldDestroy(world);
    dCloseODE();
    return 0;
}
