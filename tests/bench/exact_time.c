/* exact_time.c  A way of stepping, and its cost: falling chains, trees, ragdolls in the air and
 * linkages of growing size. */
#define _POSIX_C_SOURCE 200809L
#include "bench_time.h"
#include "exact.h"

#include <math.h>
#include <stdlib.h>

static const double farAway = 1e4; /* m */

bool exactOpen(Scene *scene, ExactWay way, int iterations, ExactWorld *world)
{
    ksInspectorOptions options;
    ksInspectorOptionsInit(&options);
    *world = (ExactWorld){.scene = scene, .way = way};
    if (!scene)
        return false;
    if (way == QUICK && iterations)
        dWorldSetQuickStepNumIterations(scene->world, iterations);
    options.values = 0;
    options.exactContacts = way == EXACT ? KS_EXACT_CONTACTS_SOLVED : KS_EXACT_CONTACTS_SWEPT;
    if (way >= EXACT && iterations)
        options.contactSweeps = (size_t)iterations;
    return way < EXACT || ksInspectorCreate(scene->world, &options, &world->inspector) == KS_OK;
}

void exactClose(ExactWorld *world)
{
    ksInspectorDestroy(world->inspector);
    sceneDestroy(world->scene);
}

double exactStep(ExactWorld *world, double stepSize)
{
    sceneBeforeStep(world->scene);
    const double begin = benchNow(CLOCK_PROCESS_CPUTIME_ID);
    const int stepped = world->way == QUICK    ? dWorldQuickStep(world->scene->world, stepSize)
                        : world->way == DIRECT ? dWorldStep(world->scene->world, stepSize)
                                               : ksInspectorExactStep(world->inspector, stepSize) == KS_OK;
    const double seconds = benchNow(CLOCK_PROCESS_CPUTIME_ID) - begin;
    sceneAfterStep(world->scene);
    return stepped ? seconds : -1;
}

bool exactIsWhole(const Scene *scene)
{
    for (int i = 0; i < scene->bodyCount; i++) {
        const dReal *at = dBodyGetPosition(scene->body[i]);
        if (!(fabs(at[0]) + fabs(at[1]) + fabs(at[2]) < farAway))
            return false;
    }
    return true;
}

static Scene *chain(int size)
{
    return sceneChain(size, SCENE_FALLING);
}

static Scene *fourbars(int size)
{
    return sceneLoops(size, 1, COUPLER_HINGED);
}

static Scene *loops(int size)
{
    return sceneLoops(1, size, COUPLER_BALL_UNIVERSAL);
}

static Scene *hingedLoops(int size)
{
    return sceneLoops(1, size, COUPLER_HINGED);
}

enum { SIZES = 4, MOST_STEPS = 200, LEAST_STEPS = 7, WORK = 20000, DIRECT_JOINTS = 130 };
static const struct {
    const char *name;
    Scene *(*make)(int size);
    int size[SIZES];
} kind[] = {
    {"chain", chain, {10, 100, 1000, 10000}},
    {"tree", sceneTree, {15, 127, 1023, 10000}},
    {"ragdolls", sceneRagdolls, {1, 10, 100}},
    {"loops", loops, {3, 30, 300}},
    {"four-bars", fourbars, {1, 10, 100}},
    {"hinged loops", hingedLoops, {3, 30}},
    {"star", sceneStar, {10, 50}},
};

static int stepsOf(int joints)
{
    const int steps = WORK / (joints + 1);
    return steps > MOST_STEPS ? MOST_STEPS : steps < LEAST_STEPS ? LEAST_STEPS : steps;
}

/* The median of a step, in microseconds; NaN: it takes too long; negative: it failed. Each way runs
 * by itself, so that its world is in the cache. */
static double medianOf(int k, int size, ExactWay way, int *joints, size_t *left)
{
    static const double stepSize = 1e-3;
    double seconds[MOST_STEPS];
    ExactWorld world;
    bool done = exactOpen(kind[k].make(size), way, 0, &world);
    if (!done)
        return -1;
    *joints = world.scene->jointCount;
    const int steps = way == DIRECT && *joints > DIRECT_JOINTS ? 0 : stepsOf(*joints);
    for (int i = 0; i < steps; i++) {
        seconds[i] = exactStep(&world, stepSize);
        done &= seconds[i] >= 0;
        *left += way >= EXACT ? ksInspectorGetStepReport(world.inspector)->fallbackRowCount : 0;
    }
    exactClose(&world);
    benchSort(seconds, (size_t)steps);
    return !done ? -1 : steps ? 1e6 * seconds[steps / 2] : NAN;
}

static bool timeOne(int k, int size)
{
    double median[EXACT + 1];
    size_t left = 0;
    int joints = 0;
    bool done = true;
    for (int w = QUICK; w <= EXACT; w++) {
        median[w] = medianOf(k, size, (ExactWay)w, &joints, &left);
        done &= !(median[w] < 0);
    }
    printf("%-13s %6d %10.1f %10.1f %8.2f", kind[k].name, joints, median[QUICK], median[EXACT],
           median[EXACT] / median[QUICK]);
    if (isnan(median[DIRECT]))
        printf(" %10s %8s", "-", "-");
    else
        printf(" %10.1f %8.2f", median[DIRECT], median[EXACT] / median[DIRECT]);
    printf(" %6zu\n", left);
    return done;
}

bool exactTimes(void)
{
    bool done = true;
    printf(
        "\nMedian time of a step, microseconds: dWorldQuickStep(20), ksInspectorExactStep (values = 0), their ratio;\n"
        "dWorldStep (-: it takes too long), and the ratio to that; rows that were left to dWorldQuickStep\n\n"
        "%-13s %6s %10s %10s %8s %10s %8s %6s\n",
        "", "joints", "quick", "exact", "/ quick", "direct", "/ direct", "left");
    for (size_t k = 0; k < sizeof kind / sizeof *kind; k++)
        for (int i = 0; i < SIZES && kind[k].size[i]; i++)
            done &= timeOne((int)k, kind[k].size[i]);
    return done;
}
