/* recording_step.c  Accepts a step of another engine from the host. */
#define _GNU_SOURCE
#include "recording_inside.h"

#include "../../engine/vector.h"

#include <errno.h>
#include <math.h>
#include <string.h>

static ksStatus checkStates(const ksRecording *recording, const ksRecordedState *state)
{
    ksStatus status = KS_OK;
    for (size_t i = 0; state && !status && i < recording->world.bodyCount; i++)
        status = ksiCheckState(&state[i], i);
    return status;
}

static ksStatus prepare(ksRecording *recording, double stepSize, const ksRecordedState *before, const ksWrench *loads,
                        const ksiStepRecord **record)
{
    ksStatus status = ksiAdmitRecording(recording, false);
    if (status)
        return status;
    REQUIRE(isfinite(stepSize) && stepSize > 0, "stepSize is %g, must be finite and > 0", stepSize);
    status = checkStates(recording, before);
    for (size_t i = 0; loads && !status && i < recording->world.bodyCount; i++)
        if (!ksiAreFinite(loads[i].force, 3) || !ksiAreFinite(loads[i].torque, 3))
            status = EXPLAIN(KS_ERROR_NOT_FINITE, "loads[%zu] has a NaN or an infinity", i);
    if (!status)
        *record = ksiForeignBegin(&recording->world, stepSize, before, loads);
    return status;
}

ksStatus ksRecordingBeginStep(ksRecording *recording, double stepSize, const ksRecordedState *before,
                              const ksWrench *loads)
{
    const ksiStepRecord *record = NULL;
    ksStatus status;
    DO_INSIDE(status, prepare(recording, stepSize, before, loads, &record));
    if (!status && recording->witness)
        status = recording->witness->begin(recording->user, record);
    if (!status) {
        recording->isOpen = true;
        recording->isLost = false;
    }
    return ksiAnswerRecording(status, __func__);
}

/* Velocities of a driven body that contradict its motion would change the mechanism's reactions.
 * The check is rough: a host may integrate in any way, and let the body jump to its new velocity
 * before the step. */
static ksStatus checkDriven(const ksRecording *recording, const ksRecordedState *after)
{
    static const double share = 0.5;
    const double rounding = recording->world.isSingle ? 1e-5 : 1e-9, h = recording->world.stepSize;
    for (size_t i = 0; i < recording->world.bodyCount; i++) {
        const ksRecordedState *before = &recording->world.body[i].state;
        const double *x = before->position, *v = before->velocity;
        const double *y = after[i].position, *w = after[i].velocity;
        double moved[3], apart[3], change[3];
        for (int k = 0; k < 3; k++) {
            moved[k] = y[k] - x[k];
            change[k] = h * (w[k] - v[k]);
            apart[k] = moved[k] - h * (v[k] + w[k]) / 2;
        }
        const double slack =
            ksiLength(change) + share * h * (ksiLength(v) + ksiLength(w)) + rounding * (ksiLength(x) + ksiLength(y));
        REQUIRE(!recording->world.body[i].isDriven || ksiLength(apart) <= slack,
                "driven body %zu moves by %g m in %g s, and its velocities are %g and %g m/s", i, ksiLength(moved), h,
                ksiLength(v), ksiLength(w));
    }
    return KS_OK;
}

static ksStatus writeStep(ksRecording *recording, const ksiStepRecord *record)
{
    if (recording->isLost)
        return EXPLAIN(KS_ERROR_ENDED, "its inspector was destroyed in the step");
    if (!recording->archive)
        return KS_OK;
    const ksStatus status = ksiArchiveAppend(recording->archive, 0, program_invocation_short_name, record);
    return status == KS_ERROR_FILE ? ksiFailRecording(recording) : status;
}

/* *record: the record of the step, whether the file has it or not. */
static ksStatus endStep(ksRecording *recording, const ksRecordedState *after, const ksWrench (*reported)[2],
                        const ksiStepRecord **record)
{
    ksStatus status = ksiAdmitRecording(recording, true);
    if (status)
        return status;
    REQUIRE_POINTER(after);
    status = checkStates(recording, after);
    if (!status)
        status = checkDriven(recording, after);
    if (status)
        return status;
    *record = ksiForeignEnd(&recording->world, after, reported);
    recording->isOpen = false;
    recording->steps++;
    return writeStep(recording, *record);
}

ksStatus ksRecordingEndStep(ksRecording *recording, const ksRecordedState *after, const ksWrench (*reported)[2])
{
    const ksiStepRecord *record = NULL;
    char words[KSI_ARCHIVE_WORDS];
    ksStatus status;
    DO_INSIDE(status, endStep(recording, after, reported, &record));
    if (!record || !recording->witness)
        return ksiAnswerRecording(status, __func__);
    memcpy(words, ksiRecordingWhy, sizeof words);
    const ksStatus seen = recording->witness->end(recording->user, record);
    memcpy(ksiRecordingWhy, words, sizeof words);
    return ksiAnswerRecording(status || seen != KS_ERROR_NO_MEMORY ? status : seen, __func__);
}
