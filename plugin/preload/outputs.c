/* outputs.c  The files that a run or a judgement writes: an hour of simulation is not to end in a folder that does not exist. */
#include "outputs.h"

#include "../report/file.h"

#include <errno.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

static bool checkOne(const char *option, const char *path, int error)
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
        isGood &= checkOne(file[i].option, file[i].path, file[i].check(file[i].path));
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

/* Of those that are asked for; the first is for a screen. */
typedef struct Document {
    ksReportFormat format;
    const char *path; /* "-": standard output; NULL: it is not asked for */
} Document;

static void listDocuments(const ksiOptions *options, Document out[KSI_DOCUMENTS])
{
    const ksReportFormat text = options->isWhole ? KS_REPORT_TEXT_ALL : KS_REPORT_TEXT;
    const Document all[KSI_DOCUMENTS] = {{text, options->text || options->isQuiet ? NULL : "-"},
                                         {text, options->text},
                                         {KS_REPORT_JSON, options->json},
                                         {KS_REPORT_JUNIT, options->junit},
                                         {KS_REPORT_HTML, options->html}};
    memcpy(out, all, sizeof all);
}

static bool check(bool isGood)
{
    if (!isGood)
        fprintf(stderr, "kinetostat: %s\n", ksErrorMessage());
    return isGood;
}

bool ksiOutputsWrite(const ksiOptions *options, const ksReport *report)
{
    Document document[KSI_DOCUMENTS];
    bool isWritten = true;
    listDocuments(options, document);
    for (int i = 1; i < KSI_DOCUMENTS && !options->isRawOnly; i++)
        if (document[i].path)
            isWritten &= check(!ksReportWrite(report, document[i].format, document[i].path));
    return isWritten;
}

void ksiOutputsPrint(const ksiOptions *options, const ksReport *report, FILE *to)
{
    Document document[KSI_DOCUMENTS];
    listDocuments(options, document);
    (void)check(!ksReportPrint(report, document[0].format, to));
}

bool ksiDocumentsOpen(ksiDocuments *documents, const ksiOptions *options)
{
    Document document[KSI_DOCUMENTS];
    listDocuments(options, document);
    for (int i = 0; i < KSI_DOCUMENTS; i++) {
        const int file = document[i].path ? memfd_create("document", MFD_CLOEXEC) : -1;
        documents->made[i] = file < 0 ? NULL : fdopen(file, "w+");
        if (document[i].path && !documents->made[i]) {
            fprintf(stderr, "kinetostat: no shared memory: %s\n", strerror(errno));
            return false;
        }
    }
    return true;
}

bool ksiDocumentsMake(const ksiDocuments *documents, const ksiOptions *options, const ksReport *report)
{
    Document document[KSI_DOCUMENTS];
    bool isMade = true;
    listDocuments(options, document);
    for (int i = 0; i < KSI_DOCUMENTS; i++) {
        FILE *file = documents->made[i];
        if (!file)
            continue;
        rewind(file);
        isMade = check(!ftruncate(fileno(file), 0) && !ksReportPrint(report, document[i].format, file)) && isMade;
    }
    return isMade;
}

/* 0, or the errno. */
static int writeDocument(FILE *made, const char *path)
{
    struct stat status;
    if (fstat(fileno(made), &status))
        return errno;
    const size_t length = (size_t)status.st_size;
    const char *text = length > 0 ? mmap(NULL, length, PROT_READ, MAP_PRIVATE, fileno(made), 0) : "";
    if (text == MAP_FAILED)
        return errno;
    int error = 0;
    if (strcmp(path, "-") != 0)
        error = length > 0 ? ksiFileReplace(path, text, length) : 0;
    else if (fwrite(text, 1, length, stdout) != length || fflush(stdout))
        error = errno;
    if (length > 0)
        munmap((void *)(uintptr_t)text, length);
    return error;
}

bool ksiDocumentsWrite(const ksiDocuments *documents, const ksiOptions *options)
{
    Document document[KSI_DOCUMENTS];
    bool isWritten = true;
    listDocuments(options, document);
    for (int i = 0; i < KSI_DOCUMENTS; i++) {
        const int error = documents->made[i] ? writeDocument(documents->made[i], document[i].path) : 0;
        if (error)
            fprintf(stderr, "kinetostat: %s: %s\n", document[i].path, strerror(error));
        isWritten &= !error;
    }
    return isWritten;
}
