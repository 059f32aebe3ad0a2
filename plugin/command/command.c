/* command.c  kinetostat: runs a program and reports on its joint forces.
 *
 * The program is a child process that records its steps; this process judges them. So reports
 * survive the program's end, and judging does not touch its memory, time or output. */
#include "files/diff.h"
#include "files/judge_files.h"
#include "files/loadcases.h"
#include "files/merge_files.h"
#include "files/sizing.h"
#include "files/worker.h"
#include "live_page.h"
#include "outcome.h"
#include "outputs.h"
#include "reporting.h"
#include "run/intake.h"
#include "run/launch.h"
#include "run/signals.h"

#include "../base/clock.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { FAILED = KSI_FAILED, NOT_EXECUTABLE = 126, NOT_FOUND = 127 };

/* Time between updates of the files during the run, s: the first one, and the longest. So a killed
 * run leaves files. */
static const double firstInterval = 0.5, lastInterval = 10;

typedef struct Run {
    ksiOptions options;
    ksiHub hub;
    char name[64];
    ksiReporting reporting;
    ksTrace *trace;        /* NULL: none */
    ksiLivePage *livePage; /* NULL: there is no live page */
    ksiJudges *judges;
    ksiIntake *intake;
    pid_t child;
    int status;               /* the program's status from waitpid */
    ksiRun told;              /* shown in the documents */
    ksiJudgingProcess worker; /* judges recordings */
    ksiDocuments documents;
    FILE *answer;     /* document that answers a page of --view */
    sigset_t ignored; /* signals that the program must ignore, as the command does */
} Run;

/* Opens something on closed standard streams, so that no file takes their numbers. The program
 * finds these streams closed. */
static bool holdStreams(void)
{
    bool isHeld = true;
    for (int file = STDIN_FILENO; file <= STDERR_FILENO; file++)
        if (fcntl(file, F_GETFD) < 0)
            isHeld &= open("/dev/null", (file == STDIN_FILENO ? O_WRONLY : O_RDONLY) | O_CLOEXEC) == file;
    return isHeld;
}

static int outOfMemory(void)
{
    fputs("kinetostat: out of memory\n", stderr);
    return FAILED;
}

static int tell(void)
{
    fprintf(stderr, "kinetostat: %s\n", ksErrorMessage());
    return FAILED;
}

/* --- The description of the run --- */

/* Stores the run's program and start time. */
static void identify(Run *run)
{
    ksiRun *told = &run->told;
    char *const *argument = run->options.program;
    const time_t begun = time(NULL);
    struct tm utc;
    size_t used = 0;
    *told = run->options.run;
    if (getrandom(&told->identity, sizeof told->identity, 0) != sizeof told->identity)
        told->identity = (uint64_t)getpid() << 32 ^ (uint64_t)begun;
    told->identity |= KSI_DRAWN;
    strftime(told->begun, sizeof told->begun, "%Y-%m-%dT%H:%M:%SZ", gmtime_r(&begun, &utc));
    snprintf(told->program, sizeof told->program, "%s", *argument++);
    for (; *argument && used + strlen(*argument) + 1 <= sizeof told->arguments; argument++) {
        memcpy(told->arguments + used, *argument, strlen(*argument) + 1);
        used += strlen(*argument) + 1;
        told->argumentCount++;
    }
}

static void noteEnd(Run *run)
{
    run->told.isOver = 1;
    if (WIFSIGNALED(run->status))
        run->told.signal = WTERMSIG(run->status);
    else
        run->told.status = WEXITSTATUS(run->status);
}

/* --- The run --- */

static bool isByUser(int status)
{
    const int number = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
    return number == SIGINT || number == SIGQUIT || number == SIGTERM || number == SIGHUP || number == SIGKILL;
}

/* Runs in the judging process. */
static int makeDocuments(void *user, const ksiRun *told, const ksiAsked *asked, bool isChecked)
{
    Run *run = user;
    if (ksiReportSetRun(run->reporting.report, 0, told))
        return outOfMemory();
    if (asked)
        return ftruncate(fileno(run->answer), 0) || ksiReportAnswer(run->reporting.report, asked, run->answer) ? FAILED
                                                                                                               : 0;
    if (!ksiDocumentsMake(&run->documents, &run->options, run->reporting.report))
        return FAILED;
    return isChecked ? ksiOutcome(&run->options, run->reporting.report) : 0;
}

/* Writes the documents of the run so far. Returns an exit status. At the end of a run that
 * succeeded, the limits decide which. */
static int writeDocuments(Run *run, FILE *screen, bool areLast)
{
    const bool isChecked = areLast && WIFEXITED(run->status) && WEXITSTATUS(run->status) == 0;
    ksiIntakeDescribe(run->intake, &run->told);
    if (run->options.isRawOnly)
        return 0;
    const int status = ksiJudgesReport(run->judges, &run->told, NULL, isChecked);
    if (status < 0 || status == FAILED)
        return FAILED;
    return ksiDocumentsWrite(&run->documents, &run->options, screen, areLast) ? status : FAILED;
}

/* Answers a page of --view. */
static bool answer(void *user, const ksiAsked *asked, FILE *out)
{
    Run *run = user;
    ksiIntakeDescribe(run->intake, &run->told);
    return ksiJudgesReport(run->judges, &run->told, asked, false) == 0 && ksiDocumentCopy(run->answer, out);
}

static void follow(Run *run)
{
    // a search for records takes time too
    const struct timespec pause = {0, run->options.sampling.overhead > 0 ? 5000000 : 1000000};
    double written = ksiWallTime(), interval = firstInterval;
    bool isRunning = true;
    for (;;) {
        // a user who ends the program does not wait for a page
        const bool isBroken = !isRunning && (isByUser(run->status) || ksiIsLeft());
        const bool isHeld = !isBroken && !ksiLivePageAllows(run->livePage, ksiIntakeTime(run->intake));
        const bool isIdle = isHeld || !ksiIntakePoll(run->intake);
        if (ksiIsAsked())
            (void)writeDocuments(run, stderr, false);
        if (isIdle && !isRunning && !isHeld)
            return;
        if (isRunning && waitpid(run->child, &run->status, WNOHANG) == run->child) {
            isRunning = false;
            ksiForwardTo(0);
            noteEnd(run);
            // does not wait for processes that the program left running
            atomic_store(&run->hub.channel->isClosed, 1);
        } else if (isIdle) {
            nanosleep(&pause, NULL);
        }
        if (ksiWallTime() - written > interval) {
            (void)ksiIntakeFlush(run->intake);
            (void)writeDocuments(run, NULL, false);
            written = ksiWallTime();
            interval = interval < lastInterval / 2 ? 2 * interval : lastInterval;
        }
    }
}

/* Returns the exit status. If a signal ended the program, main raises the same signal once all is
 * closed. */
static int finish(Run *run)
{
    const ksiOptions *options = &run->options;
    const bool isArchived = ksiIntakeFinish(run->intake, &run->told), isKilled = WIFSIGNALED(run->status);
    const bool isTold = ksiIntakeRecorded(run->intake) > 0 || isKilled;
    const bool hasScreen = isTold && !options->text && !options->isQuiet && !options->isRawOnly;
    const int own = isKilled ? 128 + WTERMSIG(run->status) : WEXITSTATUS(run->status);
    if (!hasScreen)
        ksiIntakeExplain(run->intake, stderr);
    const int status = writeDocuments(run, hasScreen ? stderr : NULL, true);
    if (!isByUser(run->status))
        ksiLivePageFinish(run->livePage, ksiIsLeft);
    return status == FAILED || !isArchived ? FAILED : own ? own : status;
}

/* Finds a module: in the folder KINETOSTAT_LIBRARIES if it is set; otherwise beside this program,
 * at its installed place relative to it, or at its absolute installed place. */
static void findModule(const char *name, char path[4096])
{
    const char *told = getenv("KINETOSTAT_LIBRARIES"), *folder = told && *told ? told : NULL;
    char self[3000];
    const ssize_t length = readlink("/proc/self/exe", self, sizeof self - 1);
    self[length > 0 ? length : 0] = 0;
    char *slash = strrchr(self, '/');
    if (slash)
        *slash = 0;
    snprintf(path, 4096, "%s/%s", folder ? folder : self, name);
    if (!folder && access(path, R_OK))
        snprintf(path, 4096, "%s/" KS_MODULES "/%s", self, name);
    if (!folder && access(path, R_OK))
        snprintf(path, 4096, "%s/%s", KS_PKGLIBDIR, name);
}

/* Opens the trace if it was requested. Runs in the judging process. */
static bool openTrace(void *user)
{
    Run *run = user;
    ksTraceOptions options;
    ksTraceOptionsInit(&options);
    options.joints = run->options.report.joints;
    options.jointTypes = run->options.report.types;
    if (run->options.trace && ksTraceCreate(run->options.trace, &options, &run->trace)) {
        // skips the function's name
        const char *words = strstr(ksErrorMessage(), ": ");
        fprintf(stderr, "kinetostat: --trace: %s\n", words ? words + 2 : ksErrorMessage());
        return false;
    }
    ksiWorldsPassOn(run->reporting.worlds, run->trace);
    return true;
}

static bool openGuards(void *user)
{
    Run *run = user;
    return ksiReportingCheck(&run->reporting, &run->options);
}

static bool closeTrace(void *user)
{
    Run *run = user;
    const ksStatus status = ksTraceClose(run->trace);
    run->trace = NULL;
    return !status || !tell();
}

static bool isWord(const char *program)
{
    return strcmp(program, "judge") == 0 || strcmp(program, "merge") == 0 || strcmp(program, "diff") == 0 ||
           strcmp(program, "size") == 0 || strcmp(program, "loadcases") == 0;
}

static int run(Run *run)
{
    char path[4096], wrapper[4096];
    char *const *program = run->options.program;
    if (!ksiFindProgram(program[0], path)) {
        const int error = errno;
        fprintf(stderr, "kinetostat: %s: %s%s\n", program[0], strerror(error),
                isWord(program[0]) ? " (to judge, merge, diff, size or loadcases, this word comes before all options)"
                                   : "");
        return error == ENOENT ? NOT_FOUND : NOT_EXECUTABLE;
    }
    const char *why = ksiWhyNotWrapped(path);
    if (why) {
        fprintf(stderr, "kinetostat: %s cannot be inspected: %s\n", program[0], why);
        return FAILED;
    }
    findModule("kinetostat-preload.so", wrapper);
    if (access(wrapper, R_OK)) {
        fprintf(stderr, "kinetostat: %s: %s\n", wrapper, strerror(errno));
        return FAILED;
    }
    if (!run->options.isRawOnly && !ksiJudgesStart(run->judges))
        return FAILED;
    // only the parent process serves the page
    if (run->options.isViewed && !(run->livePage = ksiLivePageOpen(answer, run, false)))
        return FAILED;
    identify(run);
    ksiCatchSignals(&run->ignored);
    run->child = ksiLaunch(path, program, wrapper, run->name, &run->ignored);
    if (run->child < 0) {
        fprintf(stderr, "kinetostat: %s: %s%s\n", program[0], strerror(errno),
                errno == ENOEXEC ? " (a script names its interpreter in the first line, after #!)" : "");
        return NOT_EXECUTABLE;
    }
    ksiForwardTo(run->child);
    ksiIntakeBegin(run->intake, run->child, &run->told);
    follow(run);
    return finish(run);
}

static int openChannel(Run *run)
{
    if (access("/proc/self/fd", X_OK)) {
        fputs("kinetostat: /proc is missing\n", stderr);
        return FAILED;
    }
    if (!ksiHubOpen(&run->hub, run->name, &run->options.sampling)) {
        fprintf(stderr, "kinetostat: cannot create shared memory: %s\n", strerror(errno));
        return FAILED;
    }
    const ksiJudgesCalls calls = {
        .user = run, .open = openTrace, .read = openGuards, .close = closeTrace, .report = makeDocuments};
    run->judges = ksiJudgesCreate(&run->options, run->reporting.worlds, run->hub.channel, &calls);
    run->intake = run->judges ? ksiIntakeCreate(&run->options, &run->hub, run->judges) : NULL;
    if (!run->intake)
        return outOfMemory();
    if (!ksiDocumentsOpen(&run->documents, &run->options) ||
        (run->options.isViewed && !(run->answer = ksiDocumentOpen())))
        return FAILED;
    if (run->options.sampling.overhead > 0) {
        run->options.judge.mayTry = ksiJudgesMayTry;
        run->options.judge.haveTried = ksiJudgesHaveTried;
        run->options.judge.user = run->judges;
    }
    return 0;
}

/* Runs in the judging process. If all else succeeds, a loss or a damaged record sets the exit
 * status. */
static int judgeFiles(Run *run)
{
    if (!openTrace(run))
        return FAILED;
    ksiLimitProcess(&run->options.limits);
    ksiConfineProcess(&run->options.limits, false);
    if (!openGuards(run))
        return FAILED;
    ksiJudging judging = {.worker = &run->worker,
                          .report = run->reporting.report,
                          .worlds = run->reporting.worlds,
                          .isStepwise = run->trace};
    const unsigned unread = ksiJudgeFiles(&judging, &run->options);
    if (run->options.program[unread] && !ksiDocumentsMake(&run->documents, &run->options, run->reporting.report))
        return FAILED;
    const int status = unread == 0 ? ksiOutcome(&run->options, run->reporting.report) : FAILED;
    return status == 0 && (run->worker.lossCount > 0 || judging.anyDamaged) ? KSI_UNSEEN : status;
}

/* Runs in the process that reads the reports. */
static int mergeFiles(Run *run)
{
    ksiLimitProcess(&run->options.limits);
    ksiConfineProcess(&run->options.limits, false);
    const bool isMerged = ksiMergeFiles(&run->worker, &run->options, &run->reporting.report) && openGuards(run);
    if (!isMerged || !ksiDocumentsMake(&run->documents, &run->options, run->reporting.report))
        return FAILED;
    return ksiOutcome(&run->options, run->reporting.report);
}

/* Answers the live page of recordings. The page has all data from the start. */
static bool answerWithPage(void *user, const ksiAsked *asked, FILE *out)
{
    const Run *run = user;
    return (asked->kind == KSI_ASKED_PAGE || asked->kind == KSI_ASKED_FILE) &&
           ksiDocumentCopy(run->documents.made[KSI_DOCUMENTS - 1], out);
}

static bool showPage(Run *run)
{
    ksiLivePage *livePage = ksiLivePageOpen(answerWithPage, run, true);
    const bool isShown = livePage != NULL;
    ksiCatchSignals(&run->ignored);
    ksiLivePageFinish(livePage, ksiIsLeft);
    ksiLivePageClose(livePage);
    return isShown;
}

/* false: this is the judging process. */
static bool watchJudge(Run *run, int *status)
{
    if (!ksiDocumentsOpen(&run->documents, &run->options)) {
        *status = FAILED;
        return true;
    }
    run->worker = (ksiJudgingProcess){.file = run->options.program,
                                      .limits = run->options.limits,
                                      .isInOrder = run->options.isMerge || run->options.trace};
    if (!ksiWorkerWatch(&run->worker, status))
        return false;
    FILE *screen = run->options.text || run->options.isQuiet ? NULL : stdout;
    if (run->worker.isEnded && !ksiDocumentsWrite(&run->documents, &run->options, screen, true))
        *status = FAILED;
    if (run->worker.isEnded && run->options.isViewed && !showPage(run))
        *status = FAILED;
    return true;
}

/* Is one of the files of diff a saved report? */
static bool isOfReports(char *const *argument)
{
    while (*argument && !ksiIsSavedReport(*argument))
        argument++;
    return *argument;
}

int main(int count, char *argument[])
{
    Run own = {.child = -1};
    if (!holdStreams())
        return FAILED;
    ksiIgnoreFileSize(&own.ignored);
    if (count > 1 && strcmp(argument[1], "diff") == 0 && !isOfReports(argument + 2))
        return ksiDiff(count - 1, argument + 1);
    if (count > 1 && strcmp(argument[1], "size") == 0)
        return ksiSizeCommand(count - 1, argument + 1);
    if (count > 1 && strcmp(argument[1], "loadcases") == 0)
        return ksiLoadCasesCommand(count - 1, argument + 1);
    int status = ksiParseOptions(count, argument, &own.options);
    if (status)
        return status;
    if (!ksiOutputsCheck(&own.options))
        return FAILED;
    const bool hasWorker = own.options.isJudge || own.options.isMerge;
    if (hasWorker && watchJudge(&own, &status))
        return status;
    dInitODE2(0);
    status = ksiReportingOpen(&own.reporting, &own.options);
    if (!status && hasWorker)
        status = own.options.isJudge ? judgeFiles(&own) : mergeFiles(&own);
    else if (!status && !(status = openChannel(&own)))
        status = run(&own);
    ksiIntakeDestroy(own.intake);
    bool isWhole = ksiJudgesDestroy(own.judges);
    ksiReportingClose(&own.reporting);
    ksiLivePageClose(own.livePage);
    isWhole &= closeTrace(&own);
    status = isWhole ? status : FAILED;
    dCloseODE();
    if (hasWorker)
        ksiWorkerIsDone(&own.worker, status);
    if (own.child > 0 && WIFSIGNALED(own.status))
        ksiDieAs(WTERMSIG(own.status));
    return status;
}
