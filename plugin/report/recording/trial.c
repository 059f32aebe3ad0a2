/* trial.c  Repeats steps in a copy of the world with other numbers of iterations.
 *
 * A single step starts from the state of the run, which another number of iterations produced. So
 * after inaccurate steps, or at the start of a run, the error of a few iterations may look too
 * small. To avoid this, the copy also makes the next steps of the run with one of the tried numbers
 * of iterations. In these steps the copy has the run's joints, contacts, motors and loads, but its
 * own state.
 *
 * An example is a trial of 100 iterations for a snake on the ground. If the run has 20 iterations,
 * the median error is 0.2 % in a single step and 11 % in the fifth consecutive step. If the run
 * itself has 100 iterations, the median error is 10 %. */
#include "trial.h"

#include "../../base/memory.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

static const int tried[] = {10, 20, 50, 100, 200, 500, 1000};
enum { TRIED = sizeof tried / sizeof *tried, OFTEN = 50, SELDOM = 5 };

/* IN_A_ROW: number of consecutive steps. UNCOUNTED: the first steps of these, which do not
 * count. */
enum { IN_A_ROW = 6, UNCOUNTED = 3 };

/* A body after a step of the copy. */
typedef struct Followed {
    uint64_t number;
    ksiBodyState own, recorded;
} Followed;

struct ksiTrial {
    ksInspectorOptions options;
    ksiWorldCopy copy;
    int iterations; /* iterations of the continuing copy */
    unsigned done;  /* number of consecutive steps so far; IN_A_ROW: the copy is idle */
    uint64_t next;  /* number of the next step of the copy */
    Followed *body;
    size_t bodyCount, bodyCapacity;
};

static uint64_t distance(uint64_t every, uint64_t step)
{
    return every == 0 || step / every < OFTEN ? every : SELDOM * every;
}

bool ksiIsTrialStep(uint64_t every, uint64_t step)
{
    const uint64_t now = distance(every, step);
    return now > 0 && step % now == now / 2;
}

/* Chooses one of the tried numbers of iterations above the run's, the next one in each trial; -1:
 * none. */
static int chooseFollowed(const ksiStepRecord *record, uint64_t every, uint64_t step)
{
    int first = 0;
    while (first < TRIED && tried[first] <= record->iterations)
        first++;
    if (record->stepper != KS_QUICK_STEP || first == TRIED)
        return -1;
    return first + (int)(step / distance(every, step) % (uint64_t)(TRIED - first));
}

ksStatus ksiTrialCreate(const ksInspectorOptions *options, const ksiNameList *names, ksiTrial **trial)
{
    ksiTrial *made = calloc(1, sizeof *made);
    if (!made)
        return KS_ERROR_NO_MEMORY;
    made->options = *options;
    made->done = IN_A_ROW;
    // a copy is read at once, on this thread
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
    ksiFree(&ksiLibraryAllocator, trial->body);
    free(trial);
}

/* The process has one random seed, and a trial needs the record's. A child of fork() finds the lock
 * free. */
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

/* --- The continuing copy --- */

static const ksiBodyRecord *bodiesOf(const ksiStepRecord *record)
{
    return (const ksiBodyRecord *)(const void *)(record + 1);
}

/* Stores the bodies after the copy's step and after the recorded one. Does not follow a world whose
 * bodies come or go. */
static ksStatus keepBodies(ksiTrial *trial, const ksiStepRecord *record)
{
    const ksiBodyResult *end = ksiRecordedEnds(record);
    if (ksiReserve(&ksiLibraryAllocator, &trial->body, &trial->bodyCapacity, record->bodyCount, sizeof *trial->body))
        return KS_ERROR_NO_MEMORY;
    trial->bodyCount = record->bodyCount;
    trial->next = record->step + 1;
    for (size_t i = 0; i < record->bodyCount; i++) {
        trial->body[i] = (Followed){.number = bodiesOf(record)[i].number, .recorded = end[i].state};
        ksiCopyState(ksiReplicaBody(trial->copy.replica, i), &trial->body[i].own);
        if (!end[i].isAlive)
            trial->done = IN_A_ROW;
    }
    return KS_OK;
}

static bool isLeftAlone(const ksiBodyState *end, const ksiBodyState *begin)
{
    return memcmp(end->centre, begin->centre, sizeof end->centre) == 0 &&
           memcmp(end->quaternion, begin->quaternion, sizeof end->quaternion) == 0 &&
           memcmp(end->velocity, begin->velocity, sizeof end->velocity) == 0 &&
           memcmp(end->spin, begin->spin, sizeof end->spin) == 0;
}

static bool isNext(const ksiTrial *trial, const ksiStepRecord *record)
{
    bool isSame =
        record->step == trial->next && record->stepper == KS_QUICK_STEP && record->bodyCount == trial->bodyCount;
    for (size_t i = 0; isSame && i < trial->bodyCount; i++)
        isSame = bodiesOf(record)[i].number == trial->body[i].number;
    return isSame;
}

/* Continues from the copy's own state, except for bodies that the program has moved. */
static void goOn(const ksiTrial *trial, const ksiStepRecord *record)
{
    for (size_t i = 0; i < trial->bodyCount; i++) {
        const ksiBodyState *begin = &bodiesOf(record)[i].copy.state;
        ksiBodyState state = trial->body[i].own;
        if (!isLeftAlone(&trial->body[i].recorded, begin))
            continue;
        state.flags = begin->flags;
        state.mark = begin->mark;
        ksiPasteState(&state, ksiReplicaBody(trial->copy.replica, i));
    }
}

/* --- Trials --- */

/* Destination of the results. */
typedef struct Target {
    const ksiOriginal *original;
    ksReport *report;
    size_t world;
    int how; /* KSI_TRIALS: the results are dropped */
} Target;

static ksStatus makeStep(const ksiTrial *trial, const ksiStepRecord *record, int iterations, const Target *target)
{
    const ksiWorldCopy *copy = &trial->copy;
    const dWorldID world = ksiReplicaWorld(copy->replica);
    ksStatus status = ksiReplicaBegin(copy->replica, record);
    if (status)
        return status;
    if (target->how != KSI_ALONE)
        goOn(trial, record);
    ksiReplicaPrepareStep(copy->replica);
    dWorldSetQuickStepNumIterations(world, iterations);
    status = ksInspectorBeginStep(copy->inspector, KS_QUICK_STEP, record->h);
    if (!status)
        stepQuickly(world, record);
    const ksStatus ended = ksInspectorEndStep(copy->inspector);
    if (status || ended)
        return status == KS_ERROR_NO_MEMORY || ended == KS_ERROR_NO_MEMORY ? KS_ERROR_NO_MEMORY : KS_OK;
    status = ksiWorldCopyName(copy, target->original);
    return status || target->how == KSI_TRIALS
               ? status
               : ksiReportAdvise(target->report, target->world, iterations, target->how, copy->inspector, copy->naming);
}

ksStatus ksiTrialMake(ksiTrial *trial, const ksiStepRecord *record, uint64_t every, uint64_t step,
                      const ksiOriginal *original, ksReport *report, size_t world)
{
    const Target target = {original, report, world, KSI_ALONE};
    const int last = chooseFollowed(record, every, step);
    // an inspector that has not seen enough steps estimates net errors by sweeps
    ksStatus status = ksiWorldCopyInspectAnew(&trial->copy, &trial->options);
    for (int i = 1; i <= TRIED && !status; i++)
        status = makeStep(trial, record, tried[(last + i) % TRIED], &target);
    trial->done = IN_A_ROW;
    if (status || last < 0)
        return status;
    trial->iterations = tried[last];
    trial->done = 0;
    return keepBodies(trial, record);
}

ksStatus ksiTrialFollow(ksiTrial *trial, const ksiStepRecord *record, const ksiOriginal *original, ksReport *report,
                        size_t world)
{
    if (!ksiTrialIsFollowing(trial) || !isNext(trial, record)) {
        ksiTrialStop(trial);
        return KS_OK;
    }
    const Target target = {original, report, world, trial->done < UNCOUNTED ? KSI_TRIALS : KSI_IN_A_ROW};
    const ksStatus status = makeStep(trial, record, trial->iterations, &target);
    trial->done++;
    return status || !ksiTrialIsFollowing(trial) ? status : keepBodies(trial, record);
}

bool ksiTrialIsFollowing(const ksiTrial *trial)
{
    return trial && trial->done < IN_A_ROW;
}

void ksiTrialStop(ksiTrial *trial)
{
    if (trial)
        trial->done = IN_A_ROW;
}
