/* exact.c  Compares ksInspectorExactStep, which is as exact as dWorldStep at about the cost of
 * dWorldQuickStep, with both.
 *
 * A chain swings down. A bridge of hinged planks, taut between its ends, is loaded with boxes that
 * fall on it, which adds contacts. To see how a host makes such steps, read exactStep(). */
#define _POSIX_C_SOURCE 200809L  // clock_gettime
#include "kit.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* The stepper. */
typedef enum Way { QUICK, DIRECT, EXACT, EXACT_SWEPT } Way;

typedef struct Stepping {
    const char *name;
    Way way;
    int iterations;  // of dWorldQuickStep
} Stepping;

static const Stepping stepping[] = {
    {"dWorldQuickStep(5)", QUICK, 5},       {"dWorldQuickStep(20)", QUICK, 20}, {"dWorldQuickStep(100)", QUICK, 100},
    {"dWorldQuickStep(500)", QUICK, 500},   {"dWorldStep", DIRECT, 0},          {"ksInspectorExactStep", EXACT, 0},
    {"... contacts swept", EXACT_SWEPT, 0},
};
enum { WAYS = sizeof stepping / sizeof *stepping, SHOWN_QUICK = 1, SHOWN_DIRECT = 4, SHOWN_EXACT = 5 };

typedef struct Run {
    double seconds;            // mean cost of a step
    double gap, largestGap;    // m, of the hinges: mean over joints and steps, largest
    double depth, outOfPlace;  // m, at the end: of the lowest body; from dWorldStep's end
    double (*end)[3];          // [bodies] centres at the end
    int bodies;                // bodies on hinges
} Run;

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

/* Everything that this program needs of the library. It computes no values and no verdicts. */
static ksInspector *inspectorOf(const Kit *kit, dWorldID world, Way way)
{
    ksInspector *inspector = NULL;
    ksInspectorOptions options;
    ksInspectorOptionsInit(&options);
    options.values = 0;
    if (way == EXACT_SWEPT)
        options.exactContacts = KS_EXACT_CONTACTS_SWEPT;
    if (way == EXACT || way == EXACT_SWEPT)
        kitCheck(kit, ksInspectorCreate(world, &options, &inspector), "ksInspectorCreate");
    return inspector;
}

static void exactStep(const Kit *kit, ksInspector *inspector)
{
    kitCheck(kit, ksInspectorExactStep(inspector, kit->way.step), "ksInspectorExactStep");
}

static void measureGaps(const Scene *scene, Run *run)
{
    for (int i = 0; i < scene->jointCount; i++) {
        dVector3 first, second;
        dJointGetHingeAnchor(scene->joint[i], first);
        dJointGetHingeAnchor2(scene->joint[i], second);
        const double gap = kitNorm((const double[3]){first[0] - second[0], first[1] - second[1], first[2] - second[2]});
        run->gap += gap / scene->jointCount;
        run->largestGap = fmax(run->largestGap, gap);
    }
}

static void takeEnd(const Kit *kit, const Scene *scene, int bodies, Run *run)
{
    run->bodies = bodies;
    run->end = calloc((size_t)run->bodies, sizeof *run->end);
    kitCheck(kit, run->end ? KS_OK : KS_ERROR_NO_MEMORY, "calloc");
    for (int i = 0; i < bodies; i++) {
        memcpy(run->end[i], dBodyGetPosition(scene->body[i]), sizeof run->end[i]);
        run->depth = fmin(run->depth, run->end[i][2]);
    }
}

static Run runScene(Kit *kit, Scene *scene, const Stepping *by, int bodies)
{
    Run run = {.depth = INFINITY};
    kitCheck(kit, scene ? KS_OK : KS_ERROR_NO_MEMORY, "scene");
    ksInspector *inspector = inspectorOf(kit, scene->world, by->way);
    if (by->iterations)
        dWorldSetQuickStepNumIterations(scene->world, by->iterations);
    const int steps = kit->way.steps;
    const double started = kitNow();
    dRandSetSeed((unsigned long)kit->seed);  // QuickStep shuffles its rows
    for (int i = 0; i < steps; i++) {
        sceneBeforeStep(scene);
        const double begin = now();
        if (by->way == QUICK)
            dWorldQuickStep(scene->world, kit->way.step);
        else if (by->way == DIRECT)
            dWorldStep(scene->world, kit->way.step);
        else
            exactStep(kit, inspector);
        run.seconds += (now() - begin) / steps;
        sceneAfterStep(scene);
        measureGaps(scene, &run);
        kitProgress(kit, by->name, started, i + 1, steps);
    }
    kitProgressOff(kit);
    run.gap /= steps;
    takeEnd(kit, scene, bodies, &run);
    ksInspectorDestroy(inspector);
    sceneDestroy(scene);
    return run;
}

static void compareEnds(Run *run, const Run *reference)
{
    for (int i = 0; i < run->bodies; i++)
        run->outOfPlace = fmax(run->outOfPlace, kitDistance(run->end[i], reference->end[i]));
}

static void report(Kit *kit, const char *part, const Run run[WAYS], int ways)
{
    static const KitColumn column[] = {
        {"step", 24, NULL},     {"us a step", 0, "%.1f"},     {"gap mm: mean", 0, "%.1e"},
        {"largest", 9, "%.1e"}, {"lowest body m", 0, "%.3f"}, {"from dWorldStep's m", 0, "%.1e"},
    };
    enum { COLUMNS = sizeof column / sizeof *column };
    kitHead(kit, column, COLUMNS);
    kitPlot(kit, "$%s << EOD\n", part);
    for (int i = 0; i < ways; i++) {
        const KitCell cell[COLUMNS] = {{.text = stepping[i].name}, {1e6 * run[i].seconds}, {1e3 * run[i].gap},
                                       {1e3 * run[i].largestGap},  {run[i].depth},         {run[i].outOfPlace}};
        kitRow(kit, column, COLUMNS, cell);
        kitCsv(kit, "%s,%s,%.4g,%.4g,%.4g,%.6g,%.4g\n", part, stepping[i].name, 1e6 * run[i].seconds, run[i].gap,
               run[i].largestGap, run[i].depth, run[i].outOfPlace);
        kitPlot(kit, "%g %g\n", 1e6 * run[i].seconds, 1e3 * run[i].gap);
    }
    kitPlot(kit, "EOD\n");
    printf("\n");
}

static void plotShape(Kit *kit, const char *part, const Run run[WAYS])
{
    static const int shown[] = {SHOWN_QUICK, SHOWN_DIRECT, SHOWN_EXACT};
    for (int k = 0; k < 3; k++) {
        kitPlot(kit, "$%s_shape%d << EOD\n", part, k);
        for (int i = 0; i < run[shown[k]].bodies; i++)
            kitPlot(kit, "%g %g\n", run[shown[k]].end[i][0], run[shown[k]].end[i][2]);
        kitPlot(kit, "EOD\n");
    }
}

static void finish(Kit *kit, const char *part, Run run[WAYS], int ways)
{
    for (int i = 0; i < ways; i++)
        compareEnds(&run[i], &run[SHOWN_DIRECT]);
    report(kit, part, run, ways);
    plotShape(kit, part, run);
    for (int i = 0; i < ways; i++)
        free(run[i].end);
}

static void showChain(Kit *kit, int links)
{
    Run run[WAYS];
    printf("A chain of %d links swings down from the horizontal, %d steps of %g ms\n\n", links, kit->way.steps,
           1000 * kit->way.step);
    for (int i = 0; i <= SHOWN_EXACT; i++)
        run[i] = runScene(kit, sceneChain(links, SCENE_FALLING), &stepping[i], links);
    finish(kit, "chain", run, SHOWN_EXACT + 1);
}

static void showBridge(Kit *kit, int planks)
{
    const SceneSurface *surface = &sceneSurface[SURFACE_APPROX1];
    const int boxes = planks / 6 + 1;
    Run run[WAYS];
    printf("%d boxes of 10 kg fall on a bridge of %d hinged planks of 5 kg, %d steps of %g ms\n\n", boxes, planks,
           kit->way.steps, 1000 * kit->way.step);
    for (int i = 0; i < WAYS; i++)
        run[i] = runScene(kit, sceneBridge(planks, boxes, surface), &stepping[i], planks);
    finish(kit, "bridge", run, WAYS);
}

static void drawPlot(Kit *kit)
{
    static const char *const part[] = {"chain", "bridge"};
    kitPlot(kit, "set multiplot layout 1,4 title 'The same worlds under dWorldQuickStep, dWorldStep and "
                 "ksInspectorExactStep' font ',14'\nset key top center\n");
    for (int i = 0; i < 2; i++)
        kitPlot(kit,
                "set title '%s, at the end'\nset xlabel 'x, m'\nset ylabel 'z, m'\n"
                "plot $%s_shape0 with linespoints pt 7 ps 0.4 lc rgb engine title 'dWorldQuickStep(20)', "
                "$%s_shape1 with lines lw 4 lc rgb '#bbbbbb' title 'dWorldStep', "
                "$%s_shape2 with lines lc rgb physical title 'ksInspectorExactStep'\n",
                part[i], part[i], part[i], part[i]);
    kitPlot(kit, "set logscale xy\nset yrange [0.003:20]\nset format '10^{%%T}'\nset key bottom left\n");
    for (int i = 0; i < 2; i++)
        kitPlot(kit,
                "set title '%s: work against error'\nset xlabel 'processor time of a step, us'\n"
                "set ylabel 'mean gap of the hinges, mm'\n"
                "plot $%s every ::0::3 with linespoints pt 7 lc rgb engine title 'QuickStep, 5 to 500 iterations', "
                "'' every ::4::4 with points pt 6 ps 2 lc rgb '#777777' title 'dWorldStep', "
                "'' every ::5::5 with points pt 7 ps 1.2 lc rgb physical title 'exact step'%s\n",
                part[i], part[i],
                i ? ", '' every ::6::6 with points pt 5 ps 1.2 lc rgb physical title '... contacts swept'" : "");
    kitPlot(kit, "unset multiplot\n");
}

int main(int argc, char **argv)
{
    int links = 50, planks = 20;
    const KitOption options[] = {
        {"links", "links of the chain", &links, 2, 1000}, {"planks", "planks of the bridge", &planks, 2, 200}, {0}};
    const KitDemo demo = {.purpose =
                              "A chain and a loaded bridge under dWorldQuickStep, dWorldStep and ksInspectorExactStep.",
                          .takes = KIT_STEP | KIT_TIME | KIT_SEED | KIT_PLOT,
                          .step = 0.005,
                          .time = 2,
                          .options = options,
                          .plotWidth = 1800};
    Kit kit;
    kitOpen(&kit, argc, argv, &demo);
    kitCsv(&kit, "part,step,microseconds,gap,largest_gap,lowest,from_dWorldStep\n");
    showChain(&kit, links);
    showBridge(&kit, planks);
    drawPlot(&kit);
    return kitClose(&kit);
}
