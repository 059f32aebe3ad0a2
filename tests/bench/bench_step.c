/* bench_step.c  Steps one world in one way, in the calling process, and measures each step. */
#define _POSIX_C_SOURCE 200809L
#include "bench.h"
#include "bench_time.h"

#include "tests/kits/inside_kit.h"

#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

const char *const benchWay[WAYS] = {"plain", "certificate", "converged", "physical", "two", "later", "later-two"};

static const double betweenSteps =
    5e-6; /* s per joint that the host sleeps between steps with deferred inspection, so that other
             threads can work */
static const double settleStepSize = 0.005; /* at first */
enum { ITERATIONS = 20, SETTLE_STEPS = 300, LEAST_WARM_UP = 2, SEED = 1 };
static const double loadFloor = 1e-6; /* of the largest multiplier: a joint that carries less counts as carrying this */

/* An inspector's memory, and its allocations on any thread. */
typedef struct Meter {
    pthread_mutex_t lock;
    size_t live, peak;
    long requests;
} Meter;

typedef union Head { /* keeps the block behind it aligned */
    size_t size;
    max_align_t align;
} Head;

static void count(Meter *meter, size_t before, size_t after)
{
    pthread_mutex_lock(&meter->lock);
    meter->requests += after > 0;
    meter->live += after - before;
    if (meter->live > meter->peak)
        meter->peak = meter->live;
    pthread_mutex_unlock(&meter->lock);
}

static void *resize(void *user, void *memory, size_t size)
{
    Meter *meter = user;
    Head *old = memory ? (Head *)memory - 1 : NULL;
    size_t oldSize = old ? old->size : 0;
    if (size == 0) {
        count(meter, oldSize, 0);
        free(old);
        return NULL;
    }
    Head *head = realloc(old, sizeof *head + size);
    if (!head)
        return NULL;
    head->size = size;
    count(meter, oldSize, size);
    return head + 1;
}

/* A world and its inspector. */
typedef struct Runner {
    Scene *scene;
    ksInspector *inspector; /* NULL: plain */
    Meter meter;
    double sink; /* the host's use of the reactions, so that the compiler keeps them */
    long stepped;
    double pause; /* s, after each step */
} Runner;

static bool isLater(int way)
{
    return way == LATER || way == LATER_TWO;
}

static void hear(const ksReaction *reaction, void *user)
{
    *(double *)user += reaction->engine[0].force[0];
}

/* Contacts come to rest first: in longer steps, then in steps of the measured size, which push
 * bodies apart faster. */
static bool makeScene(const BenchCase *what, Runner *runner)
{
    Scene *scene = runner->scene = what->scene->make(what->size);
    if (!scene) {
        fprintf(stderr, "%s %d: out of memory\n", what->scene->name, what->size);
        return false;
    }
    dRandSetSeed(SEED);
    const int longer = what->scene->fallSteps;
    for (int i = 0; scene->contacts && i < longer + SETTLE_STEPS; i++) {
        benchProgress(what, "settles", i, longer + SETTLE_STEPS);
        sceneStep(scene, dWorldQuickStep, i < longer ? settleStepSize : BENCH_STEP_SIZE);
    }
    return true;
}

static bool openRunner(const BenchCase *what, int way, Runner *runner)
{
    if (!makeScene(what, runner))
        return false;
    dWorldSetQuickStepNumIterations(runner->scene->world, ITERATIONS);
    dRandSetSeed(SEED);
    if (way == PLAIN)
        return true;
    ksInspectorOptions options;
    ksInspectorOptionsInit(&options);
    options.values = way == CERTIFICATE ? 0 : way == CONVERGED ? KS_COMPUTE_CONVERGED : options.values;
    options.workers = way == TWO || way == LATER_TWO ? 2 : 1;
    options.latency = isLater(way) ? KS_NEXT_STEP : KS_SAME_STEP;
    options.islandRowBudget = SIZE_MAX;
    options.allocator = (ksAllocator){resize, &runner->meter};
    if (isLater(way))
        runner->pause = betweenSteps * (runner->scene->jointCount + runner->scene->contactCount);
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
}

/* Callgrind counts the measured steps by this name, without the steps before them. */
__attribute__((noinline)) void benchMeasuredStep(Runner *runner, bool inspected);
void benchMeasuredStep(Runner *runner, bool inspected)
{
    if (runner->inspector && inspected)
        ksInspectorQuickStep(runner->inspector, BENCH_STEP_SIZE);
    else
        dWorldQuickStep(runner->scene->world, BENCH_STEP_SIZE);
    runner->stepped++;
}

static void rest(double seconds)
{
    if (seconds > 0)
        nanosleep(&(struct timespec){(time_t)seconds, (long)(1e9 * fmod(seconds, 1))}, NULL);
}

/* One step, by both clocks. For the processor clock it ends when the next step begins, since other
 * threads may work for it until then. The host's own work after the step is not included. */
static void timedStep(Runner *runner, bool inspected, double seconds[CLOCKS])
{
    sceneBeforeStep(runner->scene);
    double processor = benchNow(CLOCK_PROCESS_CPUTIME_ID), host = benchNow(CLOCK_MONOTONIC);
    benchMeasuredStep(runner, inspected);
    seconds[HOST] = benchNow(CLOCK_MONOTONIC) - host;
    double back = benchNow(CLOCK_THREAD_CPUTIME_ID);
    sceneAfterStep(runner->scene);
    rest(runner->pause);
    double between = benchNow(CLOCK_THREAD_CPUTIME_ID) - back;
    seconds[PROCESSOR] = benchNow(CLOCK_PROCESS_CPUTIME_ID) - processor - between;
}

/* A sample: the steps up to and including an inspected one. i < 0: warm-up. */
static void goSample(const BenchCase *what, Runner *runner, int i, double *sample)
{
    double sum[CLOCKS] = {0}, longest[CLOCKS] = {0};
    for (int k = 1; k <= what->every; k++) {
        double seconds[CLOCKS];
        timedStep(runner, k == what->every, seconds);
        for (int clock = 0; clock < CLOCKS; clock++) {
            sum[clock] += seconds[clock];
            longest[clock] = fmax(longest[clock], seconds[clock]);
        }
    }
    for (int clock = 0; i >= 0 && clock < CLOCKS; clock++) {
        sample[clock * what->steps + i] = sum[clock] / what->every;
        sample[(SAMPLE_LONGEST + clock) * what->steps + i] = longest[clock];
    }
}

static void readAccuracy(const ksInspector *inspector, WayRun *run)
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
            run->routes = fmax(run->routes, apart / load);
        run->bar = fmax(run->bar, reaction[i].errorBar);
        run->error = fmax(run->error, reaction[i].error);
        unchecked += reaction[i].verdict == KS_UNCHECKED;
    }
    run->unchecked = fmax(run->unchecked, (double)unchecked / (double)(count ? count : 1));
}

static void readFigures(const BenchCase *what, const Runner *runner, int i, WayRun *run, double *sample)
{
    const ksStepReport *report = ksInspectorGetStepReport(runner->inspector);
    for (int p = 0; p < PHASES; p++)
        sample[(SAMPLE_PHASE + p) * what->steps + i] = report->seconds[p];
    run->joints += report->reactionCount;
    run->rows += report->rowCount;
    run->rank += report->rank;
    run->islands = report->islandCount;
    readAccuracy(runner->inspector, run);
}

static void finishFigures(const BenchCase *what, const Runner *runner, WayRun *run)
{
    const ksInspector *inspector = runner->inspector;
    run->joints /= (size_t)what->steps;
    run->rows /= (size_t)what->steps;
    run->rank /= (size_t)what->steps;
    for (int i = 0; i < (int)inspector->islands.count; i++)
        run->fill += insideFactorEntries(ksiSolverOf(runner->inspector, i)->warm[i]);
}

/* FNV-1a.   Source: Fowler, Noll, Vo 1991. */
static void mix(uint64_t *state, const dReal *value, int count)
{
    const unsigned char *byte = (const unsigned char *)value;
    for (size_t i = 0; i < (size_t)count * sizeof *value; i++)
        *state = (*state ^ byte[i]) * 1099511628211u;
}

static uint64_t stateOf(const Scene *scene)
{
    uint64_t state = 14695981039346656037u;
    for (int i = 0; i < scene->bodyCount; i++) {
        mix(&state, dBodyGetPosition(scene->body[i]), 3);
        mix(&state, dBodyGetQuaternion(scene->body[i]), 4);
        mix(&state, dBodyGetLinearVel(scene->body[i]), 3);
        mix(&state, dBodyGetAngularVel(scene->body[i]), 3);
    }
    return state;
}

bool benchGo(const BenchCase *what, int way, BenchPurpose purpose, WayRun *run, double *sample)
{
    Runner runner = {.meter.lock = PTHREAD_MUTEX_INITIALIZER};
    *run = (WayRun){0};
    bool done = openRunner(what, way, &runner);
    int warmUp = what->steps / 8 > LEAST_WARM_UP ? what->steps / 8 : LEAST_WARM_UP;
    long requests = 0;
    for (int i = -warmUp; done && i < what->steps; i++) {
        if (i == 0)
            requests = runner.meter.requests;
        goSample(what, &runner, i, sample);
        if (purpose == BENCH_FIGURES && way != PLAIN && i >= 0)
            readFigures(what, &runner, i, run, sample);
    }
    if (done) {
        run->peakBytes = runner.meter.peak;
        run->allocations = runner.meter.requests - requests;
        run->state = stateOf(runner.scene);
    }
    if (done && purpose == BENCH_FIGURES && way != PLAIN)
        finishFigures(what, &runner, run);
    closeRunner(&runner);
    return done;
}

bool benchCount(const BenchCase *what, int way)
{
    Runner runner = {.meter.lock = PTHREAD_MUTEX_INITIALIZER};
    bool done = openRunner(what, way, &runner);
    for (int i = -LEAST_WARM_UP; done && i < what->steps; i++) {
        sceneBeforeStep(runner.scene);
        if (i >= 0)
            benchMeasuredStep(&runner, true);
        else if (runner.inspector)
            ksInspectorQuickStep(runner.inspector, BENCH_STEP_SIZE);
        else
            dWorldQuickStep(runner.scene->world, BENCH_STEP_SIZE);
        sceneAfterStep(runner.scene);
    }
    if (done)
        printf("%d %ld\n", runner.scene->jointCount + runner.scene->contactCount, runner.stepped);
    closeRunner(&runner);
    return done;
}
