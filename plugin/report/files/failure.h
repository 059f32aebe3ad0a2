/* failure.h  Error messages of this library. */
#ifndef KSI_REPORT_FILES_FAILURE_H
#define KSI_REPORT_FILES_FAILURE_H

#include <kinetostat/status.h>

/* Sets ksErrorMessage and returns the status. The format is printf's; KSI_FAIL adds the name of its
 * function. */
ksStatus ksiReportFail(const char *function, ksStatus status, const char *format, ...)
    __attribute__((format(printf, 3, 4), cold));
#define KSI_FAIL(status, ...) ksiReportFail(__func__, status, __VA_ARGS__)

#endif
