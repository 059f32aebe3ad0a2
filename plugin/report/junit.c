/* junit.c  A report as JUnit XML: a suite for each world, a case for each joint. Names are clean, and escaped here. */
#include "document.h"

#include "advice.h"
#include "checks.h"

#include <math.h>

static const char *comparedWith(const ksReportLimit *limit)
{
    return limit->value == KS_PHYSICAL ? "physical" : "converged";
}

static void writeCase(const ksiView *view, const ksiWorldView *world, const ksiJointView *joint, ksiText *out)
{
    char judged[KSI_PERCENT_SIZE], largest[KSI_PERCENT_SIZE], above[KSI_PERCENT_SIZE];
    const ksReportLimit *limit = view->limit;
    const ksiMoment *worst = &joint->stats->worst[ksiErrorOf(limit)];
    ksiTextAdd(out, "    <testcase classname=\"");
    ksiTextAddXml(out, world->name);
    ksiTextAdd(out, "\" name=\"");
    ksiTextAddXml(out, joint->name);
    if (joint->isJudged && !joint->isFailed) {
        ksiTextAdd(out, "\"/>\n");
        return;
    }
    if (!joint->isJudged) {
        ksiTextAdd(out, "\">\n      <skipped message=\"not judged: no force was compared, or it is below the floor, or "
                        "not meant\"/>\n");
    } else {
        ksiTextAdd(out, "\">\n      <failure type=\"error\" message=\"in ");
        if (limit->percentile < 100)
            ksiTextAdd(out, "%g %% of its steps", 100 - limit->percentile);
        else
            ksiTextAdd(out, "one of its steps");
        ksiTextAdd(out, " the engine&apos;s force is off by ");
        ksiTextAddXml(out, ksiPercent(judged, joint->judged));
        ksiTextAdd(out, " or more, limit ");
        ksiTextAddXml(out, ksiPercent(above, limit->above));
        ksiTextAdd(out, "\">against the %s force; largest ", comparedWith(limit));
        ksiTextAddXml(out, ksiPercent(largest, worst->value));
        ksiTextAdd(out, " in step %llu, at %g s</failure>\n", (unsigned long long)worst->step, worst->time);
    }
    ksiTextAdd(out, "    </testcase>\n");
}

static void writeProperty(const char *name, const char *clean, ksiText *out)
{
    ksiTextAdd(out, "      <property name=\"%s\" value=\"", name);
    ksiTextAddXml(out, clean);
    ksiTextAdd(out, "\"/>\n");
}

static void writeError(const char *type, const char *clean, ksiText *out)
{
    ksiTextAdd(out, "    <testcase classname=\"run\" name=\"%s\">\n      <error type=\"%s\" message=\"", type, type);
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

/* A program that did not end well, or that nobody has seen, is an error, whatever its joints were like. */
static void countRun(const ksiRun *run, size_t *tests, size_t *errors)
{
    size_t notes = 0;
    ksiRunEachNote(run, countNote, &notes);
    *tests = 1 + notes;
    *errors = notes + !ksiRunEndsWell(run);
}

/* hasFile: it is one of several */
static void writeRun(const ksiRun *run, bool hasFile, ksiText *out)
{
    ksiText call = {.allocator = out->allocator}, end = {.allocator = out->allocator};
    size_t tests, errors;
    countRun(run, &tests, &errors);
    ksiRunWriteCall(run, &call);
    ksiRunWriteEnd(run, &end);
    out->isShort |= call.isShort || end.isShort || !call.at || !end.at;
    if (call.at && end.at) {
        // of a recording that anyone may have made
        const bool isDate = strspn(run->begun, "0123456789-T:") == 19;
        ksiTextAdd(out, "  <testsuite name=\"run");
        ksiTextAdd(out, "%s", hasFile ? ": " : "");
        ksiTextAddXml(out, hasFile ? run->file : "");
        ksiTextAdd(out, "\"");
        if (isDate)
            ksiTextAdd(out, " timestamp=\"%.19s\"", run->begun);
        ksiTextAdd(out, " tests=\"%zu\" failures=\"0\" skipped=\"0\" errors=\"%zu\">\n", tests, errors);
        ksiTextAdd(out, "    <properties>\n");
        writeProperty("command", call.at, out);
        writeProperty("engine", run->engine, out);
        writeProperty("end", end.at, out);
        writeProperty("kinetostat", PACKAGE_VERSION, out);
        for (const char *at = NULL; (at = ksiRunNextParameter(run, at)) != NULL;)
            writeProperty("parameter", at, out);
        ksiTextAdd(out, "    </properties>\n");
        if (ksiRunEndsWell(run))
            ksiTextAdd(out, "    <testcase classname=\"run\" name=\"end\"/>\n");
        else
            writeError(ksiRunErrorType(run), end.at, out);
        ksiRunEachNote(run, writeNote, out);
        ksiTextAdd(out, "  </testsuite>\n");
    }
    ksiTextFree(&call);
    ksiTextFree(&end);
}

void ksiWriteJunit(const ksiView *view, ksiText *out)
{
    const ksiSums *sums = &view->sums;
    size_t tests = sums->joints, errors = 0;
    for (size_t i = 0; i < view->report->runCount; i++) {
        size_t own, bad;
        countRun(&view->report->run[i], &own, &bad);
        tests += own;
        errors += bad;
    }
    size_t cases[KSI_OUTCOMES];
    out->isShort |= !ksiCountCases(view, cases);
    tests += cases[KSI_PASSES] + cases[KSI_FAILS] + cases[KSI_UNTOLD];
    errors += cases[KSI_UNTOLD];
    ksiTextAdd(out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
    ksiTextAdd(out, "<testsuites name=\"kinetostat\" tests=\"%zu\" failures=\"%zu\" skipped=\"%zu\" errors=\"%zu\">\n",
               tests, sums->failed + cases[KSI_FAILS], sums->joints - sums->judged, errors);
    for (size_t i = 0; i < view->report->runCount; i++)
        writeRun(&view->report->run[i], view->runCount > 1, out);
    for (size_t i = 0; i < view->worldCount; i++) {
        const ksiWorldView *world = &view->world[i];
        ksiTextAdd(out, "  <testsuite name=\"");
        ksiTextAddXml(out, world->name);
        ksiTextAdd(out, "\" tests=\"%zu\" failures=\"%zu\" skipped=\"%zu\" errors=\"0\">\n", world->jointCount,
                   world->failedCount, world->jointCount - world->judgedCount);
        for (size_t j = 0; j < world->jointCount; j++)
            writeCase(view, world, &world->joint[j], out);
        ksiTextAdd(out, "    <system-out>");
        ksiText advice = {.allocator = out->allocator};
        ksiWriteAdvice(view, world, &advice);
        out->isShort |= advice.isShort;
        if (advice.at)
            ksiTextAddXml(out, advice.at);
        ksiTextFree(&advice);
        ksiTextAdd(out, "</system-out>\n  </testsuite>\n");
    }
    ksiWriteCasesJunit(view, out);
    ksiTextAdd(out, "</testsuites>\n");
}
