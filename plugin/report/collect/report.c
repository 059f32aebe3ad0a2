/* report.c  Creation of a report, its options, watched worlds and limit. */
#include "../files/failure.h"
#include "../findings/view.h"
#include "../recording/sampler.h"
#include "collect.h"
#include "stats.h"

#include "../../base/fpguard.h"

#include <math.h>

struct ksiWatcher {
    ksReport *report;
    ksInspector *inspector; /* NULL: it was destroyed */
    size_t world;
    ksiNaming *naming;
    ksiSampler *sampler; /* NULL: no trials of iterations */
    ksiLooker *looker;   /* NULL: the world is not shown */
    ksSubscription step, destruction, engineStep;
};

void ksReportLimitInit(ksReportLimit *limit)
{
    if (limit)
        *limit = (ksReportLimit){.size = sizeof *limit, .above = 0.05, .percentile = 95, .value = KS_PHYSICAL};
}

void ksReportOptionsInit(ksReportOptions *options)
{
    if (!options)
        return;
    *options = (ksReportOptions){.size = sizeof *options, .to = INFINITY, .frameRate = 30, .frameBytes = 5000000};
    ksReportLimitInit(&options->limit);
}

#define REQUIRE(function, condition, ...)                                                                              \
    do {                                                                                                               \
        if (!(condition))                                                                                              \
            return ksiReportFail(function, KS_ERROR_BAD_ARGUMENT, __VA_ARGS__);                                        \
    } while (0)

static ksStatus checkLimit(const char *function, const ksReportLimit *limit)
{
    REQUIRE(function, limit->size == sizeof *limit, "limit.size is %zu, must be %zu: call ksReportLimitInit",
            limit->size, sizeof *limit);
    REQUIRE(function, limit->above >= 0, "limit.above is %g, must be >= 0", limit->above);
    REQUIRE(function, limit->percentile > 0 && limit->percentile <= 100, "limit.percentile is %g, must be in (0, 100]",
            limit->percentile);
    REQUIRE(function, limit->value == KS_CONVERGED || limit->value == KS_PHYSICAL,
            "limit.value is %d, must be KS_CONVERGED or KS_PHYSICAL", (int)limit->value);
    REQUIRE(function, limit->floor >= 0, "limit.floor is %g, must be >= 0", limit->floor);
    return KS_OK;
}

static ksStatus checkOptions(const char *function, const ksReportOptions *options)
{
    REQUIRE(function, options->size == sizeof *options, "options->size is %zu, must be %zu: call ksReportOptionsInit",
            options->size, sizeof *options);
    REQUIRE(function, options->frameRate >= 0 && options->frameRate <= 1e6,
            "options->frameRate is %g, must be from 0 to 1e6", options->frameRate);
    REQUIRE(function, options->frameBytes <= SIZE_MAX / KSI_MOTION_SLACK,
            "options->frameBytes is %zu, which is too large", options->frameBytes);
    REQUIRE(function, options->from <= options->to, "options->from is %g, must be <= options->to", options->from);
    return checkLimit(function, &options->limit);
}

static bool copyPattern(const ksAllocator *allocator, const char **pattern)
{
    return !*pattern || (*pattern = ksiRoomCopy(allocator, *pattern)) != NULL;
}

ksStatus ksReportCreate(const ksReportOptions *options, ksReport **report)
{
    ksReportOptions chosen;
    if (!report)
        return KSI_FAIL(KS_ERROR_BAD_ARGUMENT, "report is NULL");
    const ksStatus status = options ? checkOptions(__func__, options) : KS_OK;
    if (status)
        return status;
    ksReportOptionsInit(&chosen);
    if (options)
        chosen = *options;
#ifndef KS_HAVE_THREE
    chosen.frameRate = 0;  // no page can show frames
#endif
    ksAllocator allocator;
    ksiAllocatorInit(&allocator, &chosen.allocator);
    ksReport *made = ksiRoomMake(&allocator, sizeof *made);
    if (!made)
        return ksErrorSet(KS_ERROR_NO_MEMORY, __func__, NULL);
    *made = (ksReport){.allocator = allocator, .options = chosen};
    if (!copyPattern(&allocator, &made->options.joints)) {
        made->options.limit.joints = NULL;
        ksReportDestroy(made);
        return ksErrorSet(KS_ERROR_NO_MEMORY, __func__, NULL);
    }
    if (!copyPattern(&allocator, &made->options.limit.joints)) {
        ksReportDestroy(made);
        return ksErrorSet(KS_ERROR_NO_MEMORY, __func__, NULL);
    }
    *report = made;
    return KS_OK;
}

static void freeWatcher(const ksAllocator *allocator, ksiWatcher *watcher)
{
    const ksSubscription made[] = {watcher->step, watcher->destruction, watcher->engineStep};
    for (size_t i = 0; watcher->inspector && i < sizeof made / sizeof *made; i++)
        if (made[i])
            (void)!ksInspectorUnsubscribe(watcher->inspector, made[i]);
    ksiSamplerDestroy(watcher->sampler);
    ksiLookerDestroy(watcher->looker);
    ksiNamingDestroy(watcher->naming);
    ksiFree(allocator, watcher);
}

void ksReportDestroy(ksReport *report)
{
    if (!report)
        return;
    const ksAllocator allocator = report->allocator;
    for (size_t i = 0; i < report->watcherCount; i++)
        freeWatcher(&allocator, report->watcher[i]);
    for (size_t i = 0; i < report->worldCount; i++)
        ksiWorldFree(&allocator, report->world[i]);
    ksiFree(&allocator, report->watcher);
    ksiFree(&allocator, report->world);
    ksiFree(&allocator, report->run);
    ksiMapFree(&allocator, &report->metBodies);
    ksiMapFree(&allocator, &report->jointBodies);
    ksiSceneFree(&allocator, &report->scene);
    ksiMapFree(&allocator, &report->runIndex);
    ksiMapFree(&allocator, &report->worldIndex);
    ksiFree(&allocator, (char *)report->options.joints);
    ksiFree(&allocator, (char *)report->options.limit.joints);
    ksiFree(&allocator, report);
}

static void onStep(const ksStepReport *step, void *user)
{
    ksiWatcher *watcher = user;
    ksiStepInfo info;
    // the step counts as omitted if memory is too short to identify its joints
    KSI_GUARD_FP({
        (void)!ksiNamingUpdate(watcher->naming, watcher->inspector);
        ksiStepInfoRead(watcher->inspector, &info);
        info.scene = watcher->looker ? ksiLookerOf(watcher->looker, step->step) : NULL;
        (void)!ksiReportAddStep(watcher->report, watcher->world, watcher->inspector, watcher->naming, &info);
        if (watcher->sampler)
            (void)!ksiSamplerTry(watcher->sampler, watcher->naming, watcher->report, watcher->world);
    });
}

/* Trials leave out exact steps, whose feedback does not come from the engine, and steps of another
 * engine. */
static void onEngineStep(const ksEngineStep *step, void *user)
{
    const ksiWatcher *watcher = user;
    const ksReportOptions *options = &watcher->report->options;
    const bool isInside = step->time >= options->from && step->time < options->to;
    if (watcher->looker && isInside && !step->isDone &&
        ksiMotionWants(&watcher->report->world[watcher->world]->motion, options->frameRate, step->step, step->time))
        KSI_GUARD_FP(ksiLookerLook(watcher->looker, step->step));
    if (watcher->sampler && isInside && step->stepper != KS_EXACT_STEP && step->stepper != KS_FOREIGN_STEP)
        KSI_GUARD_FP(ksiSamplerRecord(watcher->sampler, step));
}

/* Destroys the copy of the world before the engine closes. */
static void onDestroy(void *user)
{
    ksiWatcher *watcher = user;
    ksiSamplerDestroy(watcher->sampler);
    watcher->sampler = NULL;
    watcher->inspector = NULL;
}

static ksStatus subscribe(ksiWatcher *watcher)
{
    ksStatus status = ksInspectorOnDestroy(watcher->inspector, onDestroy, watcher);
    if (status)
        return status;
    watcher->destruction = ksInspectorGetLastSubscription(watcher->inspector);
    status = ksInspectorOnStep(watcher->inspector, onStep, watcher);
    if (!status)
        watcher->step = ksInspectorGetLastSubscription(watcher->inspector);
    return status;
}

/* Subscribes for trials, the animation, or both. The world of an unknown engine is not shown. */
static ksStatus subscribeToEngine(ksiWatcher *watcher)
{
    const unsigned long every = watcher->report->options.adviseEvery;
    if (watcher->report->options.frameRate > 0 && watcher->world < KSI_MOST_MOTIONS)
        watcher->looker = ksiLookerCreate(ksInspectorGetWorld(watcher->inspector));
    if (every > 0 && !(watcher->sampler = ksiSamplerCreate(watcher->inspector, every)))
        return KS_ERROR_NO_MEMORY;
    if (!watcher->sampler && !watcher->looker)
        return KS_OK;
    const ksStatus status = ksInspectorOnEngineStep(watcher->inspector, onEngineStep, watcher);
    if (!status)
        watcher->engineStep = ksInspectorGetLastSubscription(watcher->inspector);
    return status;
}

ksStatus ksReportWatch(ksReport *report, ksInspector *inspector, const char *name)
{
    if (!report || !inspector)
        return KSI_FAIL(KS_ERROR_BAD_ARGUMENT, "%s is NULL", report ? "inspector" : "report");
    const ksAllocator *allocator = &report->allocator;
    ksiWatcher *watcher = NULL;
    if (!ksiReserve(allocator, &report->watcher, &report->watcherCapacity, report->watcherCount + 1,
                    sizeof *report->watcher))
        watcher = ksiRoomMake(allocator, sizeof *watcher);
    if (!watcher)
        return ksErrorSet(KS_ERROR_NO_MEMORY, __func__, NULL);
    *watcher = (ksiWatcher){
        .report = report, .inspector = inspector, .world = report->worldCount, .naming = ksiNamingCreate(allocator)};
    if (!watcher->naming || subscribe(watcher) || subscribeToEngine(watcher) || !ksiWorldMake(report, name)) {
        freeWatcher(allocator, watcher);
        return ksErrorSet(KS_ERROR_NO_MEMORY, __func__, NULL);
    }
    report->watcher[report->watcherCount++] = watcher;
    return KS_OK;
}

ksStatus ksReportCheck(const ksReport *report, const ksReportLimit *limit, size_t *failures)
{
    if (!report || !failures)
        return KSI_FAIL(KS_ERROR_BAD_ARGUMENT, "%s is NULL", report ? "failures" : "report");
    const ksStatus status = limit ? checkLimit(__func__, limit) : KS_OK;
    ksiView view;
    if (status)
        return status;
    bool isMade;
    KSI_GUARD_FP(isMade = ksiViewMake(report, limit, &view));
    if (!isMade)
        return ksErrorSet(KS_ERROR_NO_MEMORY, __func__, NULL);
    const ksiSums sums = view.sums;
    ksiText words = {.allocator = &report->allocator};
    ksiWriteFirstUntold(&view, &words);
    ksiViewFree(&view);
    *failures = sums.failed;
    const ksStatus found = !words.at ? KS_OK : KSI_FAIL(KS_ERROR_UNAVAILABLE, "%s", words.at);
    const bool isShort = words.isShort;
    ksiTextFree(&words);
    return isShort ? ksErrorSet(KS_ERROR_NO_MEMORY, __func__, NULL) : found;
}

void ksiReportForCommand(ksReport *report)
{
    report->isOfCommand = true;
}

void ksiReportGuard(ksReport *report, bool isGuarded)
{
    report->isUnguarded = !isGuarded;
}
