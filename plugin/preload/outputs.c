/* outputs.c  The files that a run or a judgement writes: an hour of simulation is not to end in a folder that does not exist. */
#include "outputs.h"

#include "../report/file.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static bool check(const char *option, const char *path, int error)
{
    if (error)
        fprintf(stderr, "kinetostat: --%s %s: cannot be written: %s\n", option, path, strerror(error));
    return !error;
}

/* A recording is written in its place. */
static int checkRaw(const char *path)
{
    struct stat status;
    if (stat(path, &status) || S_ISDIR(status.st_mode))
        return ksiFileCheck(path);
    return access(path, W_OK) ? errno : 0;
}

bool ksiOutputsCheck(const ksiOptions *options)
{
    const struct {
        const char *option, *path;
        int (*check)(const char *path);
    } file[] = {{"report", options->text, ksiFileCheck}, {"json", options->json, ksiFileCheck},
                {"junit", options->junit, ksiFileCheck}, {"html", options->html, ksiFileCheck},
                {"trace", options->trace, checkRaw},     {"trace-raw", options->raw, checkRaw}};
    bool isGood = true;
    for (size_t i = 0; i < sizeof file / sizeof *file; i++) {
        if (!file[i].path)
            continue;
        isGood &= check(file[i].option, file[i].path, file[i].check(file[i].path));
        // devices may take more than one
        for (size_t j = 0; j < i && strncmp(file[i].path, "/dev/", 5) != 0; j++) {
            if (!file[j].path || strcmp(file[i].path, file[j].path) != 0)
                continue;
            fprintf(stderr, "kinetostat: --%s and --%s: both are %s\n", file[j].option, file[i].option, file[i].path);
            isGood = false;
        }
    }
#ifndef KS_HAVE_HDF5
    if (options->raw) {
        fputs("kinetostat: --trace-raw: kinetostat was built without HDF5\n", stderr);
        isGood = false;
    }
#endif
    return isGood;
}

static bool writeOne(const ksReport *report, ksReportFormat format, const char *file)
{
    if (!file || !ksReportWrite(report, format, file))
        return true;
    fprintf(stderr, "kinetostat: %s\n", ksErrorMessage());
    return false;
}

static ksReportFormat textOf(const ksiOptions *options)
{
    return options->isWhole ? KS_REPORT_TEXT_ALL : KS_REPORT_TEXT;
}

bool ksiOutputsWrite(const ksiOptions *options, const ksReport *report)
{
    if (options->isRawOnly)
        return true;
    bool isWritten = writeOne(report, textOf(options), options->text);
    isWritten &= writeOne(report, KS_REPORT_JSON, options->json);
    isWritten &= writeOne(report, KS_REPORT_JUNIT, options->junit);
    isWritten &= writeOne(report, KS_REPORT_HTML, options->html);
    return isWritten;
}

void ksiOutputsPrint(const ksiOptions *options, const ksReport *report, FILE *to)
{
    if (ksReportPrint(report, textOf(options), to))
        fprintf(stderr, "kinetostat: %s\n", ksErrorMessage());
}
