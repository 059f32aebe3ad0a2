/** @file kit.h  Shared by the demos: command line, a table on standard output, a CSV file, a plot by gnuplot.
 *
 *  Errors of the user end the program with a message: status 2 for a wrong command line, 1 for all others. */
#ifndef KIT_H
#define KIT_H

#include <kinetostat/status.h>

#include <stdio.h>

/** An option with a whole number; the last entry of a table has no name. */
typedef struct KitOption {
    const char *name;    /**< without the dashes */
    const char *meaning; /**< for --help */
    int *value;          /**< holds the default */
    int least, most;
} KitOption;

typedef struct Kit {
    const char *program;
    const char *csvPath, *plotPath; /**< NULL: not asked for */
    FILE *csv, *plot; /**< collected, without a name: an interrupted program leaves no half-written file */
} Kit;

/** Reads the command line: --help, --csv FILE, --plot FILE and the given options. Files that cannot be written are
 *  reported before the work is done. A plot's size is in pixels. */
void kitOpen(Kit *kit, int argc, char **argv, const char *purpose, const KitOption *options, int width, int height);

/** Writes the files, waits for gnuplot. @return the exit status of the program */
int kitClose(Kit *kit);

/** Ends the program unless the status is KS_OK. */
void kitCheck(const Kit *kit, ksStatus status, const char *call);

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
void kitHead(const KitColumn *column, int count);

/** A row; numbers that are NaN show as "-". */
void kitRow(const KitColumn *column, int count, const KitCell *cell);

/** A line of the CSV file, as printf; nothing if none was asked for. */
void kitCsv(Kit *kit, const char *format, ...) __attribute__((format(printf, 2, 3)));

/** Lines for gnuplot, as printf; nothing if no plot was asked for. */
void kitPlot(Kit *kit, const char *format, ...) __attribute__((format(printf, 2, 3)));

/** A panel of a multiplot with a sketch of the mechanism: gnuplot's arrows, objects and labels in the range x0, x1, y0, y1.
 *  Arrow styles: 1 bar, 2 ground, 3 guide line, 4 force; colours: engine, converged, physical, formula. */
void kitSketch(Kit *kit, const double range[4], const char *drawing);

/** The length of a vector. */
double kitNorm(const double v[3]);

/** |a - b| */
double kitDistance(const double a[3], const double b[3]);

#endif
