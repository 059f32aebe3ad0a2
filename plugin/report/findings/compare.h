/* compare.h  Compares a report with an older one, joint by joint. */
#ifndef KSI_REPORT_FINDINGS_COMPARE_H
#define KSI_REPORT_FINDINGS_COMPARE_H

#include "joint_case.h"

/* Sets an older report, with which documents compare this report. The caller keeps the older
 * report; older NULL: no comparison. tolerance: relative. isAlone: the text contains only the
 * comparison. */
void ksiReportCompare(ksReport *report, const ksReport *older, double tolerance, bool isAlone);

/* Adds a case for each joint of the older report. There must be an older report. The newer report's
 * limit applies to both. */
void ksiCompareReports(const ksiView *view, ksiCases *cases);

#endif
