/* ode.c  ODE by either stepper, and Kinetostat's values of the same steps. */
#include "say.h"

#include <kinetostat/kinetostat.h>
#include <math.h>
#include <ode/ode.h>
#include <stdbool.h>
#include <stdlib.h>

typedef struct Way {
    const char *name;
    bool isQuick, isPhysical;
} Way;

enum { MOST = RODS + 1 };
typedef struct Scene {
    const Way *way;
    const char *name;
    dWorldID world;
    dBodyID child[MOST];
    dJointID joint[MOST];
    dJointFeedback feedback[MOST];
    double anchor[MOST][3];
    int joints;
    ksInspector *inspector;
} Scene;

static dBodyID addBox(Scene *s, double mass, double x, double y, double z, double a, double b, double c)
{
    dMass m;
    dBodyID body = dBodyCreate(s->world);
    dMassSetBoxTotal(&m, mass, a, b, c);
    dBodySetMass(body, &m);
    dBodySetPosition(body, x, y, z);
    return body;
}

static dJointID addHinge(Scene *s, dBodyID child, dBodyID parent, double x, double y, double z, bool isUpright)
{
    dJointID joint = dJointCreateHinge(s->world, NULL);
    dJointAttach(joint, child, parent);
    dJointSetHingeAnchor(joint, x, y, z);
    dJointSetHingeAxis(joint, 0, !isUpright, isUpright);
    dJointSetFeedback(joint, &s->feedback[s->joints]);
    s->child[s->joints] = child;
    s->anchor[s->joints][0] = x, s->anchor[s->joints][1] = y, s->anchor[s->joints][2] = z;
    s->joint[s->joints++] = joint;
    return joint;
}

static Scene newScene(const Way *way, const char *name)
{
    Scene s = {.way = way, .name = name, .world = dWorldCreate()};
    dWorldSetGravity(s.world, 0, 0, -kGravity);
    return s;
}

static double *motionOf(const Scene *s, double motion[2])
{
    const dReal *R = dBodyGetRotation(s->child[0]);
    motion[0] = atan2(R[2], R[0]);
    motion[1] = dBodyGetAngularVel(s->child[0])[1];
    return motion;
}

static void step(Scene *s)
{
    if (s->inspector)
        (void)ksInspectorQuickStep(s->inspector, kStep);
    else
        (void)(s->way->isQuick ? dWorldQuickStep : dWorldStep)(s->world, kStep);
}

static void run(Scene *s)
{
    if (s->way->isPhysical && ksInspectorCreate(s->world, NULL, &s->inspector))
        exit(EXIT_FAILURE);
    for (int i = 1; i <= STEPS; i++) {
        double centre[MOST][3], motion[2];
        for (int j = 0; j < s->joints; j++)
            for (int k = 0; k < 3; k++)
                centre[j][k] = dBodyGetPosition(s->child[j])[k];
        (void)motionOf(s, motion);
        step(s);
        for (int j = 0; j < s->joints && isSaid(i); j++) {
            const double *force = s->feedback[j].f1, *torque = s->feedback[j].t1;
            if (s->inspector) {
                const ksReaction *r = ksInspectorGetReaction(s->inspector, s->joint[j]);
                force = r->physical[0].force, torque = r->physical[0].torque;
            }
            say(s->way->name, s->name, j + 1, i, force, torque, centre[j], s->anchor[j], motion);
        }
    }
    ksInspectorDestroy(s->inspector);
    dWorldDestroy(s->world);
}

static void rod(const Way *way, bool swings)
{
    Scene s = newScene(way, swings ? "swing" : "rest");
    dBodyID body = addBox(&s, 2, 0, 0, -0.5, kRodSide, kRodSide, 1);
    if (swings) {
        dMatrix3 turned;
        dRFromAxisAndAngle(turned, 0, 1, 0, 0.7);
        dBodySetRotation(body, turned);
        dBodySetPosition(body, -0.5 * sin(0.7), 0, -0.5 * cos(0.7));
        dBodySetAngularVel(body, 0, 3, 0);
        dBodySetLinearVel(body, -0.5 * 3 * cos(0.7), 0, 0.5 * 3 * sin(0.7));
    }
    addHinge(&s, body, NULL, 0, 0, 0, false);
    run(&s);
}

static void arm(const Way *way)
{
    Scene s = newScene(way, "arm");
    dBodyID upper = addBox(&s, 2, 0.5, 0, 0, 1, kRodSide, kRodSide),
            lower = addBox(&s, 1, 1.25, 0, 0, 0.5, kRodSide, kRodSide);
    dJointSetHingeParam(addHinge(&s, upper, NULL, 0, 0, 0, false), dParamFMax, 1000);
    dJointSetHingeParam(addHinge(&s, lower, upper, 1, 0, 0, false), dParamFMax, 1000);
    run(&s);
}

static void loop(const Way *way)
{
    Scene s = newScene(way, "loop");
    dBodyID first = addBox(&s, 1, 0, 0, -0.5, kRodSide, kRodSide, 1),
            bar = addBox(&s, 4, 0.5, 0, -1, 1, kRodSide, kRodSide),
            second = addBox(&s, 1, 1, 0, -0.5, kRodSide, kRodSide, 1);
    addHinge(&s, first, NULL, 0, 0, 0, false);
    addHinge(&s, bar, first, 0, 0, -1, false);
    addHinge(&s, bar, second, 1, 0, -1, false);
    addHinge(&s, second, NULL, 1, 0, 0, false);
    run(&s);
}

static void bridge(const Way *way)
{
    Scene s = newScene(way, "bridge");
    double x = 0, z = 0;
    dBodyID body = NULL;
    for (int i = 0; i < RODS; i++) {
        double along[2];
        dMatrix3 turned;
        dBodyID before = body;
        alongRod(i, along);
        body = addBox(&s, kRodMass, x + along[0] / 2, 0, z + along[1] / 2, 1, kRodSide, kRodSide);
        dRFromAxisAndAngle(turned, 0, 1, 0, -atan2(along[1], along[0]));
        dBodySetRotation(body, turned);
        addHinge(&s, body, before, x, 0, z, false);
        x += along[0], z += along[1];
    }
    addHinge(&s, body, NULL, x, 0, z, false);
    run(&s);
}

static void door(const Way *way)
{
    Scene s = newScene(way, "door");
    dBodyID body = addBox(&s, 20, 0.4, 0, 0, 0.8, 0.04, 2);
    addHinge(&s, body, NULL, 0, 0, -0.7, true);
    addHinge(&s, body, NULL, 0, 0, 0.7, true);
    run(&s);
}

/* The wall is at x < 0, the box at x > 0. */
static void wall(const Way *way)
{
    Scene s = newScene(way, "wall");
    dBodyID body = addBox(&s, 1, 0.1, 0, 0, 0.2, 0.2, 0.2);
    ksInspectorOptions options;
    ksSubscription pair;
    ksInspectorOptionsInit(&options);
    options.contactPhysical = 1;
    if (way->isPhysical &&
        (ksInspectorCreate(s.world, &options, &s.inspector) || ksInspectorPair(s.inspector, body, NULL, kStep, &pair)))
        exit(EXIT_FAILURE);
    for (int i = 1; i <= STEPS; i++) {
        dJointGroupID group = dJointGroupCreate(0);
        dJointFeedback feedback[4];
        ksMean mean;
        double force[3] = {0, 0, 0};
        for (int c = 0; c < 4; c++) {
            const dReal *at = dBodyGetPosition(body);
            dContact contact = {.surface = {.mode = dContactApprox1, .mu = 1},
                                .geom = {.pos = {0, at[1] + (c & 1 ? 0.1 : -0.1), at[2] + (c & 2 ? 0.1 : -0.1)},
                                         .normal = {1, 0, 0},
                                         .depth = 0.1 - at[0]}};
            dJointID joint = dJointCreateContact(s.world, group, &contact);
            dJointAttach(joint, body, NULL);
            dJointSetFeedback(joint, &feedback[c]);
        }
        dBodyAddForce(body, -50, 0, 0);
        step(&s);
        for (int c = 0; c < 4; c++)
            for (int k = 0; k < 3; k++)
                force[k] += feedback[c].f1[k];
        if (s.inspector && ksInspectorGetMean(s.inspector, pair, &mean))
            exit(EXIT_FAILURE);
        if (isSaid(i))
            say(way->name, s.name, 1, i, s.inspector ? mean.physical.force : force, NULL, NULL, NULL, NULL);
        dJointGroupDestroy(group);
    }
    ksInspectorDestroy(s.inspector);
    dWorldDestroy(s.world);
}

int main(void)
{
    static const Way ways[] = {{"ODE dWorldStep", false, false},
                               {"ODE QuickStep 20", true, false},
                               {"ODE QuickStep 20, Kinetostat", true, true}};
    dInitODE2(0);
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
        printf("engine|%s|%s|%s|body 1 (+), body 2 (-)|world, mass centre|N\n", ways[i].name, ODE_VERSION,
               ways[i].isPhysical ? "`ksReaction::physical`; `ksMean::physical` of a pair" : "`dJointFeedback`");
        rod(&ways[i], false);
        rod(&ways[i], true);
        arm(&ways[i]);
        loop(&ways[i]);
        door(&ways[i]);
        wall(&ways[i]);
        bridge(&ways[i]);
    }
    dCloseODE();
    return 0;
}
