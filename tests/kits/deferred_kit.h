/* deferred_kit.h  Inspectors with deferred inspection: on their own thread, or on executors that
 * are early, late, or slow. */
#ifndef TESTS_KITS_DEFERRED_KIT_H
#define TESTS_KITS_DEFERRED_KIT_H

#define _POSIX_C_SOURCE 200809L
#include "same_kit.h"

#include <pthread.h>
#include <time.h>

/* When and where a job runs. */
typedef enum Timing { ON_ITS_THREAD, WHEN_POSTED, WHEN_AWAITED, SLOWLY, NEVER, TIMINGS } Timing;

/* An executor of one job at a time. */
typedef struct Executor {
    Timing timing;
    ksJobFn *fn;
    void *job;
    pthread_t thread;
    unsigned random;
    int posts, waits;
} Executor;

/* The job takes up to a few steps' time. */
static inline void *runSlowly(void *of)
{
    Executor *executor = of;
    executor->random = executor->random * 1103515245u + 12345u;
    const struct timespec delay = {0, (long)(executor->random >> 16) % 300 * 1000};
    nanosleep(&delay, NULL);
    executor->fn(executor->job);
    return NULL;
}

static inline void postJob(ksJobFn *fn, void *job, void *user)
{
    Executor *executor = user;
    executor->fn = fn;
    executor->job = job;
    executor->posts++;
    if (executor->timing == WHEN_POSTED)
        fn(job);
    if (executor->timing == SLOWLY)
        ck_assert(!pthread_create(&executor->thread, NULL, runSlowly, executor));
}

static inline void awaitJob(void *job, void *user)
{
    Executor *executor = user;
    executor->waits++;
    ck_assert_ptr_eq(executor->job, job);
    if (executor->timing == WHEN_AWAITED)
        executor->fn(job);
    if (executor->timing == SLOWLY)
        ck_assert(!pthread_join(executor->thread, NULL));
}

/* The function changes `options`. */
static inline ksInspector *inspectLater(dWorldID world, ksInspectorOptions *options, Executor *executor)
{
    const ksExecutor callbacks = {postJob, awaitJob, executor};
    options->latency = KS_NEXT_STEP;
    options->executor = executor->timing == ON_ITS_THREAD ? NULL : &callbacks;
    return inspectWith(world, options);
}

#endif
