/* scenes_drift_steady.c  Motions whose forces are known in closed form at each step. */
#include "scenes_drift_private.h"

#include <math.h>

static const double zAxis[3] = {0, 0, 1};

static const double turnRate = 10, payload = 2, payloadRadius = 1.2;

Scene *driftTurntable(const SceneSurface *surface, double stepSize)
{
    const double height = 1, torque = 1e5, near[3] = {0, 0, height}, far[3] = {1, 0, height};
    (void)surface, (void)stepSize;
    Scene *scene = sceneCreate(2, 2);
    if (!scene)
        return NULL;
    dBodyID arm = sceneAddBar(scene, 5, near, far);
    dBodyID box = sceneAddBox(scene, payload, payloadRadius, 0, height + 0.1, (const double[3]){0.1, 0.2, 0.3});
    dJointID hinge = sceneAddHinge(scene, arm, NULL, near, zAxis);
    dJointSetHingeParam(hinge, dParamVel, turnRate);
    dJointSetHingeParam(hinge, dParamFMax, torque);
    sceneAddFixed(scene, box, arm);
    return scene;
}

/* Along z and towards the axis. The motor's own correction of its speed acts across both. */
int driftTurntableForce(const Scene *scene, int joint, DriftForce *out)
{
    if (joint != 1)
        return 0;
    const dReal *x = dBodyGetPosition(scene->body[1]);
    const double radius = hypot(x[0], x[1]);
    *out = (DriftForce){.body = scene->body[1],
                        .count = 2,
                        .axis = {{0, 0, 1}, {-x[0] / radius, -x[1] / radius, 0}},
                        .value = {payload * SCENE_GRAVITY, payload * turnRate * turnRate * payloadRadius}};
    return 1;
}
