/* catalogue.c  Machines on the ground and redundant ones, with the arguments that tests and benches
 * take. */
#include "scenes_private.h"

#include <stddef.h>

/* Some scenes do not depend on the step size, or have no contacts. */
#define UNUSED(argument) ((void)(argument))

static Scene *ragdoll(const SceneSurface *surface, double stepSize)
{
    UNUSED(stepSize);
    return sceneFallingRagdolls(1, BALLS_FREE, surface);
}

static Scene *ragdollWithStops(const SceneSurface *surface, double stepSize)
{
    UNUSED(stepSize);
    return sceneFallingRagdolls(1, BALLS_WITH_STOPS, surface);
}

static Scene *heap(const SceneSurface *surface, double stepSize)
{
    UNUSED(stepSize);
    return sceneFallingRagdolls(10, BALLS_FREE, surface);
}

static Scene *car(const SceneSurface *surface, double stepSize)
{
    UNUSED(stepSize);
    return sceneDrivingCar(&sceneCar, surface);
}

static Scene *biped(const SceneSurface *surface, double stepSize)
{
    return sceneWalker(&(const Walker){.legs = 2, .stride = 0.05, .frequency = 1, .stepSize = stepSize}, surface);
}

static Scene *quadruped(const SceneSurface *surface, double stepSize)
{
    return sceneWalker(&(const Walker){.legs = 4, .stride = 0.1, .frequency = 1, .stepSize = stepSize}, surface);
}

static Scene *hexapod(const SceneSurface *surface, double stepSize)
{
    return sceneWalker(&(const Walker){.legs = 6, .stride = 0.2, .frequency = 1, .stepSize = stepSize}, surface);
}

static Scene *standing(const SceneSurface *surface, double stepSize)
{
    return sceneWalker(&(const Walker){.legs = 4, .stepSize = stepSize}, surface);
}

static Scene *armPresses(const SceneSurface *surface, double stepSize)
{
    UNUSED(stepSize);
    return sceneReachingArm(&sceneArm, surface);
}

static Scene *armHolds(const SceneSurface *surface, double stepSize)
{
    UNUSED(stepSize);
    Arm arm = sceneArm;
    arm.task = ARM_HOLDS;
    return sceneReachingArm(&arm, surface);
}

static Scene *plank(const SceneSurface *surface, double stepSize)
{
    UNUSED(stepSize);
    return sceneStruckPlank(0.5, 20, surface);
}

static Scene *shortBridge(const SceneSurface *surface, double stepSize)
{
    UNUSED(stepSize);
    return sceneBridge(20, 4, surface);
}

static Scene *longBridge(const SceneSurface *surface, double stepSize)
{
    UNUSED(stepSize);
    return sceneBridge(60, 6, surface);
}

static Scene *fallingPair(const SceneSurface *surface, double stepSize)
{
    UNUSED(surface), UNUSED(stepSize);
    return sceneBracedPair(SCENE_FALLING);
}

static Scene *swingingPair(const SceneSurface *surface, double stepSize)
{
    UNUSED(surface), UNUSED(stepSize);
    return sceneBracedPair(SCENE_HANGING);
}

static Scene *wall(const SceneSurface *surface, double stepSize)
{
    UNUSED(surface), UNUSED(stepSize);
    return sceneWeldedWall(4, 3);
}

static Scene *bennett(const SceneSurface *surface, double stepSize)
{
    UNUSED(surface), UNUSED(stepSize);
    return sceneBennett(1);
}

static Scene *sarrus(const SceneSurface *surface, double stepSize)
{
    UNUSED(surface), UNUSED(stepSize);
    return sceneSarrus(1);
}

static Scene *cranks(const SceneSurface *surface, double stepSize)
{
    UNUSED(surface), UNUSED(stepSize);
    return sceneParallelCranks(3, 1);
}

/* A door that swings: the axis of its hinges leans. */
static Scene *door(const SceneSurface *surface, double stepSize)
{
    UNUSED(surface), UNUSED(stepSize);
    dMatrix3 lean;
    dRFromAxisAndAngle(lean, 1, 0, 0, 0.5);
    return sceneHeldTwice(SCENE_DOOR, lean);
}

const SceneKind sceneKind[] = {
    {"ragdoll", 1, ragdoll},
    {"ragdoll-stops", 1, ragdollWithStops},
    {"heap", 1, heap},
    {"car", 1, car},
    {"biped", 1, biped},
    {"quadruped", 1, quadruped},
    {"hexapod", 1, hexapod},
    {"standing", 1, standing},
    {"arm-presses", 1, armPresses},
    {"arm-holds", 1, armHolds},
    {"plank", 1, plank},
    {"bridge-20", 1, shortBridge},
    {"bridge-60", 1, longBridge},
    {"pair-falls", 0, fallingPair},
    {"pair-swings", 0, swingingPair},
    {"wall", 0, wall},
    {"bennett", 0, bennett},
    {"sarrus", 0, sarrus},
    {"cranks", 0, cranks},
    {"door", 0, door},
    {0},
};
