/* report.c  The library of reports, and through it the core, from an installed library. */
#include <kinetostat/report.h>
#include <stdio.h>
#include <string.h>

int main(void)
{
    ksReportDestroy(NULL);
    printf("reports: %s\n", ksStatusName(KS_OK));
    return strcmp(ksStatusName(KS_OK), "KS_OK") != 0;
}
