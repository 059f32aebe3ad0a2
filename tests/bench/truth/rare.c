/* rare.c  Six machines with joints and forces that the others lack: see machines.h. */
#include "machines.h"

#include <math.h>

static const double xAxis[3] = {1, 0, 0}, yAxis[3] = {0, 1, 0}, zAxis[3] = {0, 0, 1};

static dJointID piston(Scene *scene, dBodyID first, dBodyID second, const double at[3], const double axis[3])
{
    dJointID joint = sceneAddJoint(scene, dJointCreatePiston(scene->world, NULL), first, second);
    dJointSetPistonAnchor(joint, at[0], at[1], at[2]);
    dJointSetPistonAxis(joint, axis[0], axis[1], axis[2]);
    return joint;
}

Scene *truthCablePlatform(const SceneSurface *surface, double stepSize)
{
    enum { RODS = 6 };
    const double top = 2, wide = 1, narrow = 0.4, side[3] = {0.9, 0.9, 0.05};
    (void)surface, (void)stepSize;
    Scene *scene = sceneCreate(2, RODS + 1);
    if (!scene)
        return NULL;
    dBodyID plate = sceneAddBox(scene, 25, 0, 0, 0, side);
    for (int i = 0; i < RODS; i++) {
        const double high = 2 * M_PI * ((i + 1) / 2) / 3, low = 2 * M_PI * (i / 2) / 3 + M_PI / 3;
        const double a[3] = {narrow * cos(low), narrow * sin(low), 0}, b[3] = {wide * cos(high), wide * sin(high), top};
        driftAddRod(scene, plate, NULL, a, b);
    }
    const double edge[3] = {0.35, 0.2, 0}, end[3] = {0.35, 0.2, -0.5};
    sceneAddBall(scene, sceneAddBar(scene, 8, edge, end), plate, edge);
    dBodySetLinearVel(scene->body[1], 0.8, -0.5, 0);
    return scene;
}

/* A gas strut: a force along a piston, which has a boom as its first joint's body. */
static void pushStrut(Scene *scene)
{
    const double force = 2500, damping = 300;
    double along[3], length = 0, rate = 0;
    dBodyID rod = scene->body[2], cylinder = scene->body[1];
    for (int k = 0; k < 3; k++) {
        along[k] = dBodyGetPosition(rod)[k] - dBodyGetPosition(cylinder)[k];
        length += along[k] * along[k];
    }
    for (int k = 0; k < 3; k++)
        rate += along[k] / sqrt(length) * (dBodyGetLinearVel(rod)[k] - dBodyGetLinearVel(cylinder)[k]);
    for (int k = 0; k < 3; k++)
        along[k] *= (force - damping * rate) / sqrt(length);
    dBodyAddForce(rod, along[0], along[1], along[2]);
    dBodyAddForce(cylinder, -along[0], -along[1], -along[2]);
}

Scene *truthStrutCrane(const SceneSurface *surface, double stepSize)
{
    enum { LINKS = 8 };
    const double foot[3] = {0.2, 0, -0.8}, middle[3] = {0.6, 0, -0.3}, eye[3] = {1, 0, 0.2}, tip[3] = {2.5, 0, 0.5};
    const double origin[3] = {0, 0, 0}, bottom[3] = {2.5, 0, -0.7};
    double axis[3];
    (void)surface, (void)stepSize;
    Scene *scene = sceneCreate(4 + LINKS, 5 + LINKS);
    if (!scene)
        return NULL;
    dBodyID boom = sceneAddBar(scene, 40, origin, tip);
    dBodyID cylinder = sceneAddBar(scene, 6, foot, middle), rod = sceneAddBar(scene, 2, middle, eye);
    for (int k = 0; k < 3; k++)
        axis[k] = eye[k] - foot[k];
    sceneAddHinge(scene, boom, NULL, origin, yAxis);
    sceneAddBall(scene, cylinder, NULL, foot);
    sceneAddBall(scene, rod, boom, eye);
    piston(scene, cylinder, rod, middle, axis);
    dBodyID load = sceneAddBox(scene, 30, 2.5, 0, -0.8, (const double[3]){0.2, 0.2, 0.2});
    driftAddRope(scene, &(const DriftRope){.from = {tip[0], tip[1], tip[2]},
                                           .to = {bottom[0], bottom[1], bottom[2]},
                                           .links = LINKS,
                                           .linkMass = 0.3,
                                           .first = boom,
                                           .last = load});
    scene->beforeStep = pushStrut;
    return scene;
}

Scene *truthSatellite(const SceneSurface *surface, double stepSize)
{
    Scene *scene = sceneCreateOnGround(7, 6, 3, surface);
    if (!scene)
        return NULL;
    dWorldSetGravity(scene->world, 0, 0, 0);
    scene->ground->frequency = 0.7;
    scene->ground->stepSize = stepSize;
    dBodyID hull = sceneAddBox(scene, 400, 0, 0, 5, (const double[3]){1, 1, 1});
    for (int side = -1; side <= 1; side += 2) {
        const double at[3] = {0, 0.5 * side, 5};
        dBodyID panel = sceneAddBox(scene, 15, 0, 2.5 * side, 5, (const double[3]){1.2, 4, 0.03});
        dJointID hinge = sceneAddHinge(scene, panel, hull, at, yAxis);
        sceneAddDrive(scene, 500, (SceneDrive){.joint = hinge, .amplitude = 0.4, .phase = side});
    }
    dBodyID wheel = sceneAddBox(scene, 8, 0, 0, 5, (const double[3]){0.4, 0.4, 0.1});
    dJointID spin = sceneAddHinge(scene, wheel, hull, (const double[3]){0, 0, 5}, zAxis);
    dJointSetHingeParam(spin, dParamVel, 100);
    dJointSetHingeParam(spin, dParamFMax, 30);
    dBodySetAngularVel(wheel, 0, 0, 60);
    const double shoulder[3] = {0.5, 0, 5.4}, elbow[3] = {1.7, 0, 5.4}, wrist[3] = {2.7, 0, 5.4},
                 end[3] = {3.1, 0, 5.4};
    dBodyID upper = sceneAddBar(scene, 12, shoulder, elbow), fore = sceneAddBar(scene, 7, elbow, wrist);
    dJointID lift = sceneAddHinge(scene, upper, hull, shoulder, yAxis);
    sceneAddDrive(scene, 500, (SceneDrive){.joint = lift, .amplitude = 0.5, .phase = 0.5});
    sceneAddUniversal(scene, fore, upper, elbow, yAxis, zAxis);
    sceneAddBall(scene, sceneAddBar(scene, 20, wrist, end), fore, wrist);
    return scene;
}

Scene *truthCardanShaft(const SceneSurface *surface, double stepSize)
{
    const double bend = 0.5, c = cos(bend), s = sin(bend), near[3] = {0, 0, 0}, far[3] = {c, 0, s};
    const double across[3] = {-s, 0, c}, rate = 15;
    (void)surface, (void)stepSize;
    Scene *scene = sceneCreate(3, 4);
    if (!scene)
        return NULL;
    dBodyID driver = sceneAddBar(scene, 4, (const double[3]){-0.6, 0, 0}, near),
            shaft = sceneAddBar(scene, 3, near, far);
    dBodyID rotor = sceneAddBox(scene, 20, c + 0.3, 0, s, (const double[3]){0.3, 0.5, 0.3});
    dJointID motor = sceneAddHinge(scene, driver, NULL, (const double[3]){-0.6, 0, 0}, xAxis);
    dJointSetHingeParam(motor, dParamVel, -rate);
    dJointSetHingeParam(motor, dParamFMax, 1e3);
    sceneAddUniversal(scene, driver, shaft, near, yAxis, across);
    sceneAddUniversal(scene, rotor, shaft, far, yAxis, across);
    piston(scene, rotor, NULL, far, xAxis);
    return scene;
}

/* Somebody of 80 kg runs over the bridge and back: his weight, and the thrust of three steps in a
 * second. */
static void run(Scene *scene)
{
    const double time = (double)scene->step * scene->ground->stepSize, speed = 3, beat = 2 * M_PI * 3;
    const double way = fmod(speed * time, 2.0 * scene->bodyCount),
                 at = way < scene->bodyCount ? way : 2 * scene->bodyCount - way;
    const int link = (int)fmin(at, scene->bodyCount - 1);
    const double weight = 80 * SCENE_GRAVITY * (1 + 0.6 * sin(beat * time));
    dBodyAddForce(scene->body[link], 40 * cos(beat * time), 0, -weight);
}

Scene *truthRunnersBridge(const SceneSurface *surface, double stepSize)
{
    enum { LINKS = 14 };
    const double length = 0.5, sag = 0.8, all = LINKS * length;
    Scene *scene = sceneCreateOnGround(LINKS, LINKS + 1, 0, surface);
    if (!scene)
        return NULL;
    scene->ground->stepSize = stepSize;
    scene->beforeStep = run;
    double from[3] = {0, 0, 3}, to[3] = {0, 0, 3};
    for (int i = 0; i < LINKS; i++) {
        to[0] = (i + 1) * length;
        to[2] = 3 - 4 * sag * to[0] * (all - to[0]) / (all * all);
        dBodyID plank = sceneAddBar(scene, 7, from, to);
        sceneAddBall(scene, plank, i ? scene->body[i - 1] : NULL, from);
        from[0] = to[0];
        from[2] = to[2];
    }
    sceneAddBall(scene, scene->body[LINKS - 1], NULL, to);
    return scene;
}

/* Tilts and shakes the base. */
static void shake(Scene *scene)
{
    const double time = (double)scene->step * scene->ground->stepSize, rate = 2 * M_PI * scene->ground->frequency;
    dBodySetLinearVel(scene->body[0], 0, 0.03 * rate * cos(rate * time), 0.02 * rate * sin(2 * rate * time));
    dBodySetAngularVel(scene->body[0], 0.15 * rate * cos(rate * time), 0, 0);
}

Scene *truthShakenPyramid(const SceneSurface *surface, double stepSize)
{
    enum { LEGS = 3 };
    const double wide = 0.8, apex[3] = {0, 0, 1.4};
    Scene *scene = sceneCreateOnGround(LEGS + 4, LEGS + LEGS + 3, 0, surface);
    if (!scene)
        return NULL;
    scene->ground->frequency = 2.5;
    scene->ground->stepSize = stepSize;
    scene->beforeStep = shake;
    dBodyID base = sceneAddBox(scene, 100, 0, 0, 0, (const double[3]){2, 2, 0.1});
    dBodySetKinematic(base);
    dBodyID head = sceneAddBox(scene, 5, apex[0], apex[1], apex[2], (const double[3]){0.3, 0.3, 0.2});
    for (int i = 0; i < LEGS; i++) {
        const double angle = 2 * M_PI * i / LEGS + 0.2, c = cos(angle), s = sin(angle);
        const double foot[3] = {wide * c, wide * s, 0}, top[3] = {0.1 * c, 0.1 * s, apex[2]}, across[3] = {-s, c, 0};
        dBodyID leg = sceneAddBar(scene, 3, foot, top);
        if (i == 0)
            sceneAddHinge(scene, leg, base, foot, across);
        else
            sceneAddUniversal(scene, leg, base, foot, across, (const double[3]){c, s, 0});
        sceneAddBall(scene, head, leg, top);
    }
    double from[3] = {0, 0, apex[2]}, to[3] = {0.25, 0.1, apex[2] - 0.4};
    dBodyID upper = sceneAddBar(scene, 2, from, to);
    sceneAddUniversal(scene, upper, head, from, xAxis, yAxis);
    dBodyID bob = sceneAddBox(scene, 12, to[0], to[1], to[2] - 0.15, (const double[3]){0.2, 0.2, 0.2});
    sceneAddUniversal(scene, bob, upper, to, xAxis, yAxis);
    return scene;
}
