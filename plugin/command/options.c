/* options.c  The command line of kinetostat. */
#include "options.h"

#include "option_values.h"

#include <getopt.h>
#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MOST_JOBS = 256, LEAST_FRAMES = 64 << 10 };

static const char help[] =
    "usage: kinetostat [options] [--] program [arguments]\n"
    "       kinetostat judge [options] FILE...\n"
    "       kinetostat merge [options] REPORT...\n"
    "       kinetostat diff [options] OLD NEW\n"
    "       kinetostat size [options] TRACE.h5\n"
    "       kinetostat loadcases --body BODY [options] RECORDING.h5\n"
    "\n"
    "Runs a program that uses the Open Dynamics Engine, checks the joint forces of each step, and writes a report to\n"
    "standard error when the program ends. The program and its motion are unchanged.\n"
    "\n"
    "  judge      reports on recordings (--trace-raw), on standard output\n"
    "  merge      combines saved reports (--save) into one\n"
    "  diff       compares two saved reports joint by joint, or finds where two recordings begin to differ, and why\n"
    "  size       sizes motors, bearings and pins from a trace or a recording\n"
    "  loadcases  writes the loads on a body of a recording, for finite elements\n"
    "\n"
    "See kinetostat diff --help, size --help and loadcases --help. Run a program called judge, merge, diff, size or\n"
    "loadcases as ./judge or -- judge.\n"
    "\n"
    "Output:\n"
    "  --report FILE        write the text report to FILE instead of standard error\n"
    "  --json FILE          write JSON\n"
    "  --junit FILE         write JUnit XML: a test case for each joint\n"
    "  --html FILE          write a page with charts and an animation, for a browser\n"
    "  --html-fps N         frames of the animation for each second of the world's time: 30; 0: none\n"
    "  --html-size SIZE     size limit of these frames, which lowers their rate: 5M\n"
    "  --runs FILE          write CSV: a line for each run, worst first, with its parameters, end and worst joint\n"
    "  --gen-suppressions FILE  write an entry for --suppress for each finding\n"
    "  --save FILE          write a binary report for kinetostat merge and diff\n"
    "  --all                include every world and joint in the text, not only a screen of the worst\n"
    "  --quiet              no text on standard error\n"
    "  --trace FILE         write forces and verdicts of each step: HDF5 (.h5), CSV (.csv) or MCAP (.mcap);\n"
    "                       or the times of their computation (.json), for ui.perfetto.dev\n"
    "  --trace-raw FILE     write a recording (HDF5) for kinetostat judge\n"
    "  --record-only        with --trace-raw: record now, judge later\n"
    "\n"
    "Live view:\n"
    "  --view               show the page of --html in a browser during the run. The address is printed, and opened\n"
    "                       if there is a display. The page can pause, slow down and save the run\n"
    "\n"
    "Limits (--fail-above, --baseline, --max-force and --max-torque set the exit status):\n"
    "  --target X           a joint fails if its error exceeds X: 0.05 or 5%, the default\n"
    "  --fail-above X       as --target X, and exit with status 3 if a joint fails\n"
    "  --percentile P       the percentile of a joint's errors that counts: 95; 100 is the largest\n"
    "  --value NAME         compare the engine's force with the physical force (of the ideal mechanism), the default,\n"
    "                       or with the converged force (the exact solution of the engine's step)\n"
    "  --floor F            ignore joints whose force stays below F newtons\n"
    "  --fail-status N      exit with status N instead of 3\n"
    "  --baseline FILE      fail if a joint is worse than in this saved report\n"
    "  --tolerance P        by more than P: 5%\n"
    "  --max-force J=F      fail if the largest physical force of the joints J ('elbow', 'hinge *') exceeds F newtons\n"
    "  --max-torque J=T     likewise for torque, N.m. F or T alone applies to every joint. Status 4 if the error bar\n"
    "                       straddles the limit\n"
    "  --mean SECONDS       window of mean forces: 0.15 s. If given, --max-force, --max-torque and --baseline judge\n"
    "                       the means over such windows instead of single steps\n"
    "  --suppress FILE      ignore these findings, in the format of --gen-suppressions\n"
    "  --propose-limits F   propose a limit for each joint: F times the physical load that 99.9 % of the steps do\n"
    "                       not exceed\n"
    "With these, status 4 means unknown: an unexplained motion, or a joint, run or process that was not judged.\n"
    "judge has status 4 even without them if it skipped records: damaged ones, or ones that crashed it.\n"
    "\n"
    "Selection:\n"
    "  --every N            every N-th step of a world\n"
    "  --from T, --until T  steps in this time of the world, s\n"
    "  --world N            one world, numbered from 1 in the order of their first steps\n"
    "  --joints PATTERN     joints whose names match: 'hinge *', '*body 4*'\n"
    "  --types LIST         joints of these types: hinge,ball\n"
    "  --overhead P         as many steps as fit into P (20%) of the program's processor time\n"
    "  --names FILE         names of joints: lines of a number and a name, such as 3 elbow or hinge 3 elbow\n"
    "  --param NAME=VALUE   a parameter of this run, stored with it; also KINETOSTAT_PARAM_NAME=VALUE in the "
    "environment\n"
    "\n"
    "Advice:\n"
    "  --advise-every N     repeat every N-th judged step with 10 to 1000 iterations: 20; 0: none\n"
    "\n"
    "Resources:\n"
    "  --jobs N             threads of judge: the number of processors\n"
    "  --shard K/N          judge one of N parts of the files' steps, for merge\n"
    "  --limit LIST         limits of judging: memory=2G,time=600 (s of processor time for a step)\n"
    "  --buffer SIZE        memory shared with each process: 64M\n"
    "  --help, --version\n"
    "\n"
    "SIGUSR1 prints the report so far; other signals are passed to the program. The exit status is the program's, 3 or "
    "4\n"
    "by a limit if the program succeeds, 125 if kinetostat fails, and 126 or 127 if the program cannot be started.\n"
    "See kinetostat(1).\n";

enum {
    OPTION_REPORT = 256,
    OPTION_JSON,
    OPTION_JUNIT,
    OPTION_HTML,
    OPTION_HTML_FPS,
    OPTION_HTML_SIZE,
    OPTION_ALL,
    OPTION_QUIET,
    OPTION_TRACE,
    OPTION_TRACE_RAW,
    OPTION_RECORD_ONLY,
    OPTION_VIEW,
    OPTION_FAIL_ABOVE,
    OPTION_PERCENTILE,
    OPTION_VALUE,
    OPTION_FLOOR,
    OPTION_FAIL_STATUS,
    OPTION_EVERY,
    OPTION_FROM,
    OPTION_UNTIL,
    OPTION_WORLD,
    OPTION_JOINTS,
    OPTION_TYPES,
    OPTION_OVERHEAD,
    OPTION_NAMES,
    OPTION_PARAM,
    OPTION_TARGET,
    OPTION_ADVISE_EVERY,
    OPTION_BUFFER,
    OPTION_JOBS,
    OPTION_SHARD,
    OPTION_SAVE,
    OPTION_RUNS,
    OPTION_BASELINE,
    OPTION_TOLERANCE,
    OPTION_MAX_FORCE,
    OPTION_MAX_TORQUE,
    OPTION_MEAN,
    OPTION_PROPOSE_LIMITS,
    OPTION_SUPPRESS,
    OPTION_GEN_SUPPRESSIONS,
    OPTION_LIMIT,
    OPTION_HELP,
    OPTION_VERSION
};

static const struct option longOptions[] = {
    {"report", required_argument, NULL, OPTION_REPORT},
    {"json", required_argument, NULL, OPTION_JSON},
    {"junit", required_argument, NULL, OPTION_JUNIT},
    {"html", required_argument, NULL, OPTION_HTML},
    {"html-fps", required_argument, NULL, OPTION_HTML_FPS},
    {"html-size", required_argument, NULL, OPTION_HTML_SIZE},
    {"all", no_argument, NULL, OPTION_ALL},
    {"quiet", no_argument, NULL, OPTION_QUIET},
    {"trace", required_argument, NULL, OPTION_TRACE},
    {"trace-raw", required_argument, NULL, OPTION_TRACE_RAW},
    {"record-only", no_argument, NULL, OPTION_RECORD_ONLY},
    {"view", no_argument, NULL, OPTION_VIEW},
    {"fail-above", required_argument, NULL, OPTION_FAIL_ABOVE},
    {"percentile", required_argument, NULL, OPTION_PERCENTILE},
    {"value", required_argument, NULL, OPTION_VALUE},
    {"floor", required_argument, NULL, OPTION_FLOOR},
    {"fail-status", required_argument, NULL, OPTION_FAIL_STATUS},
    {"every", required_argument, NULL, OPTION_EVERY},
    {"from", required_argument, NULL, OPTION_FROM},
    {"until", required_argument, NULL, OPTION_UNTIL},
    {"world", required_argument, NULL, OPTION_WORLD},
    {"joints", required_argument, NULL, OPTION_JOINTS},
    {"types", required_argument, NULL, OPTION_TYPES},
    {"overhead", required_argument, NULL, OPTION_OVERHEAD},
    {"names", required_argument, NULL, OPTION_NAMES},
    {"param", required_argument, NULL, OPTION_PARAM},
    {"target", required_argument, NULL, OPTION_TARGET},
    {"advise-every", required_argument, NULL, OPTION_ADVISE_EVERY},
    {"buffer", required_argument, NULL, OPTION_BUFFER},
    {"save", required_argument, NULL, OPTION_SAVE},
    {"baseline", required_argument, NULL, OPTION_BASELINE},
    {"tolerance", required_argument, NULL, OPTION_TOLERANCE},
    {"max-force", required_argument, NULL, OPTION_MAX_FORCE},
    {"max-torque", required_argument, NULL, OPTION_MAX_TORQUE},
    {"mean", required_argument, NULL, OPTION_MEAN},
    {"propose-limits", required_argument, NULL, OPTION_PROPOSE_LIMITS},
    {"suppress", required_argument, NULL, OPTION_SUPPRESS},
    {"gen-suppressions", required_argument, NULL, OPTION_GEN_SUPPRESSIONS},
    {"runs", required_argument, NULL, OPTION_RUNS},
    {"shard", required_argument, NULL, OPTION_SHARD},
    {"jobs", required_argument, NULL, OPTION_JOBS},
    {"limit", required_argument, NULL, OPTION_LIMIT},
    {"help", no_argument, NULL, OPTION_HELP},
    {"version", no_argument, NULL, OPTION_VERSION},
    {NULL, 0, NULL, 0},
};

static const ksiSampling allSteps = {.every = 1, .until = HUGE_VAL, .ringBytes = 64u << 20};

/* --- Options --- */

static bool takeLimit(int option, const char *name, const char *text, ksiOptions *out)
{
    ksReportLimit *limit = &out->report.limit;
    double value;
    switch (option) {
    case OPTION_FAIL_ABOVE:
        out->isLimited = true;
        // fall through
    case OPTION_TARGET:
        out->hasTarget = true;
        return ksiParseNumber(name, text, &ksiShareRange, &limit->above);
    case OPTION_PERCENTILE:
        out->hasPercentile = true;
        return ksiParseNumber(name, text, &ksiPercentRange, &limit->percentile);
    case OPTION_VALUE:
        out->hasValue = true;
        return ksiParseValue(text, &limit->value);
    case OPTION_FLOOR:
        out->hasFloor = true;
        return ksiParseNumber(name, text, &ksiNumberFromZero, &limit->floor);
    default:
        if (!ksiParseNumber(name, text, &ksiStatusRange, &value))
            return false;
        out->failStatus = (int)value;
        return true;
    }
}

static bool takeSampling(int option, const char *name, const char *text, ksiOptions *out)
{
    ksiSampling *sampling = &out->sampling;
    uint64_t value;
    switch (option) {
    case OPTION_EVERY:
        return ksiParseWhole(name, text, &ksiPositive, &sampling->every);
    case OPTION_FROM:
        return ksiParseNumber(name, text, &ksiNumberFromZero, &sampling->from);
    case OPTION_UNTIL:
        return ksiParseNumber(name, text, &ksiNumberFromZero, &sampling->until);
    case OPTION_OVERHEAD:
        return ksiParseNumber(name, text, &ksiSomeShareRange, &sampling->overhead);
    case OPTION_BUFFER:
        return ksiParseSize(name, text, KSI_LEAST_RING, &sampling->ringBytes);
    case OPTION_LIMIT:
        return ksiParseLimits(text, &out->limits);
    default:
        if (!ksiParseWhole(name, text, &ksiOrdinalRange, &value))
            return false;
        sampling->world = (uint32_t)value;
        return true;
    }
}

/* Parses elbow=500, or 500 for each joint. Cuts the text in place. */
static bool takeLoad(const char *name, int size, char *text, ksiOptions *out)
{
    char *sign = strrchr(text, '=');
    ksiMostLoad load = {.size = size};
    if (sign && (sign == text || !sign[1])) {
        fprintf(stderr, "kinetostat: --%s %s: there is no %s the =\n", name, text,
                sign == text ? "name of a joint before" : "number after");
        return false;
    }
    if (!ksiParseNumber(name, sign ? sign + 1 : text, &ksiNumberFromZero, &load.most))
        return false;
    if (out->loadCount == KSI_MOST_LOADS) {
        fprintf(stderr, "kinetostat: --%s %s: there are %d limits already\n", name, text, KSI_MOST_LOADS);
        return false;
    }
    if (sign) {
        *sign = 0;
        load.joints = text;
    }
    out->load[out->loadCount++] = load;
    return true;
}

/* An option that only stores its text or sets a flag, and where ksiOptions stores it. */
typedef struct Plain {
    int option;
    size_t place;
} Plain;

static const Plain texts[] = {{OPTION_REPORT, offsetof(ksiOptions, text)},
                              {OPTION_JSON, offsetof(ksiOptions, json)},
                              {OPTION_HTML, offsetof(ksiOptions, html)},
                              {OPTION_JUNIT, offsetof(ksiOptions, junit)},
                              {OPTION_SAVE, offsetof(ksiOptions, data)},
                              {OPTION_RUNS, offsetof(ksiOptions, runs)},
                              {OPTION_BASELINE, offsetof(ksiOptions, baseline)},
                              {OPTION_SUPPRESS, offsetof(ksiOptions, suppress)},
                              {OPTION_GEN_SUPPRESSIONS, offsetof(ksiOptions, found)},
                              {OPTION_TRACE, offsetof(ksiOptions, trace)},
                              {OPTION_TRACE_RAW, offsetof(ksiOptions, raw)},
                              {OPTION_NAMES, offsetof(ksiOptions, names)},
                              {OPTION_JOINTS, offsetof(ksiOptions, report.joints)}};
static const Plain flags[] = {{OPTION_ALL, offsetof(ksiOptions, isWhole)},
                              {OPTION_QUIET, offsetof(ksiOptions, isQuiet)},
                              {OPTION_RECORD_ONLY, offsetof(ksiOptions, isRawOnly)},
                              {OPTION_VIEW, offsetof(ksiOptions, isViewed)}};

static bool takePlain(int option, const char *text, ksiOptions *out)
{
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        if (texts[i].option == option) {
            *(const char **)(void *)((char *)out + texts[i].place) = text;
            return true;
        }
    for (size_t i = 0; i < sizeof flags / sizeof *flags; i++)
        if (flags[i].option == option)
            return *(bool *)((char *)out + flags[i].place) = true;
    return false;
}

static bool takeOther(int option, const char *name, char *text, ksiOptions *out)
{
    uint64_t value;
    if (takePlain(option, text, out))
        return true;
    switch (option) {
    case OPTION_HTML_FPS:
        out->hasFrames = true;
        return ksiParseNumber(name, text, &ksiRateRange, &out->report.frameRate);
    case OPTION_HTML_SIZE:
        out->hasFrames = true;
        if (!ksiParseSize(name, text, LEAST_FRAMES, &value))
            return false;
        out->report.frameBytes = value;
        return true;
    case OPTION_TOLERANCE:
        return ksiParseNumber(name, text, &ksiShareRange, &out->tolerance);
    case OPTION_MAX_FORCE:
    case OPTION_MAX_TORQUE:
        return takeLoad(name, option == OPTION_MAX_FORCE ? KSI_FORCE : KSI_TORQUE, text, out);
    case OPTION_MEAN:
        if (!ksiParseNumber(name, text, &ksiFactorRange, &out->mean))
            return false;
        out->judge.inspector.meanWindow = out->mean;
        return true;
    case OPTION_PROPOSE_LIMITS:
        return ksiParseNumber(name, text, &ksiFactorRange, &out->proposal);
    case OPTION_SHARD:
        return ksiParseShard(text, &out->shard);
    case OPTION_PARAM:
        return ksiParseParameter(text, &out->run);
    case OPTION_JOBS:
        if (!ksiParseWhole(name, text, &ksiPositive, &value))
            return false;
        out->hasJobs = true;
        out->jobs = value < MOST_JOBS ? (unsigned)value : MOST_JOBS;
        return true;
    case OPTION_TYPES:
        return ksiParseTypes(text, &out->report.types);
    case OPTION_ADVISE_EVERY:
        return ksiParseWhole(name, text, &ksiWholeRange, &out->judge.adviseEvery);
    case OPTION_HELP:
        fputs(help, stdout);
        exit(0);
    case OPTION_VERSION:
        puts("kinetostat " PACKAGE_VERSION);
        exit(0);
    default:
        return false;
    }
}

static bool take(int option, const char *name, char *text, ksiOptions *out)
{
    switch (option) {
    case OPTION_FAIL_ABOVE:
    case OPTION_TARGET:
    case OPTION_PERCENTILE:
    case OPTION_VALUE:
    case OPTION_FLOOR:
    case OPTION_FAIL_STATUS:
        return takeLimit(option, name, text, out);
    case OPTION_EVERY:
    case OPTION_FROM:
    case OPTION_UNTIL:
    case OPTION_WORLD:
    case OPTION_OVERHEAD:
    case OPTION_BUFFER:
    case OPTION_LIMIT:
        return takeSampling(option, name, text, out);
    default:
        return takeOther(option, name, text, out);
    }
}

/* Does the option apply to saved reports? */
static bool isOfMerge(int option)
{
    static const int of[] = {
        OPTION_REPORT,     OPTION_JSON,    OPTION_JUNIT,          OPTION_HTML,      OPTION_ALL,
        OPTION_QUIET,      OPTION_SAVE,    OPTION_RUNS,           OPTION_TARGET,    OPTION_FAIL_ABOVE,
        OPTION_PERCENTILE, OPTION_VALUE,   OPTION_FLOOR,          OPTION_LIMIT,     OPTION_FAIL_STATUS,
        OPTION_HELP,       OPTION_VERSION, OPTION_BASELINE,       OPTION_TOLERANCE, OPTION_MAX_FORCE,
        OPTION_MAX_TORQUE, OPTION_MEAN,    OPTION_PROPOSE_LIMITS, OPTION_SUPPRESS,  OPTION_GEN_SUPPRESSIONS};
    for (size_t i = 0; i < sizeof of / sizeof *of; i++)
        if (of[i] == option)
            return true;
    return false;
}

/* Returns 0, or an exit status. The + in "+h" makes getopt stop at the program, which may have
 * options of its own. */
static int takeAll(int count, char *argument[], ksiOptions *out)
{
    int option, index = 0;
    while ((option = getopt_long(count, argument, out->isJudge || out->isMerge ? "h" : "+h", longOptions, &index)) !=
           -1) {
        if (out->isMerge && option > 'h' && !isOfMerge(option)) {
            fprintf(stderr, "kinetostat: merge has no --%s: it applies while steps are judged\n",
                    longOptions[index].name);
            return 125;
        }
        if (!take(option == 'h' ? OPTION_HELP : option, longOptions[index].name, optarg, out)) {
            fputs("kinetostat --help lists the options\n", stderr);
            return 125;
        }
    }
    return 0;
}

/* Says which options contradict each other; NULL: none. */
static const char *contradiction(const ksiOptions *options)
{
    const ksiSampling *sampling = &options->sampling, all = allSteps;
    const bool isSampled = sampling->every != all.every || sampling->from > all.from || sampling->until < all.until ||
                           sampling->world != all.world || sampling->overhead > all.overhead ||
                           sampling->ringBytes != all.ringBytes;
    if (options->isJudge && (isSampled || options->raw || options->isRawOnly || options->run.parameters[0]))
        return "judge reports on the whole recording: --every, --from, --until, --world, --overhead, "
               "--buffer, "
               "--param, --trace-raw and --record-only are for the run that records";
    if (options->shard.count > 1 && (!options->isJudge || options->trace || options->isViewed))
        return "--shard is for judge, without --trace and --view";
    if (options->hasFrames && !options->html && !options->isViewed)
        return "--html-fps and --html-size need --html FILE or --view";
    if (options->isRawOnly && !options->raw)
        return "--record-only needs --trace-raw FILE";
    if (options->isRawOnly &&
        (options->text || options->json || options->junit || options->html || options->data || options->runs ||
         options->found || options->trace || options->isLimited || options->baseline || options->loadCount > 0 ||
         options->proposal > 0 || options->mean > 0 || options->isViewed))
        return "--record-only judges nothing: give --report, --json, --junit, --html, --save, --runs, --trace, --view "
               "and --fail-above to kinetostat judge";
    if (!(sampling->from < sampling->until))
        return "--from must be before --until";
    return NULL;
}

static bool isHdf5(const char *trace)
{
    const char *end = trace ? strrchr(trace, '.') : NULL;
    return end && (strcasecmp(end, ".h5") == 0 || strcasecmp(end, ".hdf5") == 0);
}

int ksiParseOptions(int count, char *argument[], ksiOptions *out)
{
    *out = (ksiOptions){.failStatus = 3, .tolerance = 0.05, .shard = {.index = 0, .count = 1}};
    out->sampling = allSteps;
    const long processors = sysconf(_SC_NPROCESSORS_ONLN);
    out->jobs = processors > 0 && processors < MOST_JOBS ? (unsigned)processors : 1;
    ksiLimitsInit(&out->limits);
    ksiJudgeOptionsInit(&out->judge);
    ksReportOptionsInit(&out->report);
    out->isJudge = count > 1 && strcmp(argument[1], "judge") == 0;
    // a diff of reports; diff.c handles recordings
    out->isDiff = count > 1 && strcmp(argument[1], "diff") == 0;
    out->isMerge = out->isDiff || (count > 1 && strcmp(argument[1], "merge") == 0);
    const int shift = out->isJudge || out->isMerge;
    if (!shift && !ksiTakeParameters(&out->run))
        return 125;
    const int failed = takeAll(count - shift, argument + shift, out);
    if (failed)
        return failed;
    out->program = argument + shift + optind;
    const bool isTwice = out->isDiff && out->baseline;
    if (out->isDiff && out->program[0])
        out->baseline = *out->program++;
    if (!out->program[0] || isTwice || (out->isDiff && out->program[1])) {
        fprintf(stderr, "usage: kinetostat %s; kinetostat --help lists the options\n",
                out->isJudge   ? "judge [options] FILE..."
                : out->isDiff  ? "diff [options] OLD NEW"
                : out->isMerge ? "merge [options] REPORT..."
                               : "[options] [--] program [arguments]");
        return 125;
    }
    out->limits.mayReopen = isHdf5(out->trace);
    // someone may view a recording later
    out->sampling.hasGeoms = out->isViewed || out->raw || out->html;
    // no document would show them
    if (!out->html && !out->isViewed)
        out->report.frameRate = 0;
    const char *why = contradiction(out);
    if (why)
        fprintf(stderr, "kinetostat: %s\n", why);
    return why ? 125 : 0;
}
