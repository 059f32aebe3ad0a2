/* stops.c  Five machines that run into stops: see machines.h. */
#include "machines.h"

static void setStops(dJointID hinge, double low, double high)
{
    dJointSetHingeParam(hinge, dParamLoStop, low);
    dJointSetHingeParam(hinge, dParamHiStop, high);
}

Scene *truthStoppedSixBar(const SceneSurface *surface, double stepSize)
{
    const double reach = 0.3;
    Scene *scene = truthSixBar(surface, stepSize);
    if (!scene)
        return NULL;
    dJointSetHingeParam(scene->joint[0], dParamFMax, 0);
    setStops(scene->joint[6], -reach, reach);
    return scene;
}

Scene *truthStiffBridge(const SceneSurface *surface, double stepSize)
{
    enum { PLANKS = 8 };
    const double length = 0.5, sag = 0.15, bend = 0.02;
    (void)surface, (void)stepSize;
    Scene *scene = sceneCreate(PLANKS, PLANKS + 1);
    for (int i = 0; scene && i < PLANKS; i++) {
        const double x0 = i * length, x1 = x0 + length, all = PLANKS * length;
        const double z0 = -4 * sag * x0 * (all - x0) / (all * all), z1 = -4 * sag * x1 * (all - x1) / (all * all);
        dBodyID plank = truthBar(scene, i == 2 ? 40 : 12, x0, z0, x1, z1);
        dJointID hinge = truthPin(scene, plank, i ? scene->body[i - 1] : NULL, x0, z0);
        if (i)
            setStops(hinge, -bend, bend);
        if (i == PLANKS - 1)
            truthPin(scene, plank, NULL, x1, z1);
    }
    return scene;
}

Scene *truthSteering(const SceneSurface *surface, double stepSize)
{
    const double at[3] = {1, 0, 0}, side[3] = {0.1, 0.6, 0.6}, reach = 0.2;
    (void)surface, (void)stepSize;
    Scene *scene = sceneCreate(2, 2);
    if (!scene)
        return NULL;
    dBodyID arm = truthBar(scene, 4, 0, 0, 1, 0);
    truthPin(scene, arm, NULL, 0, 0);
    dBodyID wheel = sceneAddBox(scene, 6, 1.2, 0.1, 0, side);
    dJointID steer = sceneAddJoint(scene, dJointCreateHinge2(scene->world, NULL), arm, wheel);
    dJointSetHinge2Anchor(steer, at[0], at[1], at[2]);
    const dReal axis1[4] = {0, 0, 1, 0}, axis2[4] = {0, 1, 0, 0};
    dJointSetHinge2Axes(steer, axis1, axis2);
    dJointSetHinge2Param(steer, dParamLoStop, -reach);
    dJointSetHinge2Param(steer, dParamHiStop, reach);
    dBodySetAngularVel(wheel, 0, 5, 2);
    return scene;
}

Scene *truthStoppedCranks(const SceneSurface *surface, double stepSize)
{
    const double reach = 0.5;
    (void)surface, (void)stepSize;
    Scene *scene = sceneParallelCranks(2, 1);
    if (!scene)
        return NULL;
    for (int j = 0; j < scene->jointCount; j++)
        if (!dJointGetBody(scene->joint[j], 0) || !dJointGetBody(scene->joint[j], 1))
            setStops(scene->joint[j], -reach, reach);
    return scene;
}

Scene *truthFallingFlail(const SceneSurface *surface, double stepSize)
{
    const double height = 1, reach = 0.4;
    (void)stepSize;
    Scene *scene = sceneCreateOnGround(2, 2, 0, surface);
    if (!scene)
        return NULL;
    dBodyID arm = truthBar(scene, 5, 0, height, 1, height);
    setStops(truthPin(scene, arm, NULL, 0, height), -1.2, 1.2);
    dBodyID flail = sceneAddSolidBox(scene, 3, 1.3, 0, height, (const double[3]){0.6, 0.1, 0.1});
    setStops(truthPin(scene, flail, arm, 1, height), -reach, reach);
    return scene;
}
