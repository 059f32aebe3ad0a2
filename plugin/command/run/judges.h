/* judges.h  Judges of a live run, in a separate process, which a program's records may crash. A
 * standby copy of it then continues, without the records since the copy. With --trace there is
 * none, since a file must not be written twice. */
#ifndef KSI_COMMAND_RUN_JUDGES_H
#define KSI_COMMAND_RUN_JUDGES_H

#include "../options.h"
#include "hub.h"
#include "worlds.h"

#include "../../report/collect/run.h"
#include "../../report/document/live.h"

typedef struct ksiJudges ksiJudges;

/* The caller's functions, called in the judging process with the caller's state at its start. */
typedef struct ksiJudgesCalls {
    void *user;
    /* open: opens files that are written as steps are judged. close: closes them at the end. read:
     * reads untrusted files once the process is confined. false: the error was printed. */
    bool (*open)(void *user), (*close)(void *user), (*read)(void *user);
    /* Makes the documents, or only the requested answer. Returns an exit status, by limits if
     * isChecked. */
    int (*report)(void *user, const ksiRun *run, const ksiAsked *asked, bool isChecked);
} ksiJudgesCalls;

/* The caller owns all arguments; channel->spent counts the judgements. NULL: out of memory. */
ksiJudges *ksiJudgesCreate(const ksiOptions *options, ksiWorlds *worlds, ksiChannel *channel,
                           const ksiJudgesCalls *calls);

/* Also ends the process. false: a file that it wrote is incomplete. NULL is fine. */
bool ksiJudgesDestroy(ksiJudges *judges);

/* Starts the process. Without it, the caller does all but the files. false: after a message. */
bool ksiJudgesStart(ksiJudges *judges);

/* As ksiWorldsProcess, ksiWorldsJudge and ksiWorldsEnd. Return NULL, or the reason of a failure. */
const char *ksiJudgesProcess(ksiJudges *judges, unsigned process, const char *program);
const char *ksiJudgesJudge(ksiJudges *judges, unsigned process, const ksiStepRecord *record);
const char *ksiJudgesEnd(ksiJudges *judges, unsigned process);

/* Covers all records so far; asked NULL: the documents. Returns the status of `report`, or -1. */
int ksiJudgesReport(ksiJudges *judges, const ksiRun *run, const ksiAsked *asked, bool isChecked);

/* For ksiJudgeOptions, with --overhead; user: the judges. */
bool ksiJudgesMayTry(void *user, double stepSeconds);
void ksiJudgesHaveTried(void *user, double seconds);

/* With --overhead: counts the processor time of this process since the last call. */
void ksiCountTime(ksiChannel *channel);

#endif
