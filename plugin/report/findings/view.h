/* view.h  Prepares a report for output: clean and unique names, sorted and judged joints. */
#ifndef KSI_REPORT_FINDINGS_VIEW_H
#define KSI_REPORT_FINDINGS_VIEW_H

#include "../collect/stats.h"
#include "../files/text.h"

typedef struct ksiJointView {
    const ksiJointStats *stats;
    char *name;
    /* isJudged: its force was compared, or it comes apart. isFailed: it fails. isUntold: its error
       is not known to be below the limit, since some steps are not explained or have no verdict. It
       does not pass, and ksiWriteUntold says why. */
    bool isJudged, isFailed, isUntold;
    bool isAbove;       /* its error is above the limit */
    bool isOff, isTorn; /* why it fails, apart from suppressed findings. isOff: its error is above
                           the limit; isTorn: it comes apart */
    double judged;      /* the error that the limit applies to; NaN: none */
    double known;       /* the same error, but also of joints to which the limit does not apply */
} ksiJointView;

typedef struct ksiWorldView {
    const ksiWorldStats *stats;
    char *name;
    ksiJointView *joint;             /* in order of first appearance, then by type and number */
    const ksiJointView **worstFirst; /* failed joints, then joints not known to pass, then the
                                        others; each group by error */
    size_t jointCount, judgedCount, failedCount, untoldCount;
    double meanForce; /* N, the largest mean force of all joints */
    double error;     /* the worst joint's `judged`; without joints, the net error of bodies; NaN:
                         none */
} ksiWorldView;

/* Sums over several worlds. */
typedef struct ksiSums {
    uint64_t seen, inspected; /* steps */
    size_t worlds, joints, judged, failed, untold, failedWorlds;
} ksiSums;

/* The results of a run. */
typedef struct ksiRunView {
    const ksiRun *run;
    ksiSums sums;
    uint64_t reactions, unchecked;     /* reactions: number of reactions of solved joints;
                                          unchecked: of these, the reactions without a verdict on
                                          their force */
    const ksiWorldView *worst;         /* NULL: the run has no world */
    double load[KSI_SIZES][KSI_LOADS]; /* the largest load of all joints; NaN: none */
} ksiRunView;

/* Joints with the same name in all runs: errors of all steps, and each world's largest forces. */
typedef struct ksiPool {
    const char *name;
    size_t count; /* number of these joints, one for each world */
    ksiHistogram error[KSI_ERRORS];
    double *load[KSI_SIZES][KSI_LOADS]; /* [loadCount], ascending */
    size_t loadCount[KSI_LOADS];
} ksiPool;

typedef struct ksiView {
    const ksReport *report;
    const ksReportLimit *limit;
    ksiWorldView *world;
    const ksiWorldView **worstFirst; /* worlds with failed joints, then worlds not known to pass,
                                        then the others; each group by error */
    size_t worldCount;
    ksiSums sums;
    ksiRunView *run;
    const ksiRunView **badRunsFirst; /* runs for which ksiRunIsSeen is false, then the others by
                                        their worst worlds */
    size_t runCount;
} ksiView;

/* false: out of memory; nothing to free. */
bool ksiViewMake(const ksReport *report, const ksReportLimit *limit, ksiView *view);
void ksiViewFree(ksiView *view);

void ksiSumsAdd(ksiSums *sums, const ksiWorldView *world);

/* The rank of a joint, a world or a run: 2: failed, 1: unknown, 0: passed. */
static inline int ksiRankOf(size_t failed, size_t untold)
{
    return failed > 0 ? 2 : untold > 0;
}

/* Orders by rank, then by error, the larger first; unknown errors last. */
int ksiCompareErrors(int rank, int otherRank, double error, double other);

/* Finds the results of each run. false: out of memory. */
bool ksiRunsMake(ksiView *view);
void ksiRunsFree(ksiView *view);

/* Presents a report without runs as a single run. */
void ksiRunViewOfHost(const ksiView *view, const ksiRun *run, ksiRunView *out);

/* Did the run end well, and was every stepping process inspected, with at least one step? */
bool ksiRunIsSeen(const ksiRunView *run);

/* The share of solved reactions with a verdict on their force; NaN: none was solved. */
double ksiShareChecked(const ksiRunView *run);

/* Calls `each` once for each name, in order of names, with all joints of that name. The pool is
 * valid only during the call. false: out of memory. */
bool ksiPoolJoints(const ksiView *view, void (*each)(const ksiPool *pool, void *user), void *user);

/* Does the pattern match the unique name or the host's name? See ksiIsNamed. */
static inline bool ksiIsCalled(const ksiJointView *joint, const char *pattern)
{
    return ksiIsNamed(pattern, joint->name) || (joint->stats->given && ksiIsNamed(pattern, joint->stats->given));
}

/* The joint with the largest mass ratio. hasFailed: only joints above the limit of errors count.
 * NULL: no such joint connects two free bodies. */
const ksiJointView *ksiLargestMassRatio(const ksiWorldView *world, bool hasFailed);

/* Was the world never stepped, or does it have joints above the number limit, which are not
 * judged? */
bool ksiIsWorldUntold(const ksiWorldStats *stats);

/* Writes why a joint does not pass although no error is above the limit: "the motion is not
 * explained in 3 of 200 steps". joint NULL: a world. Nothing if it passes. */
void ksiWriteUntold(const ksiView *view, const ksiWorldView *world, const ksiJointView *joint, ksiText *out);

/* Was no joint judged, and is none unknown? The guard has then checked nothing. */
bool ksiIsNothingJudged(const ksiView *view);

/* Writes why a guard cannot pass: that no joint was judged, or the world and name of the first
 * unknown joint, and why it is unknown. Writes nothing if the guard can pass. */
void ksiWriteFirstUntold(const ksiView *view, ksiText *out);

/* ErrorOf: the error by which joints fail, are sorted, and are compared with a baseline: KSI_SOLVER
 * or KSI_MODEL. ReferenceOf: the value that the engine's force is compared with: "converged",
 * "physical". */
int ksiErrorOf(const ksReportLimit *limit);
const char *ksiReferenceOf(const ksReportLimit *limit);

#endif
