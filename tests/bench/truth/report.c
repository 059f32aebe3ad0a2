/* report.c  The table of truth, and its CSV file. */
#include "../bench_build.h"
#include "../bench_figures.h"
#include "truth.h"

#include <math.h>
#include <stddef.h>

const char *const truthStepper[TRUTH_STEPPERS] = {"quick", "world", "exact"};

static const BenchColumn column[FIGURES] = {
    [PUBLISHED] = {"publ%", "published", 1e-2, 5, "%*.1f"},
    [USELESS] = {"long%", "bar_above_load", 1e-2, 5, "%*.1f"},
    [BIAS_MEDIAN] = {"bias", "bias_median", 1, 7, "%*.1e"},
    [BIAS_HIGH] = {"95%", "bias_95", 1, 7, "%*.1e"},
    [WRENCH_MEDIAN] = {"wrench", "wrench_bias_median", 1, 7, "%*.1e"},
    [WRENCH_HIGH] = {"95%", "wrench_bias_95", 1, 7, "%*.1e"},
    [ENDS] = {"ends", "ends", 1, 7, "%*.1e"},
    [COVERED] = {"cover%", "covered", 1e-2, 6, "%*.1f"},
    [BAR_MEDIAN] = {"bar", "bar_median", 1, 7, "%*.1e"},
    [BAR_RATIO] = {"/bias", "bar_over_bias", 1, 7, "%*.1e"},
    [SUPPORTS] = {"supp.N", "supports_N", 1, 9, "%*.4g"},
    [SUPPORTS_TRUE] = {"true N", "supports_true_N", 1, 9, "%*.4g"},
    [SUPPORTS_BIAS] = {"worst", "supports_bias", 1, 7, "%*.1e"},
    [SUPPORTS_OPEN] = {"open%", "supports_open", 1e-2, 5, "%*.1f"},
    [FLICKER] = {"flick%", "flicker", 1e-2, 6, "%*.2f"},
    [FREE_RIGHT] = {"free%", "free_right", 1e-2, 5, "%*.1f"},
    [FALSELY_UNIQUE] = {"uniq%", "falsely_unique", 1e-2, 5, "%*.1f"},
    [FORM_WORST] = {"form", "form_worst", 1, 7, "%*.1e"},
    [FORM_RMS] = {"rms", "form_rms", 1, 7, "%*.1e"},
    [FORM_COVERED] = {"cover%", "form_covered", 1e-2, 6, "%*.1f"},
    [FORM_BAR] = {"bar", "form_bar", 1, 7, "%*.1e"},
};

static const BenchColumn meansColumn[MEANS_FIGURES] = {
    [MEANS_DEPARTURE] = {"depart", "departure_median", 1, 7, "%*.1e"},
    [MEANS_DEPARTURE_HIGH] = {"95%", "departure_95", 1, 7, "%*.1e"},
    [MEANS_UNKNOWN] = {"unkn%", "departure_unknown", 1e-2, 6, "%*.2f"},
    [MEANS_OUTSIDE] = {"out%", "outside", 1e-2, 6, "%*.2f"},
    [MEANS_UNDECIDED_PHYSICAL] = {"phys.?%", "undecided_physical", 1e-2, 7, "%*.2f"},
    [MEANS_UNDECIDED] = {"mean?%", "undecided_mean", 1e-2, 7, "%*.2f"},
    [MEANS_FIRST_RMS] = {"first", "first_rms", 1, 7, "%*.1e"},
    [MEANS_FIRST_WORST] = {"worst", "first_worst", 1, 7, "%*.1e"},
    [MEANS_FIRST_DEPARTURE] = {"depart", "first_departure", 1, 7, "%*.1e"},
    [MEANS_MOMENTUM] = {"moment.", "momentum_worst", 1, 7, "%*.1e"},
    [MEANS_MOMENTUM_OUTSIDE] = {"out%", "momentum_outside", 1e-2, 6, "%*.4f"},
    [MEANS_MOMENTUM_COUNT] = {"of", "momentum_components", 1, 8, "%*.0f"},
    [MEANS_OBSERVED] = {"observ.", "observed_worst", 1, 7, "%*.1e"},
    [MEANS_OBSERVED_OUTSIDE] = {"out%", "observed_outside", 1e-2, 6, "%*.4f"},
    [MEANS_TWIN_AWAY] = {"away%", "twin_away", 1e-2, 6, "%*.2f"},
    [MEANS_TWIN_OFF] = {"twin", "twin_off_median", 1, 7, "%*.1e"},
    [MEANS_TWIN_OFF_HIGH] = {"95%", "twin_off_95", 1, 7, "%*.1e"},
    [MEANS_TWIN_OUTSIDE] = {"out%", "twin_outside", 1e-2, 6, "%*.2f"},
    [MEANS_TWIN_RESOLVED] = {"~half", "twin_outside_resolved", 1e-2, 6, "%*.2f"},
    [MEANS_TWIN_COARSE] = {"~step", "twin_outside_coarse", 1e-2, 6, "%*.2f"},
    [MEANS_TWIN_COMPONENT] = {"comp%", "twin_outside_component", 1e-2, 6, "%*.2f"},
    [MEANS_TWIN_TORQUE] = {"torq%", "twin_outside_torque", 1e-2, 6, "%*.2f"},
};

static void writeHeads(const BenchColumn *columns, int count, FILE *csv)
{
    printf("\n%-17s %-8s %5s %4s %4s", "scene", "surface", "step", "it", "ms");
    benchPrintHeads(columns, count);
    printf("\n");
    if (!csv)
        return;
    fprintf(csv, "# ");
    benchPrintBuild(csv);
    fprintf(csv, "scene,surface,stepper,iterations,step_size_s,uneven,window_s");
    benchWriteHeads(columns, count, csv);
}

static void writeMeansHead(FILE *csv)
{
    printf("\nMeans over windows of 0.15 s. Departure over the joint's median mean: median, 95 per cent; per cent of\n"
           "windows without a departure; per cent with the mean farther from the closed form than the departure. Per\n"
           "cent of limits of 1/2, 1 and 2 times this load left undecided by the mean of physical forces with its\n"
           "bar, and by the mean. First joint: distance of its mean from the closed form, relative, rms and largest;\n"
           "largest departure. Means of each body's joints against its momentum: largest error over the load, per\n"
           "cent of components beyond the bar, number of components; the same for observed forces of single steps.\n"
           "Twins, window after window: per cent that end more than a tenth of a radius of gyration away, and are\n"
           "not compared; for the others, the distance of the mean from the twin's, over the load, median and 95 per\n"
           "cent; per cent of windows with a distance above departure and bar; above the effect of half a step in\n"
           "time, too; above the effect of the host's step size on the twin, too; in one component; in torque. ~:\n"
           "uneven steps. *: it flew apart.\n");
    writeHeads(meansColumn, MEANS_FIGURES, csv);
}

void truthHead(bool means, FILE *csv)
{
    benchPrintBuild(stdout);
    if (means) {
        writeMeansHead(csv);
        return;
    }
    static const char *const text[] = {
        "Per cent of joint-steps published, and with a bar above the load. Bias of forces, and of wrenches by the "
        "project's",
        "measure: median and 95 per cent over joints and windows; ends: a shift of half a step in time does as much; "
        "per",
        "cent of windows within bar and ends; median bar; bar over bias. Sum of supports by ksInspectorSumWrenches and",
        "true, N; worst window; per cent of steps in which it was said to be open. Number of free directions: changes,",
        "per cent of joint-steps; per cent right; per cent falsely unique. Closed forms, each step: worst and rms "
        "error;",
        "per cent within the bar; median bar. ~: uneven steps. *: it flew apart."};
    printf("\n");
    for (size_t i = 0; i < sizeof text / sizeof *text; i++)
        printf("%s\n", text[i]);
    writeHeads(column, FIGURES, csv);
}

void truthReport(const TruthCase *what, const TruthResult *result, FILE *csv)
{
    const char *surface = what->kind->touches ? what->surface->name : "-", *stepper = truthStepper[what->stepper];
    const int iterations = what->stepper == TRUTH_QUICK ? what->iterations : 0;
    printf("%-17s %-8s %5s %4d %c%3g", what->kind->name, surface, stepper, iterations, what->uneven ? '~' : ' ',
           1e3 * what->stepSize);
    const BenchColumn *columns = what->means ? meansColumn : column;
    const int count = what->means ? (int)MEANS_FIGURES : (int)FIGURES;
    benchPrintFigures(columns, count, result->figure);
    printf("%s\n", result->broke ? " *" : "");
    fflush(stdout);
    if (!csv)
        return;
    fprintf(csv, "%s,%s,%s,%d,%g,%d,%g", what->kind->name, surface, stepper, iterations, what->stepSize, what->uneven,
            what->window);
    benchWriteFigures(count, result->figure, result->broke, csv);
}
