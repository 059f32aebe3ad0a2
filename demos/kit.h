/** @file kit.h  Shared by the demos: the command line, inspected worlds with their trace and
 *  report, tables, a CSV file, a plot.
 *
 *      Kit kit;
 *      kitOpen(&kit, argc, argv, &demo);       options and files: kit.c
 *      KitRun run = kitBegin(&kit, sceneChain(10, SCENE_FALLING), "chain", kit.way);
 *      while (kitStep(&run))                   worlds: kit_run.c
 *          ... ksInspectorGetReaction(run.inspector, run.scene->joint[0]) ...
 *      kitEnd(&run);
 *      kitRow(column, count, cell);            tables and plots: kit_output.c
 *      return kitClose(&kit);
 *
 *  Errors of the user end the program with a message: status 2 for a wrong command line, 1 for all
 *  others. */
#ifndef DEMOS_KIT_H
#define DEMOS_KIT_H

#include "scenes/scenes.h"
#include "scenes/vectors.h"

#include <kinetostat/kinetostat.h>

#include <stdio.h>

/** An option of one demo, with a whole number; the last entry of a table has no name. */
typedef struct KitOption {
    const char *name;    /**< without the dashes */
    const char *meaning; /**< for --help */
    int *value;          /**< holds the default */
    int least, most;
} KitOption;

/** Bits of the options that a demo has; it refuses the others by name. Every demo has --csv,
 *  --quiet and --help. */
enum {
    KIT_STEPPER = 1,     /**< --stepper world|quick */
    KIT_ITERATIONS = 2,  /**< --iterations N */
    KIT_STEP = 4,        /**< --step H */
    KIT_TIME = 8,        /**< --time T */
    KIT_SEED = 16,       /**< --seed N */
    KIT_PLOT = 32,       /**< --plot FILE */
    KIT_REPORTS = 64,    /**< --trace, --report, --json, --html FILE, --view: with
                              libkinetostat-report */
    KIT_EVERYTHING = 127 /**< all of these */
};

/** A demo's command line. */
typedef struct KitDemo {
    const char *purpose; /**< for --help */
    unsigned takes;      /**< KIT_... */
    /* defaults of its options */
    ksStepper stepper;
    int iterations;            /**< of dWorldQuickStep; 0: 20 */
    double step, time;         /**< s */
    int fewest;                /**< the least number of steps; 0: 1 */
    double longest;            /**< s, the limit of --time; 0: none */
    int plotWidth, plotHeight; /**< pixels; height 0: 450 */
    const KitOption *options;  /**< its own; NULL: none */
} KitDemo;

/** The stepper of a world, with its step size. */
typedef struct KitWay {
    ksStepper stepper;
    int iterations; /**< of dWorldQuickStep */
    double step;    /**< s */
    int steps;
} KitWay;

enum { KIT_DOCUMENTS = 3 }; /* forms of the report that have an option */

typedef struct Kit {
    const char *program;
    /* from the command line */
    KitWay way;  /**< its steps fill the time exactly: step = time / steps */
    double time; /**< s */
    int seed, isQuiet;
    KitWay usual; /**< the defaults */
    /** NULL: not requested */
    const char *csvPath, *plotPath, *tracePath, *documentPath[KIT_DOCUMENTS];
    /* the output */
    FILE *csv, *plot; /**< unnamed temporary files: an interrupted program leaves no incomplete
                           file */
    struct ksTrace *trace;
    struct ksReport *report;
    int isViewed;
    struct ksView *view; /**< NULL: not requested */
    double shown;        /**< s, when progress was last shown; 0: the terminal shows none */
} Kit;

/** Reads the command line, and initialises the engine. Files that cannot be written are reported
 *  before the work is done. */
void kitOpen(Kit *kit, int argc, char **argv, const KitDemo *demo);

/** Closes the engine, writes the files and waits for gnuplot. @return the exit status of the program */
int kitClose(Kit *kit);

/** Ends the program unless the status is KS_OK. */
void kitCheck(const Kit *kit, ksStatus status, const char *call);

/** Ends the program with a message. */
void kitFail(const Kit *kit, const char *what, const char *why) __attribute__((noreturn));

/** The program of a story. Tests compile the same file without it. */
#ifdef KIT_NO_MAIN
#define KIT_MAIN(function)
#else
#define KIT_MAIN(function)                                                                                             \
    int main(int argc, char **argv)                                                                                    \
    {                                                                                                                  \
        return function(argc, argv);                                                                                   \
    }
#endif

/* Worlds. */

/** An inspected scene. */
typedef struct KitRun {
    Kit *kit;
    Scene *scene;
    char name[96];
    ksInspector *inspector;
    KitWay way;
    int done; /**< steps */
    /** N: (p' - p) / h - m g of the last step, summed over all bodies: the force of the ground if
     *  nothing else holds them */
    double needed[3];
    double begin; /**< s, by kitNow */
} KitRun;

/** Inspects a scene, with the seed of the command line. Trace and report contain its steps as the
 *  world "<name>, dWorldStep, 10 ms".
 *  @param scene  NULL (out of memory) ends the program. kitEnd frees it */
KitRun kitBegin(Kit *kit, Scene *scene, const char *name, KitWay way);

/** The same with options of the inspector. @param options  NULL: the defaults */
KitRun kitBeginWith(Kit *kit, Scene *scene, const char *name, KitWay way, const ksInspectorOptions *options);

/** Makes one step by sceneStep and shows progress. @return 0: all steps had been made */
int kitStep(KitRun *run);

/** Adds `factor` times the momentum of all bodies, kg m/s, and `weight` times their weight, N. */
void kitAddMomentum(const Scene *scene, double factor, double weight, double sum[3]);

/** Makes a step of any inspector; ends the program if it fails. */
void kitInspectorStep(const Kit *kit, ksInspector *inspector, KitWay way);

/** The same time in `times` as many steps. */
KitWay kitFiner(KitWay way, int times);

/** Frees inspector and scene. */
void kitEnd(KitRun *run);

/** Adds the demo's own inspector to the requested trace and report. */
void kitWatch(Kit *kit, ksInspector *inspector, const char *name);

/** Shows the progress of a run on a terminal, after its first second. @param begin the start of the
 *  run, by kitNow */
void kitProgress(Kit *kit, const char *name, double begin, int done, int steps);

/** Removes progress from the terminal, as kitHead, kitRow and kitEnd do. */
void kitProgressOff(Kit *kit);

/** s, by the monotonic clock. */
double kitNow(void);

/** 1: the explanations of the demo apply; 0: the user chose another stepper or number of
 *  iterations. */
int kitIsUsual(const Kit *kit);

/** "dWorldStep" or "dWorldQuickStep(20)"; static storage, until the next call. */
const char *kitStepperName(KitWay way);

/* Trace, report and view, if the demos are built with libkinetostat-report. For kit.c and
 * kit_run.c. */

/** The name of an option for a form of the report: "report", "json", "html"; and its meaning for
 *  --help. */
const char *kitDocument(int which, const char **meaning);

int kitHasReports(void);
void kitOpenReports(Kit *kit);
void kitCloseReports(Kit *kit);

/** Call this before the step at this time, s: waits while viewers have paused the program. */
void kitViewStep(const Kit *kit, double time);

/* Tables. */

/** A column of a table. It is at least as wide as its title. */
typedef struct KitColumn {
    const char *title;
    int width;
    const char *format; /**< of one double, such as "%.3f"; NULL: the column holds text */
} KitColumn;

typedef union KitCell {
    double number;
    const char *text;
} KitCell;

/** Prints titles, and a line below. */
void kitHead(Kit *kit, const KitColumn *column, int count);

/** Prints a row, with "-" for NaN. */
void kitRow(Kit *kit, const KitColumn *column, int count, const KitCell *cell);

/** Writes a line of the CSV file like printf, if the file was requested. */
void kitCsv(Kit *kit, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Plots. */

/** Writes lines for gnuplot like printf, if a plot was requested. */
void kitPlot(Kit *kit, const char *format, ...) __attribute__((format(printf, 2, 3)));

/** A panel of a multiplot with a sketch of the mechanism: gnuplot's arrows, objects and labels in
 *  the range x0, x1, y0, y1. Arrow styles: 1 bar, 2 ground, 3 guide line, 4 force; colours: engine,
 *  converged, physical, formula. */
void kitSketch(Kit *kit, const double range[4], const char *drawing);

/** Opens and writes the files of --csv and --plot. For kit.c. */
void kitOpenOutput(Kit *kit, int width, int height);
void kitCloseOutput(Kit *kit);

/** Ends the program if a new or existing file cannot be written. */
void kitCheckWritable(const Kit *kit, const char *path);

/** The length of a vector. */
double kitNorm(const double v[3]);

/** |a - b| */
double kitDistance(const double a[3], const double b[3]);

#endif
