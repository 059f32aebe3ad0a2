/* view.h  Prepares a report for output: clean and unique names, sorted and judged joints. */
#ifndef KSI_REPORT_FINDINGS_VIEW_H
#define KSI_REPORT_FINDINGS_VIEW_H

#include "../collect/stats.h"
#include "../files/text.h"

typedef struct ksiJointView {
    const ksiJointStats *stats;
    char *name;
    /* Was its force compared, or does it come apart; does it fail; or is its error not known to be
     * below the limit, since some steps are not explained or have no verdict: it does not pass, and
     * ksiWriteUntold says why. */
    bool isJudged, isFailed, isUntold;
    bool isAbove;       /* its error is above the limit */
    bool isOff, isTorn; /* why it fails, without suppressed findings: its error is above the limit;
                           it comes apart */
    double judged;      /* the error that counts for the limit; NaN: none */
    double known;       /* the same, also for joints that are not selected */
} ksiJointView;

typedef struct ksiWorldView {
    const ksiWorldStats *stats;
    char *name;
    ksiJointView *joint;             /* as they were first seen, then by type and number */
    const ksiJointView **worstFirst; /* those that fail, those not known to pass, then by error */
    size_t jointCount, judgedCount, failedCount, untoldCount;
    double meanForce; /* N, the largest mean of a joint */
    double error;     /* of the worst joint, as it counts for the limit; without joints, of
                         contacts; NaN: none */
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
    uint64_t reactions, unchecked;     /* of joints that are solved; of these without a verdict on
                                          their force */
    const ksiWorldView *worst;         /* NULL: it has no world */
    double load[KSI_SIZES][KSI_LOADS]; /* the largest of a joint; NaN: none */
} ksiRunView;

/* Joints of one name over all runs: errors of all steps, and the largest forces of each world. */
typedef struct ksiPool {
    const char *name;
    size_t count; /* of worlds */
    ksiHistogram error[KSI_ERRORS];
    double *load[KSI_SIZES][KSI_LOADS]; /* [loadCount], from small to large */
    size_t loadCount[KSI_LOADS];
} ksiPool;

typedef struct ksiView {
    const ksReport *report;
    const ksReportLimit *limit;
    ksiWorldView *world;
    const ksiWorldView **worstFirst; /* likewise */
    size_t worldCount;
    ksiSums sums;
    ksiRunView *run;
    const ksiRunView **badRunsFirst; /* first the runs that are not ksiRunIsSeen, then by their
                                        worst worlds */
    size_t runCount;
} ksiView;

/* false: out of memory; nothing to free. */
bool ksiViewMake(const ksReport *report, const ksReportLimit *limit, ksiView *view);
void ksiViewFree(ksiView *view);

void ksiSumsAdd(ksiSums *sums, const ksiWorldView *world);

/* Order: failed, unknown, passed. */
static inline int ksiRankOf(size_t failed, size_t untold)
{
    return failed > 0 ? 2 : untold > 0;
}

/* Order by rank, then by error, the larger first; unknown errors last. */
int ksiCompareErrors(int rank, int otherRank, double error, double other);

/* Results of each run. false: out of memory. */
bool ksiRunsMake(ksiView *view);
void ksiRunsFree(ksiView *view);

/* A report without runs as a single run. */
void ksiRunViewOfHost(const ksiView *view, const ksiRun *run, ksiRunView *out);

/* Whether it ended well and every stepping process was inspected, at least one step. */
bool ksiRunIsSeen(const ksiRunView *run);

/* The share of solved reactions with a verdict on their force; NaN: none was solved. */
double ksiShareChecked(const ksiRunView *run);

/* Calls `each` for the joints of each name, in order of names; the pool lasts for the call. false:
 * out of memory. */
bool ksiPoolJoints(const ksiView *view, void (*each)(const ksiPool *pool, void *user), void *user);

/* Whether the unique name or the host's name is meant: ksiIsNamed. */
static inline bool ksiIsCalled(const ksiJointView *joint, const char *pattern)
{
    return ksiIsNamed(pattern, joint->name) || (joint->stats->given && ksiIsNamed(pattern, joint->stats->given));
}

/* The joint with the largest mass ratio of all joints, or of failed ones; NULL: none connects two
 * free bodies. */
const ksiJointView *ksiLargestMassRatio(const ksiWorldView *world, bool hasFailed);

/* Whether it never stepped, or has joints above the number limit, which are not judged. */
bool ksiIsWorldUntold(const ksiWorldStats *stats);

/* Why a joint, or a world (joint NULL), does not pass although no error is above the limit: "the
 * motion is not explained in 3 of 200 steps". Nothing if it passes. */
void ksiWriteUntold(const ksiView *view, const ksiWorldView *world, const ksiJointView *joint, ksiText *out);

/* Whether no joint was judged and none is unknown: the guard has checked nothing. */
bool ksiIsNothingJudged(const ksiView *view);

/* Why a guard cannot pass: no joint was judged, or the world, name and reason of the first unknown
 * joint. Nothing if it can. */
void ksiWriteFirstUntold(const ksiView *view, ksiText *out);

/* The limited error, by which joints fail, are sorted and are compared with a baseline: KSI_SOLVER
 * or KSI_MODEL. And the reference of the engine's force: "converged", "physical". */
int ksiErrorOf(const ksReportLimit *limit);
const char *ksiReferenceOf(const ksReportLimit *limit);

#endif
