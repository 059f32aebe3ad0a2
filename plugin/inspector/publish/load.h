/* load.h  The load of a joint for thresholds. */
#ifndef KSI_INSPECTOR_PUBLISH_LOAD_H
#define KSI_INSPECTOR_PUBLISH_LOAD_H

#include "mean.h"
#include "release.h"
#include "window.h"
#include "wrench.h"

typedef struct ksiSight {
    ksiWrenchFrame view;
    ksPoint point; /* that was taken */
    ksWrench wrench, bar;
    double covered;   /* s, of the window, by steps that were seen; or the step */
    bool takesUntold; /* a value counts whose bar nobody knows */
    bool hasBar; /* `bar` is known: ksiLoadBar finds it, of `value` of this reaction, or of what is left after others */
    ksValue value;
    const ksReaction *reaction;
    const ksiJointAfter *after;
    unsigned counts;     /* components that are known: bits 1u << KS_LIMIT_...; */
    unsigned determined; /* ... by mechanics alone */
    ksiPress press;      /* of contacts */
    bool hasPart;        /* of a magnitude that is not known the part that is unique counts: */
    ksiUnique unique;
} ksiSight;

/* Of a joint, and its reaction. false: there is no value, or it is not checked. after: what is left to the joint in this step once others have broken, or NULL.
 * window: takes this step in, or is replaced in it. */
bool ksiSee(const ksiStep *step, int joint, const ksReaction *reaction, const ksThreshold *limits,
            const ksiJointAfter *after, ksiWindow *window, ksiSight *sight);

/* What is seen of this step becomes the mean over the window; false: there is no room. */
bool ksiSeeMean(const ksiStep *step, const ksThreshold *limits, ksiWindow *window, ksiSight *sight);

/* ... becomes one more sample of the window, of this length; false likewise. */
bool ksiKeepSight(const ksiStep *step, double length, ksiWindow *window, ksiSight *sight);

/* A mean counts that momentum does not tell apart from others. */
static inline bool ksiTakesUntold(const ksThreshold *limits)
{
    return limits->value == KS_MEAN && limits->flags & KS_THRESHOLD_UNCHECKED;
}

/* A verdict under which values count. */
bool ksiIsChecked(const ksReaction *reaction, const ksThreshold *limits);

/* The load of one limit; false: it is not determined. How far it may be off. */
bool ksiLoadOn(const ksiSight *sight, ksLimit limit, double *load);
double ksiLoadBar(ksiSight *sight, ksLimit limit);

#endif
