/* judge_files.c  Recordings, judged as the run was. */
#include "judge_files.h"

#include "../replay/replica.h"
#include "../report/archive.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MOST_PROCESSES = 1 << 20 }; /* of a recording, whose worlds can be told apart */

static bool fail(const char *path, const char *why)
{
    fprintf(stderr, "kinetostat: %s: %s\n", path, why);
    return false;
}

static bool isReadable(const char *path, const ksiArchive *archive, ksiRecordOrigin *own)
{
    if (ksiReplicaOrigin(own))
        return fail(path, "out of memory");
    if (ksiArchiveOrigin(archive)->version != own->version)
        return fail(path, "it was recorded by another version of kinetostat: record it again");
    return !memcmp(own, ksiArchiveOrigin(archive), sizeof *own) ||
           fail(path,
                "it was recorded with another kind of processor, or another build of the engine or of kinetostat");
}

static void showProgress(size_t done, size_t count)
{
    if (isatty(STDERR_FILENO) && (done % 256 == 0 || done == count))
        fprintf(stderr, "\r%zu of %zu steps%s", done, count, done == count ? "\n" : "");
}

static bool judgeRecord(ksiWorlds *worlds, ksiWindows *windows, unsigned process, const ksiStepRecord *record)
{
    size_t world;
    if (!windows)
        return !ksiWorldsJudge(worlds, process, record);
    return !ksiWorldsNote(worlds, process, record, &world) &&
           (!record->isStepped || !ksiWindowsAdd(windows, world, ksiWorldsNames(worlds), record));
}

static bool judgeAll(const char *path, ksiArchive *archive, const char *words, const ksiRecordOrigin *own,
                     ksiWorlds *worlds, ksiWindows *windows, ksiShow *show, unsigned number)
{
    const size_t count = ksiArchiveCount(archive);
    unsigned processes = 0;
    if (count == 0)
        fprintf(stderr, "kinetostat: %s: holds no step: none was made, or it was cut off (a full disk?)\n", path);
    for (size_t i = 0; i < count; i++) {
        size_t bytes;
        unsigned process;
        const ksiStepRecord *record = ksiArchiveRead(archive, i, &bytes, &process);
        if (!record) {
            fprintf(stderr, "kinetostat: %s\n", words);
            return false;
        }
        if (!ksiRecordIsSound(record, bytes, own->ownBytes))
            return fail(path, "is damaged");
        if (process >= processes && ksiWorldsProcess(worlds, number * MOST_PROCESSES + process % MOST_PROCESSES,
                                                     ksiArchiveProgram(archive, process)))
            return fail(path, "out of memory");
        processes = process >= processes ? process + 1 : processes;
        if (!judgeRecord(worlds, windows, number * MOST_PROCESSES + process % MOST_PROCESSES, record))
            return fail(path, "out of memory");
        while (ksiShowIsBusy(show))
            ksiShowFrame(show);
        showProgress(i + 1, count);
    }
    return true;
}

static const char *judged;

/* The engine would abort on a pose or an axis that no engine has written. */
static void die(int number, const char *format, va_list values)
{
    (void)number;
    fprintf(stderr, "kinetostat: %s: is damaged: ", judged);
    vfprintf(stderr, format, values);
    fputc('\n', stderr);
    _exit(125);
}

/* The documents tell of it as those of the run did. */
static bool addRun(const char *path, const ksiArchive *archive, ksReport *report)
{
    const ksiRun *run = ksiArchiveRun(archive);
    return !run || !ksiReportSetRun(report, ksiReportRuns(report), run) || fail(path, "out of memory");
}

/* Those of --names when it was recorded. */
static bool takeNames(const char *path, const ksiArchive *archive, ksiWorlds *worlds)
{
    char words[KSI_NAME_LIST_WORDS];
    char *text = ksiArchiveNames(archive);
    ksiNameList *names = text ? ksiNameListParse(path, text, words) : NULL;
    if (text && !names)
        fprintf(stderr, "kinetostat: names in %s\n", words);
    const bool isRead = !text || names;
    free(text);
    return isRead && (ksiWorldsTakeNames(worlds, names) || fail(path, "out of memory"));
}

bool ksiJudgeFile(const char *path, ksReport *report, ksiWorlds *worlds, ksiWindows *windows, ksiShow *show,
                  unsigned number)
{
    ksiRecordOrigin own;
    char words[KSI_ARCHIVE_WORDS];
    ksiArchive *archive = ksiArchiveOpen(path, words);
    if (!archive) {
        fprintf(stderr, "kinetostat: %s\n", words);
        return false;
    }
    judged = path;
    dSetDebugHandler(die);
    const bool isJudged = isReadable(path, archive, &own) && addRun(path, archive, report) &&
                          takeNames(path, archive, worlds) &&
                          judgeAll(path, archive, words, &own, worlds, windows, show, number);
    ksiArchiveClose(archive);
    return isJudged;
}
