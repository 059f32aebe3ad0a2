/* bench_run.c  Measures one scene: a world for each way to step it, all going the same way, step by step in turn. */
#define _POSIX_C_SOURCE 200809L
#include "bench.h"

#include "inspector/inspector.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

const char *const benchWay[WAYS] = {"plain", "certificate", "converged", "physical"};
static const unsigned values[WAYS] = {0, 0, KS_COMPUTE_CONVERGED, KS_COMPUTE_CONVERGED | KS_COMPUTE_PHYSICAL};

static const double stepSize = 0.001;
static const double settleStepSize = 0.005; /* at first */
enum { ITERATIONS = 20, SETTLE_STEPS = 600, LEAST_WARM_UP = 2, SEED = 1 };
static const double loadFloor =
    1e-6; /* of the largest multiplier: joints that carry less count as if they carried this */

/* Memory that an inspector takes, and what it asked for. */
typedef struct Meter {
    size_t live, peak;
    long requests;
} Meter;

typedef union Head { /* keeps what follows aligned */
    size_t size;
    max_align_t align;
} Head;

static void *resize(void *user, void *memory, size_t size)
{
    Meter *meter = user;
    Head *old = memory ? (Head *)memory - 1 : NULL;
    size_t oldSize = old ? old->size : 0;
    if (size == 0) {
        meter->live -= oldSize;
        free(old);
        return NULL;
    }
    meter->requests++;
    Head *head = realloc(old, sizeof *head + size);
    if (!head)
        return NULL;
    head->size = size;
    meter->live += size - oldSize;
    if (meter->live > meter->peak)
        meter->peak = meter->live;
    return head + 1;
}

/* A world and its inspector. */
typedef struct Runner {
    Scene *scene;
    ksInspector *inspector; /* NULL: plain */
    Meter meter;
    double sink;   /* what the host makes of the reactions */
    double *whole; /* [steps] s */
    double *phase; /* [PHASES x steps] s */
    long stepped;
} Runner;

static void hear(const ksReaction *reaction, void *user)
{
    *(double *)user += reaction->engine[0].force[0];
}

static bool openRunner(Runner *runner, int way)
{
    dWorldSetQuickStepNumIterations(runner->scene->world, ITERATIONS);
    if (way == PLAIN)
        return true;
    ksInspectorOptions options;
    ksInspectorOptionsInit(&options);
    options.values = values[way];
    options.islandRowBudget = SIZE_MAX;
    options.allocator = (ksAllocator){resize, &runner->meter};
    ksStatus status = ksInspectorCreate(runner->scene->world, &options, &runner->inspector);
    if (!status)
        status = ksInspectorOnReaction(runner->inspector, NULL, hear, &runner->sink);
    if (status)
        fprintf(stderr, "an inspector: %s\n", ksStatusName(status));
    return !status;
}

static void closeRunner(Runner *runner)
{
    ksInspectorDestroy(runner->inspector);
    sceneDestroy(runner->scene);
    free(runner->whole);
    free(runner->phase);
}

/* Contacts come to rest first, each world by itself: the order in which a space finds them has a memory. */
static bool makeScenes(const BenchCase *what, Runner *runner, int count)
{
    for (int w = 0; w < count; w++) {
        Scene *scene = runner[w].scene = what->scene->make(what->size);
        if (!scene) {
            fprintf(stderr, "%s %d: out of memory\n", what->scene->name, what->size);
            return false;
        }
        dRandSetSeed(SEED);
        for (int i = 0; scene->contacts && i < SETTLE_STEPS; i++) {
            benchProgress(what, "settles", w * SETTLE_STEPS + i, count * SETTLE_STEPS);
            sceneStep(scene, dWorldQuickStep, i < SETTLE_STEPS / 2 ? settleStepSize : stepSize);
        }
    }
    return true;
}

static void step(Runner *runner, bool inspected)
{
    if (runner->inspector && inspected)
        ksInspectorQuickStep(runner->inspector, stepSize);
    else
        dWorldQuickStep(runner->scene->world, stepSize);
}

/* By this name callgrind tells the measured steps from all that comes before. */
__attribute__((noinline)) void benchMeasuredStep(Runner *runner, bool inspected);
void benchMeasuredStep(Runner *runner, bool inspected)
{
    step(runner, inspected);
    runner->stepped++;
}

/* Processor time: what else the machine does is not in it. */
static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static int ascending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static Spread spread(double *sample, int count)
{
    qsort(sample, (size_t)count, sizeof *sample, ascending);
    return (Spread){sample[(count - 1) / 4], sample[count / 2], sample[count - 1 - (count - 1) / 4]};
}

static void readAccuracy(const ksInspector *inspector, WayResult *out)
{
    size_t count, unchecked = 0;
    const ksReaction *reaction = ksInspectorGetReactions(inspector, &count);
    double floor = 0;
    for (size_t i = 0; i < count; i++)
        for (int l = 0; l < reaction[i].rowCount; l++)
            floor = fmax(floor, loadFloor * fabs(reaction[i].row[l].paulus));
    for (size_t i = 0; i < count; i++) {
        double load = floor, apart = 0;
        for (int l = 0; l < reaction[i].rowCount; l++) {
            const ksRow *row = &reaction[i].row[l];
            load = fmax(load, fabs(row->paulus));
            apart = fmax(apart, fabs(row->gauss - row->paulus));
        }
        if (load > 0)
            out->routes = fmax(out->routes, apart / load);
        out->bar = fmax(out->bar, reaction[i].errorBar);
        out->error = fmax(out->error, reaction[i].error);
        unchecked += reaction[i].verdict == KS_UNCHECKED;
    }
    out->unchecked = fmax(out->unchecked, (double)unchecked / (double)(count ? count : 1));
}

static void measureStep(Runner *runner, bool inspected, int i, WayResult *out)
{
    long requests = runner->meter.requests;
    double start = now();
    benchMeasuredStep(runner, inspected);
    runner->whole[i] += now() - start;
    out->allocations += runner->meter.requests - requests;
}

static void readReport(const BenchCase *what, Runner *runner, int i, WayResult *out)
{
    const ksStepReport *report = ksInspectorGetStepReport(runner->inspector);
    for (int p = 0; p < PHASES; p++)
        runner->phase[p * what->steps + i] = report->seconds[p];
    readAccuracy(runner->inspector, out);
}

/* All ways go from the same state with the same random numbers: a step, or as many as the last of which is inspected. */
static void goRound(const BenchCase *what, Runner *runner, int i, BenchResult *result)
{
    unsigned long seed = dRandGetSeed();
    for (int w = 0; w < WAYS; w++) {
        dRandSetSeed(seed);
        for (int k = 1; k <= what->every; k++) {
            sceneBeforeStep(runner[w].scene);
            if (i < 0)
                step(&runner[w], k == what->every);
            else
                measureStep(&runner[w], k == what->every, i, &result->way[w]);
            sceneAfterStep(runner[w].scene);
        }
        if (i >= 0)
            runner[w].whole[i] /= what->every;
        if (i >= 0 && w != PLAIN)
            readReport(what, &runner[w], i, &result->way[w]);
    }
    const ksStepReport *report = ksInspectorGetStepReport(runner[CONVERGED].inspector);
    result->joints += i < 0 ? 0 : report->reactionCount;
    result->rows += i < 0 ? 0 : report->rowCount;
    result->rank += i < 0 ? 0 : report->rank;
}

static void summarise(const BenchCase *what, Runner *runner, BenchResult *result)
{
    const ksInspector *inspector = runner[CONVERGED].inspector;
    const ksStepReport *report = ksInspectorGetStepReport(inspector);
    result->joints /= (size_t)what->steps;
    result->rows /= (size_t)what->steps;
    result->rank /= (size_t)what->steps;
    result->islands = report->islandCount;
    for (size_t i = 0; i < inspector->solver.warmCount; i++)
        result->fill += ksiWarmStartFactorEntries(inspector->solver.warm[i]);
    for (int w = WAYS - 1; w >= 0; w--) {
        WayResult *out = &result->way[w];
        double *difference = runner[w].phase;
        for (int p = 0; w != PLAIN && p < PHASES; p++)
            out->phase[p] = spread(&runner[w].phase[p * what->steps], what->steps).median;
        for (int i = 0; i < what->steps; i++)
            difference[i] = runner[w].whole[i] - runner[PLAIN].whole[i];
        out->added = spread(difference, what->steps);
        out->whole = spread(runner[w].whole, what->steps);
        out->peakBytes = runner[w].meter.peak;
    }
}

static bool goAll(const BenchCase *what, Runner *runner, BenchResult *result)
{
    size_t steps = (size_t)what->steps;
    for (int w = 0; w < WAYS; w++) {
        runner[w].whole = calloc(steps, sizeof(double));
        runner[w].phase = malloc(PHASES * steps * sizeof(double));
        if (!runner[w].whole || !runner[w].phase || !openRunner(&runner[w], w))
            return false;
    }
    dRandSetSeed(SEED);
    int warmUp = what->steps / 8 > LEAST_WARM_UP ? what->steps / 8 : LEAST_WARM_UP;
    for (int i = -warmUp; i < what->steps; i++) {
        benchProgress(what, "step", i + warmUp, what->steps + warmUp);
        goRound(what, runner, i, result);
    }
    for (int w = 1; w < WAYS; w++) {
        if (!sceneSameState(runner[w].scene, runner[PLAIN].scene)) {
            fprintf(stderr, "%s %d: the worlds did not go the same way\n", what->scene->name, what->size);
            return false;
        }
    }
    summarise(what, runner, result);
    return true;
}

bool benchRun(const BenchCase *what, BenchResult *result)
{
    static Runner runner[WAYS];
    memset(runner, 0, sizeof runner);
    *result = (BenchResult){0};
    bool done = makeScenes(what, runner, WAYS) && goAll(what, runner, result);
    for (int w = 0; w < WAYS; w++)
        closeRunner(&runner[w]);
    benchProgress(what, "", 0, 0);
    return done;
}

bool benchCount(const BenchCase *what, int way)
{
    Runner runner = {0};
    bool done = makeScenes(what, &runner, 1) && openRunner(&runner, way);
    dRandSetSeed(SEED);
    for (int i = -LEAST_WARM_UP; done && i < what->steps; i++) {
        sceneBeforeStep(runner.scene);
        if (i < 0)
            step(&runner, true);
        else
            benchMeasuredStep(&runner, true);
        sceneAfterStep(runner.scene);
    }
    if (done)
        printf("%d %ld\n", runner.scene->jointCount + runner.scene->contactCount, runner.stepped);
    closeRunner(&runner);
    return done;
}
