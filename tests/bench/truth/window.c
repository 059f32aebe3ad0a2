/* window.c  The sums over a window of steps, and the figures that follow from them. See truth.h. */
#include "window.h"
#include "../bench_time.h"
#include "departure.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct Samples {
    double *value;
    size_t count, room;
} Samples;

/* A joint's sums over the window, weighted by time; wrenches on both bodies. */
typedef struct JointSums {
    ksWrench physical[2], engine[2], first[2], last[2]; /* first, last: physical, of the first and last step */
    ksWrench departure[2], form[2];                     /* form: difference of physical values from a closed form, over
                                       the steps that have one: */
    int forms;
    double engineForce, engineSize, bar; /* squares of force (N) and of the measure; bar in units of
                                            the measure; times s */
    int published, open;                 /* steps */
    dBodyID body[2];
    int freeCount; /* of the last step, -1: none; not summed */
} JointSums;

struct TruthRun {
    const TruthCase *what;
    const Scene *scene;
    ksInspector *inspector;
    int window, filled;
    double stepSize, duration; /* of this step; of the window so far */
    JointSums *joint;          /* [joints] */
    DriftForce *form;          /* [joints] of the present step; count 0: none */
    TruthDeparture *departure;
    ksWrench *last, *now; /* [2 joints] contributions of the last step and of this one to the departure */
    ksWrenchTerm *support;
    int supports;
    double support0[3], supportSum[3], contactSum[3]; /* momentum at the start of the window; sums of forces */
    int supportSteps;
    Samples bias, wrench, ends, bar, ratio, error, formBar;
    double supportPhysical, supportTrue, supportWorst, formSquare;
    long joints, published, useless, flickers, known, right, unique, windows, covered, formCovered, steps, supportOpen,
        supportWindows;
    bool lost; /* a sample found no room */
};

static void add(TruthRun *run, Samples *samples, double value)
{
    if (samples->count == samples->room) {
        const size_t room = samples->room ? 2 * samples->room : 256;
        double *grown = realloc(samples->value, room * sizeof *grown);
        if (!grown) {
            run->lost = true;
            return;
        }
        samples->value = grown;
        samples->room = room;
    }
    samples->value[samples->count++] = value;
}

/* Sorts the samples. NaN: no samples. */
static double quantile(Samples *samples, double share)
{
    if (!samples->count)
        return (double)NAN;
    benchSort(samples->value, samples->count);
    return samples->value[(size_t)(share * (double)(samples->count - 1))];
}

static double ratio(double part, double whole)
{
    return whole > 0 ? part / whole : NAN;
}

static double length(const double v[3])
{
    return sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
}

static bool isFinite(const ksWrench *wrench)
{
    return isfinite(length(wrench->force) + length(wrench->torque));
}

/* sum += factor w */
static void addWrench(ksWrench *sum, const ksWrench *w, double factor)
{
    for (int k = 0; k < 3; k++) {
        sum->force[k] += factor * w->force[k];
        sum->torque[k] += factor * w->torque[k];
    }
}

/* The project's measure: (sum over both bodies f^T f / m + t^T I^-1 t)^(1/2). */
static double size(const TruthRun *run, const dBodyID body[2], const ksWrench wrench[2])
{
    double square = 0;
    for (int i = 0; i < 2; i++) {
        double mass, inverse[9];
        if (!body[i] || !ksInspectorGetMass(run->inspector, body[i], &mass, inverse))
            continue;
        const double *f = wrench[i].force, *t = wrench[i].torque;
        for (int k = 0; k < 3; k++)
            square += f[k] * f[k] / mass +
                      t[k] * (inverse[3 * k] * t[0] + inverse[3 * k + 1] * t[1] + inverse[3 * k + 2] * t[2]);
    }
    return sqrt(fmax(0, square));
}

static bool isFixed(dBodyID body)
{
    return !body || dBodyIsKinematic(body);
}

static void momentum(const Scene *scene, double out[3])
{
    out[0] = out[1] = out[2] = 0;
    for (int i = 0; i < scene->bodyCount; i++) {
        dMass mass;
        dBodyGetMass(scene->body[i], &mass);
        const dReal *v = dBodyGetLinearVel(scene->body[i]);
        for (int k = 0; k < 3 && !isFixed(scene->body[i]); k++)
            out[k] += mass.mass * v[k];
    }
}

static void weight(const Scene *scene, double out[3])
{
    dVector3 gravity;
    dWorldGetGravity(scene->world, gravity);
    out[0] = out[1] = out[2] = 0;
    for (int i = 0; i < scene->bodyCount; i++) {
        dMass mass;
        dBodyGetMass(scene->body[i], &mass);
        for (int k = 0; k < 3 && !isFixed(scene->body[i]); k++)
            out[k] += mass.mass * gravity[k];
    }
}

static void clearWindow(TruthRun *run)
{
    for (int j = 0; j < run->scene->jointCount; j++)
        run->joint[j] = (JointSums){.freeCount = run->joint[j].freeCount};
    run->filled = run->supportSteps = 0;
    run->duration = 0;
    memset(run->supportSum, 0, sizeof run->supportSum);
    memset(run->contactSum, 0, sizeof run->contactSum);
}

static void destroy(TruthRun *run)
{
    truthDepartureClose(run->departure);
    free(run->last);
    free(run->now);
    free(run->joint);
    free(run->form);
    free(run->support);
    free(run);
}

TruthRun *truthOpen(const TruthCase *what, Scene *scene, ksInspector *inspector, int window)
{
    const size_t joints = (size_t)scene->jointCount;
    TruthRun *run = calloc(1, sizeof *run);
    if (!run)
        return NULL;
    *run = (TruthRun){.what = what, .scene = scene, .inspector = inspector, .window = window};
    run->joint = calloc(joints + 1, sizeof *run->joint);
    run->form = calloc(joints + 1, sizeof *run->form);
    run->support = calloc(joints + 1, sizeof *run->support);
    run->last = calloc(2 * joints + 1, sizeof *run->last);
    run->now = calloc(2 * joints + 1, sizeof *run->now);
    run->departure = truthDepartureOpen(scene, inspector);
    if (!run->joint || !run->form || !run->support || !run->last || !run->now || !run->departure) {
        destroy(run);
        return NULL;
    }
    for (int j = 0; j < scene->jointCount; j++) {
        dBodyID a = dJointGetBody(scene->joint[j], 0), b = dJointGetBody(scene->joint[j], 1);
        run->joint[j].freeCount = DRIFT_UNKNOWN;
        if (isFixed(a) != isFixed(b))
            run->support[run->supports++] = (ksWrenchTerm){.joint = scene->joint[j], .body = isFixed(a) ? b : a};
    }
    clearWindow(run);
    return run;
}

bool truthBefore(TruthRun *run)
{
    const DriftScene *kind = run->what->kind;
    truthDepartureBefore(run->departure);
    if (!run->filled || run->filled == run->window)
        momentum(run->scene, run->support0);
    for (int j = 0; kind->force && j < run->scene->jointCount; j++)
        if (!kind->force(run->scene, j, &run->form[j]))
            run->form[j].count = 0;
    return !run->lost;
}

/* One step against the closed form. */
static void compareForm(TruthRun *run, const ksReaction *r, const DriftForce *form, JointSums *sums)
{
    const int side = r->body[0] == form->body ? 0 : 1;
    const ksWrench *on = &r->physical[side];
    double difference = 0, load = 0;
    if (!isFinite(on))
        return;
    for (int c = 0; c < form->count; c++) {
        const double *e = form->axis[c];
        const double value = e[0] * on->force[0] + e[1] * on->force[1] + e[2] * on->force[2];
        difference += (value - form->value[c]) * (value - form->value[c]);
        for (int k = 0; k < 3; k++) {
            sums->form[side].force[k] += run->stepSize * (value - form->value[c]) * e[k];
            sums->form[1 - side].force[k] -= run->stepSize * (value - form->value[c]) * e[k];
        }
        load += form->value[c] * form->value[c];
    }
    const double error = sqrt(difference / load);
    sums->forms++;
    add(run, &run->error, error);
    add(run, &run->formBar, r->physicalErrorBar);
    run->formSquare += error * error;
    run->formCovered += error <= r->physicalErrorBar + 1e-9;
}

/* Keeps the part of a wrench that a plane loop determines. */
static void leavePlane(ksWrench *wrench)
{
    wrench->force[1] = wrench->torque[0] = wrench->torque[2] = 0;
}

static void readJoint(TruthRun *run, int j)
{
    const ksReaction *r = ksInspectorGetReaction(run->inspector, run->scene->joint[j]);
    const DriftScene *kind = run->what->kind;
    JointSums *sums = &run->joint[j];
    if (!r || r->verdict == KS_NOT_SOLVED)
        return;
    const int side = r->body[0] ? 0 : 1, known = kind->freeCount ? kind->freeCount(run->scene, j) : DRIFT_UNKNOWN;
    const bool published = isFinite(&r->physical[side]);
    run->joints++;
    run->published += published;
    run->useless += published && r->physicalErrorBar > 1;
    run->flickers += sums->freeCount >= 0 && published && sums->freeCount != r->freeCount;
    sums->freeCount = published ? r->freeCount : DRIFT_UNKNOWN;
    if (known >= 0 && published) {
        run->known++;
        run->right += r->freeCount == known;
        run->unique += r->freeCount < known;
    }
    sums->open += r->freeCount > (known > 0 && kind->plane ? known : 0) || (known > 0 && !kind->plane);
    sums->published += published;
    memcpy(sums->body, r->body, sizeof sums->body);
    ksWrench engines[2], physicals[2];
    for (int i = 0; i < 2; i++) {
        engines[i] = r->engine[i];
        physicals[i] = r->physical[i];
        if (known > 0) {
            leavePlane(&engines[i]);
            leavePlane(&physicals[i]);
        }
        if (!r->body[i])
            continue;
        addWrench(&sums->engine[i], &engines[i], run->stepSize);
        addWrench(&sums->physical[i], &physicals[i], run->stepSize);
        sums->last[i] = physicals[i];
        if (!run->filled)
            sums->first[i] = physicals[i];
    }
    const double engine = size(run, r->body, engines), force = length(engines[side].force);
    sums->engineForce += run->stepSize * force * force;
    sums->engineSize += run->stepSize * engine * engine;
    sums->bar += run->stepSize * r->physicalErrorBar * fmax(engine, size(run, r->body, physicals));
    if (kind->force && run->form[j].count)
        compareForm(run, r, &run->form[j], sums);
}

static void readSupports(TruthRun *run)
{
    ksWrenchSum sum;
    static const double origin[3] = {0, 0, 0};
    if (!run->supports)
        return;
    run->steps++;
    if (ksInspectorSumWrenches(run->inspector, run->support, (size_t)run->supports, KS_PHYSICAL, origin, &sum)) {
        run->supportOpen++;
        return;
    }
    run->supportOpen += sum.freeCount > 0;
    run->supportSteps++;
    for (int k = 0; k < 3; k++)
        run->supportSum[k] += run->stepSize * sum.wrench.force[k];
}

/* Sums the forces of contacts with the world; those between bodies cancel. */
static void readContacts(TruthRun *run)
{
    size_t count;
    const ksReaction *r = ksInspectorGetReactions(run->inspector, &count);
    for (size_t i = 0; i < count; i++) {
        if (r[i].type != dJointTypeContact || r[i].verdict == KS_NOT_SOLVED ||
            isFixed(r[i].body[0]) == isFixed(r[i].body[1]))
            continue;
        const ksWrench *on = &r[i].engine[isFixed(r[i].body[0])];
        for (int k = 0; k < 3; k++)
            run->contactSum[k] += run->stepSize * on->force[k];
    }
}

static void closeJoint(TruthRun *run, int j)
{
    const JointSums *sums = &run->joint[j];
    const int side = sums->body[0] ? 0 : 1;
    const double duration = run->duration, half = 0.5 / run->window;
    if (sums->published < run->window || sums->open)
        return;
    ksWrench difference[2] = {{.force = {0}}, {.force = {0}}}, ends[2] = {{.force = {0}}, {.force = {0}}};
    for (int i = 0; i < 2; i++) {
        addWrench(&difference[i], &sums->physical[i], 1 / duration);
        addWrench(&difference[i], &sums->engine[i], -1 / duration);
        addWrench(&ends[i], &sums->last[i], half);
        addWrench(&ends[i], &sums->first[i], -half);
    }
    const double force = sqrt(sums->engineForce / duration), engine = sqrt(sums->engineSize / duration);
    if (!(engine > 0))
        return;
    const double away = length(difference[side].force);
    const double off = size(run, sums->body, difference);
    for (int i = 0; i < 2; i++)
        addWrench(&difference[i], &sums->departure[i], 1 / duration);
    ksWrench form[2] = {{.force = {0}}, {.force = {0}}};
    for (int i = 0; i < 2; i++)
        addWrench(&form[i], &sums->form[i], 1 / duration);
    const double motion = fmin(off, size(run, sums->body, difference));
    const double wrong = sums->forms == run->window ? size(run, sums->body, form) : motion, bar = sums->bar / duration,
                 wrench = off / engine;
    const double bias = force > 1e-9 * engine ? away / force : 0;
    const double resolved = size(run, sums->body, ends);
    const bool covered = wrong <= bar + resolved + 1e-9 * engine;
    add(run, &run->bias, bias);
    add(run, &run->wrench, wrench);
    add(run, &run->bar, bar / engine);
    add(run, &run->ends, resolved / engine);
    if (wrong > 1e-3 * engine && wrong > resolved)
        add(run, &run->ratio, bar / wrong);
    run->windows++;
    run->covered += covered;
    if (run->what->joints)
        printf("  step %lu joint %d type %d: bias %.2e, of wrench %.2e, bar %.2e%s\n", run->scene->step + 1, j,
               dJointGetType(run->scene->joint[j]), bias, wrench, bar / engine, covered ? "" : " MISSED");
}

/* The true sum is the change of momentum less weight and contacts. */
static void closeSupports(TruthRun *run)
{
    double now[3], load[3], truth[3], wrong[3];
    if (run->supportSteps < run->window)
        return;
    momentum(run->scene, now);
    weight(run->scene, load);
    for (int k = 0; k < 3; k++) {
        truth[k] = (now[k] - run->support0[k] - run->contactSum[k]) / run->duration - load[k];
        run->supportSum[k] /= run->duration;
        wrong[k] = run->supportSum[k] - truth[k];
    }
    run->supportWindows++;
    run->supportPhysical += length(run->supportSum);
    run->supportTrue += length(truth);
    run->supportWorst = fmax(run->supportWorst, length(wrong) / fmax(length(truth), 1e-2 * length(load)));
}

static void addDeparture(TruthRun *run, const ksWrench *departure)
{
    for (int j = 0; j < run->scene->jointCount; j++)
        for (int i = 0; i < 2; i++)
            addWrench(&run->joint[j].departure[i], &departure[2 * j + i], 1);
}

/* Ends a window with the velocities at its end. */
static void closeJoints(TruthRun *run)
{
    addDeparture(run, run->last);
    if (run->filled < run->window)
        return;
    for (int j = 0; j < run->scene->jointCount; j++)
        closeJoint(run, j);
    clearWindow(run);
}

void truthAfter(TruthRun *run, double stepSize)
{
    truthDepartureAfter(run->departure, stepSize, run->last, run->now);
    if (run->filled)
        closeJoints(run);
    addDeparture(run, run->now);
    run->stepSize = stepSize;
    run->duration += stepSize;
    for (int j = 0; j < run->scene->jointCount; j++)
        readJoint(run, j);
    readSupports(run);
    readContacts(run);
    if (++run->filled == run->window && run->supports)
        closeSupports(run);
}

void truthClose(TruthRun *run, double figure[FIGURES])
{
    const double windows = (double)run->windows, known = (double)run->known, supports = (double)run->supportWindows;
    const double forms = (double)run->error.count;
    figure[PUBLISHED] = ratio((double)run->published, (double)run->joints);
    figure[USELESS] = ratio((double)run->useless, (double)run->joints);
    figure[BIAS_MEDIAN] = quantile(&run->bias, 0.5);
    figure[BIAS_HIGH] = quantile(&run->bias, 0.95);
    figure[WRENCH_MEDIAN] = quantile(&run->wrench, 0.5);
    figure[WRENCH_HIGH] = quantile(&run->wrench, 0.95);
    figure[ENDS] = quantile(&run->ends, 0.5);
    figure[COVERED] = ratio((double)run->covered, windows);
    figure[BAR_MEDIAN] = quantile(&run->bar, 0.5);
    figure[BAR_RATIO] = quantile(&run->ratio, 0.5);
    figure[SUPPORTS] = ratio(run->supportPhysical, supports);
    figure[SUPPORTS_TRUE] = ratio(run->supportTrue, supports);
    figure[SUPPORTS_BIAS] = supports > 0 ? run->supportWorst : NAN;
    figure[SUPPORTS_OPEN] = ratio((double)run->supportOpen, (double)run->steps);
    figure[FLICKER] = ratio((double)run->flickers, (double)run->joints);
    figure[FREE_RIGHT] = ratio((double)run->right, known);
    figure[FALSELY_UNIQUE] = ratio((double)run->unique, known);
    figure[FORM_WORST] = quantile(&run->error, 1);
    figure[FORM_RMS] = forms > 0 ? sqrt(run->formSquare / forms) : NAN;
    figure[FORM_COVERED] = ratio((double)run->formCovered, forms);
    figure[FORM_BAR] = quantile(&run->formBar, 0.5);
    Samples *samples[] = {&run->bias, &run->wrench, &run->ends, &run->bar, &run->ratio, &run->error, &run->formBar};
    for (size_t i = 0; i < sizeof samples / sizeof *samples; i++)
        free(samples[i]->value);
    destroy(run);
}
