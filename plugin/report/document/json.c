/* json.c  A report as a JSON document. Keys stand in the order in which they are set. */
#include "json.h"

#include "../findings/advice.h"
#include "causes_text.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static const char *const stepperName[KSI_STEPPERS] = {"dWorldStep", "dWorldQuickStep", "ksInspectorExactStep",
                                                      "another engine"};

static json_t *vector(const double *v)
{
    json_t *array = json_array();
    for (int i = 0; i < 3; i++)
        ksiJsonAppend(array, ksiJsonNumber(v[i]));
    return array;
}

static json_t *counts(const uint64_t *count, int most, bool all, const char *name(int))
{
    json_t *object = json_object();
    for (int i = 0; i < most; i++) {
        if (all || count[i] > 0)
            ksiJsonPut(object, name(i), ksiJsonCount(count[i]));
    }
    return object;
}

static const char *nameOfVerdict(int verdict)
{
    return ksVerdictName((ksVerdict)verdict);
}

static const char *nameOfReason(int bit)
{
    return ksReasonName(UINT64_C(1) << bit);
}

static json_t *verdicts(const uint64_t *count)
{
    return counts(count, KSI_VERDICTS, true, nameOfVerdict);
}

static json_t *reasons(const uint64_t *count)
{
    return counts(count, KSI_REASONS, false, nameOfReason);
}

json_t *ksiJsonQuantiles(const ksiHistogram *histogram)
{
    json_t *object = json_object();
    ksiJsonPut(object, "count", ksiJsonCount(histogram->total));
    ksiJsonPut(object, "median", ksiJsonNumber(ksiQuantile(histogram, 50)));
    ksiJsonPut(object, "p95", ksiJsonNumber(ksiQuantile(histogram, KSI_PERCENTILE)));
    ksiJsonPut(object, "largest", ksiJsonNumber(ksiQuantile(histogram, 100)));
    return object;
}

/* By whose values machines are sized: the simulated motion's, and the mechanism's. */
static json_t *loads(const ksiHistogram of[KSI_LOADS])
{
    json_t *object = json_object();
    for (int i = 0; i < KSI_LOADS; i++)
        if (i < KSI_OF_MOTION || of[i].total > 0)
            ksiJsonPut(object, ksiLoadName[i], ksiJsonQuantiles(&of[i]));
    return object;
}

static json_t *bins(const ksiHistogram *histogram)
{
    json_t *array = json_array();
    for (size_t i = 0; i < histogram->count; i++) {
        json_t *bin = json_array();
        ksiJsonAppend(bin, ksiJsonNumber(ksiBinBegin(histogram->bin[i].number)));
        ksiJsonAppend(bin, ksiJsonCount(histogram->bin[i].count));
        ksiJsonAppend(array, bin);
    }
    return array;
}

static void putWrenches(const ksiMoment *moment, json_t *object)
{
    ksiJsonPut(object, "about", json_string(moment->isAtAnchor ? "anchor" : "mass centre"));
    for (int i = 0; i < KSI_VALUES; i++) {
        json_t *wrench = json_object();
        ksiJsonPut(wrench, "force", vector(moment->wrench[i]));
        ksiJsonPut(wrench, "torque", vector(moment->wrench[i] + 3));
        ksiJsonPut(object, ksiLoadName[i], wrench);
    }
}

static json_t *momentOf(const ksiMoment *moment, bool hasLoad, bool hasWrench)
{
    if (!moment->isKnown)
        return json_null();
    json_t *object = json_object();
    ksiJsonPut(object, "step", ksiJsonCount(moment->step));
    ksiJsonPut(object, "time", ksiJsonNumber(moment->time));
    ksiJsonPut(object, "value", ksiJsonNumber(moment->value));
    ksiJsonPut(object, "bar", ksiJsonNumber(moment->bar));
    if (hasLoad)
        ksiJsonPut(object, "load", ksiJsonNumber(moment->load));
    if (moment->body[0]) {
        json_t *bodies = json_array();
        ksiJsonAppend(bodies, json_integer(moment->body[0]));
        if (hasWrench)
            ksiJsonAppend(bodies, json_integer(moment->body[1]));
        ksiJsonPut(object, "bodies", bodies);
    }
    if (hasWrench)
        putWrenches(moment, object);
    return object;
}

static json_t *error(const ksiHistogram *histogram, const ksiMoment *worst, bool hasWrench, bool isWhole)
{
    json_t *object = ksiJsonQuantiles(histogram);
    ksiJsonPut(object, "worst", momentOf(worst, hasWrench, hasWrench && isWhole));
    if (isWhole)
        ksiJsonPut(object, "histogram", bins(histogram));
    return object;
}

static json_t *rangeEnd(const ksiRange *range, bool isLargest)
{
    char digits[32];
    if (!range->isKnown)
        return json_null();
    // enough for a picture
    snprintf(digits, sizeof digits, "%.5g", (double)(isLargest ? range->largest : range->least));
    return ksiJsonNumber(strtod(digits, NULL));
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
        ksiJsonAppend(least, rangeEnd(range, false));
        ksiJsonAppend(largest, rangeEnd(range, true));
    }
    ksiJsonPut(object, "least", least);
    ksiJsonPut(object, "largest", largest);
    return object;
}

static json_t *emptyTimeline(const ksiTimeline *timeline)
{
    json_t *object = json_object();
    ksiJsonPut(object, "firstStep", ksiJsonCount(timeline->first << timeline->k));
    ksiJsonPut(object, "stepsPerBucket", ksiJsonCount((uint64_t)1 << timeline->k));
    return object;
}

static json_t *jointTimeline(const ksiTimeline *timeline)
{
    json_t *object = emptyTimeline(timeline), *count = json_array();
    for (size_t i = 0; i < timeline->count; i++)
        ksiJsonAppend(count, ksiJsonCount(bucketOf(timeline, i)->count));
    ksiJsonPut(object, "steps", count);
    for (int i = 0; i < KSI_VALUES; i++) {
        const size_t at = (size_t)i * sizeof(ksiRange);
        json_t *value = json_object();
        ksiJsonPut(value, "force", series(timeline, offsetof(ksiJointBucket, force) + at));
        ksiJsonPut(value, "torque", series(timeline, offsetof(ksiJointBucket, torque) + at));
        if (i != KS_ENGINE) {
            ksiJsonPut(value, "forceBar", series(timeline, offsetof(ksiJointBucket, forceBar) + at));
            ksiJsonPut(value, "torqueBar", series(timeline, offsetof(ksiJointBucket, torqueBar) + at));
        }
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
        ksiJsonPut(verdict, nameOfVerdict(v), count);
    }
    ksiJsonPut(object, "verdicts", verdict);
    return object;
}

static json_t *undetermined(const ksiJointStats *stats)
{
    json_t *object = json_object(), *component = json_object();
    ksiJsonPut(object, "freeDirections", json_integer(stats->freeMost > 0 ? stats->freeMost : 0));
    for (int i = 0; i < KSI_COMPONENTS; i++) {
        if (stats->undetermined[i] > 0)
            ksiJsonPut(component, ksiComponentName(i), ksiJsonCount(stats->undetermined[i]));
    }
    ksiJsonPut(object, "components", component);
    return object;
}

/* Why it does not pass though its error is not above the limit. */
static json_t *untold(const ksiView *view, const ksiWorldView *world, const ksiJointView *joint)
{
    ksiText words = {.allocator = &view->report->allocator};
    ksiWriteUntold(view, world, joint, &words);
    json_t *value = words.at ? json_string(words.at) : json_null();
    ksiJsonMiss(words.isShort);
    ksiTextFree(&words);
    return value;
}

static json_t *gapOf(const ksiGap *gap)
{
    if (!gap->isKnown)
        return json_null();
    json_t *object = json_object();
    ksiJsonPut(object, "step", ksiJsonCount(gap->step));
    ksiJsonPut(object, "time", ksiJsonNumber(gap->time));
    ksiJsonPut(object, "value", ksiJsonNumber(gap->value));
    return object;
}

static json_t *gaps(const ksiJointView *joint)
{
    json_t *object = json_object();
    ksiJsonPut(object, "linear", gapOf(&joint->stats->gap[KSI_APART]));
    ksiJsonPut(object, "angular", gapOf(&joint->stats->gap[KSI_TURNED]));
    return object;
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

static json_t *reachToJson(const ksiReach *reach)
{
    if (!reach->isKnown)
        return json_null();
    json_t *object = json_object();
    ksiJsonPut(object, "step", ksiJsonCount(reach->step));
    ksiJsonPut(object, "time", ksiJsonNumber(reach->time));
    ksiJsonPut(object, "value", ksiJsonNumber(reach->value));
    ksiJsonPut(object, "bar", ksiJsonNumber(reach->bar));
    return object;
}

static json_t *peakMean(const ksiJointStats *stats)
{
    json_t *object = json_object();
    ksiJsonPut(object, "force", reachToJson(&stats->borne[KSI_IN_WINDOWS][KSI_FORCE].largest));
    ksiJsonPut(object, "torque", reachToJson(&stats->borne[KSI_IN_WINDOWS][KSI_TORQUE].largest));
    return object;
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
    json_t *object = json_object(), *bodies = json_array(), *compliance = json_object(), *peak = json_object();
    for (int i = 0; i < 2; i++)
        ksiJsonAppend(bodies, json_integer(stats->body[i]));
    ksiJsonPut(object, "name", json_string(joint->name));
    ksiJsonPut(object, "type", json_string(ksiTypeName(stats->type)));
    ksiJsonPut(object, "number", json_integer(stats->number));
    ksiJsonPut(object, "bodies", bodies);
    ksiJsonPut(object, "firstStep", ksiJsonCount(stats->firstStep));
    ksiJsonPut(object, "steps", ksiJsonCount(stats->steps));
    ksiJsonPut(object, "judged", json_boolean(joint->isJudged));
    ksiJsonPut(object, "failed", json_boolean(joint->isFailed));
    ksiJsonPut(object, "untold", untold(view, world, joint));
    ksiJsonPut(object, "judgedError", ksiJsonNumber(joint->judged));
    ksiJsonPut(object, "verdicts", verdicts(stats->verdict));
    ksiJsonPut(object, "reasons", reasons(stats->reason));
    ksiJsonPut(object, "error", error(&stats->error[KSI_SOLVER], &stats->worst[KSI_SOLVER], true, isWhole));
    ksiJsonPut(object, "physicalError", error(&stats->error[KSI_MODEL], &stats->worst[KSI_MODEL], true, isWhole));
    ksiJsonPut(object, "undetermined", undetermined(stats));
    ksiJsonPut(object, "force", loads(stats->force));
    ksiJsonPut(object, "torque", loads(stats->torque));
    ksiJsonPut(peak, "force", momentOf(&stats->peak[KSI_FORCE], false, isWhole));
    ksiJsonPut(peak, "torque", momentOf(&stats->peak[KSI_TORQUE], false, isWhole));
    ksiJsonPut(object, "peak", peak);
    ksiJsonPut(object, "peakMean", peakMean(stats));
    ksiJsonPut(object, "motors", ksiMotorsToJson(stats->motor, stats->type));
    if (isWhole)
        ksiJsonPut(object, "gap", gaps(joint));
    ksiJsonPut(object, "massRatio", stats->massRatio > 0 ? ksiJsonNumber(stats->massRatio) : json_null());
    ksiJsonPut(compliance, "share", ksiJsonNumber(stats->complianceShare));
    ksiJsonPut(compliance, "cfm", ksiJsonNumber(stats->cfm));
    ksiJsonPut(object, "compliance", compliance);
    if (isWhole)
        ksiJsonPut(object, "timeline", jointTimeline(&stats->timeline));
    return object;
}

static void appendTouched(int body, uint64_t steps, void *user)
{
    json_t *object = json_object();
    ksiJsonPut(object, "body", json_integer(body));
    ksiJsonPut(object, "steps", ksiJsonCount(steps));
    ksiJsonAppend(user, object);
}

static json_t *flickersToJson(const ksiWorldView *world)
{
    const ksiFlickers *flickers = &world->stats->flickers;
    json_t *array = json_array();
    for (size_t i = 0; i < flickers->count; i++) {
        if (!ksiFlickersOften(world, &flickers->pair[i]))
            continue;
        json_t *object = json_object(), *bodies = json_array();
        for (int side = 0; side < 2; side++)
            ksiJsonAppend(bodies, json_integer(flickers->pair[i].body[side]));
        ksiJsonPut(object, "bodies", bodies);
        ksiJsonPut(object, "steps", ksiJsonCount(flickers->pair[i].steps));
        ksiJsonAppend(array, object);
    }
    return array;
}

static json_t *contactsToJson(const ksiView *view, const ksiWorldView *of, bool isWhole)
{
    const ksiWorldStats *world = of->stats;
    const ksiContactStats *stats = &world->contacts;
    json_t *object = json_object(), *bodies = json_array();
    ksiJsonMiss(!ksiEachTouched(of, &view->report->allocator, appendTouched, bodies));
    ksiJsonPut(object, "reactions", ksiJsonCount(stats->count));
    ksiJsonPut(object, "steps", ksiJsonCount(stats->steps));
    ksiJsonPut(object, "verdicts", verdicts(stats->verdict));
    ksiJsonPut(object, "reasons", reasons(stats->reason));
    ksiJsonPut(object, "error", error(&stats->error, &stats->worstError, true, isWhole));
    ksiJsonPut(object, "estimatedSteps", ksiJsonCount(world->estimatedSteps));
    ksiJsonPut(object, "bodies", bodies);
    ksiJsonPut(object, "flicker", flickersToJson(of));
    ksiJsonPut(object, "netError", error(&stats->net, &stats->worstNet, false, isWhole));
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
            ksiJsonPut(bug, "reason", json_string(nameOfReason(bit)));
            ksiJsonPut(bug, "joint", json_string(world->joint[i].name));
            ksiJsonPut(bug, "steps", ksiJsonCount(steps));
            ksiJsonAppend(array, bug);
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
    for (size_t i = 0; isWhole && i < world->stats->adviceCount; i++) {
        const ksiAdvice *advice = world->stats->advice[i];
        json_t *row = json_object();
        ksiJsonPut(row, "iterations", json_integer(advice->iterations));
        ksiJsonPut(row, "steps", ksiJsonCount(advice->steps));
        ksiJsonPut(row, "error", ksiJsonQuantiles(&advice->error[KSI_SOLVER]));
        ksiJsonPut(row, "worstJointError", ksiJsonQuantiles(&advice->worst));
        ksiJsonPut(row, "inARow", ksiJsonQuantiles(&advice->inARow));
        ksiJsonPut(row, "physicalError", ksiJsonQuantiles(&advice->error[KSI_MODEL]));
        ksiJsonPut(row, "netError", ksiJsonQuantiles(&advice->net));
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
    json_t *object = json_object();
    ksiJsonPut(object, "largest", ksiJsonNumber(worst->stats->massRatio));
    ksiJsonPut(object, "joint", json_string(worst->name));
    return object;
}

/* world NULL: of all of them. */
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
    for (size_t i = 0; i < stats->usedCount; i++) {
        json_t *pair = json_object();
        ksiJsonPut(pair, "iterations", json_integer(stats->used[i].iterations));
        ksiJsonPut(pair, "steps", ksiJsonCount(stats->used[i].steps));
        ksiJsonAppend(used, pair);
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
    ksiJsonPut(object, "verdicts", verdicts(stats->verdict));
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
    if (isWhole)
        ksiJsonPut(object, "timeline", worldTimeline(&stats->timeline));
    ksiJsonPut(object, "reactionsBeyondLimit", ksiJsonCount(stats->tooMany));
    return object;
}
