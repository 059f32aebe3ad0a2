/* trial.c  Some steps, made again in a copy of the world with other numbers of iterations. */
#include "trial.h"

#include <pthread.h>
#include <stdlib.h>

static const int tried[] = {10, 20, 50, 100, 200, 500, 1000};
enum { TRIED = sizeof tried / sizeof *tried, OFTEN = 50, SELDOM = 5 };

struct ksiTrial {
    ksInspectorOptions options;
    ksiWorldCopy copy;
};

bool ksiIsTrialStep(uint64_t every, uint64_t step)
{
    const uint64_t now = every == 0 || step / every < OFTEN ? every : SELDOM * every;
    return now > 0 && step % now == now / 2;
}

ksStatus ksiTrialCreate(const ksInspectorOptions *options, const ksiNameList *names, ksiTrial **trial)
{
    ksiTrial *made = calloc(1, sizeof *made);
    if (!made)
        return KS_ERROR_NO_MEMORY;
    made->options = *options;
    // a copy is asked at once, and here
    made->options.latency = KS_SAME_STEP;
    made->options.workers = 0;
    made->options.executor = NULL;
    const ksStatus status = ksiWorldCopyOpen(&made->copy, &made->options);
    if (status) {
        ksiTrialDestroy(made);
        return status;
    }
    made->copy.names = names;
    *trial = made;
    return KS_OK;
}

void ksiTrialDestroy(ksiTrial *trial)
{
    if (!trial)
        return;
    ksiWorldCopyClose(&trial->copy);
    free(trial);
}

/* Random numbers are the process's, and those of the record are wanted. A child of fork() finds the lock free. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void beforeFork(void)
{
    pthread_mutex_lock(&lock);
}

static void afterFork(void)
{
    pthread_mutex_unlock(&lock);
}

static void mindForks(void)
{
    pthread_atfork(beforeFork, afterFork, afterFork);
}

static void stepQuickly(dWorldID world, const ksiStepRecord *record)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, mindForks);
    pthread_mutex_lock(&lock);
    const unsigned long seed = dRandGetSeed();
    dRandSetSeed((unsigned long)record->seed);
    (void)ksiStepOwn(world, KS_QUICK_STEP, record->h);
    dRandSetSeed(seed);
    pthread_mutex_unlock(&lock);
}

static ksStatus tryIterations(const ksiWorldCopy *copy, const ksiStepRecord *record, int iterations,
                              const ksiOriginal *original, ksReport *report, size_t index)
{
    const dWorldID world = ksiReplicaWorld(copy->replica);
    ksStatus status = ksiReplicaBegin(copy->replica, record);
    if (status)
        return status;
    ksiReplicaPrepareStep(copy->replica);
    dWorldSetQuickStepNumIterations(world, iterations);
    status = ksInspectorBeginStep(copy->inspector, KS_QUICK_STEP, record->h);
    if (!status)
        stepQuickly(world, record);
    const ksStatus ended = ksInspectorEndStep(copy->inspector);
    if (status || ended)
        return status == KS_ERROR_NO_MEMORY || ended == KS_ERROR_NO_MEMORY ? KS_ERROR_NO_MEMORY : KS_OK;
    status = ksiWorldCopyName(copy, original);
    return status ? status : ksiReportAdvise(report, index, iterations, copy->inspector, copy->naming);
}

ksStatus ksiTrialMake(ksiTrial *trial, const ksiStepRecord *record, const ksiOriginal *original, ksReport *report,
                      size_t world)
{
    ksStatus status = ksiWorldCopyInspectAnew(&trial->copy, &trial->options);
    for (int i = 0; i < TRIED && !status; i++)
        status = tryIterations(&trial->copy, record, tried[i], original, report, world);
    return status;
}
