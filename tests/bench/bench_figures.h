/* bench_figures.h  Figures of a case as columns of a table, and of a CSV file. */
#ifndef TESTS_BENCH_BENCH_FIGURES_H
#define TESTS_BENCH_BENCH_FIGURES_H

#include <stdio.h>

typedef struct BenchColumn {
    const char *head, *csv;
    double unit; /* of the table */
    int width;
    const char *format; /* of a width and a number */
} BenchColumn;

/* Behind what tells the case. A figure that is NaN shows as "-". */
void benchPrintHeads(const BenchColumn *column, int count);
void benchPrintFigures(const BenchColumn *column, int count, const double *figure);

/* With those of the case before them: the rest of the line. */
void benchWriteHeads(const BenchColumn *column, int count, FILE *csv);
void benchWriteFigures(int count, const double *figure, int broke, FILE *csv);

#endif
