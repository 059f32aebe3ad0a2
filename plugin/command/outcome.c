/* outcome.c  Exit status of a report. */
#include "outcome.h"

#include "files/worker.h"

#include "../base/memory.h"
#include "../report/files/checksum.h"
#include "../report/files/name_list.h"
#include "../report/findings/checks.h"
#include "../report/findings/view.h"

#include <string.h>

static const char *whyNotSeen(const ksiRunView *view)
{
    const ksiRun *run = view->run;
    return run->unseen + run->lost + ksiRunMissing(run) > 0 ? "not all that was started was inspected as a whole"
           : !ksiRunIsGood(run) && !run->isOver             ? "the recording ends before the run does"
           : run->notFinite.body                            ? "a body is not finite"
           : !ksiRunIsGood(run)                             ? "it did not end well"
                                                            : "no step was inspected";
}

/* The test of the limits can pass only if the whole run was inspected. */
static bool isAllSeen(const ksiView *view)
{
    bool isAll = true;
    for (size_t i = 0; i < view->runCount; i++) {
        const ksiRunView *run = &view->run[i];
        if (ksiRunIsSeen(run))
            continue;
        isAll = false;
        fprintf(stderr, "kinetostat: %s: %s: the test fails\n", view->runCount > 1 ? run->run->file : run->run->program,
                whyNotSeen(run));
    }
    return isAll;
}

/* Is each joint's error known to be above or below the limit? */
static bool isAllKnown(const ksiView *view)
{
    ksiText words = {.allocator = &ksiLibraryAllocator};
    ksiWriteFirstUntold(view, &words);
    if (words.at)
        fprintf(stderr, "kinetostat: %s: --fail-above fails\n", words.at);
    const bool isKnown = !words.at && !words.isShort;
    ksiTextFree(&words);
    return isKnown;
}

static bool isJoint(const char *name, void *user)
{
    return ksiMapFind(user, ksiChecksumText(0, name, strlen(name)), 0) != NULL;
}

/* A name without a joint is probably a typing error, and would go unnoticed. */
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
    ksiView view;
    if (!ksiViewMake(report, NULL, &view))
        return KSI_FAILED;
    const bool isCounted = ksiCountCases(&view, count);
    const bool isKnown = !options->isLimited || isAllKnown(&view);
    const bool isAll = isAllSeen(&view) && isKnown;
    failures = options->isLimited ? view.sums.failed : 0;
    ksiViewFree(&view);
    return !isCounted                        ? KSI_FAILED
           : failures + count[KSI_FAILS] > 0 ? options->failStatus
           : isAll && count[KSI_UNTOLD] == 0 ? 0
                                             : KSI_UNSEEN;
}
