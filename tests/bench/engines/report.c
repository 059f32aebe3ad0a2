/* report.c  The table of engines, and its CSV file. */
#define _DEFAULT_SOURCE
#include "../bench_build.h"
#include "../bench_figures.h"
#include "engines.h"

#include <math.h>
#include <stdlib.h>
#include <time.h>

static const BenchColumn column[FIRST_LOAD] = {
    [REPORT_MEDIAN] = {"report", "report_median", 1, 8, "%*.1e"}, [REPORT_HIGH] = {"95%", "report_95", 1, 8, "%*.1e"},
    [MOTION_MEDIAN] = {"motion", "motion_median", 1, 8, "%*.1e"}, [MOTION_HIGH] = {"95%", "motion_95", 1, 8, "%*.1e"},
    [JUDGED] = {"judged%", "judged", 1e-2, 7, "%*.1f"},           [LARGEST_GAP] = {"gap mm", "gap_m", 1e-3, 8, "%*.2g"},
    [ENERGY_DRIFT] = {"energy", "energy_drift", 1, 8, "%*.1e"},   [MICROSECONDS] = {"us", "us_a_step", 1, 7, "%*.1f"},
};

static void printMachine(const Engine *const *engine, FILE *out, const char *before)
{
    double load = NAN;
    char text[ENGINE_NAME], date[64] = "";
    const time_t seconds = time(NULL);
    struct tm day;
    if (getloadavg(&load, 1) != 1)
        load = NAN;
    if (gmtime_r(&seconds, &day))
        strftime(date, sizeof date, "%Y-%m-%d", &day);
    fprintf(out, "%s%s; load %.1f; ", before, date, load);
    benchPrintBuild(out);
    for (; *engine; engine++) {
        (*engine)->describe(text);
        fprintf(out, "%s%s: %s\n", before, (*engine)->name, text);
        for (int i = 0; (*engine)->setting[i]; i++)
            fprintf(out, "%s  %-10s %s\n", before, (*engine)->setting[i], (*engine)->explanation[i]);
    }
}

void engineHead(const Engine *const *engine, FILE *csv)
{
    static const char *const text[] = {
        "Joint wrenches against the physical ones in the determined part, relative, over "
        "joints and steps: reported and",
        "observed; median and 95 per cent. Per cent of judged joint-steps. Largest gap of "
        "a joint; largest drift of energy",
        "over the largest kinetic energy, in scenes without dissipation. Median of a plain "
        "step with collisions.",
        "*: it flew apart, or the engine gave up. -: not possible."};
    printMachine(engine, stdout, "");
    printf("\n");
    for (size_t i = 0; i < sizeof text / sizeof *text; i++)
        printf("%s\n", text[i]);
    printf("\n%-8s %-7s %-10s %5s", "scene", "engine", "setting", "ms");
    benchPrintHeads(column, FIRST_LOAD);
    printf("\n");
    if (!csv)
        return;
    printMachine(engine, csv, "# ");
    fprintf(csv, "scene,engine,setting,step_size_s");
    benchWriteHeads(column, FIRST_LOAD, csv);
}

void engineReport(const EngineCase *what, const EngineResult *result, FILE *csv)
{
    const char *setting = what->engine->setting[what->setting];
    printf("%-8s %-7s %-10s %5g", what->scene->name, what->engine->name, setting, 1e3 * what->stepSize);
    benchPrintFigures(column, FIRST_LOAD, result->figure);
    printf("%s\n", result->broke ? " *" : "");
    fflush(stdout);
    if (!csv)
        return;
    fprintf(csv, "%s,%s,%s,%g", what->scene->name, what->engine->name, setting, what->stepSize);
    benchWriteFigures(FIRST_LOAD, result->figure, result->broke, csv);
}

void engineReportLack(const EngineCase *what, const char *why)
{
    printf("%-8s %-7s %-10s %5s  %s\n", what->scene->name, what->engine->name, what->engine->setting[what->setting],
           "-", why);
    fflush(stdout);
}
