/* ragdoll.c  Ragdolls: hanging by a hand, and falling onto the ground. */
#include "scenes_private.h"

#include <math.h>

static const double xAxis[3] = {1, 0, 0}, yAxis[3] = {0, 1, 0}, zAxis[3] = {0, 0, 1};

/* Adds a knee or elbow: it bends one way, from straight. */
static void addBend(Scene *scene, dBodyID lower, dBodyID upper, const double anchor[3], const double axis[3])
{
    dJointID hinge = sceneAddHinge(scene, lower, upper, anchor, axis);
    dJointSetHingeParam(hinge, dParamLoStop, 0);
    dJointSetHingeParam(hinge, dParamHiStop, 2.4);
}

/* Adds stops to the Euler angles of a ball's first body relative to its second. */
static void addStops(Scene *scene, dBodyID first, dBodyID second, const double axisOfFirst[3],
                     const double axisOfSecond[3])
{
    static const int lowStop[3] = {dParamLoStop, dParamLoStop2, dParamLoStop3};
    static const int highStop[3] = {dParamHiStop, dParamHiStop2, dParamHiStop3};
    static const double range[3] = {0.8, 1, 0.8}; /* the middle angle is singular at pi / 2 */
    dJointID stops = sceneAddJoint(scene, dJointCreateAMotor(scene->world, NULL), first, second);
    dJointSetAMotorMode(stops, dAMotorEuler);
    dJointSetAMotorAxis(stops, 0, 1, axisOfFirst[0], axisOfFirst[1], axisOfFirst[2]);
    dJointSetAMotorAxis(stops, 2, 2, axisOfSecond[0], axisOfSecond[1], axisOfSecond[2]);
    for (int i = 0; i < 3; i++) {
        dJointSetAMotorParam(stops, lowStop[i], -range[i]);
        dJointSetAMotorParam(stops, highStop[i], range[i]);
    }
}

/* Adds a ragdoll that stands upright, the arms stretched out along y, its waist at z = 0. hung 1:
 * it hangs by its right hand. */
static void addRagdoll(Scene *scene, double x, int hung, SceneBalls balls)
{
    const double waist[3] = {x, 0, 0}, throat[3] = {x, 0, 0.5};
    dBodyID pelvis = sceneAddSolidBox(scene, 10, x, 0, -0.1, (const double[3]){0.2, 0.35, 0.2});
    dBodyID chest = sceneAddSolidBox(scene, 20, x, 0, 0.25, (const double[3]){0.2, 0.4, 0.5});
    dBodyID head = sceneAddSolidBox(scene, 5, x, 0, 0.65, (const double[3]){0.2, 0.2, 0.3});
    sceneAddBall(scene, chest, pelvis, waist);
    if (balls == BALLS_WITH_STOPS)
        addStops(scene, chest, pelvis, zAxis, xAxis);
    dJointID neck = sceneAddUniversal(scene, head, chest, throat, xAxis, yAxis);
    dJointSetUniversalParam(neck, dParamLoStop, -0.4);
    dJointSetUniversalParam(neck, dParamHiStop, 0.4);
    dJointSetUniversalParam(neck, dParamLoStop2, -0.6);
    dJointSetUniversalParam(neck, dParamHiStop2, 0.6);
    for (int side = -1; side <= 1; side += 2) {
        const double shoulder[3] = {x, 0.2 * side, 0.45}, elbow[3] = {x, 0.5 * side, 0.45},
                     hand[3] = {x, 0.8 * side, 0.45};
        dBodyID upperArm = sceneAddSolidBox(scene, 2, x, 0.35 * side, 0.45, (const double[3]){0.08, 0.3, 0.08});
        dBodyID forearm = sceneAddSolidBox(scene, 1.5, x, 0.65 * side, 0.45, (const double[3]){0.07, 0.3, 0.07});
        sceneAddBall(scene, upperArm, chest, shoulder);
        addBend(scene, forearm, upperArm, elbow, side > 0 ? zAxis : (const double[3]){0, 0, -1});
        if (balls == BALLS_WITH_STOPS)
            addStops(scene, upperArm, chest, yAxis, zAxis);
        if (hung && side < 0)
            sceneAddBall(scene, forearm, NULL, hand);

        const double hip[3] = {x, 0.1 * side, -0.2}, knee[3] = {x, 0.1 * side, -0.6};
        dBodyID thigh = sceneAddSolidBox(scene, 7, x, 0.1 * side, -0.4, (const double[3]){0.14, 0.14, 0.4});
        dBodyID shin = sceneAddSolidBox(scene, 4, x, 0.1 * side, -0.8, (const double[3]){0.1, 0.1, 0.4});
        sceneAddUniversal(scene, thigh, pelvis, hip, xAxis, yAxis);
        addBend(scene, shin, thigh, knee, yAxis);
    }
}

Scene *sceneRagdolls(int count)
{
    Scene *scene = sceneCreate(11 * count, 11 * count);
    for (int i = 0; scene && i < count; i++)
        addRagdoll(scene, i, 1, BALLS_FREE);
    return scene;
}

/* Rotates all bodies from `first` on about the origin, and moves them. */
static void place(Scene *scene, int first, const dMatrix3 rotation, const double offset[3])
{
    for (int i = first; i < scene->bodyCount; i++) {
        const dReal *x = dBodyGetPosition(scene->body[i]);
        double turned[3];
        sceneRotate(rotation, (const double[3]){x[0], x[1], x[2]}, turned);
        dBodySetPosition(scene->body[i], turned[0] + offset[0], turned[1] + offset[1], turned[2] + offset[2]);
        dBodySetRotation(scene->body[i], rotation);
    }
}

Scene *sceneFallingRagdolls(int count, SceneBalls balls, const SceneSurface *surface)
{
    const double height = 0.95, layer = 0.5, tilt = 0.9, shift = 0.2;
    Scene *scene = sceneCreateOnGround(RAGDOLL_BODIES * count, (balls == BALLS_FREE ? 10 : 13) * count, 0, surface);
    for (int i = 0; scene && i < count; i++) {
        dMatrix3 rotation;
        dRFromAxisAndAngle(rotation, 0, 1, 0, tilt);
        addRagdoll(scene, 0, 0, balls);
        place(scene, RAGDOLL_BODIES * i, rotation, (const double[3]){0, i % 2 ? shift : -shift, height + i * layer});
    }
    return scene;
}
