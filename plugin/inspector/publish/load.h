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
    double covered;   /* s, length of the seen steps in the window, or of the step */
    double filled;    /* share of the window that they fill */
    bool takesUntold; /* values with an unknown bar count */
    bool hasBar;      /* `bar` is known. Else ksiLoadBar finds it, for `value` of the reaction or
                         after a release */
    ksValue value;
    const ksReaction *reaction;
    const ksiJointAfter *after;
    unsigned counts;     /* components that are known: bits 1u << KS_LIMIT_...; */
    unsigned determined; /* components that mechanics determines */
    ksiPress press;      /* of contacts */
    bool hasPart;        /* the unique part of an unknown magnitude counts: */
    ksiUnique unique;
} ksiSight;

/* Finds the load of a joint from its reaction. false: there is no value, it is unchecked, or memory
 * ran out. after: the joint's load after others broke in this step, or NULL. window: gets this
 * step, in place of an earlier value of the same step. It restarts if the breaks have changed the
 * load, and for a mean also in steps with an unknown force and after the host moved a body. */
bool ksiSee(const ksiStep *step, int joint, const ksReaction *reaction, const ksThreshold *limits,
            const ksiJointAfter *after, ksiWindow *window, ksiSight *sight);

/* Replaces the load of this step by the mean over the window; false: out of memory. */
bool ksiSeeMean(const ksiStep *step, const ksThreshold *limits, ksiWindow *window, ksiSight *sight);

/* Adds the load of this step to the window of this length; false: out of memory. */
bool ksiKeepSight(const ksiStep *step, double length, ksiWindow *window, ksiSight *sight);

/* Means count even if momentum does not determine them. */
static inline bool ksiTakesUntold(const ksThreshold *limits)
{
    return limits->value == KS_MEAN && limits->flags & KS_THRESHOLD_UNCHECKED;
}

/* Do values of a reaction with this verdict count? */
bool ksiIsChecked(const ksReaction *reaction, const ksThreshold *limits);

/* ksiLoadOn: the load that a limit applies to; false: it is not determined. ksiLoadBar: its error
 * bar. */
bool ksiLoadOn(const ksiSight *sight, ksLimit limit, double *load);
double ksiLoadBar(ksiSight *sight, ksLimit limit);

#endif
