/* report.c  The life of a report. */
#include <kinetostat/report.h>

#include <stdlib.h>

void ksReportDestroy(ksReport *report)
{
    free(report);
}
