/* report.c  The library of reports, and through it the core, from an installed library. */
#include <kinetostat/report.h>
#include <kinetostat/view.h>
#include <stdio.h>
#include <string.h>

int main(void)
{
    ksView *view;
    if (ksViewCreate(NULL, &view) != KS_ERROR_BAD_ARGUMENT)
        return 1;
    ksReportDestroy(NULL);
    printf("reports: %s\n", ksStatusName(KS_OK));
    return strcmp(ksStatusName(KS_OK), "KS_OK") != 0;
}
