/* junit.c  A report as JUnit XML: a suite for each world, a case for each joint. Names have been
 * cleaned (ksiClean); this file escapes them for XML. */
#include "document.h"

#include "../findings/advice.h"
#include "../findings/checks.h"
#include "causes_text.h"

#include <math.h>

typedef struct Tests {
    size_t tests, failures, skipped, errors;
} Tests;

static void writeCounts(Tests tests, double time, ksiText *out)
{
    ksiTextAdd(out, " tests=\"%zu\" failures=\"%zu\" skipped=\"%zu\" errors=\"%zu\" time=\"%.6g\">\n", tests.tests,
               tests.failures, tests.skipped, tests.errors, time);
}

/* The world's time under inspection, s. It does not depend on the speed of the judge. */
static double timeOf(const ksiWorldView *world)
{
    return world->stats->inspected > 0 ? world->stats->lastTime - world->stats->firstTime : 0;
}

static void beginCase(const ksiWorldView *world, const char *name, ksiText *out)
{
    ksiTextAdd(out, "    <testcase classname=\"");
    ksiTextAddXml(out, world->name);
    ksiTextAdd(out, "\" name=\"");
    ksiTextAddXml(out, name);
    ksiTextAdd(out, "\" time=\"%.6g\"", timeOf(world));
}

static void writeTorn(const ksiView *view, const ksiWorldView *world, const ksiJointView *joint, ksiText *out)
{
    ksiTextAdd(out, ">\n      <failure type=\"torn\" message=\"comes apart ");
    ksiWriteOpening(&joint->stats->opening, out);
    ksiTextAdd(out, "\">cause: %s</failure>\n    </testcase>\n",
               ksiTearName[ksiTearOf(view, world->stats, joint->stats)]);
}

static void writeFailure(const ksiView *view, const ksiJointView *joint, ksiText *out)
{
    char judged[KSI_PERCENT_SIZE], largest[KSI_PERCENT_SIZE], above[KSI_PERCENT_SIZE];
    const ksReportLimit *limit = view->limit;
    const int which = ksiErrorOf(limit);
    const ksiErrorStats *error = &joint->stats->error[which];
    ksiTextAdd(out, ">\n      <failure type=\"error\" message=\"in ");
    if (limit->percentile < 100)
        ksiTextAdd(out, "%g %% of its steps", 100 - limit->percentile);
    else
        ksiTextAdd(out, "one of its steps");
    ksiTextAdd(out, " the engine&apos;s force is off by ");
    ksiTextAddXml(out, ksiPercent(judged, joint->judged));
    ksiTextAdd(out, " or more, limit ");
    ksiTextAddXml(out, ksiPercent(above, limit->above));
    ksiTextAdd(out, "\">against the %s force%s; largest ", ksiReferenceOf(limit),
               which == KSI_MODEL ? ", beyond its bar" : "");
    ksiTextAddXml(out, ksiPercent(largest, ksiQuantile(&error->size, 100)));
    ksiTextAdd(out, "; worst in step %llu, at %g s</failure>\n    </testcase>\n", (unsigned long long)error->worst.step,
               error->worst.time);
}

static void writeNotKnown(const char *clean, ksiText *out)
{
    ksiTextAdd(out, ">\n      <error type=\"not known\" message=\"");
    ksiTextAddXml(out, clean);
    ksiTextAdd(out, "\"/>\n    </testcase>\n");
}

/* joint NULL: the world as a whole. */
static void writeUntold(const ksiView *view, const ksiWorldView *world, const ksiJointView *joint, ksiText *out)
{
    ksiText words = {.allocator = out->allocator};
    ksiWriteUntold(view, world, joint, &words);
    writeNotKnown(words.at ? words.at : "", out);
    ksiTextDrop(out, &words);
}

static void writeCase(const ksiView *view, const ksiWorldView *world, const ksiJointView *joint, ksiText *out)
{
    beginCase(world, joint->name, out);
    if (joint->isTorn)
        writeTorn(view, world, joint, out);
    else if (joint->isFailed)
        writeFailure(view, joint, out);
    else if (joint->isUntold)
        writeUntold(view, world, joint, out);
    else if (joint->isJudged)
        ksiTextAdd(out, "/>\n");
    else
        ksiTextAdd(out, ">\n      <skipped message=\"not judged: no force was compared, it is below the floor, or it "
                        "was not selected\"/>\n    </testcase>\n");
}

static void writeProperty(const char *name, const char *clean, ksiText *out)
{
    ksiTextAdd(out, "      <property name=\"%s\" value=\"", name);
    ksiTextAddXml(out, clean);
    ksiTextAdd(out, "\"/>\n");
}

static void writeError(const char *type, const char *clean, ksiText *out)
{
    ksiTextAdd(out, "    <testcase classname=\"run\" name=\"%s\" time=\"0\">\n      <error type=\"%s\" message=\"",
               type, type);
    ksiTextAddXml(out, clean);
    ksiTextAdd(out, "\"/>\n    </testcase>\n");
}

static void writeNote(const char *note, void *user)
{
    writeError("not inspected", note, user);
}

static void countNote(const char *note, void *user)
{
    size_t *count = user;
    (void)note;
    (*count)++;
}

static size_t notesOf(const ksiRun *run)
{
    size_t notes = 0;
    ksiRunEachNote(run, countNote, &notes);
    return notes;
}

/* Was no step of the run inspected, without a note that says why? */
static bool isUnseen(const ksiRunView *run)
{
    return run->sums.inspected == 0 && notesOf(run->run) == 0;
}

/* A program that failed or was not inspected is an error, whatever its joints do. */
static Tests testsOfRun(const ksiRunView *run)
{
    const size_t notes = notesOf(run->run) + isUnseen(run);
    return (Tests){.tests = 1 + notes, .errors = notes + !ksiRunEndsWell(run->run)};
}

/* hasFile: the run is one of several, and its suite has the name of its file. */
static void writeRun(const ksiRunView *view, bool hasFile, ksiText *out)
{
    const ksiRun *run = view->run;
    ksiText call = {.allocator = out->allocator}, end = {.allocator = out->allocator};
    ksiRunWriteCall(run, &call);
    ksiRunWriteEnd(run, &end);
    out->isShort |= call.isShort || end.isShort || !call.at || !end.at;
    if (call.at && end.at) {
        // a recording may come from anyone
        const bool isDate = strspn(run->begun, "0123456789-T:") == 19;
        ksiTextAdd(out, "  <testsuite name=\"run");
        ksiTextAdd(out, "%s", hasFile ? ": " : "");
        ksiTextAddXml(out, hasFile ? run->file : "");
        ksiTextAdd(out, "\"");
        if (isDate)
            ksiTextAdd(out, " timestamp=\"%.19s\"", run->begun);
        writeCounts(testsOfRun(view), 0, out);
        ksiTextAdd(out, "    <properties>\n");
        writeProperty("command", call.at, out);
        writeProperty("engine", run->engine, out);
        writeProperty("end", end.at, out);
        writeProperty("kinetostat", PACKAGE_VERSION, out);
        for (const char *at = NULL; (at = ksiRunNextParameter(run, at)) != NULL;)
            writeProperty("parameter", at, out);
        ksiTextAdd(out, "    </properties>\n");
        if (ksiRunEndsWell(run))
            ksiTextAdd(out, "    <testcase classname=\"run\" name=\"end\" time=\"0\"/>\n");
        else
            writeError(ksiRunErrorType(run), end.at, out);
        ksiRunEachNote(run, writeNote, out);
        if (isUnseen(view))
            writeNote("no step was inspected", out);
        ksiTextAdd(out, "  </testsuite>\n");
    }
    ksiTextFree(&call);
    ksiTextFree(&end);
}

/* Counts the tests of a world; none if the limit of errors fails no test. */
static Tests testsOf(const ksiView *view, const ksiWorldView *world)
{
    Tests out = {world->jointCount + ksiIsWorldUntold(world->stats), world->failedCount, 0, world->untoldCount};
    for (size_t i = 0; i < world->jointCount; i++)
        out.skipped += !world->joint[i].isJudged && !world->joint[i].isUntold;
    return view->report->isUnguarded ? (Tests){0, 0, 0, 0} : out;
}

static void addTests(Tests own, Tests *sum)
{
    sum->tests += own.tests;
    sum->failures += own.failures;
    sum->skipped += own.skipped;
    sum->errors += own.errors;
}

static void writeWorld(const ksiView *view, const ksiWorldView *world, ksiText *out)
{
    ksiTextAdd(out, "  <testsuite name=\"");
    ksiTextAddXml(out, world->name);
    ksiTextAdd(out, "\"");
    writeCounts(testsOf(view, world), timeOf(world), out);
    if (!view->report->isUnguarded && ksiIsWorldUntold(world->stats)) {
        beginCase(world, "all joints", out);
        writeUntold(view, world, NULL, out);
    }
    for (size_t j = 0; j < world->jointCount && !view->report->isUnguarded; j++)
        writeCase(view, world, &world->joint[j], out);
    ksiTextAdd(out, "    <system-out>");
    ksiText advice = {.allocator = out->allocator};
    ksiWriteAdvice(view, world, &advice);
    if (advice.at)
        ksiTextAddXml(out, advice.at);
    ksiTextDrop(out, &advice);
    ksiTextAdd(out, "</system-out>\n  </testsuite>\n");
}

/* Tests over all worlds: one error if no joint was judged; none if the limit of errors fails no
 * test. */
static Tests testsOfAll(const ksiView *view)
{
    const bool isEmpty = !view->report->isUnguarded && ksiIsNothingJudged(view);
    return (Tests){.tests = isEmpty, .errors = isEmpty};
}

static void writeAll(const ksiView *view, double time, ksiText *out)
{
    const Tests tests = testsOfAll(view);
    ksiText words = {.allocator = out->allocator};
    if (tests.errors == 0)
        return;
    ksiWriteFirstUntold(view, &words);
    ksiTextAdd(out, "  <testsuite name=\"all worlds\"");
    writeCounts(tests, time, out);
    ksiTextAdd(out, "    <testcase classname=\"all worlds\" name=\"all joints\" time=\"%.6g\"", time);
    writeNotKnown(words.at ? words.at : "", out);
    ksiTextAdd(out, "  </testsuite>\n");
    ksiTextDrop(out, &words);
}

void ksiWriteJunit(const ksiView *view, ksiText *out)
{
    Tests sum = testsOfAll(view);
    double time = 0;
    size_t cases[KSI_OUTCOMES];
    for (size_t i = 0; i < view->runCount; i++)
        addTests(testsOfRun(&view->run[i]), &sum);
    for (size_t i = 0; i < view->worldCount; i++) {
        addTests(testsOf(view, &view->world[i]), &sum);
        time += timeOf(&view->world[i]);
    }
    out->isShort |= !ksiCountCases(view, cases);
    addTests((Tests){cases[KSI_PASSES] + cases[KSI_FAILS] + cases[KSI_UNTOLD], cases[KSI_FAILS], 0, cases[KSI_UNTOLD]},
             &sum);
    ksiTextAdd(out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"kinetostat\"");
    writeCounts(sum, time, out);
    for (size_t i = 0; i < view->runCount; i++)
        writeRun(&view->run[i], view->runCount > 1, out);
    for (size_t i = 0; i < view->worldCount; i++)
        writeWorld(view, &view->world[i], out);
    writeAll(view, time, out);
    ksiWriteCasesJunit(view, out);
    ksiTextAdd(out, "</testsuites>\n");
}
