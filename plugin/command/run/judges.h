/* judges.h  Judges a live run in a separate process, because a program's records may crash it.
 * After a crash, a standby copy of the process continues, without the records since the copy was
 * made. With --trace there is no standby copy, since two processes must not write one file. */
#ifndef KSI_COMMAND_RUN_JUDGES_H
#define KSI_COMMAND_RUN_JUDGES_H

#include "../options.h"
#include "hub.h"
#include "worlds.h"

#include "../../report/collect/run.h"
#include "../../report/document/live.h"

typedef struct ksiJudges ksiJudges;

/* The caller's functions. They run in the judging process, with the caller's state at its start. */
typedef struct ksiJudgesCalls {
    void *user;
    /* open: opens files that are written while steps are judged. close: closes them at the end.
     * read: reads untrusted files once the process is confined. false: the error was
     * printed. */
    bool (*open)(void *user), (*close)(void *user), (*read)(void *user);
    /* Makes the documents, or only the requested answer. Returns an exit status. If isChecked, the
     * limits decide which. */
    int (*report)(void *user, const ksiRun *run, const ksiAsked *asked, bool isChecked);
} ksiJudgesCalls;

/* The caller owns all arguments. Judgements are counted in channel->spent. NULL: out of memory. */
ksiJudges *ksiJudgesCreate(const ksiOptions *options, ksiWorlds *worlds, ksiChannel *channel,
                           const ksiJudgesCalls *calls);

/* Also ends the process. false: a file that it wrote is incomplete. NULL is allowed. */
bool ksiJudgesDestroy(ksiJudges *judges);

/* Starts the judging process. If it was not started, the caller's process judges, and calls only
 * `report`. false: failed, after a message. */
bool ksiJudgesStart(ksiJudges *judges);

/* Do the same as ksiWorldsProcess, ksiWorldsJudge and ksiWorldsEnd. They return NULL, or why they
 * failed. */
const char *ksiJudgesProcess(ksiJudges *judges, unsigned process, const char *program);
const char *ksiJudgesJudge(ksiJudges *judges, unsigned process, const ksiStepRecord *record);
const char *ksiJudgesEnd(ksiJudges *judges, unsigned process);

/* Makes a report of all records so far. asked NULL: makes the documents. Returns the status of
 * `report`; -1: the process has ended. */
int ksiJudgesReport(ksiJudges *judges, const ksiRun *run, const ksiAsked *asked, bool isChecked);

/* For ksiJudgeOptions, with --overhead. user: the judges. */
bool ksiJudgesMayTry(void *user, double stepSeconds);
void ksiJudgesHaveTried(void *user, double seconds);

/* With --overhead: counts this process's processor time since the last call. */
void ksiCountTime(ksiChannel *channel);

#endif
