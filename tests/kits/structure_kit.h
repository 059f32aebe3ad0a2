/* structure_kit.h  Structures at rest whose joints share a load, and three ways to step them. */
#ifndef TESTS_KITS_STRUCTURE_KIT_H
#define TESTS_KITS_STRUCTURE_KIT_H

#include "support.h"

enum { MOST_BODIES = 24, MOST_JOINTS = 40 };

static const double h = 0.005;

typedef struct Structure {
    dWorldID world;
    dBodyID body[MOST_BODIES];
    dJointID joint[MOST_JOINTS];
    dJointFeedback feedback[MOST_JOINTS];
    int bodies, joints;
} Structure;

static dBodyID box(Structure *s, double mass, const double size[3], double x, double y, double z)
{
    dMass m;
    const dBodyID body = s->body[s->bodies++] = dBodyCreate(s->world);
    dMassSetBoxTotal(&m, mass, size[0], size[1], size[2]);
    dBodySetMass(body, &m);
    dBodySetPosition(body, x, y, z);
    dBodySetDamping(body, 0.05, 0.05);
    return body;
}

static dJointID join(Structure *s, dJointID joint, dBodyID first, dBodyID second)
{
    dJointAttach(joint, first, second);
    dJointSetFeedback(joint, &s->feedback[s->joints]);
    return s->joint[s->joints++] = joint;
}

static void ball(Structure *s, dBodyID first, dBodyID second, double x, double y, double z)
{
    dJointSetBallAnchor(join(s, dJointCreateBall(s->world, 0), first, second), x, y, z);
}

static void weld(Structure *s, dBodyID first, dBodyID second)
{
    dJointSetFixed(join(s, dJointCreateFixed(s->world, 0), first, second));
}

static void makeDoor(Structure *s)
{
    const dBodyID door = box(s, 30, (double[3]){1, 0.05, 2}, 0.5, 0, 1);
    for (int i = 0; i < 2; i++) {
        const dJointID hinge = join(s, dJointCreateHinge(s->world, 0), door, NULL);
        dJointSetHingeAnchor(hinge, 0, 0, 0.3 + 1.5 * i);
        dJointSetHingeAxis(hinge, 0, 0, 1);
    }
}

/* The mass centre is nearer to one end. */
static void makeTable(Structure *s, int legs)
{
    const dBodyID top = box(s, 40, (double[3]){2, 1, 0.1}, 0, 0, 1);
    for (int i = 0; i < legs; i++)
        ball(s, top, NULL, -0.7 + 1.6 * (i / 2) / (legs / 2 - 1), i % 2 ? 0.5 : -0.4 + 0.03 * i, 0.9);
}

static void makeFourLegs(Structure *s)
{
    makeTable(s, 4);
}

static void makeSixLegs(Structure *s)
{
    makeTable(s, 6);
}

/* A wall that hangs on its first and its last column. */
static void makeWall(Structure *s)
{
    enum { WIDE = 4, HIGH = 3 };
    dBodyID brick[WIDE][HIGH];
    for (int i = 0; i < WIDE; i++)
        for (int k = 0; k < HIGH; k++)
            brick[i][k] = box(s, 2 + i, (double[3]){0.4, 0.2, 0.2}, 0.4 * i, 0, 0.1 + 0.2 * k);
    for (int i = 0; i < WIDE; i++)
        for (int k = 0; k < HIGH; k++) {
            if (i + 1 < WIDE)
                weld(s, brick[i][k], brick[i + 1][k]);
            if (k + 1 < HIGH)
                weld(s, brick[i][k], brick[i][k + 1]);
        }
    weld(s, brick[0][0], NULL);
    weld(s, brick[WIDE - 1][0], NULL);
}

/* Planks on two balls at each edge, in the shape of a hanging chain. */
static void makeBridge(Structure *s)
{
    enum { PLANKS = 8 };
    double x = 0, z = 0;
    dBodyID last = NULL;
    for (int i = 0; i < PLANKS; i++) {
        const double turn = 0.5 * (1 - (2 * i + 1.0) / PLANKS), along = cos(turn), up = -sin(turn);
        const dBodyID plank = box(s, 10, (double[3]){1, 2, 0.1}, x + along / 2, 0, z + up / 2);
        dMatrix3 rotation;
        dRFromAxisAndAngle(rotation, 0, 1, 0, turn);
        dBodySetRotation(plank, rotation);
        for (int side = -1; side < 2; side += 2)
            ball(s, plank, last, x, side, z);
        x += along;
        z += up;
        last = plank;
    }
    for (int side = -1; side < 2; side += 2)
        ball(s, last, NULL, x, side, z);
}

typedef void Make(Structure *s);
static Make *const makes[] = {makeDoor, makeFourLegs, makeSixLegs, makeWall, makeBridge};
enum { STRUCTURES = 5, DOOR = 0, FOUR_LEGS = 1, WALL = 3 };

static inline void make(Structure *s, int which, double cfm)
{
    *s = (Structure){.world = dWorldCreate()};
    dWorldSetGravity(s->world, 0, 0, -SCENE_GRAVITY);
    dWorldSetERP(s->world, 0.2);
    dWorldSetCFM(s->world, cfm);
    makes[which](s);
}

/* dWorldStep, QuickStep(20), exact steps */
enum { WAYS = 3 };

static inline void stepBy(ksInspector *inspector, int way)
{
    if (way == 0)
        CHECK_OK(ksInspectorStep(inspector, h));
    else if (way == 1)
        CHECK_OK(ksInspectorQuickStep(inspector, h));
    else
        CHECK_OK(ksInspectorExactStep(inspector, h));
}

#endif
