/* runs_csv.c  A table of runs: RFC 4180, with decimal points; unknown values are empty fields. */
#include "document.h"
#include "json.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static void addField(ksiText *out, const char *clean)
{
    ksiTextAddCsv(out, clean);
    ksiTextAdd(out, ",");
}

static void addNumber(ksiText *out, double x)
{
    if (isfinite(x))
        ksiTextAdd(out, "%.9g", x);
    ksiTextAdd(out, ",");
}

/* Length of a parameter's name, with its '='. */
static size_t lengthOf(const char *parameter)
{
    return strcspn(parameter, "=") + 1;
}

static int compareNames(const void *a, const void *b)
{
    const char *x = *(const char *const *)a, *y = *(const char *const *)b;
    const size_t length = lengthOf(x) > lengthOf(y) ? lengthOf(x) : lengthOf(y);
    return strncmp(x, y, length);
}

/* The parameter names of all runs, each once, in order: each element is a parameter of a run,
 * name=value. */
typedef struct Names {
    const char **at;
    size_t count;
} Names;

static bool collectNames(const ksAllocator *allocator, const ksiRun *run, size_t runs, Names *names)
{
    size_t count = 0, kept = 0;
    for (size_t i = 0; i < runs; i++)
        for (const char *at = NULL; (at = ksiRunNextParameter(&run[i], at)) != NULL;)
            count++;
    *names = (Names){.at = ksiRoomMake(allocator, (count + 1) * sizeof *names->at)};
    if (!names->at)
        return false;
    for (size_t i = 0; i < runs; i++)
        for (const char *at = NULL; (at = ksiRunNextParameter(&run[i], at)) != NULL;)
            names->at[names->count++] = at;
    qsort(names->at, names->count, sizeof *names->at, compareNames);
    for (size_t i = 0; i < names->count; i++)
        if (kept == 0 || compareNames(&names->at[kept - 1], &names->at[i]) != 0)
            names->at[kept++] = names->at[i];
    names->count = kept;
    return true;
}

static const char *valueOf(const ksiRun *run, const char *name)
{
    for (const char *at = NULL; (at = ksiRunNextParameter(run, at)) != NULL;)
        if (strncmp(at, name, lengthOf(name)) == 0)
            return at + lengthOf(name);
    return "";
}

static void addOwnColumns(ksiText *out)
{
    ksiTextAdd(out, "worlds,steps,joints,judged,failed,untold,share_checked,worst_world,worst_joint,worst_error");
    for (int i = 0; i < KSI_LOADS; i++)
        for (int size = 0; size < KSI_SIZES; size++)
            ksiTextAdd(out, ",peak_%s_%s", ksiQuantities[size].name, ksiLoadName[i]);
}

static bool isIn(const char *list, const char *name, size_t length)
{
    for (const char *at = list; at && *at; at += strcspn(at, ","), at += *at == ',')
        if (strcspn(at, ",") == length && strncmp(at, name, length) == 0)
            return true;
    return false;
}

/* Adds a prefix to a parameter's name if the name, without such prefixes, is the name of a
 * column. */
static void addParameterColumn(const char *parameter, const char *own, ksiText *out)
{
    static const char first[] = "file,program,end", before[] = "param_";
    const int length = (int)lengthOf(parameter) - 1, prefix = (int)sizeof before - 1;
    int from = 0;
    char column[sizeof before + KSI_RUN_PARAMETERS];
    while (length - from > prefix && strncmp(parameter + from, before, (size_t)prefix) == 0)
        from += prefix;
    const bool isTaken =
        isIn(first, parameter + from, (size_t)(length - from)) || isIn(own, parameter + from, (size_t)(length - from));
    snprintf(column, sizeof column, "%s%.*s", isTaken ? before : "", length, parameter);
    addField(out, column);
}

static void addHead(const Names *names, ksiText *out)
{
    ksiText own = {.allocator = out->allocator};
    addOwnColumns(&own);
    ksiTextAdd(out, "file,program,end,");
    for (size_t i = 0; i < names->count; i++)
        addParameterColumn(names->at[i], own.at, out);
    ksiTextAddBytes(out, own.at, own.length);
    ksiTextAdd(out, "\r\n");
    ksiTextDrop(out, &own);
}

static void addRun(const Names *names, const ksiRunView *run, ksiText *out)
{
    ksiText call = {.allocator = out->allocator}, end = {.allocator = out->allocator};
    const ksiWorldView *worst = run->worst;
    const ksiSums *sums = &run->sums;
    ksiRunWriteCall(run->run, &call);
    ksiRunWriteEnd(run->run, &end);
    addField(out, run->run->file);
    addField(out, call.at ? call.at : "");
    addField(out, end.at ? end.at : "");
    ksiTextDrop(out, &call);
    ksiTextDrop(out, &end);
    for (size_t i = 0; i < names->count; i++)
        addField(out, valueOf(run->run, names->at[i]));
    ksiTextAdd(out, "%zu,%llu,%zu,%zu,%zu,%zu,", sums->worlds, (unsigned long long)sums->inspected, sums->joints,
               sums->judged, sums->failed, sums->untold);
    addNumber(out, ksiShareChecked(run));
    addField(out, worst ? worst->stats->name : "");
    addField(out, worst && worst->jointCount > 0 ? worst->worstFirst[0]->name : "");
    addNumber(out, worst ? worst->error : NAN);
    for (int i = 0; i < KSI_LOADS; i++)
        for (int size = 0; size < KSI_SIZES; size++)
            addNumber(out, run->load[size][i]);
    // turns the last comma into the end of the line
    if (out->length > 0 && !out->isShort)
        out->at[--out->length] = 0;
    ksiTextAdd(out, "\r\n");
}

/* Writes the line of a host's report, which has no run. */
static void writeHost(const ksiView *view, ksiText *out)
{
    const ksAllocator *allocator = &view->report->allocator;
    ksiRun own = ksiRunOfHost();
    ksiRunView line;
    Names names;
    if (!ksiRunClean(allocator, &own) || !collectNames(allocator, &own, 1, &names)) {
        out->isShort = true;
        return;
    }
    ksiRunViewOfHost(view, &own, &line);
    addHead(&names, out);
    addRun(&names, &line, out);
    ksiFree(allocator, names.at);
}

void ksiWriteRuns(const ksiView *view, ksiText *out)
{
    const ksReport *report = view->report;
    Names names;
    if (view->runCount == 0) {
        writeHost(view, out);
        return;
    }
    if (!collectNames(&report->allocator, report->run, report->runCount, &names)) {
        out->isShort = true;
        return;
    }
    addHead(&names, out);
    for (size_t i = 0; i < view->runCount; i++)
        addRun(&names, view->badRunsFirst[i], out);
    ksiFree(&report->allocator, names.at);
}
