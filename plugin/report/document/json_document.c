/* json_document.c  The top level of a report as a JSON document. */
#include "json.h"

#include "../findings/advice.h"
#include "../findings/checks.h"
#include "proposal.h"
#include "suppressed.h"

enum { MOST_CASES = 100 }; /* the largest number of cases of each check in a page */

static json_t *units(void)
{
    static const char *const unit[][2] = {
        {"time", "s"},
        {"force", "N"},
        {"torque", "N.m"},
        {"error", "relative: the size of the difference over the size of the larger value"},
        {"cfm", "s/kg or s/(kg.m^2)"}};
    json_t *object = json_object();
    for (size_t i = 0; i < sizeof unit / sizeof *unit; i++)
        ksiJsonPut(object, unit[i][0], json_string(unit[i][1]));
    return object;
}

static json_t *criterion(const ksiView *view)
{
    ksiText text = {.allocator = &view->report->allocator};
    ksiWriteCriterion(view, &text);
    return ksiJsonText(&text);
}

static json_t *limitToJson(const ksiView *view)
{
    const ksReportLimit *limit = view->limit;
    json_t *object = json_object();
    char *clean = limit->joints ? ksiClean(&view->report->allocator, limit->joints) : NULL;
    ksiJsonPut(object, "above", ksiJsonNumber(limit->above));
    ksiJsonPut(object, "percentile", ksiJsonNumber(limit->percentile));
    ksiJsonPut(object, "value", json_string(ksiReferenceOf(limit)));
    ksiJsonPut(object, "joints", clean ? json_string(clean) : json_null());
    ksiJsonPut(object, "floor", ksiJsonNumber(limit->floor));
    ksiJsonPut(object, "words", criterion(view));
    ksiFree(&view->report->allocator, clean);
    return object;
}

/* Sums over all worlds, and the names of the worlds, worst first. */
static json_t *summary(const ksiView *view)
{
    const ksiSums *sums = &view->sums;
    json_t *object = json_object(), *order = json_array();
    for (size_t i = 0; i < view->worldCount; i++)
        ksiJsonAppend(order, json_string(view->worstFirst[i]->name));
    if (view->runCount > 1)
        ksiJsonPut(object, "runs", ksiJsonCount(view->runCount));
    ksiJsonPut(object, "worlds", ksiJsonCount(view->worldCount));
    ksiJsonPut(object, "steps", ksiJsonCount(sums->seen));
    ksiJsonPutSums(sums, object);
    ksiJsonPut(object, "failedWorlds", ksiJsonCount(sums->failedWorlds));
    ksiJsonPut(object, "worstFirst", order);
    ksiJsonPut(object, "advice", ksiJsonSentences(view, NULL));
    return object;
}

json_t *ksiJsonDocument(const ksiView *view, json_t *worlds, size_t roomOfRuns)
{
    json_t *document = json_object();
    ksiJsonPut(document, "schema", json_string("kinetostat-report"));
    ksiJsonPut(document, "version", json_integer(2));
    ksiJsonPut(document, "kinetostat", json_string(PACKAGE_VERSION));
    ksiJsonPut(document, "runs", ksiJsonRuns(view, roomOfRuns));
    ksiJsonPut(document, "units", units());
    ksiJsonPut(document, "limit", limitToJson(view));
    ksiJsonPut(document, "summary", summary(view));
    const bool isPage = roomOfRuns != SIZE_MAX;
    ksiJsonPutCases(view, isPage ? MOST_CASES : SIZE_MAX, document);
    if (!isPage)
        ksiJsonPutProposal(view, document);
    if (view->report->suppressions)
        ksiJsonPut(document, "suppressed", ksiJsonSuppressed(view));
    if (view->runCount > 1)
        ksiJsonPut(document, "pooled", ksiJsonPooled(view, roomOfRuns));
    ksiJsonPut(document, "worlds", worlds);
    return document;
}

json_t *ksiReportToJson(const ksiView *view)
{
    ksiJsonBegin();
    json_t *worlds = json_array();
    for (size_t i = 0; i < view->worldCount; i++) {
        const ksiWorldView *world = &view->world[i];
        json_t *object = ksiJsonWorld(view, world, true), *joints = json_array();
        for (size_t j = 0; j < world->jointCount; j++)
            ksiJsonAppend(joints, ksiJsonJoint(view, world, &world->joint[j], true));
        ksiJsonPut(object, "joints", joints);
        ksiJsonAppend(worlds, object);
    }
    json_t *document = ksiJsonDocument(view, worlds, SIZE_MAX);
    if (ksiJsonEnd())
        return document;
    json_decref(document);
    return NULL;
}
