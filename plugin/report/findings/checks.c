/* checks.c  The checks of a report, apart from the limit of errors, for all documents. */
#include "checks.h"

#include "../document/document.h"
#include "compare.h"
#include "loads.h"

static bool hasBaseline(const ksReport *report)
{
    return report->older != NULL;
}

static bool hasLoads(const ksReport *report)
{
    return report->loadCount > 0;
}

static void sumUpBaseline(const ksiView *view, const size_t count[KSI_OUTCOMES], ksiText *out)
{
    char tolerance[KSI_PERCENT_SIZE];
    ksiTextAdd(out, "Against the baseline: %zu of %zu joints are worse, by more than %s.\n", count[KSI_FAILS],
               count[KSI_PASSES] + count[KSI_FAILS], ksiPercent(tolerance, view->report->tolerance));
}

static void sumUpLoads(const ksiView *view, const size_t count[KSI_OUTCOMES], ksiText *out)
{
    if (view->report->meanLimited > 0)
        ksiTextAdd(out, "Largest loads, in the mean over %g s", view->report->meanLimited);
    else
        ksiTextAdd(out, "Largest physical loads");
    ksiTextAdd(out, ": %zu are beyond their limits, and %zu perhaps, of %zu.\n", count[KSI_FAILS], count[KSI_UNTOLD],
               count[KSI_PASSES] + count[KSI_FAILS] + count[KSI_UNTOLD]);
}

/* type: the type of a failure in JUnit. */
static const struct {
    const char *name, *type;
    bool (*isThere)(const ksReport *report);
    void (*find)(const ksiView *view, ksiCases *cases);
    void (*sumUp)(const ksiView *view, const size_t count[KSI_OUTCOMES], ksiText *out);
} suite[] = {{"baseline", "worse", hasBaseline, ksiCompareReports, sumUpBaseline},
             {"loads", "load", hasLoads, ksiCheckLoads, sumUpLoads}};
enum { SUITES = sizeof suite / sizeof *suite };

/* --- Counts --- */

static bool count(const ksiView *view, int which, size_t out[KSI_OUTCOMES])
{
    ksiCases cases = {.each = NULL};
    if (suite[which].isThere(view->report))
        suite[which].find(view, &cases);
    for (int i = 0; i < KSI_OUTCOMES; i++)
        out[i] = cases.count[i];
    return !cases.isShort;
}

bool ksiCountCases(const ksiView *view, size_t out[KSI_OUTCOMES])
{
    size_t own[KSI_OUTCOMES];
    bool isWhole = true;
    for (int i = 0; i < KSI_OUTCOMES; i++)
        out[i] = 0;
    for (int i = 0; i < SUITES; i++) {
        isWhole &= count(view, i, own);
        for (int k = 0; k < KSI_OUTCOMES; k++)
            out[k] += own[k];
    }
    return isWhole;
}

/* --- Text --- */

static void writeLine(const ksiCase *one, void *user)
{
    if (one->outcome != KSI_PASSES)
        ksiTextAdd(user, "  ! %s, %s: %s\n", one->world, one->joint, one->words);
}

void ksiWriteCases(const ksiView *view, ksiText *out)
{
    for (int i = 0; i < SUITES; i++) {
        size_t sum[KSI_OUTCOMES];
        ksiCases cases = {.each = writeLine, .user = out};
        if (!suite[i].isThere(view->report))
            continue;
        out->isShort |= !count(view, i, sum);
        suite[i].sumUp(view, sum, out);
        suite[i].find(view, &cases);
        out->isShort |= cases.isShort;
    }
}

/* --- JUnit --- */

typedef struct Junit {
    ksiText *out;
    int which;
} Junit;

static void writeTest(const ksiCase *one, void *user)
{
    const Junit *junit = user;
    ksiText *out = junit->out;
    ksiTextAdd(out, "    <testcase classname=\"%s: ", suite[junit->which].name);
    ksiTextAddXml(out, one->world);
    ksiTextAdd(out, "\" name=\"");
    ksiTextAddXml(out, one->joint);
    ksiTextAdd(out, "\" time=\"0\"");
    if (one->outcome == KSI_PASSES) {
        ksiTextAdd(out, "/>\n");
        return;
    }
    ksiTextAdd(out, "><%s type=\"%s\" message=\"", one->outcome == KSI_FAILS ? "failure" : "error",
               suite[junit->which].type);
    ksiTextAddXml(out, one->words);
    ksiTextAdd(out, "\"/></testcase>\n");
}

void ksiWriteCasesJunit(const ksiView *view, ksiText *out)
{
    for (int i = 0; i < SUITES; i++) {
        size_t sum[KSI_OUTCOMES];
        Junit junit = {out, i};
        ksiCases cases = {.each = writeTest, .user = &junit};
        if (!suite[i].isThere(view->report))
            continue;
        out->isShort |= !count(view, i, sum);
        ksiTextAdd(out,
                   "  <testsuite name=\"%s\" tests=\"%zu\" failures=\"%zu\" skipped=\"0\" errors=\"%zu\" time=\"0\">\n",
                   suite[i].name, sum[KSI_PASSES] + sum[KSI_FAILS] + sum[KSI_UNTOLD], sum[KSI_FAILS], sum[KSI_UNTOLD]);
        suite[i].find(view, &cases);
        out->isShort |= cases.isShort;
        ksiTextAdd(out, "  </testsuite>\n");
    }
}

/* --- JSON --- */

typedef struct List {
    json_t *array;
    size_t most;
} List;

static void appendCase(const ksiCase *one, void *user)
{
    const List *list = user;
    if (one->outcome == KSI_PASSES || json_array_size(list->array) >= list->most)
        return;
    json_t *object = json_pack("{s:s, s:s, s:o, s:s}", "world", one->world, "joint", one->joint, "outcome",
                               json_string(one->outcome == KSI_FAILS ? "failure" : "error"), "words", one->words);
    ksiJsonAppend(list->array, object);
}

void ksiJsonPutCases(const ksiView *view, size_t most, json_t *document)
{
    for (int i = 0; i < SUITES; i++) {
        if (!suite[i].isThere(view->report))
            continue;
        json_t *object = json_object();
        List list = {json_array(), most};
        ksiCases cases = {.each = appendCase, .user = &list};
        suite[i].find(view, &cases);
        ksiJsonMiss(cases.isShort);
        if (suite[i].isThere == hasBaseline)
            ksiJsonPut(object, "tolerance", ksiJsonNumber(view->report->tolerance));
        if (view->report->meanLimited > 0)
            ksiJsonPut(object, "mean", ksiJsonNumber(view->report->meanLimited));
        ksiJsonPut(object, "tests",
                   ksiJsonCount(cases.count[KSI_PASSES] + cases.count[KSI_FAILS] + cases.count[KSI_UNTOLD]));
        ksiJsonPut(object, "failures", ksiJsonCount(cases.count[KSI_FAILS]));
        ksiJsonPut(object, "errors", ksiJsonCount(cases.count[KSI_UNTOLD]));
        ksiJsonPut(object, "cases", list.array);
        ksiJsonPut(document, suite[i].name, object);
    }
}
