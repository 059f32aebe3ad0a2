/* runs_view.c  Prepares runs for output: each run's result, and joints over all runs. */
#define _GNU_SOURCE
#include "../findings/view.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* --- Runs --- */

static double largerOf(double a, double b)
{
    return isnan(a) || b > a ? b : a;
}

static ksiRunView newRun(const ksiRun *run)
{
    ksiRunView made = {.run = run};
    for (int i = 0; i < KSI_SIZES; i++)
        for (int k = 0; k < KSI_LOADS; k++)
            made.load[i][k] = NAN;
    return made;
}

static void addJoint(ksiRunView *run, const ksiJointStats *joint)
{
    for (int i = 0; i < KSI_SIZES; i++)
        for (int k = 0; k < KSI_LOADS; k++)
            run->load[i][k] = largerOf(run->load[i][k], ksiQuantile(&joint->load[i][k], 100));
}

void ksiSumsAdd(ksiSums *sums, const ksiWorldView *world)
{
    sums->worlds++;
    sums->seen += world->stats->seen;
    sums->inspected += world->stats->inspected;
    sums->joints += world->jointCount;
    sums->judged += world->judgedCount;
    sums->failed += world->failedCount;
    sums->untold += world->untoldCount;
    sums->failedWorlds += world->failedCount > 0;
}

/* Worlds arrive worst first. */
static void addWorld(ksiRunView *run, const ksiWorldView *world)
{
    const uint64_t *verdict = world->stats->verdict;
    run->worst = run->worst ? run->worst : world;
    ksiSumsAdd(&run->sums, world);
    for (int i = 0; i < KSI_VERDICTS; i++)
        run->reactions += i == KS_NOT_SOLVED ? 0 : verdict[i];
    run->unchecked += verdict[KS_UNCHECKED];
    for (size_t i = 0; i < world->jointCount; i++)
        addJoint(run, world->joint[i].stats);
}

void ksiRunViewOfHost(const ksiView *view, const ksiRun *run, ksiRunView *out)
{
    *out = newRun(run);
    for (size_t i = 0; i < view->worldCount; i++)
        addWorld(out, view->worstFirst[i]);
}

/* Unknown errors come last. */
int ksiCompareErrors(int rank, int otherRank, double error, double other)
{
    if (rank != otherRank)
        return rank > otherRank ? -1 : 1;
    if (isnan(error) || isnan(other))
        return isnan(error) - isnan(other);
    return (error < other) - (error > other);
}

double ksiShareChecked(const ksiRunView *run)
{
    return run->reactions > 0 ? 1 - (double)run->unchecked / (double)run->reactions : NAN;
}

bool ksiRunIsSeen(const ksiRunView *run)
{
    return ksiRunIsGood(run->run) && run->sums.inspected > 0;
}

static int compareRuns(const void *a, const void *b)
{
    const ksiRunView *x = *(const ksiRunView *const *)a, *y = *(const ksiRunView *const *)b;
    const bool isGood = ksiRunIsSeen(x), isOtherGood = ksiRunIsSeen(y);
    if (isGood != isOtherGood)
        return isGood ? 1 : -1;
    if (!x->worst || !y->worst)
        return (x->worst == NULL) - (y->worst == NULL);
    const int order = ksiCompareErrors(ksiRankOf(x->sums.failed, x->sums.untold),
                                       ksiRankOf(y->sums.failed, y->sums.untold), x->worst->error, y->worst->error);
    return order ? order : (x > y) - (x < y);
}

bool ksiRunsMake(ksiView *view)
{
    const ksReport *report = view->report;
    const size_t count = report->runCount;
    view->run = ksiRoomMake(&report->allocator, (count + 1) * sizeof *view->run);
    view->badRunsFirst = ksiRoomMake(&report->allocator, (count + 1) * sizeof *view->badRunsFirst);
    if (!view->run || !view->badRunsFirst)
        return false;
    view->runCount = count;
    for (size_t i = 0; i < count; i++) {
        view->run[i] = newRun(&report->run[i]);
        view->badRunsFirst[i] = &view->run[i];
    }
    for (size_t i = 0; i < view->worldCount; i++) {
        // without runs all worlds belong to a single run
        const size_t run = view->worstFirst[i]->stats->run == KSI_NO_RUN ? 0 : view->worstFirst[i]->stats->run;
        if (run < count)
            addWorld(&view->run[run], view->worstFirst[i]);
    }
    if (count > 0)
        qsort(view->badRunsFirst, count, sizeof *view->badRunsFirst, compareRuns);
    return true;
}

void ksiRunsFree(ksiView *view)
{
    ksiFree(&view->report->allocator, view->run);
    ksiFree(&view->report->allocator, view->badRunsFirst);
}

/* --- Joints over runs --- */

static int compareNames(const void *a, const void *b)
{
    const ksiJointView *x = *(const ksiJointView *const *)a, *y = *(const ksiJointView *const *)b;
    return strverscmp(x->name, y->name);
}

static int compareNumbers(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Reserves memory for the largest force and torque of this number of joints. */
static bool makePool(const ksAllocator *allocator, ksiPool *pool, size_t count)
{
    bool isMade = true;
    for (int i = 0; i < KSI_SIZES; i++)
        for (int k = 0; k < KSI_LOADS && isMade; k++) {
            pool->load[i][k] = ksiRoomMake(allocator, count * sizeof(double));
            isMade = pool->load[i][k] != NULL;
        }
    return isMade;
}

static bool fillPool(const ksAllocator *allocator, ksiPool *pool, const ksiJointView *const *joint, size_t count)
{
    bool isWhole = makePool(allocator, pool, count);
    pool->name = joint[0]->name;
    pool->count = count;
    for (size_t i = 0; i < count && isWhole; i++) {
        const ksiJointStats *stats = joint[i]->stats;
        for (int k = 0; k < KSI_LOADS; k++) {
            if (stats->load[KSI_FORCE][k].total == 0 || stats->load[KSI_TORQUE][k].total == 0)
                continue;
            for (int size = 0; size < KSI_SIZES; size++)
                pool->load[size][k][pool->loadCount[k]] = stats->load[size][k].largest;
            pool->loadCount[k]++;
        }
        for (int k = 0; k < KSI_ERRORS && isWhole; k++)
            isWhole = ksiHistogramMerge(allocator, &pool->error[k], &stats->error[k].size);
    }
    for (int i = 0; i < KSI_SIZES; i++)
        for (int k = 0; k < KSI_LOADS && isWhole; k++)
            qsort(pool->load[i][k], pool->loadCount[k], sizeof(double), compareNumbers);
    return isWhole;
}

static void freePool(const ksAllocator *allocator, ksiPool *pool)
{
    for (int i = 0; i < KSI_SIZES; i++)
        for (int k = 0; k < KSI_LOADS; k++)
            ksiFree(allocator, pool->load[i][k]);
    for (int i = 0; i < KSI_ERRORS; i++)
        ksiHistogramFree(allocator, &pool->error[i]);
}

bool ksiPoolJoints(const ksiView *view, void (*each)(const ksiPool *pool, void *user), void *user)
{
    const ksAllocator *allocator = &view->report->allocator;
    size_t count = 0;
    for (size_t i = 0; i < view->worldCount; i++)
        count += view->world[i].jointCount;
    const ksiJointView **joint = ksiRoomMake(allocator, (count + 1) * sizeof *joint);
    bool isWhole = joint != NULL;
    count = 0;
    for (size_t i = 0; i < view->worldCount && joint; i++)
        for (size_t k = 0; k < view->world[i].jointCount; k++)
            joint[count++] = &view->world[i].joint[k];
    if (joint && count > 0)
        qsort(joint, count, sizeof *joint, compareNames);
    for (size_t begin = 0, end; begin < count && isWhole; begin = end) {
        ksiPool pool = {0};
        for (end = begin + 1; end < count && strcmp(joint[begin]->name, joint[end]->name) == 0; end++)
            continue;
        isWhole = fillPool(allocator, &pool, joint + begin, end - begin);
        if (isWhole)
            each(&pool, user);
        freePool(allocator, &pool);
    }
    ksiFree(allocator, joint);
    return isWhole;
}
