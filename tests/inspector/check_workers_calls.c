/* check_workers_calls.c  Inspectors with several workers: their options, the threads that help,
 * lack of memory, the end, a fork. */
#include "tests/kits/workers_kit.h"

#include "tests/kits/inside_kit.h"
#include "tests/kits/memory_kit.h"

#include "plugin/base/sanitizer.h"

#include <sys/wait.h>
#include <unistd.h>

static const double h = 0.005;

/* --- Options --- */

START_TEST(bad_arguments)
{
    dWorldID world = heavyWorld();
    static const int wrong[] = {-1, KSI_MOST_WORKERS + 1, -2147483647, 2147483647};
    for (int i = 0; i < (int)(sizeof wrong / sizeof *wrong); i++) {
        ksInspectorOptions options = defaultOptions();
        ksInspector *inspector = NULL;
        options.workers = wrong[i];
        CHECK_STATUS(ksInspectorCreate(world, &options, &inspector), KS_ERROR_BAD_ARGUMENT);
        ck_assert_ptr_null(inspector);
        ck_assert_ptr_nonnull(strstr(ksErrorMessage(), "options->workers is "));
    }
    for (int workers = 0; workers <= KSI_MOST_WORKERS; workers += KSI_MOST_WORKERS / 4) {
        ksInspectorOptions options = defaultOptions();
        options.workers = workers;
        ksInspector *inspector = inspectWith(world, &options);
        ck_assert_int_eq(ksInspectorGetOptions(inspector)->workers, workers);
        ksInspectorDestroy(inspector);
    }
    ck_assert_int_eq(defaultOptions().workers, 0);
    dWorldDestroy(world);
}
END_TEST

/* With little work, or one large island, no thread is asked to help; otherwise at most as many as
 * there are parts. */
START_TEST(who_is_asked)
{
    Scene *scene[] = {sceneChain(400, SCENE_FALLING), sceneRagdolls(3), sceneRagdolls(30)};
    const int expected[] = {0, 0, 1};
    for (int i = 0; i < 3; i++) {
        Pool pool = {.timing = WHEN_AWAITED};
        ksInspectorOptions options = defaultOptions();
        ksInspector *inspector = inspectBy(scene[i]->world, &options, 9, &pool);
        for (int k = 0; k < 5; k++)
            CHECK_OK(ksInspectorQuickStep(inspector, h));
        ck_assert_int_eq(pool.posts, 5 * expected[i]);
        ck_assert_int_eq(pool.together, expected[i]);
        ksInspectorDestroy(inspector);
        sceneDestroy(scene[i]);
    }
}
END_TEST

/* Seconds are sums over all threads. */
START_TEST(times_of_phases)
{
    Pool pool = {.timing = (Timing)_i};
    ksInspectorOptions options = defaultOptions();
    Crowd *crowd = makeCrowd(CROWD);
    ksInspector *inspector = inspectBy(crowd->world, &options, 3, &pool);
    CHECK_OK(ksInspectorQuickStep(inspector, h));
    const ksStepReport *report = ksInspectorGetStepReport(inspector);
    for (int phase = KS_PHASE_SNAPSHOT; phase <= KS_PHASE_PHYSICAL; phase++)
        ck_assert(phase == KS_PHASE_CALLBACKS || report->seconds[phase] > 0);
    ck_assert_double_eq(report->seconds[KS_PHASE_PAULUS], insideLaneSeconds(inspector, KS_PHASE_PAULUS));
    ksInspectorDestroy(inspector);
    freeCrowd(crowd);
}
END_TEST

/* --- Memory --- */

/* Numbers of joints that were left out for lack of memory, and of the others. */
typedef struct Left {
    int out, judged;
} Left;

static Left countLeft(const ksInspector *inspector)
{
    Left left = {0};
    size_t count;
    const ksReaction *reaction = ksInspectorGetReactions(inspector, &count);
    for (size_t i = 0; i < count; i++) {
        left.out += (reaction[i].reasons & KS_REASON_MEMORY) != 0;
        left.judged += reaction[i].verdict != KS_UNCHECKED && reaction[i].rowCount > 0;
    }
    return left;
}

static long stepWithout(long refuse, Timing timing, ksLatency latency, bool *isPartial)
{
    Counter counter = {.refuse = refuse};
    Pool pool = {.timing = timing};
    Scene *scene = sceneLoops(30, 1, COUPLER_HINGED);
    ksInspectorOptions options = defaultOptions();
    options.allocator = (ksAllocator){countingResize, &counter};
    options.latency = latency;
    options.workers = 3;
    options.executor = timing == ON_ITS_THREADS ? NULL : &(ksExecutor){postJob, awaitJob, &pool};
    pthread_mutex_init(&pool.lock, NULL);
    ksInspector *inspector = NULL;
    const bool isCreated = ksInspectorCreate(scene->world, &options, &inspector) == KS_OK;
    for (int i = 0; isCreated && i < 3; i++) {
        const ksStatus status = ksInspectorQuickStep(inspector, h), later = ksInspectorFlush(inspector);
        ck_assert(status == KS_OK || status == KS_ERROR_NO_MEMORY);
        ck_assert(later == KS_OK || later == KS_ERROR_NO_MEMORY);
        ck_assert_int_eq(ksInspectorGetStepReport(inspector)->inspected, !status && !later);
        const Left left = countLeft(inspector);
        *isPartial |= left.out > 0 && left.judged > left.out;
        ck_assert(left.out == 0 || status || later);
    }
    // the last step is complete
    if (isCreated && refuse < counter.requests - 1)
        ck_assert_int_eq(countLeft(inspector).judged, scene->jointCount);
    ksInspectorDestroy(inspector);
    ck_assert_int_eq(counter.held, 0);
    sceneDestroy(scene);
    return counter.requests;
}

/* Lack of memory costs some islands, or the step, and never more. */
START_TEST(memory_runs_out)
{
    const Timing timing = (Timing)(_i / 2);
    const ksLatency latency = _i % 2 ? KS_NEXT_STEP : KS_SAME_STEP;
    bool isPartial = false;
    const long all = stepWithout(0, timing, latency, &isPartial);
    ck_assert(!isPartial);
    ck_assert_int_gt(all, 100);
    for (long n = 1; n <= all; n += n < 40 ? 1 : 11)
        stepWithout(n, timing, latency, &isPartial);
    ck_assert(isPartial);
}
END_TEST

/* No allocation in the steady state, whichever thread takes which part. */
START_TEST(allocation)
{
    Counter counter = {.refuse = 0};
    Pool pool = {.timing = (Timing)(_i / 2)};
    ksInspectorOptions options = defaultOptions();
    options.allocator = (ksAllocator){countingResize, &counter};
    options.latency = _i % 2 ? KS_NEXT_STEP : KS_SAME_STEP;
    Scene *scene = sceneLoops(60, 1, COUPLER_HINGED);
    ksInspector *inspector = inspectBy(scene->world, &options, 3, &pool);
    long before = 0;
    for (int i = 0; i < 40; i++) {
        if (i == 20) {
            CHECK_OK(ksInspectorFlush(inspector));
            before = counter.requests;
        }
        CHECK_OK(ksInspectorQuickStep(inspector, h));
    }
    CHECK_OK(ksInspectorFlush(inspector));
    ck_assert_int_eq(counter.requests, before);
    ksInspectorDestroy(inspector);
    ck_assert_int_eq(counter.held, 0);
    sceneDestroy(scene);
}
END_TEST

/* --- Threads and processes --- */

/* At any moment: before the first step, while a step is inspected, in a bracket, after the
 * world. */
START_TEST(destroyed)
{
    Pool pool = {.timing = (Timing)(_i / 4)};
    ksInspectorOptions options = defaultOptions();
    options.latency = _i % 2 ? KS_NEXT_STEP : KS_SAME_STEP;
    Crowd *crowd = makeCrowd(CROWD);
    ksInspector *inspector = inspectBy(crowd->world, &options, 4, &pool);
    for (int i = 0; i < _i % 4; i++)
        CHECK_OK(ksInspectorQuickStep(inspector, h));
    if (_i % 4 == 2) {
        CHECK_OK(ksInspectorBeginStep(inspector, KS_QUICK_STEP, h));
        ksInspectorDestroy(inspector);
        ck_assert(dWorldQuickStep(crowd->world, h));
        freeCrowd(crowd);
    } else {
        freeCrowd(crowd);
        ksInspectorDestroy(inspector);
    }
    ck_assert_int_eq(pool.posts, pool.waits);
}
END_TEST

#ifndef KSI_ADDRESS_SANITIZER
/* The errors of all joints, which a child reports. */
static double sumOfErrors(const ksInspector *inspector)
{
    size_t count;
    double sum = 0;
    const ksReaction *reaction = ksInspectorGetReactions(inspector, &count);
    for (size_t i = 0; i < count; i++)
        sum += reaction[i].verdict == KS_UNCHECKED ? 1e6 : reaction[i].error + reaction[i].physical[0].force[2];
    return sum;
}

/* The child has no workers, and gets the results of its parent. */
START_TEST(forked)
{
    Pool pool = {.timing = (Timing)(_i / 2)};
    ksInspectorOptions options = defaultOptions();
    options.latency = _i % 2 ? KS_NEXT_STEP : KS_SAME_STEP;
    Scene *scene = sceneRagdolls(60);
    ksInspector *inspector = inspectBy(scene->world, &options, 3, &pool);
    int channel[2];
    double sum[3], found[3];
    ck_assert(!pipe(channel));
    CHECK_OK(ksInspectorQuickStep(inspector, h));
    CHECK_OK(ksInspectorFlush(inspector));
    const pid_t child = fork();
    for (int i = 0; i < 3; i++) {
        const ksStatus status = ksInspectorQuickStep(inspector, h);
        sum[i] = status ? NAN : sumOfErrors(inspector);
    }
    ksInspectorDestroy(inspector);
    sceneDestroy(scene);
    if (child == 0)
        _exit(write(channel[1], sum, sizeof sum) != sizeof sum);
    int status;
    ck_assert_int_eq(waitpid(child, &status, 0), child);
    ck_assert(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    ck_assert_int_eq(read(channel[0], found, sizeof found), sizeof found);
    ck_assert_mem_eq(sum, found, sizeof sum);
    ck_assert(!isnan(sum[2]));
    close(channel[0]);
    close(channel[1]);
}
END_TEST
#endif

int main(void)
{
    Suite *suite = suite_create("workers_calls");
    TCase *calls = tcase_create("calls");
    tcase_add_test(calls, bad_arguments);
    tcase_add_test(calls, who_is_asked);
    tcase_add_loop_test(calls, times_of_phases, 0, TIMINGS);
    tcase_add_loop_test(calls, memory_runs_out, 0, 2);
    tcase_add_loop_test(calls, allocation, 0, 2 * TIMINGS);
    tcase_add_loop_test(calls, destroyed, 0, 4 * TIMINGS);
#ifndef KSI_ADDRESS_SANITIZER
    // a sanitizer's own locks do not survive a fork beside a thread
    TCase *forks = tcase_create("forks");
    tcase_set_tags(forks, "fork");
    tcase_add_loop_test(forks, forked, 0, 2 * TIMINGS);
    suite_add_tcase(suite, forks);
#endif
    suite_add_tcase(suite, calls);
    TCase *more = tcase_create("long");
    tcase_set_tags(more, "long");
    tcase_add_loop_test(more, memory_runs_out, 2, 2 * WHEN_AWAITED + 2);
    suite_add_tcase(suite, more);
    return runSuite(suite);
}
