/* worker.c  Runs one job at a time on another thread.
 *
 * The worker or the waiting thread moves the state from POSTED to BEGUN in one atomic exchange.
 * Both poll the state for a while before they sleep; the thread that changes the state checks
 * whether the other sleeps. So each thread writes one of two variables, the state or isAsleep, and
 * then reads the other variable. Sequential consistency gives all these accesses one order, so at
 * least one thread sees what the other has written.
 *
 * A child of fork() has no worker thread and starts none: the thread that waits for a job runs it.
 * A job that had begun before the fork never ends in the child. */
#define _POSIX_C_SOURCE 200809L
#include "worker.h"

#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <string.h>
#include <unistd.h>

enum { IDLE, POSTED, BEGUN };

/* Number of polls before a thread sleeps. They take about ten microseconds, less than a thread
 * needs to fall asleep and wake up. */
enum { LOOKS = 2000 };

typedef struct Sleeper {
    pthread_cond_t wakes;
    atomic_bool isAsleep;
} Sleeper;

struct ksiWorker {
    ksAllocator allocator;
    ksExecutor executor;
    bool isHosts;   /* the host's threads run the jobs */
    bool isAwaited; /* the host's call for the last job may not have returned */
    ksJobFn *fn;
    void *of;
    atomic_int state;
    pthread_t thread;
    bool isStarted, isRefused; /* isStarted: our thread runs; isRefused: no thread could be
                                  started */
    bool isLost;               /* a job had begun before the fork */
    atomic_bool isEnding;
    pid_t process;
    pthread_mutex_t lock;
    Sleeper worker, waiter;
};

static void pauseHere(void)
{
#if defined __x86_64__ || defined __i386__
    __builtin_ia32_pause();
#elif defined __aarch64__
    __asm__ volatile("yield");
#endif
}

static void initLocks(ksiWorker *worker)
{
    pthread_mutex_init(&worker->lock, NULL);
    pthread_cond_init(&worker->worker.wakes, NULL);
    pthread_cond_init(&worker->waiter.wakes, NULL);
    atomic_store(&worker->worker.isAsleep, false);
    atomic_store(&worker->waiter.isAsleep, false);
}

ksStatus ksiWorkerCreate(const ksAllocator *allocator, const ksExecutor *executor, ksJobFn *fn, void *of,
                         ksiWorker **worker)
{
    ksiWorker *made = allocator->resize(allocator->user, NULL, sizeof *made);
    if (!made)
        return KS_ERROR_NO_MEMORY;
    memset(made, 0, sizeof *made);
    made->allocator = *allocator;
    made->isHosts = executor != NULL;
    if (executor)
        made->executor = *executor;
    made->fn = fn;
    made->of = of;
    made->process = getpid();
    atomic_init(&made->state, IDLE);
    atomic_init(&made->isEnding, false);
    initLocks(made);
    *worker = made;
    return KS_OK;
}

static void wake(ksiWorker *worker, Sleeper *sleeper)
{
    if (!atomic_load(&sleeper->isAsleep))
        return;
    pthread_mutex_lock(&worker->lock);
    pthread_cond_signal(&sleeper->wakes);
    pthread_mutex_unlock(&worker->lock);
}

static bool begin(ksiWorker *worker)
{
    int expected = POSTED;
    return atomic_compare_exchange_strong(&worker->state, &expected, BEGUN);
}

static void finish(ksiWorker *worker)
{
    worker->fn(worker->of);
    atomic_store(&worker->state, IDLE);
    wake(worker, &worker->waiter);
}

/* --- A thread of ours --- */

static bool isWanted(ksiWorker *worker)
{
    return atomic_load(&worker->state) == POSTED || atomic_load(&worker->isEnding);
}

static void sleepUntilWanted(ksiWorker *worker)
{
    pthread_mutex_lock(&worker->lock);
    atomic_store(&worker->worker.isAsleep, true);
    while (!isWanted(worker))
        pthread_cond_wait(&worker->worker.wakes, &worker->lock);
    atomic_store(&worker->worker.isAsleep, false);
    pthread_mutex_unlock(&worker->lock);
}

static void *work(void *of)
{
    ksiWorker *worker = of;
    while (!atomic_load(&worker->isEnding)) {
        for (int i = 0; i < LOOKS && !isWanted(worker); i++)
            pauseHere();
        if (!isWanted(worker))
            sleepUntilWanted(worker);
        if (begin(worker))
            finish(worker);
    }
    return NULL;
}

/* Blocks all signals in the new thread, so that the host's threads get them. */
static void start(ksiWorker *worker)
{
    sigset_t all, before;
    sigfillset(&all);
    if (pthread_sigmask(SIG_SETMASK, &all, &before))
        return;
    worker->isStarted = !pthread_create(&worker->thread, NULL, work, worker);
    worker->isRefused = !worker->isStarted;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
}

/* --- The host's threads --- */

static void doForHost(void *of)
{
    ksiWorker *worker = of;
    if (begin(worker))
        finish(worker);
}

/* --- The thread that posts and waits --- */

/* The child of fork() has one thread, so the locks can be initialised again. */
static void lookForFork(ksiWorker *worker)
{
    if (worker->process == getpid())
        return;
    const int state = atomic_load(&worker->state);
    worker->process = getpid();
    worker->isLost |= state == BEGUN || (worker->isHosts && state != IDLE);
    worker->isStarted = false;
    worker->isRefused = true;
    worker->isHosts = worker->isAwaited = false;
    initLocks(worker);
}

bool ksiWorkerIsSound(ksiWorker *worker)
{
    lookForFork(worker);
    return !worker->isLost;
}

void ksiWorkerPost(ksiWorker *worker)
{
    lookForFork(worker);
    if (worker->isLost)
        return;
    atomic_store(&worker->state, POSTED);
    if (worker->isHosts) {
        worker->isAwaited = true;
        worker->executor.post(doForHost, worker, worker->executor.user);
        return;
    }
    if (!worker->isStarted && !worker->isRefused)
        start(worker);
    else
        wake(worker, &worker->worker);
}

static void sleepUntilDone(ksiWorker *worker)
{
    for (int i = 0; i < LOOKS && atomic_load(&worker->state) != IDLE; i++)
        pauseHere();
    if (atomic_load(&worker->state) == IDLE)
        return;
    pthread_mutex_lock(&worker->lock);
    atomic_store(&worker->waiter.isAsleep, true);
    while (atomic_load(&worker->state) != IDLE)
        pthread_cond_wait(&worker->waiter.wakes, &worker->lock);
    atomic_store(&worker->waiter.isAsleep, false);
    pthread_mutex_unlock(&worker->lock);
}

bool ksiWorkerWait(ksiWorker *worker)
{
    if (atomic_load(&worker->state) == IDLE && !worker->isAwaited)
        return !worker->isLost;
    lookForFork(worker);
    if (worker->isLost)
        return false;
    if (worker->isAwaited)
        worker->executor.wait(worker, worker->executor.user);
    // runs a job that the host's executor dropped
    if (begin(worker))
        finish(worker);
    worker->isAwaited = false;
    sleepUntilDone(worker);
    return true;
}

static void end(ksiWorker *worker)
{
    int expected = POSTED;
    if (worker->isHosts)
        (void)ksiWorkerWait(worker);
    else
        (void)atomic_compare_exchange_strong(&worker->state, &expected, IDLE);
    if (!worker->isStarted)
        return;
    pthread_mutex_lock(&worker->lock);
    atomic_store(&worker->isEnding, true);
    pthread_cond_signal(&worker->worker.wakes);
    pthread_mutex_unlock(&worker->lock);
    pthread_join(worker->thread, NULL);
}

void ksiWorkerDestroy(ksiWorker *worker)
{
    if (!worker)
        return;
    lookForFork(worker);
    end(worker);
    pthread_cond_destroy(&worker->worker.wakes);
    pthread_cond_destroy(&worker->waiter.wakes);
    pthread_mutex_destroy(&worker->lock);
    ksiFree(&worker->allocator, worker);
}
