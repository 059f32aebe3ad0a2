/* outcome.c  The status to exit with, by what a report holds. */
#include "outcome.h"

#include "worker.h"

#include "../report/compare.h"

/* Runs that were not seen as a whole, as --fail-above wants them. */
static bool isAllSeen(const ksReport *report)
{
    const ksiRun *run;
    bool isAll = true;
    for (size_t i = 0; (run = ksiReportRun(report, i)) != NULL; i++) {
        isAll &= ksiRunIsGood(run);
        if (!ksiRunIsGood(run))
            fprintf(stderr, "kinetostat: %s: %s: --fail-above fails\n",
                    ksiReportRuns(report) > 1 ? run->file : run->program,
                    run->unseen + run->lost + ksiRunMissing(run) > 0
                        ? "not all that was started was inspected to its end"
                    : !run->isOver        ? "the recording ends before the run does"
                    : run->notFinite.body ? "a body is not finite"
                                          : "it did not end well");
    }
    return isAll;
}

/* 0, or the status to exit with, by --baseline, --max-force and --max-torque. */
static int checkOthers(const ksiOptions *options, const ksReport *report)
{
    size_t worse = 0, exceeded = 0, untold = 0;
    if (options->isRawOnly)
        return 0;
    if ((options->baseline && ksiReportCountWorse(report, &worse)) || ksiReportCountLoads(report, &exceeded, &untold))
        return KSI_FAILED;
    return worse + exceeded > 0 ? options->failStatus : untold > 0 ? KSI_UNSEEN : 0;
}

/* A joint that fails is more than one that was not seen. */
int ksiOutcome(const ksiOptions *options, const ksReport *report)
{
    size_t failures = 0;
    const int other = checkOthers(options, report);
    if ((other && other != KSI_UNSEEN) || !options->isLimited || options->isRawOnly)
        return other;
    const ksStatus status = ksReportCheck(report, NULL, &failures);
    if (status && status != KS_ERROR_UNAVAILABLE)
        return KSI_FAILED;
    if (status)
        fputs("kinetostat: no joint was judged: --fail-above fails\n", stderr);
    const bool isAll = isAllSeen(report) && !status;
    return failures > 0 ? options->failStatus : isAll ? other : KSI_UNSEEN;
}
