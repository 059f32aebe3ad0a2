/* worker.c  Judges recordings in a separate process that may crash. */
#include "worker.h"

#include "../../base/sanitizer.h"
#include "../../report/collect/run.h"

#include <errno.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

enum { LOSSES_OF_A_FILE = 8 };

static const char outOfMemory[] = "out of memory";

/* Signals that may end a judging process through its own fault. */
static const struct {
    int number;
    char name[8];
} ending[] = {
#ifndef KSI_SANITIZED
    {SIGSEGV, "SIGSEGV"}, {SIGBUS, "SIGBUS"},   {SIGFPE, "SIGFPE"}, {SIGILL, "SIGILL"},

#endif
    {SIGABRT, "SIGABRT"}, {SIGXCPU, "SIGXCPU"}, {SIGSYS, "SIGSYS"}};

/* The judging process writes this memory, so the watching process trusts only what it has
 * checked. */
struct ksiProgress {
    _Atomic unsigned file, told;
    _Atomic uint64_t record;
    _Atomic int isDone;
    char words[KSI_LOSS_WORDS];
};

/* --- The judging process --- */

static char *last; /* shared text: why the process ended */

/* The engine aborts after these messages. */
static void listen(int number, const char *format, va_list values)
{
    (void)number;
    vsnprintf(last, KSI_LOSS_WORDS, format, values);
}

/* Discards the engine's warnings: they concern copies of a world, which the user did not make. */
static void ignore(int number, const char *format, va_list values)
{
    (void)number, (void)format, (void)values;
}

_Noreturn void ksiEndWith(const char *words)
{
    snprintf(last, KSI_LOSS_WORDS, "%s", words);
    ksiLeave(KSI_FAILED);
}

static void *allocate(size_t bytes)
{
    void *made = malloc(bytes);
    if (!made && bytes > 0)
        ksiEndWith(outOfMemory);
    return made;
}

/* Ends the process when memory runs out, because the engine does not check for NULL. */
static void *reallocate(void *old, size_t oldBytes, size_t bytes)
{
    (void)oldBytes;
    void *made = realloc(old, bytes);
    if (!made && bytes > 0)
        ksiEndWith(outOfMemory);
    return made;
}

/* Keeps the first reason, which the engine may have given. SIGXCPU ends the process here; any other
 * signal ends it after the return. */
static void noteSignal(int number)
{
    for (size_t i = 0; last[0] == 0 && i < sizeof ending / sizeof *ending; i++)
        if (ending[i].number == number)
            memcpy(last, ending[i].name, sizeof ending[i].name);
    if (number == SIGXCPU)
        _exit(KSI_FAILED);
}

void ksiListen(char *words)
{
    last = words;
    dSetDebugHandler(listen);
    dSetErrorHandler(listen);
    dSetMessageHandler(ignore);
    dSetAllocHandler(allocate);
    dSetReallocHandler(reallocate);
    const struct sigaction note = {.sa_handler = noteSignal, .sa_flags = (int)SA_RESETHAND};
    for (size_t i = 0; i < sizeof ending / sizeof *ending; i++)
        sigaction(ending[i].number, &note, NULL);
}

void ksiExplainEnd(const char *words, const ksiLimits *limits, char out[KSI_LOSS_WORDS])
{
    char said[KSI_LOSS_WORDS];
    memcpy(said, words, sizeof said);
    if (!ksiCleanInPlace(&ksiLibraryAllocator, said, sizeof said))
        said[0] = 0;
    if (strcmp(said, "SIGXCPU") == 0)
        snprintf(out, KSI_LOSS_WORDS, "it took more than %u s of processor time (--limit time=)", limits->time);
    else if (strcmp(said, outOfMemory) == 0)
        snprintf(out, KSI_LOSS_WORDS, "it needs more than %.4g MB of memory (--limit memory=)",
                 (double)limits->memory / (1 << 20));
    else
        snprintf(out, KSI_LOSS_WORDS, "%s", said[0] ? said : "it was killed");
}

void ksiWorkerIsAt(const ksiJudgingProcess *worker, unsigned file, uint64_t record)
{
    atomic_store(&worker->progress->file, file);
    atomic_store(&worker->progress->record, record);
    ksiRenewTime();
}

const ksiLoss *ksiWorkerLoss(const ksiJudgingProcess *worker, unsigned file, uint64_t record)
{
    for (unsigned i = 0; i < worker->lossCount; i++) {
        const ksiLoss *loss = &worker->loss[i];
        if (loss->file == file && (loss->record == record || (loss->isRest && loss->record < record)))
            return loss;
    }
    return NULL;
}

bool ksiWorkerHasTold(const ksiJudgingProcess *worker, unsigned file)
{
    const bool hasTold = file < atomic_load(&worker->progress->told);
    atomic_store(&worker->progress->told, hasTold ? atomic_load(&worker->progress->told) : file + 1);
    return hasTold;
}

_Noreturn void ksiWorkerIsDone(const ksiJudgingProcess *worker, int status)
{
    atomic_store(&worker->progress->isDone, 1);
    fflush(NULL);
    ksiLeave(status);
}

/* --- The watching process --- */

/* Notes the record that crashed the process. After a crash with several threads no record is known:
 * the next process judges in order. false: nothing can be omitted. */
static bool noteLoss(ksiJudgingProcess *worker, unsigned files)
{
    const unsigned file = atomic_load(&worker->progress->file);
    ksiLoss loss = {.file = file, .record = atomic_load(&worker->progress->record)};
    unsigned before = 0;
    ksiExplainEnd(worker->progress->words, &worker->limits, loss.words);
    for (unsigned i = 0; i < worker->lossCount; i++)
        before += worker->loss[i].file == file;
    loss.isRest = loss.record == KSI_NO_RECORD || before + 1 >= LOSSES_OF_A_FILE;
    if (!worker->isInOrder && file <= files) {
        worker->isInOrder = true;
        return true;
    }
    if (file >= files || worker->lossCount == KSI_MOST_LOSSES) {
        fprintf(stderr, "kinetostat: cannot make the report: %s\n", loss.words);
        return false;
    }
    worker->loss[worker->lossCount++] = loss;
    if (loss.record == KSI_NO_RECORD)
        fprintf(stderr, "kinetostat: %s: the reader failed: %s\n", worker->file[file], loss.words);
    else
        fprintf(stderr, "kinetostat: %s: record %llu%s left out, since judging it failed: %s\n", worker->file[file],
                (unsigned long long)loss.record, loss.isRest ? " and all later ones are" : " is", loss.words);
    return true;
}

bool ksiWaitFor(pid_t process, int *status)
{
    pid_t found;
    while ((found = waitpid(process, status, 0)) < 0 && errno == EINTR)
        continue;
    return found == process;
}

bool ksiWorkerWatch(ksiJudgingProcess *worker, int *status)
{
    unsigned files = 0;
    while (worker->file[files])
        files++;
    ksiProgress *progress = mmap(NULL, sizeof *progress, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    worker->progress = progress;
    for (bool goesOn = progress != MAP_FAILED; goesOn; goesOn = noteLoss(worker, files)) {
        memset(progress->words, 0, sizeof progress->words);
        atomic_store(&progress->record, KSI_NO_RECORD);
        atomic_store(&progress->file, 0);
        const pid_t process = fork();
        if (process == 0) {
            ksiListen(progress->words);
            prctl(PR_SET_PDEATHSIG, SIGKILL);
            return false;
        }
        if (process < 0 || !ksiWaitFor(process, status))
            break;
        worker->isEnded = atomic_load(&progress->isDone) && WIFEXITED(*status);
        if (worker->isEnded) {
            *status = WEXITSTATUS(*status);
            return true;
        }
    }
    if (progress == MAP_FAILED)
        fprintf(stderr, "kinetostat: cannot start a judging process: %s\n", strerror(errno));
    *status = KSI_FAILED;
    return true;
}
