/* judges.h  The judges of a run that goes on, in a process of their own, which may break down on what a program sends. A copy of it stands by: it
 * goes on from where it was made, without the records since then. With --trace there is none, since a file is not written twice. */
#ifndef KSI_COMMAND_RUN_JUDGES_H
#define KSI_COMMAND_RUN_JUDGES_H

#include "../options.h"
#include "hub.h"
#include "worlds.h"

#include "../../report/collect/run.h"
#include "../../report/document/live.h"

typedef struct ksiJudges ksiJudges;

/* Of the caller, and called in the process that judges, which has all that the caller has when it is started. */
typedef struct ksiJudgesCalls {
    void *user;
    /* Opens files that are written as steps are judged, and closes them when nothing more comes. Reads what anybody may have written, once the process is
     * confined. false: that has been said. */
    bool (*open)(void *user), (*close)(void *user), (*read)(void *user);
    /* Makes the documents, with what is known of the run; or what is asked for alone. A status to exit with, by the limit if it is to be checked. */
    int (*report)(void *user, const ksiRun *run, const ksiAsked *asked, bool isChecked);
} ksiJudgesCalls;

/* All is the caller's; channel: its `spent` has what is spent on judgements. NULL: out of memory. */
ksiJudges *ksiJudgesCreate(const ksiOptions *options, ksiWorlds *worlds, ksiChannel *channel,
                           const ksiJudgesCalls *calls);

/* The process ends with it. false: a file that it wrote is not whole. NULL is fine. */
bool ksiJudgesDestroy(ksiJudges *judges);

/* Begins it. Without this, all is done in the caller's own, but for the files. false: there is none, and that has been said. */
bool ksiJudgesStart(ksiJudges *judges);

/* As ksiWorldsProcess, ksiWorldsJudge and ksiWorldsEnd. NULL, or why it cannot be done. */
const char *ksiJudgesProcess(ksiJudges *judges, unsigned process, const char *program);
const char *ksiJudgesJudge(ksiJudges *judges, unsigned process, const ksiStepRecord *record);
const char *ksiJudgesEnd(ksiJudges *judges, unsigned process);

/* Of all that was sent; asked NULL: the documents. The status that `report` returns; -1: nothing comes any longer, and that has been said. */
int ksiJudgesReport(ksiJudges *judges, const ksiRun *run, const ksiAsked *asked, bool isChecked);

/* For ksiJudgeOptions, with --overhead; user: the judges. */
bool ksiJudgesMayTry(void *user, double stepSeconds);
void ksiJudgesHaveTried(void *user, double seconds);

/* With --overhead: counts the processor time of this process since the last call. */
void ksiCountTime(ksiChannel *channel);

#endif
