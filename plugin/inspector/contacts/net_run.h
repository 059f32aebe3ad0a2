/* net_run.h  The mean contact force on each body in contact, over the last steps. */
#ifndef KSI_INSPECTOR_CONTACTS_NET_RUN_H
#define KSI_INSPECTOR_CONTACTS_NET_RUN_H

#include "../publish/mean.h"

/* Sums over steps, with t = 0 in the last step and w = h exp(t / tau). weight: of w, w t and w t^2;
 * force: of w f; rising: of w t f. The type float is enough, since a step has far larger noise. */
typedef struct ksiNetLine {
    float weight[3], force[3], rising[3];
    unsigned steps; /* number of steps in the sums, counted up to a limit */
} ksiNetLine;

/* Here the end of a window is called a turn. `older` has the sums over the steps since the last
 * turn but one, `newer` the sums over the steps since the last turn. If the body had no contact at
 * a turn, the sums since then start with its first contact after the turn. So the line of `older`
 * has at least one window, or all steps of the touch. An observer that has seen all steps since the
 * last turn but one has the same lines as an observer that has seen more (ksiLead). */
typedef struct ksiNetRun {
    dBodyID body;
    double now[3];         /* the force in this step, N; world axes */
    unsigned long touched; /* the last step with a contact */
    ksiNetLine older, newer;
    bool hasMean;   /* in this step */
    double mean[3]; /* N, the end of the line */
} ksiNetRun;

/* Sorted by address of the body. Kept between steps. */
typedef struct ksiNetRuns {
    ksiNetRun *at;
    size_t count, capacity;
    unsigned long last;    /* number of the last step */
    unsigned older, newer; /* steps since the last turn but one, and since the last turn, counted up
                              to a limit */
    bool isEnd;            /* the step ends a window */
    bool isKnown;          /* there are enough steps for the means of all bodies whose touch is not
                              new */
} ksiNetRuns;

typedef struct ksiBodyEstimate ksiBodyEstimate;

/* Adds this step. */
KS_MUST_USE ksStatus ksiTakeNetRuns(const ksiStep *step, const ksiMeanClock *clock, ksiNetRuns *runs);

/* Finds the means, and the errors of the bodies whose means are known. */
void ksiJudgeNetRuns(const ksiStep *step, ksiNetRuns *runs, ksiBodyEstimate *out);

/* The mean force of all contacts of the body in this step, N [3]; NULL: unknown. */
const double *ksiNetMeanOf(const ksiStep *step, const ksiNetRuns *runs, dBodyID body);

#endif
