/* zoo.c  All features of the engine in one world: tests show that inspection disturbs none of them.
 *
 * The stations are 4 m apart along x above the plane z = 0; bodies without a geom touch nothing. */
#include "scenes_private.h"

#include <math.h>

enum { BODY_ROOM = 64, JOINT_ROOM = 48, MAX_CONTACTS = 8 };

/* The surface of a geom, stored as the geom's data. */
typedef enum Surface { PLAIN, SLIPPERY, BOUNCY, ROLLING, BELT } Surface;
static const Surface surfaceTable[] = {PLAIN, SLIPPERY, BOUNCY, ROLLING, BELT};

/* Bodies that the user pushes. */
enum { PUSHED_FIRST = 0, PUSHED_COUNT = 6 };

static const double cube[3] = {0.4, 0.4, 0.4}, rod[3] = {0.1, 0.1, 0.8};
static const double xAxis[3] = {1, 0, 0}, yAxis[3] = {0, 1, 0};

static void addGeom(Scene *scene, dBodyID body, dGeomID geom, Surface surface)
{
    dGeomSetBody(geom, body);
    dGeomSetData(geom, (void *)&surfaceTable[surface]);
    dSpaceAdd(scene->space, geom);
}

static dBodyID addSolidBox(Scene *scene, double mass, double x, double y, double z, Surface surface)
{
    dBodyID body = sceneAddBox(scene, mass, x, y, z, cube);
    addGeom(scene, body, dCreateBox(NULL, cube[0], cube[1], cube[2]), surface);
    return body;
}

static dBodyID addBall(Scene *scene, double mass, double x, double y, double z, Surface surface)
{
    const double radius = 0.2;
    dBodyID body = sceneAddSphere(scene, mass, radius, x, y, z);
    addGeom(scene, body, dCreateSphere(NULL, radius), surface);
    return body;
}

/* A rod on a driven hinge, and a rod that its motor drives against a stop. */
static void addHinges(Scene *scene)
{
    dBodyID driven = sceneAddBox(scene, 1, 0, 0, 2.6, rod);
    dJointID motor = sceneAddHinge(scene, driven, NULL, (const double[3]){0, 0, 3}, yAxis);
    dJointSetHingeParam(motor, dParamVel, 2);
    dJointSetHingeParam(motor, dParamFMax, 3);

    dBodyID pressed = sceneAddBox(scene, 1, 0, 2, 2.6, rod);
    dJointID stop = sceneAddHinge(scene, pressed, NULL, (const double[3]){0, 2, 3}, yAxis);
    dJointSetHingeParam(stop, dParamLoStop, -0.4);
    dJointSetHingeParam(stop, dParamHiStop, 0.4);
    dJointSetHingeParam(stop, dParamBounce, 0.3);
    dJointSetHingeParam(stop, dParamVel, 3);
    dJointSetHingeParam(stop, dParamFMax, 6);
    dJointSetHingeParam(stop, dParamFudgeFactor, 0.4);
}

/* Ball, universal with a stop and a motor, and an Euler motor across the ball. */
static void addUniversal(Scene *scene)
{
    dBodyID upper = sceneAddBox(scene, 1, 4, 0, 2.6, rod), lower = sceneAddBox(scene, 1, 4, 0, 1.8, rod);
    dJointID ball = sceneAddJoint(scene, dJointCreateBall(scene->world, NULL), upper, NULL);
    dJointSetBallAnchor(ball, 4, 0, 3);
    dJointID universal = sceneAddJoint(scene, dJointCreateUniversal(scene->world, NULL), lower, upper);
    dJointSetUniversalAnchor(universal, 4, 0, 2.2);
    dJointSetUniversalAxis1(universal, 1, 0, 0);
    dJointSetUniversalAxis2(universal, 0, 1, 0);
    dJointSetUniversalParam(universal, dParamLoStop, -0.2);
    dJointSetUniversalParam(universal, dParamHiStop, 0.2);
    dJointSetUniversalParam(universal, dParamVel2, 1);
    dJointSetUniversalParam(universal, dParamFMax2, 0.5);

    dJointID motor = sceneAddJoint(scene, dJointCreateAMotor(scene->world, NULL), upper, NULL);
    dJointSetAMotorMode(motor, dAMotorEuler);
    dJointSetAMotorAxis(motor, 0, 1, 1, 0, 0);
    dJointSetAMotorAxis(motor, 2, 0, 0, 0, 1);
    dJointSetAMotorParam(motor, dParamLoStop, -0.3);
    dJointSetAMotorParam(motor, dParamHiStop, 0.3);
    dJointSetAMotorParam(motor, dParamVel, 1);
    dJointSetAMotorParam(motor, dParamFMax, 4);
    dJointSetAMotorParam(motor, dParamFudgeFactor, 0.5);
    dJointSetAMotorParam(motor, dParamVel3, 0.5);
    dJointSetAMotorParam(motor, dParamFMax3, 0.2);
}

/* A cart: chassis, two sprung and driven wheels, and a motor in user mode on a third ball. */
static void addCart(Scene *scene)
{
    dBodyID chassis = addSolidBox(scene, 3, 8, 0, 0.7, SLIPPERY);
    for (int side = -1; side <= 1; side += 2) {
        dBodyID wheel = addBall(scene, 0.5, 8, 0.6 * side, 0.25, ROLLING);
        dJointID axle = sceneAddJoint(scene, dJointCreateHinge2(scene->world, NULL), chassis, wheel);
        dJointSetHinge2Anchor(axle, 8, 0.6 * side, 0.25);
        dJointSetHinge2Axes(axle, (const dReal[3]){0, 0, 1}, (const dReal[3]){0, 1, 0});
        dJointSetHinge2Param(axle, dParamLoStop, 0);
        dJointSetHinge2Param(axle, dParamHiStop, 0);
        dJointSetHinge2Param(axle, dParamSuspensionERP, 0.4);
        dJointSetHinge2Param(axle, dParamSuspensionCFM, 0.01);
        dJointSetHinge2Param(axle, dParamVel2, 2);
        dJointSetHinge2Param(axle, dParamFMax2, 0.4);
    }
    dBodyID tail = addBall(scene, 0.5, 7.4, 0, 0.25, PLAIN);
    dJointID ball = sceneAddJoint(scene, dJointCreateBall(scene->world, NULL), tail, chassis);
    dJointSetBallAnchor(ball, 7.6, 0, 0.45);
    dJointID brake = sceneAddJoint(scene, dJointCreateAMotor(scene->world, NULL), tail, chassis);
    dJointSetAMotorMode(brake, dAMotorUser);
    dJointSetAMotorNumAxes(brake, 1);
    dJointSetAMotorAxis(brake, 0, 2, 0, 1, 0);
    dJointSetAMotorParam(brake, dParamFMax, 0.1);
}

/* Sliding joints. PR and piston have their body first: attached the other way round, the engine
 * computes a false position error. */
static void addSliders(Scene *scene)
{
    dJointID slider =
        sceneAddJoint(scene, dJointCreateSlider(scene->world, NULL), sceneAddBox(scene, 1, 12, 0, 2, cube), NULL);
    dJointSetSliderAxis(slider, 0, 0, 1);
    dJointSetSliderParam(slider, dParamLoStop, -0.5);
    dJointSetSliderParam(slider, dParamHiStop, 0.5);
    dJointSetSliderParam(slider, dParamBounce, 0.5);
    dJointSetSliderParam(slider, dParamVel, 1.5);
    dJointSetSliderParam(slider, dParamFMax, 25);
    dJointSetSliderParam(slider, dParamFudgeFactor, 0.2);

    dJointID piston =
        sceneAddJoint(scene, dJointCreatePiston(scene->world, NULL), sceneAddBox(scene, 1, 12, 2, 2, cube), NULL);
    dJointSetPistonAnchor(piston, 12, 2, 2);
    dJointSetPistonAxis(piston, 0.6, 0, 0.8);
    dJointSetPistonParam(piston, dParamLoStop, -0.5);
    dJointSetPistonParam(piston, dParamHiStop, 0.5);
    dJointSetPistonParam(piston, dParamVel2, 1);
    dJointSetPistonParam(piston, dParamFMax2, 0.3);

    dJointID pr =
        sceneAddJoint(scene, dJointCreatePR(scene->world, NULL), sceneAddBox(scene, 1, 12.6, 4, 2, cube), NULL);
    dJointSetPRAnchor(pr, 12, 4, 2);
    dJointSetPRAxis1(pr, 0, 0, 1);
    dJointSetPRAxis2(pr, 0, 1, 0);
    dJointSetPRParam(pr, dParamVel1, 0.5);
    dJointSetPRParam(pr, dParamFMax1, 12);

    dJointID pu =
        sceneAddJoint(scene, dJointCreatePU(scene->world, NULL), sceneAddBox(scene, 1, 12, 6, 1.4, cube), NULL);
    dJointSetPUAnchor(pu, 12, 6, 2);
    dJointSetPUAxis1(pu, 1, 0, 0);
    dJointSetPUAxis2(pu, 0, 1, 0);
    dJointSetPUAxis3(pu, 0, 0, 1);
    dJointSetPUParam(pu, dParamLoStop3, -0.1);
    dJointSetPUParam(pu, dParamHiStop3, 0.1);
    dJointSetPUParam(pu, dParamVel1, 0.4);
    dJointSetPUParam(pu, dParamFMax1, 0.5);
}

/* Joints with few rows, and a soft joint. */
static void addOddJoints(Scene *scene)
{
    dJointID linear =
        sceneAddJoint(scene, dJointCreateLMotor(scene->world, NULL), addSolidBox(scene, 1, 16, 0, 0.25, PLAIN), NULL);
    dJointSetLMotorNumAxes(linear, 2);
    dJointSetLMotorAxis(linear, 0, 0, 1, 0, 0);
    dJointSetLMotorAxis(linear, 1, 0, 0, 1, 0);
    dJointSetLMotorParam(linear, dParamVel, 0.3);
    dJointSetLMotorParam(linear, dParamFMax, 8);
    dJointSetLMotorParam(linear, dParamFMax2, 2);

    dBodyID puck = sceneAddBox(scene, 1, 16, 2, 0, cube);  // the joint holds it in z = 0
    dJointID plane = sceneAddJoint(scene, dJointCreatePlane2D(scene->world, NULL), puck, NULL);
    dJointSetPlane2DXParam(plane, dParamVel, 0.2);
    dJointSetPlane2DXParam(plane, dParamFMax, 1);
    dJointSetPlane2DAngleParam(plane, dParamVel, 0.5);
    dJointSetPlane2DAngleParam(plane, dParamFMax, 0.2);

    dBodyID bob = sceneAddBox(scene, 1, 16.5, 4, 2.2, cube), tail = sceneAddBox(scene, 1, 17, 4, 1.6, cube);
    dJointID rope = sceneAddJoint(scene, dJointCreateDBall(scene->world, NULL), bob, NULL);
    dJointSetDBallAnchor1(rope, 16.5, 4, 2.4);
    dJointSetDBallAnchor2(rope, 16, 4, 3);
    dJointID link = sceneAddJoint(scene, dJointCreateDHinge(scene->world, NULL), tail, bob);
    dJointSetDHingeAxis(link, 0, 1, 0);
    dJointSetDHingeAnchor1(link, 17, 4, 1.6);
    dJointSetDHingeAnchor2(link, 16.5, 4, 2.2);

    dBodyID post = sceneAddBox(scene, 1, 16, 6, 2, rod), arm = sceneAddBox(scene, 1, 16.4, 6, 2.4, cube);
    dJointSetFixed(sceneAddJoint(scene, dJointCreateFixed(scene->world, NULL), NULL, post));
    dJointID soft = sceneAddJoint(scene, dJointCreateFixed(scene->world, NULL), arm, post);
    dJointSetFixed(soft);
    dJointSetFixedParam(soft, dParamERP, 0.5);
    dJointSetFixedParam(soft, dParamCFM, 1e-3);
}

/* Two wheels in mesh, one of them driven. */
static void addGears(Scene *scene)
{
    const double wheel[3] = {0.6, 0.1, 0.6}, left[3] = {20, 0, 2}, right[3] = {21, 0, 2};
    dBodyID driver = sceneAddBox(scene, 1, left[0], left[1], left[2], wheel);
    dBodyID driven = sceneAddBox(scene, 1, right[0], right[1], right[2], wheel);
    dJointID axle = sceneAddHinge(scene, driver, NULL, left, yAxis);
    sceneAddHinge(scene, driven, NULL, right, yAxis);
    dJointSetHingeParam(axle, dParamVel, 3);
    dJointSetHingeParam(axle, dParamFMax, 0.5);

    dJointID gears = sceneAddJoint(scene, dJointCreateTransmission(scene->world, NULL), driver, driven);
    dJointSetTransmissionMode(gears, dTransmissionParallelAxes);
    dJointSetTransmissionAxis(gears, 0, 1, 0);
    dJointSetTransmissionAnchor1(gears, left[0], left[1], left[2]);
    dJointSetTransmissionAnchor2(gears, right[0], right[1], right[2]);
    dJointSetTransmissionRatio(gears, 0.5);
    dJointSetTransmissionBacklash(gears, 0);
}

/* Free bodies: over the plane, on a belt, on a lift, in the air. */
static void addFreeBodies(Scene *scene)
{
    addSolidBox(scene, 1, 24, 0, 0.6, PLAIN);
    addSolidBox(scene, 1, 24.05, 0.02, 1.1, BOUNCY);
    addSolidBox(scene, 1, 24, 2, 0.4, SLIPPERY);
    addSolidBox(scene, 1, 24, 4, 0.3, BELT);
    addBall(scene, 1, 28, 0, 1, BOUNCY);
    dBodySetLinearVel(addBall(scene, 1, 28, 2, 0.2, ROLLING), 1, 0, 0);

    dBodyID lift = addSolidBox(scene, 1, 32, 0, 0.5, PLAIN);
    dBodySetKinematic(lift);
    dBodySetLinearVel(lift, 0, 0, 0.05);
    addSolidBox(scene, 1, 32.05, 0.05, 1, PLAIN);

    dBodyID top = sceneAddBox(scene, 1, 36, 0, 3, (const double[3]){0.2, 0.4, 0.8});
    dBodySetGravityMode(top, 0);
    dBodySetAngularVel(top, 0.1, 8, 0.2);
    dBodySetFiniteRotationMode(top, 1);
    dBodySetAngularDamping(top, 0.001);

    dBodyID capped = sceneAddBox(scene, 1, 36, 2, 3, rod);
    dBodySetGravityMode(capped, 0);
    dBodySetGyroscopicMode(capped, 0);
    dBodySetMaxAngularSpeed(capped, 3);
    dBodySetAngularVel(capped, 4, 0, 0.5);
    dBodySetLinearDamping(capped, 0.002);

    dBodyID sleeper = addSolidBox(scene, 1, 40, 0, 0.2, PLAIN);
    dBodySetAutoDisableFlag(sleeper, 1);
    dBodySetAutoDisableSteps(sleeper, 50);
}

/* Of two surfaces the later one in the enumeration decides. */
static void setSurface(dSurfaceParameters *surface, Surface kind)
{
    *surface = (dSurfaceParameters){.mode = dContactApprox1, .mu = 0.6};
    switch (kind) {
    case PLAIN:
        surface->mode |= dContactSoftERP | dContactSoftCFM;
        surface->soft_erp = 0.3;
        surface->soft_cfm = 1e-5;
        break;
    case SLIPPERY:
        surface->mu = 0;
        break;
    case BOUNCY:
        surface->mode |= dContactBounce;
        surface->bounce = 0.5;
        surface->bounce_vel = 0.1;
        break;
    case ROLLING:
        surface->mode |= dContactRolling;
        surface->rho = 0.005;
        surface->rho2 = 0.005;
        surface->rhoN = 0.002;
        break;
    case BELT:
        surface->mode |= dContactMotion1 | dContactFDir1 | dContactMu2;
        surface->motion1 = 0.3;
        surface->mu2 = 0.2;
        break;
    }
}

static void collide(void *data, dGeomID a, dGeomID b)
{
    Scene *scene = data;
    dBodyID first = dGeomGetBody(a), second = dGeomGetBody(b);
    if (first && second && dAreConnectedExcluding(first, second, dJointTypeContact))
        return;
    dContact contact[MAX_CONTACTS];
    int count = dCollide(a, b, MAX_CONTACTS, &contact[0].geom, sizeof(dContact));
    Surface kindA = *(const Surface *)dGeomGetData(a), kindB = *(const Surface *)dGeomGetData(b);
    for (int i = 0; i < count; i++) {
        setSurface(&contact[i].surface, kindA > kindB ? kindA : kindB);
        contact[i].fdir1[0] = xAxis[0];
        contact[i].fdir1[1] = xAxis[1];
        contact[i].fdir1[2] = xAxis[2];
        contact[i].fdir1[3] = 0;
        dJointAttach(dJointCreateContact(scene->world, scene->contacts, &contact[i]), first, second);
        scene->contactCount++;
    }
}

static void pushAndTouch(Scene *scene)
{
    double phase = 0.01 * (double)scene->step;
    for (int i = PUSHED_FIRST; i < PUSHED_FIRST + PUSHED_COUNT; i++) {
        dBodyAddForce(scene->body[i], 0.3 * sin(phase + i), 0.2 * cos(phase), 0.1);
        dBodyAddRelTorque(scene->body[i], 0.02, 0.01 * sin(2 * phase), 0);
    }
    dJointAddHingeTorque(scene->joint[0], 0.1 * cos(phase));
    dSpaceCollide(scene->space, scene, collide);
}

Scene *sceneZoo(void)
{
    Scene *scene = sceneCreate(BODY_ROOM, JOINT_ROOM);
    if (!scene)
        return NULL;
    scene->space = dSimpleSpaceCreate(NULL);
    scene->contacts = dJointGroupCreate(0);
    scene->beforeStep = pushAndTouch;
    dGeomID ground = dCreatePlane(scene->space, 0, 0, 1, 0);
    dGeomSetData(ground, (void *)&surfaceTable[PLAIN]);
    addHinges(scene);
    addUniversal(scene);
    addCart(scene);
    addSliders(scene);
    addOddJoints(scene);
    addGears(scene);
    addFreeBodies(scene);
    return scene;
}
