/* varied.c  A chain that touches something, and, if requested, changes something in step 50.
 *
 *     varied [force | pose | order | seed | iterations | threads]
 *
 * threads: from the first step on, the engine steps a net of balls with four threads, which share
 * its rows. */
#include "chain.h"

#include <stdio.h>
#include <string.h>

enum { LINKS = 6, STEPS = 100, OTHER = 50, NET = 10, THREADS = 4 };

static dWorldID world;
static dBodyID link[LINKS], net[NET][NET];
static dJointGroupID group;

static void touch(int i)
{
    const dReal *at = dBodyGetPosition(link[i]);
    dContact contact = {.surface = {.mode = dContactApprox1, .mu = 0.5}};
    contact.geom.depth = 0.001;
    // the chain moves in the plane y = 0
    contact.geom.pos[0] = at[0];
    contact.geom.pos[2] = at[2] - 0.025;
    contact.geom.normal[2] = 1;
    dJointAttach(dJointCreateContact(world, group, &contact), link[i], NULL);
}

static void hold(int i, int j, int k, int l)
{
    const dReal *a = dBodyGetPosition(net[i][j]), *b = dBodyGetPosition(net[k][l]);
    dJointID joint = dJointCreateBall(world, NULL);
    dJointAttach(joint, net[i][j], net[k][l]);
    dJointSetBallAnchor(joint, (a[0] + b[0]) / 2, (a[1] + b[1]) / 2, 1);
}

static void makeNet(void)
{
    for (int i = 0; i < NET; i++)
        for (int j = 0; j < NET; j++) {
            net[i][j] = dBodyCreate(world);
            dBodySetPosition(net[i][j], 0.3 * i, 0.3 * j, 1);
            if (i > 0)
                hold(i, j, i - 1, j);
            if (j > 0)
                hold(i, j, i, j - 1);
        }
}

static void useThreads(void)
{
    const dThreadingImplementationID many = dThreadingAllocateMultiThreadedImplementation();
    const dThreadingThreadPoolID pool = dThreadingAllocateThreadPool(THREADS, 0, dAllocateFlagBasicData, NULL);
    dThreadingThreadPoolServeMultiThreadedImplementation(pool, many);
    dWorldSetStepThreadingImplementation(world, dThreadingImplementationGetFunctions(many), many);
}

static void doOtherwise(const char *what)
{
    const dReal *at = dBodyGetPosition(link[1]);
    if (strcmp(what, "force") == 0)
        dBodyAddForce(link[2], 0, 0, 1);
    else if (strcmp(what, "pose") == 0)
        dBodySetPosition(link[1], at[0], at[1] + 1e-9, at[2]);
    else if (strcmp(what, "seed") == 0)
        dRandSetSeed(12345);
    else if (strcmp(what, "iterations") == 0)
        dWorldSetQuickStepNumIterations(world, 30);
}

int main(int count, char *argument[])
{
    const char *what = count > 1 ? argument[1] : "";
    dInitODE2(0);
    world = dWorldCreate();
    group = dJointGroupCreate(0);
    dWorldSetGravity(world, 0, 0, -9.81);
    for (int i = 0; i < LINKS; i++)
        addLink(world, link, i);
    if (strcmp(what, "threads") == 0) {
        useThreads();
        makeNet();
    }
    for (int step = 0; step < STEPS; step++) {
        const int isBackwards = step == OTHER && strcmp(what, "order") == 0;
        if (step == OTHER)
            doOtherwise(what);
        dJointGroupEmpty(group);
        for (int i = 0; i < LINKS; i++)
            touch(isBackwards ? LINKS - 1 - i : i);
        dWorldQuickStep(world, 0.005);
    }
    // worker threads run until the process ends
    return fflush(stdout);
}
