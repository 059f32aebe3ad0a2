/* loadcases.c  kinetostat loadcases: the loads on one body of a recording, for finite elements. */
#include "loadcases.h"

#include "../option_values.h"
#include "reading.h"
#include "worker.h"

#include "../../cases/deck.h"

#include <errno.h>
#include <getopt.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char help[] =
    "usage: kinetostat loadcases --body BODY [options] RECORDING.h5\n"
    "\n"
    "Writes load cases of one body of a recording (--trace-raw): all loads on it in the steps in which one of them has "
    "a\n"
    "minimum or maximum. These are the loads of joints and contacts, applied loads, weight, and the inertia loads "
    "that\n"
    "balance them, in the body's axes, relative to its mass centre.\n"
    "\n"
    "  --body BODY          the body's number in reports; or the name of one of its joints, repeated for further "
    "joints\n"
    "                       until one body is left\n"
    "  --value NAME         physical (of the ideal mechanism), the default; mean (of the simulated motion)\n"
    "  --mean SECONDS       window of the mean: 0.15\n"
    "  --joints PATTERN     extremes of loads whose names match: 'hinge *'; repeated for further loads\n"
    "  --component LIST     extremes of these components, of fx,fy,fz,tx,ty,tz,force,torque (magnitudes); all by "
    "default\n"
    "  --world NAME         one world of several\n"
    "  --from T, --until T  steps in this time of the world, s\n"
    "  --every N            every N-th of these steps\n"
    "  --json FILE          write JSON\n"
    "  --csv FILE           write CSV: a line for each load of each case\n"
    "  --series FILE        write the same for all steps\n"
    "  --calculix FILE      write steps of CalculiX, to *INCLUDE after a model; needs --mesh, or --only\n"
    "  --abaqus FILE        write steps of Abaqus\n"
    "  --transient FILE     write one step with the loads of all chosen steps by *AMPLITUDE, for either; needs "
    "--mesh,\n"
    "                       or --only\n"
    "  --mesh FILE          the mesh of the body, *NODE and *ELEMENT (C3D4, C3D10, C3D8, C3D20). The loads of the "
    "body's\n"
    "                       rotation act on its nodes, since CalculiX has no suitable *DLOAD\n"
    "  --unit UNIT          unit of length in the model: m, the default; mm (with t, MPa)\n"
    "  --origin X,Y,Z       the body's mass centre in the model: 0,0,0\n"
    "  --elset NAME         the element set of the body: BODY\n"
    "  --node 'L=N'         the loads L act on the node or set N, by default on a set named after the load, "
    "LEFT_KNEE;\n"
    "                       L=N,M: their torques act on M, a ROT NODE, instead of degrees 4 to 6 of N\n"
    "  --only PATTERN       only these loads, without weight and inertia, for instance for a pin\n"
    "  --step FILE          the first lines of each step; by default *STATIC and all results\n"
    "  --limit LIST         limits of reading: memory=2G,time=600\n"
    "  --quiet              no text on standard output\n"
    "\n"
    "The exit status is 0, or 125 if the recording is unreadable, or the selection is empty.\n";

enum { TEXT, JSON, CSV, SERIES, CALCULIX, ABAQUS, TRANSIENT };
enum { MOST_STEP = 65536, MOST_PATTERNS = KSI_DECK_NODES + KSI_PATTERNS + 1 };

typedef struct LoadCases {
    ksiReading reading;
    ksiCaseOptions options;
    ksiDeckOptions deck;
    const char *mesh, *step;
    char stepLines[MOST_STEP];
    ksiLoadCases found;
    ksiText series;
    ksiText loads; /* names of the loads at the first moment */
    bool isUsed[MOST_PATTERNS];
    ksiLoadCase **moment; /* for TRANSIENT: all moments */
    size_t momentCount, momentCapacity;
} LoadCases;

/* --- Options --- */

/* Parses the body's number, also after "body"; any other text is the name of one of its joints. */
static bool takeBody(const char *text, ksiCaseOptions *options)
{
    const char *number = strncmp(text, "body ", 5) == 0 ? text + 5 : text;
    char *end;
    errno = 0;
    const unsigned long long body = strtoull(number, &end, 10);
    if (*number >= '0' && *number <= '9' && !*end) {
        options->body = body;
        return (body > 0 && errno == 0) || ksiComplain("--body", "numbers of bodies begin with 1");
    }
    if (options->holdCount == KSI_CASE_JOINTS)
        return ksiComplain("--body", "there are too many");
    options->holds[options->holdCount++] = text;
    return true;
}

static bool takeComponents(const char *text, unsigned *quantities)
{
    *quantities = 0;
    for (const char *at = text; *at; at += *at == ',') {
        const size_t length = strcspn(at, ",");
        int q = 0;
        while (q < KSI_CASE_QUANTITIES &&
               (strlen(ksiCaseQuantity[q]) != length || strncmp(ksiCaseQuantity[q], at, length) != 0))
            q++;
        if (q == KSI_CASE_QUANTITIES)
            return ksiComplain(text, "is not a list of components: fx,fy,fz,tx,ty,tz,force,torque");
        *quantities |= 1u << q;
        at += length;
    }
    return *quantities > 0 || ksiComplain("--component", "must name components: fx,fy,fz,tx,ty,tz,force,torque");
}

static bool takeOrigin(const char *text, double origin[3])
{
    const char *at = text;
    for (int i = 0; i < 3; i++) {
        char *end;
        origin[i] = strtod(at, &end);
        if (end == at || !isfinite(origin[i]) || *end != (i < 2 ? ',' : 0))
            return ksiComplain(text, "is not a point: X,Y,Z");
        at = end + 1;
    }
    return true;
}

static bool takeUnit(const char *text, double *unit)
{
    *unit = strcmp(text, "mm") == 0 ? 1000 : 1;
    return *unit > 1 || strcmp(text, "m") == 0 || ksiComplain("--unit", "must be m or mm");
}

/* Parses a node rule; cuts the text in place. */
static bool takeNode(char *text, ksiDeckOptions *deck)
{
    char *node = strrchr(text, '=');
    if (!node || node == text || !node[1])
        return ksiComplain(text, "is not a node of a load: 'elbow=1001'");
    if (deck->nodeCount == KSI_DECK_NODES)
        return ksiComplain("--node", "there are too many");
    *node++ = 0;
    char *comma = strchr(node, ',');
    if (comma)
        *comma++ = 0;
    deck->node[deck->nodeCount++] = (ksiNodeRule){text, node, comma};
    return true;
}

static bool takeValue(const char *text, ksValue *value)
{
    *value = strcmp(text, "mean") == 0 ? KS_MEAN : KS_PHYSICAL;
    return *value == KS_MEAN || strcmp(text, "physical") == 0 || ksiComplain("--value", "must be physical or mean");
}

static bool takeOfDeck(int option, char *text, LoadCases *out)
{
    ksiDeckOptions *deck = &out->deck;
    switch (option) {
    case 'm':
        out->mesh = text;
        return true;
    case 'i':
        return takeUnit(text, &deck->unit);
    case 'o':
        return takeOrigin(text, deck->origin);
    case 'E':
        deck->elements = text;
        return true;
    case 'N':
        return takeNode(text, deck);
    case 'O':
        deck->only = text;
        return true;
    case 's':
        out->step = text;
        return true;
    default:
        out->reading.file[option - 256] = text;
        return true;
    }
}

static bool take(int option, char *text, void *user)
{
    LoadCases *out = user;
    ksiCaseOptions *options = &out->options;
    switch (option) {
    case 'b':
        return takeBody(text, options);
    case 'v':
        return takeValue(text, &options->value);
    case 'M':
        return ksiParseNumber("mean", text, &ksiFactorRange, &options->mean);
    case 'j':
        return ksiPatternsAdd(&options->joints, text) || ksiComplain("--joints", "there are too many");
    case 'c':
        return takeComponents(text, &options->quantities);
    case 'w':
        options->world = text;
        return true;
    case 'f':
        return ksiParseNumber("from", text, &ksiNumberFromZero, &options->from);
    case 'u':
        return ksiParseNumber("until", text, &ksiNumberFromZero, &options->until);
    case 'e':
        return ksiParseWhole("every", text, &ksiOrdinalRange, &options->every);
    case 'l':
        return ksiParseLimits(text, &out->reading.limits);
    case 'q':
        return out->reading.isQuiet = true;
    default:
        return takeOfDeck(option, text, out);
    }
}

/* Does each document have the options that it needs? */
static bool isWhole(const LoadCases *cases)
{
    const char *const *file = cases->reading.file;
    if (cases->options.body == 0 && cases->options.holdCount == 0)
        return ksiComplain("loadcases", "needs --body");
    if (cases->options.body > 0 && cases->options.holdCount > 0)
        return ksiComplain("--body", "is given as a number and as joints: give only one of them");
    for (int i = CALCULIX; i <= TRANSIENT; i++)
        if (i != ABAQUS && file[i] && !cases->mesh && !cases->deck.only)
            return ksiComplain(i == CALCULIX ? "--calculix" : "--transient",
                               "needs --mesh, whose nodes have the loads by rotation; --only needs none");
    return true;
}

static bool readStepLines(LoadCases *cases)
{
    FILE *file = fopen(cases->step, "r");
    if (!file)
        return ksiComplain(cases->step, strerror(errno));
    const size_t length = fread(cases->stepLines, 1, MOST_STEP - 2, file);
    const bool isShort = fgetc(file) == EOF && !ferror(file);
    fclose(file);
    if (!isShort || memchr(cases->stepLines, 0, length))
        return ksiComplain(cases->step, "is too long, or is not a text file");
    if (length > 0 && cases->stepLines[length - 1] != '\n')
        cases->stepLines[length] = '\n';
    cases->deck.step = cases->stepLines;
    return true;
}

static bool parse(int count, char *argument[], LoadCases *out)
{
    static const struct option options[] = {{"body", required_argument, NULL, 'b'},
                                            {"value", required_argument, NULL, 'v'},
                                            {"mean", required_argument, NULL, 'M'},
                                            {"joints", required_argument, NULL, 'j'},
                                            {"component", required_argument, NULL, 'c'},
                                            {"world", required_argument, NULL, 'w'},
                                            {"from", required_argument, NULL, 'f'},
                                            {"until", required_argument, NULL, 'u'},
                                            {"every", required_argument, NULL, 'e'},
                                            {"json", required_argument, NULL, 256 + JSON},
                                            {"csv", required_argument, NULL, 256 + CSV},
                                            {"series", required_argument, NULL, 256 + SERIES},
                                            {"calculix", required_argument, NULL, 256 + CALCULIX},
                                            {"abaqus", required_argument, NULL, 256 + ABAQUS},
                                            {"transient", required_argument, NULL, 256 + TRANSIENT},
                                            {"mesh", required_argument, NULL, 'm'},
                                            {"unit", required_argument, NULL, 'i'},
                                            {"origin", required_argument, NULL, 'o'},
                                            {"elset", required_argument, NULL, 'E'},
                                            {"node", required_argument, NULL, 'N'},
                                            {"only", required_argument, NULL, 'O'},
                                            {"step", required_argument, NULL, 's'},
                                            {"limit", required_argument, NULL, 'l'},
                                            {"quiet", no_argument, NULL, 'q'},
                                            {"help", no_argument, NULL, 'h'},
                                            {NULL, 0, NULL, 0}};
    if (!ksiReadingOptions(count, argument, options, help, 1, take, out))
        return false;
    out->reading.path = argument[optind];
    out->reading.also[0] = out->mesh ? out->mesh : out->step;
    out->reading.also[1] = out->mesh ? out->step : NULL;
    return isWhole(out) && (!out->step || readStepLines(out)) && ksiReadingCheck(&out->reading);
}

/* --- The process that reads --- */

/* Lists the patterns of --joints, --only and --node. */
static size_t listPatterns(const LoadCases *cases, const char *pattern[MOST_PATTERNS])
{
    size_t count = 0;
    for (size_t i = 0; i < cases->options.joints.count; i++)
        pattern[count++] = cases->options.joints.at[i];
    if (cases->deck.only)
        pattern[count++] = cases->deck.only;
    for (size_t i = 0; i < cases->deck.nodeCount; i++)
        pattern[count++] = cases->deck.node[i].loads;
    return count;
}

static void usePatterns(LoadCases *cases, const ksiLoadCase *moment)
{
    const char *pattern[MOST_PATTERNS];
    const size_t count = listPatterns(cases, pattern);
    const bool isFirst = !cases->loads.at;
    for (size_t i = 0; i < moment->count; i++) {
        const char *name = moment->load[i].name;
        if (isFirst)
            ksiTextAdd(&cases->loads, "%s\"%s\"", i > 0 ? ", " : "", name);
        for (size_t k = 0; k < count; k++)
            cases->isUsed[k] = cases->isUsed[k] || ksiIsNamed(pattern[k], name);
    }
}

/* A pattern without a load is an error: otherwise a load would silently be missing. */
static bool arePatternsUsed(const LoadCases *cases)
{
    const char *pattern[MOST_PATTERNS];
    const size_t count = listPatterns(cases, pattern);
    bool are = true;
    for (size_t k = 0; k < count; k++)
        if (!cases->isUsed[k]) {
            fprintf(stderr, "kinetostat: %s: no load on the body is called %s; there are: %s\n", cases->found.cleanPath,
                    pattern[k], cases->loads.at ? cases->loads.at : "none");
            are = false;
        }
    return are;
}

static bool keepMoment(LoadCases *cases, ksiLoadCase *moment)
{
    if (ksiReserve(&ksiLibraryAllocator, &cases->moment, &cases->momentCapacity, cases->momentCount + 1,
                   sizeof *cases->moment))
        return false;
    moment->users++;
    cases->moment[cases->momentCount++] = moment;
    return true;
}

/* Notes the names of a moment's loads, keeps the moment for --transient, and adds its lines to
 * --series. */
static bool addMoment(void *user, ksiLoadCase *moment)
{
    LoadCases *cases = user;
    ksiRenewTime();
    usePatterns(cases, moment);
    if (ksiReadingAsks(&cases->reading, TRANSIENT) && !keepMoment(cases, moment))
        return false;
    if (!ksiReadingAsks(&cases->reading, SERIES))
        return true;
    ksiCsvAdd(moment, &cases->found.matter, 0, &cases->series);
    return cases->series.length < MOST_STEP || ksiTextWrite(&cases->series, cases->reading.document[SERIES]);
}

static bool writeCases(const LoadCases *cases, int document, void write(const ksiLoadCases *, ksiText *))
{
    ksiText text = {.allocator = &ksiLibraryAllocator};
    if (!ksiReadingAsks(&cases->reading, document))
        return true;
    write(&cases->found, &text);
    return ksiTextWrite(&text, cases->reading.document[document]);
}

static bool writeDeck(const LoadCases *cases, int document, const ksiElementMesh *mesh)
{
    ksiText text = {.allocator = &ksiLibraryAllocator};
    ksiDeckOptions deck = cases->deck;
    if (!ksiReadingAsks(&cases->reading, document))
        return true;
    deck.mesh = mesh;
    if (document == TRANSIENT)
        ksiSeriesToDeck(&cases->found, cases->moment, cases->momentCount, &deck, &text);
    else
        ksiLoadCasesToDeck(&cases->found, &deck, &text);
    return ksiTextWrite(&text, cases->reading.document[document]);
}

static bool writeDocuments(LoadCases *cases)
{
    char words[KSI_MESH_WORDS];
    const ksiReading *reading = &cases->reading;
    ksiElementMesh mesh = {.nodeCount = 0};
    if (cases->mesh &&
        !ksiMeshRead(cases->mesh, cases->deck.unit, cases->deck.origin, cases->found.matter.mass, &mesh, words))
        return ksiComplain(cases->mesh, words);
    const bool isWritten =
        writeCases(cases, TEXT, ksiLoadCasesToText) &&
        (!ksiReadingAsks(reading, JSON) || ksiJsonWrite(ksiLoadCasesToJson(&cases->found), reading->document[JSON])) &&
        writeCases(cases, CSV, ksiLoadCasesToCsv) &&
        (!ksiReadingAsks(reading, SERIES) || ksiTextWrite(&cases->series, reading->document[SERIES])) &&
        writeDeck(cases, CALCULIX, cases->mesh ? &mesh : NULL) && writeDeck(cases, ABAQUS, NULL) &&
        writeDeck(cases, TRANSIENT, cases->mesh ? &mesh : NULL);
    ksiMeshFree(&mesh);
    return isWritten || ksiComplain("loadcases", "out of memory");
}

static int make(void *user, ksiReading *reading)
{
    LoadCases *cases = user;
    char words[KSI_CASE_WORDS] = "";
    cases->series = cases->loads = (ksiText){.allocator = &ksiLibraryAllocator};
    cases->options.onMoment = addMoment;
    cases->options.user = cases;
    if (ksiReadingAsks(reading, SERIES))
        ksiCsvBegin(&cases->series);
    dInitODE2(0);
    if (!ksiFindLoadCases(reading->path, &cases->options, &cases->found, words)) {
        fprintf(stderr, "kinetostat: %s\n", words);
        return KSI_FAILED;
    }
    return arePatternsUsed(cases) && writeDocuments(cases) ? 0 : KSI_FAILED;
}

int ksiLoadCasesCommand(int count, char *argument[])
{
    static LoadCases cases = {.options = {.value = KS_PHYSICAL,
                                          .mean = 0.15,
                                          .quantities = (1u << KSI_CASE_QUANTITIES) - 1,
                                          .until = INFINITY,
                                          .every = 1},
                              .deck = {.unit = 1, .elements = "BODY"}};
    ksiLimitsInit(&cases.reading.limits);
    return parse(count, argument, &cases) ? ksiReadingRun(&cases.reading, make, &cases) : KSI_FAILED;
}
