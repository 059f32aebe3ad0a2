/* observer.c  The cost of judging another engine's steps at once: processor time of the ODE adapter
 * (ksOdeBegin, ksOdeEnd) per joint and step, with the recording's inspector, a file, or both; also
 * as a ratio to the certificate of the same steps by an inspector of that world. observer [--steps
 * N]: the median of N steps, 400 by default. */
#include "adapters/ode.h"
#include "bench_time.h"
#include "demos/scenes/scenes.h"

#include <kinetostat/kinetostat.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_STEPS = 10000, WARM_UP = 50 };

static const double h = 0.002;
static const char file[] = "bench-observer.h5";

static void check(ksStatus status)
{
    if (!status)
        return;
    fprintf(stderr, "observer: %s\n", ksErrorMessage());
    exit(1);
}

static double median(double *seconds, int count)
{
    benchSort(seconds, (size_t)count);
    return seconds[count / 2];
}

typedef struct Way {
    bool isObserved, isWritten;
} Way;

static ksOde *adapt(const Scene *scene, const Way *way)
{
    ksOde *adapter;
    ksInspector *inspector;
    check(ksOdeCreate(scene->world, scene->body, scene->bodyCount, scene->joint, scene->jointCount,
                      way->isWritten ? file : NULL, &adapter));
    if (way->isObserved)
        check(ksRecordingInspect(ksOdeGetRecording(adapter), NULL, &inspector));
    return adapter;
}

/* s per step: of the adapter, and of the inspector whose bracket encloses it. */
static void run(Scene *scene, const Way *way, int steps, double *adapted, double *certified)
{
    static double outside[MOST_STEPS], inside[MOST_STEPS];
    ksInspector *inspector;
    ksOde *adapter = adapt(scene, way);
    check(ksInspectorCreate(scene->world, NULL, &inspector));
    for (int i = -WARM_UP; i < steps; i++) {
        const double begun = benchNow(CLOCK_THREAD_CPUTIME_ID);
        check(ksInspectorBeginStep(inspector, KS_QUICK_STEP, h));
        const double read = benchNow(CLOCK_THREAD_CPUTIME_ID);
        check(ksOdeBegin(adapter, h));
        const double ready = benchNow(CLOCK_THREAD_CPUTIME_ID);
        dWorldQuickStep(scene->world, h);
        const double stepped = benchNow(CLOCK_THREAD_CPUTIME_ID);
        check(ksOdeEnd(adapter));
        const double told = benchNow(CLOCK_THREAD_CPUTIME_ID);
        check(ksInspectorEndStep(inspector));
        if (i < 0)
            continue;
        inside[i] = benchNow(CLOCK_THREAD_CPUTIME_ID) - told + read - begun;
        outside[i] = told - stepped + ready - read;
    }
    check(ksOdeClose(adapter));
    ksInspectorDestroy(inspector);
    remove(file);
    *adapted = median(outside, steps);
    *certified = median(inside, steps);
}

static const struct {
    const char *name;
    Way way;
} ways[] = {{"inspector, no file", {true, false}}, {"file", {false, true}}, {"both", {true, true}}};

static Scene *makeScene(int which)
{
    return which < 3 ? sceneChain(16 << 2 * which, SCENE_FALLING) : sceneGrid(8, 4);
}

int main(int count, char *argument[])
{
    static const char *const name[] = {"chain of 16 hinges", "chain of 64 hinges", "chain of 256 hinges",
                                       "grid of loops"};
    int steps = 400;
    if (count == 3 && strcmp(argument[1], "--steps") == 0)
        steps = atoi(argument[2]);
    if (steps < 1 || steps > MOST_STEPS)
        return 2;
    dInitODE2(0);
    for (int which = 0; which < 4; which++) {
        for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
            double adapted, certified;
            dRandSetSeed(1);
            Scene *scene = makeScene(which);
            const double micro = 1e6 / scene->jointCount;
            run(scene, &ways[i].way, steps, &adapted, &certified);
            if (i == 0)
                printf("%s, %d joints, %.2f us a joint for the certificate:\n", name[which], scene->jointCount,
                       micro * certified);
            printf("  %-20s %6.2f us a joint   %5.2f certificates\n", ways[i].name, micro * adapted,
                   adapted / certified);
            sceneDestroy(scene);
        }
    }
    dCloseODE();
    return 0;
}
