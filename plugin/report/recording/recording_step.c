/* recording_step.c  A step of another engine: puts the host's states into the recording's world inside a bracket. */
#define _GNU_SOURCE
#include "recording_inside.h"

#include "../collect/measure.h"

#include "../../engine/copy.h"

#include <errno.h>
#include <math.h>
#include <string.h>

static ksStatus checkStates(const ksRecording *recording, const ksRecordedState *state)
{
    ksStatus status = KS_OK;
    for (size_t i = 0; state && !status && i < recording->bodyCount; i++)
        status = ksiCheckState(&state[i], i);
    return status;
}

static void setLoad(dBodyID body, const ksWrench *load)
{
    static const ksWrench none;
    const double *f = (load ? load : &none)->force, *t = (load ? load : &none)->torque;
    dBodySetForce(body, f[0], f[1], f[2]);
    dBodySetTorque(body, t[0], t[1], t[2]);
}

/* A step that the engine has refused has marked joints of its own accord. */
static void markJoints(const ksRecording *recording)
{
    for (size_t i = 0; i < recording->jointCount; i++)
        ksiPasteMark(recording->joint[i].as.isSoft ? KSI_MEANT_SOFT : 0, recording->joint[i].id);
}

static ksStatus prepare(const ksRecording *recording, double stepSize, const ksRecordedState *before,
                        const ksWrench *loads)
{
    ksStatus status = ksiAdmitRecording(recording, false);
    if (status)
        return status;
    REQUIRE(isfinite(stepSize) && stepSize > 0, "stepSize is %g, must be finite and > 0", stepSize);
    status = checkStates(recording, before);
    for (size_t i = 0; loads && !status && i < recording->bodyCount; i++)
        if (!ksiAreFinite(loads[i].force, 3) || !ksiAreFinite(loads[i].torque, 3))
            status = EXPLAIN(KS_ERROR_NOT_FINITE, "loads[%zu] has a NaN or an infinity", i);
    if (!status)
        markJoints(recording);
    for (size_t i = 0; !status && i < recording->bodyCount; i++) {
        if (before)
            ksiSetRecordedState(recording->body[i], &before[i]);
        setLoad(recording->body[i], loads ? &loads[i] : NULL);
    }
    return status;
}

/* The inspector has begun: it sees a step that the recorder has no memory for. */
static ksStatus beginStep(ksRecording *recording, double stepSize)
{
    const ksStatus status =
        recording->archive ? ksiRecorderBegin(recording->recorder, KS_FOREIGN_STEP, stepSize, false) : KS_OK;
    if (status && !recording->observer)
        return status;
    if (status)
        ksiRecorderSkip(recording->recorder, stepSize);
    recording->lost = status;
    recording->isOpen = true;
    recording->stepSize = stepSize;
    return KS_OK;
}

/* Whether its bracket is open. Without memory, or with numbers that are not finite, it is: EndStep tells. */
static ksStatus beginObserved(const ksRecording *recording, double stepSize)
{
    const ksStatus status =
        recording->observer ? ksInspectorBeginStep(recording->observer, KS_FOREIGN_STEP, stepSize) : KS_OK;
    if (!status || status == KS_ERROR_NO_MEMORY || status == KS_ERROR_NOT_FINITE)
        return KS_OK;
    return EXPLAIN(status, "%s", ksErrorMessage());
}

ksStatus ksRecordingBeginStep(ksRecording *recording, double stepSize, const ksRecordedState *before,
                              const ksWrench *loads)
{
    ksStatus status;
    DO_INSIDE(status, prepare(recording, stepSize, before, loads));
    if (!status)
        status = beginObserved(recording, stepSize);
    if (!status)
        DO_INSIDE(status, beginStep(recording, stepSize));
    return ksiAnswerRecording(status, __func__);
}

/* A joint holds the inspector's or the recorder's feedback in a step, unless there was no memory for it. */
static void setReport(dJointID joint, const ksWrench on[2])
{
    dJointFeedback *feedback = dJointGetFeedback(joint);
    const bool hasSecond = dJointGetBody(joint, 1) != NULL;
    if (!feedback || !ksiAreFinite(on[0].force, 3) || !ksiAreFinite(on[0].torque, 3) ||
        (hasSecond && (!ksiAreFinite(on[1].force, 3) || !ksiAreFinite(on[1].torque, 3))))
        return;
    for (int side = 0; side <= hasSecond; side++)
        ksiPutFeedback(on[side].force, on[side].torque, side, feedback);
}

/* Velocities of a driven body that are not those of its motion would give the mechanism other reactions. Roughly: a host may integrate
 * them in any way, and let the body jump to its new velocity before the step. */
static ksStatus checkDriven(const ksRecording *recording, const ksRecordedState *after)
{
    static const double share = 0.5, rounding = KSI_BY_PRECISION(1e-9, 1e-5);
    const double h = recording->stepSize;
    for (size_t i = 0; i < recording->bodyCount; i++) {
        double x[3], v[3];
        ksiTakeNumbers(x, dBodyGetPosition(recording->body[i]), 3);
        ksiTakeNumbers(v, dBodyGetLinearVel(recording->body[i]), 3);
        const double *y = after[i].position, *w = after[i].velocity;
        double moved[3], apart[3], change[3];
        for (int k = 0; k < 3; k++) {
            moved[k] = y[k] - x[k];
            change[k] = h * (w[k] - v[k]);
            apart[k] = moved[k] - h * (v[k] + w[k]) / 2;
        }
        const double slack =
            ksiLength(change) + share * h * (ksiLength(v) + ksiLength(w)) + rounding * (ksiLength(x) + ksiLength(y));
        REQUIRE(!dBodyIsKinematic(recording->body[i]) || ksiLength(apart) <= slack,
                "driven body %zu moves by %g m in %g s, and its velocities are %g and %g m/s", i, ksiLength(moved), h,
                ksiLength(v), ksiLength(w));
    }
    return KS_OK;
}

static ksStatus writeStep(ksRecording *recording)
{
    if (recording->lost == KS_ERROR_ENDED)
        return EXPLAIN(KS_ERROR_ENDED, "its inspector was destroyed in the step");
    if (recording->lost || !recording->archive)
        return recording->lost;
    const ksiStepRecord *record = ksiRecorderEnd(recording->recorder, true, 0);
    const ksStatus status = ksiArchiveAppend(recording->archive, 0, program_invocation_short_name, record);
    return status == KS_ERROR_FILE ? ksiFailRecording(recording) : status;
}

static ksStatus endStep(ksRecording *recording, const ksRecordedState *after, const ksWrench (*reported)[2],
                        bool *isEnded)
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
    for (size_t i = 0; i < recording->bodyCount; i++)
        ksiSetRecordedState(recording->body[i], &after[i]);
    for (size_t i = 0; reported && i < recording->jointCount; i++)
        setReport(recording->joint[i].id, reported[i]);
    recording->isOpen = false;
    recording->steps++;
    *isEnded = true;
    return writeStep(recording);
}

ksStatus ksRecordingEndStep(ksRecording *recording, const ksRecordedState *after, const ksWrench (*reported)[2])
{
    bool isEnded = false;
    char words[KSI_ARCHIVE_WORDS];
    ksStatus status;
    DO_INSIDE(status, endStep(recording, after, reported, &isEnded));
    if (!isEnded || !recording->observer)
        return ksiAnswerRecording(status, __func__);
    memcpy(words, ksiRecordingWhy, sizeof words);
    const ksStatus seen = ksInspectorEndStep(recording->observer);
    memcpy(ksiRecordingWhy, words, sizeof words);
    return ksiAnswerRecording(status || seen != KS_ERROR_NO_MEMORY ? status : seen, __func__);
}
