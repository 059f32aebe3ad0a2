/* means.c  Means over windows, beside the means of closed forms over the same steps. See means.h.
 *
 * A closed form is the ideal mechanism's force at the start of a step, but the engine's force acts
 * over the whole step. So the two means can differ by half a step at both ends, and this difference
 * is allowed. */
#include "means.h"
#include "../bench_time.h"
#include "momentum.h"
#include "twin.h"

#include <math.h>
#include <stdlib.h>

enum { LIMITS = 3 };
static const double limitOf[LIMITS] = {0.5, 1, 2}; /* multiples of a joint's median load */

/* of the load: rounding of differences of large sums */
static const double rounding = 1e-9;

/* radii of gyration: if a twin ends farther away, it has made another motion */
static const double mostAway = 0.1;
/* of the force: the largest effect of a twin's softness on a component; if it is larger, gaps lock
 * the twin */
static const double mostYield = 1e-3;

/* of the force, of a twin's torque */
static const double twinAccuracy = 1e-5;
static const double oneMetre = 1; /* a length of these machines */

/* A joint after a step, over the window that ends with it: magnitudes of forces, N. NaN:
 * unknown. */
typedef struct Window {
    double mean, meanBar, departure;
    double physical, physicalBar; /* means of the physical values of its steps */
    double off, resolved, form;   /* of the closed form: the mean's distance from it; the allowed
                                     part of this distance; its magnitude */
} Window;

/* A mean beside a twin's, in the components that mechanics determines, N. */
typedef struct Beside {
    double mean, off, known, resolved; /* off: its distance from the twin's mean; known: departure
                                          and bar; resolved: effect of a shift by half a step */
    double coarse;                     /* effect of steps of the host's size, and of softness, on the twin */
    bool isComponentOut, isTorqueOut;
} Beside;

/* Sums up to the end of a step, from the first one on. */
typedef struct Sum {
    double form[3], physical[3], bar; /* sums over time */
    int forms, published, open;       /* forms, published: steps that have them; open: steps in
                                         which mechanics leaves a part undetermined */
    double now[3];                    /* the closed form at the start of the step */
} Sum;

struct TruthMeans {
    const Scene *scene;
    const DriftScene *kind;
    ksInspector *inspector;
    int steps, count;     /* capacity; number so far */
    double *time;         /* [steps + 1] */
    Sum *sum;             /* [joints (steps + 1)] */
    Window *window;       /* [joints steps] full windows of steps that count */
    int *windows;         /* [joints] */
    DriftForce *form;     /* [joints] */
    double *value, *load; /* [joints steps], [joints] */
    TruthMomentum *momentum;
    TruthTwin *twin; /* NULL: not requested */
    int twinned;     /* end of the last window with a twin, in steps */
    int runs, away;  /* number of twins; number of these that have left the machine */
    int *beside;     /* [joints] windows with twins */
    Beside *twins;   /* [joints steps] */
};

TruthMeans *truthMeansOpen(const TruthCase *what, Scene *scene, ksInspector *inspector, int steps)
{
    const size_t joints = (size_t)scene->jointCount + 1, all = joints * ((size_t)steps + 1);
    TruthMeans *m = calloc(1, sizeof *m);
    if (!m)
        return NULL;
    *m = (TruthMeans){.scene = scene, .kind = what->kind, .inspector = inspector, .steps = steps};
    m->time = calloc((size_t)steps + 1, sizeof *m->time);
    m->sum = calloc(all, sizeof *m->sum);
    m->window = calloc(all, sizeof *m->window);
    m->windows = calloc(joints, sizeof *m->windows);
    m->form = calloc(joints, sizeof *m->form);
    m->value = calloc(all, sizeof *m->value);
    m->load = calloc(joints, sizeof *m->load);
    m->beside = calloc(joints, sizeof *m->beside);
    m->twins = calloc(what->twin ? all : 1, sizeof *m->twins);
    m->momentum = truthMomentumOpen(scene, inspector, steps);
    m->twin = what->twin ? truthTwinOpen(what, scene, steps) : NULL;
    if (m->momentum && m->beside && m->twins && (m->twin || !what->twin) && m->time && m->sum && m->window &&
        m->windows && m->form && m->value && m->load)
        return m;
    double none[MEANS_FIGURES];
    truthMeansClose(m, none);
    return NULL;
}

static double length(const double v[3])
{
    return sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
}

static Sum *sumOf(const TruthMeans *m, int joint, int step)
{
    return &m->sum[(size_t)joint * ((size_t)m->steps + 1) + (size_t)step];
}

void truthMeansBefore(TruthMeans *m)
{
    truthMomentumBefore(m->momentum);
    if (m->twin)
        truthTwinBefore(m->twin);
    for (int j = 0; j < m->scene->jointCount; j++)
        if (!m->kind->force || !m->kind->force(m->scene, j, &m->form[j]) || m->form[j].count < 3)
            m->form[j].count = 0;
}

static double barOf(const ksReaction *r)
{
    double bar = r->rowCount > 0 ? 0 : NAN;
    for (int l = 0; l < r->rowCount; l++)
        bar += r->row[l].physicalBar * length(r->row[l].jacobian[0]);
    return bar;
}

static void addStep(TruthMeans *m, int j, const ksReaction *r, int side, double h)
{
    const Sum *last = sumOf(m, j, m->count);
    Sum *sum = sumOf(m, j, m->count + 1);
    const DriftForce *form = &m->form[j];
    *sum = *last;
    for (int k = 0; k < 3; k++)
        sum->now[k] = 0;
    for (int c = 0; c < form->count; c++)
        for (int k = 0; k < 3; k++)
            sum->now[k] += form->value[c] * form->axis[c][k];
    sum->forms += form->count > 0;
    const double bar = r ? barOf(r) : NAN;
    const bool isPublished = r && isfinite(length(r->physical[side].force)) && isfinite(bar);
    sum->published += isPublished;
    sum->open += r && r->freeCount > 0;
    for (int k = 0; k < 3; k++) {
        sum->form[k] += h * sum->now[k];
        sum->physical[k] += isPublished ? h * r->physical[side].force[k] : 0;
    }
    sum->bar += isPublished ? h * bar : 0;
}

/* The sums of the steps from `first` to the last one. */
static void addWindow(TruthMeans *m, int j, const ksReaction *r, int side, int first)
{
    const Sum *begin = sumOf(m, j, first), *end = sumOf(m, j, m->count), *start = sumOf(m, j, first + 1);
    const double time = m->time[m->count] - m->time[first], h = m->time[m->count] - m->time[m->count - 1];
    const int steps = m->count - first;
    double off[3], ends[3], physical[3], form[3];
    Window *window = &m->window[(size_t)j * (size_t)m->steps + (size_t)m->windows[j]++];
    for (int k = 0; k < 3; k++) {
        form[k] = (end->form[k] - begin->form[k]) / time;
        off[k] = r->mean[side].force[k] - form[k];
        ends[k] = (end->now[k] - start->now[k]) * h / (2 * time);
        physical[k] = (end->physical[k] - begin->physical[k]) / time;
    }
    const bool isPublished = end->published - begin->published == steps, isFormed = end->forms - begin->forms == steps;
    *window = (Window){.mean = length(r->mean[side].force),
                       .meanBar = length(r->meanBar.force),
                       .departure = length(r->departure.force),
                       .physical = isPublished ? length(physical) : NAN,
                       .physicalBar = isPublished ? (end->bar - begin->bar) / time : NAN,
                       .off = isFormed ? length(off) : NAN,
                       .resolved = length(ends),
                       .form = length(form)};
}

/* The first of the last steps that make up this duration. */
static int firstOf(const TruthMeans *m, double duration)
{
    int first = m->count;
    while (first > 0 && m->time[m->count] - m->time[first] < duration * (1 - rounding))
        first--;
    return first;
}

/* Is the mean torque about the anchor farther from the twin's than all of this allows? */
static bool isTorqueOut(const ksReaction *r, int side, const TruthTwinMean *twin)
{
    double off[3], allowed[3];
    for (int k = 0; k < 3; k++) {
        off[k] = r->mean[side].torque[k] - twin->torque[k];
        allowed[k] = r->departure.torque[k] + r->meanBar.torque[k] + fabs(twin->ends[3 + k]) +
                     fabs(twin->coarse[3 + k]) + fabs(twin->soft[3 + k]);
        const double size = length(r->mean[side].torque) + length(r->mean[side].force) * oneMetre;
        if (!isfinite(off[k] + allowed[k]) || fabs(twin->soft[3 + k]) > mostYield * size)
            off[k] = allowed[k] = 0;
    }
    return length(off) > length(allowed) + twinAccuracy * length(r->mean[side].force) * oneMetre;
}

static void addBeside(TruthMeans *m, int j, const ksReaction *r)
{
    const int side = !r->body[0];
    const TruthTwinMean twin = truthTwinMean(m->twin, j, side);
    double mean[3], off[3], known[3], resolved[3], coarse[3];
    bool isOut = false, isKnown = false;
    for (int k = 0; k < 3; k++) {
        off[k] = fabs(r->mean[side].force[k] - twin.force[k]);
        known[k] = r->departure.force[k] + r->meanBar.force[k];
        resolved[k] = fabs(twin.ends[k]);
        coarse[k] = fabs(twin.coarse[k]) + fabs(twin.soft[k]);
        mean[k] = r->mean[side].force[k];
        // unknown: NaN if mechanics leaves it undetermined, or the departure is unknown; or locked
        if (isfinite(off[k] + known[k]) && fabs(twin.soft[k]) <= mostYield * length(r->mean[side].force))
            isKnown = true;
        else
            mean[k] = off[k] = known[k] = resolved[k] = coarse[k] = 0;
        isOut |= off[k] > known[k] + resolved[k] + coarse[k] + rounding * length(twin.force);
    }
    if (isKnown)
        m->twins[(size_t)j * (size_t)m->steps + (size_t)m->beside[j]++] = (Beside){length(mean),
                                                                                   length(off),
                                                                                   length(known),
                                                                                   length(resolved),
                                                                                   length(coarse),
                                                                                   isOut,
                                                                                   isTorqueOut(r, side, &twin)};
}

/* Compares one window after the other; the windows of all joints end together. */
static void compareTwin(TruthMeans *m, double whole)
{
    int first = -1;
    bool isAway = false;
    for (int j = 0; j < m->scene->jointCount; j++) {
        const ksReaction *r = ksInspectorGetReaction(m->inspector, m->scene->joint[j]);
        if (!r || r->meanTime < whole || firstOf(m, r->meanTime) < m->twinned)
            continue;
        if (first < 0) {
            first = firstOf(m, r->meanTime);
            truthTwinRun(m->twin, m->time, first, m->count);
            isAway = !(truthTwinAway(m->twin) <= mostAway);
            m->runs++;
            m->away += isAway;
        }
        if (!isAway && firstOf(m, r->meanTime) == first)
            addBeside(m, j, r);
    }
    m->twinned = first < 0 ? m->twinned : m->count;
}

/* Compares the longest window of the joints that are measured for this long. */
static void compareMomentum(TruthMeans *m, double whole)
{
    double time = 0;
    for (int j = 0; j < m->scene->jointCount; j++) {
        const ksReaction *r = ksInspectorGetReaction(m->inspector, m->scene->joint[j]);
        time = fmax(time, r && r->meanTime >= whole ? r->meanTime : 0);
    }
    truthMomentumCompare(m->momentum, time > 0 ? firstOf(m, time) : -1, time);
}

void truthMeansAfter(TruthMeans *m, double stepSize, bool counts)
{
    const double whole = ksInspectorGetOptions(m->inspector)->meanWindow * (1 - rounding);
    for (int j = 0; j < m->scene->jointCount; j++) {
        const ksReaction *r = ksInspectorGetReaction(m->inspector, m->scene->joint[j]);
        addStep(m, j, r, r && m->form[j].count > 0 ? r->body[0] != m->form[j].body : r && !r->body[0], stepSize);
    }
    m->time[m->count + 1] = m->time[m->count] + stepSize;
    m->count++;
    truthMomentumAfter(m->momentum, stepSize);
    if (counts)
        compareMomentum(m, whole);
    if (m->twin)
        truthTwinAfter(m->twin, m->inspector);
    if (m->twin && counts)
        compareTwin(m, whole);
    for (int j = 0; counts && j < m->scene->jointCount; j++) {
        const ksReaction *r = ksInspectorGetReaction(m->inspector, m->scene->joint[j]);
        if (!r || r->meanTime < whole)
            continue;
        const int first = firstOf(m, r->meanTime);
        // no value decides on a part that mechanics leaves undetermined
        if (sumOf(m, j, m->count)->open > sumOf(m, j, first)->open)
            continue;
        addWindow(m, j, r, m->form[j].count > 0 ? r->body[0] != m->form[j].body : !r->body[0], first);
    }
}

static double quantile(double *value, size_t count, double share)
{
    if (!count)
        return (double)NAN;
    benchSort(value, count);
    return value[(size_t)(share * (double)(count - 1))];
}

static const Window *windowsOf(const TruthMeans *m, int j)
{
    return &m->window[(size_t)j * (size_t)m->steps];
}

/* The median of each joint's means. */
static void findLoads(TruthMeans *m)
{
    for (int j = 0; j < m->scene->jointCount; j++) {
        for (int i = 0; i < m->windows[j]; i++)
            m->value[i] = windowsOf(m, j)[i].mean;
        m->load[j] = quantile(m->value, (size_t)m->windows[j], 0.5);
    }
}

static void findDepartures(TruthMeans *m, double figure[MEANS_FIGURES])
{
    size_t known = 0, all = 0, formed = 0, outside = 0;
    for (int j = 0; j < m->scene->jointCount; j++)
        for (int i = 0; i < m->windows[j]; i++) {
            const Window *window = &windowsOf(m, j)[i];
            all++;
            if (!(m->load[j] > 0) || isnan(window->departure))
                continue;
            m->value[known++] = window->departure / m->load[j];
            if (isnan(window->off))
                continue;
            formed++;
            outside += window->off > window->departure + window->resolved + rounding * m->load[j];
        }
    figure[MEANS_DEPARTURE] = quantile(m->value, known, 0.5);
    figure[MEANS_DEPARTURE_HIGH] = quantile(m->value, known, 0.95);
    figure[MEANS_UNKNOWN] = all ? 1 - (double)known / (double)all : NAN;
    figure[MEANS_OUTSIDE] = formed ? (double)outside / (double)formed : NAN;
}

/* Limits are multiples of the median load; motors without a force have none. */
static void findUndecided(const TruthMeans *m, double figure[MEANS_FIGURES])
{
    size_t checks = 0, byMean = 0, byPhysical = 0;
    for (int j = 0; j < m->scene->jointCount; j++)
        for (int i = 0; i < m->windows[j] && m->load[j] > 0; i++)
            for (int k = 0; k < LIMITS; k++) {
                const Window *window = &windowsOf(m, j)[i];
                const double limit = limitOf[k] * m->load[j];
                checks++;
                byMean += !(fabs(window->mean - limit) > window->meanBar);
                byPhysical += !(fabs(window->physical - limit) > window->physicalBar);
            }
    figure[MEANS_UNDECIDED] = checks ? (double)byMean / (double)checks : NAN;
    figure[MEANS_UNDECIDED_PHYSICAL] = checks ? (double)byPhysical / (double)checks : NAN;
}

/* The first joint, which bears everything in a hanging machine: the distance of its mean from the
 * closed form. */
static void findFirst(TruthMeans *m, double figure[MEANS_FIGURES])
{
    double square = 0, worst = 0;
    size_t count = 0, known = 0;
    for (int i = 0; m->scene->jointCount > 0 && i < m->windows[0]; i++) {
        const Window *window = &windowsOf(m, 0)[i];
        if (isnan(window->off))
            continue;
        const double off = window->off / window->form;
        square += off * off;
        worst = fmax(worst, off);
        count++;
        if (!isnan(window->departure))
            m->value[known++] = window->departure / window->form;
    }
    figure[MEANS_FIRST_RMS] = count ? sqrt(square / (double)count) : NAN;
    figure[MEANS_FIRST_WORST] = count ? worst : NAN;
    figure[MEANS_FIRST_DEPARTURE] = quantile(m->value, known, 1);
}

static const Beside *besideOf(const TruthMeans *m, int j)
{
    return &m->twins[(size_t)j * (size_t)m->steps];
}

/* From here on the loads are taken from windows with twins. */
static void findBeside(TruthMeans *m, double figure[MEANS_FIGURES])
{
    size_t all = 0, outside = 0, resolved = 0, coarse = 0, component = 0, torque = 0;
    for (int j = 0; j < m->scene->jointCount; j++) {
        for (int i = 0; i < m->beside[j]; i++)
            m->value[i] = besideOf(m, j)[i].mean;
        m->load[j] = quantile(m->value, (size_t)m->beside[j], 0.5);
    }
    for (int j = 0; j < m->scene->jointCount; j++)
        for (int i = 0; i < m->beside[j] && m->load[j] > 0; i++) {
            const Beside *beside = &besideOf(m, j)[i];
            const double least = beside->known + rounding * m->load[j];
            m->value[all++] = beside->off / m->load[j];
            outside += beside->off > least;
            resolved += beside->off > least + beside->resolved;
            coarse += beside->off > least + beside->resolved + beside->coarse;
            component += beside->isComponentOut;
            torque += beside->isTorqueOut;
        }
    figure[MEANS_TWIN_AWAY] = m->runs ? (double)m->away / m->runs : NAN;
    figure[MEANS_TWIN_OFF] = quantile(m->value, all, 0.5);
    figure[MEANS_TWIN_OFF_HIGH] = quantile(m->value, all, 0.95);
    figure[MEANS_TWIN_OUTSIDE] = all ? (double)outside / (double)all : NAN;
    figure[MEANS_TWIN_RESOLVED] = all ? (double)resolved / (double)all : NAN;
    figure[MEANS_TWIN_COARSE] = all ? (double)coarse / (double)all : NAN;
    figure[MEANS_TWIN_COMPONENT] = all ? (double)component / (double)all : NAN;
    figure[MEANS_TWIN_TORQUE] = all ? (double)torque / (double)all : NAN;
}

void truthMeansClose(TruthMeans *m, double figure[MEANS_FIGURES])
{
    for (int i = 0; i < MEANS_FIGURES; i++)
        figure[i] = NAN;
    if (m->load && m->count > 0) {
        findLoads(m);
        findDepartures(m, figure);
        findUndecided(m, figure);
        findFirst(m, figure);
        findBeside(m, figure);
        truthMomentumFigures(m->momentum, figure);
    }
    truthMomentumClose(m->momentum);
    truthTwinClose(m->twin);
    free(m->beside);
    free(m->twins);
    free(m->time);
    free(m->sum);
    free(m->window);
    free(m->windows);
    free(m->form);
    free(m->value);
    free(m->load);
    free(m);
}
