/* worker.h  Judges recordings in a separate process, since any record may crash it. After a crash
 * another process starts without that record. */
#ifndef KSI_COMMAND_FILES_WORKER_H
#define KSI_COMMAND_FILES_WORKER_H

#include "../confine.h"

#include <sys/types.h>

enum { KSI_MOST_LOSSES = 128, KSI_LOSS_WORDS = 200 };

/* Exit statuses: something was not judged; the command failed. */
enum { KSI_UNSEEN = 4, KSI_FAILED = 125 };

#define KSI_NO_RECORD UINT64_MAX

/* A record that ended a judging process and is omitted. */
typedef struct ksiLoss {
    unsigned file;
    uint64_t record;            /* KSI_NO_RECORD: opening the file ended the process */
    bool isRest;                /* all later records are omitted too */
    char words[KSI_LOSS_WORDS]; /* why the process ended */
} ksiLoss;

typedef struct ksiProgress ksiProgress;

typedef struct ksiJudgingProcess {
    char *const *file; /* NULL after the last one */
    ksiLimits limits;
    bool isInOrder; /* judges records in sequence: a crash belongs to the record in `progress` */
    bool isEnded;   /* the last process reached its end */
    unsigned lossCount;
    ksiLoss loss[KSI_MOST_LOSSES];
    ksiProgress *progress; /* shared */
} ksiJudgingProcess;

/* Starts judging processes until one reaches its end. Returns false in each of them, and true in
 * the caller: *status is the status of the last one, or 125; errors were printed. */
bool ksiWorkerWatch(ksiJudgingProcess *worker, int *status);

/* Waits for a child; *status is from waitpid. false: it cannot be waited for. */
bool ksiWaitFor(pid_t process, int *status);

/* For the judging process: notes its position in the files. record: a record of the file, or
 * KSI_NO_RECORD. */
void ksiWorkerIsAt(const ksiJudgingProcess *worker, unsigned file, uint64_t record);

/* The loss because of which the record is omitted; NULL: the record is not omitted. */
const ksiLoss *ksiWorkerLoss(const ksiJudgingProcess *worker, unsigned file, uint64_t record);

/* Has another process reported on the file? Notes that this process does. */
bool ksiWorkerHasTold(const ksiJudgingProcess *worker, unsigned file);

/* Notes that the judging process has reached its end, and ends it with this status, without the
 * exit handlers of libraries, which a file may have corrupted. */
_Noreturn void ksiWorkerIsDone(const ksiJudgingProcess *worker, int status);

/* From this call on, the reason why the process ends is written to the shared `words`
 * [KSI_LOSS_WORDS]: the engine's message, lack of memory, or a signal's name. ksiExplainEnd turns
 * the reason into a sentence. */
void ksiListen(char *words);
_Noreturn void ksiEndWith(const char *words); /* ends the process at once */
void ksiExplainEnd(const char *words, const ksiLimits *limits, char out[KSI_LOSS_WORDS]);

#endif
