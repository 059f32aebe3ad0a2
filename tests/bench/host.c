/* host.c  The cost of reports and traces for a host: the time of its inspected steps with each, as
 * a ratio to the time of inspection alone, measured right before. host [--rounds N]: the median of
 * N rounds, 5 by default. */
#include "bench_time.h"
#include "demos/scenes/scenes.h"

#include <kinetostat/report.h>
#include <kinetostat/trace.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_ROUNDS = 99, STEPS = 4000 };

static const double h = 0.005;
static const char file[] = "bench-host.h5";

typedef struct Way {
    const char *name;
    bool isReported;
    unsigned long adviseEvery;
    int level; /* ksTraceLevel, or -1: no trace */
    int compression;
} Way;

static const Way ways[] = {
    {"report", true, 0, -1, 0},
    {"report, advice every 20 steps", true, 20, -1, 0},
    {"report, advice every 200 steps", true, 200, -1, 0},
    {"trace, KS_TRACE_WRENCHES", false, 0, KS_TRACE_WRENCHES, 1},
    {"trace, KS_TRACE_RAW", false, 0, KS_TRACE_RAW, 1},
    {"trace, KS_TRACE_RAW, uncompressed", false, 0, KS_TRACE_RAW, 0},
};
static const Way plain = {"inspection alone", false, 0, -1, 0};

static void check(ksStatus status)
{
    if (!status)
        return;
    fprintf(stderr, "host: %s\n", ksErrorMessage());
    exit(1);
}

static ksReport *makeReport(const Way *way, ksInspector *inspector)
{
    ksReportOptions options;
    ksReport *report;
    ksReportOptionsInit(&options);
    options.adviseEvery = way->adviseEvery;
    check(ksReportCreate(&options, &report));
    check(ksReportWatch(report, inspector, NULL));
    return report;
}

static ksTrace *makeTrace(const Way *way, ksInspector *inspector)
{
    ksTraceOptions options;
    ksTrace *trace;
    ksTraceOptionsInit(&options);
    options.level = (ksTraceLevel)way->level;
    options.compression = way->compression;
    check(ksTraceCreate(file, &options, &trace));
    check(ksTraceWatch(trace, inspector, NULL));
    return trace;
}

static Scene *makeScene(int which)
{
    dRandSetSeed(1);
    return which == 0 ? sceneChain(20, SCENE_FALLING) : sceneDrivingCar(&sceneCar, &sceneSurface[SURFACE_APPROX1]);
}

/* s, of all steps, closing included */
static double run(int which, const Way *way)
{
    Scene *scene = makeScene(which);
    ksInspector *inspector;
    check(ksInspectorCreate(scene->world, NULL, &inspector));
    ksReport *report = way->isReported ? makeReport(way, inspector) : NULL;
    ksTrace *trace = way->level >= 0 ? makeTrace(way, inspector) : NULL;
    const double begun = benchNow(CLOCK_MONOTONIC);
    for (int i = 0; i < STEPS; i++) {
        sceneBeforeStep(scene);
        check(ksInspectorQuickStep(inspector, h));
        sceneAfterStep(scene);
    }
    check(ksTraceClose(trace));
    const double seconds = benchNow(CLOCK_MONOTONIC) - begun;
    ksReportDestroy(report);
    ksInspectorDestroy(inspector);
    sceneDestroy(scene);
    remove(file);
    return seconds;
}

static void measure(int which, const Way *way, int rounds)
{
    double ratio[MOST_ROUNDS], micro[MOST_ROUNDS];
    for (int i = 0; i < rounds; i++) {
        const double alone = run(which, &plain), with = run(which, way);
        ratio[i] = with / alone;
        micro[i] = 1e6 * (with - alone) / STEPS;
    }
    benchSort(ratio, (size_t)rounds);
    benchSort(micro, (size_t)rounds);
    printf("  %-34s %6.2f   %+8.1f us a step\n", way->name, ratio[rounds / 2], micro[rounds / 2]);
}

int main(int count, char *argument[])
{
    int rounds = 5;
    if (count == 3 && strcmp(argument[1], "--rounds") == 0)
        rounds = atoi(argument[2]);
    if (rounds < 1 || rounds > MOST_ROUNDS)
        return 2;
    dInitODE2(0);
    for (int which = 0; which < 2; which++) {
        printf("%s, %.1f us a step for the inspection alone:\n",
               which == 0 ? "chain of 20 hinges" : "car on the ground", 1e6 * run(which, &plain) / STEPS);
        for (size_t i = 0; i < sizeof ways / sizeof *ways; i++)
            measure(which, &ways[i], rounds);
    }
    dCloseODE();
    return 0;
}
