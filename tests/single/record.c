/* record.c  A chain of four links, stepped by ODE in either precision, and recorded by
 * adapters/ode.c: record FILE. */
#include "adapters/ode.h"

#include <stdio.h>

enum { LINKS = 4, STEPS = 200 };

static int fail(const char *what)
{
    fprintf(stderr, "%s: %s\n", what, ksErrorMessage());
    return 1;
}

int main(int argc, char **argv)
{
    dBodyID body[LINKS];
    dJointID joint[LINKS];
    dMass mass;
    ksOde *adapter;
    dInitODE();
    const dWorldID world = dWorldCreate();
    dWorldSetGravity(world, 0, 0, (dReal)-9.81);
    dMassSetBoxTotal(&mass, 2, (dReal)0.5, (dReal)0.1, (dReal)0.1);
    for (int i = 0; i < LINKS; i++) {
        body[i] = dBodyCreate(world);
        dBodySetMass(body[i], &mass);
        dBodySetPosition(body[i], (dReal)(0.25 + 0.5 * i), 0, 0);
        joint[i] = dJointCreateHinge(world, 0);
        dJointAttach(joint[i], body[i], i > 0 ? body[i - 1] : NULL);
        dJointSetHingeAnchor(joint[i], (dReal)(0.5 * i), 0, 0);
        dJointSetHingeAxis(joint[i], 0, 1, 0);
    }
    if (argc != 2 || ksOdeCreate(world, body, LINKS, joint, LINKS, argv[1], &adapter))
        return fail("create");
    for (int i = 0; i < STEPS; i++) {
        if (ksOdeBegin(adapter, (dReal)0.005))
            return fail("begin");
        dWorldStep(world, (dReal)0.005);
        if (ksOdeEnd(adapter))
            return fail("end");
    }
    if (ksOdeClose(adapter))
        return fail("close");
    dWorldDestroy(world);
    dCloseODE();
    return 0;
}
