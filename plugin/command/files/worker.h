/* worker.h  A separate process judges recordings, since any of them may crash it. Another one then
 * restarts without the record that caused the crash. */
#ifndef KSI_COMMAND_FILES_WORKER_H
#define KSI_COMMAND_FILES_WORKER_H

#include "../confine.h"

#include <sys/types.h>

enum { KSI_MOST_LOSSES = 128, KSI_LOSS_WORDS = 200 };

/* Exit statuses: something was not judged; the command failed. */
enum { KSI_UNSEEN = 4, KSI_FAILED = 125 };

#define KSI_NO_RECORD UINT64_MAX

/* A record that ended a judgement, and is left out. */
typedef struct ksiLoss {
    unsigned file;
    uint64_t record;            /* KSI_NO_RECORD: the file could not be opened */
    bool isRest;                /* and all later records */
    char words[KSI_LOSS_WORDS]; /* why */
} ksiLoss;

typedef struct ksiProgress ksiProgress;

typedef struct ksiJudgingProcess {
    char *const *file; /* NULL after the last one */
    ksiLimits limits;
    bool isInOrder; /* one record after the other: a crash belongs to the record in `progress` */
    bool isEnded;   /* the last process reached its end */
    unsigned lossCount;
    ksiLoss loss[KSI_MOST_LOSSES];
    ksiProgress *progress; /* shared */
} ksiJudgingProcess;

/* Starts such processes until one reaches its end. Returns false in each of them, and true in the
 * caller: *status is the status of the last one, or 125; errors were printed. */
bool ksiWorkerWatch(ksiJudgingProcess *worker, int *status);

/* Waits for a child; *status is from waitpid. false: it cannot be waited for. */
bool ksiWaitFor(pid_t process, int *status);

/* For the judging process: notes its position, a file and a record of it, or KSI_NO_RECORD. */
void ksiWorkerIsAt(const ksiJudgingProcess *worker, unsigned file, uint64_t record);

/* The loss, if the record is left out; else NULL. */
const ksiLoss *ksiWorkerLoss(const ksiJudgingProcess *worker, unsigned file, uint64_t record);

/* Did another process report on the file already? Notes that this one does. */
bool ksiWorkerHasTold(const ksiJudgingProcess *worker, unsigned file);

/* Ends the process successfully, without the exit handlers of libraries, which a file may upset. */
_Noreturn void ksiWorkerIsDone(const ksiJudgingProcess *worker, int status);

/* From now on the reason of this process's end is written to `words` [KSI_LOSS_WORDS], which are
 * shared: the engine's message, lack of memory, or a signal's name. Explain makes it a sentence. */
void ksiListen(char *words);
_Noreturn void ksiEndWith(const char *words); /* now */
void ksiExplainEnd(const char *words, const ksiLimits *limits, char out[KSI_LOSS_WORDS]);

#endif
