/* compare.h  Compares a report with an older one, joint by joint. */
#ifndef KSI_REPORT_FINDINGS_COMPARE_H
#define KSI_REPORT_FINDINGS_COMPARE_H

#include "joint_case.h"

/* For documents: the report is told against an older one, which stays the caller's, and may be NULL. tolerance: relative. isAlone: the text is about
 * nothing else. */
void ksiReportCompare(ksReport *report, const ksReport *older, double tolerance, bool isAlone);

/* A case for each joint of the older one, which there is: both by the limit of the newer one. */
void ksiCompareReports(const ksiView *view, ksiCases *cases);

#endif
