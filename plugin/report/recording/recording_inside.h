/* recording_inside.h  A recording's own world, its file and its inspector. */
#ifndef KSI_REPORT_RECORDING_RECORDING_INSIDE_H
#define KSI_REPORT_RECORDING_RECORDING_INSIDE_H

#include "../files/writers.h"
#include "recording_check.h"

#include "../../replay/recorder.h"

#include <kinetostat/kinetostat.h>

typedef struct ksiDescribed {
    dJointID id;
    ksRecordedJoint as; /* but for its name */
    char name[KSI_NAME_BYTES];
} ksiDescribed;

struct ksRecording {
    ksInspector *observer; /* or NULL */
    ksiArchive *archive;   /* NULL: there is no file */
    ksiWriter writer;
    char words[KSI_ARCHIVE_WORDS];
    bool isBroken; /* nothing more is written */
    bool isOpen;   /* in a step */
    ksStatus lost; /* in a step: why it is not in the file; KS_OK: the recorder has begun it */
    double stepSize;
    dWorldID world;
    dThreadingImplementationID threading; /* of its own */
    ksiRecorder *recorder;
    dBodyID *body;
    ksiDescribed *joint;
    size_t bodyCount, jointCount, bodyCapacity, jointCapacity;
    uint64_t steps;
};

/* What is done while no other thread writes a file. What calls back is done without: a callback may write a trace. */
#define DO_INSIDE(status, call)                                                                                        \
    do {                                                                                                               \
        const ksiHost host_ = ksiEnterWriters();                                                                       \
        ksiRecordingWhy[0] = 0;                                                                                        \
        (status) = call;                                                                                               \
        ksiLeaveWriters(&host_);                                                                                       \
    } while (0)

static inline ksStatus ksiAnswerRecording(ksStatus status, const char *function)
{
    return status ? ksErrorSet(status, function, ksiRecordingWhy[0] ? ksiRecordingWhy : NULL) : KS_OK;
}

/* All that a public function does. */
#define ANSWER(call)                                                                                                   \
    ksStatus status;                                                                                                   \
    DO_INSIDE(status, call);                                                                                           \
    return ksiAnswerRecording(status, __func__)

/* A call that is made in a step, or outside one. KS_OK, KS_ERROR_BAD_ARGUMENT, KS_ERROR_FILE, KS_ERROR_BRACKET, KS_ERROR_REENTRY. */
KS_MUST_USE ksStatus ksiAdmitRecording(const ksRecording *recording, bool isOpen);

/* Nothing more is written: KS_ERROR_FILE, with the archive's words. */
ksStatus ksiFailRecording(ksRecording *recording);

void ksiSetRecordedState(dBodyID body, const ksRecordedState *state);

#endif
