/* drift.c  The machines by name, with the undetermined dimensions of their joints. */
#include "drift_private.h"

#include <stddef.h>
#include <string.h>

static int none(const Scene *scene, int joint)
{
    (void)scene, (void)joint;
    return 0;
}

static int one(const Scene *scene, int joint)
{
    (void)scene, (void)joint;
    return 1;
}

/* The planks' edges are hinges made of two balls each. In a chain of parallel hinges between two
 * ends, a force along the axis and couples across it are undetermined; the two balls of an edge add
 * another force along it. The loops of excavator and engine are plane. */
static int three(const Scene *scene, int joint)
{
    (void)scene, (void)joint;
    return 3;
}

const DriftScene driftScenes[] = {
    {"turntable", 0, 0, 0.2, 2, driftTurntable, none, driftTurntableForce},
    {"swing", 0, 0, 0.2, 2, driftSwing, none, NULL},
    {"plank-bridge", 0, 0, 0.2, 2, driftPlankBridge, three, NULL},
    {"suspension-bridge", 0, 0, 0.2, 2, driftSuspensionBridge, none, NULL},
    {"net", 0, 0, 0.2, 2, driftNet, none, NULL},
    {"crane", 0, 0, 0.2, 2, driftCrane, none, NULL},
    {"excavator", 0, 1, 0.2, 2.2, driftExcavator, three, NULL},
    {"gripper", 1, 1, 0.2, 2.2, driftGripper, driftGripperFree, NULL},
    {"sarrus", 0, 0, 0, 2, driftSarrus, one, NULL},
    {"humanoid", 1, 0, 0.2, 2.2, driftHumanoid, none, NULL},
    {"humanoid-falls", 1, 0, 0.2, 2.2, driftFallingHumanoid, none, NULL},
    {"rover", 1, 0, 0.4, 3, driftRover, none, NULL},
    {"trebuchet", 0, 0, 0.1, 1.5, driftTrebuchet, none, NULL},
    {"hoist", 0, 0, 0.2, 2, driftHoist, none, NULL},
    {"shaken-base", 0, 0, 0.2, 2, driftShakenBase, none, NULL},
    {"tracks", 1, 1, 0.4, 1.4, driftTracks, driftTracksFree, NULL},
    {"stewart", 0, 0, 0.2, 2, driftStewart, none, NULL},
    {"stewart-pu", 0, 0, 0.2, 2, driftStewartPU, none, NULL},
    {"delta", 0, 0, 0.2, 2, driftDelta, none, NULL},
    {"engine", 0, 1, 0.2, 1.2, driftEngine, three, NULL},
    {"carousel", 0, 0, 0.2, 2, driftCarousel, none, driftCarouselForce},
    {"conical-pendulum", 0, 0, 0.2, 2, driftConicalPendulum, none, driftConicalPendulumForce},
    {"governor", 0, 0, 0.2, 2, driftGovernor, NULL, driftGovernorForce},
    {"hanging-chain", 0, 0, 0.2, 2, driftHangingChain, none, driftHangingChainForce},
    {"swinging-chain", 0, 0, 0.2, 2, driftSwingingChain, none, driftSwingingChainForce},
    {"pendulum", 0, 0, 0.2, 2, driftPendulum, none, driftPendulumForce},
    {"turning-arm", 0, 0, 0.2, 2, driftTurningArm, none, driftTurningArmForce},
    {0},
};

const DriftScene *driftScene(const char *name)
{
    for (const DriftScene *scene = driftScenes; scene->name; scene++)
        if (!strcmp(scene->name, name))
            return scene;
    return NULL;
}
