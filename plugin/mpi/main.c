/* main.c  kinetostat-mpi: judges recordings with all processes of an MPI job. Its report equals the
 * report of kinetostat judge bit for bit.
 *
 * The ranks fork the judging processes, which do not use MPI. At the end a fork of rank 0 makes the
 * documents. */
#include "ranks.h"

#include "../command/files/merge_files.h"
#include "../command/files/worker.h"
#include "../command/outcome.h"
#include "../command/outputs.h"
#include "../command/reporting.h"

#include <fcntl.h>
#include <mpi.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char help[] =
    "usage: mpirun [...] kinetostat-mpi judge [options] FILE...\n"
    "\n"
    "Judges recordings (kinetostat --trace-raw) with all processes of an MPI job. The report equals the report of\n"
    "kinetostat judge bit for bit, for any number of processes. The options are the same (kinetostat --help), except\n"
    "--shard, --trace and --view.\n"
    "\n"
    "  --jobs N             threads of each process: 1\n"
    "  --quiet              no text, and no line with the progress on the terminal\n"
    "  --help, --version\n"
    "\n"
    "See kinetostat-mpi(1).\n";

static void finalize(void)
{
    int is = 0;
    MPI_Finalized(&is);
    if (!is)
        MPI_Finalize();
}

/* Keeps this rank from printing errors of the command line, which rank 0 prints. */
static void silence(void)
{
    const int sink = open("/dev/null", O_WRONLY | O_CLOEXEC);
    fflush(NULL);
    dup2(sink, STDOUT_FILENO);
    dup2(sink, STDERR_FILENO);
    close(sink);
}

static int compare(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

/* Keeps one of equal names, since two ranks would judge a file that is named twice. */
static void removeTwins(char **file)
{
    size_t count = 0, left = 0;
    while (file[count])
        count++;
    qsort(file, count, sizeof *file, compare);
    for (size_t i = 0; i < count; i++) {
        if (left > 0 && strcmp(file[left - 1], file[i]) == 0)
            fprintf(stderr, "kinetostat: %s: is given twice: it is judged once\n", file[i]);
        else
            file[left++] = file[i];
    }
    file[left] = NULL;
}

/* Returns 0, or an exit status after a message. */
static int parse(int count, char *argument[], ksiOptions *options)
{
    if (count < 2) {
        fputs(help, stderr);
        return KSI_FAILED;
    }
    const int status = ksiParseOptions(count, argument, options);
    if (status)
        return status;
    if (!options->isJudge || options->shard.count > 1 || options->trace || options->isViewed) {
        fputs(options->isJudge ? "kinetostat: --shard, --trace and --view are for kinetostat judge\n" : help, stderr);
        return KSI_FAILED;
    }
    options->jobs = options->hasJobs ? options->jobs : 1;
    removeTwins(options->program);
    return 0;
}

/* Checks the baseline early; a confined process reads it at the end. */
static bool hasBaseline(const ksiOptions *options)
{
    const bool has = !options->baseline || ksiIsSavedReport(options->baseline);
    if (!has)
        fprintf(stderr, "kinetostat: --baseline %s: is not a report of --save\n", options->baseline);
    return has;
}

/* All ranks need an empty report; rank 0 also needs the baseline and the outputs. */
static bool open0(ksiOptions *options, ksiReporting *reporting, ksiDocuments *documents)
{
    return hasBaseline(options) && ksiOutputsCheck(options) && ksiDocumentsOpen(documents, options) &&
           !ksiReportingOpen(reporting, options);
}

static bool openOther(ksiOptions *options, ksiReporting *reporting)
{
    options->baseline = options->html = NULL;
    options->report.frameRate = 0;
    return !ksiReportingOpen(reporting, options);
}

/* Makes the documents in a separate process, as kinetostat merge does. */
static int report(const ksiOptions *options, ksiReporting *reporting, ksiDocuments *documents)
{
    char *none[] = {NULL};
    ksiJudgingProcess worker = {.file = none, .limits = options->limits, .isInOrder = true};
    int status;
    if (!ksiWorkerWatch(&worker, &status)) {
        ksiLimitProcess(&options->limits);
        ksiConfineProcess(&options->limits, false);
        if (ksiReportSort(reporting->report))
            ksiEndWith("out of memory");
        const bool isMade =
            ksiReportingCheck(reporting, options) && ksiDocumentsMake(documents, options, reporting->report);
        ksiWorkerIsDone(&worker, isMade ? ksiOutcome(options, reporting->report) : KSI_FAILED);
    }
    FILE *screen = options->text || options->isQuiet ? NULL : stdout;
    if (worker.isEnded && !ksiDocumentsWrite(documents, options, screen, true))
        return KSI_FAILED;
    return status;
}

/* Lost or damaged records set the exit status only if nothing else has failed. */
static int run(ksiOptions *options)
{
    const bool isFirst = ksiRank() == 0;
    ksiReporting reporting = {.report = NULL};
    ksiDocuments documents;
    ksiFound sum;
    const bool isOpen = isFirst ? open0(options, &reporting, &documents) : openOther(options, &reporting);
    int status = ksiRanksAgree(isOpen) && ksiRanksJudge(options, reporting.report, &sum) ? 0 : KSI_FAILED;
    if (isFirst && !status) {
        status = sum.units > sum.unread ? report(options, &reporting, &documents) : KSI_FAILED;
        status = sum.unread > 0 ? KSI_FAILED : status == 0 && sum.lost > 0 ? KSI_UNSEEN : status;
    }
    ksiReportingClose(&reporting);
    ksiRanksWait();
    return isFirst ? status : 0;
}

int main(int count, char *argument[])
{
    ksiOptions options;
    const bool isHelp = count > 1 && (strcmp(argument[1], "--help") == 0 || strcmp(argument[1], "-h") == 0);
    if (isHelp || (count > 1 && strcmp(argument[1], "--version") == 0)) {
        fputs(isHelp ? help : "kinetostat-mpi " PACKAGE_VERSION "\n", stdout);
        return 0;
    }
    MPI_Init(&count, &argument);
    atexit(finalize);
    // a write beyond the file size limit becomes an ordinary error
    signal(SIGXFSZ, SIG_IGN);
    const int out = dup(STDOUT_FILENO), err = dup(STDERR_FILENO);
    if (ksiRank() > 0)
        silence();
    const int status = parse(count, argument, &options);
    dup2(out, STDOUT_FILENO);
    dup2(err, STDERR_FILENO);
    if (status)
        return ksiRank() == 0 ? status : 0;
    return run(&options);
}
