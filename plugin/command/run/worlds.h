/* worlds.h  The judges of all worlds of a run, by process and world. */
#ifndef KSI_COMMAND_RUN_WORLDS_H
#define KSI_COMMAND_RUN_WORLDS_H

#include "../../report/recording/judge.h"
#include "../../report/trace/trace.h"

typedef struct ksiWorlds ksiWorlds;

/* The report and the options stay the caller's. NULL: out of memory. */
ksiWorlds *ksiWorldsCreate(const ksiJudgeOptions *options, ksReport *report);
void ksiWorldsDestroy(ksiWorlds *worlds);

/* What comes from now on is of another run of the report, with processes and worlds of its own. label: of many runs, for those who look at each step;
 * NULL: it is the only one; the caller's. */
void ksiWorldsBeginRun(ksiWorlds *worlds, size_t run, const char *label);

/* Before the first record of a process, in the order of these: what it runs. Worlds are called by it where programs differ. KS_OK, KS_ERROR_NO_MEMORY. */
KS_MUST_USE ksStatus ksiWorldsProcess(ksiWorlds *worlds, unsigned process, const char *program);

/* Names for the worlds that come from now on, where the options have none; NULL: none. They are the worlds' then. false: out of memory. */
bool ksiWorldsTakeNames(ksiWorlds *worlds, ksiNameList *names);

/* That joints of a world of the report are named by; NULL: none. */
const ksiNameList *ksiWorldsNames(const ksiWorlds *worlds);

/* It gets what is judged from now on, and stays the caller's. NULL: there is none. */
void ksiWorldsPassOn(ksiWorlds *worlds, ksTrace *trace);

/* The next sound record of a process, whose number is the caller's. An end (ksiEndRecord) only tells how many steps there were. Note: tells which world of the report it
 * belongs to, and how many steps before it were left out. Judge: counts those, and judges it. KS_OK,
 * KS_ERROR_NO_MEMORY. */
KS_MUST_USE ksStatus ksiWorldsNote(ksiWorlds *worlds, unsigned process, const ksiStepRecord *record, size_t *world,
                                   uint64_t *skipped);
KS_MUST_USE ksStatus ksiWorldsJudge(ksiWorlds *worlds, unsigned process, const ksiStepRecord *record);

/* Nothing more comes from a process: its judges go. */
void ksiWorldsEnd(ksiWorlds *worlds, unsigned process);

#endif
