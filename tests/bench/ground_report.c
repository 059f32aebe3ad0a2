/* ground_report.c  The table of machines on the ground, and its CSV file. */
#define _POSIX_C_SOURCE 200809L
#include "bench_build.h"
#include "bench_figures.h"
#include "ground.h"

#include <math.h>
#include <stdio.h>
#include <unistd.h>

void groundProgress(const GroundCase *what, int number, int count)
{
    if (!isatty(STDERR_FILENO))
        return;
    if (what)
        fprintf(stderr, "\r%d of %d: %s, %s\033[K", number, count, what->kind->name, what->surface->name);
    else
        fprintf(stderr, "\r\033[K");
}

static const BenchColumn column[FIGURES] = {
    [JUDGED] = {"judged", "judged", 1e-2, 6, "%*.1f"},
    [PHYSICAL] = {"phys", "physical", 1e-2, 5, "%*.1f"},
    [CONTACTS_JUDGED] = {"cont", "contacts_judged", 1e-2, 5, "%*.1f"},
    [LARGEST] = {"largest", "largest", 1, 8, "%*.1e"},
    [CHANGE_MEDIAN] = {"change", "change_median", 1, 8, "%*.1e"},
    [CHANGE_LARGEST] = {"most", "change_largest", 1, 8, "%*.1e"},
    [PHYSICAL_ERROR] = {"error", "physical_error", 1, 8, "%*.1e"},
    [PLAIN_TIME] = {"us", "plain_s", 1e-6, 8, "%*.1f"},
    [ADDED_TIME] = {"added", "added", 1, 7, "%*.2f"},
    [WORST_TIME] = {"worst", "worst", 1, 7, "%*.1f"},
};

/* Figures that are means over all scenes; the others are largest values. */
static const bool isMean[FIGURES] = {
    [JUDGED] = true, [PHYSICAL] = true, [CONTACTS_JUDGED] = true, [PLAIN_TIME] = true, [ADDED_TIME] = true};

void groundHead(FILE *csv)
{
    benchPrintBuild(stdout);
    printf(
        "\nPer cent of joint-steps with a verdict, and with a physical wrench; of contacts with a verdict. Over the\n"
        "largest possible load of the scene in a step (its weight, the reported forces of its contacts and the\n"
        "largest reported force of a joint): the largest physical force of a joint, and the median and the\n"
        "largest change of such a force from step to step. Median of the engine's error against physical. The\n"
        "plain step in microseconds, mean; the added cost of inspection, as a multiple; the longest inspected\n"
        "step over the median one. *: it flew apart. all: means of shares and times, the largest of the others.\n\n");
    printf("%-14s %-8s %8s %5s", "scene", "surface", "stepper", "ms");
    benchPrintHeads(column, FIGURES);
    printf("\n");
    if (!csv)
        return;
    fprintf(csv, "# ");
    benchPrintBuild(csv);
    fprintf(csv, "scene,surface,stepper,iterations,step_size_s");
    benchWriteHeads(column, FIGURES, csv);
}

static bool isQuick(const GroundCase *what)
{
    return what->stepper == KS_QUICK_STEP;
}

static void printLine(const GroundCase *what, const char *surface, const char *stepSize, const double figure[FIGURES])
{
    char stepper[16] = "direct";
    if (isQuick(what))
        snprintf(stepper, sizeof stepper, "%d", what->iterations);
    printf("%-14s %-8s %8s %5s", what->kind->name, surface, stepper, stepSize);
    benchPrintFigures(column, FIGURES, figure);
}

void groundReport(const GroundCase *what, const GroundResult *result, FILE *csv)
{
    const char *surface = what->kind->touches ? what->surface->name : "-";
    char stepSize[16];
    snprintf(stepSize, sizeof stepSize, "%g", 1e3 * what->stepSize);
    printLine(what, surface, stepSize, result->figure);
    printf("%s\n", result->broke ? " *" : "");
    fflush(stdout);
    if (!csv)
        return;
    fprintf(csv, "%s,%s,%s,%d,%g", what->kind->name, surface, isQuick(what) ? "dWorldQuickStep" : "dWorldStep",
            isQuick(what) ? what->iterations : 0, what->stepSize);
    benchWriteFigures(FIGURES, result->figure, result->broke, csv);
}

void groundGather(GroundSummary *summary, const GroundResult *result)
{
    for (int f = 0; f < FIGURES; f++) {
        double value = result->figure[f];
        if (isnan(value))
            continue;
        summary->largest[f] = summary->count[f] ? fmax(summary->largest[f], value) : value;
        summary->sum[f] += value;
        summary->count[f]++;
    }
}

void groundReportAll(const GroundCase *what, const GroundSummary *summary)
{
    double figure[FIGURES];
    for (int f = 0; f < FIGURES; f++) {
        double value = isMean[f] ? summary->sum[f] / summary->count[f] : summary->largest[f];
        figure[f] = summary->count[f] ? value : NAN;
    }
    printLine(what, "all", "all", figure);
    printf("\n\n");
}
