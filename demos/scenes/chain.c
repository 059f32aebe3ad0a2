/* chain.c  Scenes of statics: a chain of hinged links, and one body held twice. */
#include "scenes_private.h"

Scene *sceneChain(int links, ScenePose pose)
{
    const double length = 0.2, width = 0.04, yAxis[3] = {0, 1, 0};
    Scene *scene = sceneCreate(links, links);
    if (!scene)
        return NULL;
    for (int i = 0; i < links; i++) {
        double near = i * length, middle = near + 0.5 * length;
        dBodyID above = i ? scene->body[i - 1] : NULL, link;
        if (pose == SCENE_HANGING) {
            link = sceneAddBox(scene, 1, 0, 0, -middle, (const double[3]){width, width, length});
            sceneAddHinge(scene, link, above, (const double[3]){0, 0, -near}, yAxis);
        } else {
            link = sceneAddBox(scene, 1, middle, 0, 0, (const double[3]){length, width, width});
            sceneAddHinge(scene, link, above, (const double[3]){near, 0, 0}, yAxis);
        }
    }
    return scene;
}

static void holdByHinges(Scene *scene, const dMatrix3 rotation)
{
    // hinge line through the door's edge, 1.6 m between the hinges
    double anchor[3], axis[3];
    sceneRotate(rotation, (const double[3]){0, 0, 1}, axis);
    for (int side = -1; side <= 1; side += 2) {
        sceneRotate(rotation, (const double[3]){0, 0, 0.8 * side}, anchor);
        sceneAddHinge(scene, scene->body[0], NULL, anchor, axis);
    }
}

Scene *sceneHeldTwice(SceneHeldTwice kind, const dMatrix3 rotation)
{
    Scene *scene = sceneCreate(1, 2);
    if (!scene)
        return NULL;
    double centre[3];
    sceneRotate(rotation, (const double[3]){0.4, 0, 0}, centre);
    dBodyID body = sceneAddBox(scene, 1, centre[0], centre[1], centre[2], (const double[3]){0.8, 0.04, 2});
    dBodySetRotation(body, rotation);
    if (kind == SCENE_DOOR)
        holdByHinges(scene, rotation);
    for (int i = 0; kind == SCENE_TWIN_FIXED && i < 2; i++)
        dJointSetFixed(sceneAddJoint(scene, dJointCreateFixed(scene->world, NULL), body, NULL));
    return scene;
}

void sceneHeldTwiceForce(const Scene *scene, SceneHeldTwice kind, double force[3])
{
    dBodyID body = scene->body[0];
    dVector3 gravity;
    dMass mass;
    dWorldGetGravity(scene->world, gravity);
    dBodyGetMass(body, &mass);
    for (int i = 0; i < 3; i++)
        force[i] = -mass.mass * gravity[i];
    if (kind == SCENE_TWIN_FIXED)
        return;

    // the door turns about n: K alpha = n . (r x m g), a = alpha n x r - w^2 r with r across the
    // axis
    const dReal *rotation = dBodyGetRotation(body), *w = dBodyGetAngularVel(body);
    double n[3], r[3], rxg[3], nxr[3], inertia = mass.I[10];
    sceneRotate(rotation, (const double[3]){0, 0, 1}, n);
    sceneRotate(rotation, (const double[3]){0.4, 0, 0}, r);
    CROSS3(rxg, r, gravity);
    CROSS3(nxr, n, r);
    double alpha = mass.mass * DOT3(n, rxg) / (inertia + mass.mass * DOT3(r, r));
    double rate = DOT3(n, w);
    for (int i = 0; i < 3; i++)
        force[i] += mass.mass * (alpha * nxr[i] - rate * rate * r[i]);
}
