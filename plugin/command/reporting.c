/* reporting.c  Creates the report of a command line. */
#include "reporting.h"

#include "files/merge_files.h"

#include "../report/document/proposal.h"
#include "../report/findings/compare.h"

static int tell(void)
{
    fprintf(stderr, "kinetostat: %s\n", ksErrorMessage());
    return KSI_FAILED;
}

/* Can the library make pages? If it was built without them, the user learns it before the run. */
static bool hasPages(const ksReport *report)
{
    FILE *sink = fopen("/dev/null", "w");
    const bool has = !sink || !ksReportPrint(report, KS_REPORT_HTML, sink);
    if (sink)
        fclose(sink);
    return has;
}

static int openNames(ksiReporting *reporting, ksiOptions *options)
{
    char words[KSI_NAME_LIST_WORDS];
    if (!options->names)
        return 0;
    reporting->names = ksiNameListRead(options->names, words);
    options->judge.names = reporting->names;
    if (!reporting->names)
        fprintf(stderr, "kinetostat: --names %s\n", words);
    return reporting->names ? 0 : KSI_FAILED;
}

static int openSuppressions(ksiReporting *reporting, const ksiOptions *options)
{
    char words[KSI_SUPPRESSIONS_WORDS];
    if (!options->suppress)
        return 0;
    reporting->suppressions = ksiSuppressionsRead(options->suppress, fopen(options->suppress, "r"), words);
    if (!reporting->suppressions)
        fprintf(stderr, "kinetostat: --suppress %s\n", words);
    return reporting->suppressions ? 0 : KSI_FAILED;
}

int ksiReportingOpen(ksiReporting *reporting, ksiOptions *options)
{
    if (openNames(reporting, options) || openSuppressions(reporting, options))
        return KSI_FAILED;
    // the report's advice depends on this option too
    options->report.adviseEvery = options->judge.adviseEvery;
    if (ksReportCreate(&options->report, &reporting->report))
        return tell();
    ksiReportForCommand(reporting->report);
    if ((options->html || options->isViewed) && !hasPages(reporting->report))
        return tell();
    reporting->worlds = ksiWorldsCreate(&options->judge, reporting->report);
    if (!reporting->worlds)
        fputs("kinetostat: out of memory\n", stderr);
    return reporting->worlds ? 0 : KSI_FAILED;
}

bool ksiReportingCheck(ksiReporting *reporting, const ksiOptions *options)
{
    if (options->baseline && !reporting->baseline && !(reporting->baseline = ksiReadSaved(options->baseline)))
        return false;
    ksiReportCompare(reporting->report, reporting->baseline, options->tolerance, options->isDiff);
    ksiReportLimitLoads(reporting->report, options->load, options->loadCount, options->mean);
    ksiReportSuppress(reporting->report, reporting->suppressions);
    ksiReportGuard(reporting->report, options->isLimited);
    ksiReportPropose(reporting->report, options->proposal);
    return true;
}

void ksiReportingClose(ksiReporting *reporting)
{
    ksiWorldsDestroy(reporting->worlds);
    ksReportDestroy(reporting->report);
    ksReportDestroy(reporting->baseline);
    ksiSuppressionsDestroy(reporting->suppressions);
    ksiNameListDestroy(reporting->names);
}
