/* run.h  The run of a program in a report: its command, start, end, and parts that were not
 * inspected. */
#ifndef KSI_REPORT_COLLECT_RUN_H
#define KSI_REPORT_COLLECT_RUN_H

#include "../files/text.h"

#include "../../replay/not_finite.h"

#include <jansson.h>
#include <kinetostat/report.h>

enum { KSI_RUN_NOTES = 2048, KSI_RUN_PARAMETERS = 2048, KSI_RUN_FILE = 512, KSI_MOST_SHARDS = 4096 };

/* Marks a random identity, which is unique without the name of the file. */
#define KSI_DRAWN (UINT64_C(1) << 63)

/* The index of the run for a world that has none. */
#define KSI_NO_RUN SIZE_MAX

/* The run of a program. It has no pointers, so a recording can store it. */
typedef struct ksiRun {
    char program[256];    /* the program as it was called */
    char arguments[2048]; /* null-terminated, one after the other, as many as fit */
    char begun[32];       /* start, 2026-11-24T13:20:05Z; empty: a host that inspects itself */
    char engine[128];     /* the file of the engine's library */
    char built[256];      /* dGetConfiguration of the engine */
    int32_t argumentCount, isOver;
    int32_t status, signal; /* the exit status; the signal that killed the program, or 0 */
    uint32_t world;         /* number of the world whose step started last; 0: none */
    int32_t isInStep;       /* the program ended during this world's last step */
    int32_t isExact;        /* that step was a ksInspectorExactStep */
    uint64_t step;
    double time;               /* s, at the step's start */
    ksiNotFinite notFinite;    /* body 0: all bodies were finite */
    uint32_t traps;            /* bits of the traps that the program fell into: traps.h */
    uint32_t unseen;           /* number of processes that were not fully inspected */
    char notes[KSI_RUN_NOTES]; /* a line for each kind of process not fully inspected */
    /* name=value, null-terminated, sorted by name; an empty text ends them */
    char parameters[KSI_RUN_PARAMETERS];
    /* The next members are for reports on many runs, whose parts may be in several files. */
    char file[KSI_RUN_FILE];              /* the recording, or the report that the run comes from;
                                             empty: none */
    uint64_t identity;                    /* unique within the file; KSI_DRAWN */
    uint32_t lost;                        /* number of records that ended a judging process and
                                             were omitted; also in notes */
    uint32_t shards, turn;                /* number of shards, 0: not divided; the shard with the
                                             first window */
    uint64_t shard[KSI_MOST_SHARDS / 64]; /* bits of the shards in this report, lowest first */
} ksiRun;

/* Cuts and cleans the texts of a run from an untrusted file. false: out of memory. */
bool ksiRunClean(const ksAllocator *allocator, ksiRun *run);

/* Cleans a run (ksiRunClean), and adds it or replaces the run with this index. KS_OK or
 * KS_ERROR_NO_MEMORY. */
KS_MUST_USE ksStatus ksiReportSetRun(ksReport *report, size_t index, const ksiRun *run);

/* Adds a run, or adds its shards to the same run in the report; returns the index. KS_OK;
 * KS_ERROR_NO_MEMORY; KS_ERROR_BAD_ARGUMENT, with ksErrorMessage: a part of the run is in both, or
 * they are parts of different divisions. */
KS_MUST_USE ksStatus ksiReportAddRun(ksReport *report, const ksiRun *run, size_t *index);

/* Sorts runs by file and start, notes by text, and worlds by run and place, so that the order of
 * merging does not matter. KS_OK or KS_ERROR_NO_MEMORY. */
KS_MUST_USE ksStatus ksiReportSort(ksReport *report);

/* Has: does the run have this shard, numbered from 0? Missing: the number of missing shards. */
bool ksiRunHasShard(const ksiRun *run, uint32_t shard);
uint32_t ksiRunMissing(const ksiRun *run);

/* Parameters that distinguish runs: KINETOSTAT_PARAM_mass=2.5 in the environment gives "mass" its
 * value. Set: adds name=value or replaces the value; false: no name, no '=', or no room. Take: sets
 * all parameters of an environment; returns one that cannot be set, or NULL. Next: the first one if
 * last is NULL, else the next; NULL: none. */
bool ksiRunSetParameter(ksiRun *run, const char *written);
const char *ksiRunTakeEnvironment(ksiRun *run, char *const *environment);
const char *ksiRunNextParameter(const ksiRun *run, const char *last);

/* Adds the arguments of this process from /proc, as many as fit. */
void ksiRunTakeArguments(ksiRun *run);

/* The run of a host's report, for merging with other reports. */
ksiRun ksiRunOfHost(void);

/* Did a host that inspects itself make the recording? The end of the program is then unknown.
 * isOver: the host has closed the recording. */
static inline bool ksiRunIsOfHost(const ksiRun *run)
{
    return !run->begun[0];
}

/* EndsWell: did the run end well? IsGood: did it end well, and was all of it inspected? */
bool ksiRunEndsWell(const ksiRun *run);
bool ksiRunIsGood(const ksiRun *run);

/* Texts about a run: the program and its arguments; its end, such as "killed by SIGABRT in step 50
 * of world 1, at 0.25 s: the force on body 5 is not finite"; its type of error in JUnit. They are
 * clean only after ksiRunClean. */
void ksiRunWriteCall(const ksiRun *run, ksiText *out);
void ksiRunWriteEnd(const ksiRun *run, ksiText *out);
const char *ksiRunErrorType(const ksiRun *run);

/* Adds a note if it is new and fits. */
void ksiRunAddNote(ksiRun *run, const char *note);

/* Calls `add` with each note; the last one is about missing shards, if there are any. */
void ksiRunEachNote(const ksiRun *run, void (*add)(const char *note, void *user), void *user);

/* "good" is null: the caller knows whether all was inspected. NULL: out of memory. */
json_t *ksiRunToJson(const ksAllocator *allocator, const ksiRun *run);

#endif
