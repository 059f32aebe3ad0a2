/* run.h  The run of a program in a report: its command, start, end, and parts that were not inspected. */
#ifndef KSI_REPORT_COLLECT_RUN_H
#define KSI_REPORT_COLLECT_RUN_H

#include "../files/text.h"

#include "../../replay/not_finite.h"

#include <jansson.h>
#include <kinetostat/report.h>

enum { KSI_RUN_NOTES = 2048, KSI_RUN_PARAMETERS = 2048, KSI_RUN_FILE = 512, KSI_MOST_SHARDS = 4096 };

/* A random identity: no other run has it, whatever its file is called. */
#define KSI_DRAWN (UINT64_C(1) << 63)

/* No index. */
#define KSI_NO_RUN SIZE_MAX

/* Without pointers, so that a recording can store it. */
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
    uint32_t traps;            /* bits of traps.h: what the program has met */
    uint32_t unseen;           /* processes that were not inspected, or not as a whole */
    char notes[KSI_RUN_NOTES]; /* a line for each kind of them */
    /* name=value, each with its end, by name; an empty one ends them */
    char parameters[KSI_RUN_PARAMETERS];
    /* Of reports on many runs, which may come in parts. */
    char file[KSI_RUN_FILE]; /* the recording, or the report that it comes from; empty: none */
    uint64_t identity;       /* no other run of this file has it; KSI_DRAWN */
    uint32_t lost;           /* records whose judgement has ended the process: also in notes */
    uint32_t shards, turn;   /* in how many it was judged, 0: it was not divided; which has its first window */
    uint64_t shard[KSI_MOST_SHARDS / 64]; /* those that are here, from the lowest bit on */
} ksiRun;

/* Cuts and cleans the texts of a run from an untrusted file. false: out of memory. */
bool ksiRunClean(const ksAllocator *allocator, ksiRun *run);

/* Adds a run, or replaces the run with this index, after ksiRunClean. KS_OK or KS_ERROR_NO_MEMORY. */
KS_MUST_USE ksStatus ksiReportSetRun(ksReport *report, size_t index, const ksiRun *run);

/* Adds a run, or its shards to the same run of the report: returns its index. KS_OK; KS_ERROR_NO_MEMORY; KS_ERROR_BAD_ARGUMENT, with
 * ksErrorMessage: a shard is in both, or the divisions differ. */
KS_MUST_USE ksStatus ksiReportAddRun(ksReport *report, const ksiRun *run, size_t *index);

/* Sorts runs by file and start, notes by text, and worlds by run and place, so that the order of merging does not matter. KS_OK or
 * KS_ERROR_NO_MEMORY. */
KS_MUST_USE ksStatus ksiReportSort(ksReport *report);

/* Whether the run has this shard, numbered from 0; the number of missing shards. */
bool ksiRunHasShard(const ksiRun *run, uint32_t shard);
uint32_t ksiRunMissing(const ksiRun *run);

/* What a run is one of many for: KINETOSTAT_PARAM_mass=2.5 in an environment gives "mass" its value. Set: as name=value, in place
 * of an older value; false: it has no name or no '=', or there is no room for it. Take: those of an environment; returns one that cannot be set, or NULL. Next: the first one with last NULL, then that behind it; NULL: it was the last. */
bool ksiRunSetParameter(ksiRun *run, const char *written);
const char *ksiRunTakeEnvironment(ksiRun *run, char *const *environment);
const char *ksiRunNextParameter(const ksiRun *run, const char *last);

/* A host tells of no run: its report is one for those who add it to others. */
ksiRun ksiRunOfHost(void);

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

/* Adds a note that is not there yet, if there is room. */
void ksiRunAddNote(ksiRun *run, const char *note);

/* Calls `add` with each note, the last of which is of shards that are not here. */
void ksiRunEachNote(const ksiRun *run, void (*add)(const char *note, void *user), void *user);

/* NULL: out of memory. */
/* "good" is null: it is for those who know what was inspected. */
json_t *ksiRunToJson(const ksAllocator *allocator, const ksiRun *run);

#endif
