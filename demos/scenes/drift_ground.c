/* drift_ground.c  Machines on the ground with many joints in a row: a humanoid and a rover. */
#include "drift_private.h"

#include <math.h>

static const double xAxis[3] = {1, 0, 0}, yAxis[3] = {0, 1, 0}, zAxis[3] = {0, 0, 1};

/* --- humanoid */

/* The drives of its hinges. */
typedef struct Gait {
    double torque, stride; /* N.m, 0: none; rad */
} Gait;

/* A part on a driven hinge at `at`. */
static dBodyID addPart(Scene *scene, const Gait *gait, dBodyID before, double mass, const double at[3],
                       const double centre[3], const double side[3], const double axis[3], SceneDrive drive)
{
    dBodyID part = sceneAddSolidBox(scene, mass, centre[0], centre[1], centre[2], side);
    drive.joint = sceneAddHinge(scene, part, before, at, axis);
    drive.amplitude *= gait->stride;
    drive.mean *= gait->stride;
    if (gait->torque > 0)
        sceneAddDrive(scene, gait->torque, drive);
    else if (drive.amplitude != 0 || drive.mean != 0) {
        dJointSetHingeParam(drive.joint, dParamLoStop, -1.5);
        dJointSetHingeParam(drive.joint, dParamHiStop, 1.5);
    }
    return part;
}

/* Hip (roll, then pitch), knee, ankle, toes. */
static void addLeg(Scene *scene, const Gait *gait, double y, double phase)
{
    const double hip = 0.92, knee = 0.5, ankle = 0.08;
    const SceneDrive still = {0}, swing = {.amplitude = 1, .phase = phase};
    const SceneDrive bend = {.mean = 1, .amplitude = 1, .phase = phase - 0.5 * M_PI};
    const SceneDrive level = {.mean = -1, .amplitude = sqrt(2), .phase = phase + 0.75 * M_PI};
    dBodyID part = scene->body[0];
    part = addPart(scene, gait, part, 1.5, (const double[3]){0, y, hip}, (const double[3]){0, y, hip - 0.02},
                   (const double[3]){0.1, 0.1, 0.04}, xAxis, still);
    part = addPart(scene, gait, part, 7, (const double[3]){0, y, hip - 0.04}, (const double[3]){0, y, 0.69},
                   (const double[3]){0.13, 0.13, 0.36}, yAxis, swing);
    part = addPart(scene, gait, part, 3.5, (const double[3]){0, y, knee}, (const double[3]){0, y, 0.29},
                   (const double[3]){0.1, 0.1, 0.36}, yAxis, bend);
    part = addPart(scene, gait, part, 0.9, (const double[3]){0, y, ankle}, (const double[3]){0.03, y, 0.031},
                   (const double[3]){0.18, 0.12, 0.06}, yAxis, level);
    addPart(scene, gait, part, 0.3, (const double[3]){0.12, y, 0.031}, (const double[3]){0.17, y, 0.031},
            (const double[3]){0.09, 0.12, 0.06}, yAxis, still);
}

/* Collar bone, shoulder, elbow, roll of the forearm, wrist. */
static void addArm(Scene *scene, const Gait *gait, double side, double phase)
{
    const double shoulder = 1.45, elbow = 1.17, wrist = 0.92, y = 0.25 * side;
    const SceneDrive still = {0}, swing = {.amplitude = 0.5, .phase = phase};
    dBodyID part = scene->body[2];
    part = addPart(scene, gait, part, 1, (const double[3]){0, 0.1 * side, shoulder},
                   (const double[3]){0, 0.17 * side, shoulder}, (const double[3]){0.05, 0.12, 0.05}, zAxis, still);
    dBodyID upper = sceneAddSolidBox(scene, 2.2, 0, y, 0.5 * (shoulder + elbow), (const double[3]){0.08, 0.08, 0.26});
    sceneAddBall(scene, upper, part, (const double[3]){0, y, shoulder});
    part = addPart(scene, gait, upper, 0.8, (const double[3]){0, y, elbow}, (const double[3]){0, y, elbow - 0.06},
                   (const double[3]){0.07, 0.07, 0.1}, yAxis, swing);
    part = addPart(scene, gait, part, 0.6, (const double[3]){0, y, elbow - 0.12}, (const double[3]){0, y, wrist + 0.06},
                   (const double[3]){0.06, 0.06, 0.11}, zAxis, still);
    dBodyID hand = sceneAddSolidBox(scene, 0.5, 0, y, wrist - 0.08, (const double[3]){0.08, 0.03, 0.15});
    sceneAddUniversal(scene, hand, part, (const double[3]){0, y, wrist}, xAxis, yAxis);
}

static Scene *addHumanoid(const SceneSurface *surface, double stepSize, const Gait *gait)
{
    const SceneDrive still = {0};
    Scene *scene = sceneCreateOnGround(25, 24, 24, surface);
    if (!scene)
        return NULL;
    scene->ground->frequency = 1;
    scene->ground->stepSize = stepSize;
    dBodyID pelvis = sceneAddSolidBox(scene, 9, 0, 0, 0.99, (const double[3]){0.18, 0.3, 0.14});
    dBodyID belly = addPart(scene, gait, pelvis, 7, (const double[3]){0, 0, 1.07}, (const double[3]){0, 0, 1.14},
                            (const double[3]){0.17, 0.26, 0.13}, xAxis, still);
    dBodyID chest = addPart(scene, gait, belly, 16, (const double[3]){0, 0, 1.21}, (const double[3]){0, 0, 1.36},
                            (const double[3]){0.2, 0.3, 0.28}, yAxis, still);
    dBodyID neck = addPart(scene, gait, chest, 1, (const double[3]){0, 0, 1.51}, (const double[3]){0, 0, 1.55},
                           (const double[3]){0.1, 0.1, 0.07}, yAxis, still);
    addPart(scene, gait, neck, 4.5, (const double[3]){0, 0, 1.59}, (const double[3]){0, 0, 1.7},
            (const double[3]){0.18, 0.15, 0.22}, zAxis, still);
    for (int side = -1; side <= 1; side += 2) {
        addLeg(scene, gait, 0.1 * side, side > 0 ? M_PI : 0);
        addArm(scene, gait, side, side > 0 ? 0 : M_PI);
    }
    return scene;
}

Scene *driftHumanoid(const SceneSurface *surface, double stepSize)
{
    return addHumanoid(surface, stepSize, &(const Gait){.torque = 150, .stride = 0.06});
}

Scene *driftFallingHumanoid(const SceneSurface *surface, double stepSize)
{
    Scene *scene = addHumanoid(surface, stepSize, &(const Gait){.stride = 1});
    for (int i = 0; scene && i < scene->bodyCount; i++)
        dBodySetLinearVel(scene->body[i], 1.5 * dBodyGetPosition(scene->body[i])[2], 0.2, 0);
    return scene;
}

/* --- rover */

static const double wheelRadius = 0.15, roverSpeed = 0.5;

static void addWheel(Scene *scene, dBodyID leg, double x, double y)
{
    const double torque = 60;
    dBodyID wheel = sceneAddSolidBall(scene, 3, wheelRadius, x, y, wheelRadius);
    dJointID axle = sceneAddHinge(scene, wheel, leg, (const double[3]){x, y, wheelRadius}, yAxis);
    dJointSetHingeParam(axle, dParamVel, roverSpeed / wheelRadius);
    dJointSetHingeParam(axle, dParamFMax, torque);
}

/* A rocker on the chassis, a bogie behind it, and three wheels; a rod from the rocker's front to
 * the differential bar. */
static void addSide(Scene *scene, dBodyID chassis, dBodyID differential, double side)
{
    const double y = 0.4 * side, top = 0.45, knee = 0.3;
    const double hub[3] = {0, y, top}, front[3] = {0.5, y, wheelRadius}, rear[3] = {-0.3, y, knee};
    const double a[3] = {-0.05, y, wheelRadius}, b[3] = {-0.55, y, wheelRadius};
    const double horn[3] = {0.12, y, top + 0.15}, end[3] = {0.12, 0.3 * side, top + 0.25};
    dBodyID rocker = sceneAddBar(scene, 6, front, rear);
    sceneAddHinge(scene, rocker, chassis, hub, yAxis);
    dBodyID bogie = sceneAddBar(scene, 3, a, b);
    sceneAddHinge(scene, bogie, rocker, rear, yAxis);
    addWheel(scene, rocker, front[0], y);
    addWheel(scene, bogie, a[0], y);
    addWheel(scene, bogie, b[0], y);
    driftAddRod(scene, rocker, differential, horn, end);
}

Scene *driftRover(const SceneSurface *surface, double stepSize)
{
    enum { BUMPS = 5 };
    const double chassis[3] = {0.7, 0.5, 0.2}, bump = 0.06;
    (void)stepSize;
    Scene *scene = sceneCreateOnGround(12, 13, 0, surface);
    if (!scene)
        return NULL;
    dBodyID body = sceneAddBox(scene, 60, 0, 0, 0.55, chassis);
    dBodyID differential = sceneAddBar(scene, 2, (const double[3]){0.12, -0.3, 0.7}, (const double[3]){0.12, 0.3, 0.7});
    sceneAddHinge(scene, differential, body, (const double[3]){0.12, 0, 0.7}, xAxis);
    for (int side = -1; side <= 1; side += 2)
        addSide(scene, body, differential, side);
    for (int i = 0; i < BUMPS; i++) {
        dGeomID ridge = dCreateBox(scene->space, 0.2, 0.4, 2 * bump);
        dGeomSetPosition(ridge, 0.75 + 0.5 * i, i % 2 ? 0.4 : -0.4, 0);
    }
    for (int i = 0; i < scene->bodyCount; i++)
        dBodySetLinearVel(scene->body[i], roverSpeed, 0, 0);
    return scene;
}
