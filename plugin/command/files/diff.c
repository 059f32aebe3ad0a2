/* diff.c  kinetostat diff: finds where two recordings begin to differ, and why.
 *
 * The recordings are untrusted: a confined process reads them and makes the documents in shared
 * memory. */
#include "diff.h"

#include "../option_values.h"
#include "reading.h"
#include "worker.h"

#include "../../report/recording/archive.h"
#include "../../report/recording/divergence.h"

#include <getopt.h>
#include <string.h>
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

enum { TEXT, JSON };

typedef struct Diff {
    ksiReading reading;
    ksiCompareOptions compare;
    const char *path[2];
    char worlds[WORLD_NAMES];
} Diff;

/* --- Options --- */

/* Parses NAME or NAME=NAME. */
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

static bool take(int option, char *text, void *user)
{
    Diff *out = user;
    switch (option) {
    case 't':
        return ksiParseNumber("tolerance", text, &ksiNumberFromZero, &out->compare.tolerance);
    case 'w':
        return takeWorld(text, out);
    case 'j':
        out->reading.file[JSON] = text;
        return true;
    default:
        return out->reading.isQuiet = true;
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
    if (!ksiReadingOptions(count, argument, options, help, 2, take, out))
        return false;
    for (int k = 0; k < 2; k++)
        out->path[k] = argument[optind + k];
    return ksiReadingCheck(&out->reading);
}

/* --- The process that compares --- */

static bool writeDocuments(const ksiReading *reading, const ksiRecordingPair *pair)
{
    ksiText text = {.allocator = &ksiLibraryAllocator};
    ksiWritePair(pair, &text);
    const bool isWritten =
        (!ksiReadingAsks(reading, TEXT) || ksiTextWrite(&text, reading->document[TEXT])) &&
        (!ksiReadingAsks(reading, JSON) || ksiJsonWrite(ksiPairToJson(pair), reading->document[JSON]));
    ksiTextFree(&text);
    return isWritten || ksiComplain("diff", "out of memory");
}

/* Repeats the step in another process, since the engine may abort. */
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

static int compare(void *user, ksiReading *reading)
{
    const Diff *diff = user;
    char words[KSI_ARCHIVE_WORDS] = "";
    ksiRecordingPair pair;
    if (ksiCompareRecordings(diff->path, &diff->compare, &pair, words)) {
        fprintf(stderr, "kinetostat: %s\n", words);
        return KSI_FAILED;
    }
    return writeDocuments(reading, &pair) ? ksiPairStatus(&pair) : KSI_FAILED;
}

int ksiDiff(int count, char *argument[])
{
    Diff diff = {.reading = {.path = "the comparison has ended", .mayFork = true, .worst = TROUBLE},
                 .compare = {.again = stepAgain}};
    ksiLimitsInit(&diff.reading.limits);
    const int status = parse(count, argument, &diff) ? ksiReadingRun(&diff.reading, compare, &diff) : KSI_FAILED;
    return status == KSI_FAILED ? TROUBLE : status;
}
