/* run.h  The run of a program that a report is about: what was started, when, how it ended, and what of it nobody has seen. */
#ifndef KSI_REPORT_RUN_H
#define KSI_REPORT_RUN_H

#include "text.h"

#include "../replay/not_finite.h"

#include <jansson.h>
#include <kinetostat/report.h>

enum { KSI_RUN_NOTES = 2048, KSI_RUN_PARAMETERS = 2048 };

/* Without pointers, so that a recording can hold it. */
typedef struct ksiRun {
    char program[256];    /* as it was called; empty: there is no run, but a host that inspects itself */
    char arguments[2048]; /* each with its end; those that do not fit are left out */
    char begun[32];       /* 2026-11-24T13:20:05Z */
    char engine[128];     /* the file of its library */
    char built[256];      /* dGetConfiguration */
    int32_t argumentCount, isOver;
    int32_t status, signal; /* 0: exit; else the number of the signal */
    uint32_t world;         /* whose step was begun last; 0: none */
    int32_t isInStep;       /* the program ended in it */
    int32_t isExact;        /* it is one of ksInspectorExactStep */
    uint64_t step;
    double time;               /* s, of the step's begin */
    ksiNotFinite notFinite;    /* body 0: all were finite */
    uint32_t unseen;           /* processes that were not inspected, or not to their end */
    char notes[KSI_RUN_NOTES]; /* a line for each kind of them */
    /* name=value, each with its end, by name; an empty one ends them */
    char parameters[KSI_RUN_PARAMETERS];
} ksiRun;

/* Adds a run, or replaces the one with this index. Documents tell of it. It may have been read from a file: its texts are cut and made
 * clean. KS_OK or KS_ERROR_NO_MEMORY. */
KS_MUST_USE ksStatus ksiReportSetRun(ksReport *report, size_t index, const ksiRun *run);

size_t ksiReportRuns(const ksReport *report);

/* NULL: there is none of this index. */
const ksiRun *ksiReportRun(const ksReport *report, size_t index);

/* What a run is one of many for: KINETOSTAT_PARAM_mass=2.5 in an environment gives "mass" its value. Set: as name=value, in place
 * of an older value; false: it has no name or no '=', or there is no room for it. Next: the first one with last NULL, then that behind it; NULL: it was the last. */
bool ksiRunSetParameter(ksiRun *run, const char *written);
void ksiRunTakeEnvironment(ksiRun *run, char *const *environment);
const char *ksiRunNextParameter(const ksiRun *run, const char *last);

/* It was recorded by a host, which inspects itself: how the program ended nobody knows. */
static inline bool ksiRunIsOfHost(const ksiRun *run)
{
    return !run->begun[0];
}

/* Has it ended as it should; and was all of it seen, too? */
bool ksiRunEndsWell(const ksiRun *run);
bool ksiRunIsGood(const ksiRun *run);

/* What is said of a run: the program and its arguments; "killed by SIGABRT in step 50 of world 1, at 0.25 s: the force on body 5 is not
 * finite"; what type of error that is in JUnit. Names are not clean yet. */
void ksiRunWriteCall(const ksiRun *run, ksiText *out);
void ksiRunWriteEnd(const ksiRun *run, ksiText *out);
const char *ksiRunErrorType(const ksiRun *run);

/* Those that end programs; others are "signal 34". */
const char *ksiSignalName(int number, char out[24]);

/* Calls `add` with each note. */
void ksiRunEachNote(const ksiRun *run, void (*add)(const char *note, void *user), void *user);

/* A list; NULL: out of memory. */
json_t *ksiRunsToJson(const ksReport *report);

#endif
