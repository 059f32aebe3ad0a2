/* machines.c  Ten machines: see machines.h. */
#include "machines.h"

#include <math.h>

static const double xAxis[3] = {1, 0, 0}, yAxis[3] = {0, 1, 0}, zAxis[3] = {0, 0, 1};

dBodyID truthBar(Scene *scene, double mass, double x0, double z0, double x1, double z1)
{
    return sceneAddBar(scene, mass, (const double[3]){x0, 0, z0}, (const double[3]){x1, 0, z1});
}

dJointID truthPin(Scene *scene, dBodyID first, dBodyID second, double x, double z)
{
    return sceneAddHinge(scene, first, second, (const double[3]){x, 0, z}, yAxis);
}

static void setMotor(dJointID hinge, double rate, double torque)
{
    dJointSetHingeParam(hinge, dParamVel, rate);
    dJointSetHingeParam(hinge, dParamFMax, torque);
}

Scene *truthFerrisWheel(const SceneSurface *surface, double stepSize)
{
    enum { CABINS = 8 };
    const double radius = 4, rate = 0.4, drop = 0.8;
    (void)surface, (void)stepSize;
    Scene *scene = sceneCreate(CABINS + 1, CABINS + 1);
    if (!scene)
        return NULL;
    dBodyID wheel = sceneAddBox(scene, 400, 0, 0, 0, (const double[3]){1.4 * radius, 0.5, 1.4 * radius});
    // for a hinge to the world, the motor's rate is the body's angular velocity
    setMotor(truthPin(scene, wheel, NULL, 0, 0), rate, 1e5);
    dBodySetAngularVel(wheel, 0, rate, 0);
    for (int i = 0; i < CABINS; i++) {
        const double turn = 2 * M_PI * i / CABINS, x = radius * cos(turn), z = radius * sin(turn);
        dBodyID cabin = sceneAddBox(scene, 80, x, 0, z - drop, (const double[3]){1, 1, 1.2});
        truthPin(scene, cabin, wheel, x, z);
        dBodySetLinearVel(cabin, rate * z, 0, -rate * x);
    }
    return scene;
}

Scene *truthDrawbridge(const SceneSurface *surface, double stepSize)
{
    enum { LINKS = 12 };
    const double length = 4, half = 1, lift = 0.4, tower = 3, x = length * cos(lift), z = length * sin(lift);
    const double side[3] = {length, 2 * half, 0.1};
    (void)surface, (void)stepSize;
    Scene *scene = sceneCreate(2 * LINKS + 1, 2 * LINKS + 3);
    if (!scene)
        return NULL;
    dBodyID deck = sceneAddBox(scene, 300, 0.5 * x, 0, 0.5 * z, side);
    dMatrix3 turn;
    dRFromAxisAndAngle(turn, 0, -1, 0, lift);
    dBodySetRotation(deck, turn);
    truthPin(scene, deck, NULL, 0, 0);
    for (int i = -1; i <= 1; i += 2)
        driftAddRope(
            scene,
            &(const DriftRope){
                .from = {0, i * half, tower}, .to = {x, i * half, z}, .links = LINKS, .linkMass = 2, .last = deck});
    return scene;
}

Scene *truthDigger(const SceneSurface *surface, double stepSize)
{
    const double cab[3] = {2, 2, 0.8}, torque = 1e5;
    Scene *scene = sceneCreateOnGround(7, 7, 4, surface);
    if (!scene)
        return NULL;
    scene->ground->frequency = 0.5;
    scene->ground->stepSize = stepSize;
    dBodyID under = sceneAddSolidBox(scene, 3000, 0, 0, 0.2, (const double[3]){2.4, 2.4, 0.4});
    dBodyID house = sceneAddBox(scene, 1500, 0, 0, 0.9, cab);
    dBodyID boom = truthBar(scene, 400, 0.8, 1, 3, 2.6), arm = truthBar(scene, 200, 3, 2.6, 3.8, 1.2);
    dBodyID rocker = truthBar(scene, 30, 3.6, 1.55, 4, 1.6), link = truthBar(scene, 20, 4, 1.6, 4.1, 1.2);
    dBodyID bucket = sceneAddSolidBox(scene, 150, 3.95, 0, 0.95, (const double[3]){0.5, 0.8, 0.5});
    dJointID swing = sceneAddHinge(scene, house, under, (const double[3]){0, 0, 0.4}, zAxis);
    sceneAddDrive(scene, torque, (SceneDrive){.joint = swing, .amplitude = 0.1});
    dJointID lift = truthPin(scene, boom, house, 0.8, 1), reach = truthPin(scene, arm, boom, 3, 2.6);
    sceneAddDrive(scene, torque, (SceneDrive){.joint = lift, .mean = 0.2, .amplitude = 0.25});
    sceneAddDrive(scene, torque, (SceneDrive){.joint = reach, .amplitude = 0.2, .phase = 1});
    dJointID tilt = truthPin(scene, rocker, arm, 3.6, 1.55);
    sceneAddDrive(scene, torque, (SceneDrive){.joint = tilt, .amplitude = 0.3, .phase = 2});
    truthPin(scene, bucket, arm, 3.8, 1.2);
    truthPin(scene, link, rocker, 4, 1.6);
    truthPin(scene, bucket, link, 4.1, 1.2);
    dGeomSetPosition(dCreateBox(scene->space, 2, 3, 0.6), 4.5, 0, 0.3);
    return scene;
}

Scene *truthNecklace(const SceneSurface *surface, double stepSize)
{
    enum { LINKS = 16 };
    const double radius = 0.5;
    (void)surface, (void)stepSize;
    Scene *scene = sceneCreate(LINKS, LINKS + 1);
    for (int i = 0; scene && i < LINKS; i++) {
        const double a = 2 * M_PI * i / LINKS, b = 2 * M_PI * (i + 1) / LINKS;
        const double x = radius * sin(a), z = radius * cos(a);
        dBodyID link = truthBar(scene, 0.5, x, z, radius * sin(b), radius * cos(b));
        truthPin(scene, link, i ? scene->body[i - 1] : NULL, x, z);
    }
    if (scene)
        truthPin(scene, scene->body[0], scene->body[LINKS - 1], 0, radius);
    return scene;
}

/* A rod below this point, turned about z, and the rods below it. */
static void addRods(Scene *scene, dBodyID above, const double at[3], double turn, int levels)
{
    const double drop = 0.15, half = 0.12 * (1 << (levels - 1)), load = 0.3;
    const double x = half * cos(turn), y = half * sin(turn), z = at[2] - drop;
    const double end[2][3] = {{at[0] - x, at[1] - y, z}, {at[0] + x, at[1] + y, z}};
    dBodyID rod = sceneAddBar(scene, 0.1 * levels, end[0], end[1]);
    sceneAddBall(scene, rod, above, at);
    dBodySetAngularVel(rod, 0, 0, 0.5 * levels);
    for (int i = 0; i < 2; i++)
        if (levels > 1) {
            addRods(scene, rod, end[i], turn + 0.5, levels - 1);
        } else {
            dBodyID weight = sceneAddSphere(scene, load, 0.03, end[i][0], end[i][1], z - drop);
            sceneAddBall(scene, weight, rod, end[i]);
        }
}

Scene *truthMobile(const SceneSurface *surface, double stepSize)
{
    enum { LEVELS = 4, RODS = (1 << LEVELS) - 1, LOADS = 1 << LEVELS };
    (void)surface, (void)stepSize;
    Scene *scene = sceneCreate(RODS + LOADS, RODS + LOADS);
    if (scene)
        addRods(scene, NULL, (const double[3]){0, 0, 0}, 0, LEVELS);
    return scene;
}

Scene *truthHeavyEnd(const SceneSurface *surface, double stepSize)
{
    enum { LINKS = 20 };
    const double lean = 0.5, length = 3;
    DriftRope rope = {.to = {length * sin(lean), 0, -length * cos(lean)}, .links = LINKS, .linkMass = 0.1};
    (void)surface, (void)stepSize;
    Scene *scene = sceneCreate(LINKS + 1, LINKS + 1);
    if (!scene)
        return NULL;
    rope.last = sceneAddBox(scene, 10, rope.to[0], 0, rope.to[2] - 0.1, (const double[3]){0.2, 0.2, 0.2});
    driftAddRope(scene, &rope);
    return scene;
}

Scene *truthGimbals(const SceneSurface *surface, double stepSize)
{
    const double spin = 200, tilt = 1, height = 1, at[3] = {0, 0, height};
    (void)surface, (void)stepSize;
    Scene *scene = sceneCreate(3, 3);
    if (!scene)
        return NULL;
    dBodyID outer = sceneAddBox(scene, 2, 0, 0, height, (const double[3]){0.5, 0.5, 0.05});
    dBodyID inner = sceneAddBox(scene, 1, 0, 0, height, (const double[3]){0.4, 0.05, 0.4});
    dBodyID rotor = sceneAddBox(scene, 5, 0, 0, height, (const double[3]){0.3, 0.3, 0.05});
    setMotor(sceneAddHinge(scene, outer, NULL, at, xAxis), tilt, 100);
    sceneAddHinge(scene, inner, outer, at, yAxis);
    sceneAddHinge(scene, rotor, inner, at, zAxis);
    dBodySetAngularVel(outer, tilt, 0, 0);
    dBodySetAngularVel(inner, tilt, 0, 0);
    dBodySetAngularVel(rotor, tilt, 0, spin);
    return scene;
}

static dBodyID addWagon(Scene *scene, double x, double brake)
{
    const double radius = 0.3, speed = 2;
    dBodyID box = sceneAddBox(scene, 200, x, 0, 0.6, (const double[3]){2, 1, 0.4});
    dBodySetLinearVel(box, speed, 0, 0);
    for (int i = 0; i < 4; i++) {
        const double at[3] = {x + (i & 1 ? 0.7 : -0.7), i & 2 ? 0.6 : -0.6, radius};
        dBodyID wheel = sceneAddSolidBall(scene, 10, radius, at[0], at[1], at[2]);
        dJointID axle = sceneAddHinge(scene, wheel, box, at, yAxis);
        if (brake > 0)
            setMotor(axle, 0, brake);
        dBodySetLinearVel(wheel, speed, 0, 0);
        dBodySetAngularVel(wheel, 0, speed / radius, 0);
    }
    return box;
}

Scene *truthTrailers(const SceneSurface *surface, double stepSize)
{
    enum { WAGONS = 3 };
    const double slope = 0.1, apart = 3.2, height = 0.5;
    dBodyID wagon[WAGONS];
    (void)stepSize;
    Scene *scene = sceneCreateOnGround(5 * WAGONS + WAGONS - 1, 4 * WAGONS + 2 * (WAGONS - 1), 0, surface);
    if (!scene)
        return NULL;
    dWorldSetGravity(scene->world, SCENE_GRAVITY * sin(slope), 0, -SCENE_GRAVITY * cos(slope));
    for (int i = 0; i < WAGONS; i++)
        wagon[i] = addWagon(scene, -apart * i, i ? 0 : 60);
    for (int i = 1; i < WAGONS; i++) {
        const double front[3] = {-apart * (i - 1) - 1, 0, height}, rear[3] = {-apart * i + 1, 0, height};
        dBodyID bar = sceneAddBar(scene, 5, rear, front);
        dBodySetLinearVel(bar, dBodyGetLinearVel(wagon[i])[0], 0, 0);
        sceneAddBall(scene, bar, wagon[i - 1], front);
        sceneAddUniversal(scene, bar, wagon[i], rear, yAxis, zAxis);
    }
    return scene;
}

Scene *truthTwoHooks(const SceneSurface *surface, double stepSize)
{
    enum { LINKS = 8 };
    const double half = 1.5, top = 6, low = 3;
    Scene *scene = sceneCreateOnGround(2 * (LINKS + 1) + 2, 2 * (LINKS + 2) + 1, 1, surface);
    if (!scene)
        return NULL;
    scene->ground->frequency = 0.4;
    scene->ground->stepSize = stepSize;
    dBodyID trolley = sceneAddBox(scene, 200, 0, 0, top, (const double[3]){2 * half, 1, 0.3});
    dJointID rail = sceneAddJoint(scene, dJointCreateSlider(scene->world, NULL), trolley, NULL);
    dJointSetSliderAxis(rail, 1, 0, 0);
    sceneAddDrive(scene, 1e5, (SceneDrive){.joint = rail, .amplitude = 0.3});
    dBodyID beam = sceneAddBox(scene, 400, 0, 0, low - 0.5, (const double[3]){2 * half + 0.4, 0.2, 0.2});
    for (int i = -1; i <= 1; i += 2) {
        const double x = i * half, eye[3] = {x, 0, low - 0.4};
        dBodyID hook = sceneAddBox(scene, 5, x, 0, low - 0.2, (const double[3]){0.1, 0.1, 0.4});
        driftAddRope(
            scene,
            &(const DriftRope){
                .from = {x, 0, top}, .to = {x, 0, low}, .links = LINKS, .linkMass = 3, .first = trolley, .last = hook});
        sceneAddBall(scene, beam, hook, eye);
    }
    return scene;
}

Scene *truthSprungCar(const SceneSurface *surface, double stepSize)
{
    enum { RIDGES = 6 };
    const double radius = 0.3, speed = 4, reach = 0.4, stiffness = 4000, damping = 300;
    const SceneSpring spring = sceneSpring(stepSize, stiffness, damping);
    Scene *scene = sceneCreateOnGround(9, 8, 0, surface);
    if (!scene)
        return NULL;
    dBodyID box = sceneAddBox(scene, 800, 0, 0, 0.6, (const double[3]){3, 1.4, 0.5});
    for (int i = 0; i < 4; i++) {
        const double x = i & 1 ? 1 : -1, y = i & 2 ? 0.8 : -0.8, at[3] = {x, y, radius};
        const double root[3] = {x + reach, y, radius + 0.1};
        dBodyID arm = sceneAddBar(scene, 15, root, at);
        dJointID hinge = sceneAddHinge(scene, arm, box, root, yAxis);
        dJointSetHingeParam(hinge, dParamLoStop, 0);
        dJointSetHingeParam(hinge, dParamHiStop, 0);
        dJointSetHingeParam(hinge, dParamStopERP, spring.erp);
        dJointSetHingeParam(hinge, dParamStopCFM, spring.cfm);
        dBodyID wheel = sceneAddSolidBall(scene, 20, radius, x, y, radius);
        setMotor(sceneAddHinge(scene, wheel, arm, at, yAxis), speed / radius, 100);
        dBodySetAngularVel(wheel, 0, speed / radius, 0);
    }
    for (int i = 0; i < scene->bodyCount; i++)
        dBodySetLinearVel(scene->body[i], speed, 0, 0);
    for (int i = 0; i < RIDGES; i++)
        dGeomSetPosition(dCreateBox(scene->space, 0.3, 1.6, 0.1), 2.5 + 1.2 * i, i % 2 ? 0.8 : -0.8, 0);
    return scene;
}
