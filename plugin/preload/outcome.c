/* outcome.c  What makes a report a test: the status to exit with. */
#include "outcome.h"

#include "worker.h"

#include "../base/memory.h"
#include "../report/checks.h"
#include "../report/checksum.h"
#include "../report/name_list.h"
#include "../report/stats.h"

#include <string.h>

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

static bool isJoint(const char *name, void *user)
{
    return ksiMapFind(user, ksiChecksumText(0, name, strlen(name)), 0) != NULL;
}

/* A number that no joint has is a slip, which nothing else would tell. */
static void tellUnusedNames(const ksiOptions *options, const ksReport *report)
{
    ksiMap known = {.slot = NULL};
    const char *first = NULL;
    bool isAll = options->names && options->judge.names && report->worldCount > 0;
    for (size_t i = 0; isAll && i < report->worldCount; i++) {
        const ksiWorldStats *world = report->world[i];
        for (size_t j = 0; isAll && j < world->jointCount; j++) {
            const char *name = world->joint[j]->given;
            isAll = !name || ksiMapPut(&ksiLibraryAllocator, &known, ksiChecksumText(0, name, strlen(name)), 0, 1);
        }
    }
    const size_t count = isAll ? ksiNameListUnused(options->judge.names, isJoint, &known, &first) : 0;
    if (count > 0)
        fprintf(stderr, "kinetostat: --names %s: no joint of the report is called \"%s\"", options->names, first);
    if (count > 1)
        fprintf(stderr, ", nor by %zu other name%s", count - 1, count > 2 ? "s" : "");
    if (count > 0)
        fputs("\n", stderr);
    ksiMapFree(&ksiLibraryAllocator, &known);
}

int ksiOutcome(const ksiOptions *options, const ksReport *report)
{
    size_t failures = 0, count[KSI_OUTCOMES];
    tellUnusedNames(options, report);
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
