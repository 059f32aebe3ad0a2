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

/** Options that most demos have. A demo refuses the others by name. --csv, --quiet and --help are
 *  everybody's. */
enum {
    KIT_STEPPER = 1,     /**< --stepper world|quick */
    KIT_ITERATIONS = 2,  /**< --iterations N */
    KIT_STEP = 4,        /**< --step H */
    KIT_TIME = 8,        /**< --time T */
    KIT_SEED = 16,       /**< --seed N */
    KIT_PLOT = 32,       /**< --plot FILE */
    KIT_REPORTS = 64,    /**< --trace, --report, --json, --html FILE, --view: with libkinetostat-report */
    KIT_EVERYTHING = 127 /**< all of these */
};

/** A demo as its command line shows it. */
typedef struct KitDemo {
    const char *purpose; /**< for --help */
    unsigned takes;      /**< KIT_... */
    /* defaults of the options that it takes */
    ksStepper stepper;
    int iterations;    /**< of dWorldQuickStep */
    double step, time; /**< s */
    int seed;
    int fewest;                /**< steps that it needs; 0: 1 */
    double longest;            /**< s, of --time: what its scene allows; 0: no limit */
    int plotWidth, plotHeight; /**< pixels */
    const KitOption *options;  /**< its own; NULL: none */
} KitDemo;

/** How a world is stepped. */
typedef struct KitWay {
    ksStepper stepper;
    int iterations; /**< of dWorldQuickStep */
    double step;    /**< s */
    int steps;
} KitWay;

enum { KIT_DOCUMENTS = 3 }; /* forms of the report that have an option */

typedef struct Kit {
    const char *program;
    /* what the command line says */
    KitWay way;  /**< whole steps that make up the time: step = time / steps */
    double time; /**< s */
    int seed, isQuiet;
    KitWay usual;                                                             /**< the defaults */
    const char *csvPath, *plotPath, *tracePath, *documentPath[KIT_DOCUMENTS]; /**< NULL: not asked for */
    /* what is being made */
    FILE *csv, *plot; /**< collected, without a name: an interrupted program leaves no half-written file */
    struct ksTrace *trace;
    struct ksReport *report;
    int isViewed;
    struct ksView *view; /**< NULL: not asked for */
    double shown;        /**< s, when progress was last shown; 0: it is not on the terminal now */
} Kit;

/** Reads the command line. Files that cannot be written are reported before the work is done. */
void kitOpen(Kit *kit, int argc, char **argv, const KitDemo *demo);

/** Writes the files, waits for gnuplot. @return the exit status of the program */
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

/** A scene that is stepped under inspection. */
typedef struct KitRun {
    Kit *kit;
    Scene *scene;
    char name[96];
    ksInspector *inspector;
    KitWay way;
    int done; /**< steps */
    /** N: what the last step took, on all bodies: (p' - p) / h - m g. Of bodies that only the
     *  ground holds, its force */
    double needed[3];
    double begin; /**< s, by kitNow */
} KitRun;

/** Inspects a scene; the seed is that of the command line. Its steps go into trace and report, as
 *  the world "<name>, dWorldStep, 10 ms".
 *  @param scene  NULL ends the program: there was no memory. kitEnd frees it */
KitRun kitBegin(Kit *kit, Scene *scene, const char *name, KitWay way);

/** The same with options of the inspector. @param options  NULL: the defaults */
KitRun kitBeginWith(Kit *kit, Scene *scene, const char *name, KitWay way, const ksInspectorOptions *options);

/** One step, with what the scene does before and after it; shows progress. @return 0: all steps
 *  were done already */
int kitStep(KitRun *run);

/** Adds `factor` times the momentum of all bodies, kg m/s, and `weight` times their weight, N. */
void kitAddMomentum(const Scene *scene, double factor, double weight, double sum[3]);

/** A step of any inspector; ends the program if it fails. */
void kitInspectorStep(const Kit *kit, ksInspector *inspector, KitWay way);

/** As many times more steps, as many times smaller. */
KitWay kitFiner(KitWay way, int times);

/** Frees inspector and scene. */
void kitEnd(KitRun *run);

/** Trace and report of an inspector of the demo's own, as far as they are asked for. */
void kitWatch(Kit *kit, ksInspector *inspector, const char *name);

/** How far a run has come, on a terminal and not before a second has passed. @param begin  when it
 *  began, by kitNow */
void kitProgress(Kit *kit, const char *name, double begin, int done, int steps);

/** Takes progress off the terminal; kitHead, kitRow and kitEnd do so, too. */
void kitProgressOff(Kit *kit);

/** s, of a clock that nobody sets. */
double kitNow(void);

/** 1: what a demo explains of its numbers holds; 0: another stepper was chosen, or another number
 *  of iterations. */
int kitIsUsual(const Kit *kit);

/** "dWorldStep" or "dWorldQuickStep(20)"; static storage, until the next call. */
const char *kitStepperName(KitWay way);

/* Trace, report and view, if the demos are built with libkinetostat-report. For kit.c and
 * kit_run.c. */

/** An option that names a form of the report: "report", "json", "html"; its meaning for --help. */
const char *kitDocument(int which, const char **meaning);

int kitHasReports(void);
void kitOpenReports(Kit *kit);
void kitCloseReports(Kit *kit);

/** Before a step of a world that has come to this time, s: waits for those who look on. */
void kitViewStep(const Kit *kit, double time);

/* Tables. */

/** A column of a table: the title decides its width if that is wider. */
typedef struct KitColumn {
    const char *title;
    int width;
    const char *format; /**< of one double, such as "%.3f"; NULL: the column holds text */
} KitColumn;

typedef union KitCell {
    double number;
    const char *text;
} KitCell;

/** Titles, and a line below. */
void kitHead(Kit *kit, const KitColumn *column, int count);

/** A row; numbers that are NaN show as "-". */
void kitRow(Kit *kit, const KitColumn *column, int count, const KitCell *cell);

/** A line of the CSV file, as printf; nothing if none was asked for. */
void kitCsv(Kit *kit, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Plots. */

/** Lines for gnuplot, as printf; nothing if no plot was asked for. */
void kitPlot(Kit *kit, const char *format, ...) __attribute__((format(printf, 2, 3)));

/** A panel of a multiplot with a sketch of the mechanism: gnuplot's arrows, objects and labels in
 *  the range x0, x1, y0, y1. Arrow styles: 1 bar, 2 ground, 3 guide line, 4 force; colours: engine,
 *  converged, physical, formula. */
void kitSketch(Kit *kit, const double range[4], const char *drawing);

/** Collects the files of --csv and --plot, and writes them. For kit.c. */
void kitOpenOutput(Kit *kit, int width, int height);
void kitCloseOutput(Kit *kit);

/** Ends the program if a file cannot be written, be it new or to be replaced. */
void kitCheckWritable(const Kit *kit, const char *path);

/** The length of a vector. */
double kitNorm(const double v[3]);

/** |a - b| */
double kitDistance(const double a[3], const double b[3]);

#endif
