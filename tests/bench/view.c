/* view.c  What a frame of the view costs: of 200 bodies, and of nothing but the ground. Off screen, with the machine's OpenGL; the ratio
 * is what does not depend on it so much. */
#include "plugin/view/view.h"
#include "demos/scenes.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static double now(clockid_t clock)
{
    struct timespec time;
    clock_gettime(clock, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

static void check(ksStatus status)
{
    if (status == KS_OK)
        return;
    fprintf(stderr, "view: %s\n", ksErrorMessage());
    exit(1);
}

static int compare(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* s: by the clock, and of all threads. */
typedef struct Cost {
    double wall, work;
} Cost;

/* Medians of many frames. */
static Cost frameCost(ksView *view)
{
    enum { FRAMES = 31 };
    double wall[FRAMES], work[FRAMES];
    for (int i = -3; i < FRAMES; i++) {
        double start = now(CLOCK_MONOTONIC), worked = now(CLOCK_PROCESS_CPUTIME_ID);
        check(ksViewDraw(view));
        if (i >= 0) {
            wall[i] = now(CLOCK_MONOTONIC) - start;
            work[i] = now(CLOCK_PROCESS_CPUTIME_ID) - worked;
        }
    }
    qsort(wall, FRAMES, sizeof *wall, compare);
    qsort(work, FRAMES, sizeof *work, compare);
    return (Cost){wall[FRAMES / 2], work[FRAMES / 2]};
}

static void report(const char *name, Cost cost, Cost empty)
{
    printf("%-24s %7.2f ms  %7.2f ms of processors, %5.2f of nothing\n", name, 1e3 * cost.wall, 1e3 * cost.work,
           cost.work / empty.work);
}

static Cost sceneCost(ksView *view, Scene *scene, int steps)
{
    ksInspector *inspector;
    if (!scene)
        exit(1);
    check(ksInspectorCreate(scene->world, NULL, &inspector));
    check(ksViewWatch(view, inspector, scene->space, "bench"));
    for (int i = 0; i < steps; i++) {
        sceneBeforeStep(scene);
        check(ksInspectorQuickStep(inspector, 0.01));
        sceneAfterStep(scene);
    }
    Cost cost = frameCost(view);
    ksInspectorDestroy(inspector);
    sceneDestroy(scene);
    return cost;
}

int main(int argc, char **argv)
{
    enum { BODIES = 200 };
    ksViewOptions options;
    ksView *view;
    ksViewOptionsInit(&options);
    options.offscreen = 1;
    if (argc == 3 && strcmp(argv[1], "--samples") == 0)
        options.samples = atoi(argv[2]);
    dInitODE2(0);
    check(ksViewCreate(&options, &view));
    printf("%d x %d pixels, %d samples (of pictures; 1 in a window of llvmpipe), %s\n\n", options.width, options.height,
           options.samples ? options.samples : 4, ksViewGetRenderer(view));
    Cost empty = frameCost(view);
    report("nothing", empty, empty);
    const struct {
        const char *name;
        Scene *scene;
        int steps;
    } row[] = {{"200 links on hinges", sceneChain(BODIES, SCENE_HANGING), 30},
               {"200 boxes in a pile", scenePile(BODIES), 100}};
    for (size_t i = 0; i < sizeof row / sizeof *row; i++)
        report(row[i].name, sceneCost(view, row[i].scene, row[i].steps), empty);
    ksViewDestroy(view);
    dCloseODE();
    return 0;
}
