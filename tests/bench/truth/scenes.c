/* scenes.c  Machines on which physical values, or their bars, are difficult: redundant trees, light
 * bodies between heavy ones, straight machines, and loops whose joints have large gaps after few
 * iterations. */
#include "machines.h"
#include "rest.h"
#include "truth.h"

#include "demos/scenes/drift_private.h"

#include <math.h>

typedef double Vec[3];
static const Vec xAxis = {1, 0, 0}, yAxis = {0, 1, 0}, zAxis = {0, 0, 1};

static int none(const Scene *scene, int joint)
{
    (void)scene, (void)joint;
    return 0;
}

/* Across the plane of a plane loop, a hinge has three free directions. */
static int three(const Scene *scene, int joint)
{
    (void)scene, (void)joint;
    return 3;
}

static dJointID slide(Scene *scene, dBodyID body, const Vec axis)
{
    dJointID slider = sceneAddJoint(scene, dJointCreateSlider(scene->world, NULL), body, NULL);
    dJointSetSliderAxis(slider, axis[0], axis[1], axis[2]);
    return slider;
}

/* --- redundant rows in a tree */

enum { TREE_LINKS = 4 };

/* sceneChain of four links, released from the horizontal, each link on two coaxial hinges. */
static Scene *doubledChain(const SceneSurface *surface, double stepSize)
{
    const double beside = 0.03;
    (void)surface, (void)stepSize;
    Scene *scene = sceneCreate(TREE_LINKS, 2 * TREE_LINKS);
    for (int i = 0; scene && i < TREE_LINKS; i++) {
        const double near = 0.2 * i;
        dBodyID above = i ? scene->body[i - 1] : NULL;
        dBodyID link = truthBar(scene, 1, near, 0, near + 0.2, 0);
        for (int side = -1; side <= 1; side += 2)
            sceneAddHinge(scene, link, above, (const double[3]){near, side * beside, 0}, yAxis);
    }
    return scene;
}

/* The same on single hinges about z with gravity along -y, each link also on a Plane2D. */
static Scene *planedChain(const SceneSurface *surface, double stepSize)
{
    (void)surface, (void)stepSize;
    Scene *scene = sceneCreate(TREE_LINKS, 2 * TREE_LINKS);
    if (!scene)
        return NULL;
    dWorldSetGravity(scene->world, 0, -SCENE_GRAVITY, 0);
    for (int i = 0; i < TREE_LINKS; i++) {
        const double near = 0.2 * i;
        dBodyID above = i ? scene->body[i - 1] : NULL;
        dBodyID link = truthBar(scene, 1, near, 0, near + 0.2, 0);
        sceneAddHinge(scene, link, above, (const double[3]){near, 0, 0}, zAxis);
        sceneAddJoint(scene, dJointCreatePlane2D(scene->world, NULL), link, NULL);
    }
    return scene;
}

/* --- a light body between heavy ones: no freedom at all */

/* The weight of everything beyond the joint, at rest. */
static int weightBeyond(const Scene *scene, int joint, DriftForce *out)
{
    *out = (DriftForce){.body = scene->body[joint], .count = 3, .axis = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
    for (int i = joint; i < scene->bodyCount; i++) {
        dMass mass;
        dBodyGetMass(scene->body[i], &mass);
        out->value[2] += mass.mass * SCENE_GRAVITY;
    }
    return 1;
}

/* Bars along x, each welded to the one before, the first to the world. */
static Scene *weldedBars(const double *mass, int count, double length)
{
    Scene *scene = sceneCreate(count, count);
    for (int i = 0; scene && i < count; i++) {
        dBodyID bar = truthBar(scene, mass[i], i * length, 0, (i + 1) * length, 0);
        sceneAddFixed(scene, bar, i ? scene->body[i - 1] : NULL);
    }
    return scene;
}

/* A force sensor of 0.05 kg between a wall and a beam of 3 kg. */
static Scene *sensorBeam(const SceneSurface *surface, double stepSize)
{
    const double mass[] = {0.05, 3};
    (void)surface, (void)stepSize;
    return weldedBars(mass, 2, 0.5);
}

/* A sensor between a wall and a beam of 2 kg, lighter than the beam by this ratio. */
static Scene *lightSensor(double ratio)
{
    const double heavy = 2, mass[] = {heavy / ratio, heavy};
    return weldedBars(mass, 2, 0.5);
}

static Scene *sensor20(const SceneSurface *surface, double stepSize)
{
    (void)surface, (void)stepSize;
    return lightSensor(20);
}

static Scene *sensor100(const SceneSurface *surface, double stepSize)
{
    (void)surface, (void)stepSize;
    return lightSensor(100);
}

static Scene *sensor1000(const SceneSurface *surface, double stepSize)
{
    (void)surface, (void)stepSize;
    return lightSensor(1000);
}

/* A wing of ten segments of 1 kg. */
static Scene *evenWing(const SceneSurface *surface, double stepSize)
{
    const double mass[] = {1, 1, 1, 1, 1, 1, 1, 1, 1, 1};
    (void)surface, (void)stepSize;
    return weldedBars(mass, 10, 0.4);
}

/* A wing of eight segments that taper from 4 to 0.5 kg. */
static Scene *wing(const SceneSurface *surface, double stepSize)
{
    const double mass[] = {4, 3.5, 3, 2.5, 2, 1.5, 1, 0.5};
    (void)surface, (void)stepSize;
    return weldedBars(mass, 8, 0.4);
}

/* --- built straight */

/* Eight planks of 12 kg on hinges between fixed ends, in one plane. */
static Scene *straightPlanks(const SceneSurface *surface, double stepSize)
{
    enum { PLANKS = 8 };
    const double length = 0.5;
    (void)surface, (void)stepSize;
    Scene *scene = sceneCreate(PLANKS, PLANKS + 1);
    for (int i = 0; scene && i < PLANKS; i++) {
        dBodyID before = i ? scene->body[i - 1] : NULL;
        const double side[3] = {length, 1, 0.04};
        truthPin(scene, sceneAddBox(scene, 12, (i + 0.5) * length, 0, 0, side), before, i * length, 0);
    }
    if (scene)
        truthPin(scene, scene->body[PLANKS - 1], NULL, PLANKS * length, 0);
    return scene;
}

/* A rope of 16 links between fixed ends. */
static Scene *straightRope(const SceneSurface *surface, double stepSize)
{
    enum { LINKS = 16 };
    const DriftRope rope = {.from = {0, 0, 0}, .to = {4, 0, 0}, .links = LINKS, .linkMass = 0.3};
    (void)surface, (void)stepSize;
    Scene *scene = sceneCreate(LINKS, LINKS + 1);
    if (scene)
        sceneAddBall(scene, driftAddRope(scene, &rope), NULL, rope.to);
    return scene;
}

enum { CLOTH = 7 };

/* Joins a bar to all bars at both its nodes. */
static void addThread(Scene *scene, dBodyID at[CLOTH][CLOTH], int i, int j, int toI, int toJ)
{
    const double spacing = 0.15, a[3] = {i * spacing, j * spacing, 0}, b[3] = {toI * spacing, toJ * spacing, 0};
    dBodyID bar = sceneAddBar(scene, 0.01, a, b);
    if (at[i][j])
        sceneAddBall(scene, bar, at[i][j], a);
    else
        at[i][j] = bar;
    if (at[toI][toJ])
        sceneAddBall(scene, bar, at[toI][toJ], b);
    else
        at[toI][toJ] = bar;
}

/* A cloth of 84 bars of 10 g, flat, held along two edges. */
static Scene *flatCloth(const SceneSurface *surface, double stepSize)
{
    enum { BARS = 2 * CLOTH * (CLOTH - 1) };
    dBodyID at[CLOTH][CLOTH] = {{NULL}};
    (void)surface, (void)stepSize;
    Scene *scene = sceneCreate(BARS, 2 * BARS - CLOTH * CLOTH + 2 * CLOTH);
    for (int i = 0; scene && i < CLOTH; i++)
        for (int j = 0; j < CLOTH; j++) {
            if (i + 1 < CLOTH)
                addThread(scene, at, i, j, i + 1, j);
            if (j + 1 < CLOTH)
                addThread(scene, at, i, j, i, j + 1);
        }
    for (int j = 0; scene && j < CLOTH; j++)
        for (int i = 0; i < CLOTH; i += CLOTH - 1)
            sceneAddBall(scene, at[i][j], NULL, (const double[3]){0.15 * i, 0.15 * j, 0});
    return scene;
}

/* --- loops and trees that a few iterations leave far from their places */

/* Two pairs of scissors with bars of 8 kg under a platform of 40 kg, lifted by a slide at the foot.
 * Joints: six hinges of the scissors, then the joints of slides and platform; light blocks run in the
 * slides. */
static Scene *scissorLift(const SceneSurface *surface, double stepSize)
{
    const double width = 1.2, height = 0.5, top = 2 * height;
    dBodyID rising[2], falling[2];
    Scene *scene = sceneCreateOnGround(7, 11, 1, &sceneSurface[SURFACE_APPROX1]);
    (void)surface;
    if (!scene)
        return NULL;
    scene->ground->frequency = 0.3;
    scene->ground->stepSize = stepSize;
    for (int i = 0; i < 2; i++) {
        const double low = i * height;
        rising[i] = truthBar(scene, 8, 0, low, width, low + height);
        falling[i] = truthBar(scene, 8, width, low, 0, low + height);
        truthPin(scene, rising[i], falling[i], 0.5 * width, low + 0.5 * height);
    }
    truthPin(scene, rising[0], falling[1], width, height);
    truthPin(scene, falling[0], rising[1], 0, height);
    const double block[3] = {0.1, 0.1, 0.1}, deck[3] = {width, 0.6, 0.05};
    dBodyID foot = sceneAddBox(scene, 1, width, 0, 0, block), head = sceneAddBox(scene, 1, width, 0, top, block);
    dBodyID platform = sceneAddBox(scene, 40, 0.5 * width, 0, top, deck);
    truthPin(scene, rising[0], NULL, 0, 0);
    truthPin(scene, falling[0], foot, width, 0);
    sceneAddDrive(scene, 1e5, (SceneDrive){.joint = slide(scene, foot, xAxis), .mean = -0.1, .amplitude = 0.08});
    truthPin(scene, falling[1], platform, 0, top);
    truthPin(scene, rising[1], head, width, top);
    dJointID slider = sceneAddJoint(scene, dJointCreateSlider(scene->world, NULL), head, platform);
    dJointSetSliderAxis(slider, 1, 0, 0);
    return scene;
}

/* A platform of 6 kg in a vertical plane on three legs of two bars; motors turn their feet. Joints:
 * each leg from the foot on. */
static Scene *planarRobot(const SceneSurface *surface, double stepSize)
{
    static const double foot[3][2] = {{-1, 0}, {1, 0}, {0, 1.8}}, knee[3][2] = {{-0.9, 0.6}, {0.9, 0.6}, {0.6, 1.7}},
                        tip[3][2] = {{-0.2, 0.6}, {0.2, 0.6}, {0, 0.95}};
    (void)surface;
    Scene *scene = sceneCreateOnGround(7, 9, 3, &sceneSurface[SURFACE_APPROX1]);
    if (!scene)
        return NULL;
    scene->ground->frequency = 0.5;
    scene->ground->stepSize = stepSize;
    dBodyID platform = sceneAddBox(scene, 6, 0, 0, 0.72, (const double[3]){0.4, 0.2, 0.3});
    for (int i = 0; i < 3; i++) {
        dBodyID near = truthBar(scene, 1.5, foot[i][0], foot[i][1], knee[i][0], knee[i][1]);
        dBodyID far = truthBar(scene, 1, knee[i][0], knee[i][1], tip[i][0], tip[i][1]);
        dJointID hinge = truthPin(scene, near, NULL, foot[i][0], foot[i][1]);
        sceneAddDrive(scene, 400, (SceneDrive){.joint = hinge, .amplitude = 0.15, .phase = 2.0 * i});
        truthPin(scene, far, near, knee[i][0], knee[i][1]);
        truthPin(scene, platform, far, tip[i][0], tip[i][1]);
    }
    return scene;
}

/* Ten slats of 8 kg between two ropes of 12 links of 0.1 kg that hang in an arc. */
static Scene *hammock(const SceneSurface *surface, double stepSize)
{
    enum { LINKS = 12, SLATS = LINKS - 2 };
    const double span = 2.6, half = 0.4, opening = 1.4;
    dBodyID rope[2][LINKS];
    double x[LINKS + 1], z[LINKS + 1];
    (void)surface, (void)stepSize;
    Scene *scene = sceneCreate(2 * LINKS + SLATS, 2 * (LINKS + 1) + 2 * SLATS);
    if (!scene)
        return NULL;
    for (int i = 0; i <= LINKS; i++) {
        // an arc of a circle whose chord is the span
        const double turn = opening * (2.0 * i / LINKS - 1), radius = 0.5 * span / sin(opening);
        x[i] = radius * sin(turn);
        z[i] = -radius * (cos(turn) - cos(opening));
    }
    for (int side = 0; side < 2; side++) {
        const double y = side ? half : -half;
        dBodyID before = NULL;
        for (int i = 0; i < LINKS; i++) {
            const double a[3] = {x[i], y, z[i]}, b[3] = {x[i + 1], y, z[i + 1]};
            rope[side][i] = sceneAddBar(scene, 0.1, a, b);
            sceneAddBall(scene, rope[side][i], before, a);
            before = rope[side][i];
        }
        sceneAddBall(scene, before, NULL, (const double[3]){x[LINKS], y, z[LINKS]});
    }
    for (int i = 1; i <= SLATS; i++) {
        const double at[3] = {0.5 * (x[i] + x[i + 1]), 0, 0.5 * (z[i] + z[i + 1])};
        dBodyID slat = sceneAddBox(scene, 8, at[0], 0, at[2], (const double[3]){0.1, 2 * half, 0.03});
        for (int side = 0; side < 2; side++)
            sceneAddBall(scene, slat, rope[side][i], (const double[3]){at[0], side ? half : -half, at[2]});
    }
    return scene;
}

/* A hook of 0.02 kg between two balls, with a block of 2000 kg, released from rest 0.1 rad from the
 * vertical: a mass ratio of 1e5. */
static Scene *heavyHook(const SceneSurface *surface, double stepSize)
{
    const double lean = 0.1, length = 3;
    const DriftRope hook = {.to = {length * sin(lean), 0, -length * cos(lean)}, .links = 1, .linkMass = 0.02};
    (void)surface, (void)stepSize;
    Scene *scene = sceneCreate(2, 2);
    if (!scene)
        return NULL;
    dBodyID link = driftAddRope(scene, &hook);
    dBodyID block = sceneAddBox(scene, 2000, hook.to[0], 0, hook.to[2] - 0.4, (const double[3]){0.6, 0.6, 0.8});
    sceneAddBall(scene, block, link, hook.to);
    return scene;
}

/* A press: a crank of 5 kg that a motor turns slowly through its dead points, a rod of 8 kg, and a
 * ram of 30 kg in a guide. Joints: crank, crank pin, ram pin, guide. */
static Scene *press(const SceneSurface *surface, double stepSize)
{
    const double crank = 0.2, rod = 0.7, start = 0.15;
    const double x = crank * sin(start), z = crank * cos(start), ram = z - sqrt(rod * rod - x * x);
    (void)surface, (void)stepSize;
    Scene *scene = sceneCreate(3, 4);
    if (!scene)
        return NULL;
    dBodyID a = truthBar(scene, 5, 0, 0, x, z), b = truthBar(scene, 8, x, z, 0, ram);
    dBodyID c = sceneAddBox(scene, 30, 0, 0, ram, (const double[3]){0.3, 0.3, 0.3});
    dJointID motor = truthPin(scene, a, NULL, 0, 0);
    dJointSetHingeParam(motor, dParamVel, -0.4);
    dJointSetHingeParam(motor, dParamFMax, 1e4);
    truthPin(scene, b, a, x, z);
    truthPin(scene, c, b, 0, ram);
    slide(scene, c, zAxis);
    return scene;
}

/* A coupler on two cranks, released 1 rad from the vertical. Joints: the upper and the lower one of
 * each crank. */
static Scene *fourBar(const SceneSurface *surface, double stepSize)
{
    (void)surface, (void)stepSize;
    return sceneParallelCranks(2, 1);
}

/* A belt drive of 1 : 4 with a flywheel of 20 kg and a drum of 60 kg; a motor speeds it up. Joints:
 * axles, belt. */
static Scene *beltDrive(const SceneSurface *surface, double stepSize)
{
    const double radius[2] = {0.1, 0.4}, mass[2] = {20, 60}, apart = 1.2;
    (void)surface, (void)stepSize;
    Scene *scene = sceneCreate(2, 3);
    if (!scene)
        return NULL;
    for (int i = 0; i < 2; i++) {
        const double side[3] = {2 * radius[i], 0.1, 2 * radius[i]};
        truthPin(scene, sceneAddBox(scene, mass[i], i * apart, 0, 1, side), NULL, i * apart, 1);
    }
    dJointSetHingeParam(scene->joint[0], dParamVel, 30);
    dJointSetHingeParam(scene->joint[0], dParamFMax, 15);
    dJointID belt = sceneAddJoint(scene, dJointCreateTransmission(scene->world, NULL), scene->body[0], scene->body[1]);
    dJointSetTransmissionMode(belt, dTransmissionChainDrive);
    dJointSetTransmissionAnchor1(belt, 0, 0, 1);
    dJointSetTransmissionAnchor2(belt, apart, 0, 1);
    dJointSetTransmissionAxis(belt, 0, 1, 0);
    dJointSetTransmissionRadius1(belt, radius[0]);
    dJointSetTransmissionRadius2(belt, radius[1]);
    return scene;
}

/* An arm of four bars on servos, which swings a tool of 5 kg. Joints: from the shoulder on; the
 * tool is welded. */
static Scene *servoArm(const SceneSurface *surface, double stepSize)
{
    enum { BARS = 4 };
    static const double x[BARS + 1] = {0, 0, 0.5, 0.9, 1.1}, z[BARS + 1] = {0.5, 1, 1.3, 1.1, 0.8};
    static const double mass[BARS] = {12, 8, 4, 2};
    (void)surface;
    Scene *scene = sceneCreateOnGround(BARS + 1, BARS + 1, BARS, &sceneSurface[SURFACE_APPROX1]);
    if (!scene)
        return NULL;
    scene->ground->frequency = 0.5;
    scene->ground->stepSize = stepSize;
    for (int i = 0; i < BARS; i++) {
        dBodyID before = i ? scene->body[i - 1] : NULL;
        dBodyID bar = truthBar(scene, mass[i], x[i], z[i], x[i + 1], z[i + 1]);
        dJointID hinge = sceneAddHinge(scene, bar, before, (const double[3]){x[i], 0, z[i]}, i ? yAxis : zAxis);
        sceneAddDrive(scene, 2000, (SceneDrive){.joint = hinge, .amplitude = 0.3, .phase = i});
    }
    const double tool[3] = {0.1, 0.1, 0.2};
    sceneAddFixed(scene, sceneAddBox(scene, 5, x[BARS], 0, z[BARS] - 0.1, tool), scene->body[BARS - 1]);
    return scene;
}

/* A hub of 60 kg that a motor turns at 25 rad/s, and four blades of 6 kg and 3 m on flapping
 * hinges. Joints: hub, blades. */
static Scene *rotor(const SceneSurface *surface, double stepSize)
{
    const double rate = 25, near = 0.3, far = 3.3, height = 3;
    (void)surface, (void)stepSize;
    Scene *scene = sceneCreate(5, 5);
    if (!scene)
        return NULL;
    dBodyID hub = sceneAddBox(scene, 60, 0, 0, height, (const double[3]){0.6, 0.6, 0.3});
    dJointID mast = sceneAddHinge(scene, hub, NULL, (const double[3]){0, 0, height}, zAxis);
    dJointSetHingeParam(mast, dParamVel, rate);
    dJointSetHingeParam(mast, dParamFMax, 1e4);
    for (int i = 0; i < 4; i++) {
        const double c = cos(0.5 * M_PI * i), s = sin(0.5 * M_PI * i);
        const double from[3] = {near * c, near * s, height}, to[3] = {far * c, far * s, height};
        sceneAddHinge(scene, sceneAddBar(scene, 6, from, to), hub, from, (const double[3]){-s, c, 0});
    }
    for (int i = 0; i < scene->bodyCount; i++) {
        const dReal *at = dBodyGetPosition(scene->body[i]);
        dBodySetAngularVel(scene->body[i], 0, 0, rate);
        dBodySetLinearVel(scene->body[i], -rate * at[1], rate * at[0], 0);
    }
    return scene;
}

const DriftScene truthScene[] = {
    {"doubled-chain", 0, 0, 0, 2, doubledChain, NULL, NULL},
    {"planed-chain", 0, 0, 0, 2, planedChain, NULL, NULL},
    {"sensor-beam", 0, 0, 0, 2, sensorBeam, none, weightBeyond},
    {"sensor-20", 0, 0, 0, 2, sensor20, none, weightBeyond},
    {"sensor-100", 0, 0, 0, 2, sensor100, none, weightBeyond},
    {"sensor-1000", 0, 0, 0, 2, sensor1000, none, weightBeyond},
    {"even-wing", 0, 0, 0, 2, evenWing, none, weightBeyond},
    {"wing", 0, 0, 0, 2, wing, none, weightBeyond},
    {"straight-planks", 0, 1, 0, 1, straightPlanks, three, NULL},
    {"straight-rope", 0, 0, 0, 1, straightRope, none, NULL},
    {"flat-cloth", 0, 0, 0, 1, flatCloth, NULL, NULL},
    {"scissor-lift", 0, 1, 0.2, 2.2, scissorLift, NULL, NULL},
    {"planar-robot", 0, 1, 0.2, 2.2, planarRobot, three, NULL},
    {"hammock", 0, 0, 0.2, 2, hammock, none, NULL},
    {"heavy-hook", 0, 0, 0.2, 2, heavyHook, none, NULL},
    {"press", 0, 1, 0, 2, press, three, NULL},
    {"four-bar", 0, 1, 0, 2, fourBar, three, NULL},
    {"belt-drive", 0, 0, 0.2, 2, beltDrive, NULL, NULL},
    {"servo-arm", 0, 0, 0.2, 2.2, servoArm, none, NULL},
    {"rotor", 0, 0, 0.2, 1.2, rotor, none, NULL},
    {"ferris-wheel", 0, 0, 0.2, 2.2, truthFerrisWheel, none, NULL},
    {"drawbridge", 0, 0, 0, 2, truthDrawbridge, NULL, NULL},
    {"digger", 1, 1, 0.2, 2.2, truthDigger, NULL, NULL},
    {"necklace", 0, 1, 0.2, 2.2, truthNecklace, NULL, NULL},
    {"mobile", 0, 0, 0.2, 2.2, truthMobile, none, NULL},
    {"heavy-end", 0, 0, 0.2, 2.2, truthHeavyEnd, none, NULL},
    {"gimbals", 0, 0, 0.2, 2.2, truthGimbals, none, NULL},
    {"trailers", 1, 0, 0.2, 2.2, truthTrailers, none, NULL},
    {"two-hooks", 0, 0, 0.2, 2.2, truthTwoHooks, none, NULL},
    {"sprung-car", 1, 0, 0.2, 2.2, truthSprungCar, none, NULL},
    {"six-bar", 0, 1, 0.2, 2.2, truthSixBar, NULL, NULL},
    {"rope-ring", 0, 0, 0.2, 2.2, truthRopeRing, NULL, NULL},
    {"tripod", 0, 0, 0.2, 2.2, truthTripod, NULL, NULL},
    {"stopped-six-bar", 0, 1, 0, 2, truthStoppedSixBar, NULL, NULL},
    {"stiff-bridge", 0, 1, 0, 2, truthStiffBridge, NULL, NULL},
    {"steering", 0, 0, 0, 2, truthSteering, NULL, NULL},
    {"stopped-cranks", 0, 1, 0, 2, truthStoppedCranks, NULL, NULL},
    {"falling-flail", 1, 1, 0, 2, truthFallingFlail, NULL, NULL},
    {"cable-platform", 0, 0, 0.2, 2.2, truthCablePlatform, NULL, NULL},
    {"strut-crane", 0, 0, 0.2, 2.2, truthStrutCrane, NULL, NULL},
    {"satellite", 0, 0, 0.2, 2.2, truthSatellite, none, NULL},
    {"cardan-shaft", 0, 0, 0.2, 2.2, truthCardanShaft, NULL, NULL},
    {"runners-bridge", 0, 0, 0.2, 2.2, truthRunnersBridge, none, NULL},
    {"shaken-pyramid", 0, 0, 0.2, 2.2, truthShakenPyramid, NULL, NULL},
    {"rest-10", 0, 0, 10, 14, truthRestTen, none, weightBeyond},
    {"rest-50", 0, 0, 10, 14, truthRestFifty, none, weightBeyond},
    {"rest-50kg", 0, 0, 10, 14, truthRestLoad, none, weightBeyond},
    {"rest-500kg", 0, 0, 10, 14, truthRestHeavy, none, weightBeyond},
    {0},
};
