/* ground_report.c  The table of machines on the ground, and its CSV file. */
#define _POSIX_C_SOURCE 200809L
#include "bench_build.h"
#include "ground.h"

#include <math.h>
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

void groundHead(FILE *csv)
{
    benchPrintBuild(stdout);
    printf(
        "\n"
        "Of joints times steps: how many have a verdict, and a physical wrench; how many contacts have a verdict. Of\n"
        "what the scene can load in a step (its weight, its contacts' reported forces and the largest reported force\n"
        "of a joint): the largest physical force of a joint, the median and the largest change of one from step to\n"
        "step. Median of the engine's error against physical. The plain step, mean; what inspection adds to it, as a\n"
        "multiple; the longest inspected step over the median one. * it flew apart.\n\n");
    printf("%-14s %-8s %8s %5s %5s %5s %5s %8s %8s %8s %8s %8s %7s %7s\n", "scene", "surface", "stepper", "ms", "judge",
           "phys", "cont", "largest", "change", "most", "error", "plain/us", "added", "worst");
    if (!csv)
        return;
    fprintf(csv, "# ");
    benchPrintBuild(csv);
    fprintf(csv, "scene,surface,stepper,iterations,step_size_s,steps,judged,physical,contacts_judged,largest,"
                 "change_median,change_largest,physical_error,plain_s,added,worst,broke\n");
}

/* A share in per cent. */
static void printShare(double value)
{
    if (isnan(value))
        printf(" %5s", "-");
    else
        printf(" %5.1f", 100 * value);
}

static void printNumber(double value)
{
    if (isnan(value))
        printf(" %8s", "-");
    else
        printf(" %8.1e", value);
}

void groundReport(const GroundCase *what, const GroundResult *result, FILE *csv)
{
    const char *surface = what->kind->touches ? what->surface->name : "-";
    const bool quick = what->stepper == KS_QUICK_STEP;
    char stepper[16] = "direct";
    if (quick)
        snprintf(stepper, sizeof stepper, "%d", what->iterations);
    printf("%-14s %-8s %8s %5g", what->kind->name, surface, stepper, 1e3 * what->stepSize);
    printShare(result->judged);
    printShare(result->physical);
    printShare(result->contactsJudged);
    printNumber(result->largest);
    printNumber(result->changeMedian);
    printNumber(result->changeLargest);
    printNumber(result->physicalError);
    printf(" %8.1f %7.2f %7.1f%s\n", 1e6 * result->plain, result->added, result->worst, result->broke ? " *" : "");
    fflush(stdout);
    if (!csv)
        return;
    fprintf(csv, "%s,%s,%s,%d,%g,%ld,%g,%g,%g,%g,%g,%g,%g,%g,%g,%g,%d\n", what->kind->name, surface,
            quick ? "dWorldQuickStep" : "dWorldStep", quick ? what->iterations : 0, what->stepSize, result->steps,
            result->judged, result->physical, result->contactsJudged, result->largest, result->changeMedian,
            result->changeLargest, result->physicalError, result->plain, result->added, result->worst, result->broke);
    fflush(csv);
}
