/* judge.c  Recorded steps of one world, judged in a copy of it.
 *
 * The judgement of a step needs no more than its record and the one before. So steps are judged in windows of a fixed size, each by
 * a fresh inspector that has seen the last record of the window before: whoever judges the windows, in whatever order, finds the
 * same. */
#include "judge.h"

#include "../replay/replica.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

static const int tried[] = {10, 20, 50, 100, 200, 500, 1000};
enum { TRIED = sizeof tried / sizeof *tried, OFTEN = 50, SELDOM = 5 };

/* A copy of the world and its inspector. */
typedef struct Copy {
    ksiReplica *replica;
    ksInspector *inspector;
    ksiNaming *naming;
} Copy;

struct ksiJudge {
    ksiJudgeOptions options;
    ksReport *report;
    size_t world;
    Copy seen, stepped;  /* as it was recorded; made again */
    ksiStepRecord *last; /* of a window, for the next one */
    size_t lastCapacity;
    uint64_t judged;
    ksiFill fill;
    bool isFull; /* the window: the next record begins another */
};

void ksiJudgeOptionsInit(ksiJudgeOptions *options)
{
    *options = (ksiJudgeOptions){.adviseEvery = 20};
    ksInspectorOptionsInit(&options->inspector);
    options->inspector.estimateSweeps = 40;  // nobody waits for it
}

static void closeCopy(Copy *copy)
{
    ksInspectorDestroy(copy->inspector);
    ksiReplicaDestroy(copy->replica);
    ksiNamingDestroy(copy->naming);
}

static ksStatus inspectAnew(Copy *copy, const ksInspectorOptions *options)
{
    ksInspectorDestroy(copy->inspector);
    copy->inspector = NULL;
    return ksInspectorCreate(ksiReplicaWorld(copy->replica), options, &copy->inspector);
}

static ksStatus openCopy(Copy *copy, const ksInspectorOptions *options)
{
    copy->naming = ksiNamingCreate(NULL);
    const ksStatus status = copy->naming ? ksiReplicaCreate(&copy->replica) : KS_ERROR_NO_MEMORY;
    return status ? status : inspectAnew(copy, options);
}

ksStatus ksiJudgeCreate(const ksiJudgeOptions *options, ksReport *report, size_t world, ksiJudge **judge)
{
    ksiJudge *made = calloc(1, sizeof *made);
    if (!made)
        return KS_ERROR_NO_MEMORY;
    made->options = *options;
    made->report = report;
    made->world = world;
    ksStatus status = openCopy(&made->seen, &options->inspector);
    if (!status && options->adviseEvery > 0)
        status = openCopy(&made->stepped, &options->inspector);
    if (status) {
        ksiJudgeDestroy(made);
        return status;
    }
    *judge = made;
    return KS_OK;
}

void ksiJudgeDestroy(ksiJudge *judge)
{
    if (!judge)
        return;
    closeCopy(&judge->seen);
    closeCopy(&judge->stepped);
    free(judge->last);
    free(judge);
}

const ksInspector *ksiJudgeInspector(const ksiJudge *judge)
{
    return judge->seen.inspector;
}

const ksiNaming *ksiJudgeNaming(const ksiJudge *judge)
{
    return judge->seen.naming;
}

/* --- One step --- */

/* What an inspector of the recorded world would have found. */
static ksStatus see(const Copy *copy, const ksiStepRecord *record)
{
    const ksStatus status = ksiReplicaBegin(copy->replica, record);
    if (status)
        return status;
    const ksStatus begun = ksInspectorBeginStep(copy->inspector, (ksStepper)record->stepper, record->h);
    ksiReplicaEnd(copy->replica, record);
    const ksStatus ended = ksInspectorEndStep(copy->inspector);
    return begun == KS_ERROR_NO_MEMORY || ended == KS_ERROR_NO_MEMORY ? KS_ERROR_NO_MEMORY : KS_OK;
}

static ksStatus setNumbers(const Copy *copy, const ksReaction *reaction)
{
    ksiReplicaJoint joint;
    if (!ksiReplicaIdentify(copy->replica, reaction->joint, &joint))
        return KS_OK;
    ksStatus status = ksiNamingSetJoint(copy->naming, reaction->joint, (int)joint.number);
    for (int side = 0; side < 2 && !status; side++)
        if (joint.body[side] > 0 && reaction->body[side])
            status = ksiNamingSetBody(copy->naming, reaction->body[side], (int)joint.body[side]);
    return status;
}

/* As the recorder has counted. */
static ksStatus name(const Copy *copy)
{
    size_t count;
    const ksReaction *reaction = ksInspectorGetReactions(copy->inspector, &count);
    ksStatus status = KS_OK;
    for (size_t i = 0; i < count && !status; i++)
        status = setNumbers(copy, &reaction[i]);
    return status ? status : ksiNamingUpdate(copy->naming, copy->inspector);
}

/* Random numbers are the process's, and those of the record are wanted. */
static void stepQuickly(dWorldID world, const ksiStepRecord *record)
{
    static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    pthread_mutex_lock(&lock);
    dRandSetSeed((unsigned long)record->seed);
    (void)dWorldQuickStep(world, record->h);
    pthread_mutex_unlock(&lock);
}

/* The same step by so many iterations. */
static ksStatus tryIterations(ksiJudge *judge, const ksiStepRecord *record, int iterations)
{
    const Copy *copy = &judge->stepped;
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
    status = name(copy);
    return status ? status : ksiReportAdvise(judge->report, judge->world, iterations, copy->inspector, copy->naming);
}

static ksStatus advise(ksiJudge *judge, const ksiStepRecord *record)
{
    const uint64_t every = judge->judged < OFTEN * judge->options.adviseEvery ? judge->options.adviseEvery
                                                                              : SELDOM * judge->options.adviseEvery;
    ksStatus status = KS_OK;
    if (every == 0 || judge->judged % every != every / 2)
        return KS_OK;
    for (int i = 0; i < TRIED && !status; i++)
        status = tryIterations(judge, record, tried[i]);
    return status;
}

static ksStatus add(ksiJudge *judge, const ksiStepRecord *record)
{
    const ksiStepInfo info = {.step = record->step,
                              .time = record->time,
                              .stepSize = record->h,
                              .stepper = (ksStepper)record->stepper,
                              .iterations = record->iterations,
                              .erp = record->erp,
                              .cfm = record->cfm};
    ksStatus status = ksiReportAddStep(judge->report, judge->world, judge->seen.inspector, judge->seen.naming, &info);
    if (!status)
        status = advise(judge, record);
    judge->judged++;
    return status;
}

/* --- Windows --- */

static ksStatus keep(ksiJudge *judge, const ksiStepRecord *record)
{
    if (record->bytes > judge->lastCapacity) {
        void *room = realloc(judge->last, record->bytes);
        if (!room)
            return KS_ERROR_NO_MEMORY;
        judge->last = room;
        judge->lastCapacity = record->bytes;
    }
    memcpy(judge->last, record, record->bytes);
    return KS_OK;
}

bool ksiFillWindow(ksiFill *fill, size_t bytes)
{
    fill->records++;
    fill->bytes += bytes;
    if (fill->records < KSI_WINDOW && fill->bytes < KSI_WINDOW_BYTES)
        return false;
    *fill = (ksiFill){0, 0};
    return true;
}

ksStatus ksiJudgeSeek(ksiJudge *judge, uint64_t judged, const ksiStepRecord *last)
{
    judge->judged = judged;
    judge->isFull = true;
    return keep(judge, last);
}

static ksStatus beginWindow(ksiJudge *judge)
{
    ksStatus status = inspectAnew(&judge->seen, &judge->options.inspector);
    if (!status && judge->stepped.replica)
        status = inspectAnew(&judge->stepped, &judge->options.inspector);
    return status ? status : see(&judge->seen, judge->last);
}

ksStatus ksiJudgeStep(ksiJudge *judge, const ksiStepRecord *record)
{
    ksStatus status = KS_OK;
    if (judge->isFull)
        status = beginWindow(judge);
    if (!status)
        status = see(&judge->seen, record);
    if (!status && ksInspectorGetStepReport(judge->seen.inspector))
        status = name(&judge->seen);
    if (!status && !record->isExtra)
        status = add(judge, record);
    judge->isFull = ksiFillWindow(&judge->fill, record->bytes);
    if (!status && judge->isFull)
        status = keep(judge, record);
    return status;
}
