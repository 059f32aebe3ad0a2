/* traps.c  A program that meets a trap of the engine, or, with "right", does the like without it:
 *
 *     traps NAME [right | found]
 *
 * found: it asks dlsym(3) for the function. A pendulum swings meanwhile; where it ends is printed, to the bit. */
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

static void askRates(int step, void *user)
{
    dJointID *joint = user;
    (void)step;
    (void)dJointGetSliderPositionRate(joint[0]);
    (void)dJointGetPistonPositionRate(joint[1]);
    (void)dJointGetPRPositionRate(joint[2]);
}

/* Pairs of bodies 1 m apart that turn as one; right: that move as one. */
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

/* --- Meshes */

/* A cube of 1 m, with its centre or a corner at the origin. */
static dGeomID cubeMesh(int isCentred, double vertex[24])
{
    static dTriIndex corner[36] = {0, 2, 1, 0, 3, 2, 4, 5, 6, 4, 6, 7, 0, 1, 5, 0, 5, 4,
                                   1, 2, 6, 1, 6, 5, 2, 3, 7, 2, 7, 6, 3, 0, 4, 3, 4, 7};
    for (int i = 0; i < 8; i++) {
        vertex[3 * i] = (i % 4 == 1 || i % 4 == 2) - (isCentred ? 0.5 : 0);
        vertex[3 * i + 1] = (i % 4 >= 2) - (isCentred ? 0.5 : 0);
        vertex[3 * i + 2] = (i >= 4) - (isCentred ? 0.5 : 0);
    }
    dTriMeshDataID data = dGeomTriMeshDataCreate();
    dGeomTriMeshDataBuildDouble(data, vertex, 3 * sizeof(double), 8, corner, 36, 3 * sizeof(dTriIndex));
    return dCreateTriMesh(NULL, data, NULL, NULL, NULL);
}

static void meshInertia(void)
{
    double vertex[24];
    dMass mass;
    dMassSetTrimeshTotal(&mass, 1, cubeMesh(isRight, vertex));
    run(NULL, NULL);
}

/* A cube that is turned stands on another one; right: on a box. */
static void meshDepth(void)
{
    double vertex[2][24];
    dGeomID upper = cubeMesh(1, vertex[1]);
    dGeomID lower = isRight ? dCreateBox(NULL, 1, 1, 1) : cubeMesh(1, vertex[0]);
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

/* --- Contacts */

typedef struct Belt {
    dBodyID box, floor;
    dJointID contact;
} Belt;

/* Which of the two comes first changes; right: the motion with it. */
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

/* To and fro, at most at 1 rad/s. */
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
    } trap[] = {{"piston-force", pistonForce},
                {"slide-rate", slideRate},
                {"euler-angle", eulerAngle},
                {"mesh-inertia", meshInertia},
                {"mesh-depth", meshDepth},
                {"motion-order", motionOrder},
                {"sleep", sleepOf},
                {"normal-motion", normalMotion}};
    dBodyID link[1];
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
        if (argc > 1 && strcmp(argv[1], trap[i].name) == 0)
            trap[i].run();
    const dReal *at = dBodyGetPosition(link[0]);
    printf("%a %a %a\n", at[0], at[1], at[2]);
    dWorldDestroy(world);
    dCloseODE();
    return 0;
}
