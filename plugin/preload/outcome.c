/* outcome.c  What makes a report a test: the status to exit with. */
#include "outcome.h"

#include "worker.h"

#include "../report/checks.h"

/* A guard is for runs that were seen as a whole. */
static bool isAllSeen(const ksReport *report)
{
    const ksiRun *run;
    bool isAll = true;
    for (size_t i = 0; (run = ksiReportRun(report, i)) != NULL; i++) {
        isAll &= ksiRunIsGood(run);
        if (!ksiRunIsGood(run))
            fprintf(
                stderr, "kinetostat: %s: %s: the test fails\n", ksiReportRuns(report) > 1 ? run->file : run->program,
                run->unseen + run->lost + ksiRunMissing(run) > 0 ? "not all that was started was inspected to its end"
                : !run->isOver                                   ? "the recording ends before the run does"
                : run->notFinite.body                            ? "a body is not finite"
                                                                 : "it did not end well");
    }
    return isAll;
}

int ksiOutcome(const ksiOptions *options, const ksReport *report)
{
    size_t failures = 0, count[KSI_OUTCOMES];
    const bool isGuarded = options->isLimited || options->baseline || options->loadCount > 0;
    if (!isGuarded || options->isRawOnly)
        return 0;
    const ksStatus status = options->isLimited ? ksReportCheck(report, NULL, &failures) : KS_OK;
    if ((status && status != KS_ERROR_UNAVAILABLE) || ksiReportCountCases(report, count))
        return KSI_FAILED;
    if (status)
        fputs("kinetostat: no joint was judged: --fail-above fails\n", stderr);
    const bool isAll = isAllSeen(report) && !status && count[KSI_UNTOLD] == 0;
    return failures + count[KSI_FAILS] > 0 ? options->failStatus : isAll ? 0 : KSI_UNSEEN;
}
