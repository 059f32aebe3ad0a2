/* check_deferred_memory.c  Deferred inspection: allocations, and lack of memory. */
#include "tests/kits/deferred_kit.h"
#include "tests/kits/memory_kit.h"

static const double h = 0.005;

static long stepWithout(long refuse, Timing timing, bool *isCreated)
{
    Counter counter = {.refuse = refuse};
    Executor executor = {.timing = timing};
    Scene *scene = sceneChain(5, SCENE_FALLING);
    const ksExecutor callbacks = {postJob, awaitJob, &executor};
    ksInspectorOptions options = defaultOptions();
    options.allocator = (ksAllocator){countingResize, &counter};
    options.latency = KS_NEXT_STEP;
    options.executor = timing == ON_ITS_THREAD ? NULL : &callbacks;
    ksInspector *inspector = NULL;
    *isCreated = ksInspectorCreate(scene->world, &options, &inspector) == KS_OK;
    bool isRefused = !*isCreated;
    for (int i = 0; *isCreated && i < 8; i++) {
        const ksStatus status = ksInspectorQuickStep(inspector, h), later = ksInspectorFlush(inspector);
        ck_assert(status == KS_OK || status == KS_ERROR_NO_MEMORY);
        ck_assert(later == KS_OK || later == KS_ERROR_NO_MEMORY);
        isRefused |= status != KS_OK || later != KS_OK;
        ck_assert_int_eq(ksInspectorGetStepReport(inspector)->inspected, !status && !later);
        ck_assert_ptr_null(dJointGetFeedback(scene->joint[0]));
    }
    // the last steps are complete
    if (*isCreated)
        ck_assert_int_eq(ksInspectorGetStepReport(inspector)->inspected, 1);
    ck_assert_int_eq(isRefused, refuse > 0 && counter.requests >= refuse);
    ksInspectorDestroy(inspector);
    ck_assert_int_eq(counter.held, 0);
    sceneDestroy(scene);
    return counter.requests;
}

START_TEST(memory_runs_out)
{
    bool isCreated;
    const long all = stepWithout(0, (Timing)_i, &isCreated);
    ck_assert(isCreated);
    ck_assert_int_gt(all, 20);
    for (long n = 1; n <= all; n++)
        stepWithout(n, (Timing)_i, &isCreated);
}
END_TEST

static void ignore(const ksStepReport *report, void *user)
{
    (void)report, (void)user;
}

/* No allocation in the steady state. */
START_TEST(allocation)
{
    Counter counter = {.refuse = 0};
    Executor executor = {.timing = (Timing)_i};
    ksInspectorOptions options = defaultOptions();
    options.allocator = (ksAllocator){countingResize, &counter};
    Scene *scene = sceneChain(20, SCENE_FALLING);
    ksInspector *inspector = inspectLater(scene->world, &options, &executor);
    CHECK_OK(ksInspectorOnStep(inspector, ignore, NULL));
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
    sceneDestroy(scene);
}
END_TEST

int main(void)
{
    TCase *tcase = tcase_create("deferred memory");
    tcase_add_loop_test(tcase, memory_runs_out, 0, WHEN_AWAITED + 1);
    tcase_add_loop_test(tcase, allocation, 0, TIMINGS);
    return runCase("deferred memory", tcase);
}
