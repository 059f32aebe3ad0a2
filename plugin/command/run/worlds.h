/* worlds.h  The judges of a run's worlds, by process and world. */
#ifndef KSI_COMMAND_RUN_WORLDS_H
#define KSI_COMMAND_RUN_WORLDS_H

#include "../../report/recording/judge.h"
#include "../../report/trace/trace.h"

typedef struct ksiWorlds ksiWorlds;

/* The caller keeps the report and the options. NULL: out of memory. */
ksiWorlds *ksiWorldsCreate(const ksiJudgeOptions *options, ksReport *report);
void ksiWorldsDestroy(ksiWorlds *worlds);

/* Later records belong to another run of the report, with its own processes and worlds. label: for
 * viewers of single steps, if there are several runs; the caller keeps it. NULL: the only run. */
void ksiWorldsBeginRun(ksiWorlds *worlds, size_t run, const char *label);

/* Call it before a process's first record. Sets its program, which names worlds if programs differ.
 * KS_OK, KS_ERROR_NO_MEMORY. */
KS_MUST_USE ksStatus ksiWorldsProcess(ksiWorlds *worlds, unsigned process, const char *program);

/* Takes ownership of names for later worlds, used if the options have none; NULL: no names. false:
 * out of memory. */
bool ksiWorldsTakeNames(ksiWorlds *worlds, ksiNameList *names);

/* The names of joints in worlds that are added from this call on; NULL: none. */
const ksiNameList *ksiWorldsNames(const ksiWorlds *worlds);

/* Passes later judgements to a trace, which the caller keeps. NULL: none. */
void ksiWorldsPassOn(ksiWorlds *worlds, ksTrace *trace);

/* Takes the next sound record of a process. The caller numbers the processes. An end (ksiEndRecord)
 * only carries the number of steps. ksiWorldsNote sets the record's world in the report, and the
 * number of omitted steps before the record. ksiWorldsJudge counts these steps and judges the
 * record. KS_OK, KS_ERROR_NO_MEMORY. */
KS_MUST_USE ksStatus ksiWorldsNote(ksiWorlds *worlds, unsigned process, const ksiStepRecord *record, size_t *world,
                                   uint64_t *skipped);
KS_MUST_USE ksStatus ksiWorldsJudge(ksiWorlds *worlds, unsigned process, const ksiStepRecord *record);

/* Frees the judges of a process that sends no more records. */
void ksiWorldsEnd(ksiWorlds *worlds, unsigned process);

#endif
