/* drift_parallel.c  Parallel machines: two Stewart platforms, a delta robot, an engine of four
 * cylinders. */
#include "drift_private.h"

#include <math.h>

static const double yAxis[3] = {0, 1, 0};

enum { LEGS = 6 };
static const double platformHeight = 1;

/* The ends of a leg on ground and platform. Both are in pairs; the platform's pairs are rotated by
 * 60 degrees. */
static void legEnds(int leg, double foot[3], double head[3])
{
    const double spread = 0.2, wide = 0.8, narrow = 0.5, third = 2 * M_PI / 3;
    const int side = leg % 2 ? 1 : -1;
    const double low = third * (leg / 2) + side * (0.5 * third - spread), high = third * (leg / 2) + side * spread;
    foot[0] = wide * cos(low);
    foot[1] = wide * sin(low);
    foot[2] = 0;
    head[0] = narrow * cos(high);
    head[1] = narrow * sin(high);
    head[2] = platformHeight;
}

/* Two directions across a leg and each other. */
static void acrossLeg(const double foot[3], const double head[3], dVector3 along, dVector3 a, dVector3 b)
{
    static const double up[3] = {0, 0, 1};
    for (int k = 0; k < 3; k++)
        along[k] = head[k] - foot[k];
    dNormalize3(along);
    CROSS3(a, along, up);
    dNormalize3(a);
    CROSS3(b, along, a);
}

static SceneDrive legDrive(int leg)
{
    return (SceneDrive){.amplitude = 0.08, .phase = leg};
}

static Scene *createStewart(const SceneSurface *surface, double stepSize, int bodies, int joints)
{
    const double side[3] = {1, 1, 0.05};
    Scene *scene = sceneCreateOnGround(bodies, joints, LEGS, surface);
    if (!scene)
        return NULL;
    scene->ground->frequency = 1;
    scene->ground->stepSize = stepSize;
    sceneAddBox(scene, 50, 0, 0, platformHeight, side);
    return scene;
}

Scene *driftStewart(const SceneSurface *surface, double stepSize)
{
    Scene *scene = createStewart(surface, stepSize, 1 + 2 * LEGS, 3 * LEGS);
    for (int i = 0; scene && i < LEGS; i++) {
        double foot[3], head[3], middle[3];
        dVector3 along, a, b;
        legEnds(i, foot, head);
        acrossLeg(foot, head, along, a, b);
        for (int k = 0; k < 3; k++)
            middle[k] = 0.5 * (foot[k] + head[k]);
        dBodyID lower = sceneAddBar(scene, 5, foot, middle), upper = sceneAddBar(scene, 3, middle, head);
        SceneDrive drive = legDrive(i);
        const double first[3] = {a[0], a[1], a[2]}, second[3] = {b[0], b[1], b[2]};
        sceneAddUniversal(scene, lower, NULL, foot, first, second);
        drive.joint = sceneAddJoint(scene, dJointCreateSlider(scene->world, NULL), upper, lower);
        dJointSetSliderAxis(drive.joint, along[0], along[1], along[2]);
        sceneAddDrive(scene, 1e4, drive);
        sceneAddBall(scene, scene->body[0], upper, head);
    }
    return scene;
}

Scene *driftStewartPU(const SceneSurface *surface, double stepSize)
{
    Scene *scene = createStewart(surface, stepSize, 1 + LEGS, 2 * LEGS);
    for (int i = 0; scene && i < LEGS; i++) {
        double foot[3], head[3];
        dVector3 along, a, b;
        legEnds(i, foot, head);
        acrossLeg(foot, head, along, a, b);
        dBodyID leg = sceneAddBar(scene, 5, foot, head);
        SceneDrive drive = legDrive(i);
        drive.joint = sceneAddJoint(scene, dJointCreatePU(scene->world, NULL), leg, NULL);
        dJointSetPUAnchor(drive.joint, foot[0], foot[1], foot[2]);
        dJointSetPUAxis1(drive.joint, a[0], a[1], a[2]);
        dJointSetPUAxis2(drive.joint, b[0], b[1], b[2]);
        dJointSetPUAxisP(drive.joint, along[0], along[1], along[2]);
        sceneAddDrive(scene, 1e4, drive);
        sceneAddBall(scene, scene->body[0], leg, head);
    }
    return scene;
}

Scene *driftDelta(const SceneSurface *surface, double stepSize)
{
    enum { ARMS = 3, ARM_ROOM = 1 + 3 * ARMS };
    const double base = 0.2, arm = 0.3, hand = 0.06, depth = 0.7, half = 0.05, lean = 0.3;
    Scene *scene = sceneCreateOnGround(ARM_ROOM, 5 * ARMS, ARMS, surface);
    if (!scene)
        return NULL;
    scene->ground->frequency = 1;
    scene->ground->stepSize = stepSize;
    dBodyID platform = sceneAddBox(scene, 0.5, 0, 0, -depth, (const double[3]){0.12, 0.12, 0.02});
    for (int i = 0; i < ARMS; i++) {
        const double c = cos(2 * M_PI * i / ARMS), s = sin(2 * M_PI * i / ARMS);
        const double out = base + arm * cos(lean), axis[3] = {-s, c, 0};
        const double root[3] = {base * c, base * s, 0}, elbow[3] = {out * c, out * s, -arm * sin(lean)};
        dBodyID upper = sceneAddBar(scene, 1, root, elbow);
        dJointID motor = sceneAddHinge(scene, upper, NULL, root, axis);
        sceneAddDrive(scene, 100, (SceneDrive){.joint = motor, .amplitude = 0.3, .phase = 2 * i});
        for (int side = -1; side <= 1; side += 2) {
            const double y = side * half;
            const double from[3] = {elbow[0] - y * s, elbow[1] + y * c, elbow[2]};
            const double to[3] = {hand * c - y * s, hand * s + y * c, -depth};
            dBodyID rod = sceneAddBar(scene, 0.1, from, to);
            sceneAddBall(scene, rod, upper, from);
            sceneAddBall(scene, platform, rod, to);
        }
    }
    return scene;
}

Scene *driftEngine(const SceneSurface *surface, double stepSize)
{
    enum { CYLINDERS = 4 };
    const double throw = 0.05, rod = 0.15, spacing = 0.1, rate = 20, torque = 1e4;
    (void)surface, (void)stepSize;
    Scene *scene = sceneCreate(1 + 2 * CYLINDERS, 1 + 3 * CYLINDERS);
    if (!scene)
        return NULL;
    dBodyID crank = sceneAddBox(scene, 20, 0, 0, 0, (const double[3]){0.1, 0.5, 0.1});
    dJointID shaft = sceneAddHinge(scene, crank, NULL, (const double[3]){0, 0, 0}, yAxis);
    dJointSetHingeParam(shaft, dParamVel, rate);
    dJointSetHingeParam(shaft, dParamFMax, torque);
    for (int i = 0; i < CYLINDERS; i++) {
        // cranks of the outer two and of the inner two are opposite; none at a dead centre
        const double angle = 0.5 + (i == 0 || i == 3 ? 0 : M_PI), y = spacing * (i - 1.5);
        const double x = throw *sin(angle), z = throw *cos(angle);
        const double pin[3] = {x, y, z}, top[3] = {0, y, z + sqrt(rod * rod - x * x)};
        dBodyID connecting = sceneAddBar(scene, 1, pin, top);
        dBodyID piston = sceneAddBox(scene, 1, top[0], top[1], top[2], (const double[3]){0.08, 0.08, 0.08});
        sceneAddHinge(scene, connecting, crank, pin, yAxis);
        sceneAddHinge(scene, piston, connecting, top, yAxis);
        dJointSetSliderAxis(sceneAddJoint(scene, dJointCreateSlider(scene->world, NULL), piston, NULL), 0, 0, 1);
    }
    return scene;
}
