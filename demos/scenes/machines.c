/* machines.c  Machines on the ground: a car, walkers, and an arm. */
#include "scenes_private.h"

#include <math.h>

static const double yAxis[3] = {0, 1, 0}, zAxis[3] = {0, 0, 1};

const Car sceneCar = {
    .speed = 5, .torque = 300, .suspensionErp = 0.4, .suspensionCfm = 5e-4, .bump = 0.1, .bumpPlace = 3};

const Arm sceneArm = {.task = ARM_PRESSES, .press = 0.01, .grip = 40, .load = 1};

/* --- car */

static const double wheelRadius = 0.35, halfBase = 1.3, halfTrack = 0.8, mostSteer = 0.5;

static void addWheel(Scene *scene, const Car *car, double x, double y)
{
    const double mass = 25, steerTorque = 500;
    dBodyID wheel = sceneAddSolidBall(scene, mass, wheelRadius, x, y, wheelRadius);
    dBodySetLinearVel(wheel, car->speed, 0, 0);
    dBodySetAngularVel(wheel, 0, car->speed / wheelRadius, 0);
    dJointID axle = sceneAddJoint(scene, dJointCreateHinge2(scene->world, NULL), scene->body[CAR_CHASSIS], wheel);
    dJointSetHinge2Anchor(axle, x, y, wheelRadius);
    dJointSetHinge2Axes(axle, (const dReal[3]){0, 0, 1}, (const dReal[3]){0, 1, 0});
    dJointSetHinge2Param(axle, dParamSuspensionERP, car->suspensionErp);
    dJointSetHinge2Param(axle, dParamSuspensionCFM, car->suspensionCfm);
    double stop = x > 0 ? mostSteer : 0;
    dJointSetHinge2Param(axle, dParamLoStop, -stop);
    dJointSetHinge2Param(axle, dParamHiStop, stop);
    if (x > 0) {
        sceneAddDrive(scene, steerTorque, (SceneDrive){axle, .mean = car->steer});
    } else {
        // the engine counts the chassis's rotation relative to the wheel as positive
        dJointSetHinge2Param(axle, dParamVel2, -car->speed / wheelRadius);
        dJointSetHinge2Param(axle, dParamFMax2, car->torque);
    }
}

Scene *sceneDrivingCar(const Car *car, const SceneSurface *surface)
{
    const double mass = 900, side[3] = {3.6, 1.4, 0.5}, height = 0.7, bumpRadius = 0.5, width = 4;
    Scene *scene = sceneCreateOnGround(CAR_BODIES, CAR_BODIES - 1, 2, surface);
    if (!scene)
        return NULL;
    dBodySetLinearVel(sceneAddSolidBox(scene, mass, 0, 0, height, side), car->speed, 0, 0);
    for (int i = 0; i < 4; i++)
        addWheel(scene, car, i < 2 ? halfBase : -halfBase, i % 2 ? halfTrack : -halfTrack);

    // most of the bump is below the ground
    dGeomID bump = dCreateCapsule(scene->space, bumpRadius, width);
    dMatrix3 across;
    dRFromAxisAndAngle(across, 1, 0, 0, M_PI / 2);
    dGeomSetRotation(bump, across);
    dGeomSetPosition(bump, car->bumpPlace, 0, car->bump - bumpRadius);
    return scene;
}

/* --- walkers */

static const double segment = 0.3, shinLength = 0.28, footHeight = 0.04; /* the shin leaves room
                                                                            above a foot */

/* Adds a part of a leg, on a driven hinge. */
static dBodyID addSegment(Scene *scene, dBodyID upper, double mass, const double top[3], const double centre[3],
                          const double side[3], double torque, SceneDrive drive)
{
    dBodyID body = sceneAddSolidBox(scene, mass, centre[0], centre[1], centre[2], side);
    drive.joint = sceneAddHinge(scene, body, upper, top, yAxis);
    sceneAddDrive(scene, torque, drive);
    return body;
}

static void addLeg(Scene *scene, const Walker *walker, double x, double y, double hip, double phase)
{
    const double torque = 100, a = walker->stride, knee = hip - segment, ankle = knee - segment;
    const double thigh[3] = {0.06, 0.06, segment}, shin[3] = {0.05, 0.05, shinLength};
    const double foot[3] = {0.3, 0.18, footHeight};
    const double at[3][3] = {{x, y, hip}, {x, y, knee}, {x, y, ankle}};
    // the knee bends while the hip swings forward (about -y); the ankle keeps the foot level
    dBodyID body = scene->body[0];
    body = addSegment(scene, body, 1, at[0], (const double[3]){x, y, hip - 0.5 * segment}, thigh, torque,
                      (SceneDrive){.amplitude = a, .phase = phase});
    body = addSegment(scene, body, 0.7, at[1], (const double[3]){x, y, knee - 0.5 * shinLength}, shin, torque,
                      (SceneDrive){.mean = a, .amplitude = a, .phase = phase - 0.5 * M_PI});
    if (walker->legs == 2)
        addSegment(scene, body, 1, at[2], (const double[3]){x, y, ankle - 0.5 * footHeight}, foot, torque,
                   (SceneDrive){.mean = -a, .amplitude = sqrt(2) * a, .phase = phase + 0.75 * M_PI});
}

Scene *sceneWalker(const Walker *walker, const SceneSurface *surface)
{
    const int feet = walker->legs == 2, pairs = walker->legs / 2, joints = (feet ? 3 : 2) * walker->legs;
    const double spacing = 0.4, halfWidth = feet ? 0.1 : 0.2, thickness = 0.15, gap = 1e-3;
    const double hip = segment + (feet ? segment + footHeight : shinLength) + gap;
    Scene *scene = sceneCreateOnGround(joints + 1, joints, joints, surface);
    if (!scene)
        return NULL;
    scene->ground->frequency = walker->frequency;
    scene->ground->stepSize = walker->stepSize;
    // narrower than the distance of its legs, which swing beside it
    const double side[3] = {spacing * pairs, 1.6 * halfWidth, thickness};
    sceneAddSolidBox(scene, 20, 0, 0, hip + 0.5 * thickness, side);
    for (int i = 0; i < walker->legs; i++) {
        int pair = i / 2, left = i % 2;
        addLeg(scene, walker, spacing * (pair - 0.5 * (pairs - 1)), left ? halfWidth : -halfWidth, hip,
               (pair + left) % 2 ? M_PI : 0);
    }
    return scene;
}

/* --- arm */

static const double tableTop = 0.5, reach = 0.8;

static dBodyID addLink(Scene *scene, dBodyID before, double mass, const double from[3], const double to[3],
                       const double axis[3], double torque, double target)
{
    dBodyID link = sceneAddBar(scene, mass, from, to);
    dJointID hinge = sceneAddHinge(scene, link, before, from, axis);
    sceneAddDrive(scene, torque, (SceneDrive){hinge, .mean = target});
    return link;
}

/* Adds fingers below the hand, a millimetre from the box that they grip. */
static void addFingers(Scene *scene, const Arm *arm, dBodyID hand, double top)
{
    const double finger[3] = {0.04, 0.02, 0.12}, box = 0.1, gap = 1e-3, speed = 0.1;
    for (int side = -1; side <= 1; side += 2) {
        dBodyID body = sceneAddSolidBox(scene, 0.2, reach, side * (0.5 * box + gap + 0.5 * finger[1]),
                                        top - 0.5 * finger[2], finger);
        dJointID slider = sceneAddJoint(scene, dJointCreateSlider(scene->world, NULL), body, hand);
        dJointSetSliderAxis(slider, 0, 1, 0);
        dJointSetSliderParam(slider, dParamVel, -side * speed);
        dJointSetSliderParam(slider, dParamFMax, arm->grip);
    }
    sceneAddSolidBox(scene, arm->load, reach, 0, top - 0.02 - 0.5 * box, (const double[3]){box, box, box});
}

Scene *sceneReachingArm(const Arm *arm, const SceneSurface *surface)
{
    const double hand[3] = {0.1, 0.1, 0.08}, handTop = tableTop + hand[2] + 1e-3;
    const double base[3] = {0, 0, 0}, shoulder[3] = {0, 0, 0.5}, elbow[3] = {0.3, 0, 0.9};
    const double roll[3] = {reach - 0.1, 0, 0.75}, pitch[3] = {reach, 0, 0.72}, wrist[3] = {reach, 0, handTop};
    const double forearm[3] = {pitch[0] - roll[0], 0, pitch[2] - roll[2]};
    const double down = arm->task == ARM_PRESSES ? arm->press / reach : 0;
    Scene *scene = sceneCreateOnGround(9, 8, ARM_HINGES, surface);
    if (!scene)
        return NULL;
    dBodyID link = addLink(scene, NULL, 10, base, shoulder, zAxis, 200, 0);
    link = addLink(scene, link, 5, shoulder, elbow, yAxis, 200, down);
    link = addLink(scene, link, 3, elbow, roll, yAxis, 100, 0);
    link = addLink(scene, link, 1, roll, pitch, forearm, 50, 0);
    link = addLink(scene, link, 1, pitch, wrist, yAxis, 50, 0);
    dBodyID last = sceneAddSolidBox(scene, 0.5, reach, 0, handTop - 0.5 * hand[2], hand);
    dJointID hinge = sceneAddHinge(scene, last, link, wrist, zAxis);
    sceneAddDrive(scene, 50, (SceneDrive){.joint = hinge});
    if (arm->task == ARM_HOLDS)
        addFingers(scene, arm, last, handTop - hand[2]);
    else
        dGeomSetPosition(dCreateBox(scene->space, 0.4, 0.4, tableTop), reach, 0, 0.5 * tableTop);
    return scene;
}
