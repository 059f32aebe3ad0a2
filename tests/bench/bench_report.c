/* bench_report.c  The table and the CSV file. */
#define _POSIX_C_SOURCE 200809L
#include "bench.h"

#include <unistd.h>

const char *const benchPhase[PHASES] = {"snapshot", "rows",  "gauss",    "paulus",
                                        "verdict",  "calls", "physical", "estimate"};

void benchProgress(const BenchCase *what, const char *text, int step, int steps)
{
    if (!isatty(STDERR_FILENO))
        return;
    if (*text)
        fprintf(stderr, "\r%s %d: %s %d of %d\033[K", what->scene->name, what->size, text, step + 1, steps);
    else
        fprintf(stderr, "\r\033[K");
}

void benchHead(int every, FILE *csv)
{
    benchPrintBuild(stdout);
    printf(
        "\n"
        "Processor time of a step: plain is dWorldQuickStep with 20 iterations; the others are inspected: certificate\n"
        "(options.values = 0), converged, and converged and physical. Median and quartiles over the steps; added: "
        "over\n"
        "the plain step of the same round, in microseconds per joint; ratio: added over plain. Phases by the clock, "
        "in\n"
        "microseconds per joint. Worst joint of all steps: distance of the routes, error bar, error of the engine,\n"
        "relative. Memory of the inspector, bytes per joint; allocations in the measured steps.\n\n");
    if (every > 1)
        printf("One step of %d is inspected. Times are means over as many; phases are of the inspected one.\n\n",
               every);
    printf("%-13s %9s %19s %8s %6s ", "", "ms", "quartiles", "added", "ratio");
    for (int p = 0; p < PHASES; p++)
        printf(" %8s", benchPhase[p]);
    printf("  %8s %8s %8s %7s %6s\n", "routes", "bar", "engine", "bytes", "allocs");
    if (!csv)
        return;
    fprintf(csv, "# ");
    benchPrintBuild(csv);
    if (every > 1)
        fprintf(csv, "# one step of %d is inspected; step and added are means over as many\n", every);
    fprintf(csv, "scene,size,joints,rows,rank,islands,nnz,steps,way,step_low_s,step_median_s,step_high_s,"
                 "added_low_s,added_median_s,added_high_s,ratio");
    for (int p = 0; p < PHASES; p++)
        fprintf(csv, ",%s_s", benchPhase[p]);
    fprintf(csv, ",routes,error_bar,engine_error,unchecked,peak_bytes,allocations\n");
}

static void printWay(const BenchResult *result, int w)
{
    const WayResult *way = &result->way[w];
    double perJoint = 1e6 / (double)(result->joints ? result->joints : 1);
    printf("  %-11s %9.3f %9.3f %9.3f ", benchWay[w], 1e3 * way->whole.median, 1e3 * way->whole.low,
           1e3 * way->whole.high);
    if (w == PLAIN) {
        printf("\n");
        return;
    }
    printf("%8.2f %6.2f ", perJoint * way->added.median, way->added.median / result->way[PLAIN].whole.median);
    for (int p = 0; p < PHASES; p++)
        printf(" %8.2f", perJoint * way->phase[p]);
    if (w == CERTIFICATE)
        printf("  %8s %8s %8s", "-", "-", "-");
    else
        printf("  %8.0e %8.0e %8.0e", way->routes, way->bar, way->error);
    printf(" %7.0f %6ld", (double)way->peakBytes * 1e-6 * perJoint, way->allocations);
    if (w != CERTIFICATE && way->unchecked > 0)
        printf("  %.0f %% unchecked", 100 * way->unchecked);
    printf("\n");
}

void benchReport(const BenchCase *what, const BenchResult *result, FILE *csv)
{
    printf("%s %d: %zu joints, %zu rows, rank %zu, islands %zu, nnz(L) %zu; %d steps\n", what->scene->name, what->size,
           result->joints, result->rows, result->rank, result->islands, result->fill, what->steps);
    for (int w = 0; w < WAYS; w++)
        printWay(result, w);
    fflush(stdout);
    for (int w = 0; csv && w < WAYS; w++) {
        const WayResult *way = &result->way[w];
        fprintf(csv, "%s,%d,%zu,%zu,%zu,%zu,%zu,%d,%s,%g,%g,%g,%g,%g,%g,%g", what->scene->name, what->size,
                result->joints, result->rows, result->rank, result->islands, result->fill, what->steps, benchWay[w],
                way->whole.low, way->whole.median, way->whole.high, way->added.low, way->added.median, way->added.high,
                way->added.median / result->way[PLAIN].whole.median);
        for (int p = 0; p < PHASES; p++)
            fprintf(csv, ",%g", way->phase[p]);
        fprintf(csv, ",%g,%g,%g,%g,%zu,%ld\n", way->routes, way->bar, way->error, way->unchecked, way->peakBytes,
                way->allocations);
    }
    if (csv)
        fflush(csv);
}
