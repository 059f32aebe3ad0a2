/* unit.c  Judges a unit (some windows of a recording) in separate processes.
 *
 * If a record crashes the judging process, a watching process restarts it without this record, as
 * the command does (ksiWorkerWatch). If the watcher is killed, the unit is judged once more; if it
 * is killed again, the unit counts as lost. */
#include "unit.h"

#include "../command/files/judge_files.h"
#include "../command/outputs.h"
#include "../command/reporting.h"
#include "../report/findings/view.h"
#include "../report/runs/data.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum { ATTEMPTS = 3 }; /* the last attempt judges nothing */

static const char killed[] = "it was killed";

struct ksiUnits {
    const ksiOptions *options;
    FILE *data;      /* the report of a unit, in shared memory */
    ksiFound *found; /* the outcome of the unit, in shared memory */
    ksiUnit unit;
    pid_t watcher; /* 0: none */
    int attempt;
};

ksiUnits *ksiUnitsCreate(const ksiOptions *options)
{
    ksiUnits *made = calloc(1, sizeof *made);
    if (!made)
        return NULL;
    made->options = options;
    made->found = mmap(NULL, sizeof *made->found, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    made->data = ksiDocumentOpen();
    if (made->found != MAP_FAILED && made->data)
        return made;
    fputs("kinetostat: no memory to judge\n", stderr);
    ksiUnitsDestroy(made);
    return NULL;
}

void ksiUnitsDestroy(ksiUnits *units)
{
    if (!units)
        return;
    if (units->data)
        fclose(units->data);
    if (units->found != MAP_FAILED)
        munmap(units->found, sizeof *units->found);
    free(units);
}

/* --- The judging process --- */

static void noteWorst(const ksReport *report, const char *path, ksiFound *found)
{
    ksiView view;
    if (!ksiViewMake(report, NULL, &view))
        ksiEndWith("out of memory");
    const ksiWorldView *world = view.worldCount > 0 ? view.worstFirst[0] : NULL;
    found->worst = world ? world->error : NAN;
    if (world)
        snprintf(found->name, sizeof found->name, "%.100s of %.180s",
                 world->jointCount > 0 ? world->worstFirst[0]->name : "contacts", path);
    ksiViewFree(&view);
}

/* Returns the exit status of the process. */
static int judge(const ksiUnits *units, ksiJudgingProcess *worker)
{
    const ksiUnit *unit = &units->unit;
    ksiFound *found = units->found;
    ksiReporting reporting = {.report = NULL};
    // only the documents need these options
    ksiOptions options = *units->options;
    options.names = options.html = options.baseline = NULL;
    options.report.frameRate = 0;
    options.shard = (ksiShard){.index = unit->part, .count = unit->parts};
    dInitODE2(0);
    if (ksiReportingOpen(&reporting, &options))
        return KSI_FAILED;
    ksiLimitProcess(&options.limits);
    ksiConfineProcess(&options.limits, false);
    // only one part of a file reports on the file itself
    if (unit->part > 0)
        (void)ksiWorkerHasTold(worker, 0);
    ksiJudging judging = {.worker = worker, .report = reporting.report, .worlds = reporting.worlds, .isSilent = true};
    found->unread = ksiJudgeFiles(&judging, &options);
    found->windows = judging.windowCount;
    found->lost = worker->lossCount > 0 || judging.anyDamaged;
    noteWorst(reporting.report, worker->file[0], found);
    if (ftruncate(fileno(units->data), 0) || ksReportPrint(reporting.report, KS_REPORT_DATA, units->data))
        return KSI_FAILED;
    return 0;
}

/* --- The watching process --- */

/* The last attempt judges nothing: the unit counts as lost. */
static _Noreturn void watch(const ksiUnits *units)
{
    char *file[] = {units->options->program[units->unit.file], NULL};
    ksiJudgingProcess worker = {.file = file, .limits = units->options->limits, .isInOrder = units->options->jobs == 1};
    int status;
    if (units->attempt == ATTEMPTS) {
        worker.loss[worker.lossCount] = (ksiLoss){.record = KSI_NO_RECORD, .isRest = true};
        memcpy(worker.loss[worker.lossCount++].words, killed, sizeof killed);
    }
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (!ksiWorkerWatch(&worker, &status))
        ksiWorkerIsDone(&worker, judge(units, &worker));
    ksiLeave(status);
}

/* --- The rank --- */

static bool begin(ksiUnits *units)
{
    *units->found = (ksiFound){.worst = NAN};
    units->attempt++;
    units->watcher = ftruncate(fileno(units->data), 0) ? -1 : fork();
    if (units->watcher == 0)
        watch(units);
    if (units->watcher < 0)
        fprintf(stderr, "kinetostat: cannot start a judging process: %s\n", strerror(errno));
    return units->watcher > 0;
}

bool ksiUnitBegin(ksiUnits *units, const ksiUnit *unit)
{
    units->unit = *unit;
    units->attempt = 0;
    return begin(units);
}

/* A record may have corrupted the process that wrote the report, so reading the report may fail. */
static bool addReport(const ksiUnits *units, ksReport *report)
{
    const char *path = units->options->program[units->unit.file];
    ksReport *own = NULL;
    struct stat status = {.st_size = 0};
    (void)!fstat(fileno(units->data), &status);
    const size_t bytes = (size_t)status.st_size;
    void *data = mmap(NULL, bytes + 1, PROT_READ, MAP_PRIVATE, fileno(units->data), 0);
    const bool isAdded = data != MAP_FAILED && !ksiReadData(path, data, bytes, &own) && !ksiReportMerge(report, own);
    if (!isAdded)
        fprintf(stderr, "kinetostat: %s: %s\n", path, data == MAP_FAILED ? strerror(errno) : ksErrorMessage());
    if (data != MAP_FAILED)
        munmap(data, bytes + 1);
    ksReportDestroy(own);
    return isAdded;
}

static void takeFound(const ksiUnits *units, ksiFound *found)
{
    *found = *units->found;
    found->units = 1;
    found->bytes = units->unit.bytes;
    found->unread = found->unread > 0;
    found->lost = found->lost > 0;
    if (!ksiCleanInPlace(&ksiLibraryAllocator, found->name, sizeof found->name))
        found->name[0] = 0;
}

bool ksiUnitPoll(ksiUnits *units, ksReport *report, bool *isDone, ksiFound *found)
{
    int status;
    *isDone = units->watcher > 0 && waitpid(units->watcher, &status, WNOHANG) == units->watcher;
    if (!*isDone)
        return true;
    units->watcher = 0;
    const bool isJudged = WIFEXITED(status) && WEXITSTATUS(status) == 0;
    if (!isJudged && units->attempt < ATTEMPTS) {
        fprintf(stderr, "kinetostat: %s: judged once more: the judging process has ended\n",
                units->options->program[units->unit.file]);
        *isDone = false;
        return begin(units);
    }
    takeFound(units, found);
    return isJudged && (found->unread > 0 || addReport(units, report));
}
