/* kit_reports.c  Trace, report and view of a demo's worlds, by libkinetostat-report. Without
 * KIT_HAS_REPORTS these options are refused. */
#include "kit.h"

/* The options of the report's forms. To add a form, add a line here and in `format` below, and
 * increment KIT_DOCUMENTS. */
static const struct {
    const char *option, *meaning;
} document[KIT_DOCUMENTS] = {
    {"report", "a summary of the findings as text"},
    {"json", "the same for programs"},
    {"html", "the same as a page for a browser"},
};

const char *kitDocument(int which, const char **meaning)
{
    *meaning = document[which].meaning;
    return document[which].option;
}

#ifdef KIT_HAS_REPORTS

#include <kinetostat/report.h>
#include <kinetostat/trace.h>
#include <kinetostat/view.h>

#include <errno.h>
#include <math.h>
#include <string.h>
#include <unistd.h>

static const ksReportFormat format[KIT_DOCUMENTS] = {KS_REPORT_TEXT, KS_REPORT_JSON, KS_REPORT_HTML};

int kitHasReports(void)
{
    return 1;
}

/* The library's message names the error and the file. */
static void check(const Kit *kit, ksStatus status)
{
    if (status != KS_OK)
        kitFail(kit, ksStatusName(status), ksErrorMessage());
}

/* Refuses a form that the library was built without, before the run. */
static void tryFormat(const Kit *kit, ksReportFormat form)
{
    FILE *nowhere = tmpfile();
    if (!nowhere)
        kitFail(kit, "temporary file", strerror(errno));
    check(kit, ksReportPrint(kit->report, form, nowhere));
    fclose(nowhere);
}

static void openReport(Kit *kit)
{
    if (!kit->report)
        check(kit, ksReportCreate(NULL, &kit->report));
}

void kitOpenReports(Kit *kit)
{
    if (kit->tracePath)
        check(kit, ksTraceCreate(kit->tracePath, NULL, &kit->trace));
    for (int i = 0; i < KIT_DOCUMENTS; i++) {
        if (!kit->documentPath[i])
            continue;
        kitCheckWritable(kit, kit->documentPath[i]);
        openReport(kit);
        tryFormat(kit, format[i]);
    }
    if (!kit->isViewed)
        return;
    openReport(kit);
    check(kit, ksViewCreate(kit->report, &kit->view));
    fprintf(stderr, "%s: look at %s\n", kit->program, ksViewGetAddress(kit->view));
}

void kitViewStep(const Kit *kit, double time)
{
    for (int mayStep = !kit->view; !mayStep;)
        check(kit, ksViewPoll(kit->view, time, &mayStep));
}

void kitWatch(Kit *kit, ksInspector *inspector, const char *name)
{
    if (kit->trace)
        check(kit, ksTraceWatch(kit->trace, inspector, name));
    if (kit->report)
        check(kit, ksReportWatch(kit->report, inspector, name));
}

/* The page may be open in a browser: then the program waits for it. */
static const double patience = 10;  // s, for a page that nobody may open

void kitCloseReports(Kit *kit)
{
    check(kit, ksTraceClose(kit->trace));
    if (kit->tracePath)
        printf("\nThe trace is in %s.\n", kit->tracePath);
    for (int i = 0; i < KIT_DOCUMENTS; i++) {
        if (!kit->documentPath[i])
            continue;
        check(kit, ksReportWrite(kit->report, format[i], kit->documentPath[i]));
        printf("\nThe report is in %s.\n", kit->documentPath[i]);
    }
    if (kit->view)
        check(kit, ksViewFinish(kit->view, isatty(STDERR_FILENO) ? HUGE_VAL : patience));
    ksViewDestroy(kit->view);
    ksReportDestroy(kit->report);
}

#else

int kitHasReports(void)
{
    return 0;
}

void kitOpenReports(Kit *kit)
{
    (void)kit;
}

void kitWatch(Kit *kit, ksInspector *inspector, const char *name)
{
    (void)kit, (void)inspector, (void)name;
}

void kitViewStep(const Kit *kit, double time)
{
    (void)kit, (void)time;
}

void kitCloseReports(Kit *kit)
{
    (void)kit;
}

#endif
