/* judges.h  The judges of a run that goes on, in a process of their own, which may break down on what a program sends. A copy of it stands by: it
 * goes on from where it was made, without the records since then. */
#ifndef KSI_JUDGES_H
#define KSI_JUDGES_H

#include "hub.h"
#include "options.h"
#include "worlds.h"

#include "../report/run.h"

typedef struct ksiJudges ksiJudges;

/* All is the caller's; channel: its `spent` has what is spent on judgements. report makes the documents, with what is known of the run, and
 * returns a status to exit with, by the limit if it is to be checked; it is called in the process that judges, which has all that the caller has when it is started. NULL: out of
 * memory. */
typedef int ksiMakeReport(void *user, const ksiRun *run, bool isChecked);
ksiJudges *ksiJudgesCreate(const ksiOptions *options, ksiWorlds *worlds, ksiChannel *channel, ksiMakeReport *report,
                           void *user);

/* The process ends with it. NULL is fine. */
void ksiJudgesDestroy(ksiJudges *judges);

/* Begins it. Without this, all is done in the caller's own. false: there is none, errno says why. */
bool ksiJudgesStart(ksiJudges *judges);

/* As ksiWorldsProcess, ksiWorldsJudge and ksiWorldsEnd. NULL, or why it cannot be done. */
const char *ksiJudgesProcess(ksiJudges *judges, unsigned process, const char *program);
const char *ksiJudgesJudge(ksiJudges *judges, unsigned process, const ksiStepRecord *record);
const char *ksiJudgesEnd(ksiJudges *judges, unsigned process);

/* Of all that was sent. The status that `report` returns; -1: nothing comes any longer. */
int ksiJudgesReport(ksiJudges *judges, const ksiRun *run, bool isChecked);

/* For ksiJudgeOptions, with --overhead; user: the judges. */
bool ksiJudgesMayTry(void *user, double stepSeconds);
void ksiJudgesHaveTried(void *user, double seconds);

/* With --overhead: counts the processor time of this process since the last call. */
void ksiCountTime(ksiChannel *channel);

#endif
