/* sizing.c  kinetostat size: sizes motors, bearings, pins and links from a trace. A recording is
 * first judged, which makes a trace.
 *
 * A confined process reads the untrusted file (reading.h). */
#include "sizing.h"

#include "../option_values.h"
#include "../outcome.h"
#include "reading.h"
#include "worker.h"

#include "../../size/size.h"

#include <errno.h>
#include <getopt.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

static const char help[] =
    "usage: kinetostat size [options] TRACE.h5\n"
    "\n"
    "Computes loads for sizing from a trace (--trace), or from a recording (--trace-raw), which it judges first.\n"
    "Motors: peak, RMS and power. Bearings of hinges: loads, and the equivalent load over the revolutions (ISO 281).\n"
    "Pins and links: minimum and maximum of each component, their times, and its cycles (rainflow counting, ASTM\n"
    "E1049). Each number has its error bar.\n"
    "\n"
    "  --value NAME         physical (of the ideal mechanism), the default; mean (of the simulated motion, over 0.15 s "
    "or\n"
    "                       --mean of the run); engine\n"
    "  --joints PATTERN     joints whose names match: 'hinge *'; repeated for further joints\n"
    "  --world NAME         one world\n"
    "  --from T, --until T  steps in this time of the world, s\n"
    "  --time-constant S    of motors, s: also computes the largest RMS with this exponential time constant\n"
    "  --bearing 'J:LIST'   for the joints J, for life and static safety: C=14000,C0=6550 (N), and kind=ball or\n"
    "                       kind=roller, X=0.56,Y=1.5,e=0.3 of the equivalent load, X0=0.6,Y0=0.5 of the static load\n"
    "  --sn 'J:fx=LIST'     for a component of the joints J (fx fy fz tx ty tz), for damage by Miner's rule:\n"
    "                       RANGE,CYCLES,SLOPE, optionally SLOPE2 beyond CYCLES (inf: no damage)\n"
    "  --point 'J:X,Y,Z'    torques of the joints J about this point, such as a slider's carriage: m from the mass "
    "centre\n"
    "                       of the first body, in its axes; X,Y,Z,1: of the second body, of the world from its origin\n"
    "  --envelope 'J:FILE'  for the motors of the joints J, CSV: lines speed,force from speed 0 on (rad/s, N.m; m/s, "
    "N)\n"
    "  --repeat             treat the run as repeated without end: no half cycles\n"
    "  --page FILE          write a page of HTML, with the force of each motor against its speed\n"
    "  --json FILE          write JSON, with the matrix of each component's cycles\n"
    "  --csv FILE           write CSV: a line for each number\n"
    "  --spectra FILE       write CSV: a line for each class of cycles, by range and mean\n"
    "  --limit LIST         limits of reading: memory=2G,time=600\n"
    "  --quiet              no text on standard output\n"
    "\n"
    "The exit status is 0, or 125 if the trace cannot be read, or nothing in it was chosen.\n";

/* Least positive and largest number in a rule: their powers are finite. */
static const double least = 1e-12, most = 1e15;

enum { TEXT, JSON, CSV, SPECTRA, PAGE, DOCUMENTS, RULE = 256, RULES = 4 * KSI_SIZE_RULES };

typedef struct Sizing {
    ksiReading reading;
    ksiSizeOptions options;
    char rule[RULES][RULE]; /* patterns of joints */
    size_t ruleCount;
    const char *path;  /* the file's path, for the documents */
    bool *isRecording; /* shared: set by the reading process */
} Sizing;

/* --- Options --- */

/* Splits "J:rest" at a colon and stores J; returns NULL if there is no colon. */
static const char *takeRule(const char *name, const char *text, const char *colon, Sizing *out, const char **rest)
{
    const size_t length = colon ? (size_t)(colon - text) : 0;
    if (length == 0 || length >= RULE || out->ruleCount == RULES) {
        ksiComplain(name, !colon || length == 0 ? "PATTERN:LIST is needed, as 'elbow:...'"
                                                : "there are too many, or the pattern is too long");
        return NULL;
    }
    char *rule = out->rule[out->ruleCount++];
    memcpy(rule, text, length);
    rule[length] = 0;
    *rest = colon + 1;
    return rule;
}

/* Parses a number; *at then points to the text after it. */
static bool takeNumber(const char **at, double from, double to, double *number)
{
    char *end;
    *number = strtod(*at, &end);
    const bool isNumber = end != *at && *number >= from && *number <= to;
    *at = end;
    return isNumber;
}

/* Parses KEY=VALUE. */
static bool takeBearingPart(const char **at, ksiBearingData *data)
{
    static const char *const key[] = {"C=", "C0=", "X=", "Y=", "e=", "X0=", "Y0="};
    double *const number[] = {&data->dynamic, &data->fixed, &data->x, &data->y, &data->e, &data->x0, &data->y0};
    if (strncmp(*at, "kind=", 5) == 0) {
        data->isRoller = strncmp(*at + 5, "roller", 6) == 0;
        const bool isKind = data->isRoller || strncmp(*at + 5, "ball", 4) == 0;
        *at += 5 + (data->isRoller ? 6 : isKind ? 4 : 0);
        return isKind;
    }
    for (size_t i = 0; i < sizeof key / sizeof *key; i++)
        if (strncmp(*at, key[i], strlen(key[i])) == 0) {
            *at += strlen(key[i]);
            return takeNumber(at, i < 2 ? least : 0, most, number[i]);
        }
    return false;
}

static bool takeBearing(const char *text, Sizing *out)
{
    const char *at;
    ksiSizeOptions *options = &out->options;
    if (options->bearingCount == KSI_SIZE_RULES)
        return ksiComplain("--bearing", "there are too many");
    ksiBearingRule *rule = &options->bearing[options->bearingCount];
    rule->data = ksiPlainBearing;
    rule->joints = takeRule("--bearing", text, strrchr(text, ':'), out, &at);
    if (!rule->joints)
        return false;
    do {
        if (!takeBearingPart(&at, &rule->data) || (*at && *at != ','))
            return ksiComplain(text, "is not a bearing: 'elbow:C=14000,C0=6550,kind=ball', and numbers up to 1e15");
    } while (*at++);
    options->bearingCount++;
    return true;
}

static bool takeLine(const char *text, Sizing *out)
{
    const char *at;
    ksiSizeOptions *options = &out->options;
    if (options->woehlerCount == KSI_SIZE_RULES)
        return ksiComplain("--sn", "there are too many");
    ksiWoehlerRule *rule = &options->woehler[options->woehlerCount];
    ksiWoehler *line = &rule->line;
    rule->joints = takeRule("--sn", text, strrchr(text, ':'), out, &at);
    if (!rule->joints)
        return false;
    rule->component = 0;
    while (rule->component < KSI_SIZED_COMPONENTS && strncmp(at, ksiSizedComponent[rule->component], 2) != 0)
        rule->component++;
    bool isLine = rule->component < KSI_SIZED_COMPONENTS && at[2] == '=';
    at += isLine ? 3 : 0;
    double *const number[] = {&line->range, &line->cycles, &line->slope};
    for (int i = 0; i < 3; i++)
        isLine = isLine && (i == 0 || *at++ == ',') && takeNumber(&at, least, most, number[i]);
    line->slopeBeyond = line->slope;
    if (isLine && *at == ',') {
        at++;
        isLine = takeNumber(&at, line->slope, INFINITY, &line->slopeBeyond);
    }
    options->woehlerCount += isLine && !*at;
    return (isLine && !*at) ||
           ksiComplain(
               text,
               "is not an S-N line: 'elbow:fx=RANGE,CYCLES,SLOPE', as 'elbow:fx=20000,2e6,5', and numbers up to 1e15");
}

static bool takePoint(const char *text, Sizing *out)
{
    const char *at;
    ksiSizeOptions *options = &out->options;
    if (options->pointCount == KSI_SIZE_RULES)
        return ksiComplain("--point", "there are too many");
    ksiPointRule *rule = &options->point[options->pointCount];
    rule->joints = takeRule("--point", text, strrchr(text, ':'), out, &at);
    if (!rule->joints)
        return false;
    bool isPoint = true;
    for (int i = 0; i < 3; i++)
        isPoint = isPoint && (i == 0 || *at++ == ',') && takeNumber(&at, -most, most, &rule->place[i]);
    rule->body = isPoint && strcmp(at, ",1") == 0;
    isPoint = isPoint && (!*at || rule->body == 1 || strcmp(at, ",0") == 0);
    options->pointCount += isPoint;
    return isPoint || ksiComplain(text, "is not a point: 'slide:X,Y,Z', as 'slide:0,-0.1,0', and numbers up to 1e15");
}

/* Reads lines of two numbers; other lines, such as a heading, may precede the first. Spreadsheets
 * begin a file with a UTF-8 byte order mark. */
static bool readEnvelope(FILE *file, ksiEnvelope *out)
{
    enum { MOST_LINES = 1000 };
    char line[RULE];
    out->count = 0;
    for (int i = 0; fgets(line, sizeof line, file); i++) {
        char *end;
        const char *const first = line + (i == 0 && strncmp(line, "\xef\xbb\xbf", 3) == 0 ? 3 : 0);
        const double speed = strtod(first, &end);
        const bool hasSpeed = end != first;
        char *second = end + strspn(end, " \t,;");
        const double force = strtod(second, &end);
        const bool isPoint = hasSpeed && end != second, isEmpty = line[strspn(line, " \t\r\n")] == 0;
        const bool isMore = isPoint && end[strspn(end, " \t\r\n,;")] != 0;
        if (i < MOST_LINES && !isPoint && (out->count == 0 || isEmpty))
            continue;
        const bool isNext = out->count == 0 ? speed == 0 : speed > out->speed[out->count - 1];
        if (!isPoint || isMore || out->count == KSI_ENVELOPE_POINTS || !isNext || !(force >= 0) || speed > most ||
            force > most)
            return false;
        out->speed[out->count] = speed;
        out->force[out->count++] = force;
    }
    return out->count > 1;
}

/* Joint names and paths may have colons: splits at the first colon that a file's path follows, else
 * at the last one. */
static const char *findPath(const char *text)
{
    const char *last = NULL;
    for (const char *colon = text; (colon = strchr(colon, ':')); colon++) {
        last = colon;
        if (access(colon + 1, F_OK) == 0)
            break;
    }
    return last;
}

static bool takeEnvelope(const char *text, Sizing *out)
{
    const char *path;
    ksiSizeOptions *options = &out->options;
    if (options->envelopeCount == KSI_SIZE_RULES)
        return ksiComplain("--envelope", "there are too many");
    ksiEnvelopeRule *rule = &options->envelope[options->envelopeCount];
    rule->joints = takeRule("--envelope", text, findPath(text), out, &path);
    FILE *file = rule->joints ? fopen(path, "r") : NULL;
    if (!file)
        return rule->joints && ksiComplain(path, strerror(errno));
    const bool isRead = readEnvelope(file, &rule->envelope);
    fclose(file);
    out->reading.also[options->envelopeCount] = path;
    options->envelopeCount += isRead;
    return isRead ||
           ksiComplain(path, "is not an envelope: 2 to 64 lines speed,force, from speed 0 on, with numbers up to 1e15");
}

static bool takeValue(const char *text, ksValue *value)
{
    static const ksValue values[] = {KS_PHYSICAL, KS_MEAN, KS_ENGINE};
    for (int i = 0; i < 3; i++)
        if (strcmp(text, ksiSizeValueName(values[i])) == 0) {
            *value = values[i];
            return true;
        }
    return ksiComplain("--value", "must be physical, mean or engine");
}

static bool take(int option, char *text, void *user)
{
    Sizing *out = user;
    ksiSizeOptions *options = &out->options;
    switch (option) {
    case 'v':
        return takeValue(text, &options->value);
    case 'n':
        return ksiPatternsAdd(&options->joints, text) || ksiComplain("--joints", "there are too many");
    case 'w':
        options->world = text;
        return true;
    case 'f':
        return ksiParseNumber("from", text, &ksiNumberFromZero, &options->from);
    case 'u':
        return ksiParseNumber("until", text, &ksiNumberFromZero, &options->until);
    case 't':
        return ksiParseNumber("time-constant", text, &ksiFactorRange, &options->timeConstant);
    case 'b':
        return takeBearing(text, out);
    case 's':
        return takeLine(text, out);
    case 'p':
        return takePoint(text, out);
    case 'e':
        return takeEnvelope(text, out);
    case 'r':
        options->isRepeated = true;
        return true;
    case 'l':
        return ksiParseLimits(text, &out->reading.limits);
    case 'q':
        return out->reading.isQuiet = true;
    default:
        out->reading.file[option - 256] = text;
        return true;
    }
}

static bool parse(int count, char *argument[], Sizing *out)
{
    static const struct option options[] = {{"value", required_argument, NULL, 'v'},
                                            {"joints", required_argument, NULL, 'n'},
                                            {"world", required_argument, NULL, 'w'},
                                            {"from", required_argument, NULL, 'f'},
                                            {"until", required_argument, NULL, 'u'},
                                            {"time-constant", required_argument, NULL, 't'},
                                            {"bearing", required_argument, NULL, 'b'},
                                            {"sn", required_argument, NULL, 's'},
                                            {"point", required_argument, NULL, 'p'},
                                            {"envelope", required_argument, NULL, 'e'},
                                            {"repeat", no_argument, NULL, 'r'},
                                            {"json", required_argument, NULL, 256 + JSON},
                                            {"csv", required_argument, NULL, 256 + CSV},
                                            {"spectra", required_argument, NULL, 256 + SPECTRA},
                                            {"page", required_argument, NULL, 256 + PAGE},
                                            {"limit", required_argument, NULL, 'l'},
                                            {"quiet", no_argument, NULL, 'q'},
                                            {"help", no_argument, NULL, 'h'},
                                            {NULL, 0, NULL, 0}};
    if (!ksiReadingOptions(count, argument, options, help, 1, take, out))
        return false;
    out->reading.path = argument[optind];
    return ksiReadingCheck(&out->reading);
}

/* --- The process that reads --- */

static bool writeText(const ksiSizing *found, void write(const ksiSizing *, ksiText *), FILE *out)
{
    ksiText text = {.allocator = &ksiLibraryAllocator};
    write(found, &text);
    return ksiTextWrite(&text, out);
}

static bool writeDocuments(const ksiReading *reading, const ksiSizing *found)
{
    static void (*const write[DOCUMENTS])(const ksiSizing *, ksiText *) = {
        [TEXT] = ksiSizingToText, [CSV] = ksiSizingToCsv, [SPECTRA] = ksiSizingToSpectra, [PAGE] = ksiSizingToPage};
    bool isWritten = true;
    for (int i = 0; i < DOCUMENTS && isWritten; i++)
        if (ksiReadingAsks(reading, i))
            isWritten = write[i] ? writeText(found, write[i], reading->document[i])
                                 : ksiJsonWrite(ksiSizingToJson(found), reading->document[i]);
    return isWritten || ksiComplain("size", "out of memory");
}

/* Does a rule apply to the joint? */
typedef bool IsFor(const ksiSizedJoint *joint);

static bool isJoint(const ksiSizedJoint *joint)
{
    return strcmp(joint->type, "contact") != 0;
}

static bool isChosen(const ksiSizedJoint *joint)
{
    return joint->size != NULL;
}

static bool hasBearing(const ksiSizedJoint *joint)
{
    return joint->size && joint->size->isBearing;
}

static bool hasMotor(const ksiSizedJoint *joint)
{
    bool has = false;
    for (int i = 0; i < KSI_SIZED_AXES && joint->size; i++)
        has |= joint->size->motor[i].isKnown;
    return has;
}

/* Reports that no such joints exist and names the others. */
static bool listNames(const ksiSizing *found, const char *which, const char *pattern, IsFor *isOther)
{
    enum { MOST = 6 };
    size_t count = 0;
    fprintf(stderr, "kinetostat: %s: no joint %s%s", found->cleanPath, which, pattern);
    for (size_t i = 0; i < found->worldCount; i++)
        for (size_t k = 0; k < found->world[i].jointCount; k++)
            if (isOther(&found->world[i].joint[k]) && count++ < MOST)
                fprintf(stderr, "%s\"%s\"", count > 1 ? ", " : "; there are: ", found->world[i].joint[k].name);
    fprintf(stderr, "%s\n", count > MOST ? ", ..." : count == 0 ? ": there is none" : "");
    return false;
}

static bool complainOfNone(const ksiSizing *found)
{
    if (found->worldCount == 0)
        return ksiComplain(found->cleanPath, "holds no step: none was made, or the file was cut off (a full disk?)");
    for (size_t i = 0; i < found->worldCount; i++)
        for (size_t k = 0; k < found->world[i].jointCount; k++)
            if (found->world[i].joint[k].isChosen)
                return ksiComplain(found->cleanPath, "no selected step has one of the joints");
    return listNames(found, "was chosen", "", isJoint);
}

static bool isNamed(const ksiSizing *found, const char *pattern, IsFor *isFor)
{
    for (size_t i = 0; i < found->worldCount; i++)
        for (size_t k = 0; k < found->world[i].jointCount; k++)
            if (isFor(&found->world[i].joint[k]) && ksiIsNamed(pattern, found->world[i].joint[k].name))
                return true;
    return false;
}

static bool isUsed(const ksiSizing *found, const char *pattern, IsFor *isFor, const char *which)
{
    return isNamed(found, pattern, isFor) ||
           (isNamed(found, pattern, isChosen) ? listNames(found, which, pattern, isFor)
                                              : listNames(found, "that was chosen is called ", pattern, isJoint));
}

/* A rule without a joint is an error: otherwise a life or a damage would silently be missing. */
static bool areRulesUsed(const ksiSizing *found)
{
    const ksiSizeOptions *options = found->options;
    bool are = true;
    for (size_t i = 0; i < options->joints.count; i++)
        are &= isNamed(found, options->joints.at[i], isChosen) ||
               listNames(found, "is called ", options->joints.at[i], isJoint);
    for (size_t i = 0; i < options->bearingCount; i++)
        are &= isUsed(found, options->bearing[i].joints, hasBearing, "turns in a bearing and is called ");
    for (size_t i = 0; i < options->woehlerCount; i++)
        are &= isUsed(found, options->woehler[i].joints, isChosen, "");
    for (size_t i = 0; i < options->pointCount; i++)
        are &= isUsed(found, options->point[i].joints, isChosen, "");
    for (size_t i = 0; i < options->envelopeCount; i++)
        are &= isUsed(found, options->envelope[i].joints, hasMotor, "has a motor and is called ");
    return are;
}

static int make(void *user, ksiReading *reading)
{
    const Sizing *sizing = user;
    char words[KSI_READ_WORDS] = "";
    ksiSizing found;
    if (!ksiSizeTrace(reading->path, &sizing->options, &found, words)) {
        *sizing->isRecording = ksiIsAboutRecording(words);
        if (!*sizing->isRecording)
            fprintf(stderr, "kinetostat: %s\n", words);
        return KSI_FAILED;
    }
    // the judge has already printed that the recording holds no step
    const bool isTold = *sizing->isRecording && found.worldCount == 0;
    const bool isFound = ksiSizedCount(&found) == 0 ? !isTold && complainOfNone(&found) : areRulesUsed(&found);
    return isFound && writeDocuments(reading, &found) ? 0 : KSI_FAILED;
}

/* --- Recordings --- */

/* Runs `kinetostat judge` on the recording. That process prints which records it omits. */
static bool judgeInto(const char *trace, const char *recording)
{
    int status;
    const pid_t process = fork();
    if (process == 0) {
        execl("/proc/self/exe", "kinetostat", "judge", "--quiet", "--trace", trace, "--", recording, (char *)NULL);
        ksiComplain("/proc/self/exe", strerror(errno));
        _exit(KSI_FAILED);
    }
    return process > 0 && ksiWaitFor(process, &status) && WIFEXITED(status) &&
           (WEXITSTATUS(status) == 0 || WEXITSTATUS(status) == KSI_UNSEEN);
}

static int sizeRecording(Sizing *sizing)
{
    char trace[RULE];
    const char *wanted = getenv("TMPDIR"), *folder = wanted && *wanted ? wanted : "/tmp", ending[] = ".h5";
    const int length = snprintf(trace, sizeof trace, "%s/kinetostat-XXXXXX%s", folder, ending);
    const int file = length < RULE ? mkstemps(trace, sizeof ending - 1) : -1;
    if (file < 0)
        return ksiComplain(folder, length < RULE ? strerror(errno) : "is too long") ? 0 : KSI_FAILED;
    close(file);
    sizing->reading.path = trace;
    const int status = judgeInto(trace, sizing->path) ? ksiReadingRun(&sizing->reading, make, sizing) : KSI_FAILED;
    unlink(trace);
    return status;
}

int ksiSizeCommand(int count, char *argument[])
{
    static Sizing sizing = {.options = {.value = KS_PHYSICAL, .until = INFINITY}};
    ksiLimitsInit(&sizing.reading.limits);
    if (!parse(count, argument, &sizing))
        return KSI_FAILED;
    sizing.path = sizing.options.call = sizing.reading.path;
    sizing.isRecording =
        mmap(NULL, sizeof *sizing.isRecording, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (sizing.isRecording == MAP_FAILED)
        return ksiComplain("cannot allocate memory", strerror(errno)) ? 0 : KSI_FAILED;
    const int status = ksiReadingRun(&sizing.reading, make, &sizing);
    return *sizing.isRecording ? sizeRecording(&sizing) : status;
}
