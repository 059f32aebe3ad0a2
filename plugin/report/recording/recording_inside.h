/* recording_inside.h  A recording's world, its file, and its inspector. */
#ifndef KSI_REPORT_RECORDING_RECORDING_INSIDE_H
#define KSI_REPORT_RECORDING_RECORDING_INSIDE_H

#include "../files/writers.h"
#include "foreign.h"
#include "recording_check.h"

/* Inspects each step, in a library with an engine (recording_inspect.c). */
typedef struct ksiWitness {
    /* KS_OK, or an error with a message: the inspector does not admit the call */
    ksStatus (*admit)(void *user);
    /* sets the world to this record, before any step */
    ksStatus (*show)(void *user, const ksiStepRecord *record);
    /* called before and after a step; end returns the status of the step */
    ksStatus (*begin)(void *user, const ksiStepRecord *record);
    ksStatus (*end)(void *user, const ksiStepRecord *record);
    /* called when the recording is destroyed */
    void (*destroy)(void *user);
} ksiWitness;

struct ksRecording {
    const ksiWitness *witness; /* NULL: there is no inspector */
    void *user;                /* argument of the witness's functions */
    ksiArchive *archive;       /* NULL: no file */
    ksiWriter writer;
    char words[KSI_ARCHIVE_WORDS];
    bool isBroken; /* nothing more will be written */
    bool isOpen;   /* a step has begun */
    bool isLost;   /* the step that has begun will not be in the file */
    ksiForeign world;
    uint64_t steps;
};

/* Makes a call while no other thread writes a file. Callbacks run outside of DO_INSIDE, since they
 * may write a trace. */
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

/* The body of a public function. */
#define ANSWER(call)                                                                                                   \
    ksStatus status;                                                                                                   \
    DO_INSIDE(status, call);                                                                                           \
    return ksiAnswerRecording(status, __func__)

/* May a public function run? isOpen: it may run only inside a step; otherwise only outside of one.
 * KS_OK, KS_ERROR_BAD_ARGUMENT, KS_ERROR_FILE, KS_ERROR_BRACKET, KS_ERROR_REENTRY. */
KS_MUST_USE ksStatus ksiAdmitRecording(const ksRecording *recording, bool isOpen);

/* Stops writing: KS_ERROR_FILE, with the archive's message. */
ksStatus ksiFailRecording(ksRecording *recording);

#endif
