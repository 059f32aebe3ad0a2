/* json.c  A report as a JSON document. Keys stand in the order in which they are set. */
#include "json.h"

#include "advice.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static const char *const valueName[KSI_VALUES] = {"engine", "converged", "physical"};
static const char *const stepperName[KSI_STEPPERS] = {"dWorldStep", "dWorldQuickStep", "ksInspectorExactStep"};

/* Set where memory runs out: the document has a hole. */
static _Thread_local bool isShort;

/* The value is given away. */
static void put(json_t *object, const char *key, json_t *value)
{
    isShort |= json_object_set_new(object, key, value) != 0;
}

static void append(json_t *array, json_t *value)
{
    isShort |= json_array_append_new(array, value) != 0;
}

/* NaN and infinities are not numbers of JSON. */
static json_t *number(double x)
{
    return isfinite(x) ? json_real(x) : json_null();
}

static json_t *integer(uint64_t x)
{
    return json_integer((json_int_t)x);
}

static json_t *vector(const double *v)
{
    json_t *array = json_array();
    for (int i = 0; i < 3; i++)
        append(array, number(v[i]));
    return array;
}

static json_t *counts(const uint64_t *count, int most, bool all, const char *name(int))
{
    json_t *object = json_object();
    for (int i = 0; i < most; i++) {
        if (all || count[i] > 0)
            put(object, name(i), integer(count[i]));
    }
    return object;
}

static const char *nameOfVerdict(int verdict)
{
    return ksVerdictName((ksVerdict)verdict);
}

static const char *nameOfReason(int bit)
{
    return ksReasonName(1u << bit);
}

static json_t *verdicts(const uint64_t *count)
{
    return counts(count, KSI_VERDICTS, true, nameOfVerdict);
}

static json_t *reasons(const uint64_t *count)
{
    return counts(count, KSI_REASONS, false, nameOfReason);
}

static json_t *quantiles(const ksiHistogram *histogram)
{
    json_t *object = json_object();
    put(object, "count", integer(histogram->total));
    put(object, "median", number(ksiQuantile(histogram, 50)));
    put(object, "p95", number(ksiQuantile(histogram, KSI_PERCENTILE)));
    put(object, "largest", number(ksiQuantile(histogram, 100)));
    return object;
}

static json_t *bins(const ksiHistogram *histogram)
{
    json_t *array = json_array();
    for (size_t i = 0; i < histogram->count; i++) {
        json_t *bin = json_array();
        append(bin, number(ksiBinBegin(histogram->bin[i].number)));
        append(bin, integer(histogram->bin[i].count));
        append(array, bin);
    }
    return array;
}

static void putWrenches(const ksiMoment *moment, json_t *object)
{
    put(object, "about", json_string(moment->isAtAnchor ? "anchor" : "mass centre"));
    for (int i = 0; i < KSI_VALUES; i++) {
        json_t *wrench = json_object();
        put(wrench, "force", vector(moment->wrench[i]));
        put(wrench, "torque", vector(moment->wrench[i] + 3));
        put(object, valueName[i], wrench);
    }
}

static json_t *momentOf(const ksiMoment *moment, bool hasWrench)
{
    if (!moment->isKnown)
        return json_null();
    json_t *object = json_object();
    put(object, "step", integer(moment->step));
    put(object, "time", number(moment->time));
    put(object, "value", number(moment->value));
    put(object, "bar", number(moment->bar));
    if (moment->body[0]) {
        json_t *bodies = json_array();
        append(bodies, json_integer(moment->body[0]));
        if (hasWrench)
            append(bodies, json_integer(moment->body[1]));
        put(object, "bodies", bodies);
    }
    if (hasWrench)
        putWrenches(moment, object);
    return object;
}

static json_t *error(const ksiHistogram *histogram, const ksiMoment *worst, bool hasWrench)
{
    json_t *object = quantiles(histogram);
    put(object, "worst", momentOf(worst, hasWrench));
    put(object, "histogram", bins(histogram));
    return object;
}

static json_t *rangeEnd(const ksiRange *range, bool isLargest)
{
    char digits[32];
    if (!range->isKnown)
        return json_null();
    // enough for a picture
    snprintf(digits, sizeof digits, "%.5g", (double)(isLargest ? range->largest : range->least));
    return number(strtod(digits, NULL));
}

static const ksiJointBucket *bucketOf(const ksiTimeline *timeline, size_t index)
{
    return (const ksiJointBucket *)(const void *)timeline->bucket + index;
}

/* The same range of all buckets: at this place in each. */
static json_t *series(const ksiTimeline *timeline, size_t offset)
{
    json_t *object = json_object(), *least = json_array(), *largest = json_array();
    for (size_t i = 0; i < timeline->count; i++) {
        const ksiRange *range = (const void *)((const char *)bucketOf(timeline, i) + offset);
        append(least, rangeEnd(range, false));
        append(largest, rangeEnd(range, true));
    }
    put(object, "least", least);
    put(object, "largest", largest);
    return object;
}

static json_t *jointTimeline(const ksiTimeline *timeline)
{
    json_t *object = json_object(), *count = json_array();
    put(object, "firstStep", integer(timeline->first << timeline->k));
    put(object, "stepsPerBucket", integer((uint64_t)1 << timeline->k));
    for (size_t i = 0; i < timeline->count; i++)
        append(count, integer(bucketOf(timeline, i)->count));
    put(object, "steps", count);
    for (int i = 0; i < KSI_VALUES; i++) {
        const size_t at = (size_t)i * sizeof(ksiRange);
        json_t *value = json_object();
        put(value, "force", series(timeline, offsetof(ksiJointBucket, force) + at));
        put(value, "torque", series(timeline, offsetof(ksiJointBucket, torque) + at));
        if (i != KS_ENGINE) {
            put(value, "forceBar", series(timeline, offsetof(ksiJointBucket, forceBar) + at));
            put(value, "torqueBar", series(timeline, offsetof(ksiJointBucket, torqueBar) + at));
        }
        put(object, valueName[i], value);
    }
    const size_t errors = offsetof(ksiJointBucket, error);
    put(object, "error", series(timeline, errors + KSI_SOLVER * sizeof(ksiRange)));
    put(object, "physicalError", series(timeline, errors + KSI_MODEL * sizeof(ksiRange)));
    return object;
}

static json_t *worldTimeline(const ksiTimeline *timeline)
{
    json_t *object = json_object(), *steps = json_array(), *verdict = json_object();
    const ksiWorldBucket *bucket = (const void *)timeline->bucket;
    put(object, "firstStep", integer(timeline->first << timeline->k));
    put(object, "stepsPerBucket", integer((uint64_t)1 << timeline->k));
    for (size_t i = 0; i < timeline->count; i++)
        append(steps, integer(bucket[i].steps));
    put(object, "steps", steps);
    for (int v = 0; v < KSI_VERDICTS; v++) {
        json_t *count = json_array();
        for (size_t i = 0; i < timeline->count; i++)
            append(count, integer(bucket[i].verdict[v]));
        put(verdict, nameOfVerdict(v), count);
    }
    put(object, "verdicts", verdict);
    return object;
}

static json_t *undetermined(const ksiJointStats *stats)
{
    json_t *object = json_object(), *component = json_object();
    put(object, "freeDirections", json_integer(stats->freeMost > 0 ? stats->freeMost : 0));
    for (int i = 0; i < KSI_COMPONENTS; i++) {
        if (stats->undetermined[i] > 0)
            put(component, ksiComponentName(i), integer(stats->undetermined[i]));
    }
    put(object, "components", component);
    return object;
}

static json_t *jointToJson(const ksiJointView *joint)
{
    const ksiJointStats *stats = joint->stats;
    json_t *object = json_object(), *bodies = json_array(), *compliance = json_object();
    for (int i = 0; i < 2; i++)
        append(bodies, json_integer(stats->body[i]));
    put(object, "name", json_string(joint->name));
    put(object, "type", json_string(ksiTypeName(stats->type)));
    put(object, "number", json_integer(stats->number));
    put(object, "bodies", bodies);
    put(object, "firstStep", integer(stats->firstStep));
    put(object, "steps", integer(stats->steps));
    put(object, "judged", json_boolean(joint->isJudged));
    put(object, "failed", json_boolean(joint->isFailed));
    put(object, "judgedError", number(joint->judged));
    put(object, "verdicts", verdicts(stats->verdict));
    put(object, "reasons", reasons(stats->reason));
    put(object, "error", error(&stats->error[KSI_SOLVER], &stats->worst[KSI_SOLVER], true));
    put(object, "physicalError", error(&stats->error[KSI_MODEL], &stats->worst[KSI_MODEL], true));
    put(object, "undetermined", undetermined(stats));
    put(object, "largestForce", number(stats->force));
    put(object, "largestTorque", number(stats->torque));
    put(object, "massRatio", stats->massRatio > 0 ? number(stats->massRatio) : json_null());
    put(compliance, "share", number(stats->complianceShare));
    put(compliance, "cfm", number(stats->cfm));
    put(object, "compliance", compliance);
    put(object, "timeline", jointTimeline(&stats->timeline));
    return object;
}

static json_t *contactsToJson(const ksiWorldStats *world)
{
    const ksiContactStats *stats = &world->contacts;
    json_t *object = json_object();
    put(object, "reactions", integer(stats->count));
    put(object, "verdicts", verdicts(stats->verdict));
    put(object, "reasons", reasons(stats->reason));
    put(object, "error", error(&stats->error, &stats->worstError, true));
    put(object, "estimatedSteps", integer(world->estimatedSteps));
    put(object, "netError", error(&stats->net, &stats->worstNet, false));
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
            json_t *bug = json_object();
            put(bug, "reason", json_string(nameOfReason(bit)));
            put(bug, "joint", json_string(world->joint[i].name));
            put(bug, "steps", integer(steps));
            append(array, bug);
        }
    }
    return array;
}

static json_t *iterationsToJson(const ksiWorldStats *world, double target)
{
    json_t *object = json_object(), *table = json_array();
    const int enough = ksiEnoughIterations(world, target);
    put(object, "target", number(target));
    put(object, "enough", enough ? json_integer(enough) : json_null());
    for (size_t i = 0; i < world->adviceCount; i++) {
        const ksiAdvice *advice = world->advice[i];
        json_t *row = json_object();
        put(row, "iterations", json_integer(advice->iterations));
        put(row, "steps", integer(advice->steps));
        put(row, "error", quantiles(&advice->error[KSI_SOLVER]));
        put(row, "worstJointError", quantiles(&advice->worst));
        put(row, "physicalError", quantiles(&advice->error[KSI_MODEL]));
        put(row, "netError", quantiles(&advice->net));
        append(table, row);
    }
    put(object, "table", table);
    return object;
}

static json_t *massRatioToJson(const ksiWorldView *world)
{
    const ksiJointView *worst = ksiLargestMassRatio(world);
    if (!worst)
        return json_null();
    json_t *object = json_object();
    put(object, "largest", number(worst->stats->massRatio));
    put(object, "joint", json_string(worst->name));
    return object;
}

static json_t *sentences(const ksiView *view, const ksiWorldView *world)
{
    ksiText text = {.allocator = &view->report->allocator};
    json_t *array = json_array();
    ksiWriteAdvice(view, world, &text);
    const char *line = text.at;
    for (size_t i = 0; i < text.length; i++) {
        if (text.at[i] != '\n')
            continue;
        append(array, json_stringn(line, (size_t)(text.at + i - line)));
        line = text.at + i + 1;
    }
    isShort |= text.isShort;
    ksiTextFree(&text);
    return array;
}

static json_t *stepsToJson(const ksiWorldStats *stats)
{
    json_t *object = json_object(), *size = json_object(), *stepper = json_object(), *used = json_array();
    const bool isAny = stats->inspected > 0;
    put(object, "seen", integer(stats->seen));
    put(object, "inspected", integer(stats->inspected));
    put(object, "leftOut", integer(stats->leftOut));
    put(object, "first", isAny ? integer(stats->firstStep) : json_null());
    put(object, "last", isAny ? integer(stats->lastStep) : json_null());
    put(object, "begin", isAny ? number(stats->firstTime) : json_null());
    put(object, "end", isAny ? number(stats->lastTime) : json_null());
    put(size, "least", isAny ? number(stats->leastStepSize) : json_null());
    put(size, "median",
        isAny ? number(ksiLarger(ksiQuantile(&stats->stepSize, 50), stats->leastStepSize)) : json_null());
    put(size, "largest", number(ksiQuantile(&stats->stepSize, 100)));
    put(object, "size", size);
    for (int i = 0; i < KSI_STEPPERS; i++)
        put(stepper, stepperName[i], integer(stats->stepper[i]));
    put(object, "steppers", stepper);
    for (size_t i = 0; i < stats->usedCount; i++) {
        json_t *pair = json_object();
        put(pair, "iterations", json_integer(stats->used[i].iterations));
        put(pair, "steps", integer(stats->used[i].steps));
        append(used, pair);
    }
    put(object, "iterations", used);
    return object;
}

static json_t *worldToJson(const ksiView *view, const ksiWorldView *world)
{
    const ksiWorldStats *stats = world->stats;
    json_t *object = json_object(), *joints = json_array();
    for (size_t i = 0; i < world->jointCount; i++)
        append(joints, jointToJson(&world->joint[i]));
    put(object, "name", json_string(world->name));
    put(object, "steps", stepsToJson(stats));
    put(object, "erp", number(stats->erp));
    put(object, "cfm", number(stats->cfm));
    put(object, "verdicts", verdicts(stats->verdict));
    put(object, "judged", integer(world->judgedCount));
    put(object, "failed", integer(world->failedCount));
    put(object, "massRatio", massRatioToJson(world));
    put(object, "bugs", bugsToJson(world));
    put(object, "advice", sentences(view, world));
    put(object, "iterations", iterationsToJson(stats, view->report->options.target));
    put(object, "contacts", contactsToJson(stats));
    put(object, "timeline", worldTimeline(&stats->timeline));
    put(object, "joints", joints);
    put(object, "reactionsBeyondLimit", integer(stats->tooMany));
    return object;
}

static json_t *units(void)
{
    static const char *const unit[][2] = {
        {"time", "s"},
        {"force", "N"},
        {"torque", "N.m"},
        {"error", "relative: the size of the difference over that of the larger value"},
        {"cfm", "s/kg or s/(kg.m^2)"}};
    json_t *object = json_object();
    for (size_t i = 0; i < sizeof unit / sizeof *unit; i++)
        put(object, unit[i][0], json_string(unit[i][1]));
    return object;
}

static json_t *limitToJson(const ksiView *view)
{
    const ksReportLimit *limit = view->limit;
    json_t *object = json_object();
    char *clean = limit->joints ? ksiClean(&view->report->allocator, limit->joints) : NULL;
    put(object, "above", number(limit->above));
    put(object, "percentile", number(limit->percentile));
    put(object, "value", json_string(valueName[limit->value]));
    put(object, "joints", clean ? json_string(clean) : json_null());
    put(object, "floor", number(limit->floor));
    ksiFree(&view->report->allocator, clean);
    return object;
}

json_t *ksiReportToJson(const ksiView *view)
{
    isShort = false;
    json_t *document = json_object(), *worlds = json_array();
    for (size_t i = 0; i < view->worldCount; i++)
        append(worlds, worldToJson(view, &view->world[i]));
    put(document, "schema", json_string("kinetostat-report"));
    put(document, "version", json_integer(1));
    put(document, "kinetostat", json_string(PACKAGE_VERSION));
    put(document, "runs", ksiRunsToJson(view->report));
    put(document, "units", units());
    put(document, "limit", limitToJson(view));
    put(document, "worlds", worlds);
    if (!isShort)
        return document;
    json_decref(document);
    return NULL;
}
