/* collect.h  Adds steps to a report: live, replayed, or from other reports. */
#ifndef KSI_REPORT_COLLECT_COLLECT_H
#define KSI_REPORT_COLLECT_COLLECT_H

#include "naming.h"
#include <stdbool.h>

#include <kinetostat/report.h>

/* How steps are tried with a number of iterations: each by itself, from the state that the run was in; or at the end of some in a
 * row, from the state that these iterations have led to. */
enum { KSI_ALONE, KSI_IN_A_ROW, KSI_TRIALS };

/* What a step is called in the report, where the inspector is one of a copy of the world. */
typedef struct ksiStepInfo {
    uint64_t step;
    double time, stepSize; /* s */
    ksStepper stepper;
    int iterations; /* of dWorldQuickStep */
    double erp, cfm;
    /* What it began with, where somebody looks at it: a record, or a scene; or neither. */
    const struct ksiStepRecord *record;
    const struct ksiScene *scene;
} ksiStepInfo;

/* Of the inspector's last step, and of its world as it is now. */
void ksiStepInfoRead(const ksInspector *inspector, ksiStepInfo *info);

/* A world of the report, in which nobody watches; its index. name NULL: "world 1". */
KS_MUST_USE ksStatus ksiReportAddWorld(ksReport *report, const char *name, size_t *world);

/* Adds the inspector's last step, which the naming was updated with. info NULL: ksiStepInfoRead. KS_OK, also where the step
 * is outside the window or was not inspected; KS_ERROR_NO_MEMORY: it counts as left out. */
KS_MUST_USE ksStatus ksiReportAddStep(ksReport *report, size_t world, const ksInspector *inspector,
                                      const ksiNaming *naming, const ksiStepInfo *info);

/* Steps that the program made and nobody inspected. */
void ksiReportSkipSteps(ksReport *report, size_t world, uint64_t count);

/* KSI_SOLVER, KSI_MODEL of a step; NaN: unknown. An error that is within its bar is none; one without a bar is not known. */
double ksiErrorIn(const ksReaction *reaction, int which);

/* Adds the errors of the inspector's last step, which a copy of the world made with so many iterations of dWorldQuickStep:
 * how is KSI_ALONE or KSI_IN_A_ROW. */
KS_MUST_USE ksStatus ksiReportAdvise(ksReport *report, size_t world, int iterations, int how,
                                     const ksInspector *inspector, const ksiNaming *naming);

/* Of a world that was added: of which run it is, and where in it. */
void ksiReportPlaceWorld(ksReport *report, size_t world, size_t run, uint64_t place);

/* Who reads it has the command, and no library: advice is in its options. */
void ksiReportForCommand(ksReport *report);

/* Does its limit of errors decide on anything? If not, no test of JUnit fails by it. Of a host it does. */
void ksiReportGuard(ksReport *report, bool isGuarded);

/* Adds all that another report holds: worlds of the same run and place, or without runs of the same index, are one. Parts of a run, merged in any order, give the same report as the run in one go, once it is sorted: ksiReportSort.
 * KS_OK; KS_ERROR_NO_MEMORY; KS_ERROR_BAD_ARGUMENT, and ksErrorMessage: they were made with other options, or as ksiReportAddRun. `into` then holds a part of it, and is good for nothing. */
KS_MUST_USE ksStatus ksiReportMerge(ksReport *into, const ksReport *from);

/* Adds the only world of a report to one of another. */
KS_MUST_USE ksStatus ksiReportMergeWorld(ksReport *into, size_t world, const ksReport *from);

#endif
