/** @file report.h  What was found in a run, summed up: for people, for programs, for CI. Library libkinetostat-report
 *  (pkg-config kinetostat-report).
 *
 *      ksReport *report;
 *      ksReportCreate(NULL, &report);
 *      ksReportWatch(report, inspector, "arm");
 *      ...
 *      ksReportWrite(report, KS_REPORT_TEXT, "arm.txt");
 *      ksReportDestroy(report);
 */
#ifndef KINETOSTAT_REPORT_H
#define KINETOSTAT_REPORT_H

#include <kinetostat/kinetostat.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct ksReport ksReport;

/** Frees the report. NULL is fine. */
KS_API void ksReportDestroy(ksReport *report);

#ifdef __cplusplus
}
#endif
#endif
