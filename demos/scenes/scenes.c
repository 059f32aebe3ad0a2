/* scenes.c  Shared by all scenes: life cycle, one step, and the copy of a state. */
#include "scenes_private.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

Scene *sceneCreate(int bodyRoom, int jointRoom)
{
    Scene *scene = calloc(1, sizeof *scene);
    if (!scene)
        return NULL;
    scene->body = calloc((size_t)bodyRoom, sizeof(dBodyID));
    scene->joint = calloc((size_t)jointRoom, sizeof(dJointID));
    if (!scene->body || !scene->joint) {
        sceneDestroy(scene);
        return NULL;
    }
    scene->world = dWorldCreate();
    dWorldSetGravity(scene->world, 0, 0, -SCENE_GRAVITY);
    return scene;
}

void sceneDestroy(Scene *scene)
{
    if (!scene)
        return;
    if (scene->contacts)
        dJointGroupDestroy(scene->contacts);
    if (scene->space)
        dSpaceDestroy(scene->space);
    if (scene->world)
        dWorldDestroy(scene->world);
    free(scene->body);
    free(scene->joint);
    free(scene->strings);
    free(scene->ground);
    free(scene);
}

static dBodyID addBody(Scene *scene, const dMass *mass, double x, double y, double z)
{
    dBodyID body = dBodyCreate(scene->world);
    dBodySetMass(body, mass);
    dBodySetPosition(body, x, y, z);
    scene->body[scene->bodyCount++] = body;
    return body;
}

dBodyID sceneAddBox(Scene *scene, double mass, double x, double y, double z, const double side[3])
{
    dMass m;
    dMassSetBoxTotal(&m, mass, side[0], side[1], side[2]);
    return addBody(scene, &m, x, y, z);
}

dBodyID sceneAddSphere(Scene *scene, double mass, double radius, double x, double y, double z)
{
    dMass m;
    dMassSetSphereTotal(&m, mass, radius);
    return addBody(scene, &m, x, y, z);
}

dGeomID sceneAddShape(Scene *scene, dBodyID body, const double side[3])
{
    if (!scene->space)
        scene->space = dSimpleSpaceCreate(NULL);
    dGeomID shape = dCreateBox(scene->space, side[0], side[1], side[2]);
    dGeomSetCategoryBits(shape, 0);
    dGeomSetCollideBits(shape, 0);
    if (body)
        dGeomSetBody(shape, body);
    return shape;
}

dJointID sceneAddJoint(Scene *scene, dJointID joint, dBodyID first, dBodyID second)
{
    dJointAttach(joint, first, second);
    scene->joint[scene->jointCount++] = joint;
    return joint;
}

dJointID sceneAddHinge(Scene *scene, dBodyID first, dBodyID second, const double anchor[3], const double axis[3])
{
    dJointID hinge = sceneAddJoint(scene, dJointCreateHinge(scene->world, NULL), first, second);
    dJointSetHingeAnchor(hinge, anchor[0], anchor[1], anchor[2]);
    dJointSetHingeAxis(hinge, axis[0], axis[1], axis[2]);
    return hinge;
}

dJointID sceneAddBall(Scene *scene, dBodyID first, dBodyID second, const double anchor[3])
{
    dJointID ball = sceneAddJoint(scene, dJointCreateBall(scene->world, NULL), first, second);
    dJointSetBallAnchor(ball, anchor[0], anchor[1], anchor[2]);
    return ball;
}

dJointID sceneAddUniversal(Scene *scene, dBodyID first, dBodyID second, const double anchor[3],
                           const double axisOfFirst[3], const double axisOfSecond[3])
{
    dJointID universal = sceneAddJoint(scene, dJointCreateUniversal(scene->world, NULL), first, second);
    dJointSetUniversalAnchor(universal, anchor[0], anchor[1], anchor[2]);
    // in this order: the engine warns if the new axis 1 is parallel to the old axis 2
    dJointSetUniversalAxis2(universal, axisOfSecond[0], axisOfSecond[1], axisOfSecond[2]);
    dJointSetUniversalAxis1(universal, axisOfFirst[0], axisOfFirst[1], axisOfFirst[2]);
    return universal;
}

dJointID sceneAddFixed(Scene *scene, dBodyID first, dBodyID second)
{
    dJointID fixed = sceneAddJoint(scene, dJointCreateFixed(scene->world, NULL), first, second);
    dJointSetFixed(fixed);
    return fixed;
}

dBodyID sceneAddBar(Scene *scene, double mass, const double from[3], const double to[3])
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
        sceneAddBox(scene, mass, middle[0], middle[1], middle[2], (const double[3]){length, thickness, thickness});
    int upright = along[0] == 0 && along[1] == 0;
    dMatrix3 rotation;
    dRFrom2Axes(rotation, along[0], along[1], along[2], -along[1], upright ? 1 : along[0], 0);
    dBodySetRotation(bar, rotation);
    return bar;
}

void sceneRotate(const dMatrix3 rotation, const double v[3], double out[3])
{
    for (int i = 0; i < 3; i++)
        out[i] = rotation[4 * i] * v[0] + rotation[4 * i + 1] * v[1] + rotation[4 * i + 2] * v[2];
}

void sceneRotateBack(const dMatrix3 rotation, const double v[3], double out[3])
{
    for (int i = 0; i < 3; i++)
        out[i] = rotation[i] * v[0] + rotation[4 + i] * v[1] + rotation[8 + i] * v[2];
}

void sceneBeforeStep(Scene *scene)
{
    scene->contactCount = 0;
    if (scene->beforeStep)
        scene->beforeStep(scene);
    if (scene->strings)
        sceneStringsBeforeStep(scene);
}

void sceneAfterStep(Scene *scene)
{
    if (scene->contacts)
        dJointGroupEmpty(scene->contacts);
    scene->step++;
}

void sceneStep(Scene *scene, SceneStepper *stepper, double stepSize)
{
    sceneBeforeStep(scene);
    stepper(scene->world, stepSize);
    sceneAfterStep(scene);
}

void sceneCopyState(Scene *to, const Scene *from)
{
    for (int i = 0; i < from->bodyCount && i < to->bodyCount; i++) {
        dBodyID a = from->body[i], b = to->body[i];
        const dReal *x = dBodyGetPosition(a), *v = dBodyGetLinearVel(a), *w = dBodyGetAngularVel(a);
        const dReal *f = dBodyGetForce(a), *t = dBodyGetTorque(a);
        dBodySetPosition(b, x[0], x[1], x[2]);
        dBodySetLinearVel(b, v[0], v[1], v[2]);
        dBodySetAngularVel(b, w[0], w[1], w[2]);
        dBodySetForce(b, f[0], f[1], f[2]);
        dBodySetTorque(b, t[0], t[1], t[2]);
        // the setter normalises again, which may change the last bit; the getters point to the
        // body's own storage
        dBodySetQuaternion(b, dBodyGetQuaternion(a));
        memcpy((void *)dBodyGetQuaternion(b), dBodyGetQuaternion(a), sizeof(dQuaternion));
        memcpy((void *)dBodyGetRotation(b), dBodyGetRotation(a), sizeof(dMatrix3));
        if (dBodyIsEnabled(a))
            dBodyEnable(b);
        else
            dBodyDisable(b);
    }
    to->step = from->step;
}

int sceneSameState(const Scene *a, const Scene *b)
{
    int same = a->bodyCount == b->bodyCount;
    for (int i = 0; same && i < a->bodyCount; i++) {
        dBodyID p = a->body[i], q = b->body[i];
        size_t three = 3 * sizeof(dReal);
        same = !memcmp(dBodyGetPosition(p), dBodyGetPosition(q), three) &&
               !memcmp(dBodyGetLinearVel(p), dBodyGetLinearVel(q), three) &&
               !memcmp(dBodyGetAngularVel(p), dBodyGetAngularVel(q), three) &&
               !memcmp(dBodyGetQuaternion(p), dBodyGetQuaternion(q), sizeof(dQuaternion));
    }
    return same;
}
