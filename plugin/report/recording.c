/* recording.c  Steps of another engine, into an archive.
 *
 * Bodies and joints are kept in a world of our own, which never steps: the host's states are put into it, and a recorder writes it down as
 * it does any world. So a joint's numbers are those that ODE makes of its anchors and axes. */
#define _GNU_SOURCE
#include <kinetostat/recording.h>

#include "archive.h"
#include "measure.h"
#include "writers.h"

#include "../base/memory.h"
#include "../replay/recorder.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* of the size of a quaternion from 1; of an inertia's sides from each other, and its least pivot, of its trace: above the rounding of the
 * engine's own check, which aborts; the least sine between axes that are across each other */
static const double sizeTolerance = 1e-3, symmetryTolerance = 1e-9, leastPivot = 1e-12, leastSine = 1e-6;

struct ksRecording {
    ksiArchive *archive;
    ksiWriter writer;
    char words[KSI_ARCHIVE_WORDS];
    bool isBroken; /* nothing more is written */
    bool isOpen;   /* in a step */
    double stepSize;
    dWorldID world;
    ksiRecorder *recorder;
    dBodyID *body;
    dJointID *joint;
    ksRecordedJoint *described; /* [joints] */
    size_t bodyCount, jointCount, bodyCapacity, jointCapacity, describedCapacity;
    uint64_t steps;
};

_Static_assert((int)KS_JOINT_BALL == dJointTypeBall && (int)KS_JOINT_HINGE == dJointTypeHinge &&
                   (int)KS_JOINT_SLIDER == dJointTypeSlider && (int)KS_JOINT_UNIVERSAL == dJointTypeUniversal &&
                   (int)KS_JOINT_HINGE2 == dJointTypeHinge2 && (int)KS_JOINT_FIXED == dJointTypeFixed &&
                   (int)KS_JOINT_PR == dJointTypePR && (int)KS_JOINT_PU == dJointTypePU &&
                   (int)KS_JOINT_PISTON == dJointTypePiston && (int)KS_JOINT_DBALL == dJointTypeDBall &&
                   (int)KS_JOINT_DHINGE == dJointTypeDHinge,
               "numbers of the engine");

/* --- Errors in words, which are noted where they are found; the public function names itself --- */

static _Thread_local char why[KSI_ARCHIVE_WORDS];

#define EXPLAIN(status, ...) (snprintf(why, sizeof why, __VA_ARGS__), (status))
#define REQUIRE(condition, ...)                                                                                        \
    do {                                                                                                               \
        if (!(condition))                                                                                              \
            return EXPLAIN(KS_ERROR_BAD_ARGUMENT, __VA_ARGS__);                                                        \
    } while (0)
#define REQUIRE_POINTER(pointer) REQUIRE(pointer, "%s is NULL", #pointer)
/* All that a public function does. */
#define ANSWER(call)                                                                                                   \
    const ksiHost host = ksiEnterWriters();                                                                            \
    why[0] = 0;                                                                                                        \
    const ksStatus answer = call;                                                                                      \
    ksiLeaveWriters(&host);                                                                                            \
    return answer ? ksErrorSet(answer, __func__, why[0] ? why : NULL) : KS_OK

/* How many axes a joint has, of which the first two are across each other; -1: there is no such type. */
static int axesOf(ksJointType type)
{
    switch (type) {
    case KS_JOINT_BALL:
    case KS_JOINT_FIXED:
    case KS_JOINT_DBALL:
        return 0;
    case KS_JOINT_HINGE:
    case KS_JOINT_SLIDER:
    case KS_JOINT_PISTON:
    case KS_JOINT_DHINGE:
        return 1;
    case KS_JOINT_UNIVERSAL:
    case KS_JOINT_HINGE2:
    case KS_JOINT_PR:
        return 2;
    case KS_JOINT_PU:
        return 3;
    }
    return -1;
}

/* --- The file --- */

void ksRecordingOptionsInit(ksRecordingOptions *options)
{
    if (options)
        *options = (ksRecordingOptions){.size = sizeof *options, .compression = 1};
}

static bool areFinite(const double *number, int count)
{
    for (int i = 0; i < count; i++)
        if (!isfinite(number[i]))
            return false;
    return true;
}

static void destroy(ksRecording *recording)
{
    ksiRecorderDestroy(recording->recorder);
    if (recording->world)
        dWorldDestroy(recording->world);
    ksiFree(&ksiLibraryAllocator, recording->body);
    ksiFree(&ksiLibraryAllocator, recording->joint);
    ksiFree(&ksiLibraryAllocator, recording->described);
    free(recording);
}

static void abandon(void *file)
{
    ksiArchiveAbandon(file);
}

static ksStatus failFile(ksRecording *recording)
{
    recording->isBroken = true;
    return EXPLAIN(KS_ERROR_FILE, "%s", recording->words);
}

static ksStatus open(ksRecording *made, const char *path, const ksRecordingOptions *options)
{
    ksiRun run = {.argumentCount = 0};
    made->world = dWorldCreate();
    if (!made->world)
        return KS_ERROR_NO_MEMORY;
    dWorldSetGravity(made->world, options->gravity[0], options->gravity[1], options->gravity[2]);
    ksStatus status = ksiRecorderCreate(made->world, 1, KSI_FEEDBACK_OURS, &made->recorder);
    if (!status)
        status = ksiArchiveCreate(path, options->compression, made->words, &made->archive);
    if (status)
        return made->words[0] ? EXPLAIN(status, "%s", made->words) : status;
    snprintf(run.program, sizeof run.program, "%s", program_invocation_name);
    snprintf(run.built, sizeof run.built, "%s", dGetConfiguration());
    (void)ksiRunTakeEnvironment(&run, environ);
    return ksiArchiveBegin(made->archive, &run, NULL) ? KS_OK : failFile(made);
}

static ksStatus create(const char *path, const ksRecordingOptions *options, ksRecording **recording)
{
    ksRecordingOptions usual;
    REQUIRE_POINTER(path);
    REQUIRE_POINTER(recording);
    ksRecordingOptionsInit(&usual);
    options = options ? options : &usual;
    REQUIRE(options->size == sizeof *options, "options->size is %zu, must be %zu: call ksRecordingOptionsInit",
            options->size, sizeof *options);
    REQUIRE(options->compression >= 0 && options->compression <= 9, "options->compression is %d, must be from 0 to 9",
            options->compression);
    if (!areFinite(options->gravity, 3))
        return EXPLAIN(KS_ERROR_NOT_FINITE, "options->gravity is not finite");
    ksRecording *made = calloc(1, sizeof *made);
    const ksStatus status = made ? open(made, path, options) : KS_ERROR_NO_MEMORY;
    if (status && made) {
        (void)ksiArchiveClose(made->archive);
        destroy(made);
    }
    if (status)
        return status;
    ksiAddWriter(&made->writer, abandon, made->archive);
    *recording = made;
    return KS_OK;
}

ksStatus ksRecordingCreate(const char *path, const ksRecordingOptions *options, ksRecording **recording)
{
    ANSWER(create(path, options, recording));
}

/* --- Bodies --- */

/* Can anything be written? */
static ksStatus admitAny(const ksRecording *recording)
{
    REQUIRE_POINTER(recording);
    if (!ksiIsOwnWriter(&recording->writer))
        return EXPLAIN(KS_ERROR_FILE, "the file is that of the process that this one was forked from");
    return recording->isBroken ? EXPLAIN(KS_ERROR_FILE, "%s", recording->words) : KS_OK;
}

/* A call that is made in a step, or outside one. */
static ksStatus admit(const ksRecording *recording, bool isOpen)
{
    const ksStatus status = admitAny(recording);
    if (status)
        return status;
    if (recording->isOpen != isOpen)
        return EXPLAIN(KS_ERROR_BRACKET, isOpen ? "no step was begun" : "a step was begun and not ended");
    return KS_OK;
}

static ksStatus checkState(const ksRecordedState *state, size_t body)
{
    const double *q = state->quaternion;
    if (!areFinite(state->position, 3) || !areFinite(q, 4) || !areFinite(state->velocity, 3) ||
        !areFinite(state->angularVelocity, 3))
        return EXPLAIN(KS_ERROR_NOT_FINITE, "the state of body %zu has a NaN or an infinity", body);
    const double size = sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
    REQUIRE(fabs(size - 1) <= sizeTolerance, "the quaternion of body %zu has the size %g, must be 1", body, size);
    return KS_OK;
}

static void setState(dBodyID body, const ksRecordedState *state)
{
    const double *x = state->position, *v = state->velocity, *w = state->angularVelocity;
    dBodySetPosition(body, x[0], x[1], x[2]);
    dBodySetQuaternion(body, state->quaternion);
    dBodySetLinearVel(body, v[0], v[1], v[2]);
    dBodySetAngularVel(body, w[0], w[1], w[2]);
}

/* By its pivots. */
static ksStatus checkInertia(const double I[9])
{
    const double size = fabs(I[0]) + fabs(I[4]) + fabs(I[8]);
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < i; k++)
            REQUIRE(fabs(I[3 * i + k] - I[3 * k + i]) <= symmetryTolerance * size,
                    "body->inertia is not symmetric: %g and %g", I[3 * i + k], I[3 * k + i]);
    const double least = leastPivot * size, l = I[1] / I[0], m = I[2] / I[0];
    const double second = I[4] - l * I[1], cross = I[5] - l * I[2];
    const double third = I[8] - m * I[2] - cross * (cross / second);
    return I[0] > least && second > least && third > least
               ? KS_OK
               : EXPLAIN(KS_ERROR_NOT_POSITIVE_DEFINITE, "body->inertia is not positive definite");
}

static ksStatus checkBody(const ksRecording *recording, const ksRecordedBody *body)
{
    const ksStatus status = checkState(&body->state, recording->bodyCount);
    if (status || body->isDriven)
        return status;
    if (!isfinite(body->mass) || !areFinite(body->inertia, 9))
        return EXPLAIN(KS_ERROR_NOT_FINITE, "body->mass or body->inertia is not finite");
    REQUIRE(body->mass > 0 && isfinite(1 / body->mass), "body->mass is %g, must be > 0", body->mass);
    return checkInertia(body->inertia);
}

static ksStatus addBody(ksRecording *recording, const ksRecordedBody *body, int *index)
{
    ksStatus status = admit(recording, false);
    if (status)
        return status;
    REQUIRE_POINTER(body);
    status = checkBody(recording, body);
    if (!status)
        status = ksiReserve(&ksiLibraryAllocator, &recording->body, &recording->bodyCapacity, recording->bodyCount + 1,
                            sizeof *recording->body);
    const dBodyID made = status ? NULL : dBodyCreate(recording->world);
    if (!made)
        return status ? status : KS_ERROR_NO_MEMORY;
    const double *I = body->inertia;
    if (!body->isDriven) {
        dMass mass;
        dMassSetParameters(&mass, body->mass, 0, 0, 0, I[0], I[4], I[8], I[1], I[2], I[5]);
        dBodySetMass(made, &mass);
    }
    if (body->isDriven)
        dBodySetKinematic(made);
    dBodySetGyroscopicMode(made, !body->lacksGyroscopic);
    setState(made, &body->state);
    if (index)
        *index = (int)recording->bodyCount;
    recording->body[recording->bodyCount++] = made;
    return KS_OK;
}

ksStatus ksRecordingAddBody(ksRecording *recording, const ksRecordedBody *body, int *index)
{
    ANSWER(addBody(recording, body, index));
}

/* --- Joints --- */

static ksStatus checkAxes(const ksRecordedJoint *joint)
{
    const int axes = axesOf(joint->type);
    for (int i = 0; i < axes; i++) {
        if (!areFinite(joint->axis[i], 3))
            return EXPLAIN(KS_ERROR_NOT_FINITE, "joint->axis[%d] is not finite", i);
        const double size = ksiLength(joint->axis[i]);
        REQUIRE(size > 0 && isfinite(size), "joint->axis[%d] has the length %g", i, size);
    }
    if (axes < 2)
        return KS_OK;
    const double *a = joint->axis[0], *b = joint->axis[1];
    const double across[3] = {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
    REQUIRE(ksiLength(across) > leastSine * ksiLength(a) * ksiLength(b),
            "joint->axis[0] and joint->axis[1] are parallel");
    return KS_OK;
}

static bool isAlike(const ksRecordedJoint *a, const ksRecordedJoint *b)
{
    bool isIt = a->type == b->type && a->body[0] == b->body[0] && a->body[1] == b->body[1];
    for (int k = 0; k < 6; k++)
        isIt = isIt && a->anchor[k / 3][k % 3] == b->anchor[k / 3][k % 3];
    for (int k = 0; k < 3 * axesOf(a->type); k++)
        isIt = isIt && a->axis[k / 3][k % 3] == b->axis[k / 3][k % 3];
    return isIt;
}

static ksStatus checkJoint(const ksRecording *recording, const ksRecordedJoint *joint)
{
    const int count = (int)recording->bodyCount;
    REQUIRE(axesOf(joint->type) >= 0, "joint->type is %d, not one of ksJointType", (int)joint->type);
    REQUIRE(joint->body[0] >= 0 && joint->body[0] < count,
            "joint->body[0] is %d, there are %d bodies (-1, the world, can be body[1])", joint->body[0], count);
    REQUIRE(joint->body[1] >= -1 && joint->body[1] < count, "joint->body[1] is %d, there are %d bodies", joint->body[1],
            count);
    REQUIRE(joint->body[0] != joint->body[1], "joint->body has body %d twice", joint->body[0]);
    REQUIRE(joint->type != KS_JOINT_HINGE2 || joint->body[1] >= 0, "a KS_JOINT_HINGE2 needs two bodies");
    if (!areFinite(joint->anchor[0], 6))
        return EXPLAIN(KS_ERROR_NOT_FINITE, "joint->anchor is not finite");
    for (size_t i = 0; i < recording->jointCount; i++)
        REQUIRE(!isAlike(joint, &recording->described[i]), "joint %zu was described so already", i);
    return checkAxes(joint);
}

static ksStatus reserveJoint(ksRecording *recording)
{
    const size_t count = recording->jointCount + 1;
    const ksStatus status =
        ksiReserve(&ksiLibraryAllocator, &recording->joint, &recording->jointCapacity, count, sizeof *recording->joint);
    return status ? status
                  : ksiReserve(&ksiLibraryAllocator, &recording->described, &recording->describedCapacity, count,
                               sizeof *recording->described);
}

static dJointID makeJoint(const ksRecording *recording, const ksRecordedJoint *joint)
{
    ksiJointPose pose;
    const dBodyID second = joint->body[1] < 0 ? NULL : recording->body[joint->body[1]];
    memcpy(pose.point, joint->anchor[0], sizeof pose.point);
    memcpy(pose.second, joint->anchor[1], sizeof pose.second);
    memcpy(pose.x, joint->axis[0], sizeof pose.x);
    memcpy(pose.y, joint->axis[1], sizeof pose.y);
    memcpy(pose.z, joint->axis[2], sizeof pose.z);
    return ksiCreateJoint(recording->world, (int)joint->type, recording->body[joint->body[0]], second, &pose);
}

static ksStatus addJoint(ksRecording *recording, const ksRecordedJoint *joint, int *index)
{
    ksStatus status = admit(recording, false);
    if (status)
        return status;
    REQUIRE_POINTER(joint);
    status = checkJoint(recording, joint);
    if (!status)
        status = reserveJoint(recording);
    if (status)
        return status;
    const dJointID made = makeJoint(recording, joint);
    if (!made)
        return KS_ERROR_NO_MEMORY;
    ksiPasteMark(joint->isSoft ? KSI_MEANT_SOFT : 0, made);
    if (joint->name && joint->name[0])
        status = ksiRecorderName(recording->recorder, made, joint->name);
    if (status) {
        dJointDestroy(made);
        return status;
    }
    if (index)
        *index = (int)recording->jointCount;
    recording->described[recording->jointCount] = *joint;
    recording->joint[recording->jointCount++] = made;
    return KS_OK;
}

ksStatus ksRecordingAddJoint(ksRecording *recording, const ksRecordedJoint *joint, int *index)
{
    ANSWER(addJoint(recording, joint, index));
}

/* --- Steps --- */

static ksStatus checkStates(const ksRecording *recording, const ksRecordedState *state)
{
    ksStatus status = KS_OK;
    for (size_t i = 0; state && !status && i < recording->bodyCount; i++)
        status = checkState(&state[i], i);
    return status;
}

static void setLoad(dBodyID body, const ksWrench *load)
{
    static const ksWrench none;
    const double *f = (load ? load : &none)->force, *t = (load ? load : &none)->torque;
    dBodySetForce(body, f[0], f[1], f[2]);
    dBodySetTorque(body, t[0], t[1], t[2]);
}

static ksStatus beginStep(ksRecording *recording, double stepSize, const ksRecordedState *before, const ksWrench *loads)
{
    ksStatus status = admit(recording, false);
    if (status)
        return status;
    REQUIRE(isfinite(stepSize) && stepSize > 0, "stepSize is %g, must be finite and > 0", stepSize);
    status = checkStates(recording, before);
    for (size_t i = 0; loads && !status && i < recording->bodyCount; i++)
        if (!areFinite(loads[i].force, 3) || !areFinite(loads[i].torque, 3))
            status = EXPLAIN(KS_ERROR_NOT_FINITE, "loads[%zu] has a NaN or an infinity", i);
    if (status)
        return status;
    for (size_t i = 0; i < recording->bodyCount; i++) {
        if (before)
            setState(recording->body[i], &before[i]);
        setLoad(recording->body[i], loads ? &loads[i] : NULL);
    }
    status = ksiRecorderBegin(recording->recorder, KS_FOREIGN_STEP, stepSize, false);
    recording->isOpen = !status;
    recording->stepSize = stepSize;
    return status;
}

ksStatus ksRecordingBeginStep(ksRecording *recording, double stepSize, const ksRecordedState *before,
                              const ksWrench *loads)
{
    ANSWER(beginStep(recording, stepSize, before, loads));
}

/* A joint holds the recorder's feedback in a step. */
static void setReport(dJointID joint, const ksWrench on[2])
{
    dJointFeedback *feedback = dJointGetFeedback(joint);
    const bool hasSecond = dJointGetBody(joint, 1) != NULL;
    if (!areFinite(on[0].force, 3) || !areFinite(on[0].torque, 3) ||
        (hasSecond && (!areFinite(on[1].force, 3) || !areFinite(on[1].torque, 3))))
        return;
    memcpy(feedback->f1, on[0].force, sizeof on[0].force);
    memcpy(feedback->t1, on[0].torque, sizeof on[0].torque);
    if (!hasSecond)
        return;
    memcpy(feedback->f2, on[1].force, sizeof on[1].force);
    memcpy(feedback->t2, on[1].torque, sizeof on[1].torque);
}

/* Velocities of a driven body that are not those of its motion would give the mechanism other reactions. Roughly: a host may integrate
 * them in any way, and let the body jump to its new velocity before the step. */
static ksStatus checkDriven(const ksRecording *recording, const ksRecordedState *after)
{
    static const double share = 0.5, rounding = 1e-9;
    const double h = recording->stepSize;
    for (size_t i = 0; i < recording->bodyCount; i++) {
        const dReal *x = dBodyGetPosition(recording->body[i]), *v = dBodyGetLinearVel(recording->body[i]);
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

static ksStatus endStep(ksRecording *recording, const ksRecordedState *after, const ksWrench (*reported)[2])
{
    ksStatus status = admit(recording, true);
    if (status)
        return status;
    REQUIRE_POINTER(after);
    status = checkStates(recording, after);
    if (!status)
        status = checkDriven(recording, after);
    if (status)
        return status;
    for (size_t i = 0; i < recording->bodyCount; i++)
        setState(recording->body[i], &after[i]);
    for (size_t i = 0; reported && i < recording->jointCount; i++)
        setReport(recording->joint[i], reported[i]);
    recording->isOpen = false;
    recording->steps++;
    const ksiStepRecord *record = ksiRecorderEnd(recording->recorder, true, 0);
    status = ksiArchiveAppend(recording->archive, 0, program_invocation_short_name, record);
    return status == KS_ERROR_FILE ? failFile(recording) : status;
}

ksStatus ksRecordingEndStep(ksRecording *recording, const ksRecordedState *after, const ksWrench (*reported)[2])
{
    ANSWER(endStep(recording, after, reported));
}

static ksStatus flush(ksRecording *recording)
{
    const ksStatus status = admitAny(recording);
    if (status)
        return status;
    return ksiArchiveFlush(recording->archive) ? KS_OK : failFile(recording);
}

ksStatus ksRecordingFlush(ksRecording *recording)
{
    ANSWER(flush(recording));
}

static ksStatus closeRecording(ksRecording *recording)
{
    // of a child nothing reaches the file, and it keeps the memory
    if (!recording || !ksiIsOwnWriter(&recording->writer))
        return KS_OK;
    const ksiStepRecord end = ksiEndRecord(1, recording->steps);
    ksStatus status = recording->isBroken ? KS_ERROR_FILE : KS_OK;
    if (!status && recording->steps > 0)
        status = ksiArchiveAppend(recording->archive, 0, program_invocation_short_name, &end);
    ksiRemoveWriter(&recording->writer);
    if (!ksiArchiveClose(recording->archive) || status)
        status = EXPLAIN(KS_ERROR_FILE, "%s", recording->words);
    destroy(recording);
    return status;
}

ksStatus ksRecordingClose(ksRecording *recording)
{
    ANSWER(closeRecording(recording));
}
