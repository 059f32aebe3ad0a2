/* trace_events.c  Writes the time that the inspection itself takes, in the Trace Event Format
 * (JSON), for ui.perfetto.dev and others.
 *
 * The file has a process for each world. A process has a slice for each step, which contains a
 * slice for each phase of the inspection. The clock of a world counts only its inspection, and
 * stands still between steps. Slices have begin and end events, so that they stay nested in readers
 * that round times. The array of events may lack its end: readers accept the file of a killed
 * program. */
#define _GNU_SOURCE
#include "trace_text.h"

#include "../document/json.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

typedef struct Events {
    ksiTraceText file;
    bool hasOne;
    int64_t *clock; /* [worldCount], ns: the clock of each world */
    size_t worldCount, worldCapacity;
} Events;

static const char *const phaseName[KSI_TRACED_PHASES] = {
    [KS_PHASE_SNAPSHOT] = "snapshot", [KS_PHASE_ROWS] = "rows",        [KS_PHASE_GAUSS] = "gauss",
    [KS_PHASE_PAULUS] = "paulus",     [KS_PHASE_VERDICT] = "verdict",  [KS_PHASE_CALLBACKS] = "callbacks",
    [KS_PHASE_PHYSICAL] = "physical", [KS_PHASE_ESTIMATE] = "estimate"};

/* Begins an event of a world. The event's time is in microseconds, with three decimals. */
static void beginEvent(Events *events, char kind, int world)
{
    const int64_t now = events->clock[world];
    ksiTextAdd(&events->file.text,
               "%s{\"ph\":\"%c\",\"cat\":\"inspection\",\"pid\":%d,\"tid\":1,\"ts\":%" PRId64 ".%03" PRId64,
               events->hasOne ? ",\n" : "\n", kind, world + 1, now / 1000, now % 1000);
    events->hasOne = true;
}

/* Adds an event; takes ownership of the arguments. NULL: out of memory. */
static void addEvent(Events *events, char kind, int world, const char *name, json_t *arguments)
{
    beginEvent(events, kind, world);
    ksiTextAdd(&events->file.text, ",\"name\":\"%s\",\"args\":", name);
    ksiTextAddJson(&events->file.text, arguments, KSI_TRACE_JSON);
    ksiTextAdd(&events->file.text, "}");
}

static void addEnd(Events *events, int world)
{
    beginEvent(events, 'E', world);
    ksiTextAdd(&events->file.text, "}");
}

static ksStatus addWorld(ksiTraceFile *file, int index, const ksiTraceWorld *world)
{
    Events *events = (Events *)file;
    if (ksiReserve(&ksiLibraryAllocator, &events->clock, &events->worldCapacity, (size_t)index + 1,
                   sizeof *events->clock))
        return ksiTraceTextFail(&events->file, KS_ERROR_NO_MEMORY, "out of memory");
    for (; events->worldCount <= (size_t)index; events->worldCount++)
        events->clock[events->worldCount] = 0;
    addEvent(events, 'M', index, "process_name", json_pack("{s:s}", "name", world->name));
    addEvent(events, 'M', index, "thread_name", json_pack("{s:s}", "name", "inspection"));
    return KS_OK;
}

static json_t *verdictsToJson(const ksiStepLine *line)
{
    json_t *counts = json_object();
    for (int i = 0; i < KSI_TRACED_VERDICTS; i++)
        (void)!json_object_set_new(counts, ksVerdictName((ksVerdict)i), json_integer(line->verdictCount[i]));
    return counts;
}

static void addStep(Events *events, int index, const ksiStepLine *line, const ksiLines *joints)
{
    addEvent(events, 'B', index, "step", ksiLineToJson(&ksiStepTable, (const char *)line, joints));
    addEvent(events, 'C', index, "verdicts", verdictsToJson(line));
    if (isfinite(line->worstError))
        addEvent(events, 'C', index, "worst error", json_pack("{s:f}", "relative", line->worstError));
    for (int i = 0; i < KSI_TRACED_PHASES; i++) {
        const double seconds = line->seconds[i];
        if (!(seconds > 0 && seconds < 1e6))
            continue;
        beginEvent(events, 'B', index);
        ksiTextAdd(&events->file.text, ",\"name\":\"%s\"}", phaseName[i]);
        events->clock[index] += llround(1e9 * seconds);
        addEnd(events, index);
    }
    addEnd(events, index);
}

static ksStatus writeSteps(ksiTraceFile *file, int index, const ksiTraceWorld *world)
{
    Events *events = (Events *)file;
    // the table of the steps is the last one
    size_t count;
    const char *waiting = ksiWaitingLines(&world->lines[world->tableCount - 1], &count);
    const ksiStepLine *line = (const void *)waiting;
    ksStatus status = KS_OK;
    for (size_t i = 0; i < count && status == KS_OK; i++) {
        addStep(events, index, &line[i], &world->lines[0]);
        status = ksiTraceTextWriteSome(&events->file);
    }
    return status;
}

static ksStatus closeFile(ksiTraceFile *file)
{
    Events *events = (Events *)file;
    ksiTextAdd(&events->file.text, "\n]\n");
    const ksStatus status = ksiTraceTextClose(&events->file);
    ksiFree(&ksiLibraryAllocator, events->clock);
    free(events);
    return status;
}

ksStatus ksiTraceOpenEvents(const char *path, char *words, ksiTraceFile **file)
{
    const ksiTraceFile base = {addWorld, writeSteps, ksiTraceTextFlush, closeFile, ksiTraceTextAbandon, words};
    ksiTraceText *made;
    const ksStatus status = ksiTraceTextCreate(sizeof(Events), &base, path, &made);
    if (status)
        return status;
    ksiTextAdd(&made->text, "[");
    *file = &made->base;
    return KS_OK;
}
