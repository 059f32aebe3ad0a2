/* recording.c  Passes steps of another engine to an archive, to an inspector, or both. */
#define _GNU_SOURCE
#include "recording_inside.h"

#include "../collect/run.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* --- The file --- */

void ksRecordingOptionsInit(ksRecordingOptions *options)
{
    if (options)
        *options = (ksRecordingOptions){.size = sizeof *options, .compression = 1};
}

static void destroy(ksRecording *recording)
{
    ksiForeignFree(&recording->world);
    free(recording);
}

static void abandon(void *file)
{
    ksiArchiveAbandon(file);
}

ksStatus ksiFailRecording(ksRecording *recording)
{
    recording->isBroken = true;
    return EXPLAIN(KS_ERROR_FILE, "%s", recording->words);
}

static ksStatus openFile(ksRecording *made, const char *path, int compression)
{
    ksiRun run = {.argumentCount = 0};
    const ksStatus status = ksiArchiveCreate(path, compression, made->words, &made->archive);
    if (status)
        return made->words[0] ? EXPLAIN(status, "%s", made->words) : status;
    snprintf(run.program, sizeof run.program, "%s", program_invocation_name);
    ksiRunTakeArguments(&run);
    (void)ksiRunTakeEnvironment(&run, environ);
    return ksiArchiveBegin(made->archive, &run, NULL) ? KS_OK : ksiFailRecording(made);
}

static ksStatus open(ksRecording *made, const char *path, const ksRecordingOptions *options)
{
    const ksStatus status = ksiForeignInit(&made->world, options->gravity, options->isSingle != 0);
    return status || !path ? status : openFile(made, path, options->compression);
}

static ksStatus create(const char *path, const ksRecordingOptions *options, ksRecording **recording)
{
    ksRecordingOptions usual;
    REQUIRE_POINTER(recording);
    ksRecordingOptionsInit(&usual);
    options = options ? options : &usual;
    REQUIRE(options->size == sizeof *options, "options->size is %zu, must be %zu: call ksRecordingOptionsInit",
            options->size, sizeof *options);
    REQUIRE(options->compression >= 0 && options->compression <= 9, "options->compression is %d, must be from 0 to 9",
            options->compression);
    if (!ksiAreFinite(options->gravity, 3))
        return EXPLAIN(KS_ERROR_NOT_FINITE, "options->gravity is not finite");
    ksRecording *made = calloc(1, sizeof *made);
    const ksStatus status = made ? open(made, path, options) : KS_ERROR_NO_MEMORY;
    if (status && made) {
        (void)ksiArchiveClose(made->archive);
        destroy(made);
    }
    if (status)
        return status;
    if (made->archive)
        ksiAddWriter(&made->writer, abandon, made->archive);
    *recording = made;
    return KS_OK;
}

ksStatus ksRecordingCreate(const char *path, const ksRecordingOptions *options, ksRecording **recording)
{
    ANSWER(create(path, options, recording));
}

/* --- Preconditions --- */

static bool isOfParent(const ksRecording *recording)
{
    return recording->archive && !ksiIsOwnWriter(&recording->writer);
}

/* Can the recording still accept data? */
static ksStatus admitAny(const ksRecording *recording)
{
    REQUIRE_POINTER(recording);
    if (isOfParent(recording))
        return EXPLAIN(KS_ERROR_FILE, "the file belongs to the parent process of this fork");
    return recording->isBroken ? EXPLAIN(KS_ERROR_FILE, "%s", recording->words) : KS_OK;
}

/* Admits a call that belongs inside a step (isOpen) or outside of one. */
ksStatus ksiAdmitRecording(const ksRecording *recording, bool isOpen)
{
    const ksStatus status = admitAny(recording);
    if (status)
        return status;
    if (recording->isOpen != isOpen)
        return EXPLAIN(KS_ERROR_BRACKET, isOpen ? "no step was begun" : "a step was begun and not ended");
    return isOpen || !recording->witness ? KS_OK : recording->witness->admit(recording->user);
}

/* --- Bodies --- */

/* Shows the new body or joint to the inspector too. */
static ksStatus show(ksRecording *recording)
{
    return recording->witness
               ? recording->witness->show(recording->user, ksiForeignBegin(&recording->world, 0, NULL, NULL))
               : KS_OK;
}

static ksStatus addBody(ksRecording *recording, const ksRecordedBody *body, int *index)
{
    ksStatus status = ksiAdmitRecording(recording, false);
    if (status)
        return status;
    REQUIRE_POINTER(body);
    status = ksiCheckBody(body, recording->world.bodyCount);
    if (!status)
        status = ksiForeignAddBody(&recording->world, body);
    if (status)
        return status;
    status = show(recording);
    if (status) {
        ksiForeignRemoveBody(&recording->world);
        return status;
    }
    if (index)
        *index = (int)recording->world.bodyCount - 1;
    return KS_OK;
}

ksStatus ksRecordingAddBody(ksRecording *recording, const ksRecordedBody *body, int *index)
{
    ANSWER(addBody(recording, body, index));
}

/* --- Joints --- */

static ksStatus checkJoint(const ksRecording *recording, const ksRecordedJoint *joint)
{
    const ksStatus status = ksiCheckJoint(joint, recording->world.bodyCount);
    for (size_t i = 0; !status && i < recording->world.jointCount; i++)
        REQUIRE(!ksiIsAlike(joint, &recording->world.joint[i].as), "joint %zu already has this description", i);
    return status;
}

static ksStatus addJoint(ksRecording *recording, const ksRecordedJoint *joint, int *index)
{
    ksStatus status = ksiAdmitRecording(recording, false);
    if (status)
        return status;
    REQUIRE_POINTER(joint);
    status = checkJoint(recording, joint);
    if (!status)
        status = ksiForeignAddJoint(&recording->world, joint);
    if (status)
        return status;
    status = show(recording);
    if (status) {
        ksiForeignRemoveJoint(&recording->world);
        return status;
    }
    if (index)
        *index = (int)recording->world.jointCount - 1;
    return KS_OK;
}

ksStatus ksRecordingAddJoint(ksRecording *recording, const ksRecordedJoint *joint, int *index)
{
    ANSWER(addJoint(recording, joint, index));
}

static ksStatus flush(ksRecording *recording)
{
    const ksStatus status = admitAny(recording);
    if (status)
        return status;
    return !recording->archive || ksiArchiveFlush(recording->archive) ? KS_OK : ksiFailRecording(recording);
}

ksStatus ksRecordingFlush(ksRecording *recording)
{
    ANSWER(flush(recording));
}

/* Marks the file as complete. */
static bool endRun(ksRecording *recording)
{
    ksiRun run = *ksiArchiveRun(recording->archive);
    run.isOver = 1;
    return ksiArchiveEnd(recording->archive, &run);
}

static ksStatus closeFile(ksRecording *recording)
{
    const ksiStepRecord end = ksiEndRecord(1, recording->steps);
    ksStatus status = recording->isBroken ? KS_ERROR_FILE : KS_OK;
    if (!status && recording->steps > 0)
        status = ksiArchiveAppend(recording->archive, 0, program_invocation_short_name, &end);
    if (!status && !endRun(recording))
        status = KS_ERROR_FILE;
    ksiRemoveWriter(&recording->writer);
    return ksiArchiveClose(recording->archive) && !status ? KS_OK : EXPLAIN(KS_ERROR_FILE, "%s", recording->words);
}

static ksStatus closeRecording(ksRecording *recording)
{
    const ksStatus status = recording->archive ? closeFile(recording) : KS_OK;
    destroy(recording);
    return status;
}

ksStatus ksRecordingClose(ksRecording *recording)
{
    // a child writes nothing to the file and frees no memory
    if (!recording || isOfParent(recording))
        return KS_OK;
    if (recording->witness && recording->witness->admit(recording->user) == KS_ERROR_REENTRY)
        return ksiAnswerRecording(KS_ERROR_REENTRY, __func__);
    if (recording->witness)
        recording->witness->destroy(recording->user);
    ANSWER(closeRecording(recording));
}
