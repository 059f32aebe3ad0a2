/* peers.c  The cost of a step in several engines, of its joint forces, and of ODE's inspection: a
 * hanging chain of hinges, as in scenes.c. The ways take turns, and the least of its medians counts
 * for each.
 * peers [--links N] [--steps N] */
#define _POSIX_C_SOURCE 200809L
#include "../bench_build.h"
#include "../bench_command.h"
#include "../bench_time.h"
#include "engines.h"

#include <kinetostat/kinetostat.h>

#include <errno.h>
#include <math.h>
#include <ode/ode.h>
#include <stdlib.h>
#include <string.h>

enum { LINKS = 90, STEPS = 200, MOST_STEPS = 100000, WARM_UP = 20, ROUNDS = 5, MOST_WAYS = 64, QUICK_20 = 2 };

/* The timed part. */
typedef enum Part { STEP, REACTIONS, CERTIFICATE, CONVERGED, PHYSICAL, EXACT } Part;

typedef struct Way {
    const Engine *engine;
    int setting;
    Part part;
    double seconds; /* least median so far */
} Way;

static const char *const partName[] = {"a step",
                                       "reactions of a state",
                                       "inspected, certificate: added",
                                       "inspected, converged: added",
                                       "inspected, physical: added",
                                       "exact step by Kinetostat"};

static void hear(const ksReaction *reaction, void *user)
{
    *(double *)user += reaction->physical[0].force[0];
}

static ksInspector *inspect(void *world, Part part)
{
    static double sink;
    ksInspector *inspector;
    ksInspectorOptions options;
    ksInspectorOptionsInit(&options);
    options.values = part == PHYSICAL ? options.values : part == CONVERGED ? KS_COMPUTE_CONVERGED : 0;
    ksStatus status = ksInspectorCreate(engineOdeWorld(world), &options, &inspector);
    if (!status && part != EXACT)
        status = ksInspectorOnReaction(inspector, NULL, hear, &sink);
    if (!status)
        return inspector;
    fprintf(stderr, "peers: %s\n", ksErrorMessage());
    exit(EXIT_FAILURE);
}

/* Times one step; s. NaN: it failed. */
static double timeStep(const Way *way, void *world, ksInspector *inspector, double stepSize)
{
    static const ksWrench load[ENGINE_BODIES];
    bool made = true;
    double begin = benchNow(CLOCK_MONOTONIC);
    if (way->part == EXACT)
        made = !ksInspectorExactStep(inspector, stepSize);
    else if (inspector)
        made = !ksInspectorQuickStep(inspector, stepSize);
    else
        made = way->engine->step(world, load);
    if (way->part == REACTIONS) {
        begin = benchNow(CLOCK_MONOTONIC);
        made = made && way->engine->reactions(world);
    }
    return made ? benchNow(CLOCK_MONOTONIC) - begin : NAN;
}

/* Times one run, and keeps the least median. */
static void timeRun(Way *way, const EngineScene *scene, int steps, double *seconds)
{
    void *world = way->engine->open(scene, way->setting, scene->stepSize, NULL);
    if (!world)
        exit(EXIT_FAILURE);
    ksInspector *inspector = way->part >= CERTIFICATE ? inspect(world, way->part) : NULL;
    for (int i = -WARM_UP; i < steps; i++) {
        const double lasted = timeStep(way, world, inspector, scene->stepSize);
        if (isnan(lasted)) {
            fprintf(stderr, "peers: %s, %s: a step failed\n", way->engine->name, way->engine->setting[way->setting]);
            exit(EXIT_FAILURE);
        }
        if (i >= 0)
            seconds[i] = lasted;
    }
    ksInspectorDestroy(inspector);
    (void)way->engine->close(world);
    benchSort(seconds, (size_t)steps);
    way->seconds = fmin(way->seconds, seconds[steps / 2]);
}

static void addWay(Way *way, int *count, const Engine *engine, int setting, Part part)
{
    if (*count < MOST_WAYS)
        way[(*count)++] = (Way){engine, setting, part, INFINITY};
}

static int listWays(const EngineScene *scene, Way *way)
{
    int count = 0;
    for (const Engine *const *engine = engines; *engine; engine++) {
        for (int i = 0; (*engine)->setting[i]; i++)
            if (!(*engine)->lacks || !(*engine)->lacks(scene, i))
                addWay(way, &count, *engine, i, STEP);
        if ((*engine)->reactions)
            addWay(way, &count, *engine, 0, REACTIONS);
    }
    for (Part part = CERTIFICATE; part <= EXACT; part++)
        addWay(way, &count, &engineOde, QUICK_20, part);
    return count;
}

static void report(const Way *way, int count, int links)
{
    const double plain = way[QUICK_20].seconds; /* ODE is the first engine, and supports the whole scene */
    printf("%-8s %-10s %-30s %12s %8s\n", "engine", "setting", "", "us a joint", "x plain");
    for (int i = 0; i < count; i++) {
        const double added = way[i].part >= CERTIFICATE && way[i].part <= PHYSICAL ? plain : 0;
        const double seconds = way[i].seconds - added;
        printf("%-8s %-10s %-30s %12.2f %8.2f\n", way[i].engine->name,
               way[i].part == EXACT ? "" : way[i].engine->setting[way[i].setting], partName[way[i].part],
               1e6 * seconds / links, seconds / plain);
    }
}

static int number(const char *text, int most)
{
    char *end;
    errno = 0;
    const long value = strtol(text, &end, 10);
    if (errno || end == text || *end || value < 1 || value > most)
        benchUsageError("peers", "not a number in range:", text);
    return (int)value;
}

int main(int argc, char **argv)
{
    int links = LINKS, steps = STEPS;
    for (int i = 1; i < argc; i += 2) {
        if (!strcmp(argv[i], "--help")) {
            printf("usage: peers [--links N] [--steps N]\n\n"
                   "The cost of a step and of joint forces in several engines: a hanging chain of %d hinges, up to %d; "
                   "the median of %d steps.\n",
                   LINKS, ENGINE_BODIES, STEPS);
            return EXIT_SUCCESS;
        }
        if (i + 1 == argc || (strcmp(argv[i], "--links") && strcmp(argv[i], "--steps")))
            benchUsageError("peers", "unknown argument, or without a value:", argv[i]);
        if (!strcmp(argv[i], "--links"))
            links = number(argv[i + 1], ENGINE_BODIES);
        else
            steps = number(argv[i + 1], MOST_STEPS);
    }
    static EngineScene scene;
    Way way[MOST_WAYS];
    double *seconds = calloc((size_t)steps, sizeof *seconds);
    if (!seconds)
        return EXIT_FAILURE;
    if (benchUnfit())
        fprintf(stderr, "peers: %s\n", benchUnfit());
    dInitODE2(0);
    benchHushEngine();
    benchPrintBuild(stdout);
    engineChain(links, &scene);
    const int count = listWays(&scene, way);
    for (int round = 0; round < ROUNDS; round++)
        for (int i = 0; i < count; i++)
            timeRun(&way[i], &scene, steps, seconds);
    report(way, count, links);
    free(seconds);
    dCloseODE();
    return fflush(stdout) ? EXIT_FAILURE : EXIT_SUCCESS;
}
