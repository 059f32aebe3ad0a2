/* compare.h  A report against an older one, joint by joint: what got worse. */
#ifndef KSI_REPORT_COMPARE_H
#define KSI_REPORT_COMPARE_H

#include "text.h"
#include "view.h"

/* For documents: the report is told against an older one, which stays the caller's, is made by the same limit, and may be NULL. tolerance: relative.
 * isAlone: the text is about nothing else. */
void ksiReportCompare(ksReport *report, const ksReport *older, double tolerance, bool isAlone);

/* How many joints got worse. KS_OK, KS_ERROR_NO_MEMORY. */
KS_MUST_USE ksStatus ksiReportCountWorse(const ksReport *report, size_t *worse);

/* Where there is an older one: as text, and as a test suite of JUnit. */
void ksiWriteComparison(const ksiView *view, ksiText *out);
void ksiWriteComparisonJunit(const ksiView *view, ksiText *out);

/* Of the suite: test cases, and those that fail. false: out of memory. */
bool ksiCountComparison(const ksiView *view, size_t *joints, size_t *worse);

#endif
