/* diff.c  kinetostat diff: finds where two recordings begin to differ, and why.
 *
 * The recordings are untrusted: a confined process reads them. Documents are in shared memory. */
#include "diff.h"

#include "../confine.h"
#include "../option_values.h"
#include "../outputs.h"
#include "reading.h"
#include "worker.h"

#include "../../report/files/file.h"
#include "../../report/recording/archive.h"
#include "../../report/recording/divergence.h"

#include <errno.h>
#include <getopt.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

enum { TROUBLE = 2, WORLD_NAMES = 2 * KSI_WORLD_NAME };

static const char help[] =
    "usage: kinetostat diff [options] A.h5 B.h5\n"
    "       kinetostat diff [options] OLD NEW\n"
    "\n"
    "Finds where two recordings (--trace-raw) begin to differ: the first step, the differences in it, and their cause "
    "if\n"
    "the recordings show it.\n"
    "\n"
    "  --tolerance X        also find the first difference above X max(1, |a|, |b|); it then decides the exit status\n"
    "  --world NAME[=NAME]  compare one world, named as in reports: 'process 2, world 1'; =NAME: its name in B\n"
    "  --json FILE          also write JSON\n"
    "  --quiet              no text on standard output\n"
    "\n"
    "The exit status is 0 if the recordings are equal, 1 if they differ, and 2 if this is unknown.\n"
    "\n"
    "If OLD and NEW are saved reports (--save), lists the joints that got worse, with the options and the exit status\n"
    "of kinetostat merge --baseline OLD NEW.\n";

typedef struct Diff {
    ksiCompareOptions compare;
    const char *path[2], *json;
    bool isQuiet;
    char worlds[WORLD_NAMES];
    FILE *text, *document; /* document: NULL: not requested */
    char *words;           /* KSI_LOSS_WORDS, shared */
    ksiLimits limits;
} Diff;

/* --- Options --- */

/* NAME, or NAME=NAME */
static bool takeWorld(const char *text, Diff *out)
{
    if (strlen(text) >= sizeof out->worlds)
        return ksiComplain("--world", "there is no such world");
    strcpy(out->worlds, text);
    char *equals = strchr(out->worlds, '=');
    if (equals)
        *equals = 0;
    out->compare.world[0] = out->worlds;
    out->compare.world[1] = equals ? equals + 1 : out->worlds;
    return true;
}

static bool take(int option, const char *text, Diff *out)
{
    switch (option) {
    case 't':
        return ksiParseNumber("tolerance", text, &ksiNumberFromZero, &out->compare.tolerance);
    case 'w':
        return takeWorld(text, out);
    case 'j':
        out->json = text;
        return true;
    case 'q':
        out->isQuiet = true;
        return true;
    case 'h':
        fputs(help, stdout);
        exit(0);
    default:
        return false;
    }
}

static bool parse(int count, char *argument[], Diff *out)
{
    static const struct option options[] = {{"tolerance", required_argument, NULL, 't'},
                                            {"world", required_argument, NULL, 'w'},
                                            {"json", required_argument, NULL, 'j'},
                                            {"quiet", no_argument, NULL, 'q'},
                                            {"help", no_argument, NULL, 'h'},
                                            {NULL, 0, NULL, 0}};
    int option;
    bool isGood = true;
    while (isGood && (option = getopt_long(count, argument, "h", options, NULL)) != -1)
        isGood = take(option, optarg, out);
    if (!isGood || count - optind != 2) {
        fputs("usage: kinetostat diff [options] A.h5 B.h5; kinetostat diff --help lists the options\n", stderr);
        return false;
    }
    for (int k = 0; k < 2; k++)
        out->path[k] = argument[optind + k];
    static const char *const none[] = {NULL};
    return !out->json || ksiDocumentCheck(out->json, none);
}

/* --- The process that compares --- */

static bool writeDocuments(const Diff *diff, const ksiRecordingPair *pair)
{
    ksiText text = {.allocator = &ksiLibraryAllocator};
    json_t *json = diff->document ? ksiPairToJson(pair) : NULL;
    ksiWritePair(pair, &text);
    bool isWritten = !text.isShort && fputs(text.at, diff->text) >= 0 && fflush(diff->text) == 0;
    if (diff->document)
        isWritten = isWritten && json && json_dumpf(json, diff->document, JSON_COMPACT | JSON_PRESERVE_ORDER) == 0 &&
                    fputc('\n', diff->document) >= 0 && fflush(diff->document) == 0;
    json_decref(json);
    ksiTextFree(&text);
    return isWritten || ksiComplain("diff", "out of memory");
}

/* Another process makes the step, since the engine may abort. */
static ksiAgain stepAgain(const ksiStepRecord *record, void *user)
{
    int status;
    (void)user;
    const pid_t process = fork();
    if (process == 0) {
        dInitODE2(0);
        ksiLeave((int)ksiStepAgain(record));
    }
    const bool isMade = process > 0 && ksiWaitFor(process, &status) && WIFEXITED(status);
    return isMade && WEXITSTATUS(status) <= KSI_COMES_OTHERWISE ? (ksiAgain)WEXITSTATUS(status) : KSI_NOT_MADE_AGAIN;
}

/* Leaves without the exit handlers of libraries that have read a damaged file. */
static _Noreturn void compare(const Diff *diff)
{
    char words[KSI_ARCHIVE_WORDS] = "";
    ksiRecordingPair pair;
    ksiListen(diff->words);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    ksiLimitProcess(&diff->limits);
    ksiConfineProcess(&diff->limits, true);
    const ksStatus status = ksiCompareRecordings(diff->path, &diff->compare, &pair, words);
    if (status)
        fprintf(stderr, "kinetostat: %s\n", words);
    ksiLeave(status || !writeDocuments(diff, &pair) ? TROUBLE : ksiPairStatus(&pair));
}

/* --- The waiting process --- */

static bool prepare(Diff *diff)
{
    ksiLimitsInit(&diff->limits);
    diff->words = mmap(NULL, KSI_LOSS_WORDS, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (diff->words == MAP_FAILED)
        return ksiComplain("cannot allocate memory", strerror(errno));
    diff->text = ksiDocumentOpen();
    diff->document = diff->json ? ksiDocumentOpen() : NULL;
    return diff->text && (diff->document || !diff->json);
}

static int finish(const Diff *diff, int status)
{
    const int error = diff->isQuiet ? 0 : ksiDocumentWrite(diff->text, stdout, NULL);
    const int other = diff->json ? ksiDocumentWrite(diff->document, NULL, diff->json) : 0;
    if (error)
        ksiComplain("standard output", strerror(error));
    if (other)
        ksiComplain(diff->json, strerror(other));
    return error || other ? TROUBLE : status;
}

int ksiDiff(int count, char *argument[])
{
    Diff diff = {.compare = {.again = stepAgain}};
    char why[KSI_LOSS_WORDS];
    int status;
    if (!parse(count, argument, &diff) || !prepare(&diff))
        return TROUBLE;
    const pid_t process = fork();
    if (process == 0)
        compare(&diff);
    if (process < 0 || !ksiWaitFor(process, &status)) {
        ksiComplain("cannot start the comparison", strerror(errno));
        return TROUBLE;
    }
    if (!WIFEXITED(status) || WEXITSTATUS(status) > TROUBLE) {
        ksiExplainEnd(diff.words, &diff.limits, why);
        ksiComplain("the comparison has ended", why);
        return TROUBLE;
    }
    return finish(&diff, WEXITSTATUS(status));
}
