/* bench_figures.h  Figures of a case as columns of a table, and of a CSV file. */
#ifndef TESTS_BENCH_BENCH_FIGURES_H
#define TESTS_BENCH_BENCH_FIGURES_H

#include <stdio.h>

typedef struct BenchColumn {
    const char *head, *csv;
    double unit; /* of the table */
    int width;
    const char *format; /* takes a width and a number */
} BenchColumn;

/* Continues a row that names the case. A NaN is printed as "-". */
void benchPrintHeads(const BenchColumn *column, int count);
void benchPrintFigures(const BenchColumn *column, int count, const double *figure);

/* Continues a CSV line that names the case. */
void benchWriteHeads(const BenchColumn *column, int count, FILE *csv);
void benchWriteFigures(int count, const double *figure, int broke, FILE *csv);

#endif
