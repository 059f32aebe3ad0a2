/* exact.c  ksInspectorExactStep beside the engine's steppers: the cost of a step on mechanisms
 * without contacts, and work against error on machines on the ground. All ways of stepping take
 * turns in one run, each in a world of its own. */
#include "exact.h"
#include "bench_build.h"
#include "bench_command.h"

#include <stdlib.h>
#include <string.h>

enum { EXIT_USAGE = 2 };

static void help(void)
{
    printf(
        "usage: exact [options]\n\n"
        "ksInspectorExactStep beside dWorldQuickStep and dWorldStep: cost, and work against error.\n\n"
        "  --time          only the cost of a step, without contacts\n"
        "  --work          only work against error, on the ground\n"
        "  --stable STEPS  instead: so many steps of each machine, with steps of 1 to 20 ms and mass ratios of 1 to\n"
        "                  10000: does any fly apart?\n"
        "  --scene NAME    only work against error, of this machine\n"
        "  --help          shows this\n\nmachines:");
    for (const SceneKind *kind = sceneKind; kind->name; kind++)
        if (kind->touches)
            printf(" %s", kind->name);
    printf("\n");
}

static bool isScene(const char *name)
{
    for (const SceneKind *kind = sceneKind; kind->name; kind++)
        if (kind->touches && !strcmp(kind->name, name))
            return true;
    return false;
}

int main(int argc, char **argv)
{
    bool time = true, work = true;
    long stable = 0;
    const char *scene = NULL;
    for (int i = 1; i < argc; i++) {
        if (!strcmp(argv[i], "--help")) {
            help();
            return fflush(stdout) ? EXIT_FAILURE : EXIT_SUCCESS;
        }
        if (!strcmp(argv[i], "--time")) {
            work = false;
        } else if (!strcmp(argv[i], "--work")) {
            time = false;
        } else if (!strcmp(argv[i], "--scene") && i + 1 < argc && isScene(argv[i + 1])) {
            scene = argv[++i];
            time = false;
        } else if (!strcmp(argv[i], "--stable") && i + 1 < argc && (stable = atol(argv[++i])) > 0) {
            time = work = false;
        } else {
            fprintf(stderr, "exact: unknown argument, or without a value: '%s'; try --help\n", argv[i]);
            return EXIT_USAGE;
        }
    }
    if (benchUnfit()) {
        fprintf(stderr, "exact: nothing is measured on this build: %s\n", benchUnfit());
        return EXIT_FAILURE;
    }
    dInitODE2(0);
    benchHushEngine();
    benchPrintBuild(stdout);
    bool done = true;
    if (time)
        done = exactTimes();
    if (work)
        done = exactWork(scene) && done;
    if (stable)
        done = exactStability(scene, stable) && done;
    dCloseODE();
    return done ? EXIT_SUCCESS : EXIT_FAILURE;
}
