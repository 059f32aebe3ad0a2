/* view.c  A report made ready to be written. */
#include "view.h"

#include "text.h"
#include "used_names.h"

#include <fnmatch.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

int ksiErrorOf(const ksReportLimit *limit)
{
    return limit->value == KS_PHYSICAL ? KSI_MODEL : KSI_SOLVER;
}

const ksiJointView *ksiLargestMassRatio(const ksiWorldView *world, bool hasFailed)
{
    const ksiJointView *largest = NULL;
    for (size_t i = 0; i < world->jointCount; i++) {
        const ksiJointView *joint = &world->joint[i];
        if ((joint->isFailed || !hasFailed) && joint->stats->massRatio > (largest ? largest->stats->massRatio : 0))
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

/* A name of its own, of the raw one. */
static char *nameFrom(const ksAllocator *allocator, ksiUsedNames *used, const char *raw)
{
    char *clean = ksiClean(allocator, raw);
    char *name = clean ? ksiUseName(allocator, used, clean) : NULL;
    ksiFree(allocator, clean);
    return name;
}

/* Of several runs each has worlds of its own. */
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

bool ksiIsCalled(const ksiJointView *joint, const char *pattern)
{
    return !pattern || fnmatch(pattern, joint->name, 0) == 0 ||
           (joint->stats->given && fnmatch(pattern, joint->stats->given, 0) == 0);
}

/* Steps in which nothing of the joint by itself is determined, so that there is no error, and what is determined of its sums with others
 * agrees. */
static uint64_t stepsThatAgree(const ksiJointStats *stats)
{
    const uint64_t *verdict = stats->verdict, compared = stats->error[KSI_SOLVER].total,
                   open = verdict[KS_INDETERMINATE], judged = verdict[KS_VALID] + verdict[KS_SOLVER_ERROR] + open;
    return judged < compared ? 0 : judged - compared < open ? judged - compared : open;
}

/* The error that so many percent of the steps do not exceed, those that agree among them. */
static double errorAt(const ksReportLimit *limit, const ksiJointStats *stats)
{
    const ksiHistogram *error = &stats->error[ksiErrorOf(limit)];
    const uint64_t agreed = limit->value == KS_PHYSICAL || error->total == 0 ? 0 : stepsThatAgree(stats);
    if (agreed == 0)
        return ksiQuantile(error, limit->percentile);
    const double percent = limit->percentile - (100 - limit->percentile) * (double)agreed / (double)error->total;
    return percent <= 0 ? 0 : ksiQuantile(error, percent);
}

static void judge(const ksReportLimit *limit, ksiWorldView *world, ksiJointView *joint)
{
    const ksiJointStats *stats = joint->stats;
    const bool isMeant = ksiIsCalled(joint, limit->joints);
    const int whose = stats->force[KSI_OF_MOTION].total > 0 ? KSI_OF_MOTION : KSI_OF_ENGINE;
    const bool isLoaded = stats->force[whose].largest >= limit->floor || stats->torque[whose].largest >= limit->floor;
    const double error = errorAt(limit, stats);
    joint->isJudged = isMeant && isLoaded && !isnan(error);
    joint->judged = joint->isJudged ? error : NAN;
    joint->isFailed = joint->isJudged && error > limit->above;
    world->judgedCount += joint->isJudged;
    world->failedCount += joint->isFailed;
}

static bool makeWorld(const ksAllocator *allocator, const ksReportLimit *limit, const ksiWorldStats *stats,
                      ksiWorldView *world)
{
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
            judge(limit, world, joint);
    }
    ksiMapFree(allocator, &used.map);
    return isWhole;
}

static double errorOf(const ksiJointView *joint)
{
    return joint->isJudged ? joint->judged : ksiQuantile(&joint->stats->error[KSI_SOLVER], 95);
}

static int compareJoints(const void *a, const void *b)
{
    const ksiJointView *x = *(const ksiJointView *const *)a, *y = *(const ksiJointView *const *)b;
    const int order = ksiCompareErrors(x->isFailed, y->isFailed, errorOf(x), errorOf(y));
    return order ? order : (x > y) - (x < y);
}

static int compareWorlds(const void *a, const void *b)
{
    const ksiWorldView *x = *(const ksiWorldView *const *)a, *y = *(const ksiWorldView *const *)b;
    const int order = ksiCompareErrors(x->failedCount > 0, y->failedCount > 0, x->error, y->error);
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
                                         : ksiQuantile(&world->stats->contacts.net, view->limit->percentile);
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

static void addSums(const ksiWorldView *world, ksiSums *sums)
{
    sums->seen += world->stats->seen;
    sums->inspected += world->stats->inspected;
    sums->joints += world->jointCount;
    sums->judged += world->judgedCount;
    sums->failed += world->failedCount;
    sums->failedWorlds += world->failedCount > 0;
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
        isWhole = world->name && makeWorld(allocator, view->limit, world->stats, world) && rankJoints(view, world);
        addSums(world, &view->sums);
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
