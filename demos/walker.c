/* walker.c  A walker on six legs: prints the load of each foot, and when it comes down.
 *
 * It has six rubber feet; three stand while three swing. Mechanics does not determine the shares of
 * the weight. The sum of their forces equals the weight and inertia force of the whole walker. The
 * sum of the hips' forces equals the weight and inertia force of the trunk, except in steps in
 * which a foot comes down and motors are at their bounds. A threshold on each knee counts how often
 * its foot comes down. */
#include "stories.h"

#include <math.h>

static const double stride = 0.2, frequency = 0.5; /* rad, Hz */
static const double footLimit = 30;                /* N, in a knee; a shin in the air weighs 7 N */
static const double trunkMass = 20;                /* kg */
/* bodies: the trunk, then thigh and shin of each leg; joints: hip and knee of each leg */
enum { TRUNK, PARTS = 2 };

/* a trunk of 20 kg, thighs of 1 kg and shins of 0.7 kg */
const double walkerWeight = SCENE_GRAVITY * (20 + WALKER_LEGS * 1.7);

KitRun walkerBegin(Kit *kit, int walks, KitWay way)
{
    static const char *const leg[WALKER_LEGS] = {"rear right",  "rear left",   "middle right",
                                                 "middle left", "front right", "front left"};
    const Walker walker = {
        .legs = WALKER_LEGS, .stride = walks ? stride : 0, .frequency = walks ? frequency : 0, .stepSize = way.step};
    const SceneSpring rubber = sceneSpring(way.step, 5e3, 500); /* of each contact; N/m, N s/m */
    const SceneSurface surface = {.name = "rubber",
                                  .mode = dContactApprox1 | dContactSoftERP | dContactSoftCFM,
                                  .mu = 0.8,
                                  .softErp = rubber.erp,
                                  .softCfm = rubber.cfm};
    KitRun run = kitBegin(kit, sceneWalker(&walker, &surface), walks ? "walker" : "standing", way);
    for (int i = 0; i < PARTS * WALKER_LEGS; i++) {
        char name[32];
        snprintf(name, sizeof name, "%s %s", i % PARTS ? "knee" : "hip", leg[i / PARTS]);
        kitCheck(kit, ksInspectorSetName(run.inspector, run.scene->joint[i], name), "ksInspectorSetName");
    }
    return run;
}

static void onFoot(const ksThresholdEvent *event, void *user)
{
    WalkerFigures *figures = user;
    for (int i = 0; event->phase == KS_THRESHOLD_ENTERED && i < WALKER_LEGS; i++)
        figures->steps[i] += figures->knee[i] == event->reaction->joint;
}

static void watch(const KitRun *run, WalkerFigures *figures)
{
    ksThreshold limits;
    ksThresholdInit(&limits);
    limits.forceMagnitude = footLimit;
    limits.duration = 0.03;
    limits.hysteresis = 0.5;
    for (int i = 0; i < WALKER_LEGS; i++) {
        figures->knee[i] = run->scene->joint[PARTS * i + 1];
        kitCheck(run->kit, ksInspectorOnThreshold(run->inspector, figures->knee[i], &limits, onFoot, figures),
                 "ksInspectorOnThreshold");
    }
}

static double sumUp(const KitRun *run, const ksWrenchTerm *term, size_t count, int *isUnique)
{
    ksWrenchSum sum;
    kitCheck(run->kit, ksInspectorSumWrenches(run->inspector, term, count, KS_PHYSICAL, NULL, &sum),
             "ksInspectorSumWrenches");
    *isUnique = sum.unique >> KS_LIMIT_FORCE_Z & 1;
    return sum.wrench.force[2];
}

int walkerStep(KitRun *run, WalkerFigures *figures)
{
    const Scene *scene = run->scene;
    dBodyID trunk = scene->body[TRUNK];
    if (!run->done) {
        *figures = (WalkerFigures){0};
        watch(run, figures);
    }
    const double before = dBodyGetLinearVel(trunk)[2];
    if (!kitStep(run))
        return 0;
    figures->time = ksInspectorGetStepReport(run->inspector)->time;
    figures->place = dBodyGetPosition(trunk)[0];
    figures->trunk = trunkMass * ((dBodyGetLinearVel(trunk)[2] - before) / run->way.step + SCENE_GRAVITY);
    figures->needed = run->needed[2];
    figures->loads = figures->standing = 0;
    int isFootUnique;  // 0 here: the engine decides how feet share the load
    ksWrenchTerm hip[WALKER_LEGS];
    for (int i = 0; i < WALKER_LEGS; i++) {
        const ksWrenchTerm contacts = {.body = scene->body[PARTS * (i + 1)]};
        hip[i] = (ksWrenchTerm){.joint = scene->joint[PARTS * i], .body = trunk};
        figures->foot[i] = sumUp(run, &contacts, 1, &isFootUnique);
        figures->loads += figures->foot[i];
        figures->standing += figures->foot[i] > 0;
    }
    figures->hips = sumUp(run, hip, WALKER_LEGS, &figures->isUnique);
    return 1;
}

static const KitColumn column[] = {
    {"time s", 6, "%.2f"},   {"rear right N", 0, "%.1f"},  {"left N", 8, "%.1f"},  {"middle right N", 0, "%.1f"},
    {"left N", 8, "%.1f"},   {"front right N", 0, "%.1f"}, {"left N", 8, "%.1f"},  {"sum N", 8, "%.2f"},
    {"needed N", 0, "%.2f"}, {"hips N", 8, "%.2f"},        {"trunk N", 8, "%.2f"}, {"steps", 0, "%.0f"},
};
enum { COLUMNS = sizeof column / sizeof *column };
static const double shownEvery = 0.25;  // s

static int allSteps(const WalkerFigures *f)
{
    int sum = 0;
    for (int i = 0; i < WALKER_LEGS; i++)
        sum += f->steps[i];
    return sum;
}

static void show(Kit *kit, const WalkerFigures *f)
{
    const KitCell cell[COLUMNS] = {{f->time},    {f->foot[0]}, {f->foot[1]}, {f->foot[2]}, {f->foot[3]}, {f->foot[4]},
                                   {f->foot[5]}, {f->loads},   {f->needed},  {f->hips},    {f->trunk},   {allSteps(f)}};
    kitRow(kit, column, COLUMNS, cell);
}

int storyWalker(int argc, char **argv)
{
    const KitDemo demo = {.purpose = "A walker on six legs: the loads of its feet, and the steps that its knees feel.",
                          .takes = KIT_EVERYTHING & ~KIT_PLOT,
                          .stepper = KS_WORLD_STEP,
                          .iterations = 50,
                          .step = 0.005,
                          .time = 4};
    Kit kit;
    kitOpen(&kit, argc, argv, &demo);
    printf("A walker of %.1f N under %s. Columns: the ground's force on each foot; its sum, and the force that\n"
           "weight and motion need; the hips' force on the trunk (physical), and the force that the trunk needs; how\n"
           "often a knee has felt its foot come down.\n\n",
           walkerWeight, kitStepperName(kit.way));
    kitCsv(&kit,
           "time,rear_right,rear_left,middle_right,middle_left,front_right,front_left,sum,needed,hips,trunk,steps\n");
    kitHead(&kit, column, COLUMNS);
    KitRun run = walkerBegin(&kit, 1, kit.way);
    WalkerFigures f;
    const int every = 1 + (int)(shownEvery / kit.way.step - 0.5);
    while (walkerStep(&run, &f)) {
        kitCsv(&kit, "%g,%.9g,%.9g,%.9g,%.9g,%.9g,%.9g,%.9g,%.9g,%.9g,%.9g,%d\n", f.time, f.foot[0], f.foot[1],
               f.foot[2], f.foot[3], f.foot[4], f.foot[5], f.loads, f.needed, f.hips, f.trunk, allSteps(&f));
        if ((run.done - 1) % every == 0)
            show(&kit, &f);
    }
    kitEnd(&run);
    printf("\nThe feet's sum is exact in every step, since forces of contacts are the engine's. The hips' sum is\n"
           "exact, except in steps in which a foot comes down and motors are at their bounds%s.\n",
           kit.way.stepper == KS_QUICK_STEP ? ", as far as the accelerations of dWorldQuickStep are those of a walker"
                                            : "");
    return kitClose(&kit);
}

KIT_MAIN(storyWalker)
