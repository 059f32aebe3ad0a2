/* load.h  What a threshold sees of the load in a joint. */
#ifndef KSI_INSPECTOR_LOAD_H
#define KSI_INSPECTOR_LOAD_H

#include "after.h"
#include "wrench.h"

/* Of one step. */
typedef struct ksiSeen {
    ksWrench wrench, bar;
    unsigned counts, determined;
    double h;
    unsigned long step;
} ksiSeen;

/* Of the last steps in which there was something to be seen, the newest last. */
typedef struct ksiWindow {
    ksiSeen *at; /* its owner frees it */
    size_t count, capacity;
} ksiWindow;

typedef struct ksiSight {
    ksiWrenchFrame view;
    ksPoint point; /* that was taken */
    ksWrench wrench, bar;
    unsigned counts;     /* components that are known: bits 1u << KS_LIMIT_...; */
    unsigned determined; /* ... by mechanics alone */
    bool isMean;         /* of a window */
    ksiUnique unique;    /* of this step */
} ksiSight;

/* Of a joint, and its reaction. false: there is no value, or it is not checked. after: what is left to the joint in this step once others have broken, or NULL.
 * window: takes this step in, or is replaced in it. */
bool ksiSee(const ksiStep *step, int joint, const ksReaction *reaction, const ksThreshold *limits,
            const ksiJointAfter *after, ksiWindow *window, ksiSight *sight);

/* The load of one limit; false: it is not determined. How far it may be off. */
bool ksiLoadOn(const ksiSight *sight, ksLimit limit, double *load);
double ksiLoadBar(const ksiSight *sight, ksLimit limit);

#endif
