/* document.h  Text formats of a report. */
#ifndef KSI_REPORT_DOCUMENT_DOCUMENT_H
#define KSI_REPORT_DOCUMENT_DOCUMENT_H

#include "../files/text.h"
#include "../findings/view.h"

/* Writes a screenful of the report, or all of it. */
void ksiWriteText(const ksiView *view, bool isAll, ksiText *out);
void ksiWriteJunit(const ksiView *view, ksiText *out);

/* Writes lines of CSV, one for each run, worst first. */
void ksiWriteRuns(const ksiView *view, ksiText *out);

/* Writes an HTML page; requires a build with dygraphs. isLive: a page that requests its frames and
 * updates (live.h). */
void ksiWriteHtml(const ksiView *view, bool isLive, ksiText *out);

/* Formats 0.034 as "3.4 %", and NaN as "-". */
enum { KSI_PERCENT_SIZE = 24 };
const char *ksiPercent(char out[KSI_PERCENT_SIZE], double x);

/* Writes "5 %" or "12.5 %", with as many digits as the share has, at most six. */
void ksiWriteShare(double share, ksiText *out);

#endif
