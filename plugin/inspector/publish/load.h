/* load.h  The load of a joint for thresholds. */
#ifndef KSI_INSPECTOR_PUBLISH_LOAD_H
#define KSI_INSPECTOR_PUBLISH_LOAD_H

#include "mean.h"
#include "release.h"
#include "window.h"
#include "wrench.h"

typedef struct ksiSight {
    ksiWrenchFrame view;
    ksPoint point; /* the reference point used */
    ksWrench wrench, bar;
    double covered;   /* s, time covered by the steps in the window; without a window, the length of
                         the step */
    double filled;    /* share of the window that these steps fill */
    bool takesUntold; /* a value with an unknown bar counts, too */
    bool hasBar;      /* `bar` is known. Else ksiLoadBar finds it from `reaction` and `value`, or
                         from `after` */
    ksValue value;
    const ksReaction *reaction;
    const ksiJointAfter *after;
    const double *observedBar; /* of each row */
    unsigned counts;           /* components that are known: bits 1u << KS_LIMIT_... */
    unsigned determined;       /* ... and components that mechanics determines */
    ksiPress press;            /* of contacts */
    bool hasPart;              /* an unknown magnitude counts by the size of the part that `unique`
                                  describes */
    ksiUnique unique;
} ksiSight;

/* Finds the load of a joint from its reaction. false: there is no value, it is unchecked, or memory
 * ran out. after: the joint's load after other joints broke in this step, or NULL. window: gets the
 * load of this step, which replaces an earlier value of the same step. The window restarts if the
 * breaks have changed the load. For a mean, it also restarts in a step with an unknown force, and
 * after the host has moved a body. */
bool ksiSee(const ksiStep *step, int joint, const ksReaction *reaction, const ksThreshold *limits,
            const ksiJointAfter *after, ksiWindow *window, ksiSight *sight);

/* Replaces the load of this step by the mean over the window; false: out of memory. */
bool ksiSeeMean(const ksiStep *step, const ksThreshold *limits, ksiWindow *window, ksiSight *sight);

/* Adds the load of this step to the window of this length; false: out of memory. */
bool ksiKeepSight(const ksiStep *step, double length, ksiWindow *window, ksiSight *sight);

/* Does a mean count even if momentum does not determine its bar? */
static inline bool ksiTakesUntold(const ksThreshold *limits)
{
    return limits->value == KS_MEAN && limits->flags & KS_THRESHOLD_UNCHECKED;
}

/* Does the verdict of the reaction allow its values to count? */
bool ksiIsChecked(const ksReaction *reaction, const ksThreshold *limits);

/* ksiLoadOn: the load that a limit applies to; false: the load is not determined. ksiLoadBar: the
 * error bar of this load. */
bool ksiLoadOn(const ksiSight *sight, ksLimit limit, double *load);
double ksiLoadBar(ksiSight *sight, ksLimit limit);

#endif
