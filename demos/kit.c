/* kit.c  The command line of the demos. */
#define _POSIX_C_SOURCE 200809L
#include "kit.h"

#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { EXIT_USAGE = 2, COMMON = 12 + KIT_DOCUMENTS, OWN = 8, NAME_WIDTH = 24 };

static const int mostSteps = 100000000;

typedef enum Kind { WHOLE, REAL, STEPPER, PATH, SWITCH } Kind;

typedef struct Option {
    const char *name, *argument, *meaning;
    Kind kind;
    unsigned bit; /* of KitDemo::takes; 0: every demo has it */
    void *target; /* int, double, ksStepper, const char *, int; holds the default */
    double least, most;
} Option;

/* The options of a demo, and its state. */
typedef struct Usage {
    Kit *kit;
    const KitDemo *demo;
    Option option[COMMON + OWN];
    int count, isHelp;
} Usage;

void kitFail(const Kit *kit, const char *what, const char *why)
{
    fprintf(stderr, "%s: %s: %s\n", kit->program, what, why);
    exit(EXIT_FAILURE);
}

void kitCheck(const Kit *kit, ksStatus status, const char *call)
{
    if (status != KS_OK)
        kitFail(kit, call, ksStatusName(status));
}

static void add(Usage *usage, Option option)
{
    usage->option[usage->count++] = option;
}

static void listOptions(Usage *usage)
{
    Kit *kit = usage->kit;
    const KitDemo *demo = usage->demo;
    for (const KitOption *own = demo->options; own && own->name; own++)
        add(usage, (Option){own->name, "N", own->meaning, WHOLE, 0, own->value, own->least, own->most});
    add(usage, (Option){"stepper", "world|quick", "dWorldStep or dWorldQuickStep", STEPPER, KIT_STEPPER,
                        &kit->way.stepper, 0, 0});
    add(usage,
        (Option){"iterations", "N", "of dWorldQuickStep", WHOLE, KIT_ITERATIONS, &kit->way.iterations, 1, 100000});
    add(usage, (Option){"step", "H", "step size, s", REAL, KIT_STEP, &kit->way.step, 1e-6, 1});
    add(usage, (Option){"time", "T", "simulated time, s", REAL, KIT_TIME, &kit->time, 1e-6,
                        demo->longest > 0 ? demo->longest : 1e5});
    add(usage, (Option){"seed", "N", "of the random numbers", WHOLE, KIT_SEED, &kit->seed, 0, INT_MAX});
    add(usage, (Option){"csv", "FILE", "writes the figures as comma-separated values", PATH, 0, &kit->csvPath, 0, 0});
    add(usage, (Option){"plot", "FILE", "draws a PNG picture with gnuplot", PATH, KIT_PLOT, &kit->plotPath, 0, 0});
    add(usage, (Option){"trace", "FILE", "every joint in every step: .h5, .csv or .mcap", PATH, KIT_REPORTS,
                        &kit->tracePath, 0, 0});
    for (int i = 0; i < KIT_DOCUMENTS; i++) {
        const char *meaning, *name = kitDocument(i, &meaning);
        add(usage, (Option){name, "FILE", meaning, PATH, KIT_REPORTS, &kit->documentPath[i], 0, 0});
    }
    add(usage,
        (Option){"view", "", "shows the run in a browser, as it goes on", SWITCH, KIT_REPORTS, &kit->isViewed, 0, 0});
    add(usage, (Option){"quiet", "", "writes files and errors, and no tables", SWITCH, 0, &kit->isQuiet, 0, 0});
    add(usage, (Option){"help", "", "shows this", SWITCH, 0, &usage->isHelp, 0, 0});
}

/* The library that this build of the demo lacks for an option; NULL: none. */
static const char *missing(const Option *option)
{
    return option->bit == KIT_REPORTS && !kitHasReports() ? "libkinetostat-report" : NULL;
}

static int isTaken(const Usage *usage, const Option *option)
{
    return !missing(option) && (!option->bit || usage->demo->takes & option->bit);
}

static void usageLine(const Usage *usage, FILE *stream)
{
    fprintf(stream, "usage: %s", usage->kit->program);
    for (int i = 0; i < usage->count; i++) {
        const Option *option = &usage->option[i];
        if (isTaken(usage, option))
            fprintf(stream, " [--%s%s%s]", option->name, *option->argument ? " " : "", option->argument);
    }
    fprintf(stream, "\n");
}

static void refuse(const Usage *usage, const char *before, const char *argument, const char *after)
{
    fprintf(stderr, "%s: %s%s%s\n", usage->kit->program, before, argument, after);
    usageLine(usage, stderr);
    exit(EXIT_USAGE);
}

static void showDefault(const Option *option)
{
    if (option->kind == WHOLE)
        printf("; default %d", *(const int *)option->target);
    else if (option->kind == REAL)
        printf("; default %g", *(const double *)option->target);
    else if (option->kind == STEPPER)
        printf("; default %s", *(const ksStepper *)option->target == KS_QUICK_STEP ? "quick" : "world");
}

static void help(const Usage *usage)
{
    usageLine(usage, stdout);
    printf("\n%s\n\n", usage->demo->purpose);
    for (int i = 0; i < usage->count; i++) {
        const Option *option = &usage->option[i];
        if (!isTaken(usage, option))
            continue;
        const int width = printf("  --%s %s", option->name, option->argument);
        printf("%*s%s", NAME_WIDTH - width, "", option->meaning);
        showDefault(option);
        printf("\n");
    }
    if (usage->demo->takes & KIT_REPORTS && !kitHasReports())
        printf("\nLeft out, since this demo is built without libkinetostat-report: traces, reports, and the view.\n");
}

static void setNumber(const Usage *usage, const Option *option, const char *text)
{
    char *end, why[128];
    errno = 0;
    const double number = option->kind == WHOLE ? (double)strtol(text, &end, 10) : strtod(text, &end);
    // NaN fails
    const int isRight = end != text && !*end && !errno && number >= option->least && number <= option->most;
    snprintf(why, sizeof why, "--%s takes a%s number from %.10g to %.10g, not '", option->name,
             option->kind == WHOLE ? " whole" : "", option->least, option->most);
    if (!isRight)
        refuse(usage, why, text, "'");
    if (option->kind == WHOLE)
        *(int *)option->target = (int)number;
    else
        *(double *)option->target = number;
}

static void setOption(const Usage *usage, const Option *option, const char *text)
{
    if (option->kind == PATH)
        *(const char **)option->target = text;
    else if (option->kind != STEPPER)
        setNumber(usage, option, text);
    else if (!strcmp(text, "world") || !strcmp(text, "quick"))
        *(ksStepper *)option->target = *text == 'q' ? KS_QUICK_STEP : KS_WORLD_STEP;
    else
        refuse(usage, "--stepper takes world or quick, not '", text, "'");
}

/* --name, or --name=value */
static const Option *findOption(const Usage *usage, const char *argument)
{
    if (!strcmp(argument, "-h"))
        argument = "--help";
    const size_t length = strcspn(argument, "=");
    for (int i = 0; i < usage->count; i++) {
        const char *name = usage->option[i].name;
        if (length == 2 + strlen(name) && !strncmp(argument, "--", 2) && !strncmp(argument + 2, name, length - 2))
            return &usage->option[i];
    }
    refuse(usage, "unknown argument '", argument, "'");
    return NULL;
}

static void readCommandLine(Usage *usage, int argc, char **argv)
{
    for (int i = 1; i < argc; i++) {
        const Option *option = findOption(usage, argv[i]);
        const char *value = strchr(argv[i], '=');
        if (missing(option) && usage->demo->takes & option->bit) {
            char why[96];
            snprintf(why, sizeof why, " needs %s, and this demo is built without it", missing(option));
            refuse(usage, "--", option->name, why);
        }
        if (!isTaken(usage, option))
            refuse(usage, "--", option->name, " makes no sense here");
        if (option->kind == SWITCH && value)
            refuse(usage, "--", option->name, " takes no value");
        if (option->kind == SWITCH)
            *(int *)option->target = 1;
        else if (!value && i + 1 == argc)
            refuse(usage, "a value is missing after --", option->name, "");
        else
            setOption(usage, option, value ? value + 1 : argv[++i]);
        if (usage->isHelp) {
            help(usage);
            exit(fflush(stdout) ? EXIT_FAILURE : EXIT_SUCCESS);
        }
    }
}

/* Rounds to whole steps: if the time is not a multiple, the step becomes slightly smaller or
 * larger. */
static void countSteps(const Usage *usage)
{
    Kit *kit = usage->kit;
    const int fewest = usage->demo->fewest > 0 ? usage->demo->fewest : 1;
    if (!(kit->way.step > 0 && kit->time > 0))
        return;
    const double steps = floor(kit->time / kit->way.step + 0.5);
    char why[128];
    snprintf(why, sizeof why, "--time %g makes %.0f steps of --step %g; it has to be %d to %d", kit->time, steps,
             kit->way.step, fewest, mostSteps);
    if (steps < fewest || steps > mostSteps)
        refuse(usage, why, "", "");
    kit->way.steps = (int)steps;
    kit->way.step = kit->time / kit->way.steps;
}

void kitOpen(Kit *kit, int argc, char **argv, const KitDemo *demo)
{
    const KitWay usual = {demo->stepper, demo->iterations > 0 ? demo->iterations : 20, demo->step, 0};
    *kit = (Kit){.program = "demo", .way = usual, .time = demo->time, .seed = 1, .usual = usual};
    if (argc > 0) {
        const char *slash = strrchr(argv[0], '/');
        kit->program = slash ? slash + 1 : argv[0];
    }
    Usage usage = {.kit = kit, .demo = demo};
    listOptions(&usage);
    readCommandLine(&usage, argc, argv);
    countSteps(&usage);
    // shows each row at once, also through a pipe
    setvbuf(stdout, NULL, _IOLBF, 0);
    if (kit->isQuiet && !freopen("/dev/null", "w", stdout))
        kitFail(kit, "/dev/null", strerror(errno));
    kitOpenOutput(kit, demo->plotWidth, demo->plotHeight > 0 ? demo->plotHeight : 450);
    kitOpenReports(kit);
    dInitODE2(0);
}

int kitClose(Kit *kit)
{
    dCloseODE();
    kitCloseOutput(kit);
    kitCloseReports(kit);
    if (fflush(stdout) || ferror(stdout))
        kitFail(kit, "standard output", "could not be written");
    return EXIT_SUCCESS;
}
