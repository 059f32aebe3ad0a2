/* view.h  A report made ready to be written: names that are clean and differ from each other, joints in order, judged. */
#ifndef KSI_REPORT_VIEW_H
#define KSI_REPORT_VIEW_H

#include "stats.h"

typedef struct ksiJointView {
    const ksiJointStats *stats;
    char *name;
    bool isJudged, isFailed;
    double judged; /* the error that counts for the limit; NaN: none */
} ksiJointView;

typedef struct ksiWorldView {
    const ksiWorldStats *stats;
    char *name;
    ksiJointView *joint;             /* as they were first seen, then by type and number */
    const ksiJointView **worstFirst; /* those that fail, then by error, then those that are not judged */
    size_t jointCount, judgedCount, failedCount;
    double error; /* the largest that counts for the limit; without joints, of contacts; NaN: none */
} ksiWorldView;

/* Of all worlds. */
typedef struct ksiSums {
    uint64_t seen, inspected; /* steps */
    size_t joints, judged, failed, failedWorlds;
} ksiSums;

typedef struct ksiView {
    const ksReport *report;
    const ksReportLimit *limit;
    ksiWorldView *world;
    const ksiWorldView **worstFirst; /* likewise */
    size_t worldCount;
    ksiSums sums;
} ksiView;

/* false: out of memory, and nothing is left to be freed. */
bool ksiViewMake(const ksReport *report, const ksReportLimit *limit, ksiView *view);
void ksiViewFree(ksiView *view);

/* NULL: no joint holds two bodies that move freely. */
const ksiJointView *ksiLargestMassRatio(const ksiWorldView *world);

/* The error that a limit is about: KSI_SOLVER or KSI_MODEL. */
int ksiErrorOf(const ksReportLimit *limit);

#endif
