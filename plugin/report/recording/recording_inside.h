/* recording_inside.h  A recording's world, its file, and who looks at its steps. */
#ifndef KSI_REPORT_RECORDING_RECORDING_INSIDE_H
#define KSI_REPORT_RECORDING_RECORDING_INSIDE_H

#include "../files/writers.h"
#include "foreign.h"
#include "recording_check.h"

/* Who looks at each step, in a library with an engine (recording_inspect.c). */
typedef struct ksiWitness {
    /* KS_OK; else why no call is permitted now, with words */
    ksStatus (*admit)(void *user);
    /* the world is as in this record, of no step yet */
    ksStatus (*show)(void *user, const ksiStepRecord *record);
    /* around a step; end: its status */
    ksStatus (*begin)(void *user, const ksiStepRecord *record);
    ksStatus (*end)(void *user, const ksiStepRecord *record);
    /* the recording goes */
    void (*destroy)(void *user);
} ksiWitness;

struct ksRecording {
    const ksiWitness *witness; /* or NULL */
    void *user;                /* of it */
    ksiArchive *archive;       /* NULL: there is no file */
    ksiWriter writer;
    char words[KSI_ARCHIVE_WORDS];
    bool isBroken; /* nothing more is written */
    bool isOpen;   /* in a step */
    bool isLost;   /* in a step: it is not to be in the file */
    ksiForeign world;
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

#endif
