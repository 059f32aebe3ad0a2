/* print.c  The text report: results of all worlds, advice, and the worst world; or everything. */
#include "print.h"

#include "../findings/advice.h"
#include "../findings/checks.h"
#include "document.h"
#include "proposal.h"
#include "suppressed.h"

#include <math.h>
#include <string.h>

/* Lines of a screen, and of its parts. */
enum { SCREEN_LINES = 34, WORLDS = 8, LEAST_LINES = 8, RUNS = 6, BAD_RUNS = 3 };

/* Remaining lines; SIZE_MAX: no limit. */
static size_t roomFor(const ksiText *out, size_t lines)
{
    size_t written = 0;
    for (size_t i = 0; i < out->length; i++)
        written += out->at[i] == '\n';
    return lines == SIZE_MAX ? SIZE_MAX : lines > written ? lines - written : 0;
}

/* Writes sentences, one per input line, as a list with wrapped lines. */
static void writeList(const ksiText *sentences, ksiText *out)
{
    size_t length;
    out->isShort |= sentences->isShort;
    for (const char *rest = sentences->at, *line; (line = ksiTextLine(&rest, &length)) != NULL;)
        ksiTextAddSentence(out, "  - ", "    ", line, length);
}

/* "  A joint fails ...": all documents use the same words. */
static void writeCriterion(const ksiView *view, ksiText *out)
{
    ksiText words = {.allocator = out->allocator};
    ksiWriteCriterion(view, &words);
    ksiTextAddParagraph(out, &words);
}

/* --- One world --- */

/* world NULL: advice common to all worlds. */
static void writeAdvice(const ksiView *view, const ksiWorldView *world, ksiText *out)
{
    ksiText advice = {.allocator = out->allocator};
    ksiTextAdd(out, "\n  What to do\n");
    if (world)
        ksiWriteAdvice(view, world, &advice);
    else
        ksiWriteCommonAdvice(view, &advice);
    writeList(&advice, out);
    ksiTextFree(&advice);
}

/* lines: lines of the text so far and of the world together. */
static bool writeWorld(const ksiView *view, const ksiWorldView *world, bool hasCriterion, size_t lines, ksiText *out)
{
    ksiPrintHead(world, out);
    if (hasCriterion && world->jointCount > 0)
        writeCriterion(view, out);
    writeAdvice(view, world, out);
    return ksiPrintWorld(view, world, roomFor(out, lines), out);
}

/* --- Several worlds --- */

static void writeSums(const ksiView *view, ksiText *out)
{
    const ksiSums *sums = &view->sums;
    ksiTextAdd(out, "%zu worlds: %llu steps, %llu of them inspected; ", view->worldCount,
               (unsigned long long)sums->seen, (unsigned long long)sums->inspected);
    if (sums->joints == 0)
        ksiTextAdd(out, "no joints.\n");
    else
        ksiTextAdd(out, "%zu of %zu joints were judged; ", sums->judged, sums->joints);
    if (sums->failed > 0)
        ksiTextAdd(out, "%zu fail (!), in %zu world%s.\n", sums->failed, sums->failedWorlds,
                   sums->failedWorlds == 1 ? "" : "s");
    else if (sums->joints > 0)
        ksiTextAdd(out, "none fails.\n");
    if (sums->untold > 0)
        ksiTextAdd(out, "The result of %zu is unknown (?).\n", sums->untold);
    if (sums->joints > 0)
        writeCriterion(view, out);
}

static void writeWorlds(const ksiView *view, size_t most, ksiText *out)
{
    char error[KSI_PERCENT_SIZE];
    ksiTextAdd(out, "\n    %-24s %9s %7s %7s | error of the worst joint\n", "world", "steps", "joints", "fail");
    for (size_t i = 0; i < view->worldCount && i < most; i++) {
        const ksiWorldView *world = view->worstFirst[i];
        ksiTextAdd(out, "  %c ", ksiMarkOf(world->failedCount > 0, world->untoldCount > 0));
        ksiTextAddColumn(out, world->name, 24);
        ksiTextAdd(out, " %9llu %7zu %7zu | %s, %s\n", (unsigned long long)world->stats->inspected, world->jointCount,
                   world->failedCount, ksiPercent(error, world->error),
                   world->jointCount > 0 ? world->worstFirst[0]->name : "net force on bodies in contact");
    }
    if (view->worldCount > most)
        ksiTextAdd(out, "    and %zu more world%s, none of them worse.\n", view->worldCount - most,
                   view->worldCount - most > 1 ? "s" : "");
}

/* Returns true if something was omitted. */
static bool writeAll(const ksiView *view, size_t lines, ksiText *out)
{
    const bool isAll = lines == SIZE_MAX;
    writeSums(view, out);
    writeAdvice(view, NULL, out);
    // on a screen the table of runs is enough
    if (isAll || view->runCount < 2)
        writeWorlds(view, isAll ? SIZE_MAX : WORLDS, out);
    for (size_t i = 0; isAll && i < view->worldCount; i++) {
        ksiTextAdd(out, "\n");
        writeWorld(view, view->worstFirst[i], false, SIZE_MAX, out);
    }
    if (isAll || roomFor(out, lines) < LEAST_LINES)
        return !isAll;
    ksiTextAdd(out, "\nThe worst: ");
    ksiPrintHead(view->worstFirst[0], out);
    ksiPrintWorld(view, view->worstFirst[0], roomFor(out, lines), out);
    return true;
}

/* --- The run --- */

static void writeNote(const char *note, void *user)
{
    ksiTextAdd(user, "! %s\n", note);
}

/* Writes the command and its end, then a line for each problem. */
static void writeRun(const ksiRun *run, ksiText *out)
{
    const bool isWhole = ksiRunEndsWell(run);
    ksiRunWriteCall(run, out);
    ksiTextAdd(out, "\n%s", isWhole ? "  " : "! ");
    ksiRunWriteEnd(run, out);
    ksiTextAdd(out, "%s\n", isWhole ? "" : ".");
    ksiRunEachNote(run, writeNote, out);
    for (const char *at = NULL; (at = ksiRunNextParameter(run, at)) != NULL;)
        ksiTextAdd(out, "%s%s", at == run->parameters ? "  With " : ", ", at);
    if (run->parameters[0])
        ksiTextAdd(out, ".\n");
    if (!ksiRunIsOfHost(run)) {
        ksiTextAdd(out, "  Started %s; ", run->begun);
        if (run->engine[0])
            ksiTextAdd(out, "engine %s; ", run->engine);
        ksiTextAdd(out, "Kinetostat %s.\n", PACKAGE_VERSION);
    }
    ksiTextAdd(out, "\n");
}

/* Writes the runs with problems, and a table of several runs. */
static void writeRuns(const ksiView *view, bool isAll, ksiText *out)
{
    for (size_t i = 0; i < view->runCount && (isAll || i < BAD_RUNS); i++) {
        const ksiRunView *run = view->badRunsFirst[i];
        if (isAll || view->runCount == 1 || !ksiRunIsSeen(run))
            writeRun(run->run, out);
    }
    if (view->runCount > 1)
        ksiPrintRuns(view, isAll ? SIZE_MAX : RUNS, out);
}

static void writeSuppressed(const ksiView *view, ksiText *out)
{
    ksiText words = {.allocator = out->allocator};
    ksiWriteSuppressed(view, &words);
    ksiTextAdd(out, "%s", words.at ? "\n" : "");
    ksiTextAddParagraph(out, &words);
}

void ksiWriteText(const ksiView *view, bool isAll, ksiText *out)
{
    const size_t lines = isAll ? SIZE_MAX : SCREEN_LINES;
    bool isLeftOut = false;
    ksiWriteCases(view, out);
    if (view->report->isComparisonAlone)
        return;
    if (view->report->older || view->report->loadCount > 0)
        ksiTextAdd(out, "\n");
    writeRuns(view, isAll, out);
    if (view->worldCount == 0)
        ksiTextAdd(out, "No world was stepped.\n");
    else if (view->worldCount == 1)
        isLeftOut = writeWorld(view, &view->world[0], true, lines, out);
    else
        isLeftOut = writeAll(view, lines, out);
    writeSuppressed(view, out);
    ksiWriteProposal(view, out);
    if (isLeftOut)
        ksiTextAdd(out, "\n  Everything: %s.\n", view->report->isOfCommand ? "--all" : "KS_REPORT_TEXT_ALL");
}
