/* bench_figures.c  Figures of a case as columns of a table, and of a CSV file. */
#include "bench_figures.h"

#include <math.h>

void benchPrintHeads(const BenchColumn *column, int count)
{
    for (int f = 0; f < count; f++)
        printf(" %*s", column[f].width, column[f].head);
}

void benchPrintFigures(const BenchColumn *column, int count, const double *figure)
{
    for (int f = 0; f < count; f++) {
        const double value = figure[f] / column[f].unit;
        printf(" ");
        if (isnan(value))
            printf("%*s", column[f].width, "-");
        else
            printf(column[f].format, column[f].width, value);
    }
}

void benchWriteHeads(const BenchColumn *column, int count, FILE *csv)
{
    for (int f = 0; f < count; f++)
        fprintf(csv, ",%s", column[f].csv);
    fprintf(csv, ",broke\n");
}

void benchWriteFigures(int count, const double *figure, int broke, FILE *csv)
{
    for (int f = 0; f < count; f++)
        fprintf(csv, ",%g", figure[f]);
    fprintf(csv, ",%d\n", broke);
    fflush(csv);
}
