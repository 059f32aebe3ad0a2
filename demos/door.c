/* door.c  A door on two hinges is pushed open: mechanics does not determine how they share its
 * weight.
 *
 * Two hinges on one axis have 10 rows for the 5 motions that they prevent: no component of a single
 * hinge's wrench is determined, but their sum is. Two pins carry no couples. They leave one
 * component undetermined: the shares of the weight. The force of each pin across the axis is
 * determined. With the door's width b, its weight m g, the distance d of the pins and the rate w it
 * is
 *
 *      above  -m w^2 b/4 - m g b/(2 d),     below  -m w^2 b/4 + m g b/(2 d). */
#include "scenes/scenes_private.h"
#include "stories.h"

#include <math.h>
#include <string.h>

static const double doorMass = 25, width = 0.9, height = 2, thickness = 0.04, apart = 1.5;
static const double push = 10, handle = 0.8, pushTime = 0.5; /* N, m from the axis, s */
static const double limit = 50;                              /* N, of the threshold on each
                                                                fitting */

static Scene *build(DoorMount mount, int lowerFirst)
{
    Scene *scene = sceneCreate(1, DOOR_FITTINGS);
    if (!scene)
        return NULL;
    const double side[3] = {width, thickness, height};
    dBodyID door = sceneAddBox(scene, doorMass, 0.5 * width, 0, 0, side);
    sceneAddShape(scene, door, side);
    for (int i = 0; i < DOOR_FITTINGS; i++) {
        const int isBelow = i != lowerFirst;
        const double at[3] = {0, 0, isBelow ? -0.5 * apart : 0.5 * apart};
        if (mount == DOOR_PINS)
            sceneAddBall(scene, door, NULL, at);
        else
            sceneAddHinge(scene, door, NULL, at, (const double[3]){0, 0, 1});
    }
    // independent of the order of creation
    if (lowerFirst) {
        dJointID below = scene->joint[0];
        scene->joint[0] = scene->joint[1];
        scene->joint[1] = below;
    }
    return scene;
}

KitRun doorBegin(Kit *kit, DoorMount mount, int lowerFirst, KitWay way)
{
    char name[64];
    snprintf(name, sizeof name, "door on %s, %s first", mount == DOOR_PINS ? "pins" : "hinges",
             lowerFirst ? "lower" : "upper");
    KitRun run = kitBegin(kit, build(mount, lowerFirst), name, way);
    kitCheck(kit, ksInspectorSetName(run.inspector, run.scene->joint[DOOR_ABOVE], "above"), "ksInspectorSetName");
    kitCheck(kit, ksInspectorSetName(run.inspector, run.scene->joint[DOOR_BELOW], "below"), "ksInspectorSetName");
    return run;
}

static void onLoad(const ksThresholdEvent *event, void *user)
{
    DoorFigures *figures = user;
    figures->calls += event->phase == KS_THRESHOLD_ENTERED;
}

static void watch(const KitRun *run, DoorFigures *figures)
{
    ksThreshold limits;
    ksThresholdInit(&limits);
    limits.forceMagnitude = limit;
    limits.value = KS_PHYSICAL;  // counts the unique part
    for (int i = 0; i < DOOR_FITTINGS; i++)
        kitCheck(run->kit, ksInspectorOnThreshold(run->inspector, run->scene->joint[i], &limits, onLoad, figures),
                 "ksInspectorOnThreshold");
}

/* Finds the fittings' forces in closed form, in the present state, under a force across the door at
 * the handle. */
static void findFormulas(const Scene *scene, double force, DoorFigures *figures)
{
    const double centre = 0.5 * width, rate = dBodyGetAngularVel(scene->body[0])[2];
    const double ownInertia = doorMass * (width * width + thickness * thickness) / 12;
    const double turning = force * handle / (ownInertia + doorMass * centre * centre);
    const double weight = doorMass * SCENE_GRAVITY, couple = 0.5 * weight * width / apart;
    const double inward = -doorMass * rate * rate * centre;
    figures->sumFormula = (ksWrench){.force = {inward, doorMass * turning * centre - force, weight},
                                     .torque = {0, 0, ownInertia * turning - (handle - centre) * force}};
    figures->pull[DOOR_ABOVE] = 0.5 * inward - couple;
    figures->pull[DOOR_BELOW] = 0.5 * inward + couple;
}

static void intoDoorAxes(const dMatrix3 rotation, double v[3])
{
    double turned[3];
    sceneRotateBack(rotation, v, turned);
    memcpy(v, turned, sizeof turned);
}

static void readFittings(const KitRun *run, const dMatrix3 rotation, DoorFigures *figures)
{
    const Scene *scene = run->scene;
    ksSensor sensor;
    ksSensorInit(&sensor);
    for (int i = 0; i < DOOR_FITTINGS; i++) {
        const ksReaction *reaction = ksInspectorGetReaction(run->inspector, scene->joint[i]);
        kitCheck(run->kit, ksSensorRead(&sensor, reaction, &figures->physical[i]), "ksSensorRead");
        figures->time = reaction->time;
        figures->engine[i] = reaction->engine[0].force[2];
        figures->freeCount[i] = reaction->freeCount;
    }
    const ksWrenchTerm both[DOOR_FITTINGS] = {{.joint = scene->joint[DOOR_ABOVE], .body = scene->body[0]},
                                              {.joint = scene->joint[DOOR_BELOW], .body = scene->body[0]}};
    kitCheck(run->kit, ksInspectorSumWrenches(run->inspector, both, DOOR_FITTINGS, KS_PHYSICAL, NULL, &figures->sum),
             "ksInspectorSumWrenches");
    intoDoorAxes(rotation, figures->sum.wrench.force);
    intoDoorAxes(rotation, figures->sum.wrench.torque);
}

int doorStep(KitRun *run, DoorFigures *figures)
{
    dBodyID door = run->scene->body[0];
    if (run->done == run->way.steps)
        return 0;
    if (!run->done) {
        *figures = (DoorFigures){0};
        watch(run, figures);
    }
    // half a step of tolerance, so that rounding does not decide
    const double force = (run->done + 0.5) * run->way.step < pushTime ? push : 0;
    dMatrix3 rotation;
    memcpy(rotation, dBodyGetRotation(door), sizeof rotation);
    dBodyAddRelForceAtRelPos(door, 0, force, 0, handle - 0.5 * width, 0, 0);
    findFormulas(run->scene, force, figures);
    kitStep(run);
    readFittings(run, rotation, figures);
    return 1;
}

static const KitColumn column[] = {
    {"on", 6, NULL},
    {"made first", 0, NULL},
    {"engine: above N", 0, "%.2f"},
    {"below N", 0, "%.2f"},
    {"sum N", 8, "%.3f"},
    {"weight N", 0, "%.3f"},
    {"free", 0, "%.0f"},
    {"pull above N", 0, "%.3f"},
    {"below N", 8, "%.3f"},
    {"formula: above", 0, "%.3f"},
    {"below", 8, "%.3f"},
    {"calls", 0, "%.0f"},
};
enum { COLUMNS = sizeof column / sizeof *column };

static void show(Kit *kit, DoorMount mount, int lowerFirst)
{
    KitRun run = doorBegin(kit, mount, lowerFirst, kit->way);
    DoorFigures f;
    while (doorStep(&run, &f))
        kitCsv(kit, "%s,%s,%g,%.9g,%.9g,%.9g,%.9g,%.9g,%.9g\n", mount == DOOR_PINS ? "pins" : "hinges",
               lowerFirst ? "below" : "above", f.time, f.engine[DOOR_ABOVE], f.engine[DOOR_BELOW],
               f.sum.wrench.force[2], f.physical[DOOR_ABOVE].force[0], f.physical[DOOR_BELOW].force[0],
               f.pull[DOOR_ABOVE]);
    const KitCell cell[COLUMNS] = {{.text = mount == DOOR_PINS ? "pins" : "hinges"},
                                   {.text = lowerFirst ? "below" : "above"},
                                   {f.engine[DOOR_ABOVE]},
                                   {f.engine[DOOR_BELOW]},
                                   {f.sum.wrench.force[2]},
                                   {f.sumFormula.force[2]},
                                   {f.freeCount[DOOR_ABOVE]},
                                   {f.physical[DOOR_ABOVE].force[0]},
                                   {f.physical[DOOR_BELOW].force[0]},
                                   {mount == DOOR_PINS ? f.pull[DOOR_ABOVE] : NAN},
                                   {mount == DOOR_PINS ? f.pull[DOOR_BELOW] : NAN},
                                   {f.calls}};
    kitRow(kit, column, COLUMNS, cell);
    kitEnd(&run);
}

int storyDoor(int argc, char **argv)
{
    const KitDemo demo = {.purpose =
                              "A door on two hinges: the determined and the undetermined components of their forces.",
                          .takes = KIT_EVERYTHING & ~KIT_PLOT,
                          .stepper = KS_QUICK_STEP,
                          .step = 0.01,
                          .time = 1};
    Kit kit;
    kitOpen(&kit, argc, argv, &demo);
    printf("A door of %g kg, pushed open for %g s; after %g s of %s. The engine's vertical forces, and physical "
           "values: the\n"
           "sum of both fittings, and the pull of each away from the axis (\"-\": mechanics does not determine it)\n\n",
           doorMass, pushTime, kit.time, kitStepperName(kit.way));
    kitCsv(&kit, "fittings,made_first,time,engine_above,engine_below,sum,pull_above,pull_below,formula_above\n");
    kitHead(&kit, column, COLUMNS);
    for (int mount = DOOR_HINGES; mount <= DOOR_PINS; mount++)
        for (int lowerFirst = 0; lowerFirst < 2; lowerFirst++)
            show(&kit, (DoorMount)mount, lowerFirst);
    printf("\nThe same door: the engine's force of one hinge %s. No component of a single hinge is determined, so a\n"
           "threshold of %g N on its unique part never calls; the sum of both hinges is the weight. Pins carry no\n"
           "couples: their forces across the axis are determined, and their thresholds call (column \"calls\").\n"
           "Their shares of the weight are open (column \"free\": directions in which a force or couple is).\n",
           kit.way.stepper == KS_QUICK_STEP ? "depends on which was made first" : "is half of an undetermined sum",
           limit);
    return kitClose(&kit);
}

KIT_MAIN(storyDoor)
