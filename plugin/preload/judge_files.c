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

static bool judgeAll(const char *path, ksiArchive *archive, const char *words, ksiWorlds *worlds, ksiWindows *windows,
                     ksiShow *show, unsigned number)
{
    const size_t count = ksiArchiveCount(archive);
    unsigned processes = 0;
    if (count == 0)
        fprintf(stderr, "kinetostat: %s: holds no step: none was made, or it was cut off (a full disk?)\n", path);
    for (size_t i = 0; i < count; i++) {
        unsigned process;
        const ksiStepRecord *record;
        if (ksiArchiveRead(archive, i, &record, &process)) {
            fprintf(stderr, "kinetostat: %s\n", words);
            return false;
        }
        showProgress(i + 1, count);
        if (!record)
            continue;
        if (process >= processes && ksiWorldsProcess(worlds, number * MOST_PROCESSES + process % MOST_PROCESSES,
                                                     ksiArchiveProgram(archive, process)))
            return fail(path, "out of memory");
        processes = process >= processes ? process + 1 : processes;
        if (!judgeRecord(worlds, windows, number * MOST_PROCESSES + process % MOST_PROCESSES, record))
            return fail(path, "out of memory");
        while (ksiShowIsBusy(show))
            ksiShowFrame(show);
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

static void addNote(ksiRun *run, const char *note)
{
    const size_t used = strlen(run->notes);
    if (used + strlen(note) + 2 <= sizeof run->notes)
        snprintf(run->notes + used, sizeof run->notes - used, "%s\n", note);
}

/* The documents tell of it as those of the run did, and of what is not as it was; a host's recording has no run. */
static bool addRun(const char *path, const ksiArchive *archive, ksReport *report)
{
    const ksiRun *recorded = ksiArchiveRun(archive);
    const size_t damaged = ksiArchiveDamaged(archive);
    ksiRun run = recorded ? *recorded : (ksiRun){.argumentCount = 0};
    char words[160];
    if (strcmp(ksiArchiveBuilt(archive), dGetConfiguration()) != 0) {
        fail(path, ksiJudgedElsewhere);
        addNote(&run, ksiJudgedElsewhere);
    }
    if (damaged > 0) {
        snprintf(words, sizeof words, "%zu of %zu records are damaged, or follow one that is: they were left out",
                 damaged, ksiArchiveCount(archive));
        fail(path, words);
        addNote(&run, words);
        run.unseen++;
    }
    return !recorded || !ksiReportSetRun(report, ksiReportRuns(report), &run) || fail(path, "out of memory");
}

/* Those of --names when it was recorded. */
static bool takeNames(const char *path, const ksiArchive *archive, ksiWorlds *worlds)
{
    char words[KSI_NAME_LIST_WORDS];
    const char *text = ksiArchiveNames(archive);
    ksiNameList *names = text ? ksiNameListParse(path, text, words) : NULL;
    if (text && !names)
        fprintf(stderr, "kinetostat: names in %s\n", words);
    const bool isRead = !text || names;
    return isRead && (ksiWorldsTakeNames(worlds, names) || fail(path, "out of memory"));
}

bool ksiJudgeFile(const char *path, ksReport *report, ksiWorlds *worlds, ksiWindows *windows, ksiShow *show,
                  unsigned number)
{
    char words[KSI_ARCHIVE_WORDS];
    ksiArchive *archive = ksiArchiveOpen(path, words);
    if (!archive) {
        fprintf(stderr, "kinetostat: %s\n", words);
        return false;
    }
    judged = path;
    dSetDebugHandler(die);
    const bool isJudged = takeNames(path, archive, worlds) &&
                          judgeAll(path, archive, words, worlds, windows, show, number) &&
                          addRun(path, archive, report);
    ksiArchiveClose(archive);
    return isJudged;
}
