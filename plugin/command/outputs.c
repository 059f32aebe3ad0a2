/* outputs.c  Output files of a run, checked before the run starts. */
#include "outputs.h"

#include "files/merge_files.h"
#include "run/launch.h"
#include "run/signals.h"

#include "../report/files/file.h"

#include <errno.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

static bool check(const char *option, const char *path, int error)
{
    if (error)
        fprintf(stderr, "kinetostat: --%s %s: cannot be written: %s\n", option, path, strerror(error));
    return !error;
}

const char *ksiOutputTakes(const char *path)
{
    return ksiFileBegins(path, "\211HDF\r\n\032\n") ? "a recording or trace"
           : ksiIsSavedReport(path)                 ? "a report of --save"
                                                    : NULL;
}

/* A report of --save may replace another one. */
static bool checkDocument(const char *option, const char *path)
{
    const int error = ksiFileCheck(path);
    const bool mayFollow = error || (strcmp(option, "save") == 0 && ksiIsSavedReport(path));
    const char *there = mayFollow ? NULL : ksiOutputTakes(path);
    if (there)
        fprintf(stderr, "kinetostat: --%s %s: is %s, which would be lost\n", option, path, there);
    return !there && check(option, path, error);
}

/* Is the output a recording to judge, which would be emptied first? */
static bool isInput(const ksiOptions *options, const char *path)
{
    if (!options->isJudge || !path)
        return false;
    for (char **file = options->program; *file; file++)
        if (ksiFileIsSame(path, *file)) {
            fprintf(stderr, "kinetostat: --trace %s: is one of the recordings\n", path);
            return true;
        }
    return false;
}

/* Is the output the program to run, or its script? It would be overwritten. */
static bool isProgram(const ksiOptions *options, const char *option, const char *path)
{
    char found[4096];
    if (options->isJudge || options->isMerge || !ksiFindProgram(options->program[0], found) ||
        !ksiFileIsSame(path, found))
        return false;
    fprintf(stderr, "kinetostat: --%s %s: is the program, which would be lost\n", option, path);
    return true;
}

static bool isName(const char *option, const char *path)
{
    if (*path && strcmp(path, "-") != 0)
        return true;
    fprintf(stderr, "kinetostat: --%s %s: is not a file%s\n", option, *path ? path : "\"\"",
            *path ? ": /dev/stdout is the standard output" : "");
    return false;
}

/* A trace is written in place; HDF5 seeks in it. */
static bool checkTrace(const char *option, const char *path, bool isHdf5)
{
    struct stat status;
    if (stat(path, &status) || S_ISDIR(status.st_mode))
        return check(option, path, ksiFileCheck(path));
    if (isHdf5 && !S_ISREG(status.st_mode)) {
        fprintf(stderr, "kinetostat: --%s %s: is a pipe or a device, where a file is needed\n", option, path);
        return false;
    }
    return check(option, path, access(path, W_OK) ? errno : 0);
}

bool ksiOutputsCheck(const ksiOptions *options)
{
    const struct {
        const char *option, *path;
        bool isDocument;
    } file[] = {{"report", options->text, true},
                {"json", options->json, true},
                {"junit", options->junit, true},
                {"html", options->html, true},
                {"save", options->data, true},
                {"runs", options->runs, true},
                {"gen-suppressions", options->found, true},
                {"trace", options->trace, false},
                {"trace-raw", options->raw, false}};
    bool isGood = !isInput(options, options->trace);
    for (size_t i = 0; i < sizeof file / sizeof *file; i++) {
        if (!file[i].path)
            continue;
        if (!isName(file[i].option, file[i].path) || isProgram(options, file[i].option, file[i].path)) {
            isGood = false;
            continue;
        }
        const bool isHdf5 = file[i].path == options->raw || options->limits.mayReopen;
        isGood &= file[i].isDocument ? checkDocument(file[i].option, file[i].path)
                                     : checkTrace(file[i].option, file[i].path, isHdf5);
        // a device may receive several documents
        for (size_t j = 0; j < i && strncmp(file[i].path, "/dev/", 5) != 0; j++) {
            if (!file[j].path || strcmp(file[i].path, file[j].path) != 0)
                continue;
            fprintf(stderr, "kinetostat: --%s and --%s: both are %s\n", file[j].option, file[i].option, file[i].path);
            isGood = false;
        }
    }
#ifndef KS_HAVE_VIEW
    if (options->isViewed) {
        fputs("kinetostat: --view: kinetostat was built without libmicrohttpd, or without three.js\n", stderr);
        isGood = false;
    }
#endif
    return isGood;
}

typedef struct Document {
    ksReportFormat format;
    const char *path; /* NULL: not requested; "": without a file */
} Document;

static void listDocuments(const ksiOptions *options, Document out[KSI_DOCUMENTS])
{
    const ksReportFormat text = options->isWhole ? KS_REPORT_TEXT_ALL : KS_REPORT_TEXT;
    const Document all[KSI_DOCUMENTS] = {{text, ""},
                                         {text, options->text},
                                         {KS_REPORT_JSON, options->json},
                                         {KS_REPORT_JUNIT, options->junit},
                                         {KS_REPORT_HTML, options->html},
                                         {KS_REPORT_DATA, options->data},
                                         {KS_REPORT_RUNS, options->runs},
                                         {KS_REPORT_SUPPRESSIONS, options->found},
                                         {KS_REPORT_HTML, options->isJudge && options->isViewed ? "" : NULL}};
    memcpy(out, all, sizeof all);
}

FILE *ksiDocumentOpen(void)
{
    const int file = memfd_create("document", MFD_CLOEXEC);
    FILE *made = file < 0 ? NULL : fdopen(file, "a");
    if (!made)
        fprintf(stderr, "kinetostat: cannot create shared memory: %s\n", strerror(errno));
    return made;
}

bool ksiDocumentsOpen(ksiDocuments *documents, const ksiOptions *options)
{
    Document document[KSI_DOCUMENTS];
    listDocuments(options, document);
    *documents = (ksiDocuments){0};
    for (int i = 0; i < KSI_DOCUMENTS; i++) {
        documents->made[i] = document[i].path ? ksiDocumentOpen() : NULL;
        if (document[i].path && !documents->made[i])
            return false;
    }
    return true;
}

/* A live run makes the documents repeatedly, but prints an error once. */
static void tellOnce(ksiDocuments *documents, int index, const char *path, const char *words)
{
    if (!documents->isLacking[index])
        fprintf(stderr, "kinetostat: %s: %s\n", *path ? path : "the report", words);
    documents->isLacking[index] = true;
}

bool ksiDocumentsMake(ksiDocuments *documents, const ksiOptions *options, const ksReport *report)
{
    Document document[KSI_DOCUMENTS];
    listDocuments(options, document);
    for (int i = 0; i < KSI_DOCUMENTS; i++) {
        FILE *file = documents->made[i];
        if (file && (ftruncate(fileno(file), 0) || ksReportPrint(report, document[i].format, file))) {
            const char *words = strstr(ksErrorMessage(), ": ");
            tellOnce(documents, i, document[i].path, words ? words + 2 : ksErrorMessage());
            return false;
        }
    }
    return true;
}

/* Maps a document. false: errno is set; 0: it was not made. */
static bool mapDocument(FILE *made, char **text, size_t *length)
{
    struct stat status;
    errno = 0;
    if (fstat(fileno(made), &status) || status.st_size == 0)
        return false;
    *length = (size_t)status.st_size;
    *text = mmap(NULL, *length, PROT_READ, MAP_PRIVATE, fileno(made), 0);
    return *text != MAP_FAILED;
}

bool ksiDocumentCopy(FILE *made, FILE *out)
{
    char *text;
    size_t length;
    if (!mapDocument(made, &text, &length))
        return false;
    const bool isWhole = fwrite(text, 1, length, out) == length;
    munmap(text, length);
    return isWhole;
}

/* A pipe may have no reader: lets signals end the command while it waits. */
static int writeFixed(const char *path, const char *text, size_t length)
{
    ksiEndBySignals(true);
    const int error = ksiFileAppend(path, text, length);
    ksiEndBySignals(false);
    return error;
}

int ksiDocumentWrite(FILE *made, FILE *screen, const char *path)
{
    char *text;
    size_t length;
    if (screen)
        return ksiDocumentCopy(made, screen) && fflush(screen) == 0 ? 0 : errno;
    if (!mapDocument(made, &text, &length))
        return errno;
    const int error = ksiFileIsFixed(path) ? writeFixed(path, text, length) : ksiFileReplace(path, text, length);
    munmap(text, length);
    return error;
}

bool ksiDocumentsWrite(ksiDocuments *documents, const ksiOptions *options, FILE *screen, bool areLast)
{
    Document document[KSI_DOCUMENTS];
    bool isWritten = true;
    listDocuments(options, document);
    for (int i = screen ? 0 : 1; i < KSI_DOCUMENTS; i++) {
        if (!documents->made[i] || (i > 0 && !document[i].path[0]))
            continue;
        // a pipe would receive each version, and may have no reader
        if (i > 0 && !areLast && ksiFileIsFixed(document[i].path))
            continue;
        const int error = ksiDocumentWrite(documents->made[i], i ? NULL : screen, document[i].path);
        if (error)
            tellOnce(documents, i, document[i].path, strerror(error));
        isWritten &= !error;
    }
    return isWritten;
}
