/* mean.c  Means of a joint or of a sum, each over its own window. */
#include "terms.h"

#include "../base/error.h"
#include "../base/fpguard.h"
#include "../engine/vector.h"
#include "../inspector/publish/wrench_norm.h"

#include <math.h>
#include <string.h>

ksStatus ksiCheckWindow(double window)
{
    KSI_REQUIRE(isfinite(window) && window > 0, "window is %g, must be finite and > 0", window);
    return KS_OK;
}

ksStatus ksiBeginMean(ksInspector *inspector, ksiTerms *terms, const ksThreshold *limits, ksSubscription *mean)
{
    const ksiTerm *first = &terms->at[0];
    ksiSubscription subscription = {
        .kind = KSI_ON_MEAN,
        .joint = first->term.joint,
        .type = first->type,
        .body = {first->term.body, first->term.other},
        .watch = {.limits = *limits, .see = ksiSeeTerms, .sum = terms},
    };
    if (first->term.joint)
        memcpy(subscription.body, first->body, sizeof subscription.body);
    KSI_TRY(ksiCheckView(limits, first));
    KSI_TRY(ksiSubscribe(inspector, &subscription));
    *mean = inspector->subscriptions.last;
    return KS_OK;
}

static ksStatus beginMean(ksInspector *inspector, const ksWrenchTerm *term, size_t count, double window, ksFrame frame,
                          ksPoint point, ksSubscription *mean)
{
    const ksThreshold limits = {.value = KS_MEAN, .frame = frame, .point = point, .window = window};
    ksiTerms *terms;
    KSI_REQUIRE_POINTER(inspector);
    KSI_REQUIRE_POINTER(mean);
    KSI_TRY(ksiCheckWindow(window));
    KSI_TRY(ksiMakeTerms(inspector, term, count, &terms));
    const ksStatus status = ksiBeginMean(inspector, terms, &limits, mean);
    if (status)
        ksiFree(&inspector->step.allocator, terms);
    return status;
}

ksStatus ksInspectorMean(ksInspector *inspector, const ksWrenchTerm *term, size_t count, double window, ksFrame frame,
                         ksPoint point, ksSubscription *mean)
{
    return KSI_ANSWER(beginMean(inspector, term, count, window, frame, point, mean));
}

/* --- Results --- */

/* *ratio: a/b; *bar: the bar of the ratio, from the bars of a and b */
static void divide(double a, double b, double aBar, double bBar, double *ratio, double *bar)
{
    *ratio = a / b;
    *bar = bBar < b ? (aBar + fabs(*ratio) * bBar) / (b - bBar) : NAN;
}

/* n is the normal, N = f . n the normal force, and q the mean contact point relative to the point
 * of the wrench. Then
 *
 *     friction  |f - N n| / N,     centre of pressure  c = q + n x (t - q x f) / N:
 *
 * the torque about c, t - c x f, is along n. */
static void fillPress(const ksiPress *press, ksMean *out)
{
    const double *f = out->wrench.force, *fBar = out->bar.force, *tBar = out->bar.torque;
    double n[3], across[3], q[3], moment[3], offset[3], bar = 0;
    ksiCopy(n, press->normal);
    if (!(ksiNormalize(n) > 0))
        return;
    for (int k = 0; k < 3; k++)
        bar += fabs(n[k]) * fBar[k];
    const double along = ksiDot(f, n), held = press->bound / press->force;
    ksiCopy(out->normal, n);
    if (isnan(bar) ? !(along > 0) : !(along > bar))
        return;
    ksiCopy(across, f);
    ksiAddScaled(across, -along, n);
    divide(ksiSize(across, 3), along, ksiSize(fBar, 3), bar, &out->friction, &out->frictionBar);
    if (press->bound > 0)
        divide(ksiSize(across, 3), press->bound, ksiSize(fBar, 3), held * bar, &out->frictionUse, &out->frictionUseBar);
    for (int k = 0; k < 3; k++)
        q[k] = press->point[k] / press->force;
    ksiCross(moment, q, f);
    for (int k = 0; k < 3; k++)
        moment[k] = out->wrench.torque[k] - moment[k];
    ksiCross(offset, n, moment);
    for (int k = 0; k < 3; k++) {
        const int i = (k + 1) % 3, j = (k + 2) % 3;
        const double ofI = tBar[i] + fabs(q[j]) * fBar[k] + fabs(q[k]) * fBar[j],
                     ofJ = tBar[j] + fabs(q[k]) * fBar[i] + fabs(q[i]) * fBar[k];
        divide(offset[k], along, fabs(n[i]) * ofJ + fabs(n[j]) * ofI, bar, &out->centre[k], &out->centreBar[k]);
        out->centre[k] += q[k];
    }
}

static void fill(const ksiWatch *watch, ksMean *out)
{
    const ksiTerms *terms = watch->sum;
    ksiWindowMean over;
    bool hasContacts = false, hasJoints = false;
    for (size_t i = 0; i < terms->count; i++) {
        hasContacts |= !terms->at[i].term.joint;
        hasJoints |= terms->at[i].term.joint != NULL;
    }
    *out = (ksMean){.wrench = ksiUnknownWrench,
                    .bar = ksiUnknownWrench,
                    .contactShare = NAN,
                    .deviation = ksiUnknownWrench,
                    .normal = {NAN, NAN, NAN},
                    .friction = NAN,
                    .frictionBar = NAN,
                    .frictionUse = NAN,
                    .frictionUseBar = NAN,
                    .centre = {NAN, NAN, NAN},
                    .centreBar = {NAN, NAN, NAN}};
    if (ksiIsEmpty(&watch->window))
        return;
    ksiAverage(&watch->window, watch->limits.window, &over);
    out->wrench = over.mean.wrench;
    out->bar = over.mean.bar;
    out->time = over.mean.h;
    out->stepCount = over.count;
    ksiDeviate(&watch->window, &out->deviation);
    if (hasContacts)
        out->contactShare = over.touching / over.mean.h;
    if (!hasJoints)
        fillPress(&over.mean.press, out);
}

static void fillPhysical(const ksiPair *pair, ksMean *out)
{
    out->physical = pair ? pair->wrench : ksiUnknownWrench;
    out->physicalBar = pair ? pair->bar : ksiUnknownWrench;
    out->physicalOpen = pair ? pair->open : ksiUnknownWrench;
    out->physicalVerdict = pair ? pair->verdict : KS_UNCHECKED;
    out->physicalReasons = pair ? pair->reasons : KS_REASON_NOT_ASKED;
}

ksStatus ksiFindMean(const ksInspector *inspector, ksSubscription mean, const char *name, const ksiSubscription **found)
{
    KSI_REQUIRE(mean > 0 && mean <= inspector->subscriptions.last, "%s does not belong to this inspector", name);
    (void)ksiDeferredWait(inspector);
    *found = ksiFindSubscription(&inspector->subscriptions, mean);
    if (!*found || !(*found)->active)
        return KSI_EXPLAIN(KS_ERROR_ENDED, "%s has ended", name);
    KSI_REQUIRE((*found)->kind == KSI_ON_MEAN, "%s is not a subscription of ksInspectorMean or ksInspectorPair", name);
    return KS_OK;
}

static ksStatus getMean(const ksInspector *inspector, ksSubscription mean, ksMean *out)
{
    const ksiSubscription *subscription;
    KSI_REQUIRE_POINTER(inspector);
    KSI_REQUIRE_POINTER(out);
    KSI_TRY(ksiFindMean(inspector, mean, "mean", &subscription));
    KSI_TRY(ksiRequireStep(inspector, KS_ERROR_UNAVAILABLE));
    fill(&subscription->watch, out);
    fillPhysical(ksiFindPair(inspector, mean), out);
    return KS_OK;
}

ksStatus ksInspectorGetMean(const ksInspector *inspector, ksSubscription mean, ksMean *out)
{
    KSI_RETURN_GUARDED(getMean(inspector, mean, out));
}
