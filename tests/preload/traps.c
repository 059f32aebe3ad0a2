/* traps.c  A program that meets a trap of the engine, or, with "right", does something similar
 * without it:
 *
 *     traps NAME [right | wrong | found] [JOINT]
 *
 * found: like wrong, with the function from dlsym(3). Meanwhile a pendulum swings; its final
 * position is printed, to the bit. */
#include "../kits/mesh_kit.h"
#include "chain.h"

#include <dlfcn.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { STEPS = 100 };

static const double h = 0.01;
static dWorldID world;
static int isRight;

typedef void AddForce(dJointID joint, dReal force);
static AddForce *addForce = dJointAddPistonForce;

static dBodyID makeBody(double x, double y, double z)
{
    dMass mass;
    dMassSetSphereTotal(&mass, 1, 0.3);
    dBodyID body = dBodyCreate(world);
    dBodySetMass(body, &mass);
    dBodySetPosition(body, x, y, z);
    dBodySetGravityMode(body, 0);
    return body;
}

static void run(void (*each)(int step, void *user), void *user)
{
    for (int i = 0; i < STEPS; i++) {
        if (each)
            each(i, user);
        dWorldStep(world, h);
    }
}

/* --- Joints */

static void pistonForce(void)
{
    dBodyID body = makeBody(5, 0, 0);
    dJointID joint = dJointCreatePiston(world, NULL);
    dJointAttach(joint, isRight ? body : NULL, isRight ? NULL : body);
    dJointSetPistonAnchor(joint, 5, 0, 0);
    dJointSetPistonAxis(joint, 0, 0, 1);
    addForce(joint, 1);
    run(NULL, NULL);
}

/* Both mass centres 0.2 m beside the axis; right: the first alone, or both by rounding. */
static void pistonForceOfPair(void)
{
    for (int i = 0; i < 2; i++) {
        const int isRounded = isRight && i == 1;
        const double first = isRounded ? 0 : 0.2, second = isRounded ? 1e-11 : isRight ? 0 : 0.2;
        dJointID joint = dJointCreatePiston(world, NULL);
        dJointAttach(joint, makeBody(5 + first, i, 0), makeBody(5 + second, i, isRounded ? 0 : 1));
        dJointSetPistonAnchor(joint, 5, i, 0);
        dJointSetPistonAxis(joint, 0, 0, 1);
        dJointAddPistonForce(joint, 1);
    }
    run(NULL, NULL);
}

static void askRates(int step, void *user)
{
    dJointID *joint = user;
    (void)step;
    (void)dJointGetSliderPositionRate(joint[0]);
    (void)dJointGetPistonPositionRate(joint[1]);
    (void)dJointGetPRPositionRate(joint[2]);
}

/* Pairs of bodies 1 m apart that turn as one; right: that translate as one. */
static void slideRate(void)
{
    dJointID joint[3] = {dJointCreateSlider(world, NULL), dJointCreatePiston(world, NULL), dJointCreatePR(world, NULL)};
    for (int i = 0; i < 3; i++) {
        dBodyID first = makeBody(5 + i, 0, 0), second = makeBody(5 + i, 1, 0);
        dJointAttach(joint[i], first, second);
        for (int k = 0; k < 2; k++) {
            dBodyID body = k == 0 ? first : second;
            dBodySetAngularVel(body, isRight ? 0 : 1, 0, 0);
            dBodySetLinearVel(body, 0, 0, isRight || k == 1);
        }
    }
    dJointSetSliderAxis(joint[0], 0, 0, 1);
    dJointSetPistonAnchor(joint[1], 6, 0, 0);
    dJointSetPistonAxis(joint[1], 0, 0, 1);
    dJointSetPRAnchor(joint[2], 7, 1, 0);
    dJointSetPRAxis1(joint[2], 0, 0, 1);
    dJointSetPRAxis2(joint[2], 1, 0, 0);
    run(askRates, joint);
}

static void askPRRate(int step, void *user)
{
    (void)step;
    (void)dJointGetPRPositionRate(user);
}

/* A body that swings about a pivot of the world, 0.5 m beside the slide; right: it stands on the
 * slide, but for the joint's drift, and turns round near the pivot. */
static void slideRateOfPR(void)
{
    dBodyID body = makeBody(5, isRight ? 0 : 0.5, 1);
    dJointID joint = dJointCreatePR(world, NULL);
    dJointAttach(joint, body, NULL);
    dJointSetPRAnchor(joint, 5, 0, 0);
    dJointSetPRAxis1(joint, 0, 0, 1);
    dJointSetPRAxis2(joint, 1, 0, 0);
    dBodySetAngularVel(body, 1, 0, 0);
    dBodySetLinearVel(body, 0, -1, isRight ? -2 : 0.5);
    run(askPRRate, joint);
}

static void askPURate(int step, void *user)
{
    (void)step;
    (void)dJointGetPUPositionRate(user);
}

/* A body that spins about the anchor of its own slide; right: it does not spin. */
static void slideRateOfPU(void)
{
    dBodyID first = makeBody(5, 0, 0), second = makeBody(5, 1, 0);
    dJointID joint = dJointCreatePU(world, NULL);
    dJointAttach(joint, first, second);
    dJointSetPUAnchor(joint, 6, 0, 0);
    dJointSetPUAxis1(joint, 0, 0, 1);
    dJointSetPUAxis2(joint, 0, 1, 0);
    dJointSetPUAxis3(joint, 1, 0, 0);
    dBodySetAngularVel(second, 0, 0, isRight ? 0 : 1);
    dBodySetLinearVel(first, 1, 0, 0);
    run(askPURate, joint);
}

static void askAngle(int step, void *user)
{
    (void)step;
    (void)dJointGetAMotorAngle(user, 0);
}

static void eulerAngle(void)
{
    dJointID motor = dJointCreateAMotor(world, NULL);
    dJointAttach(motor, makeBody(5, 0, 0), NULL);
    dJointSetAMotorMode(motor, dAMotorEuler);
    dJointSetAMotorAxis(motor, 0, 1, 1, 0, 0);
    dJointSetAMotorAxis(motor, 2, 2, 0, 0, 1);
    dJointSetAMotorParam(motor, dParamFMax, 1e3);
    dJointSetAMotorParam(motor, dParamVel, isRight ? 0 : 0.5);
    run(askAngle, motor);
}

/* --- Signs and parameters */

static dJointID makeUniversal(int isReversed)
{
    dBodyID body = makeBody(5, 0, 0);
    dJointID joint = dJointCreateUniversal(world, NULL);
    dJointAttach(joint, isReversed ? NULL : body, isReversed ? body : NULL);
    dJointSetUniversalAnchor(joint, 5, 0, 0);
    dJointSetUniversalAxis1(joint, 0, 0, 1);
    dJointSetUniversalAxis2(joint, 0, 1, 0);
    return joint;
}

static void reversedTorque(void)
{
    dJointID joint = makeUniversal(1);
    dJointAddUniversalTorques(joint, isRight ? 0 : 1, 1);
    dJointAddUniversalTorques(makeUniversal(0), 1, 1);
    run(NULL, NULL);
}

static void askUniversalRate(int step, void *user)
{
    (void)step;
    (void)dJointGetUniversalAngle2Rate(user);
}

static void angleRate(void)
{
    dJointID joint = makeUniversal(!isRight);
    dBodySetAngularVel(dJointGetBody(joint, isRight ? 0 : 1), 0, 1, 0);
    run(askUniversalRate, joint);
}

static void askHinge2(int step, void *user)
{
    (void)step;
    (void)dJointGetHinge2Angle2(user);
}

static void angleRateOfHinge2(void)
{
    static const dVector3 up = {0, 0, 1}, across = {0, 1, 0};
    dBodyID wheel = makeBody(5, 0, 0);
    dJointID joint = dJointCreateHinge2(world, NULL);
    dJointAttach(joint, makeBody(5, -1, 0), wheel);
    dJointSetHinge2Anchor(joint, 5, 0, 0);
    dJointSetHinge2Axes(joint, up, across);
    dBodySetAngularVel(wheel, 0, isRight ? 0 : 1, 0);
    run(askHinge2, joint);
}

static void askGears(int step, void *user)
{
    (void)step;
    (void)dJointGetTransmissionAngle1(user);
    (void)dJointGetTransmissionAngle2(user);
}

static void gearAngle(void)
{
    dBodyID wheel[2];
    for (int i = 0; i < 2; i++) {
        wheel[i] = makeBody(5, i, 0);
        dJointID hinge = dJointCreateHinge(world, NULL);
        dJointAttach(hinge, wheel[i], NULL);
        dJointSetHingeAnchor(hinge, 5, i, 0);
        dJointSetHingeAxis(hinge, 0, 0, 1);
        dBodySetAngularVel(wheel[i], 0, 0, isRight ? 0 : i ? -1 : 1);
    }
    dJointID gears = dJointCreateTransmission(world, NULL);
    dJointAttach(gears, wheel[0], wheel[1]);
    dJointSetTransmissionMode(gears, dTransmissionParallelAxes);
    dJointSetTransmissionAxis(gears, 0, 0, 1);
    dJointSetTransmissionAnchor1(gears, 5, 0, 0);
    dJointSetTransmissionAnchor2(gears, 5, 1, 0);
    dJointSetTransmissionRatio(gears, 1);
    run(askGears, gears);
}

/* For an lmotor, whose default stops do not count as stops. */
static void noStop(void)
{
    dJointID motor = dJointCreateLMotor(world, NULL);
    dJointAttach(motor, makeBody(5, 0, 0), NULL);
    dJointSetLMotorNumAxes(motor, 2);
    dJointSetLMotorParam(motor, dParamVel2, 1);
    dJointSetLMotorParam(motor, dParamHiStop2, isRight ? dInfinity : 1);
    run(NULL, NULL);
}

static void noStopOfPlane2D(void)
{
    typedef void Set(dJointID joint, int parameter, dReal value);
    static Set *const set[] = {dJointSetPlane2DXParam, dJointSetPlane2DYParam, dJointSetPlane2DAngleParam};
    dJointID plane = dJointCreatePlane2D(world, NULL);
    dJointAttach(plane, makeBody(5, 0, 0), NULL);
    for (int i = 0; i < 3; i++)
        set[i](plane, isRight ? dParamVel : dParamLoStop, -1);
    run(NULL, NULL);
}

/* right: an allowed offset */
static void axisOffset(void)
{
    dBodyID first = makeBody(5, 0, 0), second = makeBody(5, 1, 0);
    dJointID joint = dJointCreateUniversal(world, NULL);
    dJointAttach(joint, first, isRight ? second : NULL);
    dJointSetUniversalAnchor(joint, 5, 0, 0);
    dJointSetUniversalAxis1(joint, 0, 0, 1);
    dJointSetUniversalAxis2(joint, 0, 1, 0);
    dJointSetUniversalAxis1Offset(joint, 0, 0, 1, 0.2, 0.3);
    run(NULL, NULL);
}

static void axisOffsetOfHinge(void)
{
    dJointID joint = dJointCreateHinge(world, NULL);
    dJointAttach(joint, makeBody(5, 0, 0), NULL);
    dJointSetHingeAnchor(joint, 5, 0, 0);
    dJointSetHingeAxisOffset(joint, 0, 0, 1, isRight ? 0 : 0.3);
    run(NULL, NULL);
}

static void axisOffsetOfSlider(void)
{
    dJointID joint = dJointCreateSlider(world, NULL);
    dJointAttach(joint, makeBody(5, 0, 0), NULL);
    dJointSetSliderAxisDelta(joint, 0, 0, 1, 0, 0, isRight ? 0 : 0.3);
    run(NULL, NULL);
}

/* Right: whole turns apart, the angles are the same. */
static void axisOffsetOfTurns(void)
{
    dBodyID first = makeBody(5, 0, 0), second = makeBody(5, 1, 0);
    dJointID hinge = dJointCreateHinge(world, NULL), universal = dJointCreateUniversal(world, NULL);
    dJointAttach(hinge, first, NULL);
    dJointSetHingeAnchor(hinge, 5, 0, 0);
    dJointSetHingeAxisOffset(hinge, 0, 0, 1, isRight ? M_PI : M_PI / 2);
    dJointAttach(universal, first, second);
    dJointSetUniversalAnchor(universal, 5, 0, 0);
    dJointSetUniversalAxis1(universal, 0, 0, 1);
    dJointSetUniversalAxis2(universal, 0, 1, 0);
    dJointSetUniversalAxis1Offset(universal, 0, 0, 1, 4, 0);
    dJointSetUniversalAxis1Offset(universal, 0, 0, 1, -7, 0);
    run(NULL, NULL);
}

static void plane2dBodies(void)
{
    dBodyID first = makeBody(5, 0, 0), second = makeBody(6, 0, 0);
    dJointAttach(dJointCreatePlane2D(world, NULL), first, isRight ? NULL : second);
    dJointAttach(dJointCreateBall(world, NULL), first, second);
    run(NULL, NULL);
}

static void export(void)
{
    FILE *file = isRight ? NULL : tmpfile();
    if (file) {
        dWorldExportDIF(world, file, "");
        fclose(file);
    }
    run(NULL, NULL);
}

static void relaxation(void)
{
    dWorldSetQuickStepW(world, isRight ? 1.9 : 2);
    run(NULL, NULL);
}

static void noRelaxation(void)
{
    dWorldSetQuickStepW(world, isRight ? 0.1 : 0);
    run(NULL, NULL);
}

/* --- Meshes */

static void meshInertia(void)
{
    double vertex[24];
    dMass mass;
    dMassSetTrimeshTotal(&mass, 1, makeCubeMesh(isRight, vertex));
    run(NULL, NULL);
}

/* A cube that is mirrored in memory: its triangles face inwards, and its mass is negative. */
static void meshInertiaInsideOut(void)
{
    double vertex[24];
    dMass mass;
    dGeomID cube = makeCubeMesh(isRight, vertex);
    for (int i = 0; i < 24; i += 3)
        vertex[i] = -vertex[i];
    dGeomTriMeshDataUpdate(dGeomTriMeshGetData(cube));
    dMassSetTrimesh(&mass, 1, cube);
    run(NULL, NULL);
}

/* A rotated cube stands on another one; right: on a box. */
static void meshDepth(void)
{
    double vertex[2][24];
    dGeomID upper = makeCubeMesh(1, vertex[1]);
    dGeomID lower = isRight ? dCreateBox(NULL, 1, 1, 1) : makeCubeMesh(1, vertex[0]);
    for (int k = 0; k < 20; k++) {
        dContactGeom contact[64];
        dMatrix3 rotation;
        dRFromAxisAndAngle(rotation, 0, 0, 1, 0.1 * k);
        dGeomSetRotation(upper, rotation);
        dGeomSetPosition(upper, 0.1 * (k % 5), 0.05 * (k % 7), 0.999);
        (void)dCollide(lower, upper, 64, contact, sizeof *contact);
    }
    run(NULL, NULL);
}

/* Tilted boxes on a floor of two triangles; right: balls, and boxes at its edge. */
static void meshNormal(void)
{
    static double vertex[12] = {-5, -5, 0, 5, -5, 0, 5, 5, 0, -5, 5, 0};
    static dTriIndex corner[6] = {0, 1, 2, 0, 2, 3};
    dTriMeshDataID data = dGeomTriMeshDataCreate();
    dGeomTriMeshDataBuildDouble(data, vertex, 3 * sizeof(double), 4, corner, 6, 3 * sizeof(dTriIndex));
    dGeomID floor = dCreateTriMesh(NULL, data, NULL, NULL, NULL);
    dGeomID geom = dCreateBox(NULL, 0.4, 0.3, 0.2), ball = dCreateSphere(NULL, 0.1);
    for (int k = 0; k < 4000; k++) {
        dContactGeom contact[32];
        dMatrix3 rotation;
        dReal box[6];
        dRFromEulerAngles(rotation, 0.1 * k, 0.37 * k, 0.73 * k);
        dGeomSetRotation(geom, rotation);
        dGeomSetPosition(geom, 0, 0, 0);
        dGeomGetAABB(geom, box);
        dGeomSetPosition(geom, isRight ? 5 : 0.001 * (k % 997), 0.0007 * (k % 983), -box[4] - 0.005);
        (void)dCollide(floor, geom, 32, contact, sizeof *contact);
        dGeomSetPosition(ball, 0.001 * (k % 997), 0.0007 * (k % 983), 0.095);
        (void)dCollide(ball, floor, 32, contact, sizeof *contact);
    }
    run(NULL, NULL);
}

/* --- Contacts */

typedef struct Belt {
    dBodyID box, floor;
    dJointID contact;
} Belt;

/* The order of the two bodies alternates; right: the motion with it. */
static void touch(int step, void *user)
{
    Belt *belt = user;
    const int isTurned = step / 10 % 2;
    dContact contact;
    memset(&contact, 0, sizeof contact);
    contact.surface.mode = dContactMotion1 | dContactFDir1;
    contact.surface.mu = 1e3;
    contact.surface.motion1 = isTurned && isRight ? -2 : 2;
    contact.fdir1[0] = 1;
    contact.geom.normal[2] = isTurned ? -1 : 1;
    if (belt->contact)
        dJointDestroy(belt->contact);
    belt->contact = dJointCreateContact(world, NULL, &contact);
    dJointAttach(belt->contact, isTurned ? belt->floor : belt->box, isTurned ? belt->box : belt->floor);
}

static void motionOrder(void)
{
    Belt belt = {makeBody(5, 0, 0.3), makeBody(5, 0, -1), NULL};
    dBodySetKinematic(belt.floor);
    run(touch, &belt);
}

/* A vehicle on two tracks, one of which comes before the floor and one after it. Right: it turns in
 * place, so the tracks run against each other, each in one order. Wrong: the order of one track
 * changes, and its motion does not. */
typedef struct Tracks {
    dBodyID hull, floor;
    dGeomID track[2], ground;
    dJointGroupID group;
} Tracks;

static void touchTracks(int step, void *user)
{
    const Tracks *tracks = user;
    dJointGroupEmpty(tracks->group);
    for (int i = 0; i < 2; i++) {
        const int isTurned = i == 1 || (!isRight && step / 10 % 2);
        dContact contact;
        memset(&contact, 0, sizeof contact);
        contact.surface.mode = dContactMotion1 | dContactFDir1;
        contact.surface.mu = 10;
        contact.surface.motion1 = 2;
        contact.fdir1[0] = 1;
        contact.geom.normal[2] = isTurned ? -1 : 1;
        contact.geom.pos[0] = 5;
        contact.geom.pos[1] = i == 0 ? 0.5 : -0.5;
        contact.geom.g1 = isTurned ? tracks->ground : tracks->track[i];
        contact.geom.g2 = isTurned ? tracks->track[i] : tracks->ground;
        dJointAttach(dJointCreateContact(world, tracks->group, &contact), isTurned ? tracks->floor : tracks->hull,
                     isTurned ? tracks->hull : tracks->floor);
    }
}

static void motionOrderOfTracks(void)
{
    Tracks tracks = {makeBody(5, 0, 0.3), makeBody(5, 0, -1), {NULL, NULL}, NULL, dJointGroupCreate(0)};
    dBodySetKinematic(tracks.floor);
    tracks.ground = dCreateBox(NULL, 9, 9, 1);
    for (int i = 0; i < 2; i++)
        tracks.track[i] = dCreateBox(NULL, 1, 0.2, 0.2);
    run(touchTracks, &tracks);
    dJointGroupEmpty(tracks.group);
}

static void normalMotion(void)
{
    dContact contact;
    memset(&contact, 0, sizeof contact);
    contact.surface.mode = dContactMotionN;
    contact.surface.motionN = isRight ? 0.2 : 2;
    contact.geom.normal[2] = 1;
    dWorldSetContactMaxCorrectingVel(world, 0.5);
    dJointAttach(dJointCreateContact(world, NULL, &contact), makeBody(5, 0, 0), NULL);
    run(NULL, NULL);
}

/* --- Sleep */

/* To and fro, at up to 1 rad/s. */
static void shake(int step, void *user)
{
    if (!isRight && dBodyIsEnabled(user))
        dBodyAddTorque(user, 0, 0, step % 20 < 5 || step % 20 >= 15 ? 1 : -1);
}

static void sleepOf(void)
{
    dBodyID body = makeBody(5, 0, 0);
    dJointID hinge = dJointCreateHinge(world, NULL);
    dJointAttach(hinge, body, NULL);
    dJointSetHingeAxis(hinge, 0, 0, 1);
    dJointSetHingeAnchor(hinge, 5, 0, 0);
    dBodySetAutoDisableFlag(body, 1);
    dBodySetAutoDisableAverageSamplesCount(body, 20);
    run(shake, body);
}

/* --- */

int main(int argc, char **argv)
{
    static const struct {
        const char *name;
        void (*run)(void);
        const char *of; /* NULL: the joint in which it was found first */
    } trap[] = {{"piston-force", pistonForce},
                {"piston-force", pistonForceOfPair, "pair"},
                {"slide-rate", slideRate},
                {"slide-rate", slideRateOfPU, "PU"},
                {"slide-rate", slideRateOfPR, "PR"},
                {"euler-angle", eulerAngle},
                {"reversed-torque", reversedTorque},
                {"angle-rate", angleRate},
                {"angle-rate", angleRateOfHinge2, "hinge2"},
                {"gear-angle", gearAngle},
                {"no-stop", noStop},
                {"no-stop", noStopOfPlane2D, "plane2d"},
                {"axis-offset", axisOffset},
                {"axis-offset", axisOffsetOfHinge, "hinge"},
                {"axis-offset", axisOffsetOfSlider, "slider"},
                {"axis-offset", axisOffsetOfTurns, "turns"},
                {"plane2d-bodies", plane2dBodies},
                {"export", export},
                {"mesh-normal", meshNormal},
                {"mesh-inertia", meshInertia},
                {"mesh-inertia", meshInertiaInsideOut, "inside-out"},
                {"relaxation", relaxation},
                {"relaxation", noRelaxation, "none"},
                {"mesh-depth", meshDepth},
                {"motion-order", motionOrder},
                {"motion-order", motionOrderOfTracks, "tracks"},
                {"sleep", sleepOf},
                {"normal-motion", normalMotion}};
    dBodyID link[1];
    const char *of = argc > 3 ? argv[3] : "";
    isRight = argc > 2 && strcmp(argv[2], "right") == 0;
    dInitODE2(0);
    if (argc > 2 && strcmp(argv[2], "found") == 0) {
        void *engine = dlopen("libode.so.8", RTLD_LAZY | RTLD_NOLOAD);
        union {
            void *address;
            AddForce *function;
        } found = {engine ? dlsym(engine, "dJointAddPistonForce") : NULL};
        if (!found.address)
            return 2;
        addForce = found.function;
    }
    world = dWorldCreate();
    dWorldSetGravity(world, 0, 0, -9.81);
    addLink(world, link, 0);
    for (size_t i = 0; i < sizeof trap / sizeof *trap; i++)
        if (argc > 1 && strcmp(argv[1], trap[i].name) == 0 && strcmp(of, trap[i].of ? trap[i].of : "") == 0)
            trap[i].run();
    const dReal *at = dBodyGetPosition(link[0]);
    printf("%a %a %a\n", at[0], at[1], at[2]);
    dWorldDestroy(world);
    dCloseODE();
    return 0;
}
