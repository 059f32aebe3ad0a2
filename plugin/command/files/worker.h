/* worker.h  Recordings are judged in a process of its own, which may break down on any of them. Then another one begins anew, and leaves out
 * what the last one was at. */
#ifndef KSI_COMMAND_FILES_WORKER_H
#define KSI_COMMAND_FILES_WORKER_H

#include "../confine.h"

#include <sys/types.h>

enum { KSI_MOST_LOSSES = 128, KSI_LOSS_WORDS = 200 };

/* Statuses to exit with: something was not judged; the command has failed. */
enum { KSI_UNSEEN = 4, KSI_FAILED = 125 };

#define KSI_NO_RECORD UINT64_MAX

/* What has ended a judgement, and is left out. */
typedef struct ksiLoss {
    unsigned file;
    uint64_t record;            /* KSI_NO_RECORD: the file could not even be opened */
    bool isRest;                /* and all records behind it */
    char words[KSI_LOSS_WORDS]; /* why */
} ksiLoss;

typedef struct ksiProgress ksiProgress;

typedef struct ksiJudgingProcess {
    char *const *file; /* NULL behind the last one */
    ksiLimits limits;
    bool isInOrder; /* one record after the other: who breaks down was at `progress` */
    bool isEnded;   /* the last one has come to its end */
    unsigned lossCount;
    ksiLoss loss[KSI_MOST_LOSSES];
    ksiProgress *progress; /* shared */
} ksiJudgingProcess;

/* Makes such processes until one has come to its end. false: in each of them. true: in the process that has called it: *status is how the last
 * one has ended, or 125, and what there is to be said has been said. */
bool ksiWorkerWatch(ksiJudgingProcess *worker, int *status);

/* Until a child has ended: *status is as waitpid has it. false: it cannot be waited for. */
bool ksiWaitFor(pid_t process, int *status);

/* The rest is for the process that judges. What it is at: a file, and a record of it, or KSI_NO_RECORD. */
void ksiWorkerIsAt(const ksiJudgingProcess *worker, unsigned file, uint64_t record);

/* Is the record left out? NULL: no. */
const ksiLoss *ksiWorkerLoss(const ksiJudgingProcess *worker, unsigned file, uint64_t record);

/* Has all been said about the file by another process? From now on it has. */
bool ksiWorkerHasTold(const ksiJudgingProcess *worker, unsigned file);

/* It has come to its end, and does not wait for what a library that has read a damaged file does at exit. */
_Noreturn void ksiWorkerIsDone(const ksiJudgingProcess *worker, int status);

/* What ends this process from now on is in `words` [KSI_LOSS_WORDS], which it shares with another one: what the engine says, want of memory,
 * the name of a signal. And in a sentence. */
void ksiListen(char *words);
_Noreturn void ksiEndWith(const char *words); /* now */
void ksiExplainEnd(const char *words, const ksiLimits *limits, char out[KSI_LOSS_WORDS]);

#endif
