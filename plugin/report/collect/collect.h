/* collect.h  Adds steps to a report: live, replayed, or from other reports. */
#ifndef KSI_REPORT_COLLECT_COLLECT_H
#define KSI_REPORT_COLLECT_COLLECT_H

#include "naming.h"
#include <stdbool.h>

#include <kinetostat/report.h>

/* Trials of a number of iterations. KSI_ALONE: a single step from the state of the run.
 * KSI_IN_A_ROW: the last of several consecutive steps with this number. */
enum { KSI_ALONE, KSI_IN_A_ROW, KSI_TRIALS };

/* Number and settings of a step in the report, for inspectors of copies of the world. */
typedef struct ksiStepInfo {
    uint64_t step;
    double time, stepSize; /* s */
    ksStepper stepper;
    int iterations; /* iterations of dWorldQuickStep */
    double erp, cfm;
    /* The state before the step, for the animation: a record, a scene, or neither. */
    const struct ksiStepRecord *record;
    const struct ksiScene *scene;
} ksiStepInfo;

/* Reads the inspector's last step and the current state of its world. */
void ksiStepInfoRead(const ksInspector *inspector, ksiStepInfo *info);

/* Adds a world without a watcher; returns its index. name NULL: "world 1", "world 2" and so on. */
KS_MUST_USE ksStatus ksiReportAddWorld(ksReport *report, const char *name, size_t *world);

/* Adds the inspector's last step; the naming must be up to date. info NULL: ksiStepInfoRead. KS_OK,
 * also if the step is outside the window or was not inspected; KS_ERROR_NO_MEMORY: the step counts
 * as omitted. */
KS_MUST_USE ksStatus ksiReportAddStep(ksReport *report, size_t world, const ksInspector *inspector,
                                      const ksiNaming *naming, const ksiStepInfo *info);

/* Counts steps that were not inspected. */
void ksiReportSkipSteps(ksReport *report, size_t world, uint64_t count);

/* Adds the errors of a trial step: the inspector's last step, in a copy of the world, with this
 * number of iterations. how: KSI_ALONE or KSI_IN_A_ROW. */
KS_MUST_USE ksStatus ksiReportAdvise(ksReport *report, size_t world, int iterations, int how,
                                     const ksInspector *inspector, const ksiNaming *naming);

/* Sets the run of a world, and its place in the run. */
void ksiReportPlaceWorld(ksReport *report, size_t world, size_t run, uint64_t place);

/* The advice then mentions options of the command instead of functions of the library. */
void ksiReportForCommand(ksReport *report);

/* isGuarded: the limit of errors sets the exit status and fails JUnit tests, as it does by default
 * and in a host's report. */
void ksiReportGuard(ksReport *report, bool isGuarded);

/* Adds another report. Merges worlds of the same run and place; without runs, of the same index.
 * Merging a run's parts in any order and sorting (ksiReportSort) gives the report of the whole run.
 * KS_OK; KS_ERROR_NO_MEMORY; KS_ERROR_BAD_ARGUMENT, with ksErrorMessage: different options, means
 * over different windows, or an error of ksiReportAddRun. After an error `into` is unusable. */
KS_MUST_USE ksStatus ksiReportMerge(ksReport *into, const ksReport *from);

/* Adds the only world of a report to a world of another report. */
KS_MUST_USE ksStatus ksiReportMergeWorld(ksReport *into, size_t world, const ksReport *from);

#endif
