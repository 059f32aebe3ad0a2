/* ground_run.c  Measures one case: an inspected world, and its twin without an inspector. */
#define _POSIX_C_SOURCE 200809L
#include "bench_time.h"
#include "ground.h"

#include <math.h>
#include <stdlib.h>

/* The steps before a window are cheaper than the case's: longer, with fewer iterations, and in
 * large scenes by QuickStep. The first steps of a window have no history, and allocate memory. */
static const double wayStepSize = 5e-3;
enum { WAY_ITERATIONS = 50, WAY_JOINTS = 50, WARM_UP = 2, SEED = 1 };
static const double farAway = 1e4; /* m */

enum { INSPECTED, PLAIN, TWINS };

typedef struct Samples {
    double *value;
    size_t count;
} Samples;

typedef struct Run {
    const GroundCase *what;
    Scene *scene[TWINS];
    ksInspector *inspector;
    double weight;
    unsigned long drawn; /* number of steps, each with a random seed of its own */
    double *before;      /* [joints x 3] physical forces of the last step */
    Samples change, error, time[TWINS];
    long joints, judged, physical, contacts, contactsJudged;
} Run;

static void add(Samples *samples, double value)
{
    samples->value[samples->count++] = value;
}

/* Sorts the samples. NaN: no samples. */
static double median(Samples *samples)
{
    if (!samples->count)
        return NAN;
    benchSort(samples->value, samples->count);
    return samples->value[samples->count / 2];
}

static double mean(const Samples *samples)
{
    double sum = 0;
    for (size_t i = 0; i < samples->count; i++)
        sum += samples->value[i];
    return sum / (double)samples->count;
}

static double share(long part, long whole)
{
    return whole ? (double)part / (double)whole : NAN;
}

static double length(const double v[3])
{
    return sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
}

static double weightOf(const Scene *scene)
{
    double weight = 0;
    for (int i = 0; i < scene->bodyCount; i++) {
        dMass mass;
        dBodyGetMass(scene->body[i], &mass);
        if (!dBodyIsKinematic(scene->body[i]))
            weight += mass.mass * SCENE_GRAVITY;
    }
    return weight;
}

/* Debian's engine aborts on a body that is not finite, so the bench stops before a machine flies
 * apart. */
static bool isWhole(const Scene *scene)
{
    for (int i = 0; i < scene->bodyCount; i++)
        if (!(length(dBodyGetPosition(scene->body[i])) < farAway))
            return false;
    return true;
}

static SceneStepper *stepperOf(const GroundCase *what)
{
    return what->stepper == KS_WORLD_STEP ? dWorldStep : dWorldQuickStep;
}

/* QuickStep draws from dRand: seeds it equally for a step of either world. */
static void seed(const Run *run)
{
    dRandSetSeed(SEED + run->drawn);
}

/* Steps both worlds up to a time. */
static bool goTo(Run *run, double from, double *time)
{
    const GroundCase *what = run->what;
    const double h = fmax(what->stepSize, wayStepSize);
    const bool large = run->scene[PLAIN]->jointCount > WAY_JOINTS;
    const bool fewer = what->iterations > WAY_ITERATIONS || what->stepper == KS_WORLD_STEP;
    const int iterations = fewer ? WAY_ITERATIONS : what->iterations;
    for (int t = 0; t < TWINS; t++)
        dWorldSetQuickStepNumIterations(run->scene[t]->world, iterations);
    for (; *time + h <= from && isWhole(run->scene[PLAIN]); *time += h) {
        for (int t = 0; t < TWINS; t++) {
            seed(run);
            sceneStep(run->scene[t], large ? dWorldQuickStep : stepperOf(what), h);
        }
        run->drawn++;
    }
    for (int t = 0; t < TWINS; t++)
        dWorldSetQuickStepNumIterations(run->scene[t]->world, what->iterations);
    return isWhole(run->scene[PLAIN]);
}

/* The largest possible load of the scene in this step. */
static double loadOf(const Run *run)
{
    size_t count;
    const ksReaction *reaction = ksInspectorGetReactions(run->inspector, &count);
    double load = run->weight, largest = 0;
    for (size_t i = 0; i < count; i++) {
        double force = length(reaction[i].engine[0].force);
        if (reaction[i].type != dJointTypeContact)
            largest = fmax(largest, force);
        else if (isfinite(force))
            load += force;
    }
    return load + largest;
}

static bool isFinite(const ksWrench *wrench)
{
    for (int k = 0; k < 3; k++)
        if (!isfinite(wrench->force[k]) || !isfinite(wrench->torque[k]))
            return false;
    return true;
}

static void readJoint(Run *run, const ksReaction *reaction, double load, double before[3], GroundResult *result)
{
    const double *force = reaction->physical[0].force;
    run->joints++;
    run->judged += reaction->verdict != KS_UNCHECKED;
    run->physical += isFinite(&reaction->physical[0]);
    if (isfinite(length(force)))
        result->figure[LARGEST] = fmax(result->figure[LARGEST], length(force) / load);
    double change = length((const double[3]){force[0] - before[0], force[1] - before[1], force[2] - before[2]}) / load;
    if (isfinite(change))
        add(&run->change, change);
    if (isfinite(reaction->physicalError))
        add(&run->error, reaction->physicalError);
}

static void forget(Run *run)
{
    for (int i = 0; i < 3 * run->scene[INSPECTED]->jointCount; i++)
        run->before[i] = NAN;
}

static void read(Run *run, bool measured, GroundResult *result)
{
    const Scene *scene = run->scene[INSPECTED];
    const double load = loadOf(run);
    for (int j = 0; j < scene->jointCount; j++) {
        const ksReaction *reaction = ksInspectorGetReaction(run->inspector, scene->joint[j]);
        const bool solved = reaction && reaction->verdict != KS_NOT_SOLVED;
        if (measured && solved)
            readJoint(run, reaction, load, &run->before[3 * j], result);
        for (int k = 0; k < 3; k++)
            run->before[3 * j + k] = solved ? reaction->physical[0].force[k] : NAN;
    }
    size_t count;
    const ksReaction *reaction = ksInspectorGetReactions(run->inspector, &count);
    for (size_t i = 0; measured && i < count; i++) {
        if (reaction[i].type != dJointTypeContact || reaction[i].verdict == KS_NOT_SOLVED)
            continue;
        run->contacts++;
        run->contactsJudged += reaction[i].verdict != KS_UNCHECKED;
    }
}

/* One step of both worlds. false: their motions differ, or the inspector failed. */
static bool step(Run *run, bool measured, bool timed, GroundResult *result)
{
    const GroundCase *what = run->what;
    double seconds[TWINS];
    ksStatus status = KS_OK;
    for (int t = TWINS - 1; t >= 0; t--) {
        sceneBeforeStep(run->scene[t]);
        seed(run);
        double start = benchNow(CLOCK_PROCESS_CPUTIME_ID);
        if (t == PLAIN)
            stepperOf(what)(run->scene[t]->world, what->stepSize);
        else if (what->stepper == KS_WORLD_STEP)
            status = ksInspectorStep(run->inspector, what->stepSize);
        else
            status = ksInspectorQuickStep(run->inspector, what->stepSize);
        seconds[t] = benchNow(CLOCK_PROCESS_CPUTIME_ID) - start;
    }
    run->drawn++;
    if (status)
        fprintf(stderr, "%s: %s\n", what->kind->name, ksStatusName(status));
    else
        read(run, measured, result);
    for (int t = 0; t < TWINS; t++) {
        sceneAfterStep(run->scene[t]);
        if (timed)
            add(&run->time[t], seconds[t]);
    }
    bool same = sceneSameState(run->scene[INSPECTED], run->scene[PLAIN]);
    if (!same)
        fprintf(stderr, "%s: the inspected world went another way\n", what->kind->name);
    return !status && same;
}

static bool openRun(Run *run)
{
    const GroundCase *what = run->what;
    for (int t = 0; t < TWINS; t++) {
        run->scene[t] = what->kind->make(what->surface, what->stepSize);
        if (!run->scene[t])
            return false;
    }
    const size_t steps = (size_t)(WINDOWS * what->windows->steps), joints = (size_t)run->scene[0]->jointCount;
    run->weight = weightOf(run->scene[0]);
    run->before = malloc(3 * joints * sizeof(double));
    run->change.value = malloc(steps * joints * sizeof(double));
    run->error.value = malloc(steps * joints * sizeof(double));
    bool done = run->before && run->change.value && run->error.value;
    for (int t = 0; t < TWINS; t++) {
        run->time[t].value = malloc(steps * sizeof(double));
        done = done && run->time[t].value;
    }
    return done && !ksInspectorCreate(run->scene[INSPECTED]->world, NULL, &run->inspector);
}

static void closeRun(Run *run)
{
    ksInspectorDestroy(run->inspector);
    for (int t = 0; t < TWINS; t++) {
        sceneDestroy(run->scene[t]);
        free(run->time[t].value);
    }
    free(run->before);
    free(run->change.value);
    free(run->error.value);
}

static void summarise(Run *run, double figure[FIGURES])
{
    const Samples *change = &run->change, *inspected = &run->time[INSPECTED];
    figure[JUDGED] = share(run->judged, run->joints);
    figure[PHYSICAL] = share(run->physical, run->joints);
    figure[CONTACTS_JUDGED] = share(run->contactsJudged, run->contacts);
    figure[CHANGE_MEDIAN] = median(&run->change);
    figure[CHANGE_LARGEST] = change->count ? change->value[change->count - 1] : NAN;
    figure[PHYSICAL_ERROR] = median(&run->error);
    figure[PLAIN_TIME] = mean(&run->time[PLAIN]);
    figure[ADDED_TIME] = mean(inspected) / figure[PLAIN_TIME] - 1;
    double middle = median(&run->time[INSPECTED]);
    figure[WORST_TIME] = inspected->count ? inspected->value[inspected->count - 1] / middle : NAN;
}

bool groundRun(const GroundCase *what, GroundResult *result)
{
    Run run = {.what = what};
    double time = 0;
    bool done = openRun(&run);
    if (!done)
        fprintf(stderr, "%s: out of memory, or an engine that is not known\n", what->kind->name);
    *result = (GroundResult){.figure[LARGEST] = NAN};
    for (int w = 0; done && !result->broke && w < WINDOWS; w++) {
        const double from = what->windows->from[w];
        result->broke = !goTo(&run, from, &time);
        forget(&run);
        // a window at the start has no warm-up, so that it includes the first step
        for (int i = from > 0 ? -WARM_UP : 0; done && !result->broke && i < what->windows->steps; i++) {
            done = step(&run, i >= 0, i >= (from > 0 ? 0 : WARM_UP), result);
            result->broke = !isWhole(run.scene[PLAIN]);
            time += what->stepSize;
        }
    }
    if (done)
        summarise(&run, result->figure);
    closeRun(&run);
    return done;
}
