/* reading.c  Makes documents from an untrusted file in a confined process. */
#include "reading.h"

#include "../outputs.h"
#include "worker.h"

#include "../../report/files/file.h"

#include <errno.h>
#include <getopt.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

bool ksiComplain(const char *what, const char *why)
{
    fprintf(stderr, "kinetostat: %s: %s\n", what, why);
    return false;
}

/* Can a document be written to this path without overwriting these inputs (NULL ends them) or other
 * recordings? false: the error was printed. */
static bool isFreeForDocument(const char *path, const char *const *inputs)
{
    char why[64];
    const int error = ksiFileCheck(path);
    const char *there = error ? NULL : ksiOutputTakes(path);
    for (; *inputs && !there; inputs++)
        there = ksiFileIsSame(path, *inputs) ? "a file to read" : NULL;
    snprintf(why, sizeof why, "is %s, which would be lost", there ? there : "");
    return (!error && !there) || ksiComplain(path, error ? strerror(error) : why);
}

/* Is the file another document's too? A device may receive several. */
static bool isTaken(const ksiReading *reading, int document)
{
    const char *path = reading->file[document];
    for (int i = 1; i < document && strncmp(path, "/dev/", 5) != 0; i++)
        if (reading->file[i] && strcmp(reading->file[i], path) == 0)
            return true;
    return false;
}

bool ksiReadingCheck(const ksiReading *reading)
{
    for (int i = 1; i < KSI_READ_DOCUMENTS; i++) {
        if (!reading->file[i])
            continue;
        if (isTaken(reading, i))
            return ksiComplain(reading->file[i], "is the file of two documents");
        if (!isFreeForDocument(reading->file[i], reading->also))
            return false;
    }
    return true;
}

/* Ends without the exit handlers of libraries, which a damaged file may have corrupted. */
static _Noreturn void serve(ksiReading *reading, char *words, int make(void *, ksiReading *), void *user)
{
    ksiListen(words);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    ksiLimitProcess(&reading->limits);
    ksiConfineProcess(&reading->limits, reading->mayFork);
    ksiLeave(make(user, reading));
}

static int finish(const ksiReading *reading, int status)
{
    for (int i = 0; i < KSI_READ_DOCUMENTS; i++) {
        const int error = ksiReadingAsks(reading, i)
                              ? ksiDocumentWrite(reading->document[i], i == 0 ? stdout : NULL, reading->file[i])
                              : 0;
        if (error) {
            ksiComplain(i == 0 ? "standard output" : reading->file[i], strerror(error));
            status = KSI_FAILED;
        }
    }
    return status;
}

int ksiReadingRun(ksiReading *reading, int make(void *user, ksiReading *reading), void *user)
{
    char why[KSI_LOSS_WORDS];
    int status;
    char *words = mmap(NULL, KSI_LOSS_WORDS, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (words == MAP_FAILED) {
        ksiComplain("cannot allocate memory", strerror(errno));
        return KSI_FAILED;
    }
    for (int i = 0; i < KSI_READ_DOCUMENTS; i++)
        if (ksiReadingAsks(reading, i) && !(reading->document[i] = ksiDocumentOpen()))
            return KSI_FAILED;
    const pid_t process = fork();
    if (process == 0)
        serve(reading, words, make, user);
    if (process < 0 || !ksiWaitFor(process, &status)) {
        ksiComplain("cannot start a process to read it", strerror(errno));
        return KSI_FAILED;
    }
    if (WIFEXITED(status) && WEXITSTATUS(status) <= reading->worst)
        return finish(reading, WEXITSTATUS(status));
    if (!WIFEXITED(status) || WEXITSTATUS(status) != KSI_FAILED) {
        ksiExplainEnd(words, &reading->limits, why);
        ksiComplain(reading->path, why);
    }
    return KSI_FAILED;
}

bool ksiTextWrite(ksiText *text, FILE *out)
{
    const bool isWritten = !text->isShort && (!text->at || fputs(text->at, out) >= 0) && fflush(out) == 0;
    ksiTextFree(text);
    *text = (ksiText){.allocator = text->allocator};
    return isWritten;
}

bool ksiJsonWrite(json_t *json, FILE *out)
{
    const bool isWritten = json && json_dumpf(json, out, JSON_COMPACT | JSON_PRESERVE_ORDER) == 0 &&
                           fputc('\n', out) >= 0 && fflush(out) == 0;
    json_decref(json);
    return isWritten;
}

bool ksiReadingOptions(int count, char *argument[], const struct option *options, const char *help, int operands,
                       bool take(int option, char *text, void *user), void *user)
{
    static char program[] = "kinetostat"; /* for the messages of getopt_long */
    char *const command = argument[0];
    int option;
    bool isGood = true;
    argument[0] = program;
    while (isGood && (option = getopt_long(count, argument, "h", options, NULL)) != -1) {
        if (option == 'h') {
            fputs(help, stdout);
            exit(0);
        }
        isGood = option != '?' && take(option, optarg, user);
    }
    if (isGood && count - optind == operands)
        return true;
    fprintf(stderr, "%.*s; kinetostat %s --help lists the options\n", (int)strcspn(help, "\n"), help, command);
    return false;
}
