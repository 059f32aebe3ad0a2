/* bench.c  The cost of an inspected step, on named scenes of several sizes. Command line; see
 * benchHead for the table. */
#include "bench.h"
#include "bench_command.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { QUICK_STEPS = 100, MOST = 1000000, ROUNDS = 5 };

typedef struct Wish {
    const char *scene, *csv;
    int size, steps, way; /* 0, 0, -1: as listed; all */
    int every;            /* one of this many steps is inspected */
    int rounds;
    bool quick;
} Wish;

static void help(void)
{
    printf(
        "usage: bench [options]\n\n"
        "The cost of an inspected step, beside dWorldQuickStep with 20 iterations on an equal world.\n\n"
        "  --quick         only sizes that take little time\n"
        "  --scene NAME    only this scene\n"
        "  --size N        only this size of it\n"
        "  --steps N       measured steps; default: the scene's number\n"
        "  --rounds N      measures each way N times, in turn, and keeps the minimum of each step; default: 5\n"
        "  --every N       the host inspects one step of N, and makes the others itself\n"
        "  --csv FILE      writes the figures as comma-separated values\n"
        "  --only WAY      steps only one way, plain, certificate, converged or physical, and measures nothing: for\n"
        "                  tests/bench/instructions.sh; prints joints and steps\n"
        "  --help          shows this\n\nscenes, each by the number of\n");
    for (const BenchScene *scene = benchScenes; scene->name; scene++)
        printf("  %-14s  %s\n", scene->name, scene->counted);
}

_Noreturn static void usageError(const char *what, const char *argument)
{
    benchUsageError("bench", what, argument);
}

static int number(const char *text)
{
    char *end;
    errno = 0;
    long value = strtol(text, &end, 10);
    if (end == text || *end || errno || value < 1 || value > MOST)
        usageError("not a number from 1 to 1000000:", text);
    return (int)value;
}

static int wayOf(const char *name)
{
    for (int w = 0; w < WAYS; w++)
        if (!strcmp(name, benchWay[w]))
            return w;
    usageError("no such way:", name);
    return -1;
}

static Wish readCommandLine(int argc, char **argv)
{
    Wish wish = {.way = -1, .every = 1, .rounds = ROUNDS};
    for (int i = 1; i < argc; i++) {
        const char *name = argv[i], *value = i + 1 < argc ? argv[i + 1] : NULL;
        if (!strcmp(name, "--help")) {
            help();
            exit(fflush(stdout) ? EXIT_FAILURE : EXIT_SUCCESS);
        }
        if (!strcmp(name, "--quick")) {
            wish.quick = true;
            continue;
        }
        if (!value)
            usageError("unknown argument, or without a value:", name);
        if (!strcmp(name, "--scene"))
            wish.scene = value;
        else if (!strcmp(name, "--csv"))
            wish.csv = value;
        else if (!strcmp(name, "--size"))
            wish.size = number(value);
        else if (!strcmp(name, "--steps"))
            wish.steps = number(value);
        else if (!strcmp(name, "--every"))
            wish.every = number(value);
        else if (!strcmp(name, "--rounds"))
            wish.rounds = number(value);
        else if (!strcmp(name, "--only"))
            wish.way = wayOf(value);
        else
            usageError("unknown argument:", name);
        i++;
    }
    if ((wish.size || wish.way >= 0) && !wish.scene)
        usageError("--scene is missing beside", wish.size ? "--size" : "--only");
    if (wish.every > 1 && wish.way >= 0)
        usageError("--only goes without", "--every");
    return wish;
}

static bool runCase(const Wish *wish, const BenchCase *what, FILE *csv)
{
    BenchResult result;
    if (wish->way >= 0) {
        dInitODE2(0);
        bool done = benchCount(what, wish->way);
        dCloseODE();
        return done;
    }
    if (!benchRun(what, wish->rounds, &result))
        return false;
    benchReport(what, wish->rounds, &result, csv);
    return true;
}

/* Runs the requested sizes; a size that is not listed takes as many steps as the next smaller
 * one. */
static bool runScene(const Wish *wish, const BenchScene *scene, FILE *csv)
{
    BenchCase one = {.scene = scene, .size = wish->size, .steps = scene->run[0].steps, .every = wish->every};
    bool done = true;
    for (int i = 0; i < BENCH_SIZES && scene->run[i].steps; i++) {
        BenchCase listed = one;
        listed.size = scene->run[i].size;
        listed.steps = scene->run[i].steps;
        if (listed.size <= one.size)
            one.steps = listed.steps;
        if (wish->steps)
            listed.steps = wish->steps;
        if (!wish->size && !(wish->quick && scene->run[i].steps < QUICK_STEPS))
            done = runCase(wish, &listed, csv) && done;
    }
    if (wish->steps)
        one.steps = wish->steps;
    return wish->size ? runCase(wish, &one, csv) : done;
}

int main(int argc, char **argv)
{
    Wish wish = readCommandLine(argc, argv);
    if (wish.way < 0 && benchUnfit()) {
        fprintf(stderr, "bench: nothing is measured on this build: %s\n", benchUnfit());
        return EXIT_FAILURE;
    }
    FILE *csv;
    if (!benchOpenTable(wish.csv, &csv))
        return EXIT_FAILURE;
    if (wish.way < 0)
        benchHead(wish.every, wish.rounds, csv);
    bool done = true, found = false;
    for (const BenchScene *scene = benchScenes; scene->name; scene++) {
        if (wish.scene && strcmp(wish.scene, scene->name))
            continue;
        found = true;
        done = runScene(&wish, scene, csv) && done;
    }
    if (!found)
        usageError("no such scene:", wish.scene);
    done = benchCloseTable("bench", wish.csv, csv) && done;
    return done ? EXIT_SUCCESS : EXIT_FAILURE;
}
