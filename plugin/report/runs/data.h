/* data.h  Saves and loads a report with all of its bins, exactly. */
#ifndef KSI_REPORT_RUNS_DATA_H
#define KSI_REPORT_RUNS_DATA_H

#include "../files/text.h"

#include <kinetostat/report.h>

#define KSI_DATA_NAME "kinetostat report" /* such a file begins with it; a version follows */

/* out->isShort is set if memory runs out. */
void ksiWriteData(const ksReport *report, ksiText *out);

/* Reads a report from an untrusted file. `path` becomes the file of runs without one; NULL: all
 * runs must have a file. KS_OK, KS_ERROR_NO_MEMORY; KS_ERROR_FILE with ksErrorMessage: no report,
 * another version, or damaged. */
KS_MUST_USE ksStatus ksiReadData(const char *path, const void *bytes, size_t count, ksReport **report);

#endif
