/* judge.c  Judges the recorded steps of one world in a copy of it.
 *
 * To judge a step, an inspector needs its record, the record before it, and the records that its
 * means cover. So the records of a world are divided into windows. A fresh inspector judges each
 * window, after it has seen the earlier records that it needs. The result does not depend on the
 * order in which windows are judged. */
#include "judge.h"

#include "trial.h"

#include "../../base/clock.h"
#include "../../base/memory.h"

#include <stdlib.h>
#include <string.h>

const char ksiJudgedElsewhere[] = "judged by another build of the engine than the one that made the steps";

struct ksiJudge {
    ksiJudgeOptions options;
    ksReport *report;
    size_t world;
    ksiWorldCopy seen; /* the copy that makes the steps as they were recorded */
    ksiTrial *trial;   /* repeats steps with other iterations; or NULL */
    ksiLead lead;
    uint64_t judged;
    ksiFill fill;
    bool isFull; /* the next record begins another window */
};

void ksiJudgeOptionsInit(ksiJudgeOptions *options)
{
    *options = (ksiJudgeOptions){.adviseEvery = 20};
    ksInspectorOptionsInit(&options->inspector);
    options->inspector.estimateSweeps = 40;  // nobody waits for the result
}

ksStatus ksiJudgeCreate(const ksiJudgeOptions *options, ksReport *report, size_t world, ksiJudge **judge)
{
    ksiJudge *made = calloc(1, sizeof *made);
    if (!made)
        return KS_ERROR_NO_MEMORY;
    made->options = *options;
    made->report = report;
    made->world = world;
    ksStatus status = ksiWorldCopyOpen(&made->seen, &options->inspector);
    made->seen.names = options->names;
    if (!status && options->adviseEvery > 0)
        status = ksiTrialCreate(&options->inspector, options->names, &made->trial);
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
    ksiWorldCopyClose(&judge->seen);
    ksiTrialDestroy(judge->trial);
    ksiLeadFree(&judge->lead);
    free(judge);
}

ksInspector *ksiJudgeInspector(const ksiJudge *judge)
{
    return judge->seen.inspector;
}

const ksiNaming *ksiJudgeNaming(const ksiJudge *judge)
{
    return judge->seen.naming;
}

const char *ksiWhyNotJudged(ksStatus status)
{
    return status == KS_ERROR_NO_MEMORY            ? "out of memory"
           : status == KS_ERROR_UNSUPPORTED_ENGINE ? "no world of the engine can match the record"
                                                   : ksErrorMessage();
}

/* --- One step --- */

/* Reproduces the findings of an inspector of the recorded world. */
static ksStatus see(const ksiWorldCopy *copy, const ksiStepRecord *record)
{
    const ksStatus status = ksiReplicaBegin(copy->replica, record);
    if (status)
        return status;
    const ksStatus begun = ksInspectorBeginStep(copy->inspector, (ksStepper)record->stepper, record->h);
    ksiReplicaEnd(copy->replica, record);
    const ksStatus ended = ksInspectorEndStep(copy->inspector);
    return begun == KS_ERROR_NO_MEMORY || ended == KS_ERROR_NO_MEMORY ? KS_ERROR_NO_MEMORY : KS_OK;
}

static ksStatus tryStep(ksiJudge *judge, const ksiStepRecord *record)
{
    const ksiJudgeOptions *options = &judge->options;
    // another engine's step cannot be repeated
    if (record->stepper == KS_FOREIGN_STEP)
        return KS_OK;
    const bool isTrial = ksiIsTrialStep(options->adviseEvery, judge->judged);
    if (!isTrial && !ksiTrialIsFollowing(judge->trial))
        return KS_OK;
    if (options->mayTry && !options->mayTry(options->user, record->seconds)) {
        // a gap ends a series of consecutive steps
        ksiTrialStop(judge->trial);
        return KS_OK;
    }
    const double begun = options->haveTried ? ksiProcessorTime() : 0;
    const ksStatus status = isTrial ? ksiTrialMake(judge->trial, record, options->adviseEvery, judge->judged, NULL,
                                                   judge->report, judge->world)
                                    : ksiTrialFollow(judge->trial, record, NULL, judge->report, judge->world);
    if (options->haveTried)
        options->haveTried(options->user, ksiProcessorTime() - begun);
    return status;
}

static ksStatus add(ksiJudge *judge, const ksiStepRecord *record)
{
    const ksiStepInfo info = {.step = record->step,
                              .time = record->time,
                              .stepSize = record->h,
                              .stepper = (ksStepper)record->stepper,
                              .iterations = (int)record->iterations,
                              .erp = record->erp,
                              .cfm = record->cfm,
                              .record = record};
    ksStatus status = ksiReportAddStep(judge->report, judge->world, judge->seen.inspector, judge->seen.naming, &info);
    if (!status && judge->trial)
        status = tryStep(judge, record);
    judge->judged++;
    return status;
}

/* --- Windows --- */

bool ksiFillWindow(ksiFill *fill, double window, double h, size_t bytes)
{
    fill->records++;
    fill->bytes += bytes;
    fill->seconds += h;
    const bool isLong = fill->records >= KSI_WINDOW && fill->seconds >= KSI_WINDOW_LEADS * window;
    if (!isLong && fill->bytes < KSI_WINDOW_BYTES)
        return false;
    *fill = (ksiFill){0, 0, 0};
    return true;
}

ksStatus ksiJudgeSeek(ksiJudge *judge, uint64_t judged, const ksiLead *lead)
{
    judge->judged = judged;
    judge->isFull = ksiLeadNext(lead, NULL) != NULL;
    return ksiLeadCopy(lead, &judge->lead);
}

static ksStatus beginWindow(ksiJudge *judge)
{
    ksiTrialStop(judge->trial);
    ksStatus status = ksiWorldCopyInspectAnew(&judge->seen, &judge->options.inspector);
    for (const ksiStepRecord *at = NULL; !status && (at = ksiLeadNext(&judge->lead, at)) != NULL;)
        status = see(&judge->seen, at);
    return status;
}

ksStatus ksiJudgeStep(ksiJudge *judge, const ksiStepRecord *record)
{
    const double window = judge->options.inspector.meanWindow;
    ksStatus status = KS_OK;
    if (judge->isFull)
        status = beginWindow(judge);
    if (!status)
        status = see(&judge->seen, record);
    if (!status && ksInspectorGetStepReport(judge->seen.inspector))
        status = ksiWorldCopyName(&judge->seen, NULL);
    if (!status && !record->isExtra)
        status = add(judge, record);
    judge->isFull = ksiFillWindow(&judge->fill, window, record->h, record->bytes);
    return status ? status : ksiLeadAdd(&judge->lead, window, record);
}
