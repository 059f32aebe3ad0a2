/* engines.c  Joint forces of several engines in the same scenes, by the same measure: engines.h. */
#define _DEFAULT_SOURCE
#include "engines.h"
#include "../bench_build.h"
#include "../bench_command.h"

#include <errno.h>
#include <math.h>
#include <ode/ode.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MOST_FACTORS = 8 };

typedef struct Options {
    const char *scene, *engine, *setting, *csv; /* NULL: all; for csv, none */
    double factor[MOST_FACTORS];                /* multiples of the scene's step size */
    int factors;
    double seconds; /* 0: the scene's duration */
} Options;

static void help(void)
{
    EngineScene scene;
    printf("usage: engines [options]\n\n"
           "Joint forces of several engines against the physical forces, in the same scenes; and the time of a "
           "step.\n\n"
           "  --scene NAME     only this scene\n"
           "  --engine NAME    only this engine\n"
           "  --setting NAME   only this setting\n"
           "  --factor X       step size over the scene's; again: one more. 2, 1 and 0.5\n"
           "  --seconds S      simulated time; the scene's\n"
           "  --quick          the scene's step size, a tenth of a second\n"
           "  --csv FILE       writes the figures as comma-separated values\n"
           "  --help           shows this\n\nscenes:");
    for (int i = 0; engineScene(i, &scene); i++)
        printf(" %s", scene.name);
    for (const Engine *const *engine = engines; *engine; engine++) {
        printf("\n%s:", (*engine)->name);
        for (int i = 0; (*engine)->setting[i]; i++)
            printf(" %s", (*engine)->setting[i]);
    }
    printf("\n");
}

static double number(const char *text)
{
    const double most = 1e3;
    char *end;
    errno = 0;
    const double value = strtod(text, &end);
    if (errno || end == text || *end || !(value > 0) || value > most)
        benchUsageError("engines", "not a number above 0, up to 1000:", text);
    return value;
}

static bool isAsked(const char *asked, const char *name)
{
    return !asked || !strcmp(asked, name);
}

/* Refuses unknown names, which would give an empty table. */
static void checkNames(const Options *options)
{
    bool scene = false, engine = false, setting = false;
    EngineScene made;
    for (int i = 0; engineScene(i, &made); i++)
        scene = scene || isAsked(options->scene, made.name);
    for (const Engine *const *each = engines; *each; each++) {
        const bool is = isAsked(options->engine, (*each)->name);
        engine = engine || is;
        for (int i = 0; is && (*each)->setting[i]; i++)
            setting = setting || isAsked(options->setting, (*each)->setting[i]);
    }
    if (!scene)
        benchUsageError("engines", "no such scene:", options->scene);
    if (!engine)
        benchUsageError("engines", "no such engine in this build:", options->engine);
    if (!setting)
        benchUsageError("engines", "no such setting:", options->setting);
}

static Options readCommandLine(int argc, char **argv)
{
    Options options = {.factor = {2, 1, 0.5}, .factors = 3};
    bool given = false;
    for (int i = 1; i < argc; i++) {
        const char *option = argv[i];
        if (!strcmp(option, "--help")) {
            help();
            exit(fflush(stdout) ? EXIT_FAILURE : EXIT_SUCCESS);
        } else if (!strcmp(option, "--quick")) {
            options.factor[0] = options.factors = 1;
            options.seconds = 0.1;
        } else if (++i == argc) {
            benchUsageError("engines", "unknown argument, or without a value:", option);
        } else if (!strcmp(option, "--scene")) {
            options.scene = argv[i];
        } else if (!strcmp(option, "--engine")) {
            options.engine = argv[i];
        } else if (!strcmp(option, "--setting")) {
            options.setting = argv[i];
        } else if (!strcmp(option, "--seconds")) {
            options.seconds = number(argv[i]);
        } else if (!strcmp(option, "--csv")) {
            options.csv = argv[i];
        } else if (!strcmp(option, "--factor")) {
            options.factors = given ? options.factors : 0;
            given = true;
            if (options.factors == MOST_FACTORS)
                benchUsageError("engines", "too many factors", "");
            options.factor[options.factors++] = number(argv[i]);
        } else {
            benchUsageError("engines", "unknown argument:", option);
        }
    }
    checkNames(&options);
    return options;
}

/* One scene and engine with all settings and step sizes. first: the scene's first load, NaN until
 * it is known. */
static bool runEngine(const Options *options, const EngineScene *scene, const Engine *engine, const char *folder,
                      double *first, FILE *csv)
{
    bool done = true;
    for (int i = 0; engine->setting[i]; i++)
        for (int k = 0; k < options->factors && isAsked(options->setting, engine->setting[i]); k++) {
            const EngineCase what = {engine, i, scene, options->factor[k] * scene->stepSize, folder};
            const char *lack = engine->lacks ? engine->lacks(scene, i) : NULL;
            EngineResult result;
            if (lack) {
                engineReportLack(&what, lack);
                break;
            }
            const bool measured = engineRun(&what, &result);
            if (measured && isnan(*first))
                *first = result.figure[FIRST_LOAD];
            if (measured)
                engineReport(&what, &result, csv);
            done = measured && engineIsSame(&what, &result, *first) && done;
        }
    return done;
}

static bool runAll(const Options *options, const char *folder, FILE *csv)
{
    EngineScene scene;
    bool done = true;
    for (int i = 0; engineScene(i, &scene); i++) {
        double first = NAN;
        if (options->seconds > 0)
            scene.seconds = options->seconds;
        for (const Engine *const *engine = engines; *engine; engine++)
            if (isAsked(options->scene, scene.name) && isAsked(options->engine, (*engine)->name))
                done = runEngine(options, &scene, *engine, folder, &first, csv) && done;
    }
    return done;
}

int main(int argc, char **argv)
{
    const Options options = readCommandLine(argc, argv);
    const char *place = getenv("TMPDIR");
    char folder[4096];
    FILE *csv;
    snprintf(folder, sizeof folder, "%s/kinetostat-XXXXXX", place && place[0] ? place : "/tmp");
    if (!mkdtemp(folder)) {
        fprintf(stderr, "engines: %s: %s\n", folder, strerror(errno));
        return EXIT_FAILURE;
    }
    if (!benchOpenTable(options.csv, &csv)) {
        rmdir(folder);
        return EXIT_FAILURE;
    }
    dInitODE2(0);
    benchHushEngine();
    engineHead(engines, csv);
    bool done = runAll(&options, folder, csv);
    rmdir(folder);
    done = benchCloseTable("engines", options.csv, csv) && done;
    dCloseODE();
    return done ? EXIT_SUCCESS : EXIT_FAILURE;
}
