/* live.c  A program that runs in real time: a chain of links. A link is added after a second; a
 * second later the last link breaks off and is destroyed. It prints the final positions to the bit.
 * It starts when its input has a line, or ends.
 *
 *     live SECONDS */
#include <ode/ode.h>

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { LINKS = 5 };

static dJointID hang(dWorldID world, dSpaceID space, dBodyID body[], int i)
{
    dMass mass;
    body[i] = dBodyCreate(world);
    dMassSetBoxTotal(&mass, 1, 0.1, 0.1, 0.4);
    dBodySetMass(body[i], &mass);
    dGeomSetBody(dCreateBox(space, 0.1, 0.1, 0.4), body[i]);
    const dReal *above = i > 0 ? dBodyGetPosition(body[i - 1]) : NULL;
    dBodySetPosition(body[i], above ? above[0] + 0.5 : 0.5, above ? above[1] : 0, above ? above[2] : 3);
    const dJointID joint = dJointCreateBall(world, NULL);
    dJointAttach(joint, i > 0 ? body[i - 1] : NULL, body[i]);
    const dReal *place = dBodyGetPosition(body[i]);
    dJointSetBallAnchor(joint, place[0] - 0.25, place[1], place[2]);
    return joint;
}

static void takeAway(dJointID joint, dBodyID body)
{
    dJointDestroy(joint);
    dGeomDestroy(dBodyGetFirstGeom(body));
    dBodyDestroy(body);
}

int main(int count, char *argument[])
{
    const double h = 0.005;
    const int steps = (int)((count > 1 ? atof(argument[1]) : 3) / h);
    const struct timespec rest = {0, (long)(h * 1e9)};
    dBodyID body[LINKS];
    dInitODE2(0);
    const dWorldID world = dWorldCreate();
    const dSpaceID space = dSimpleSpaceCreate(NULL);
    dCreatePlane(space, 0, 0, 1, 0);
    dWorldSetGravity(world, 0, 0, -9.81);
    dJointID last = NULL;
    for (int i = 0; i < LINKS - 1; i++)
        last = hang(world, space, body, i);
    (void)getchar();
    for (int i = 0; i < steps; i++) {
        if (i == (int)(1 / h))
            last = hang(world, space, body, LINKS - 1);
        if (i == (int)(2 / h))
            takeAway(last, body[LINKS - 1]);
        dWorldQuickStep(world, h);
        nanosleep(&rest, NULL);
    }
    for (int i = 0; i < LINKS - 1; i++) {
        const dReal *place = dBodyGetPosition(body[i]);
        printf("%a %a %a\n", place[0], place[1], place[2]);
    }
    dSpaceDestroy(space);
    dWorldDestroy(world);
    dCloseODE();
    return 0;
}
