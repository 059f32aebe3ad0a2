/* view.c  Prepares a report for output. */
#include "view.h"

#include "../files/text.h"
#include "../files/used_names.h"
#include "finding_kinds.h"
#include "suppress.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

int ksiErrorOf(const ksReportLimit *limit)
{
    return limit->value == KS_PHYSICAL ? KSI_MODEL : KSI_SOLVER;
}

const char *ksiReferenceOf(const ksReportLimit *limit)
{
    return limit->value == KS_PHYSICAL ? "physical" : "converged";
}

const ksiJointView *ksiLargestMassRatio(const ksiWorldView *world, bool hasFailed)
{
    const ksiJointView *largest = NULL;
    for (size_t i = 0; i < world->jointCount; i++) {
        const ksiJointView *joint = &world->joint[i];
        if ((joint->isAbove || !hasFailed) && joint->stats->massRatio > (largest ? largest->stats->massRatio : 0))
            largest = joint;
    }
    return largest;
}

static int compare(const void *a, const void *b)
{
    const ksiJointStats *x = ((const ksiJointView *)a)->stats, *y = ((const ksiJointView *)b)->stats;
    if (x->firstStep != y->firstStep)
        return x->firstStep < y->firstStep ? -1 : 1;
    if (x->type != y->type)
        return x->type < y->type ? -1 : 1;
    if (x->number != y->number)
        return x->number < y->number ? -1 : 1;
    return memcmp(x->body, y->body, sizeof x->body);
}

/* Makes a unique name from a raw one. */
static char *nameFrom(const ksAllocator *allocator, ksiUsedNames *used, const char *raw)
{
    char *clean = ksiClean(allocator, raw);
    char *name = clean ? ksiUseName(allocator, used, clean) : NULL;
    ksiFree(allocator, clean);
    return name;
}

/* The name of a world; with several runs it includes the run. */
static char *nameOfWorld(const ksReport *report, ksiUsedNames *used, const ksiWorldStats *world)
{
    const ksAllocator *allocator = &report->allocator;
    if (report->runCount < 2 || world->run >= report->runCount)
        return nameFrom(allocator, used, world->name);
    ksiText text = {.allocator = allocator};
    ksiTextAdd(&text, "%s: %s", report->run[world->run].file, world->name);
    char *name = text.isShort ? NULL : nameFrom(allocator, used, text.at);
    ksiTextFree(&text);
    return name;
}

/* The number of steps in which no part of the joint's own wrench is determined. Such steps have no
 * error: only sums of this joint's wrench with others are determined, and these sums agree. */
static uint64_t stepsThatAgree(const ksiJointStats *stats)
{
    const uint64_t *verdict = stats->verdict, compared = stats->error[KSI_SOLVER].size.total,
                   open = verdict[KS_INDETERMINATE], judged = verdict[KS_VALID] + verdict[KS_SOLVER_ERROR] + open;
    return judged < compared ? 0 : judged - compared < open ? judged - compared : open;
}

/* The error at the limit's percentile of the steps. Besides compared steps, there are `agreed`
 * steps, whose error counts as 0, and `unknown` steps, whose error may be arbitrarily large. */
static double errorAt(const ksReportLimit *limit, const ksiJointStats *stats, uint64_t agreed, uint64_t unknown)
{
    const ksiHistogram *error = &stats->error[ksiErrorOf(limit)].size;
    if (agreed + unknown == 0)
        return ksiQuantile(error, limit->percentile);
    const double all = (double)error->total + (double)agreed + (double)unknown;
    const double percent = (limit->percentile * all - 100 * (double)agreed) / (double)error->total;
    return percent <= 0 ? 0 : percent <= 100 ? ksiQuantile(error, percent) : INFINITY;
}

/* The error at the limit's percentile of the steps whose error is known. */
static double knownError(const ksReportLimit *limit, const ksiJointStats *stats)
{
    return errorAt(limit, stats, stats->error[ksiErrorOf(limit)].size.total == 0 ? 0 : stepsThatAgree(stats), 0);
}

/* The largest possible error if `unknown` steps may have any error. In all other steps without a
 * comparison, no part of the joint's own wrench is determined. */
static double largestError(const ksReportLimit *limit, const ksiJointStats *stats, uint64_t unknown)
{
    const uint64_t solved = stats->steps - stats->verdict[KS_NOT_SOLVED];
    const uint64_t known = stats->error[ksiErrorOf(limit)].size.total + unknown;
    return errorAt(limit, stats, solved > known ? solved - known : 0, unknown);
}

/* Does the joint's largest force or torque reach `floor`? Returns true if the force is unknown. */
static bool isLoaded(const ksiJointStats *stats, int whose, double floor)
{
    const ksiHistogram *force = &stats->load[KSI_FORCE][whose];
    return force->total == 0 || force->largest >= floor || stats->load[KSI_TORQUE][whose].largest >= floor;
}

static bool isSuppressed(const ksiView *view, const ksiWorldView *world, int kind, const ksiJointView *joint)
{
    const ksiFindingKind finding = {kind, 0};
    return ksiSuppressionFor(view->report, ksiFindingName(&finding), world->name, joint) >= 0;
}

static uint64_t unexplainedOf(const ksiView *view, const ksiWorldView *world, const ksiJointView *joint)
{
    return isSuppressed(view, world, KSI_FINDS_UNEXPLAINED, joint) ? 0 : joint->stats->unexplained;
}

static uint64_t unknownOf(const ksiView *view, const ksiWorldView *world, const ksiJointView *joint)
{
    return isSuppressed(view, world, KSI_FINDS_UNCHECKED, joint) ? 0 : joint->stats->unknown[ksiErrorOf(view->limit)];
}

static void judge(const ksiView *view, ksiWorldView *world, ksiJointView *joint)
{
    const ksReportLimit *limit = view->limit;
    const ksiJointStats *stats = joint->stats;
    const int whose = stats->load[KSI_FORCE][KSI_OF_MOTION].total > 0 ? KSI_OF_MOTION : KSI_OF_ENGINE;
    const bool isMeant = ksiIsCalled(joint, limit->joints) && isLoaded(stats, whose, limit->floor);
    const uint64_t unknown = unknownOf(view, world, joint);
    const double error = knownError(limit, stats);
    joint->known = error;
    joint->judged = isMeant ? error : NAN;
    joint->isAbove = joint->judged > limit->above;
    joint->isOff = joint->isAbove && !isSuppressed(view, world, KSI_FINDS_ERROR, joint);
    joint->isTorn = isMeant && stats->opening.isKnown && !isSuppressed(view, world, KSI_FINDS_TORN, joint);
    joint->isJudged = joint->isTorn || !isnan(joint->judged);
    joint->isFailed = joint->isOff || joint->isTorn;
    const bool isDoubted = unknown > 0 && !joint->isAbove && largestError(limit, stats, unknown) > limit->above;
    joint->isUntold = isMeant && !joint->isFailed && (unexplainedOf(view, world, joint) > 0 || isDoubted);
    world->judgedCount += joint->isJudged;
    world->failedCount += joint->isFailed;
    world->untoldCount += joint->isUntold;
}

bool ksiIsWorldUntold(const ksiWorldStats *stats)
{
    return stats->seen + stats->inspected == 0 || stats->tooMany > 0;
}

/* The most frequent reason for steps without an error; NULL: none. */
static const char *whyUnknown(const ksiJointStats *stats)
{
    const ksReasons among = ksiUncheckedReasons | KS_REASON_NO_HISTORY | KS_REASON_PHYSICAL;
    int most = -1;
    for (int i = 0; i < KSI_REASONS; i++)
        if (among >> i & 1 && stats->reason[i] > (most < 0 ? 0 : stats->reason[most]))
            most = i;
    return most < 0 ? NULL : ksReasonName(UINT64_C(1) << most);
}

void ksiWriteUntold(const ksiView *view, const ksiWorldView *world, const ksiJointView *joint, ksiText *out)
{
    if (!joint) {
        if (world->stats->seen + world->stats->inspected == 0)
            ksiTextAdd(out, "the world was never stepped");
        else if (world->stats->tooMany > 0)
            ksiTextAdd(out, "%llu reaction%s of joints above number %d of their type %s not judged",
                       (unsigned long long)world->stats->tooMany, ksiPlural(world->stats->tooMany), KSI_MOST_NUMBER,
                       world->stats->tooMany == 1 ? "was" : "were");
        return;
    }
    const ksiJointStats *stats = joint->stats;
    const uint64_t unexplained = unexplainedOf(view, world, joint), unknown = unknownOf(view, world, joint);
    if (!joint->isUntold)
        return;
    if (unexplained > 0)
        ksiTextAdd(out, "the motion is not explained in %llu", (unsigned long long)unexplained);
    if (unknown > 0)
        ksiTextAdd(out, "%s in %llu", unexplained > 0 ? ", and the force is not judged" : "the force is not judged",
                   (unsigned long long)unknown);
    ksiTextAdd(out, " of %llu step%s", (unsigned long long)stats->steps, ksiPlural(stats->steps));
    const char *why = unknown > 0 ? whyUnknown(stats) : NULL;
    if (why)
        ksiTextAdd(out, " (%s)", why);
}

static bool makeWorld(const ksiView *view, const ksiWorldStats *stats, ksiWorldView *world)
{
    const ksAllocator *allocator = &view->report->allocator;
    ksiUsedNames used = {0};
    world->joint = ksiRoomMake(allocator, (stats->jointCount + 1) * sizeof *world->joint);
    for (size_t i = 0; world->joint && i < stats->jointCount; i++)
        world->joint[i] = (ksiJointView){.stats = stats->joint[i]};
    if (!world->joint)
        return false;
    world->jointCount = stats->jointCount;
    qsort(world->joint, world->jointCount, sizeof *world->joint, compare);
    bool isWhole = true;
    for (size_t i = 0; i < world->jointCount && isWhole; i++) {
        char own[KSI_LONGEST_NAME];
        ksiJointView *joint = &world->joint[i];
        ksiWriteJointName(own, joint->stats->type, joint->stats->number, joint->stats->body);
        joint->name = nameFrom(allocator, &used, joint->stats->given ? joint->stats->given : own);
        isWhole = joint->name != NULL;
        if (isWhole)
            judge(view, world, joint);
        world->meanForce = fmax(world->meanForce, joint->stats->load[KSI_FORCE][KSI_OF_MEAN].largest);
    }
    ksiMapFree(allocator, &used.map);
    world->untoldCount += ksiIsWorldUntold(stats);
    return isWhole;
}

bool ksiIsNothingJudged(const ksiView *view)
{
    return view->sums.judged + view->sums.untold == 0;
}

void ksiWriteFirstUntold(const ksiView *view, ksiText *out)
{
    const ksiSums *sums = &view->sums;
    for (size_t i = 0; i < view->worldCount && out->length == 0; i++) {
        const ksiWorldView *world = &view->world[i];
        const ksiJointView *joint = NULL;
        for (size_t k = 0; k < world->jointCount && !joint && !ksiIsWorldUntold(world->stats); k++)
            joint = world->joint[k].isUntold ? &world->joint[k] : NULL;
        if (!joint && !ksiIsWorldUntold(world->stats))
            continue;
        ksiTextAdd(out, "%s%s%s: ", world->name, joint ? ", " : "", joint ? joint->name : "");
        ksiWriteUntold(view, world, joint, out);
    }
    if (sums->untold > 1)
        ksiTextAdd(out, ", and %zu more", sums->untold - 1);
    if (ksiIsNothingJudged(view))
        ksiTextAdd(out, "no joint was judged");
}

static int compareJoints(const void *a, const void *b)
{
    const ksiJointView *x = *(const ksiJointView *const *)a, *y = *(const ksiJointView *const *)b;
    const int order =
        ksiCompareErrors(ksiRankOf(x->isFailed, x->isUntold), ksiRankOf(y->isFailed, y->isUntold), x->known, y->known);
    return order ? order : (x > y) - (x < y);
}

static int compareWorlds(const void *a, const void *b)
{
    const ksiWorldView *x = *(const ksiWorldView *const *)a, *y = *(const ksiWorldView *const *)b;
    const int order = ksiCompareErrors(ksiRankOf(x->failedCount, x->untoldCount),
                                       ksiRankOf(y->failedCount, y->untoldCount), x->error, y->error);
    return order ? order : (x > y) - (x < y);
}

static bool rankJoints(const ksiView *view, ksiWorldView *world)
{
    world->worstFirst = ksiRoomMake(&view->report->allocator, (world->jointCount + 1) * sizeof *world->worstFirst);
    if (!world->worstFirst)
        return false;
    for (size_t i = 0; i < world->jointCount; i++)
        world->worstFirst[i] = &world->joint[i];
    qsort(world->worstFirst, world->jointCount, sizeof *world->worstFirst, compareJoints);
    world->error = world->jointCount > 0 ? world->worstFirst[0]->judged
                                         : ksiQuantile(&world->stats->net.size, view->limit->percentile);
    return true;
}

static bool rankWorlds(ksiView *view)
{
    view->worstFirst = ksiRoomMake(&view->report->allocator, (view->worldCount + 1) * sizeof *view->worstFirst);
    for (size_t i = 0; view->worstFirst && i < view->worldCount; i++)
        view->worstFirst[i] = &view->world[i];
    if (view->worstFirst)
        qsort(view->worstFirst, view->worldCount, sizeof *view->worstFirst, compareWorlds);
    return view->worstFirst != NULL;
}

bool ksiViewMake(const ksReport *report, const ksReportLimit *limit, ksiView *view)
{
    const ksAllocator *allocator = &report->allocator;
    ksiUsedNames used = {0};
    *view = (ksiView){.report = report, .limit = limit ? limit : &report->options.limit};
    view->world = ksiRoomMake(allocator, (report->worldCount + 1) * sizeof *view->world);
    bool isWhole = view->world != NULL;
    for (size_t i = 0; i < report->worldCount && isWhole; i++) {
        ksiWorldView *world = &view->world[view->worldCount++];
        *world = (ksiWorldView){.stats = report->world[i]};
        world->name = nameOfWorld(report, &used, world->stats);
        isWhole = world->name && makeWorld(view, world->stats, world) && rankJoints(view, world);
        ksiSumsAdd(&view->sums, world);
    }
    isWhole = isWhole && rankWorlds(view) && ksiRunsMake(view);
    ksiMapFree(allocator, &used.map);
    if (!isWhole)
        ksiViewFree(view);
    return isWhole;
}

void ksiViewFree(ksiView *view)
{
    const ksAllocator *allocator = &view->report->allocator;
    ksiRunsFree(view);
    for (size_t i = 0; i < view->worldCount; i++) {
        ksiWorldView *world = &view->world[i];
        for (size_t j = 0; j < world->jointCount; j++)
            ksiFree(allocator, world->joint[j].name);
        ksiFree(allocator, world->joint);
        ksiFree(allocator, world->worstFirst);
        ksiFree(allocator, world->name);
    }
    ksiFree(allocator, view->world);
    ksiFree(allocator, view->worstFirst);
    *view = (ksiView){.report = view->report};
}
