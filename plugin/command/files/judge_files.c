/* judge_files.c  Judges recordings. */
#include "judge_files.h"

#include "../../replay/replica.h"
#include "../../report/recording/archive_worlds.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MOST_PROCESSES = 1 << 20 }; /* processes of one recording */

static void fail(const char *path, const char *why)
{
    fprintf(stderr, "kinetostat: %s: %s\n", path, why);
}

static void showProgress(const ksiJudging *judging, size_t done, size_t count)
{
    if (!judging->isSilent && isatty(STDERR_FILENO) && (done % 256 == 0 || done == count))
        fprintf(stderr, "\r%zu of %zu steps%s", done, count, done == count ? "\n" : "");
}

/* Ends the process on an error; another process continues without this record. */
static void endIf(ksStatus status)
{
    if (status)
        ksiEndWith(ksiWhyNotJudged(status));
}

/* isLost: the record ended another process. */
static void judgeRecord(const ksiJudging *judging, unsigned process, const ksiStepRecord *record, bool isLost)
{
    ksiWindows *windows = judging->windows;
    size_t world;
    uint64_t skipped;
    if (!windows) {
        if (!isLost)
            endIf(ksiWorldsJudge(judging->worlds, process, record));
        return;
    }
    endIf(ksiWorldsNote(judging->worlds, process, record, &world, &skipped));
    skipped += isLost && !record->isExtra;
    if (ksiWindowsIsOurs(windows, world))
        ksiReportSkipSteps(judging->report, world, skipped);
    if (record->isStepped)
        endIf(isLost ? ksiWindowsLeaveOut(windows, world, record)
                     : ksiWindowsAdd(windows, world, ksiWorldsNames(judging->worlds), record));
}

static void judgeAll(const ksiJudging *judging, ksiArchive *archive, unsigned number)
{
    const size_t count = ksiArchiveCount(archive);
    unsigned processes = 0;
    for (size_t i = 0; i < count; i++) {
        unsigned process;
        const ksiStepRecord *record;
        const ksiLoss *loss = ksiWorkerLoss(judging->worker, number, i);
        if (loss && loss->isRest)
            break;
        ksiWorkerIsAt(judging->worker, number, i);
        endIf(ksiArchiveRead(archive, i, &record, &process));
        showProgress(judging, i + 1, count);
        if (!record)
            continue;
        process %= MOST_PROCESSES;
        if (process >= processes)
            endIf(ksiWorldsProcess(judging->worlds, process, ksiArchiveProgram(archive, process)));
        processes = process >= processes ? process + 1 : processes;
        judgeRecord(judging, process, record, loss != NULL);
    }
}

/* Adds losses of other processes, which were already printed. */
static void addLosses(const ksiJudgingProcess *worker, unsigned number, ksiRun *run)
{
    char words[KSI_LOSS_WORDS + 100];
    for (unsigned i = 0; i < worker->lossCount; i++) {
        const ksiLoss *loss = &worker->loss[i];
        if (loss->file != number)
            continue;
        if (loss->record == KSI_NO_RECORD)
            snprintf(words, sizeof words, "nothing was judged: the reader failed: %s", loss->words);
        else
            snprintf(words, sizeof words, "record %llu%s left out, since judging it failed: %s",
                     (unsigned long long)loss->record, loss->isRest ? " and all later ones were" : " was", loss->words);
        ksiRunAddNote(run, words);
        run->lost++;
    }
}

static void tell(const char *path, bool hasTold, ksiRun *run, const char *words)
{
    if (!hasTold)
        fail(path, words);
    ksiRunAddNote(run, words);
}

/* Begins the run as recorded. archive NULL: unreadable. false: a second copy of a run; the error
 * was printed. */
static bool beginRun(const ksiJudging *judging, unsigned number, const ksiArchive *archive, ksiRun *run, size_t *index)
{
    const char *path = judging->worker->file[number];
    *run = archive ? *ksiArchiveRun(archive) : (ksiRun){.argumentCount = 0};
    if (!archive)
        snprintf(run->program, sizeof run->program, "%s", path);
    snprintf(run->file, sizeof run->file, "%s", path);
    run->identity = archive ? ksiArchiveIdentity(archive) : 0;
    if (judging->shard.count > 1) {
        run->shards = judging->shard.count;
        run->turn = number % judging->shard.count;
        run->shard[judging->shard.index / 64] |= UINT64_C(1) << judging->shard.index % 64;
    }
    const ksStatus status = ksiReportAddRun(judging->report, run, index);
    if (status == KS_ERROR_BAD_ARGUMENT && !ksiWorkerHasTold(judging->worker, number))
        fail(path, "is given twice: it is judged once");
    if (status == KS_ERROR_NO_MEMORY)
        endIf(status);
    return !status;
}

/* Describes the run as its own documents would, and states its losses. */
static void endRun(ksiJudging *judging, unsigned number, const ksiArchive *archive, ksiRun *run, size_t index)
{
    const char *path = judging->worker->file[number];
    const bool hasTold = ksiWorkerHasTold(judging->worker, number);
    const size_t damaged = archive ? ksiArchiveDamaged(archive) : 0;
    char words[160];
    if (archive && ksiArchiveCount(archive) == 0 && !hasTold)
        fail(path, "holds no step: none was made, or the file was cut off (a full disk?)");
    // a recording of another physics engine names no build
    if (archive && ksiArchiveBuilt(archive)[0] && strcmp(ksiArchiveBuilt(archive), dGetConfiguration()) != 0)
        tell(path, hasTold, run, ksiJudgedElsewhere);
    if (damaged > 0) {
        snprintf(words, sizeof words, "%zu of %zu records are damaged, or follow one that is: they were left out",
                 damaged, ksiArchiveCount(archive));
        tell(path, hasTold, run, words);
        run->unseen++;
        judging->anyDamaged = true;
    }
    addLosses(judging->worker, number, run);
    endIf(ksiReportSetRun(judging->report, index, run));
}

/* Uses the names that --names gave when the run was recorded. */
static bool takeNames(const ksiJudging *judging, const char *path, const ksiArchive *archive)
{
    char words[KSI_NAME_LIST_WORDS];
    const char *text = ksiArchiveNames(archive);
    ksiNameList *names = text ? ksiNameListParse(path, text, words) : NULL;
    if (text && !names)
        fprintf(stderr, "kinetostat: names in %s\n", words);
    if (text && !names)
        return false;
    endIf(ksiWorldsTakeNames(judging->worlds, names) ? KS_OK : KS_ERROR_NO_MEMORY);
    return true;
}

/* The windows of a run go to the shards in turn, from shard `turn` on; the records after the last
 * window go to the next shard. So a shard without a window need not read the records. */
static bool hasWindow(const ksiJudging *judging, const ksiArchive *archive, uint32_t turn)
{
    const ksiShard *shard = &judging->shard;
    const uint64_t records = ksiArchiveCount(archive), bytes = ksiArchiveLargest(archive);
    const uint64_t full =
        bytes < KSI_WINDOW_BYTES ? records / KSI_WINDOW + records * bytes / KSI_WINDOW_BYTES : records;
    const uint64_t ours = (shard->index + shard->count - turn) % shard->count;
    ksiArchiveWorlds worlds = {.process = NULL};
    if (ours <= full)
        return true;
    endIf(ksiArchiveListWorlds(archive, &worlds));
    const size_t worldCount = worlds.worldCount;
    ksiArchiveWorldsFree(&worlds);
    return ours <= full + worldCount;
}

static void judgeRun(ksiJudging *judging, unsigned number, ksiArchive *archive)
{
    char *const *file = judging->worker->file;
    const uint32_t turn = number % judging->shard.count;
    ksiRun run;
    size_t index;
    if (!beginRun(judging, number, archive, &run, &index))
        return;
    ksiWorldsBeginRun(judging->worlds, index, file[1] ? file[number] : NULL);
    if (judging->windows)
        endIf(ksiWindowsBeginRun(judging->windows, turn));
    if (archive && (!judging->windows || hasWindow(judging, archive, turn)))
        judgeAll(judging, archive, number);
    endRun(judging, number, archive, &run, index);
}

/* false: unreadable; the error was printed. */
static bool judgeFile(ksiJudging *judging, unsigned number)
{
    char words[KSI_ARCHIVE_WORDS];
    const char *path = judging->worker->file[number];
    ksiWorkerIsAt(judging->worker, number, KSI_NO_RECORD);
    if (ksiWorkerLoss(judging->worker, number, KSI_NO_RECORD)) {
        judgeRun(judging, number, NULL);
        return true;
    }
    ksiArchive *archive = ksiArchiveOpen(path, words);
    if (!archive && !ksiWorkerHasTold(judging->worker, number))
        fprintf(stderr, "kinetostat: %s\n", words);
    if (!archive)
        return false;
    const bool isJudged = takeNames(judging, path, archive);
    if (isJudged)
        judgeRun(judging, number, archive);
    ksiArchiveClose(archive);
    return isJudged;
}

unsigned ksiJudgeFiles(ksiJudging *judging, const ksiOptions *options)
{
    const ksiJudgingProcess *worker = judging->worker;
    unsigned file = 0, unread = 0;
    judging->shard = options->shard;
    if (!judging->isStepwise) {
        judging->windows = ksiWindowsCreate(&options->judge, &options->report, judging->report,
                                            worker->isInOrder ? 0 : options->jobs, options->shard);
        if (!judging->windows)
            ksiEndWith("out of memory");
    }
    for (; worker->file[file]; file++)
        unread += !judgeFile(judging, file);
    judging->windowCount = ksiWindowsCount(judging->windows);
    if (ksiWindowsFinish(judging->windows) || ksiReportSort(judging->report))
        ksiEndWith("");
    ksiWorkerIsAt(worker, file, KSI_NO_RECORD);
    return unread;
}
