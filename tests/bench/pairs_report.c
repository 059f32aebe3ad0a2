/* pairs_report.c  The table of physical contact forces, and its CSV file. */
#include "bench_build.h"
#include "bench_figures.h"
#include "pairs.h"

static const BenchColumn column[PAIRS_FIGURES] = {
    [PAIRS_ENGINE] = {"engine", "engine_rms", 1e-2, 8, "%*.4f"},
    [PAIRS_PHYSICAL] = {"phys", "physical_rms", 1e-2, 8, "%*.4f"},
    [PAIRS_WORST] = {"worst", "physical_worst", 1e-2, 7, "%*.2f"},
    [PAIRS_BARRED] = {"barred", "barred", 1e-2, 6, "%*.1f"},
    [PAIRS_HELD] = {"held", "held", 1e-2, 6, "%*.1f"},
    [PAIRS_BAR] = {"bar", "bar_median", 1e-2, 8, "%*.3f"},
    [PAIRS_BIAS] = {"bias", "bias", 1e-2, 7, "%*.3f"},
    [PAIRS_VALID] = {"valid", "valid", 1e-2, 6, "%*.1f"},
    [PAIRS_OPEN] = {"open", "indeterminate", 1e-2, 6, "%*.1f"},
    [PAIRS_TWINS] = {"twins", "twins", 1, 5, "%*.0f"},
    [PAIRS_TWIN_ENGINE] = {"engine", "twin_engine_median", 1e-2, 8, "%*.4f"},
    [PAIRS_TWIN_PHYSICAL] = {"phys", "twin_physical_median", 1e-2, 8, "%*.4f"},
    [PAIRS_COST] = {"cost", "cost", 1, 6, "%*.2f"},
};

static const char *const ground[GROUND_COUNT] = {[GROUND_HARD] = "hard", [GROUND_LAYER] = "layer"};

void pairsHead(FILE *csv)
{
    benchPrintBuild(stdout);
    printf("\nForces of pairs in contact under dWorldQuickStep, per cent of their load, over pairs times steps.\n"
           "Against statics or a closed form of the motion: errors of the engine's force of a step and of the\n"
           "physical one, root mean square, and the worst; shares with a bar, and of these with the truth within it;\n"
           "the median bar; bias, the mean of the physical force less the engine's in windows of .15 s without\n"
           "INDETERMINATE. Shares that are VALID and INDETERMINATE. Against dWorldStep in steps of 20 us from the\n"
           "same state, beneath a layer: number, and errors of both, median. cost: of contactPhysical, in steps of\n"
           "dWorldQuickStep. hard: ODE's default contacts; layer: soft ones, beneath a layer of 1 mm.\n\n");
    printf("%-17s %-5s %3s", "scene", "", "ms");
    benchPrintHeads(column, PAIRS_FIGURES);
    printf("\n");
    if (!csv)
        return;
    fprintf(csv, "# ");
    benchPrintBuild(csv);
    fprintf(csv, "scene,ground,step_size_s");
    benchWriteHeads(column, PAIRS_FIGURES, csv);
}

void pairsReport(const PairsCase *what, const double figure[PAIRS_FIGURES], FILE *csv)
{
    printf("%-17s %-5s %3g", what->form->name, ground[what->ground], 1e3 * what->stepSize);
    benchPrintFigures(column, PAIRS_FIGURES, figure);
    printf("\n");
    fflush(stdout);
    if (!csv)
        return;
    fprintf(csv, "%s,%s,%g", what->form->name, ground[what->ground], what->stepSize);
    benchWriteFigures(PAIRS_FIGURES, figure, 0, csv);
}
