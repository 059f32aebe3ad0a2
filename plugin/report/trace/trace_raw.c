/* trace_raw.c  Writes the traces of level KS_TRACE_RAW, which are recordings. */
#define _GNU_SOURCE
#include "trace_raw.h"

#include "../recording/archive.h"

#include "../../replay/recorder.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

_Static_assert((int)KSI_ARCHIVE_WORDS == (int)KSI_TRACE_WORDS, "the archive writes the trace's words");

typedef struct RawFile {
    ksiTraceFile base;
    ksiArchive *archive;
    unsigned worldCount; /* 0: the file has no head yet; the head contains the run */
    ksiRun run;
} RawFile;

struct ksiRaw {
    ksiRecorder *recorder;
    unsigned number;
    uint64_t steps;    /* number of steps made so far */
    uint64_t recorded; /* number of the last recorded step, plus 1; 0: none */
    double called;     /* s, time of the last call */
    bool isBegun;
};

/* --- The file --- */

static ksStatus flush(ksiTraceFile *file)
{
    return ksiArchiveFlush(((RawFile *)file)->archive) ? KS_OK : KS_ERROR_FILE;
}

static ksStatus closeFile(ksiTraceFile *file)
{
    RawFile *raw = (RawFile *)file;
    const bool isClosed = ksiArchiveClose(raw->archive);
    free(raw);
    return isClosed ? KS_OK : KS_ERROR_FILE;
}

static void abandon(ksiTraceFile *file)
{
    ksiArchiveAbandon(((const RawFile *)file)->archive);
}

ksStatus ksiTraceOpenRaw(const char *path, int compression, char *words, ksiTraceFile **file)
{
    RawFile *made = calloc(1, sizeof *made);
    if (!made) {
        snprintf(words, KSI_TRACE_WORDS, "out of memory");
        return KS_ERROR_NO_MEMORY;
    }
    // a recording has no tables
    made->base = (ksiTraceFile){.flush = flush, .close = closeFile, .abandon = abandon, .words = words};
    snprintf(made->run.program, sizeof made->run.program, "%s", program_invocation_name);
    ksiRunTakeArguments(&made->run);
    snprintf(made->run.built, sizeof made->run.built, "%s", dGetConfiguration());
    (void)ksiRunTakeEnvironment(&made->run, environ);
    const ksStatus status = ksiArchiveCreate(path, compression, words, &made->archive);
    if (status)
        free(made);
    else
        *file = &made->base;
    return status;
}

/* --- Worlds --- */

static ksStatus failMemory(ksTrace *trace)
{
    snprintf(trace->words, sizeof trace->words, "out of memory: a step was not recorded");
    return KS_ERROR_NO_MEMORY;
}

static const char *nameOf(const void *inspector, dJointID joint)
{
    return ksInspectorGetName(inspector, joint);
}

ksStatus ksiRawCreate(ksTrace *trace, const ksInspector *inspector, ksiRaw **raw)
{
    RawFile *file = (RawFile *)trace->file;
    ksiRaw *made = calloc(1, sizeof *made);
    if (!made || ksiRecorderCreate(ksInspectorGetWorld(inspector), file->worldCount + 1, KSI_FEEDBACK_INSPECTORS,
                                   &made->recorder)) {
        free(made);
        return failMemory(trace);
    }
    if (file->worldCount == 0 && !ksiArchiveBegin(file->archive, &file->run, NULL)) {
        ksiRawDestroy(made);
        return trace->failure = KS_ERROR_FILE;
    }
    ksiRecorderAskNames(made->recorder, nameOf, inspector);
    made->number = ++file->worldCount;
    *raw = made;
    return KS_OK;
}

void ksiRawDestroy(ksiRaw *raw)
{
    if (raw)
        ksiRecorderDestroy(raw->recorder);
    free(raw);
}

ksStatus ksiRawSetParameter(ksTrace *trace, const char *name, const char *value)
{
    RawFile *file = (RawFile *)trace->file;
    char written[KSI_RUN_PARAMETERS];
    const int length = snprintf(written, sizeof written, "%s=%s", name, value);
    if (strchr(name, '=') || length >= (int)sizeof written || !ksiRunSetParameter(&file->run, written))
        return KS_ERROR_BAD_ARGUMENT;
    // write an existing head again
    if (file->worldCount > 0 && !ksiArchiveEnd(file->archive, &file->run))
        return trace->failure = KS_ERROR_FILE;
    return KS_OK;
}

/* --- Steps --- */

static bool isChosen(const ksTraceOptions *options, uint64_t step, double time)
{
    return step % options->every == 0 && time >= options->begin && time < options->end;
}

typedef enum Choice { SKIPPED, EXTRA, CHOSEN } Choice;

/* The physical values of a chosen step may need the step before it. If the file lacks that step, it
 * is recorded as an extra step. */
static Choice choose(const ksTraceOptions *options, const ksiRaw *raw, const ksEngineStep *step)
{
    if (isChosen(options, step->step, step->time) && raw->recorded == step->step)
        return CHOSEN;
    return isChosen(options, step->step + 1, step->time + step->stepSize) ? EXTRA : SKIPPED;
}

static void append(ksTrace *trace, const ksiStepRecord *record)
{
    trace->failure = ksiArchiveAppend(((RawFile *)trace->file)->archive, 0, program_invocation_short_name, record);
}

static void begin(ksTrace *trace, ksiRaw *raw, const ksEngineStep *step)
{
    raw->isBegun = false;
    if (step->stepper == KS_EXACT_STEP) {
        trace->exactSteps += isChosen(&trace->options, step->step, step->time);
        return;
    }
    const Choice choice = choose(&trace->options, raw, step);
    if (choice == SKIPPED)
        return;
    ksiRecorderSeek(raw->recorder, step->step, step->time);
    if (ksiRecorderBegin(raw->recorder, step->stepper, step->stepSize, choice == EXTRA)) {
        trace->failure = failMemory(trace);
        return;
    }
    raw->isBegun = true;
    raw->called = ksiTraceClock();
}

static void end(ksTrace *trace, ksiRaw *raw, const ksEngineStep *step)
{
    const ksTraceOptions *options = &trace->options;
    raw->steps = step->step + 1;
    if (!raw->isBegun)
        return;
    raw->isBegun = false;
    const double now = ksiTraceClock();
    append(trace, ksiRecorderEnd(raw->recorder, true, now - raw->called));
    raw->recorded = step->step + 1;
    const size_t waiting = ksiArchiveWaiting(((RawFile *)trace->file)->archive);
    if (trace->failure == KS_OK &&
        ((options->flushSteps && waiting >= options->flushSteps) || now - trace->lastFlush >= options->flushSeconds))
        (void)!ksiTraceWrite(trace);
}

void ksiRawStep(ksTrace *trace, ksiRaw *raw, const ksEngineStep *step)
{
    if (trace->failure != KS_OK)
        return;
    if (step->isDone)
        end(trace, raw, step);
    else
        begin(trace, raw, step);
}

void ksiRawEnd(ksTrace *trace, const ksiRaw *raw)
{
    const ksiStepRecord record = ksiEndRecord(raw->number, raw->steps);
    if (trace->failure == KS_OK && raw->recorded > 0)
        append(trace, &record);
}
