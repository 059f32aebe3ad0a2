/* ground.c  The ground, its surface and contacts, and motors that follow a pose or a gait. */
#include "scenes_private.h"

#include <math.h>
#include <stdlib.h>

enum { MAX_CONTACTS = 8 };
static const double gain = 10; /* 1/s, a motor's velocity by its angle error */

const SceneSurface sceneSurface[SURFACE_COUNT] = {
    [SURFACE_APPROX1] = {.name = "approx1", .mode = dContactApprox1, .mu = 0.8},
    [SURFACE_CONSTANT] = {.name = "constant", .mu = 1000},
    [SURFACE_INFINITE] = {.name = "infinite", .mu = dInfinity},
    [SURFACE_SOFT] = {.name = "soft",
                      .mode = dContactApprox1 | dContactSoftERP | dContactSoftCFM,
                      .mu = 0.8,
                      .softErp = 0.3,
                      .softCfm = 1e-5},
    [SURFACE_BOUNCE] =
        {.name = "bounce", .mode = dContactApprox1 | dContactBounce, .mu = 0.8, .bounce = 0.5, .bounceVelocity = 0.1},
};

SceneSpring sceneSpring(double h, double k, double d)
{
    return (SceneSpring){h * k / (h * k + d), 1 / (h * k + d)};
}

static void touch(void *data, dGeomID a, dGeomID b)
{
    Scene *scene = data;
    const SceneSurface *surface = &scene->ground->surface;
    dBodyID first = dGeomGetBody(a), second = dGeomGetBody(b);
    if ((!first && !second) || (first && second && dAreConnectedExcluding(first, second, dJointTypeContact)))
        return;
    dContact contact[MAX_CONTACTS];
    int count = dCollide(a, b, MAX_CONTACTS, &contact[0].geom, sizeof(dContact));
    for (int i = 0; i < count; i++) {
        contact[i].surface = (dSurfaceParameters){.mode = surface->mode,
                                                  .mu = surface->mu,
                                                  .bounce = surface->bounce,
                                                  .bounce_vel = surface->bounceVelocity,
                                                  .soft_erp = surface->softErp,
                                                  .soft_cfm = surface->softCfm};
        dJointAttach(dJointCreateContact(scene->world, scene->contacts, &contact[i]), first, second);
        scene->contactCount++;
    }
}

static void follow(const SceneDrive *drive, double rate, double time)
{
    double angle = rate * time + drive->phase;
    double target = drive->mean + drive->amplitude * sin(angle), targetRate = drive->amplitude * rate * cos(angle);
    switch (dJointGetType(drive->joint)) {
    case dJointTypeHinge2:
        dJointSetHinge2Param(drive->joint, dParamVel,
                             targetRate + gain * (target - dJointGetHinge2Angle1(drive->joint)));
        break;
    case dJointTypeSlider:
        dJointSetSliderParam(drive->joint, dParamVel,
                             targetRate + gain * (target - dJointGetSliderPosition(drive->joint)));
        break;
    case dJointTypePU:
        dJointSetPUParam(drive->joint, dParamVel3, targetRate + gain * (target - dJointGetPUPosition(drive->joint)));
        break;
    default:
        dJointSetHingeParam(drive->joint, dParamVel, targetRate + gain * (target - dJointGetHingeAngle(drive->joint)));
    }
}

static void driveAndTouch(Scene *scene)
{
    const SceneGround *ground = scene->ground;
    for (int i = 0; i < ground->driveCount; i++)
        follow(&ground->drive[i], 2 * M_PI * ground->frequency, (double)scene->step * ground->stepSize);
    dSpaceCollide(scene->space, scene, touch);
}

Scene *sceneCreateOnGround(int bodyRoom, int jointRoom, int driveRoom, const SceneSurface *surface)
{
    Scene *scene = sceneCreate(bodyRoom, jointRoom);
    if (!scene)
        return NULL;
    scene->ground = calloc(1, sizeof *scene->ground + (size_t)driveRoom * sizeof(SceneDrive));
    if (!scene->ground) {
        sceneDestroy(scene);
        return NULL;
    }
    scene->ground->surface = *surface;
    scene->space = dHashSpaceCreate(NULL);
    scene->contacts = dJointGroupCreate(0);
    scene->beforeStep = driveAndTouch;
    dCreatePlane(scene->space, 0, 0, 1, 0);
    return scene;
}

dBodyID sceneAddSolidBox(Scene *scene, double mass, double x, double y, double z, const double side[3])
{
    dBodyID body = sceneAddBox(scene, mass, x, y, z, side);
    if (scene->space)
        dGeomSetBody(dCreateBox(scene->space, side[0], side[1], side[2]), body);
    return body;
}

dBodyID sceneAddSolidBall(Scene *scene, double mass, double radius, double x, double y, double z)
{
    dBodyID body = sceneAddSphere(scene, mass, radius, x, y, z);
    if (scene->space)
        dGeomSetBody(dCreateSphere(scene->space, radius), body);
    return body;
}

void sceneAddDrive(Scene *scene, double torque, SceneDrive drive)
{
    switch (dJointGetType(drive.joint)) {
    case dJointTypeHinge2:
        dJointSetHinge2Param(drive.joint, dParamFMax, torque);
        break;
    case dJointTypeSlider:
        dJointSetSliderParam(drive.joint, dParamFMax, torque);
        break;
    case dJointTypePU:
        dJointSetPUParam(drive.joint, dParamFMax3, torque);
        break;
    default:
        dJointSetHingeParam(drive.joint, dParamFMax, torque);
    }
    scene->ground->drive[scene->ground->driveCount++] = drive;
}
