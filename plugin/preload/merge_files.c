/* merge_files.c  Reports of --save, added up. */
#include "merge_files.h"

#include "../report/data.h"
#include "../report/stats.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* All of a file, for free(); NULL: errno says why. */
static void *readAll(const char *path, size_t *count)
{
    struct stat status;
    const int descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);  // nobody need write to a FIFO
    FILE *file = descriptor >= 0 ? fdopen(descriptor, "r") : NULL;
    void *made = NULL;
    if (!file)
        return NULL;
    if (fstat(fileno(file), &status) == 0 && !S_ISREG(status.st_mode))
        errno = S_ISDIR(status.st_mode) ? EISDIR : EINVAL;
    else if ((made = malloc((size_t)status.st_size + 1)) != NULL)
        *count = fread(made, 1, (size_t)status.st_size, file);
    fclose(file);
    return made;
}

ksReport *ksiReadSaved(const char *path)
{
    ksReport *report = NULL;
    size_t count;
    void *all = readAll(path, &count);
    if (!all)
        fprintf(stderr, "kinetostat: %s: %s\n", path, strerror(errno));
    else if (ksiReadData(path, all, count, &report))
        fprintf(stderr, "kinetostat: %s\n", ksErrorMessage());
    free(all);
    return report;
}

bool ksiIsSavedReport(const char *path)
{
    char name[sizeof KSI_DATA_NAME - 1];
    const int file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    const bool is = file >= 0 && read(file, name, sizeof name) == (ssize_t)sizeof name &&
                    memcmp(name, KSI_DATA_NAME, sizeof name) == 0;
    if (file >= 0)
        close(file);
    return is;
}

/* What was counted by another limit cannot be counted anew. */
static bool takeLimit(const ksiOptions *options, ksReportLimit *limit)
{
    const ksReportLimit *given = &options->report.limit;
    const bool isSame =
        (!options->hasTarget || given->above == limit->above) && (!options->hasValue || given->value == limit->value);
    if (!isSame)
        fprintf(stderr, "kinetostat: the reports were made with --target %g --value %s: merge cannot change that\n",
                limit->above, limit->value == KS_PHYSICAL ? "physical" : "converged");
    limit->percentile = options->hasPercentile ? given->percentile : limit->percentile;
    limit->floor = options->hasFloor ? given->floor : limit->floor;
    return isSame;
}

/* An empty one, made as another. */
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

static bool mergeFile(const char *path, const ksiOptions *options, ksReport **report)
{
    ksReport *own = ksiReadSaved(path);
    if (own && !*report)
        *report = makeLike(own, options);
    const ksStatus status = own && *report ? ksiReportMerge(*report, own) : KS_ERROR_FILE;
    if (own && *report && status)
        fprintf(stderr, "kinetostat: %s: %s\n", path, ksErrorMessage());
    ksReportDestroy(own);
    return !status;
}

bool ksiMergeFiles(const ksiJudgingProcess *worker, const ksiOptions *options, ksReport **report)
{
    ksReport *made = NULL;
    bool isMerged = true;
    unsigned file = 0;
    for (; worker->file[file] && isMerged; file++) {
        ksiWorkerIsAt(worker, file, KSI_NO_RECORD);
        // that has been said
        isMerged = !ksiWorkerLoss(worker, file, KSI_NO_RECORD) && mergeFile(worker->file[file], options, &made);
    }
    ksiWorkerIsAt(worker, file, KSI_NO_RECORD);
    if (isMerged && ksiReportSort(made))
        ksiEndWith("out of memory");
    ksReportDestroy(*report);
    *report = made;
    return isMerged;
}
