/* ground.c  Machines on the ground, and redundant ones: the share of joints with an answer, the
 * size of the answers, and their cost; each scene under both steppers, on all surfaces, with
 * several iterations and step sizes. See groundHead. */
#include "ground.h"
#include "bench_build.h"
#include "bench_command.h"

#include <stdlib.h>
#include <string.h>

enum { QUICK_STEPS = 10 };

/* The last entry is for all other scenes. */
static const GroundWindows windows[] = {
    {"ragdoll", {0.42, 1}, 20},   {"ragdoll-stops", {0.42, 1}, 20}, {"heap", {0.8, 1.5}, 2},
    {"car", {0.2, 0.6}, 20},      {"biped", {0.5, 1}, 20},          {"quadruped", {0.5, 1}, 20},
    {"hexapod", {0.5, 1}, 20},    {"standing", {0, 0.5}, 20},       {"arm-presses", {0, 0.5}, 20},
    {"arm-holds", {0, 0.5}, 20},  {"plank", {0, 0.1}, 20},          {"bridge-20", {0.2, 0.8}, 10},
    {"bridge-60", {0.2, 0.8}, 2}, {NULL, {0.1, 0.5}, 20},
};

static const int iterations[] = {0, 10, 20, 100, 1000}; /* 0: dWorldStep */
static const double stepSize[] = {1e-3, 5e-3, 10e-3, 20e-3};
static const int quickIterations[] = {0, 20};
static const double quickStepSize[] = {5e-3};

/* The variations. */
typedef struct Grid {
    const int *iterations;
    const double *stepSize;
    int iterationCount, stepSizeCount, surfaceCount;
    const char *scene; /* NULL: all */
    bool quick;
} Grid;

static void help(void)
{
    printf("usage: ground [options]\n\n"
           "The share of joints with an answer in machines on the ground, and its cost: scenes x steppers x\n"
           "surfaces x iterations x step sizes.\n\n"
           "  --quick         one surface, dWorldStep and dWorldQuickStep with 20 iterations, steps of 5 ms\n"
           "  --scene NAME    only this scene\n"
           "  --csv FILE      writes the figures as comma-separated values\n"
           "  --help          shows this\n\nscenes:");
    for (const SceneKind *kind = sceneKind; kind->name; kind++)
        printf(" %s", kind->name);
    printf("\n");
}

_Noreturn static void usageError(const char *what, const char *argument)
{
    benchUsageError("ground", what, argument);
}

static const SceneKind *kindOf(const char *name)
{
    for (const SceneKind *kind = sceneKind; kind->name; kind++)
        if (!strcmp(kind->name, name))
            return kind;
    usageError("no such scene:", name);
    return NULL;
}

static Grid readCommandLine(int argc, char **argv, const char **csv)
{
    Grid grid = {.iterations = iterations,
                 .stepSize = stepSize,
                 .iterationCount = sizeof iterations / sizeof *iterations,
                 .stepSizeCount = sizeof stepSize / sizeof *stepSize,
                 .surfaceCount = SURFACE_COUNT};
    for (int i = 1; i < argc; i++) {
        if (!strcmp(argv[i], "--help")) {
            help();
            exit(fflush(stdout) ? EXIT_FAILURE : EXIT_SUCCESS);
        } else if (!strcmp(argv[i], "--quick")) {
            grid.iterations = quickIterations;
            grid.stepSize = quickStepSize;
            grid.iterationCount = sizeof quickIterations / sizeof *quickIterations;
            grid.stepSizeCount = grid.surfaceCount = 1;
            grid.quick = true;
        } else if (i + 1 == argc) {
            usageError("unknown argument, or without a value:", argv[i]);
        } else if (!strcmp(argv[i], "--scene")) {
            grid.scene = kindOf(argv[++i])->name;
        } else if (!strcmp(argv[i], "--csv")) {
            *csv = argv[++i];
        } else {
            usageError("unknown argument:", argv[i]);
        }
    }
    return grid;
}

static GroundWindows windowsOf(const Grid *grid, const SceneKind *kind)
{
    const GroundWindows *found = windows;
    while (found->scene && strcmp(found->scene, kind->name))
        found++;
    GroundWindows chosen = *found;
    if (grid->quick && chosen.steps > QUICK_STEPS)
        chosen.steps = QUICK_STEPS;
    return chosen;
}

static int casesOf(const Grid *grid, const SceneKind *kind)
{
    if (grid->scene && strcmp(grid->scene, kind->name))
        return 0;
    return grid->iterationCount * grid->stepSizeCount * (kind->touches ? grid->surfaceCount : 1);
}

/* One scene under one stepper. */
static bool runStepper(const Grid *grid, const SceneKind *kind, int iteration, int *number, int count, FILE *csv)
{
    const GroundWindows look = windowsOf(grid, kind);
    GroundCase what = {.kind = kind,
                       .windows = &look,
                       .stepper = iteration ? KS_QUICK_STEP : KS_WORLD_STEP,
                       .iterations = iteration ? iteration : 1};
    GroundSummary summary = {0};
    bool done = true;
    for (int s = 0; s < (kind->touches ? grid->surfaceCount : 1); s++) {
        for (int h = 0; h < grid->stepSizeCount; h++) {
            GroundResult result;
            what.surface = &sceneSurface[s];
            what.stepSize = grid->stepSize[h];
            groundProgress(&what, ++*number, count);
            bool measured = groundRun(&what, &result);
            groundProgress(NULL, 0, 0);
            if (measured) {
                groundReport(&what, &result, csv);
                groundGather(&summary, &result);
            }
            done = done && measured;
        }
    }
    if (!grid->quick)
        groundReportAll(&what, &summary);
    return done;
}

int main(int argc, char **argv)
{
    const char *path = NULL;
    const Grid grid = readCommandLine(argc, argv, &path);
    if (benchUnfit()) {
        fprintf(stderr, "ground: nothing is measured on this build: %s\n", benchUnfit());
        return EXIT_FAILURE;
    }
    FILE *csv;
    if (!benchOpenTable(path, &csv))
        return EXIT_FAILURE;
    dInitODE2(0);
    benchHushEngine();
    groundHead(csv);
    bool done = true;
    int count = 0, number = 0;
    for (const SceneKind *kind = sceneKind; kind->name; kind++)
        count += casesOf(&grid, kind);
    for (const SceneKind *kind = sceneKind; kind->name; kind++)
        for (int i = 0; casesOf(&grid, kind) && i < grid.iterationCount; i++)
            done = runStepper(&grid, kind, grid.iterations[i], &number, count, csv) && done;
    done = benchCloseTable("ground", path, csv) && done;
    dCloseODE();
    return done ? EXIT_SUCCESS : EXIT_FAILURE;
}
