/* merge_files.c  Merges saved reports. */
#include "merge_files.h"

#include "../../report/files/file.h"
#include "../../report/findings/view.h"
#include "../../report/runs/data.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* The contents of a file, for free(); NULL: the error was printed. */
static void *readAll(const char *path, size_t *count)
{
    struct stat status = {.st_size = 0};
    const int descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);  // a FIFO without a writer must not block
    FILE *file = descriptor >= 0 ? fdopen(descriptor, "r") : NULL;
    const bool isFile = file && fstat(descriptor, &status) == 0 && S_ISREG(status.st_mode);
    void *made = isFile ? malloc((size_t)status.st_size + 1) : NULL;
    if (made)
        *count = fread(made, 1, (size_t)status.st_size, file);
    else
        fprintf(stderr, "kinetostat: %s: %s\n", path,
                !file || isFile           ? strerror(errno)
                : S_ISDIR(status.st_mode) ? strerror(EISDIR)
                                          : "is a pipe or a device, where a file is needed");
    if (file)
        fclose(file);
    return made;
}

ksReport *ksiReadSaved(const char *path)
{
    ksReport *report = NULL;
    size_t count;
    void *all = readAll(path, &count);
    if (all && ksiReadData(path, all, count, &report))
        fprintf(stderr, "kinetostat: %s\n", ksErrorMessage());
    free(all);
    return report;
}

bool ksiIsSavedReport(const char *path)
{
    return ksiFileBegins(path, KSI_DATA_NAME);
}

/* A report's counts cannot be recomputed for another target or value. */
static bool takeLimit(const ksiOptions *options, ksReportLimit *limit)
{
    const ksReportLimit *given = &options->report.limit;
    const bool isSame =
        (!options->hasTarget || given->above == limit->above) && (!options->hasValue || given->value == limit->value);
    if (!isSame)
        fprintf(stderr, "kinetostat: the reports were made with --target %g --value %s: merge cannot change that\n",
                limit->above, ksiReferenceOf(limit));
    limit->percentile = options->hasPercentile ? given->percentile : limit->percentile;
    limit->floor = options->hasFloor ? given->floor : limit->floor;
    return isSame;
}

/* An empty report with the options of another. */
static ksReport *makeLike(const ksReport *first, const ksiOptions *options)
{
    ksReportOptions made = first->options;
    ksReport *report = NULL;
    if (!takeLimit(options, &made.limit))
        return NULL;
    if (ksReportCreate(&made, &report))
        fprintf(stderr, "kinetostat: %s\n", ksErrorMessage());
    else
        ksiReportForCommand(report);
    return report;
}

/* Are percentile and floor equal in both reports? What the command line gives need not be equal.
 * The order of reports must not matter. */
static bool isToldAlike(const ksiOptions *options, const ksReportLimit *a, const ksReportLimit *b)
{
    return (options->hasPercentile || a->percentile == b->percentile) && (options->hasFloor || a->floor == b->floor);
}

static bool complain(const char *path, const char *why)
{
    // the reason may begin with the file of the report's first run, which may be this path
    const bool hasPath = strncmp(why, path, strlen(path)) == 0;
    fprintf(stderr, "kinetostat: %s%s%s\n", hasPath ? "" : path, hasPath ? "" : ": ", why);
    return false;
}

static bool mergeFile(const char *path, const ksiOptions *options, ksReport **report)
{
    ksReport *own = ksiReadSaved(path);
    if (own && !*report)
        *report = makeLike(own, options);
    bool isMerged = own && *report;
    if (isMerged && !isToldAlike(options, &(*report)->options.limit, &own->options.limit))
        isMerged = complain(path, "was made with another --percentile or --floor than the first one: give merge one");
    if (isMerged && ksiReportMerge(*report, own))
        isMerged = complain(path, ksErrorMessage());
    ksReportDestroy(own);
    return isMerged;
}

bool ksiMergeFiles(const ksiJudgingProcess *worker, const ksiOptions *options, ksReport **report)
{
    ksReport *made = NULL;
    bool isMerged = true;
    unsigned file = 0;
    for (; worker->file[file] && isMerged; file++) {
        ksiWorkerIsAt(worker, file, KSI_NO_RECORD);
        // the loss of a file was reported before
        isMerged = !ksiWorkerLoss(worker, file, KSI_NO_RECORD) && mergeFile(worker->file[file], options, &made);
    }
    ksiWorkerIsAt(worker, file, KSI_NO_RECORD);
    if (isMerged && ksiReportSort(made))
        ksiEndWith("out of memory");
    ksReportDestroy(*report);
    *report = made;
    return isMerged;
}
