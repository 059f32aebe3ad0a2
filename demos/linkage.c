/* linkage.c  Linkages that move although counting declares them rigid: which forces of their hinges
 * are undetermined?
 *
 * A loop has 5 rows for each hinge, and 6 coordinates for each body. Each row that depends on
 * others adds a freedom to the count, and a self-stress: a wrench that goes round the loop and
 * moves nothing. A wrench goes round a loop if it does no work on any of its hinges:
 *
 *      a . (torque about p) = 0    for each hinge with the axis a through p.
 *
 *      four bars in a plane   force across the plane, torques about both axes in it: 3
 *      three parallel cranks  6 of both loops, and forces 1, -2, 1 along the cranks: 7
 *      Bennett's loop         3, in space; its four hinges are neither parallel nor through a point
 *      Sarrus's loop          one torque about the platform's direction of motion
 *
 * Source: Bennett 1903. */
#include "stories.h"

#include <math.h>
#include <string.h>

static const struct {
    const char *name;
    Scene *(*make)(double angle);
    int cranks; /* of sceneParallelCranks */
} linkage[LINKAGE_KINDS] = {
    [LINKAGE_FOURBAR] = {"four bars", NULL, 2},
    [LINKAGE_CRANKS] = {"three cranks", NULL, 3},
    [LINKAGE_BENNETT] = {"Bennett", sceneBennett, 0},
    [LINKAGE_SARRUS] = {"Sarrus", sceneSarrus, 0},
};
static const double startAngle = 1; /* rad */

KitRun linkageBegin(Kit *kit, MobileLinkage kind, KitWay way)
{
    const int cranks = linkage[kind].cranks;
    return kitBegin(kit, cranks ? sceneParallelCranks(cranks, startAngle) : linkage[kind].make(startAngle),
                    linkage[kind].name, way);
}

/* The work of a wrench on a hinge's motion: a . (t + (c - p) x f), c the point that t is about. */
static double power(const ksWrench *wrench, const double centre[3], const ksReaction *hinge)
{
    double arm[3], moment[3];
    for (int k = 0; k < 3; k++)
        arm[k] = centre[k] - hinge->anchor[0][k];
    CROSS3(moment, arm, wrench->force);
    for (int k = 0; k < 3; k++)
        moment[k] += wrench->torque[k];
    return DOT3(moment, hinge->axes);
}

/* In a single loop: the largest work of any hinge's free directions on any of the hinges. */
static double loopWork(const KitRun *run)
{
    double most = 0;
    for (int i = 0; i < run->scene->jointCount; i++) {
        const ksReaction *at = ksInspectorGetReaction(run->inspector, run->scene->joint[i]);
        for (int k = 0; k < at->freeCount; k++)
            for (int j = 0; j < run->scene->jointCount; j++)
                most = fmax(most, fabs(power(&at->freeDirection[k], at->centre[0],
                                             ksInspectorGetReaction(run->inspector, run->scene->joint[j]))));
    }
    return most;
}

/* How undetermined is the sum of the base hinges' forces along the cranks, with these signs (1, 0
 * or -1)? */
static double openSum(KitRun *run, const int sign[3])
{
    ksWrenchTerm term[3];
    size_t count = 0;
    const ksReaction *base = ksInspectorGetReaction(run->inspector, run->scene->joint[0]);
    // from the base hinge to the crank's middle; the wrench on the world has the opposite sign
    dVector3 along = {0};
    double most = 0;
    for (int k = 0; k < 3; k++)
        along[k] = base->centre[0][k] - base->anchor[0][k];
    dNormalize3(along);
    for (int i = 0; i < 3; i++)
        if (sign[i])
            term[count++] =
                (ksWrenchTerm){.joint = run->scene->joint[i], .body = sign[i] > 0 ? run->scene->body[i] : NULL};
    ksWrenchSum sum;
    kitCheck(run->kit,
             ksInspectorSumWrenches(run->inspector, term, count, KS_PHYSICAL, (const double[3]){0, 0, 0}, &sum),
             "ksInspectorSumWrenches");
    for (int i = 0; i < sum.freeCount; i++)
        most = fmax(most, fabs(DOT3(along, sum.freeDirection[i].force)));
    return most;
}

int linkageStep(KitRun *run, MobileLinkage kind, LinkageFigures *figures)
{
    const Scene *scene = run->scene;
    dBodyID last = scene->body[scene->bodyCount - 1];
    if (run->done == run->way.steps)
        return 0;
    if (!run->done) {
        *figures = (LinkageFigures){.bodies = scene->bodyCount, .hinges = scene->jointCount, .off = NAN, .open = NAN};
        memcpy(figures->begin, dBodyGetPosition(last), sizeof figures->begin);
    }
    kitStep(run);
    const ksStepReport *report = ksInspectorGetStepReport(run->inspector);
    const int rows = (int)report->rowCount, rank = (int)report->rank;
    figures->time = report->time;
    figures->count = 6 * figures->bodies - 5 * figures->hinges;
    figures->mobility = 6 * figures->bodies - rank;
    figures->selfStresses = rows - rank;
    figures->leastFree = 6;
    figures->mostFree = 0;
    for (int i = 0; i < scene->jointCount; i++) {
        const int freeCount = ksInspectorGetReaction(run->inspector, scene->joint[i])->freeCount;
        figures->leastFree = freeCount < figures->leastFree ? freeCount : figures->leastFree;
        figures->mostFree = freeCount > figures->mostFree ? freeCount : figures->mostFree;
    }
    const ksReaction *first = ksInspectorGetReaction(run->inspector, scene->joint[0]);
    figures->engine = kitNorm(first->engine[0].force);
    figures->physical = kitNorm(first->physical[0].force);
    double end[3];
    COPY3(end, dBodyGetPosition(last));
    figures->way = kitDistance(figures->begin, end);
    if (kind != LINKAGE_CRANKS) {
        figures->off = loopWork(run);
        return 1;
    }
    figures->off = fmax(openSum(run, (const int[3]){1, 1, 1}), openSum(run, (const int[3]){1, 0, -1}));
    figures->open = fmin(openSum(run, (const int[3]){1, 1, 0}), openSum(run, (const int[3]){1, 0, 1}));
    return 1;
}

static const KitColumn column[] = {
    {"linkage", 12, NULL},      {"bodies", 0, "%.0f"},   {"hinges", 0, "%.0f"},        {"motions by count", 0, "%.0f"},
    {"motions", 0, "%.0f"},     {"moved m", 0, "%.3f"},  {"self-stresses", 0, "%.0f"}, {"free in a hinge", 0, "%.0f"},
    {"off formula", 0, "%.0e"}, {"engine N", 8, "%.3f"}, {"physical N", 0, "%.3f"},
};
enum { COLUMNS = sizeof column / sizeof *column };

int storyLinkage(int argc, char **argv)
{
    const KitDemo demo = {.purpose = "Linkages that counting declares rigid, and that move: their self-stresses.",
                          .takes = KIT_EVERYTHING & ~KIT_PLOT,
                          .stepper = KS_QUICK_STEP,
                          .iterations = 50,
                          .step = 0.005,
                          .time = 0.25};
    Kit kit;
    kitOpen(&kit, argc, argv, &demo);
    printf("Four linkages fall for %g s under %s. Motions by count: 6 for a body, less 5 for a hinge. Self-stresses\n"
           "move nothing, and mechanics does not determine their size: a hinge's wrench has as many free directions.\n"
           "These are the directions of the closed form, except in \"off formula\". The force in the first hinge:\n"
           "engine, and its determined part.\n\n",
           kit.time, kitStepperName(kit.way));
    kitCsv(&kit, "linkage,time,mobility,self_stresses,free,off,engine,physical\n");
    kitHead(&kit, column, COLUMNS);
    for (int kind = 0; kind < LINKAGE_KINDS; kind++) {
        KitRun run = linkageBegin(&kit, (MobileLinkage)kind, kit.way);
        LinkageFigures f;
        while (linkageStep(&run, (MobileLinkage)kind, &f))
            kitCsv(&kit, "%s,%g,%d,%d,%d,%.3g,%.9g,%.9g\n", linkage[kind].name, f.time, f.mobility, f.selfStresses,
                   f.mostFree, f.off, f.engine, f.physical);
        const KitCell cell[COLUMNS] = {{.text = linkage[kind].name},
                                       {f.bodies},
                                       {f.hinges},
                                       {f.count},
                                       {f.mobility},
                                       {f.way},
                                       {f.selfStresses},
                                       {f.mostFree},
                                       {f.off},
                                       {f.engine},
                                       {f.physical}};
        kitRow(&kit, column, COLUMNS, cell);
        kitEnd(&run);
    }
    printf("\nAll four have one motion, whatever the count. Of three cranks one is redundant even in the plane: the\n"
           "forces 1, -2, 1 along them are undetermined, and their sum and the difference of the outer two are\n"
           "determined.\n");
    return kitClose(&kit);
}

KIT_MAIN(storyLinkage)
