/* sampler.c  Repeats sampled steps of a live world with other numbers of iterations. */
#include "sampler.h"

#include "judge.h"

#include "../../replay/recorder.h"

#include <stdlib.h>

struct ksiSampler {
    ksInspector *inspector;
    uint64_t every, steps;
    ksiRecorder *recorder; /* this and the trial are created at first use */
    ksiTrial *trial;
    const ksiStepRecord *record; /* the record of the last step, for ksiTrialMake or
                                    ksiTrialFollow */
    bool isBegun, isTrial, isFull;
    ksiFill fill; /* the contents of the window */
};

ksiSampler *ksiSamplerCreate(ksInspector *inspector, uint64_t every)
{
    ksiSampler *made = calloc(1, sizeof *made);
    if (made) {
        made->inspector = inspector;
        made->every = every;
    }
    return made;
}

void ksiSamplerDestroy(ksiSampler *sampler)
{
    if (!sampler)
        return;
    ksiRecorderDestroy(sampler->recorder);
    ksiTrialDestroy(sampler->trial);
    free(sampler);
}

static bool begin(ksiSampler *sampler, const ksEngineStep *step)
{
    const uint64_t number = sampler->steps++;
    // consecutive steps end with a window, as in the judge of recordings
    if (sampler->isFull)
        ksiTrialStop(sampler->trial);
    sampler->isFull =
        ksiFillWindow(&sampler->fill, ksInspectorGetOptions(sampler->inspector)->meanWindow, step->stepSize, 0);
    sampler->isTrial = ksiIsTrialStep(sampler->every, number);
    if (!sampler->isTrial && !ksiTrialIsFollowing(sampler->trial))
        return false;
    if (!sampler->recorder &&
        ksiRecorderCreate(ksInspectorGetWorld(sampler->inspector), 1, KSI_FEEDBACK_INSPECTORS, &sampler->recorder))
        return false;
    ksiRecorderSeek(sampler->recorder, step->step, step->time);
    return !ksiRecorderBegin(sampler->recorder, step->stepper, step->stepSize, false);
}

void ksiSamplerRecord(ksiSampler *sampler, const ksEngineStep *step)
{
    if (!step->isDone) {
        sampler->record = NULL;
        sampler->isBegun = begin(sampler, step);
    } else if (sampler->isBegun) {
        sampler->record = ksiRecorderEnd(sampler->recorder, true, 0);
        sampler->isBegun = false;
    }
}

ksStatus ksiSamplerTry(ksiSampler *sampler, const ksiNaming *naming, ksReport *report, size_t world)
{
    const ksiStepRecord *record = sampler->record;
    const ksiOriginal original = {sampler->inspector, naming};
    ksStatus status = KS_OK;
    sampler->record = NULL;
    if (record && !sampler->trial)
        status = ksiTrialCreate(ksInspectorGetOptions(sampler->inspector), NULL, &sampler->trial);
    if (!record || status)
        return status;
    return sampler->isTrial
               ? ksiTrialMake(sampler->trial, record, sampler->every, sampler->steps - 1, &original, report, world)
               : ksiTrialFollow(sampler->trial, record, &original, report, world);
}
