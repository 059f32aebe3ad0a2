/* ragdoll.c  A ragdoll falls down stairs: which of its joints would break?
 *
 * Each blow of a stair is an impact. Its force is the mean over one step: it grows as the step gets
 * smaller, while the impulse does not. A joint between two bodies that are hit carries the
 * difference. The limits here are for steps of 5 ms. A threshold on each joint tells when the joint
 * would have broken; the fall continues. */
#include "scenes/scenes_private.h"
#include "stories.h"

#include <math.h>
#include <string.h>

static const int stairs = 8;
static const double depth = 0.3, rise = 0.18, push = 1.5; /* m, m/s */

/* Trunk and head have 35 kg, arm and leg of each side 14.5 kg. */
const double fallWeight = SCENE_GRAVITY * (35 + 2 * 14.5);
enum { NECK = 1, HEAD = 2 };
static const double headMass = 5;

static const struct {
    const char *name;
    double limit; /* N */
} part[FALL_JOINTS] = {
    {"waist", 4000},      {"neck", 2000},          {"right shoulder", 1500}, {"right elbow", 1000}, {"right hip", 3000},
    {"right knee", 2500}, {"left shoulder", 1500}, {"left elbow", 1000},     {"left hip", 3000},    {"left knee", 2500},
};

/* The ragdoll of sceneFallingRagdolls on top of a flight of stairs. */
static Scene *build(void)
{
    Scene *scene = sceneFallingRagdolls(1, BALLS_FREE, &sceneSurface[SURFACE_APPROX1]);
    if (!scene)
        return NULL;
    const double top = stairs * rise, width = 4, before = 2;
    for (int i = 0; i < stairs; i++) {
        const double height = top - i * rise, length = i ? depth : before;
        dGeomID stair = dCreateBox(scene->space, length, width, height);
        dGeomSetPosition(stair, i * depth - 0.5 * length, 0, 0.5 * height);
    }
    for (int i = 0; i < scene->bodyCount; i++) {
        const dReal *place = dBodyGetPosition(scene->body[i]);
        dBodySetPosition(scene->body[i], place[0] - 0.3, place[1], place[2] + top);
        dBodySetLinearVel(scene->body[i], push, 0, 0);
    }
    return scene;
}

KitRun fallBegin(Kit *kit, KitWay way)
{
    KitRun run = kitBegin(kit, build(), "ragdoll on stairs", way);
    for (int i = 0; i < FALL_JOINTS; i++)
        kitCheck(kit, ksInspectorSetName(run.inspector, run.scene->joint[i], part[i].name), "ksInspectorSetName");
    return run;
}

static void onLoad(const ksThresholdEvent *event, void *user)
{
    FallFigures *figures = user;
    for (int i = 0; event->phase == KS_THRESHOLD_ENTERED && i < FALL_JOINTS; i++) {
        FallJoint *joint = &figures->joint[i];
        if (joint->joint != event->reaction->joint || !isnan(joint->broken))
            continue;
        joint->broken = event->reaction->time;
        joint->brokenLoad = event->load;
    }
}

static void watch(const KitRun *run, FallFigures *figures)
{
    *figures = (FallFigures){0};
    for (int i = 0; i < FALL_JOINTS; i++) {
        ksThreshold limits;
        ksThresholdInit(&limits);
        limits.forceMagnitude = part[i].limit;
        figures->joint[i] =
            (FallJoint){.name = part[i].name, .limit = part[i].limit, .broken = NAN, .joint = run->scene->joint[i]};
        kitCheck(run->kit, ksInspectorOnThreshold(run->inspector, run->scene->joint[i], &limits, onLoad, figures),
                 "ksInspectorOnThreshold");
    }
}

static void keepWorst(FallFigures *figures, FallJoint *joint, const ksReaction *reaction)
{
    const double physical = kitNorm(reaction->physical[0].force);
    int isAtStop = 0;
    for (int i = 0; i < reaction->rowCount; i++)
        isAtStop |= reaction->row[i].kind == KS_ROW_STOP;
    joint->atStop += isAtStop;
    joint->unknown += isnan(physical);
    figures->verdicts[reaction->verdict]++;
    if (!(physical > joint->physical))
        return;
    joint->physical = physical;
    joint->engine = kitNorm(reaction->engine[0].force);
    joint->time = reaction->time;
}

static void contactsOf(const KitRun *run, const ksWrenchTerm *term, size_t count, double force[3])
{
    ksWrenchSum sum;
    kitCheck(run->kit, ksInspectorSumWrenches(run->inspector, term, count, KS_PHYSICAL, (const double[3]){0}, &sum),
             "ksInspectorSumWrenches");
    memcpy(force, sum.wrench.force, sizeof sum.wrench.force);
}

int fallStep(KitRun *run, FallFigures *figures)
{
    const Scene *scene = run->scene;
    double before[3], neck[3];
    ksWrenchTerm ground[RAGDOLL_BODIES];
    if (!run->done)
        watch(run, figures);
    memcpy(before, dBodyGetLinearVel(scene->body[HEAD]), sizeof before);
    if (!kitStep(run))
        return 0;
    figures->time = ksInspectorGetStepReport(run->inspector)->time;
    // contacts between limbs cancel
    for (int i = 0; i < RAGDOLL_BODIES; i++)
        ground[i] = (ksWrenchTerm){.body = scene->body[i]};
    contactsOf(run, ground, RAGDOLL_BODIES, figures->loads);
    memcpy(figures->needed, run->needed, sizeof figures->needed);
    figures->impulse += run->way.step * figures->loads[2];
    double momentum[3] = {0};
    kitAddMomentum(scene, 1, 0, momentum);
    figures->momentum = momentum[2];
    for (int i = 0; i < FALL_JOINTS; i++)
        keepWorst(figures, &figures->joint[i], ksInspectorGetReaction(run->inspector, scene->joint[i]));

    const ksWrenchTerm head[] = {{.body = scene->body[HEAD]}, {.joint = scene->joint[NECK], .body = scene->body[HEAD]}};
    const dReal *after = dBodyGetLinearVel(scene->body[HEAD]);
    contactsOf(run, head, 2, neck);
    for (int k = 0; k < 3; k++)
        neck[k] -= headMass * ((after[k] - before[k]) / run->way.step + (k == 2 ? SCENE_GRAVITY : 0));
    figures->neckOff = kitNorm(neck);
    return 1;
}

static const KitColumn column[] = {
    {"joint", 14, NULL},
    {"limit N", 0, "%.0f"},
    {"largest: physical N", 0, "%.0f"},
    {"engine N", 0, "%.0f"},
    {"at s", 5, "%.2f"},
    {"would break at s", 0, "%.2f"},
    {"under N", 0, "%.0f"},
    {"steps at a stop", 0, "%.0f"},
};
enum { COLUMNS = sizeof column / sizeof *column };

static void show(Kit *kit, const FallJoint *joint)
{
    const KitCell cell[COLUMNS] = {{.text = joint->name},
                                   {joint->limit},
                                   {joint->physical},
                                   {joint->engine},
                                   {joint->time},
                                   {joint->broken},
                                   {isnan(joint->broken) ? NAN : joint->brokenLoad},
                                   {joint->atStop}};
    kitRow(kit, column, COLUMNS, cell);
}

static const double sketchRange[4] = {-1, 2.6, -0.2, 3};
static const char sketch[] =
    "set arrow from -1,1.44 to 0,1.44 as 2\nset arrow from 0,1.26 to 0.3,1.26 as 2\nset arrow from 0.3,1.08 to "
    "0.6,1.08 as 2\n"
    "set arrow from 0.6,0.9 to 0.9,0.9 as 2\nset arrow from 0.9,0.72 to 1.2,0.72 as 2\n"
    "set arrow from 1.2,0.54 to 1.5,0.54 as 2\nset arrow from 1.5,0.36 to 1.8,0.36 as 2\n"
    "set arrow from 1.8,0.18 to 2.1,0.18 as 2\nset arrow from 2.1,0 to 2.6,0 as 2\n"
    "set arrow from -1,1.75 to -0.3,2.35 as 1\nset arrow from -0.3,2.35 to 0.15,2.65 as 1\n"
    "set object circle at 0.25,2.7 size 0.12 fc rgb 'white' front\nset arrow from 0.05,2.55 to 0.3,2.15 as 1\n"
    "set arrow from 0.6,2.6 to 1.1,2.2 head lc rgb formula\n";

static void drawPlot(Kit *kit)
{
    kitPlot(kit, "EOD\nset multiplot layout 1,2 title 'A ragdoll falls down stairs, under %s' font ',14'\n",
            kitStepperName(kit->way));
    kitSketch(kit, sketchRange, sketch);
    kitPlot(kit, "set xlabel 'time, s'\nset ylabel 'force, kN'\nset key top right\n"
                 "plot $fall using 1:2 with impulses lc rgb closed title 'stairs on the ragdoll', "
                 "'' using 1:3 with lines lc rgb physical title 'neck', "
                 "'' using 1:4 with lines lc rgb converged title 'waist'\nunset multiplot\n");
}

int storyRagdoll(int argc, char **argv)
{
    const KitDemo demo = {.purpose = "A ragdoll falls down stairs: which of its joints would break?",
                          .takes = KIT_EVERYTHING,
                          .stepper = KS_WORLD_STEP,
                          .step = 0.005,
                          .time = 3,
                          .plotWidth = 1300};
    Kit kit;
    kitOpen(&kit, argc, argv, &demo);
    kitCsv(&kit, "time,loads,needed,impulse,neck,waist\n");
    kitPlot(&kit, "$fall << EOD\n");
    KitRun run = fallBegin(&kit, kit.way);
    FallFigures f;
    while (fallStep(&run, &f)) {
        const ksReaction *neck = ksInspectorGetReaction(run.inspector, f.joint[NECK].joint);
        const ksReaction *waist = ksInspectorGetReaction(run.inspector, f.joint[0].joint);
        const double necks = kitNorm(neck->physical[0].force), waists = kitNorm(waist->physical[0].force);
        kitCsv(&kit, "%g,%.9g,%.9g,%.9g,%.9g,%.9g\n", f.time, f.loads[2], f.needed[2], f.impulse, necks, waists);
        kitPlot(&kit, "%g %g %g %g\n", f.time, 1e-3 * kitNorm(f.loads), 1e-3 * necks, 1e-3 * waists);
    }
    printf("A ragdoll of %.0f N falls down %d stairs for %g s under %s. The largest force of each joint, and when it "
           "would have\n"
           "broken (thresholds on physical values).\n\n",
           fallWeight, stairs, kit.time, kitStepperName(kit.way));
    kitHead(&kit, column, COLUMNS);
    for (int i = 0; i < FALL_JOINTS; i++)
        show(&kit, &f.joint[i]);
    printf("\nThe stairs' impulse was %.2f N.s; weight and motion of the ragdoll took %.2f N.s. An impact's force is "
           "the mean\n"
           "over its step: with another step size another force, and, since a fall is chaotic, another fall.\n",
           f.impulse, f.momentum + fallWeight * kit.time);
    kitEnd(&run);
    drawPlot(&kit);
    return kitClose(&kit);
}

KIT_MAIN(storyRagdoll)
