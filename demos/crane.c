/* crane.c  Three uses of joint forces: a rope that breaks, a sensor in a joint, the force of the
 * floor on a box.
 *
 * An arm of 20 kg on a motorised hinge holds a box of 50 kg. After half a second it begins to lift
 * the box with the motor's full torque of 1500 N.m; 1177.2 N.m of these hold the weights. The rest
 * accelerates arm and box, so that the rope carries 632.9 N. It breaks when the mean over 0.1 s
 * exceeds 600 N. */
#include "kit.h"

#include <math.h>

static const double gravity = 9.81, reach = 2, height = 2, armMass = 20, boxMass = 50, edge = 0.5;
static const double liftTime = 0.5, shownEvery = 0.1;  // s

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

/* A shape for viewers, without contacts. */
static void addShape(dSpaceID space, dBodyID arm)
{
    const dGeomID shape = dCreateBox(space, reach, 0.1, 0.1);
    dGeomSetCategoryBits(shape, 0);
    dGeomSetCollideBits(shape, 0);
    dGeomSetBody(shape, arm);
}

static Crane build(void)
{
    Crane c = {.world = dWorldCreate(), .space = dSimpleSpaceCreate(NULL), .contacts = dJointGroupCreate(0)};
    dWorldSetGravity(c.world, 0, 0, -gravity);
    c.arm = makeBox(c.world, armMass, reach / 2, 0, height, reach, 0.1);
    addShape(c.space, c.arm);
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

/* Called when the rope's mean load over the limit's duration is too large. */
static void snap(const ksThresholdEvent *event, void *user)
{
    if (event->phase != KS_THRESHOLD_ENTERED)
        return;
    kitProgressOff(user);
    printf("          the rope breaks: %.1f N, +- %.0e N\n", event->load, event->errorBar);
    dJointDestroy(event->reaction->joint);
}

static void watchRope(Kit *kit, ksInspector *inspector, dJointID rope)
{
    ksThreshold limits;
    ksThresholdInit(&limits);
    limits.forceMagnitude = 600;
    limits.duration = 0.1;
    kitCheck(kit, ksInspectorOnThreshold(inspector, rope, &limits, snap, kit), "ksInspectorOnThreshold");
}

/* The sensor reads in the axes of the arm, about the hinge's anchor, without the arm's own
 * weight. */
static ksSensor makeSensor(void)
{
    ksSensor sensor;
    ksSensorInit(&sensor);
    sensor.toolMass = armMass;
    return sensor;
}

static void show(Kit *kit, ksInspector *inspector, const Crane *c, const ksSensor *sensor, int isPrinted)
{
    const ksReaction *hinge = ksInspectorGetReaction(inspector, c->hinge);
    ksWrench reading = {{NAN, NAN, NAN}, {NAN, NAN, NAN}};
    ksWrenchSum floor = {.wrench = reading};
    // a value that does not exist, as in the step of an impact, leaves its variable unchanged
    const ksStatus read = ksSensorRead(sensor, hinge, &reading);
    const ksWrenchTerm contacts = {.body = c->box};
    const ksStatus summed = ksInspectorSumWrenches(inspector, &contacts, 1, KS_PHYSICAL, NULL, &floor);
    kitCsv(kit, "%g,%.9g,%.9g,%.9g,%s\n", hinge->time, reading.force[2], reading.torque[1], floor.wrench.force[2],
           ksVerdictName(hinge->verdict));
    kitPlot(kit, "%g %g %g %g\n", hinge->time, reading.force[2], reading.torque[1], floor.wrench.force[2]);
    if (!isPrinted)
        return;
    kitProgressOff(kit);
    printf("%4.1f s  hinge %8.2f N %9.2f N.m  floor %8.2f N  %s %s\n", hinge->time, reading.force[2], reading.torque[1],
           floor.wrench.force[2], ksVerdictName(hinge->verdict),
           read     ? ksStatusName(read)
           : summed ? ksStatusName(summed)
                    : "");
}

static const double sketchRange[4] = {-0.6, 3, -0.4, 2.8};
static const char sketch[] =
    "set arrow from -0.4,0 to 2.8,0 as 2\nset arrow from 0,2 to 2,2 as 1\nset arrow from 0,0 to 0,2 as 3\n"
    "set object circle at 0,2 size 0.1 fc rgb 'white' front\nset label 'motor' at -0.1,2.3\n"
    "set arrow from 2,2 to 2,1.25 as 3\nset label 'rope' at 2.1,1.65\n"
    "set object rectangle from 1.75,0.75 to 2.25,1.25 fc rgb '#dddddd'\nset label '50 kg' at 2.35,1.0\n"
    "set label 'arm, 20 kg' at 1,2.2 center\nset arrow from 2,1.3 to 2,1.9 as 4\n";

static void drawPlot(Kit *kit)
{
    kitPlot(kit,
            "EOD\nset multiplot layout 1,3 title 'An arm lifts a box until its rope breaks, under %s' font ',14'\n",
            kitStepperName(kit->way));
    kitSketch(kit, sketchRange, sketch);
    kitPlot(kit, "set xlabel 'time, s'\nset ylabel 'torque, N.m'\nset title 'sensor in the hinge'\nset key off\n"
                 "plot $crane using 1:3 with lines lc rgb physical\n"
                 "set ylabel 'force, N'\nset title 'floor on the box'\nset yrange [0:*]\n"
                 "plot $crane using 1:4 with lines lc rgb physical\nunset multiplot\n");
}

static void destroy(Crane *c)
{
    dJointGroupDestroy(c->contacts);
    dSpaceDestroy(c->space);
    dWorldDestroy(c->world);
}

int main(int argc, char **argv)
{
    const KitDemo demo = {
        .purpose = "An arm lifts a box until its rope breaks: a threshold, a sensor, the force of the floor.",
        .takes = KIT_EVERYTHING,
        .stepper = KS_WORLD_STEP,
        .step = 0.005,
        .time = 2.1,
        .plotWidth = 1500};
    Kit kit;
    kitOpen(&kit, argc, argv, &demo);
    Crane c = build();
    ksInspector *inspector;
    kitCheck(&kit, ksInspectorCreate(c.world, NULL, &inspector), "ksInspectorCreate");
    watchRope(&kit, inspector, c.rope);
    kitWatch(&kit, inspector, "crane");
    dWorldSetQuickStepNumIterations(c.world, kit.way.iterations);
    dRandSetSeed((unsigned long)kit.seed);
    const ksSensor sensor = makeSensor();
    printf(
        "Load on the arm with the arm's own inertia force, by a sensor in the hinge; the floor's force on the box\n\n");
    kitCsv(&kit, "time,hinge_force,hinge_torque,floor_force,verdict\n");
    kitPlot(&kit, "$crane << EOD\n");
    const int lift = (int)lround(liftTime / kit.way.step), every = 1 + (int)(shownEvery / kit.way.step - 0.5);
    const double begin = kitNow();
    for (int i = 0; i < kit.way.steps; i++) {
        if (i == lift)
            dJointSetHingeParam(c.hinge, dParamVel, 1);
        dSpaceCollide(c.space, &c, touch);
        kitViewStep(&kit, i * kit.way.step);
        kitInspectorStep(&kit, inspector, kit.way);
        show(&kit, inspector, &c, &sensor, i % every == 0);
        dJointGroupEmpty(c.contacts);
        kitProgress(&kit, "crane", begin, i + 1, kit.way.steps);
    }
    kitProgressOff(&kit);
    drawPlot(&kit);
    ksInspectorDestroy(inspector);
    destroy(&c);
    return kitClose(&kit);
}
