/* runs_kit.h  Made-up runs in a report. */
#ifndef TESTS_KITS_REPORT_RUNS_KIT_H
#define TESTS_KITS_REPORT_RUNS_KIT_H

#include "report_kit.h"

#include "plugin/report/collect/metrics.h"
#include "plugin/report/findings/checks.h"

/* A run with this file name. */
static inline ksiRun runOf(const char *file)
{
    ksiRun run = {.isOver = 1, .identity = 7};
    snprintf(run.program, sizeof run.program, "walker");
    snprintf(run.begun, sizeof run.begun, "2026-11-26T07:00:00Z");
    snprintf(run.file, sizeof run.file, "%s", file);
    return run;
}

/* Counts the outcomes of all checks. */
static inline void countCases(const ksReport *report, size_t count[KSI_OUTCOMES])
{
    ksiView view;
    ck_assert(ksiViewMake(report, NULL, &view));
    ck_assert(ksiCountCases(&view, count));
    ksiViewFree(&view);
}

/* One run with a joint of constant error, and with a force of each size in newtons. */
static inline ksiJointStats *addRun(ksReport *report, ksiRun run, double error, double force)
{
    static const int body[2] = {1, 0};
    size_t index, world;
    run.identity = report->runCount + 1;
    CHECK_OK(ksiReportAddRun(report, &run, &index));
    CHECK_OK(ksiReportAddWorld(report, "world 1", &world));
    ksiReportPlaceWorld(report, world, index, 0);
    report->world[world]->inspected = 100;
    const ksAllocator *allocator = &report->allocator;
    ksiJointStats *joint = ksiJointMake(allocator, report->world[world], dJointTypeHinge, 1, body);
    for (int i = 0; i < KSI_ERRORS; i++)
        ck_assert(joint && ksiHistogramAdd(allocator, &joint->error[i].size, error));
    for (int i = 0; i < KSI_OF_MOTION; i++)
        ck_assert(ksiHistogramAdd(allocator, &joint->load[KSI_FORCE][i], force + i) &&
                  ksiHistogramAdd(allocator, &joint->load[KSI_TORQUE][i], 0));
    joint->peak[KSI_FORCE] = (ksiMoment){.isKnown = true, .value = force + 2, .bar = 0.001 * force, .load = 1};
    joint->peak[KSI_TORQUE] = (ksiMoment){.isKnown = true, .value = 1e-14 * error, .bar = 0, .load = 1};
    for (int i = 0; i < KSI_SIZES; i++) {
        const ksiReach reach = {.isKnown = true, .value = joint->peak[i].value, .bar = joint->peak[i].bar};
        ksiBorneNote(&joint->borne[KSI_IN_STEPS][i], &reach);
    }
    joint->steps = 100;
    report->world[world]->verdict[KS_VALID] = 3;
    report->world[world]->verdict[KS_UNCHECKED] = 1;
    return joint;
}

#endif
