/* json.c  A report as a JSON document. The order of calls determines the order of keys. */
#include "json.h"

#include "../findings/advice.h"
#include "causes_text.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static const char *const stepperName[KSI_STEPPERS] = {"dWorldStep", "dWorldQuickStep", "ksInspectorExactStep",
                                                      "another engine"};

static json_t *rangeEnd(const ksiRange *range, bool isLargest)
{
    char digits[32];
    if (!range->isKnown)
        return json_null();
    // precise enough for a picture
    snprintf(digits, sizeof digits, "%.5g", (double)(isLargest ? range->largest : range->least));
    return ksiJsonNumber(strtod(digits, NULL));
}

static const ksiJointBucket *bucketOf(const ksiTimeline *timeline, size_t index)
{
    return (const ksiJointBucket *)(const void *)timeline->bucket + index;
}

/* The range at this offset in each bucket. */
static json_t *series(const ksiTimeline *timeline, size_t offset)
{
    json_t *object = json_object(), *least = json_array(), *largest = json_array();
    for (size_t i = 0; i < timeline->count; i++) {
        const ksiRange *range = (const void *)((const char *)bucketOf(timeline, i) + offset);
        ksiJsonAppend(least, rangeEnd(range, false));
        ksiJsonAppend(largest, rangeEnd(range, true));
    }
    ksiJsonPut(object, "least", least);
    ksiJsonPut(object, "largest", largest);
    return object;
}

static json_t *emptyTimeline(const ksiTimeline *timeline)
{
    return json_pack("{s:o, s:o}", "firstStep", ksiJsonCount(timeline->first << timeline->k), "stepsPerBucket",
                     ksiJsonCount((uint64_t)1 << timeline->k));
}

static json_t *jointTimeline(const ksiTimeline *timeline)
{
    static const char *const barName[KSI_SIZES] = {"forceBar", "torqueBar"};
    json_t *object = emptyTimeline(timeline), *count = json_array();
    for (size_t i = 0; i < timeline->count; i++)
        ksiJsonAppend(count, ksiJsonCount(bucketOf(timeline, i)->count));
    ksiJsonPut(object, "steps", count);
    for (int i = 0; i < KSI_VALUES; i++) {
        json_t *value = json_object();
        for (int size = 0; size < KSI_SIZES; size++)
            ksiJsonPut(value, ksiQuantities[size].name, series(timeline, offsetof(ksiJointBucket, size[size][i])));
        for (int size = 0; size < KSI_SIZES && i != KS_ENGINE; size++)
            ksiJsonPut(value, barName[size], series(timeline, offsetof(ksiJointBucket, bar[size][i])));
        ksiJsonPut(object, ksiLoadName[i], value);
    }
    const size_t errors = offsetof(ksiJointBucket, error);
    ksiJsonPut(object, "error", series(timeline, errors + KSI_SOLVER * sizeof(ksiRange)));
    ksiJsonPut(object, "physicalError", series(timeline, errors + KSI_MODEL * sizeof(ksiRange)));
    return object;
}

static json_t *worldTimeline(const ksiTimeline *timeline)
{
    json_t *object = emptyTimeline(timeline), *steps = json_array(), *begin = json_array(), *verdict = json_object();
    const ksiWorldBucket *bucket = (const void *)timeline->bucket;
    for (size_t i = 0; i < timeline->count; i++)
        ksiJsonAppend(steps, ksiJsonCount(bucket[i].steps));
    for (size_t i = 0; i < timeline->count; i++)
        ksiJsonAppend(begin, bucket[i].steps > 0 ? ksiJsonNumber(bucket[i].begin) : json_null());
    ksiJsonPut(object, "steps", steps);
    ksiJsonPut(object, "begin", begin);
    for (int v = 0; v < KSI_VERDICTS; v++) {
        json_t *count = json_array();
        for (size_t i = 0; i < timeline->count; i++)
            ksiJsonAppend(count, ksiJsonCount(bucket[i].verdict[v]));
        ksiJsonPut(verdict, ksVerdictName((ksVerdict)v), count);
    }
    ksiJsonPut(object, "verdicts", verdict);
    return object;
}

/* Why the joint does not pass although its error is within the limit. */
static json_t *untold(const ksiView *view, const ksiWorldView *world, const ksiJointView *joint)
{
    ksiText words = {.allocator = &view->report->allocator};
    ksiWriteUntold(view, world, joint, &words);
    return ksiJsonText(&words);
}

static json_t *tears(const ksiView *view, const ksiWorldView *world)
{
    json_t *array = json_array();
    for (size_t i = 0; i < world->jointCount; i++) {
        const ksiOpening *opening = &world->joint[i].stats->opening;
        if (!opening->isKnown)
            continue;
        json_t *tear = json_object();
        ksiJsonPut(tear, "joint", json_string(world->joint[i].name));
        ksiJsonPut(tear, "step", ksiJsonCount(opening->step));
        ksiJsonPut(tear, "time", ksiJsonNumber(opening->time));
        ksiJsonPut(tear, "linear", ksiJsonNumber(opening->gap[KSI_APART]));
        ksiJsonPut(tear, "angular", ksiJsonNumber(opening->gap[KSI_TURNED]));
        ksiJsonPut(tear, "size", ksiJsonNumber(opening->size));
        ksiJsonPut(tear, "fudgeWork", ksiJsonNumber(opening->fudgeWork));
        ksiJsonPut(tear, "error", ksiJsonNumber(opening->error));
        ksiJsonPut(tear, "cause", json_string(ksiTearName[ksiTearOf(view, world->stats, world->joint[i].stats)]));
        ksiJsonAppend(array, tear);
    }
    return array;
}

static json_t *energyToJson(const ksiWorldStats *world)
{
    json_t *object = json_object(), *by = json_object();
    double of[KS_ENERGY_COUNT];
    const double unseen = ksiEnergyOf(&world->energy, of);
    ksiJsonPut(object, "begin", ksiJsonNumber(world->energy.begin));
    ksiJsonPut(object, "end", ksiJsonNumber(world->energy.end));
    for (int i = 0; i < KS_ENERGY_COUNT; i++)
        ksiJsonPut(by, ksiEnergyName[i], ksiJsonNumber(of[i]));
    ksiJsonPut(by, "notInspected", ksiJsonNumber(unseen));
    ksiJsonPut(object, "by", by);
    return object;
}

json_t *ksiJsonJoint(const ksiView *view, const ksiWorldView *world, const ksiJointView *joint, bool isWhole)
{
    const ksiJointStats *stats = joint->stats;
    json_t *object = json_object();
    ksiJsonPut(object, "name", json_string(joint->name));
    ksiJsonPut(object, "type", json_string(ksiTypeName(stats->type)));
    ksiJsonPut(object, "number", json_integer(stats->number));
    ksiJsonPut(object, "bodies", ksiJsonBodies(stats->body));
    ksiJsonPut(object, "firstStep", ksiJsonCount(stats->firstStep));
    ksiJsonPut(object, "steps", ksiJsonCount(stats->steps));
    ksiJsonPut(object, "judged", json_boolean(joint->isJudged));
    ksiJsonPut(object, "failed", json_boolean(joint->isFailed));
    ksiJsonPut(object, "untold", untold(view, world, joint));
    ksiJsonPut(object, "judgedError", ksiJsonNumber(joint->judged));
    ksiJsonPutMetrics(&ksiJointMetrics, stats, stats->type, isWhole, object);
    if (isWhole)
        ksiJsonPut(object, "timeline", jointTimeline(&stats->timeline));
    return object;
}

static void appendTouched(int body, uint64_t steps, void *user)
{
    ksiJsonAppend(user, json_pack("{s:o, s:o}", "body", json_integer(body), "steps", ksiJsonCount(steps)));
}

static json_t *flickersToJson(const ksiWorldView *world)
{
    const ksiFlickers *flickers = &world->stats->flickers;
    json_t *array = json_array();
    for (size_t i = 0; i < flickers->count; i++) {
        const ksiFlickering *pair = &flickers->pair[i];
        if (ksiFlickersOften(world, pair))
            ksiJsonAppend(array, json_pack("{s:o, s:o}", "bodies", ksiJsonBodies(pair->body), "steps",
                                           ksiJsonCount(pair->steps)));
    }
    return array;
}

/* The forces act on the first body. */
static json_t *pairsToJson(const ksiWorldView *world, bool isWhole)
{
    const ksiPairs *pairs = &world->stats->pairs;
    json_t *array = json_array();
    for (size_t i = 0; i < pairs->count; i++) {
        json_t *object = json_object();
        ksiJsonPut(object, "bodies", ksiJsonBodies(pairs->at[i].body));
        ksiJsonPutMetrics(&ksiPairMetrics, &pairs->at[i], dJointTypeContact, isWhole, object);
        ksiJsonAppend(array, object);
    }
    return array;
}

static json_t *contactsToJson(const ksiView *view, const ksiWorldView *of, bool isWhole)
{
    const ksiWorldStats *world = of->stats;
    json_t *object = json_object(), *bodies = json_array();
    ksiJsonMiss(!ksiEachContactShare(of, &view->report->allocator, appendTouched, bodies));
    ksiJsonPutMetrics(&ksiContactMetrics, &world->contacts, dJointTypeContact, isWhole, object);
    ksiJsonPut(object, "estimatedSteps", ksiJsonCount(world->estimatedSteps));
    ksiJsonPut(object, "bodies", bodies);
    ksiJsonPut(object, "flicker", flickersToJson(of));
    ksiJsonPut(object, "netError", ksiJsonError(&world->net, false, isWhole));
    return object;
}

static json_t *bugsToJson(const ksiWorldView *world)
{
    json_t *array = json_array();
    for (size_t i = 0; i < world->jointCount; i++) {
        for (int bit = 0; bit < KSI_REASONS; bit++) {
            const uint64_t steps = world->joint[i].stats->reason[bit];
            if (steps == 0 || !(ksiBugs() >> bit & 1u))
                continue;
            ksiJsonAppend(array, json_pack("{s:s, s:s, s:o}", "reason", ksReasonName(UINT64_C(1) << bit), "joint",
                                           world->joint[i].name, "steps", ksiJsonCount(steps)));
        }
    }
    return array;
}

static json_t *iterationsToJson(const ksiView *view, const ksiWorldView *world, bool isWhole)
{
    json_t *object = json_object(), *table = json_array();
    const ksiEnough found = ksiEnoughIterations(view, world);
    ksiJsonPut(object, "enough", found.enough ? json_integer(found.enough) : json_null());
    ksiJsonPut(object, "isChecked", json_boolean(found.isChecked));
    for (size_t i = 0; isWhole && i < world->stats->advice.count; i++) {
        const ksiAdvice *advice = ksiEntryAt(&ksiAdviceMetrics, &world->stats->advice, i);
        json_t *row = json_object();
        ksiJsonPut(row, "iterations", json_integer(advice->iterations));
        ksiJsonPutMetrics(&ksiAdviceMetrics, advice, dJointTypeNone, isWhole, row);
        ksiJsonAppend(table, row);
    }
    ksiJsonPut(object, "table", table);
    return object;
}

static json_t *massRatioToJson(const ksiWorldView *world)
{
    const ksiJointView *worst = ksiLargestMassRatio(world, false);
    if (!worst)
        return json_null();
    return json_pack("{s:o, s:s}", "largest", ksiJsonNumber(worst->stats->massRatio), "joint", worst->name);
}

/* world NULL: advice common to all worlds. */
json_t *ksiJsonSentences(const ksiView *view, const ksiWorldView *world)
{
    ksiText text = {.allocator = &view->report->allocator};
    json_t *array = json_array();
    if (world)
        ksiWriteAdvice(view, world, &text);
    else
        ksiWriteCommonAdvice(view, &text);
    size_t length;
    for (const char *rest = text.at, *line; (line = ksiTextLine(&rest, &length)) != NULL;)
        ksiJsonAppend(array, json_stringn(line, length));
    ksiJsonMiss(text.isShort);
    ksiTextFree(&text);
    return array;
}

static json_t *stepsToJson(const ksiWorldStats *stats)
{
    json_t *object = json_object(), *size = json_object(), *stepper = json_object(), *used = json_array();
    const bool isAny = stats->inspected > 0;
    ksiJsonPut(object, "seen", ksiJsonCount(stats->seen));
    ksiJsonPut(object, "inspected", ksiJsonCount(stats->inspected));
    ksiJsonPut(object, "leftOut", ksiJsonCount(stats->leftOut));
    ksiJsonPut(object, "first", isAny ? ksiJsonCount(stats->firstStep) : json_null());
    ksiJsonPut(object, "last", isAny ? ksiJsonCount(stats->lastStep) : json_null());
    ksiJsonPut(object, "begin", isAny ? ksiJsonNumber(stats->firstTime) : json_null());
    ksiJsonPut(object, "end", isAny ? ksiJsonNumber(stats->lastTime) : json_null());
    ksiJsonPut(size, "least", isAny ? ksiJsonNumber(stats->leastStepSize) : json_null());
    ksiJsonPut(size, "median",
               isAny ? ksiJsonNumber(fmax(ksiQuantile(&stats->stepSize, 50), stats->leastStepSize)) : json_null());
    ksiJsonPut(size, "largest", ksiJsonNumber(ksiQuantile(&stats->stepSize, 100)));
    ksiJsonPut(object, "size", size);
    for (int i = 0; i < KSI_STEPPERS; i++)
        ksiJsonPut(stepper, stepperName[i], ksiJsonCount(stats->stepper[i]));
    ksiJsonPut(object, "steppers", stepper);
    const ksiUsedIterations *iterations = stats->used.at;
    for (size_t i = 0; i < stats->used.count; i++) {
        ksiJsonAppend(used, json_pack("{s:o, s:o}", "iterations", json_integer(iterations[i].iterations), "steps",
                                      ksiJsonCount(iterations[i].steps)));
    }
    ksiJsonPut(object, "iterations", used);
    return object;
}

json_t *ksiJsonWorld(const ksiView *view, const ksiWorldView *world, bool isWhole)
{
    const ksiWorldStats *stats = world->stats;
    json_t *object = json_object();
    ksiJsonPut(object, "name", json_string(world->name));
    ksiJsonPut(object, "steps", stepsToJson(stats));
    ksiJsonPut(object, "erp", ksiJsonNumber(stats->erp));
    ksiJsonPut(object, "cfm", ksiJsonNumber(stats->cfm));
    ksiJsonPut(object, "meanWindow", stats->meanWindow > 0 ? ksiJsonNumber(stats->meanWindow) : json_null());
    ksiJsonPutMetrics(&ksiWorldMetrics, stats, dJointTypeNone, isWhole, object);
    ksiJsonPut(object, "jointCount", ksiJsonCount(world->jointCount));
    ksiJsonPut(object, "judged", ksiJsonCount(world->judgedCount));
    ksiJsonPut(object, "failed", ksiJsonCount(world->failedCount));
    ksiJsonPut(object, "untold", ksiJsonCount(world->untoldCount));
    ksiJsonPut(object, "worstError", ksiJsonNumber(world->error));
    ksiJsonPut(object, "worstJoint", world->jointCount > 0 ? json_string(world->worstFirst[0]->name) : json_null());
    ksiJsonPut(object, "massRatio", massRatioToJson(world));
    ksiJsonPut(object, "bugs", bugsToJson(world));
    ksiJsonPut(object, "tears", tears(view, world));
    ksiJsonPut(object, "energy", energyToJson(stats));
    ksiJsonPut(object, "advice", ksiJsonSentences(view, world));
    ksiJsonPut(object, "iterations", iterationsToJson(view, world, isWhole));
    ksiJsonPut(object, "contacts", contactsToJson(view, world, isWhole));
    ksiJsonPut(object, "pairs", pairsToJson(world, isWhole));
    if (isWhole)
        ksiJsonPut(object, "timeline", worldTimeline(&stats->timeline));
    ksiJsonPut(object, "reactionsBeyondLimit", ksiJsonCount(stats->tooMany));
    return object;
}
