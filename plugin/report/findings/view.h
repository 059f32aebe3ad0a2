/* view.h  Prepares a report for output: clean and unique names, sorted and judged joints. */
#ifndef KSI_REPORT_FINDINGS_VIEW_H
#define KSI_REPORT_FINDINGS_VIEW_H

#include "../collect/stats.h"
#include "../files/text.h"

#include <fnmatch.h>

typedef struct ksiJointView {
    const ksiJointStats *stats;
    char *name;
    /* Was its force compared, or does it come apart; does it fail; or is its error not known to be below the limit, since some steps are not explained or have
     * no verdict: it does not pass, and ksiWriteUntold says why. */
    bool isJudged, isFailed, isUntold;
    bool isAbove;       /* its error is above the limit */
    bool isOff, isTorn; /* why it fails, but for what is suppressed: its error is above the limit; it comes apart */
    double judged;      /* the error that counts for the limit; NaN: none */
    double known;       /* the same of one that is not meant, too */
} ksiJointView;

typedef struct ksiWorldView {
    const ksiWorldStats *stats;
    char *name;
    ksiJointView *joint;             /* as they were first seen, then by type and number */
    const ksiJointView **worstFirst; /* those that fail, those not known to pass, then by error */
    size_t jointCount, judgedCount, failedCount, untoldCount;
    double meanForce; /* N, the largest mean of a joint */
    double error;     /* of the worst joint, as it counts for the limit; without joints, of contacts; NaN: none */
} ksiWorldView;

/* Of several worlds. */
typedef struct ksiSums {
    uint64_t seen, inspected; /* steps */
    size_t worlds, joints, judged, failed, untold, failedWorlds;
} ksiSums;

/* Of a run. */
typedef struct ksiRunView {
    const ksiRun *run;
    ksiSums sums;
    uint64_t reactions, unchecked;     /* of joints that are solved; of these without a verdict on their force */
    const ksiWorldView *worst;         /* NULL: it has no world */
    double load[KSI_SIZES][KSI_LOADS]; /* the largest of a joint; NaN: none */
} ksiRunView;

/* A joint by its name, over runs: of errors all steps count, of forces each world's largest one. */
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
    const ksiRunView **badRunsFirst; /* those that are not ksiRunIsSeen, then by their worst worlds */
    size_t runCount;
} ksiView;

/* false: out of memory, and nothing is left to be freed. */
bool ksiViewMake(const ksReport *report, const ksReportLimit *limit, ksiView *view);
void ksiViewFree(ksiView *view);

void ksiSumsAdd(ksiSums *sums, const ksiWorldView *world);

/* What fails stands before what is not known to pass, and that before the others. */
static inline int ksiRankOf(size_t failed, size_t untold)
{
    return failed > 0 ? 2 : untold > 0;
}

/* Which stands first: that with the higher rank, then that with the larger error; unknown ones stand last. */
int ksiCompareErrors(int rank, int otherRank, double error, double other);

/* What came of each run. false: out of memory. */
bool ksiRunsMake(ksiView *view);
void ksiRunsFree(ksiView *view);

/* Of a report without runs: all of it as one. */
void ksiRunViewOfHost(const ksiView *view, const ksiRun *run, ksiRunView *out);

/* It ended well, and was seen as a whole: something was inspected, and all that stepped was. */
bool ksiRunIsSeen(const ksiRunView *run);

/* Of its reactions that were solved, how many have a verdict on their force; NaN: there are none. */
double ksiShareChecked(const ksiRunView *run);

/* Joints of the same name together, by name, one after the other: calls `each`, whose pool is gone thereafter. false: out of memory. */
bool ksiPoolJoints(const ksiView *view, void (*each)(const ksiPool *pool, void *user), void *user);

/* Does the name match the pattern (fnmatch), or the one that was given, whatever was added to tell it from others? NULL matches all. */
static inline bool ksiIsCalled(const ksiJointView *joint, const char *pattern)
{
    return !pattern || fnmatch(pattern, joint->name, 0) == 0 ||
           (joint->stats->given && fnmatch(pattern, joint->stats->given, 0) == 0);
}

/* Of all joints, or of those that have failed; NULL: none of them holds two bodies that move freely. */
const ksiJointView *ksiLargestMassRatio(const ksiWorldView *world, bool hasFailed);

/* Was it never stepped, or were some of its joints too many to be judged? */
bool ksiIsWorldUntold(const ksiWorldStats *stats);

/* Why a joint, or a world as a whole (joint NULL), does not pass though no error is above the limit: "the motion is not explained in 3 of 200
 * steps". Nothing if it does. */
void ksiWriteUntold(const ksiView *view, const ksiWorldView *world, const ksiJointView *joint, ksiText *out);

/* Was no joint judged, and of none is it unknown whether it passes? Then a guard has looked at nothing. */
bool ksiIsNothingJudged(const ksiView *view);

/* Why a guard cannot pass: that no joint was judged, or of the first that does not pass the world, its name, and why. Nothing if it can. */
void ksiWriteFirstUntold(const ksiView *view, ksiText *out);

/* The headline: the error that a limit is about, by which joints fail, are ordered and are compared with a baseline. KSI_SOLVER or KSI_MODEL; an
 * error of means would be a third one. And the value that the engine's force is compared with: "converged", "physical". */
int ksiErrorOf(const ksReportLimit *limit);
const char *ksiReferenceOf(const ksReportLimit *limit);

#endif
