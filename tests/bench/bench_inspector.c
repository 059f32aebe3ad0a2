/* bench_inspector.c  What an inspected step costs, beside dWorldQuickStep with 20 iterations on the same world.
 *
 * Three worlds of each scene go the same way, step by step in turn: plain, inspected (converged values), inspected with
 * physical values too. The figures are medians over the steps after a warm-up, in one process. */
#include "demos/scenes.h"

#include <kinetostat/kinetostat.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { WARM_UP = 50, STEPS = 400, WAYS = 3, PHASES = 7 };
static const double stepSize = 0.001;
static const unsigned values[WAYS] = {0, KS_COMPUTE_CONVERGED, KS_COMPUTE_CONVERGED | KS_COMPUTE_PHYSICAL};

typedef struct Way {
    Scene *scene;
    ksInspector *inspector; /* NULL: plain */
    double sample[STEPS];   /* s */
} Way;

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static int ascending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double median(double *sample)
{
    qsort(sample, STEPS, sizeof *sample, ascending);
    return sample[STEPS / 2];
}

static void touch(const ksReaction *reaction, void *user)
{
    *(double *)user += reaction->error;
}

static double timedStep(Way *way)
{
    double start = now();
    if (way->inspector)
        ksInspectorQuickStep(way->inspector, stepSize);
    else
        dWorldQuickStep(way->scene->world, stepSize);
    return now() - start;
}

static int openWay(Way *way, Scene *scene, unsigned wanted, double *sink)
{
    *way = (Way){.scene = scene};
    if (!scene)
        return 0;
    dWorldSetQuickStepNumIterations(scene->world, 20);
    if (!wanted)
        return 1;
    ksInspectorOptions options;
    ksInspectorOptionsInit(&options);
    options.values = wanted;
    return !ksInspectorCreate(scene->world, &options, &way->inspector) &&
           !ksInspectorOnReaction(way->inspector, NULL, touch, sink);
}

static Scene *chain(int links)
{
    return sceneChain(links, SCENE_FALLING);
}

static Scene *fourbar(int unused)
{
    (void)unused;
    return sceneFourbar(&sceneLinkage);
}

static int bench(const char *name, Scene *make(int), int size, FILE *csv)
{
    static Way way[WAYS];
    double sink = 0, phase[PHASES] = {0};
    for (int w = 0; w < WAYS; w++) {
        if (!openWay(&way[w], make(size), values[w], &sink))
            return 0;
    }
    for (int i = -WARM_UP; i < STEPS; i++) {
        unsigned long seed = dRandGetSeed();
        for (int w = 0; w < WAYS; w++) {
            dRandSetSeed(seed);
            double seconds = timedStep(&way[w]);
            if (i >= 0)
                way[w].sample[i] = seconds;
        }
        const ksStepReport *report = ksInspectorGetStepReport(way[WAYS - 1].inspector);
        for (int p = 0; i >= 0 && p < PHASES; p++)
            phase[p] += report->seconds[p] / STEPS;
    }
    const ksStepReport *report = ksInspectorGetStepReport(way[WAYS - 1].inspector);
    double plain = median(way[0].sample), checked = median(way[1].sample), full = median(way[2].sample);
    printf("%-10s %5zu %10.1f %10.1f %8.2f %10.1f %8.2f  ", name, report->rowCount, 1e6 * plain,
           1e6 * (checked - plain), (checked - plain) / plain, 1e6 * (full - plain), (full - plain) / plain);
    for (int p = 0; p < PHASES; p++)
        printf(" %8.1f", 1e6 * phase[p]);
    printf("\n");
    if (csv)
        fprintf(csv, "%s,%zu,%g,%g,%g\n", name, report->rowCount, plain, checked, full);
    for (int w = 0; w < WAYS; w++) {
        ksInspectorDestroy(way[w].inspector);
        sceneDestroy(way[w].scene);
    }
    return 1;
}

int main(int argc, char **argv)
{
    FILE *csv = NULL;
    if (argc == 3 && !strcmp(argv[1], "--csv")) {
        csv = fopen(argv[2], "w");
        if (!csv) {
            perror(argv[2]);
            return EXIT_FAILURE;
        }
        fprintf(csv, "scene,rows,quickstep_s,with_converged_s,with_physical_s\n");
    } else if (argc > 1) {
        printf("usage: %s [--csv FILE]\n", argv[0]);
        return strcmp(argv[1], "--help") ? 2 : EXIT_SUCCESS;
    }
    dInitODE2(0);
    printf("Median microseconds of %d steps; ratio: what inspection adds, over dWorldQuickStep(20)\n\n", STEPS);
    printf("%-10s %5s %10s %10s %8s %10s %8s   %8s %8s %8s %8s %8s %8s %8s\n", "scene", "rows", "QuickStep",
           "converged", "ratio", "+physical", "ratio", "snapshot", "rows", "gauss", "paulus", "verdict", "calls",
           "physical");
    int done = bench("chain 10", chain, 10, csv) && bench("chain 30", chain, 30, csv) &&
               bench("chain 60", chain, 60, csv) && bench("four bar", fourbar, 0, csv);
    if (csv && fclose(csv))
        done = 0;
    dCloseODE();
    return done ? EXIT_SUCCESS : EXIT_FAILURE;
}
