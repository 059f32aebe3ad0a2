/* worlds.h  The judges of all worlds of a run, by process and world. */
#ifndef KSI_COMMAND_RUN_WORLDS_H
#define KSI_COMMAND_RUN_WORLDS_H

#include "../../report/recording/judge.h"
#include "../../report/trace/trace.h"

typedef struct ksiWorlds ksiWorlds;

/* The report and the options stay the caller's. NULL: out of memory. */
ksiWorlds *ksiWorldsCreate(const ksiJudgeOptions *options, ksReport *report);
void ksiWorldsDestroy(ksiWorlds *worlds);

/* Later records belong to another run of the report, with its own processes and worlds. label: for
 * viewers of single steps, if there are several runs; the caller's. NULL: the only run. */
void ksiWorldsBeginRun(ksiWorlds *worlds, size_t run, const char *label);

/* Call it before the first record of a process: sets its program, which names worlds if programs
 * differ. KS_OK, KS_ERROR_NO_MEMORY. */
KS_MUST_USE ksStatus ksiWorldsProcess(ksiWorlds *worlds, unsigned process, const char *program);

/* Takes ownership of names for later worlds without others; NULL: none. false: out of memory. */
bool ksiWorldsTakeNames(ksiWorlds *worlds, ksiNameList *names);

/* Names of the joints in a world of the report; NULL: none. */
const ksiNameList *ksiWorldsNames(const ksiWorlds *worlds);

/* Passes later judgements to a trace, which stays the caller's. NULL: none. */
void ksiWorldsPassOn(ksiWorlds *worlds, ksTrace *trace);

/* The next sound record of a process, by the caller's number. An end (ksiEndRecord) only carries
 * the number of steps. Note: gives the record's world in the report, and the number of steps left
 * out before it. Judge: counts them and judges it. KS_OK, KS_ERROR_NO_MEMORY. */
KS_MUST_USE ksStatus ksiWorldsNote(ksiWorlds *worlds, unsigned process, const ksiStepRecord *record, size_t *world,
                                   uint64_t *skipped);
KS_MUST_USE ksStatus ksiWorldsJudge(ksiWorlds *worlds, unsigned process, const ksiStepRecord *record);

/* No records follow from this process: frees its judges. */
void ksiWorldsEnd(ksiWorlds *worlds, unsigned process);

#endif
