/* scenes_growing.c  Scenes of any size: trees, loops, a star, ragdolls. What an inspected step costs is measured on them. */
#include "scenes_private.h"

#include <math.h>

static const double xAxis[3] = {1, 0, 0}, yAxis[3] = {0, 1, 0}, zAxis[3] = {0, 0, 1};

static dJointID addBall(Scene *scene, dBodyID first, dBodyID second, const double anchor[3])
{
    dJointID ball = sceneAddJoint(scene, dJointCreateBall(scene->world, NULL), first, second);
    dJointSetBallAnchor(ball, anchor[0], anchor[1], anchor[2]);
    return ball;
}

static dJointID addUniversal(Scene *scene, dBodyID first, dBodyID second, const double anchor[3],
                             const double axisOfFirst[3], const double axisOfSecond[3])
{
    dJointID universal = sceneAddJoint(scene, dJointCreateUniversal(scene->world, NULL), first, second);
    dJointSetUniversalAnchor(universal, anchor[0], anchor[1], anchor[2]);
    // in this order: the engine complains when axis 1 comes to lie on the axis 2 that it had
    dJointSetUniversalAxis2(universal, axisOfSecond[0], axisOfSecond[1], axisOfSecond[2]);
    dJointSetUniversalAxis1(universal, axisOfFirst[0], axisOfFirst[1], axisOfFirst[2]);
    return universal;
}

/* A bar of 1 kg between two points, not one above the other; its length along the body's x axis. */
static dBodyID addBar(Scene *scene, const double from[3], const double to[3])
{
    const double thickness = 0.04;
    double along[3], middle[3], length = 0;
    for (int i = 0; i < 3; i++) {
        along[i] = to[i] - from[i];
        middle[i] = 0.5 * (from[i] + to[i]);
        length += along[i] * along[i];
    }
    length = sqrt(length);
    dBodyID bar =
        sceneAddBox(scene, 1, middle[0], middle[1], middle[2], (const double[3]){length, thickness, thickness});
    dMatrix3 rotation;
    dRFrom2Axes(rotation, along[0], along[1], along[2], -along[1], along[0], 0);
    dBodySetRotation(bar, rotation);
    return bar;
}

Scene *sceneTree(int bodies)
{
    const double length = 0.2, spread = 0.5;
    Scene *scene = sceneCreate(bodies, bodies);
    if (!scene)
        return NULL;
    dVector3 near = {0, 0, 0}, far = {length, 0, 0};
    addBall(scene, addBar(scene, near, far), NULL, near);
    for (int i = 1; i < bodies; i++) {
        int level = 0;
        for (int k = i + 1; k > 1; k /= 2)
            level++;
        // both branches turn away from their parent, about its y and z axis in turn
        dBodyID parent = scene->body[(i - 1) / 2];
        double along = length * cos(spread), across = i % 2 ? length * sin(spread) : -length * sin(spread);
        dBodyGetRelPointPos(parent, 0.5 * length, 0, 0, near);
        dBodyGetRelPointPos(parent, 0.5 * length + along, level % 2 ? 0 : across, level % 2 ? across : 0, far);
        addBall(scene, addBar(scene, near, far), parent, near);
    }
    return scene;
}

/* Cranks hang from the world 1 m apart along x, couplers join the tips of neighbours. */
static void addRowOfLoops(Scene *scene, int loops, double y, SceneCoupler kind)
{
    const double angle = 0.7, sway = sin(angle), depth = cos(angle);
    dBodyID before = NULL;
    for (int i = 0; i <= loops; i++) {
        const double base[3] = {i, y, 0}, tip[3] = {i + sway, y, -depth}, tipBefore[3] = {i - 1 + sway, y, -depth};
        dBodyID crank = addBar(scene, base, tip);
        sceneAddHinge(scene, crank, NULL, base, yAxis);
        if (i > 0) {
            dBodyID coupler = addBar(scene, tipBefore, tip);
            if (kind == COUPLER_HINGED) {
                sceneAddHinge(scene, coupler, before, tipBefore, yAxis);
                sceneAddHinge(scene, coupler, crank, tip, yAxis);
            } else {
                addBall(scene, coupler, before, tipBefore);
                addUniversal(scene, crank, coupler, tip, yAxis, zAxis);
            }
        }
        before = crank;
    }
}

Scene *sceneLoops(int rows, int loops, SceneCoupler kind)
{
    Scene *scene = sceneCreate(rows * (2 * loops + 1), rows * (3 * loops + 1));
    for (int i = 0; scene && i < rows; i++)
        addRowOfLoops(scene, loops, i, kind);
    return scene;
}

Scene *sceneStar(int arms)
{
    const double rim = 0.5, reach = 0.7;
    Scene *scene = sceneCreate(arms + 1, arms + 1);
    if (!scene)
        return NULL;
    dBodyID hub = sceneAddBox(scene, 10, 0, 0, 0, (const double[3]){2 * rim, 2 * rim, 0.1});
    addBall(scene, hub, NULL, (const double[3]){0, 0, 0});
    for (int i = 0; i < arms; i++) {
        double angle = 2 * M_PI * i / arms, c = cos(angle), s = sin(angle);
        const double near[3] = {rim * c, rim * s, 0}, far[3] = {reach * c, reach * s, 0}, tangent[3] = {-s, c, 0};
        sceneAddHinge(scene, addBar(scene, near, far), hub, near, tangent);
    }
    return scene;
}

/* Knee or elbow: bends one way, from straight. */
static void addBend(Scene *scene, dBodyID lower, dBodyID upper, const double anchor[3], const double axis[3])
{
    dJointID hinge = sceneAddHinge(scene, lower, upper, anchor, axis);
    dJointSetHingeParam(hinge, dParamLoStop, 0);
    dJointSetHingeParam(hinge, dParamHiStop, 2.4);
}

/* It stands upright, the arms stretched out along y, and hangs by its right hand. */
static void addRagdoll(Scene *scene, double x)
{
    const double waist[3] = {x, 0, 0}, throat[3] = {x, 0, 0.5};
    dBodyID pelvis = sceneAddBox(scene, 10, x, 0, -0.1, (const double[3]){0.2, 0.35, 0.2});
    dBodyID chest = sceneAddBox(scene, 20, x, 0, 0.25, (const double[3]){0.2, 0.4, 0.5});
    dBodyID head = sceneAddBox(scene, 5, x, 0, 0.65, (const double[3]){0.2, 0.2, 0.3});
    addBall(scene, chest, pelvis, waist);
    dJointID neck = addUniversal(scene, head, chest, throat, xAxis, yAxis);
    dJointSetUniversalParam(neck, dParamLoStop, -0.4);
    dJointSetUniversalParam(neck, dParamHiStop, 0.4);
    dJointSetUniversalParam(neck, dParamLoStop2, -0.6);
    dJointSetUniversalParam(neck, dParamHiStop2, 0.6);
    for (int side = -1; side <= 1; side += 2) {
        const double shoulder[3] = {x, 0.2 * side, 0.45}, elbow[3] = {x, 0.5 * side, 0.45},
                     hand[3] = {x, 0.8 * side, 0.45};
        dBodyID upperArm = sceneAddBox(scene, 2, x, 0.35 * side, 0.45, (const double[3]){0.08, 0.3, 0.08});
        dBodyID forearm = sceneAddBox(scene, 1.5, x, 0.65 * side, 0.45, (const double[3]){0.07, 0.3, 0.07});
        addBall(scene, upperArm, chest, shoulder);
        addBend(scene, forearm, upperArm, elbow, side > 0 ? zAxis : (const double[3]){0, 0, -1});
        if (side < 0)
            addBall(scene, forearm, NULL, hand);

        const double hip[3] = {x, 0.1 * side, -0.2}, knee[3] = {x, 0.1 * side, -0.6};
        dBodyID thigh = sceneAddBox(scene, 7, x, 0.1 * side, -0.4, (const double[3]){0.14, 0.14, 0.4});
        dBodyID shin = sceneAddBox(scene, 4, x, 0.1 * side, -0.8, (const double[3]){0.1, 0.1, 0.4});
        addUniversal(scene, thigh, pelvis, hip, xAxis, yAxis);
        addBend(scene, shin, thigh, knee, yAxis);
    }
}

Scene *sceneRagdolls(int count)
{
    Scene *scene = sceneCreate(11 * count, 11 * count);
    for (int i = 0; scene && i < count; i++)
        addRagdoll(scene, i);
    return scene;
}
