/* compare.h  Compares a report with an older one, joint by joint. */
#ifndef KSI_REPORT_FINDINGS_COMPARE_H
#define KSI_REPORT_FINDINGS_COMPARE_H

#include "joint_case.h"

/* For documents: compares the report with an older one, which the caller keeps and which may be
 * NULL. tolerance: relative. isAlone: the text has nothing else. */
void ksiReportCompare(ksReport *report, const ksReport *older, double tolerance, bool isAlone);

/* A case for each joint of the older report, which must exist. Both reports use the limit of the
 * newer one. */
void ksiCompareReports(const ksiView *view, ksiCases *cases);

#endif
