/* load.c  The load of a joint for thresholds, and its error bar: in one step, or as the mean over a
 * window. */
#include "load.h"
#include "../phases.h"
#include "published.h"
#include "wrench_norm.h"

#include <math.h>
#include <string.h>

enum {
    FORCE = 1u << KS_LIMIT_FORCE_X | 1u << KS_LIMIT_FORCE_Y | 1u << KS_LIMIT_FORCE_Z,
    ALL = (1u << KS_LIMIT_COUNT) - 1
};

/* the size of the part of a wrench that a limit applies to */
static double partOf(const ksWrench *w, ksLimit limit)
{
    if (limit == KS_LIMIT_FORCE)
        return ksiSize(w->force, 3);
    if (limit == KS_LIMIT_TORQUE)
        return ksiSize(w->torque, 3);
    return fabs(limit < KS_LIMIT_TORQUE_X ? w->force[limit] : w->torque[limit - KS_LIMIT_TORQUE_X]);
}

/* --- One step --- */

/* Sums up the effects of the rows' bars on each component of the wrench in the view. */
static void addUpBars(const ksReaction *reaction, const ksiWrenchFrame *view, const double *bar, ksWrench *sum)
{
    *sum = (ksWrench){{0}, {0}};
    for (int l = 0; l < reaction->rowCount; l++) {
        ksWrench both[2], one;
        memcpy(both, reaction->row[l].jacobian, sizeof both);
        ksiViewWrench(reaction, view, both, &one);
        for (int k = 0; k < 3; k++) {
            sum->force[k] += fabs(one.force[k]) * bar[l];
            sum->torque[k] += fabs(one.torque[k]) * bar[l];
        }
    }
}

/* The bar of a row's observed force; 0 at a bound, where the force is known. A component of the load
 * can be unique although no row is, so ksRow::observedBar is not enough. */
static double observedBar(const ksiSight *sight, int l)
{
    return isnan(sight->observedBar[l]) ? 0 : sight->observedBar[l];
}

/* Finds the bars of the unique part, and the bars of the shares of elastic joints. */
static void findRowBars(ksiSight *sight)
{
    const ksReaction *reaction = sight->reaction;
    const ksiJointAfter *after = sight->after;
    ksWrench *bar = &sight->bar;
    double plain[KSI_MAX_ROWS] = {0}, shared[KSI_MAX_ROWS] = {0};
    ksWrench open;
    for (int l = 0; l < reaction->rowCount; l++) {
        const ksRow *row = &reaction->row[l];
        plain[l] = after                         ? after->bar[l]
                   : sight->value == KS_OBSERVED ? observedBar(sight, l)
                   : ksiIsPhysical(sight->value) ? row->physicalBar
                                                 : row->errorBar;
        shared[l] = after ? after->bar[l] : row->sharedBar;
    }
    addUpBars(reaction, &sight->view, plain, bar);
    if (sight->value != KS_SHARED || sight->determined == ALL)
        return;
    addUpBars(reaction, &sight->view, shared, &open);
    for (int k = 0; k < 3; k++) {
        bar->force[k] = sight->determined >> k & 1u ? bar->force[k] : open.force[k];
        bar->torque[k] = sight->determined >> (3 + k) & 1u ? bar->torque[k] : open.torque[k];
    }
}

/* Finds the bars, as ksThresholdEvent documents them. */
static void findBars(ksiSight *sight)
{
    if (sight->hasBar)
        return;
    sight->hasBar = true;
    findRowBars(sight);
    if (sight->value != KS_ENGINE)
        return;
    const ksWrench *converged = ksiWrenchesOf(sight->reaction, KS_CONVERGED);
    ksWrench exact = {{NAN, NAN, NAN}, {NAN, NAN, NAN}};
    if (converged)
        ksiViewWrench(sight->reaction, &sight->view, converged, &exact);
    for (int k = 0; k < 3; k++) {
        sight->bar.force[k] += fabs(exact.force[k] - sight->wrench.force[k]);
        sight->bar.torque[k] += fabs(exact.torque[k] - sight->wrench.torque[k]);
    }
}

/* --- All values --- */

bool ksiIsChecked(const ksReaction *reaction, const ksThreshold *limits)
{
    // a mean is of observed values, which follow from the motion: it needs no verdict on the report
    if (limits->value == KS_MEAN)
        return reaction->verdict != KS_NOT_SOLVED;
    return limits->flags & KS_THRESHOLD_UNCHECKED ||
           (reaction->verdict != KS_NOT_SOLVED && reaction->verdict != KS_UNCHECKED &&
            reaction->verdict != KS_UNEXPLAINED);
}

static double windowLength(const ksiStep *step, const ksThreshold *limits)
{
    if (limits->window > 0 || limits->duration > 0)
        return limits->window > 0 ? limits->window : limits->duration;
    return limits->value == KS_MEAN ? step->options.meanWindow : 0;
}

/* Sets the load of a joint that has no force. */
static void seeNothing(ksiSight *sight)
{
    sight->wrench = sight->bar = (ksWrench){{0}, {0}};
    sight->counts = sight->determined = ALL;
    sight->hasBar = true;
    sight->hasPart = false;
}

bool ksiKeepSight(const ksiStep *step, double length, ksiWindow *window, ksiSight *sight)
{
    findBars(sight);
    const ksiLoadSample sample = {.wrench = sight->wrench,
                                  .bar = sight->bar,
                                  .counts = sight->counts,
                                  .determined = sight->determined,
                                  .press = sight->press,
                                  .h = step->h,
                                  .step = step->number};
    return ksiKeepSample(&step->allocator, length, &sample, window);
}

bool ksiSeeMean(const ksiStep *step, const ksThreshold *limits, ksiWindow *window, ksiSight *sight)
{
    const double length = windowLength(step, limits);
    ksiWindowMean over;
    sight->covered = step->h;
    sight->filled = 1;
    if (length == 0)
        return true;
    if (!ksiKeepSight(step, length, window, sight))
        return false;
    ksiAverage(window, length, &over);
    sight->hasPart = false;
    sight->counts = over.mean.counts;
    sight->determined = over.mean.determined;
    sight->covered = over.mean.h;
    sight->filled = over.mean.h / length;
    // the time before the first step counts as time without load
    sight->wrench = sight->bar = (ksWrench){{0}, {0}};
    ksiAddSix((double *)&sight->wrench, sight->filled, (const double *)&over.mean.wrench);
    ksiAddSix((double *)&sight->bar, sight->filled, (const double *)&over.mean.bar);
    return true;
}

/* The wrenches of the requested value on both bodies, or NULL. left: memory for wrenches that the
 * reaction does not contain. */
static const ksWrench *wrenchesOf(const ksiStep *step, int joint, const ksReaction *reaction, const ksThreshold *limits,
                                  const ksiJointAfter *after, ksWrench left[2], ksValue *value)
{
    *value = limits->value;
    if (after) {
        ksiReactionWrenches(&step->joint[joint], after->multiplier, left);
        return after->standing == KSI_LEFT ? left : NULL;
    }
    if (limits->value == KS_MEAN)
        *value = KS_OBSERVED;
    if (limits->value == KS_SHARED && !ksiWrenchesOf(reaction, KS_SHARED))
        *value = KS_PHYSICAL;
    return ksiWrenchesOf(reaction, *value);
}

bool ksiSee(const ksiStep *step, int joint, const ksReaction *reaction, const ksThreshold *limits,
            const ksiJointAfter *after, ksiWindow *window, ksiSight *sight)
{
    ksWrench left[2];
    const ksiSample sample = ksiSampleOf(step, joint);
    if (limits->value == KS_MEAN && (sample == KSI_NO_SAMPLE || ksiIsPut(step, joint)))
        ksiEmptyWindow(window);
    // loads from before other joints broke say nothing about the joint's present load
    if (after && after->isMoved)
        ksiEmptyWindow(window);
    sight->reaction = reaction;
    sight->after = after;
    sight->point = limits->point;
    sight->hasBar = false;
    sight->observedBar = step->observed[joint].bar;
    sight->takesUntold = ksiTakesUntold(limits);
    sight->press = (ksiPress){.force = 0};
    if (sample == KSI_NO_SAMPLE || ksiViewAnyhow(reaction, limits->body, limits->frame, &sight->point, &sight->view))
        return false;
    if (sample == KSI_NO_FORCE) {
        seeNothing(sight);
        return ksiSeeMean(step, limits, window, sight);
    }
    const ksWrench *both = wrenchesOf(step, joint, reaction, limits, after, left, &sight->value);
    if (!both || !ksiIsChecked(reaction, limits))
        return false;
    ksiViewWrench(reaction, &sight->view, both, &sight->wrench);
    ksiFindUnique(reaction, &sight->view, step->isSingle, &sight->unique);
    const unsigned rows = (1u << reaction->rowCount) - 1;
    sight->determined = !after ? sight->unique.components : (after->unique & rows) == rows ? ALL : 0;
    sight->counts = sight->value == KS_SHARED ? ALL : sight->determined;
    sight->hasPart = true;
    sight->hasBar = !after && sight->value == KS_OBSERVED && step->observed[joint].told == KSI_BY_SIDES;
    if (sight->hasBar)
        ksiBarBySides(step, joint, step->observed[joint].remainder, sight->view.point, &sight->bar);
    return ksiSeeMean(step, limits, window, sight);
}

/* Copies the known components, and sets the others to 0: so a magnitude gets its least possible
 * size. */
static void takeKnown(const ksWrench *from, unsigned counts, ksWrench *known)
{
    for (int k = 0; k < 3; k++) {
        known->force[k] = counts >> (KS_LIMIT_FORCE_X + k) & 1u ? from->force[k] : 0;
        known->torque[k] = counts >> (KS_LIMIT_TORQUE_X + k) & 1u ? from->torque[k] : 0;
    }
}

static unsigned componentsOf(ksLimit limit)
{
    return limit == KS_LIMIT_FORCE ? FORCE : limit == KS_LIMIT_TORQUE ? FORCE << 3 : 1u << limit;
}

bool ksiLoadOn(const ksiSight *sight, ksLimit limit, double *load)
{
    const unsigned needed = componentsOf(limit);
    const bool isWhole = (sight->counts & needed) == needed;
    ksWrench known;
    if (!isWhole && sight->hasPart && limit == KS_LIMIT_FORCE)
        return ksiUniqueSize(sight->unique.force, sight->unique.count, sight->wrench.force, load);
    if (!isWhole && sight->hasPart && limit == KS_LIMIT_TORQUE)
        return ksiUniqueSize(sight->unique.torque, sight->unique.count, sight->wrench.torque, load);
    takeKnown(&sight->wrench, sight->counts, &known);
    *load = partOf(&known, limit);
    return sight->counts & needed;
}

double ksiLoadBar(ksiSight *sight, ksLimit limit)
{
    const unsigned needed = componentsOf(limit);
    ksWrench known;
    findBars(sight);
    const bool isWhole = sight->hasPart || (sight->counts & needed) == needed;
    takeKnown(&sight->bar, isWhole ? needed : sight->counts, &known);
    return partOf(&known, limit);
}
