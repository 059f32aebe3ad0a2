/* bench_report.c  The table and the CSV file. */
#define _POSIX_C_SOURCE 200809L
#include "bench.h"

#include <unistd.h>

const char *const benchPhase[PHASES] = {"snapshot", "rows",  "gauss",    "paulus",
                                        "verdict",  "calls", "physical", "estimate"};
static const char *const benchClock[CLOCKS] = {"host", "processor"};

void benchProgress(const BenchCase *what, const char *text, int step, int steps)
{
    if (!isatty(STDERR_FILENO))
        return;
    if (*text)
        fprintf(stderr, "\r%s %d: %s %d of %d\033[K", what->scene->name, what->size, text, step + 1, steps);
    else
        fprintf(stderr, "\r\033[K");
}

void benchHead(int every, int rounds, FILE *csv)
{
    benchPrintBuild(stdout);
    printf(
        "\nEach way to step a world has a process of its own. plain: dWorldQuickStep with 20 iterations. The others\n"
        "are inspected: certificate (options.values = 0); converged; converged and physical; and the last by two\n"
        "workers, or later (KS_NEXT_STEP), or both. Between steps only the scene's collisions and motors run. If\n"
        "steps are inspected later, the host sleeps for 5 microseconds per joint after each. Times: the minimum\n"
        "of %d rounds for each step, then the median over the steps. host: time of the host's thread by the\n"
        "clock, with the longest step (worst). processor: time of all threads until the next step. added: time\n"
        "above the same step of the plain world, in microseconds per joint; ratio: added over plain. Phases: by\n"
        "the clock, of all threads, in microseconds per joint. Worst joint of all steps: distance of the routes,\n"
        "error bar, error of the engine, relative. Memory of the inspector, bytes per joint; allocations in the\n"
        "measured steps. others: processors used by other programs.\n\n",
        rounds);
    if (every > 1)
        printf("One step of %d is inspected. Times other than the worst are means over these steps; phases are of the "
               "inspected one.\n\n",
               every);
    printf("%-13s", "");
    for (int clock = 0; clock < CLOCKS; clock++)
        printf(" %9s %8s %8s %6s", benchClock[clock], "worst", "added", "ratio");
    for (int p = 0; p < PHASES; p++)
        printf(" %8s", benchPhase[p]);
    printf("  %8s %8s %8s %7s %6s\n", "routes", "bar", "engine", "bytes", "allocs");
    if (!csv)
        return;
    fprintf(csv, "# ");
    benchPrintBuild(csv);
    if (every > 1)
        fprintf(csv, "# one step of %d is inspected; times other than the worst are means over these steps\n", every);
    fprintf(csv, "scene,size,joints,rows,rank,islands,nnz,steps,rounds,others,way");
    for (int clock = 0; clock < CLOCKS; clock++) {
        const char *name = benchClock[clock];
        fprintf(csv,
                ",%s_low_s,%s_median_s,%s_high_s,%s_worst_s,%s_added_low_s,%s_added_median_s,%s_added_high_s,%s_ratio",
                name, name, name, name, name, name, name, name);
    }
    for (int p = 0; p < PHASES; p++)
        fprintf(csv, ",%s_s", benchPhase[p]);
    fprintf(csv, ",routes,error_bar,engine_error,unchecked,peak_bytes,allocations\n");
}

static double ratioOf(const BenchResult *result, int w, int clock)
{
    return result->way[w].added[clock].median / result->way[PLAIN].whole[clock].median;
}

static void printWay(const BenchResult *result, int w)
{
    const WayResult *way = &result->way[w];
    const WayRun *found = &way->found;
    const size_t joints = result->way[CONVERGED].found.joints;
    double perJoint = 1e6 / (double)(joints ? joints : 1);
    printf("  %-11s", benchWay[w]);
    for (int clock = 0; clock < CLOCKS; clock++) {
        printf(" %9.3f %8.3f", 1e3 * way->whole[clock].median, 1e3 * way->worst[clock]);
        if (w == PLAIN)
            printf(" %8s %6s", "", "");
        else
            printf(" %8.2f %6.2f", perJoint * way->added[clock].median, ratioOf(result, w, clock));
    }
    if (w == PLAIN) {
        printf("\n");
        return;
    }
    for (int p = 0; p < PHASES; p++)
        printf(" %8.2f", perJoint * way->phase[p]);
    if (w == CERTIFICATE)
        printf("  %8s %8s %8s", "-", "-", "-");
    else
        printf("  %8.0e %8.0e %8.0e", found->routes, found->bar, found->error);
    printf(" %7.0f %6ld", (double)found->peakBytes * 1e-6 * perJoint, found->allocations);
    if (w != CERTIFICATE && found->unchecked > 0)
        printf("  %.0f %% unchecked", 100 * found->unchecked);
    printf("\n");
}

static void writeWay(const BenchCase *what, const BenchResult *result, int rounds, int w, FILE *csv)
{
    const WayResult *way = &result->way[w];
    const WayRun *found = &way->found, *size = &result->way[CONVERGED].found;
    fprintf(csv, "%s,%d,%zu,%zu,%zu,%zu,%zu,%d,%d,%g,%s", what->scene->name, what->size, size->joints, size->rows,
            size->rank, size->islands, size->fill, what->steps, rounds, result->others, benchWay[w]);
    for (int clock = 0; clock < CLOCKS; clock++) {
        const Spread *whole = &way->whole[clock], *added = &way->added[clock];
        fprintf(csv, ",%g,%g,%g,%g,%g,%g,%g,%g", whole->low, whole->median, whole->high, way->worst[clock], added->low,
                added->median, added->high, ratioOf(result, w, clock));
    }
    for (int p = 0; p < PHASES; p++)
        fprintf(csv, ",%g", way->phase[p]);
    fprintf(csv, ",%g,%g,%g,%g,%zu,%ld\n", found->routes, found->bar, found->error, found->unchecked, found->peakBytes,
            found->allocations);
}

void benchReport(const BenchCase *what, int rounds, const BenchResult *result, FILE *csv)
{
    const WayRun *size = &result->way[CONVERGED].found;
    printf("%s %d: %zu joints, %zu rows, rank %zu, islands %zu, nnz(L) %zu; %d steps; others %.2f\n", what->scene->name,
           what->size, size->joints, size->rows, size->rank, size->islands, size->fill, what->steps, result->others);
    for (int w = 0; w < WAYS; w++)
        printWay(result, w);
    fflush(stdout);
    for (int w = 0; csv && w < WAYS; w++)
        writeWay(what, result, rounds, w, csv);
    if (csv)
        fflush(csv);
}
