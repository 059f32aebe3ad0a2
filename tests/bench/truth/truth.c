/* truth.c  Agreement of physical values with the motion: machines that drift, under each stepper,
 * with several iterations and step sizes. See truth.h for the measure. */
#include "truth.h"
#include "../bench_build.h"
#include "../bench_command.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_CHOICES = 16, QUICK_STEPS = 60 };

/* The variations. */
typedef struct Grid {
    const DriftScene *kind[MOST_CHOICES];
    TruthStepper stepper[TRUTH_STEPPERS];
    int iterations[MOST_CHOICES];
    double stepSize[MOST_CHOICES];
    int surface[SURFACE_COUNT];
    int kinds, steppers, iterationCounts, stepSizes, surfaces; /* kinds 0: all */
    double window;
    int steps;
    bool joints, uneven, means, twin;
} Grid;

static const Grid all = {.stepper = {TRUTH_QUICK, TRUTH_WORLD, TRUTH_EXACT},
                         .iterations = {20, 100},
                         .stepSize = {1e-3, 2e-3, 5e-3, 10e-3, 20e-3},
                         .surface = {SURFACE_APPROX1},
                         .steppers = TRUTH_STEPPERS,
                         .iterationCounts = 2,
                         .stepSizes = 5,
                         .surfaces = 1,
                         .window = 0.2};

/* A scene of scenes.h by its number. A name in options that drift.h also has means the scene here.
 * NULL: there are no more. */
static const DriftScene *kindAt(int i)
{
    enum { MOST_KINDS = 40 };
    static DriftScene kind[MOST_KINDS];
    for (int k = 0; k <= i; k++)
        if (k == MOST_KINDS || !sceneKind[k].name)
            return NULL;
    kind[i] = (DriftScene){sceneKind[i].name, sceneKind[i].touches, 0, 0.2, 1.7, sceneKind[i].make, NULL, NULL};
    return &kind[i];
}

/* NULL: there are no more. */
static const DriftScene *sceneAt(int i)
{
    const DriftScene *const list[] = {driftScenes, truthScene};
    for (size_t l = 0; l < sizeof list / sizeof *list; l++)
        for (const DriftScene *scene = list[l]; scene->name; scene++)
            if (!i--)
                return scene;
    return kindAt(i);
}

static void help(void)
{
    printf("usage: truth [options]\n\n"
           "Agreement of physical values with the motion, in the mean over windows of time, and with closed forms\n"
           "at each step: scenes x steppers x surfaces x iterations x step sizes. A repeated option adds a choice.\n\n"
           "  --scene NAME       only this scene\n"
           "  --stepper NAME     quick, world (dWorldStep), exact; all\n"
           "  --iterations N     of dWorldQuickStep; 20 and 100\n"
           "  --h MS             step size; 1, 2, 5, 10, 20 ms\n"
           "  --surface NAME     of scenes with contacts, or all; approx1\n"
           "  --window S         length of a window; 0.2 s\n"
           "  --steps N          measured steps; the scene's number\n"
           "  --uneven           steps of 0.2 to 1.8 times the step size, at random\n"
           "  --means            only figures of means over windows of 0.15 s (KS_MEAN)\n"
           "  --twin             with --means: also a twin in steps of 50 us, which cannot judge single steps\n"
           "  --joints           a line for each joint, too\n"
           "  --quick            dWorldQuickStep with 20 iterations and steps of 5 ms, %d of them\n"
           "  --csv FILE         writes the figures as comma-separated values\n"
           "  --help             shows this\n\nscenes:",
           QUICK_STEPS);
    for (int i = 0; sceneAt(i); i++)
        printf(" %s", sceneAt(i)->name);
    printf("\n");
}

_Noreturn static void usageError(const char *what, const char *argument)
{
    benchUsageError("truth", what, argument);
}

static const DriftScene *sceneOf(const char *name)
{
    for (int i = 0; sceneAt(i); i++)
        if (!strcmp(sceneAt(i)->name, name))
            return sceneAt(i);
    usageError("no such scene:", name);
    return NULL;
}

static double number(const char *text, double most)
{
    char *end;
    errno = 0;
    double value = strtod(text, &end);
    if (errno || end == text || *end || !(value > 0) || value > most)
        usageError("not such a number:", text);
    return value;
}

/* The place of the next choice in a list: the first choice on the command line replaces the whole
 * list. */
static int next(int *count, bool *given)
{
    if (!*given)
        *count = 0;
    *given = true;
    if (*count == MOST_CHOICES)
        usageError("too many choices", "");
    return (*count)++;
}

static int surfaceOf(const char *name)
{
    for (int s = 0; s < SURFACE_COUNT; s++)
        if (!strcmp(sceneSurface[s].name, name))
            return s;
    usageError("no such surface:", name);
    return 0;
}

static TruthStepper stepperOf(const char *name)
{
    for (int s = 0; s < TRUTH_STEPPERS; s++)
        if (!strcmp(truthStepper[s], name))
            return (TruthStepper)s;
    usageError("no such stepper:", name);
    return TRUTH_QUICK;
}

static void addSurface(Grid *grid, bool *given, const char *name)
{
    const bool every = !strcmp(name, "all");
    for (int s = 0; s < SURFACE_COUNT; s++)
        if (every || s == surfaceOf(name))
            grid->surface[next(&grid->surfaces, given)] = s;
}

static void onlyQuick(Grid *grid)
{
    grid->steppers = grid->iterationCounts = grid->stepSizes = 1;
    grid->stepSize[0] = 5e-3;
    grid->steps = QUICK_STEPS;
}

static Grid readCommandLine(int argc, char **argv, const char **csv)
{
    const double mostIterations = 1e6, mostMilliseconds = 1e3, mostSeconds = 1e3, mostSteps = 1e6;
    Grid grid = all;
    bool scene = false, stepper = false, iterations = false, stepSize = false, surface = false;
    for (int i = 1; i < argc; i++) {
        const char *option = argv[i];
        if (!strcmp(option, "--help")) {
            help();
            exit(fflush(stdout) ? EXIT_FAILURE : EXIT_SUCCESS);
        } else if (!strcmp(option, "--quick")) {
            onlyQuick(&grid);
        } else if (!strcmp(option, "--joints")) {
            grid.joints = true;
        } else if (!strcmp(option, "--means")) {
            grid.means = true;
        } else if (!strcmp(option, "--twin")) {
            grid.means = grid.twin = true;
        } else if (!strcmp(option, "--uneven")) {
            grid.uneven = true;
        } else if (++i == argc) {
            usageError("unknown argument, or without a value:", option);
        } else if (!strcmp(option, "--scene")) {
            grid.kind[next(&grid.kinds, &scene)] = sceneOf(argv[i]);
        } else if (!strcmp(option, "--stepper")) {
            grid.stepper[next(&grid.steppers, &stepper) % TRUTH_STEPPERS] = stepperOf(argv[i]);
        } else if (!strcmp(option, "--iterations")) {
            grid.iterations[next(&grid.iterationCounts, &iterations)] = (int)number(argv[i], mostIterations);
        } else if (!strcmp(option, "--h")) {
            grid.stepSize[next(&grid.stepSizes, &stepSize)] = 1e-3 * number(argv[i], mostMilliseconds);
        } else if (!strcmp(option, "--surface")) {
            addSurface(&grid, &surface, argv[i]);
        } else if (!strcmp(option, "--window")) {
            grid.window = number(argv[i], mostSeconds);
        } else if (!strcmp(option, "--steps")) {
            grid.steps = (int)number(argv[i], mostSteps);
        } else if (!strcmp(option, "--csv")) {
            *csv = argv[i];
        } else {
            usageError("unknown argument:", option);
        }
    }
    return grid;
}

/* One scene with all variations. */
static bool runScene(const Grid *grid, const DriftScene *kind, FILE *csv)
{
    TruthCase what = {.kind = kind,
                      .window = grid->window,
                      .steps = grid->steps,
                      .joints = grid->joints,
                      .means = grid->means,
                      .twin = grid->twin,
                      .uneven = grid->uneven};
    bool done = true;
    for (int t = 0; t < grid->steppers; t++)
        for (int n = 0; n < (grid->stepper[t] == TRUTH_QUICK ? grid->iterationCounts : 1); n++)
            for (int s = 0; s < (kind->touches ? grid->surfaces : 1); s++)
                for (int h = 0; h < grid->stepSizes; h++) {
                    TruthResult result;
                    what.stepper = grid->stepper[t];
                    what.iterations = grid->iterations[n];
                    what.surface = &sceneSurface[grid->surface[s]];
                    what.stepSize = grid->stepSize[h];
                    const bool measured = truthRun(&what, &result);
                    if (measured)
                        truthReport(&what, &result, csv);
                    done = done && measured;
                }
    return done;
}

int main(int argc, char **argv)
{
    const char *path = NULL;
    const Grid grid = readCommandLine(argc, argv, &path);
    FILE *csv;
    if (!benchOpenTable(path, &csv))
        return EXIT_FAILURE;
    dInitODE2(0);
    benchHushEngine();
    truthHead(grid.means, csv);
    bool done = true;
    for (int i = 0; i < grid.kinds; i++)
        done = runScene(&grid, grid.kind[i], csv) && done;
    for (int i = 0; !grid.kinds && sceneAt(i); i++)
        done = runScene(&grid, sceneAt(i), csv) && done;
    done = benchCloseTable("truth", path, csv) && done;
    dCloseODE();
    return done ? EXIT_SUCCESS : EXIT_FAILURE;
}
