/* check_threads.c  Worlds that step on a pool of threads. */
#include "tests/kits/support.h"

#include <pthread.h>

static const double h = 0.005;

/* A thread pool for a world. */
typedef struct Pool {
    dWorldID world;
    dThreadingImplementationID implementation;
    dThreadingThreadPoolID threads;
} Pool;

static Pool startPool(dWorldID world, unsigned count)
{
    Pool pool = {world, dThreadingAllocateMultiThreadedImplementation(),
                 dThreadingAllocateThreadPool(count, 0, dAllocateFlagBasicData, NULL)};
    ck_assert(pool.implementation && pool.threads);
    dThreadingThreadPoolServeMultiThreadedImplementation(pool.threads, pool.implementation);
    dWorldSetStepThreadingImplementation(world, dThreadingImplementationGetFunctions(pool.implementation),
                                         pool.implementation);
    return pool;
}

static void stopPool(const Pool *pool)
{
    dThreadingImplementationShutdownProcessing(pool->implementation);
    dThreadingFreeThreadPool(pool->threads);
    dWorldSetStepThreadingImplementation(pool->world, NULL, NULL);
    dThreadingFreeImplementation(pool->implementation);
}

/* Steps, and returns whether the solved joints have the bit: all or none of them. */
static bool isSaid(Scene *scene, ksInspector *inspector, ksStepper stepper)
{
    size_t count, solved = 0, said = 0;
    sceneBeforeStep(scene);
    CHECK_OK(inspectedStep(inspector, stepper, h));
    sceneAfterStep(scene);
    const ksReaction *reaction = ksInspectorGetReactions(inspector, &count);
    for (size_t i = 0; i < count; i++) {
        solved += reaction[i].verdict != KS_NOT_SOLVED;
        said += (reaction[i].reasons & KS_REASON_THREADS) != 0;
        ck_assert(reaction[i].verdict != KS_UNCHECKED || reaction[i].reasons != KS_REASON_THREADS);
    }
    ck_assert_uint_gt(solved, 20);
    ck_assert(said == 0 || said == solved);
    return said > 0;
}

/* The note is set for QuickStep while the pool has two or more threads, and nowhere else. */
START_TEST(pools_are_known)
{
    static const unsigned threads[] = {1, 2, 4};
    Scene *scene = sceneRagdolls(4);
    ksInspector *inspector = inspect(scene->world);
    ck_assert(!isSaid(scene, inspector, KS_QUICK_STEP));
    const Pool pool = startPool(scene->world, threads[_i]);
    for (int i = 0; i < 20; i++) {
        ck_assert_int_eq(isSaid(scene, inspector, KS_QUICK_STEP), threads[_i] > 1);
        ck_assert(!isSaid(scene, inspector, KS_WORLD_STEP));
    }
    /* an inspector that is created when the pool exists */
    ksInspector *late = inspect(scene->world);
    ck_assert_int_eq(isSaid(scene, late, KS_QUICK_STEP), threads[_i] > 1);
    ksInspectorDestroy(late);
    stopPool(&pool);
    ck_assert(!isSaid(scene, inspector, KS_QUICK_STEP));
    ksInspectorDestroy(inspector);
    sceneDestroy(scene);
}
END_TEST

START_TEST(own_thread_is_no_pool)
{
    Scene *scene = sceneRagdolls(4);
    ksInspector *inspector = inspect(scene->world);
    dThreadingImplementationID own = giveThreading(scene->world);
    ck_assert(!isSaid(scene, inspector, KS_QUICK_STEP));
    dWorldSetStepThreadingImplementation(scene->world, NULL, NULL);
    dThreadingFreeImplementation(own);
    ksInspectorDestroy(inspector);
    sceneDestroy(scene);
}
END_TEST

/* On a pool dWorldStep differs from run to run by rounding, with or without an inspector; its
 * report explains its motion. */
START_TEST(direct_steps_on_a_pool)
{
    Scene *watched = sceneRagdolls(4);
    ksInspector *inspector = inspect(watched->world);
    const Pool pool = startPool(watched->world, 4);
    for (int i = 0; i < 100; i++) {
        sceneBeforeStep(watched);
        CHECK_OK(ksInspectorStep(inspector, h));
        sceneAfterStep(watched);
        const ksStepReport *report = ksInspectorGetStepReport(inspector);
        ck_assert_uint_eq(report->verdictCount[KS_UNEXPLAINED] + report->verdictCount[KS_UNCHECKED], 0);
    }
    stopPool(&pool);
    ksInspectorDestroy(inspector);
    sceneDestroy(watched);
}
END_TEST

/* Steps a world of its own in a thread of its own. */
static void *stepExactly(void *scene)
{
    dAllocateODEDataForThread((unsigned)dAllocateMaskAll);
    ksInspector *inspector = inspect(((Scene *)scene)->world);
    for (int i = 0; i < 2000; i++)
        CHECK_OK(ksInspectorExactStep(inspector, h));
    ksInspectorDestroy(inspector);
    dCleanupODEAllDataForThread();
    return NULL;
}

/* Both worlds have threading of their own, and share nothing. */
START_TEST(exact_steps_beside_each_other)
{
    enum { WORLDS = 2 };
    Scene *scene[WORLDS];
    dThreadingImplementationID own[WORLDS];
    pthread_t thread[WORLDS];
    for (int i = 0; i < WORLDS; i++) {
        scene[i] = sceneChain(4, SCENE_FALLING);
        own[i] = giveThreading(scene[i]->world);
        ck_assert(!pthread_create(&thread[i], NULL, stepExactly, scene[i]));
    }
    for (int i = 0; i < WORLDS; i++) {
        ck_assert(!pthread_join(thread[i], NULL));
        sceneDestroy(scene[i]);
        dThreadingFreeImplementation(own[i]);
    }
}
END_TEST

int main(void)
{
    TCase *test = tcase_create("threads");
    tcase_add_loop_test(test, pools_are_known, 0, 3);
    tcase_add_test(test, own_thread_is_no_pool);
    tcase_add_test(test, direct_steps_on_a_pool);
    tcase_add_test(test, exact_steps_beside_each_other);
    return runCase("threads", test);
}
