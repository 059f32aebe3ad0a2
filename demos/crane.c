/* crane.c  Three uses of joint forces: a rope that breaks, a sensor in a joint, the force of the floor on a box.
 *
 *     cc crane.c $(pkg-config --cflags --libs kinetostat) -lm
 *
 * An arm of 20 kg on a motorised hinge holds a box of 50 kg. After half a second it begins to lift the box with the
 * motor's full torque of 1500 N.m; 1177.2 of these hold the weights. The rest accelerates arm and box, so that the rope
 * carries 632.9 N until it breaks. */
#include <kinetostat/kinetostat.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

static const double gravity = 9.81, reach = 2, height = 2, armMass = 20, boxMass = 50, edge = 0.5;

typedef struct Crane {
    dWorldID world;
    dSpaceID space;
    dJointGroupID contacts;
    dBodyID arm, box;
    dJointID hinge, rope;
} Crane;

static dBodyID makeBox(dWorldID world, double mass, double x, double y, double z, double lx, double lz)
{
    dBodyID body = dBodyCreate(world);
    dMass m;
    dMassSetBoxTotal(&m, mass, lx, lz, lz);
    dBodySetMass(body, &m);
    dBodySetPosition(body, x, y, z);
    return body;
}

static Crane build(void)
{
    Crane c = {.world = dWorldCreate(), .space = dSimpleSpaceCreate(NULL), .contacts = dJointGroupCreate(0)};
    dWorldSetGravity(c.world, 0, 0, -gravity);
    c.arm = makeBox(c.world, armMass, reach / 2, 0, height, reach, 0.1);
    c.hinge = dJointCreateHinge(c.world, NULL);
    dJointAttach(c.hinge, c.arm, NULL);
    dJointSetHingeAnchor(c.hinge, 0, 0, height);
    dJointSetHingeAxis(c.hinge, 0, -1, 0);
    dJointSetHingeParam(c.hinge, dParamFMax, 1500);

    c.box = makeBox(c.world, boxMass, reach, 0, height - 1, edge, edge);
    dGeomSetBody(dCreateBox(c.space, edge, edge, edge), c.box);
    dCreatePlane(c.space, 0, 0, 1, 0);
    c.rope = dJointCreateBall(c.world, NULL);
    dJointAttach(c.rope, c.arm, c.box);
    dJointSetBallAnchor(c.rope, reach, 0, height);
    return c;
}

static void touch(void *data, dGeomID a, dGeomID b)
{
    const Crane *c = data;
    dContact contact[4];
    const int count = dCollide(a, b, 4, &contact[0].geom, sizeof contact[0]);
    for (int i = 0; i < count; i++) {
        contact[i].surface.mode = dContactApprox1;
        contact[i].surface.mu = 0.5;
        dJointAttach(dJointCreateContact(c->world, c->contacts, &contact[i]), dGeomGetBody(a), dGeomGetBody(b));
    }
}

/* The rope has carried too much for too long. */
static void snap(const ksThresholdEvent *event, void *user)
{
    (void)user;
    if (event->phase != KS_THRESHOLD_ENTERED)
        return;
    printf("          the rope breaks: %.1f N, +- %.0e N\n", event->load, event->errorBar);
    dJointDestroy(event->reaction->joint);
}

static ksStatus watchRope(ksInspector *inspector, dJointID rope)
{
    ksThreshold limits;
    ksThresholdInit(&limits);
    limits.forceMagnitude = 600;
    limits.duration = 0.1;
    return ksInspectorOnThreshold(inspector, rope, &limits, snap, NULL);
}

/* In the axes of the arm, about the hinge's anchor, without the arm's own weight. */
static ksSensor makeSensor(void)
{
    ksSensor sensor;
    ksSensorInit(&sensor);
    sensor.toolMass = armMass;
    sensor.gravity[2] = -gravity;
    return sensor;
}

static void show(ksInspector *inspector, const Crane *c, const ksSensor *sensor)
{
    const ksReaction *hinge = ksInspectorGetReaction(inspector, c->hinge);
    ksWrench reading = {{NAN, NAN, NAN}, {NAN, NAN, NAN}};
    ksWrenchSum floor = {.wrench = reading};
    // each is left as it is if there is no such value, as in the step of an impact
    const ksStatus read = ksSensorRead(sensor, hinge, &reading);
    const ksWrenchTerm contacts = {.body = c->box};
    const ksStatus summed = ksInspectorSumWrenches(inspector, &contacts, 1, KS_PHYSICAL, NULL, &floor);
    printf("%4.1f s  hinge %8.2f N %9.2f N.m  floor %8.2f N  %s %s\n", hinge->time, reading.force[2], reading.torque[1],
           floor.wrench.force[2], ksVerdictName(hinge->verdict),
           read     ? ksStatusName(read)
           : summed ? ksStatusName(summed)
                    : "");
}

int main(int argc, char **argv)
{
    if (argc > 1) {
        printf("usage: crane\n\nAn arm lifts a box until its rope breaks: a threshold, a sensor, the force of the "
               "floor.\n");
        return strcmp(argv[1], "--help") ? 2 : 0;
    }
    const double stepSize = 0.005;
    dInitODE();
    Crane c = build();
    ksInspector *inspector;
    if (ksInspectorCreate(c.world, NULL, &inspector) || watchRope(inspector, c.rope))
        return 1;
    const ksSensor sensor = makeSensor();
    printf("What hangs on the arm, and what its own inertia asks for, by a sensor in the hinge; what the floor carries "
           "of the box\n\n");
    for (int i = 0; i <= 400; i++) {
        if (i == 100)
            dJointSetHingeParam(c.hinge, dParamVel, 1);
        dSpaceCollide(c.space, &c, touch);
        ksInspectorStep(inspector, stepSize);
        if (i % 20 == 0)
            show(inspector, &c, &sensor);
        dJointGroupEmpty(c.contacts);
    }
    ksInspectorDestroy(inspector);
    dJointGroupDestroy(c.contacts);
    dSpaceDestroy(c.space);
    dWorldDestroy(c.world);
    dCloseODE();
    return 0;
}
