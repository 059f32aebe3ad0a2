/* trace.c  Creates and ends a trace, and adds worlds to it.
 *
 * A trace and an inspector may be destroyed in either order, in different threads. Each world of a
 * trace has a watch, which belongs to the subscriptions of its inspector. If the trace is destroyed
 * first, its watches remain without it. They end at the inspector's next step, or with the
 * inspector. */
#define _GNU_SOURCE
#include "trace_raw.h"

#include "../collect/run.h"
#include "../files/failure.h"
#include "../files/text.h"
#include "trace_tables.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

typedef struct Watch {
    ksTrace *trace; /* NULL: destroyed */
    ksInspector *inspector;
    ksiNaming *naming;
    int world;
    ksiRaw *raw; /* KS_TRACE_RAW, or NULL */
    pid_t owner;
    struct Watch *next;
} Watch;

static Watch *watches;

static void abandon(void *file)
{
    ksiTraceFile *opened = file;
    opened->abandon(opened);
}

/* --- options */

void ksTraceOptionsInit(ksTraceOptions *options)
{
    if (options)
        *options = (ksTraceOptions){
            .size = sizeof *options,
            .format = KS_TRACE_BY_NAME,
            .level = KS_TRACE_WRENCHES,
            .every = 1,
            .end = INFINITY,
            .flushSeconds = 1,
            .compression = 1,
        };
}

static bool endsWith(const char *path, const char *end)
{
    const size_t length = strlen(path), wanted = strlen(end);
    return length >= wanted && !strcasecmp(path + length - wanted, end);
}

static const char *complaint(const ksTraceOptions *options)
{
    if (options->size != sizeof *options)
        return "options->size is wrong: call ksTraceOptionsInit";
    if (options->format < KS_TRACE_BY_NAME || options->format > KS_TRACE_EVENTS)
        return "options->format is not one of ksTraceFormat";
    if (options->level < KS_TRACE_WRENCHES || options->level > KS_TRACE_RAW)
        return "options->level is not one of ksTraceLevel";
    if (options->level == KS_TRACE_RAW && (options->joints || options->jointTypes))
        return "options->level is KS_TRACE_RAW, which has all joints: choose joints when you judge the file";
    if (options->every == 0)
        return "options->every is 0, must be at least 1";
    if (!(options->begin < options->end))
        return "options->begin must be less than options->end";
    if (!(options->flushSeconds >= 0))
        return "options->flushSeconds must be at least 0";
    if (options->compression < 0 || options->compression > 9)
        return "options->compression must be 0 to 9";
    for (size_t i = 0; i < sizeof options->reserved / sizeof *options->reserved; i++)
        if (options->reserved[i] != 0)
            return "options->reserved must be zero: call ksTraceOptionsInit";
    return NULL;
}

/* --- creation */

static void chooseTables(ksTrace *trace)
{
    trace->rows = trace->poses = -1;
    if (trace->options.level == KS_TRACE_RAW)
        return;
    trace->table[trace->tableCount++] = &ksiJointTable;
    if (trace->options.level >= KS_TRACE_ROWS) {
        trace->rows = trace->tableCount;
        trace->table[trace->tableCount++] = &ksiRowTable;
    }
    trace->reactions = trace->tableCount;
    trace->table[trace->tableCount++] = &ksiReactionTable;
    trace->motors = trace->tableCount;
    trace->table[trace->tableCount++] = &ksiMotorTable;
    trace->pairs = trace->tableCount;
    trace->table[trace->tableCount++] = &ksiPairTable;
    if (trace->options.format == KS_TRACE_MCAP) {
        trace->poses = trace->tableCount;
        trace->table[trace->tableCount++] = &ksiPoseTable;
    }
    // the table of steps comes last: a step that has a line there is complete
    trace->steps = trace->tableCount;
    trace->table[trace->tableCount++] = &ksiStepTable;
}

static ksTrace *makeTrace(const ksTraceOptions *options)
{
    ksTrace *trace = calloc(1, sizeof *trace);
    if (!trace)
        return NULL;
    trace->options = *options;
    ksiAllocatorInit(&trace->allocator, NULL);
    if (options->joints && !(trace->options.joints = strdup(options->joints))) {
        free(trace);
        return NULL;
    }
    chooseTables(trace);
    return trace;
}

static void freeTrace(ksTrace *trace)
{
    for (int i = 0; i < trace->worldCount; i++) {
        ksiTraceWorld *world = trace->world[i];
        for (int t = 0; t < world->tableCount; t++)
            free(world->lines[t].line);
        ksiMapFree(&trace->allocator, &world->joints);
        ksiMapFree(&trace->allocator, &world->bodies);
        ksiFree(&ksiLibraryAllocator, world->name);
        free(world);
    }
    free(trace->world);
    ksiMapFree(&ksiLibraryAllocator, &trace->names.map);
    free((char *)trace->options.joints);
    free(trace);
}

static ksStatus openFile(ksTrace *trace, const char *path)
{
    const ksTraceOptions *options = &trace->options;
    if (options->level == KS_TRACE_RAW)
        return ksiTraceOpenRaw(path, options->compression, trace->words, &trace->file);
    if (options->format == KS_TRACE_MCAP)
        return ksiTraceOpenMcap(path, trace->words, &trace->file);
    if (options->format == KS_TRACE_EVENTS)
        return ksiTraceOpenEvents(path, trace->words, &trace->file);
    return options->format == KS_TRACE_CSV
               ? ksiTraceOpenCsv(path, trace->tableCount, trace->table, trace->words, &trace->file)
               : ksiTraceOpenHdf5(path, options->compression, trace->words, &trace->file);
}

ksStatus ksTraceCreate(const char *path, const ksTraceOptions *options, ksTrace **trace)
{
    ksTraceOptions given;
    ksTraceOptionsInit(&given);
    if (!path || !*path || !trace)
        return KSI_FAIL(KS_ERROR_BAD_ARGUMENT, "%s is missing", trace ? "path" : "trace");
    const char *wrong = options ? complaint(options) : NULL;
    if (wrong)
        return KSI_FAIL(KS_ERROR_BAD_ARGUMENT, "%s", wrong);
    if (options)
        given = *options;
    if (given.format == KS_TRACE_BY_NAME)
        given.format = endsWith(path, ".csv")                             ? KS_TRACE_CSV
                       : endsWith(path, ".mcap")                          ? KS_TRACE_MCAP
                       : endsWith(path, ".json")                          ? KS_TRACE_EVENTS
                       : endsWith(path, ".h5") || endsWith(path, ".hdf5") ? KS_TRACE_HDF5
                                                                          : KS_TRACE_BY_NAME;
    if (given.format == KS_TRACE_BY_NAME)
        return KSI_FAIL(KS_ERROR_BAD_ARGUMENT, "path is \"%.200s\", must end with .csv, .h5, .hdf5, .mcap or .json",
                        path);
    if (given.format != KS_TRACE_HDF5 && given.level == KS_TRACE_RAW)
        return KSI_FAIL(KS_ERROR_BAD_ARGUMENT,
                        "options->level is KS_TRACE_RAW, which needs HDF5: a path that ends with .h5");
    ksTrace *made = makeTrace(&given);
    if (!made)
        return KSI_FAIL(KS_ERROR_NO_MEMORY, "out of memory");
    const ksiHost host = ksiEnterWriters();
    made->lastFlush = ksiTraceClock();
    const ksStatus status = openFile(made, path);
    if (status == KS_OK)
        ksiAddWriter(&made->writer, abandon, made->file);
    ksiLeaveWriters(&host);
    if (status != KS_OK) {
        KSI_FAIL(status, "%s", made->words);
        freeTrace(made);
        return status;
    }
    *trace = made;
    return KS_OK;
}

/* --- worlds */

static ksiTraceWorld *makeWorld(ksTrace *trace, const char *name)
{
    char number[32];
    snprintf(number, sizeof number, "world %d", trace->worldCount + 1);
    ksiTraceWorld *world = calloc(1, sizeof *world);
    if (!world)
        return NULL;
    char *clean = ksiClean(&ksiLibraryAllocator, name && *name ? name : number);
    world->name = clean ? ksiUseName(&ksiLibraryAllocator, &trace->names, clean) : NULL;
    ksiFree(&ksiLibraryAllocator, clean);
    if (!world->name) {
        free(world);
        return NULL;
    }
    world->tableCount = trace->tableCount;
    for (int t = 0; t < trace->tableCount; t++)
        world->lines[t] = (ksiLines){.table = trace->table[t], .kept = t == 0};
    return world;
}

static ksStatus addWorld(ksTrace *trace, const char *name, int *index)
{
    ksiTraceWorld **grown = realloc(trace->world, ((size_t)trace->worldCount + 1) * sizeof(ksiTraceWorld *));
    if (!grown)
        return KS_ERROR_NO_MEMORY;
    trace->world = grown;
    ksiTraceWorld *world = makeWorld(trace, name);
    if (!world)
        return KS_ERROR_NO_MEMORY;
    trace->world[trace->worldCount] = world;
    *index = trace->worldCount++;
    return KS_OK;
}

ksStatus ksiTraceAddWorld(ksTrace *trace, const char *name, int *world)
{
    const ksiHost host = ksiEnterWriters();
    const ksStatus status = addWorld(trace, name, world);
    ksiLeaveWriters(&host);
    return status;
}

ksStatus ksiTraceAddStep(ksTrace *trace, int world, const ksInspector *inspector, const ksiNaming *naming,
                         const ksiTraceStep *which)
{
    const ksiHost host = ksiEnterWriters();
    const ksStatus status = ksiTraceCollect(trace, world, inspector, naming, which);
    ksiLeaveWriters(&host);
    return status;
}

static void freeWatch(Watch *watch)
{
    Watch **place = &watches;
    while (*place && *place != watch)
        place = &(*place)->next;
    if (*place)
        *place = watch->next;
    if (watch->raw && watch->trace)
        ksiRawEnd(watch->trace, watch->raw);
    ksiRawDestroy(watch->raw);
    ksiNamingDestroy(watch->naming);
    free(watch);
}

static void traceStep(Watch *watch)
{
    ksTrace *trace = watch->trace;
    if (trace->failure == KS_OK && ksiNamingUpdate(watch->naming, watch->inspector) != KS_OK) {
        trace->failure = KS_ERROR_NO_MEMORY;
        snprintf(trace->words, sizeof trace->words, "out of memory: joints could not be identified");
    }
    ksiTraceCollect(trace, watch->world, watch->inspector, watch->naming, NULL);
}

static void atDestroy(void *user)
{
    Watch *watch = user;
    // a child of fork() shares the memory, but must not write the file
    if (watch->owner != getpid())
        return;
    const ksiHost host = ksiEnterWriters();
    freeWatch(watch);
    ksiLeaveWriters(&host);
}

static void afterStep(const ksStepReport *report, void *user)
{
    Watch *watch = user;
    (void)report;
    if (watch->owner != getpid())
        return;
    const ksiHost host = ksiEnterWriters();
    if (watch->trace) {
        traceStep(watch);
    } else if (ksInspectorOff(watch->inspector, watch) == KS_OK) {
        freeWatch(watch);
    }
    ksiLeaveWriters(&host);
}

static void aroundStep(const ksEngineStep *step, void *user)
{
    Watch *watch = user;
    if (watch->owner != getpid())
        return;
    const ksiHost host = ksiEnterWriters();
    if (watch->trace)
        ksiRawStep(watch->trace, watch->raw, step);
    else if (ksInspectorOff(watch->inspector, watch) == KS_OK)
        freeWatch(watch);
    ksiLeaveWriters(&host);
}

/* Adds subscriptions for a watch in the list. After a failure the trace keeps a world without
 * steps; readers do not see this world. */
static ksStatus subscribe(Watch *watch, const char *world)
{
    ksTrace *trace = watch->trace;
    const bool isRaw = trace->options.level == KS_TRACE_RAW;
    ksStatus status = isRaw ? ksInspectorOnEngineStep(watch->inspector, aroundStep, watch)
                            : ksInspectorOnStep(watch->inspector, afterStep, watch);
    if (status == KS_OK)
        status = ksInspectorOnDestroy(watch->inspector, atDestroy, watch);
    if (status == KS_OK)
        status = isRaw ? ksiRawCreate(trace, watch->inspector, &watch->raw) : addWorld(trace, world, &watch->world);
    return status;
}

ksStatus ksTraceWatch(ksTrace *trace, ksInspector *inspector, const char *world)
{
    if (!trace || !inspector)
        return KSI_FAIL(KS_ERROR_BAD_ARGUMENT, "%s is NULL", trace ? "inspector" : "trace");
    Watch *watch = calloc(1, sizeof *watch);
    ksiNaming *naming = ksiNamingCreate(NULL);
    if (!watch || !naming) {
        free(watch);
        ksiNamingDestroy(naming);
        return KSI_FAIL(KS_ERROR_NO_MEMORY, "out of memory");
    }
    *watch = (Watch){.trace = trace, .inspector = inspector, .naming = naming, .owner = trace->writer.owner};
    const ksiHost host = ksiEnterWriters();
    watch->next = watches;
    watches = watch;
    const ksStatus status = subscribe(watch, world);
    if (status != KS_OK)
        KSI_FAIL(status, "%s", status == KS_ERROR_FILE ? trace->words : "out of memory");
    // ends the subscriptions that were made before the failure
    if (status != KS_OK && ksInspectorOff(inspector, watch) == KS_OK)
        freeWatch(watch);
    ksiLeaveWriters(&host);
    return status;
}

/* --- the end */

static ksStatus told(const char *function, ksStatus status, const char *words)
{
    return status == KS_OK ? KS_OK : ksiReportFail(function, status, "%s", words);
}

ksStatus ksTraceSetParameter(ksTrace *trace, const char *name, const char *value)
{
    if (!trace || !name || !value)
        return KSI_FAIL(KS_ERROR_BAD_ARGUMENT, "%s is NULL", !trace ? "trace" : name ? "value" : "name");
    if (trace->options.level != KS_TRACE_RAW)
        return KSI_FAIL(KS_ERROR_BAD_ARGUMENT,
                        "the trace's level is not KS_TRACE_RAW: only recordings have parameters");
    if (!ksiIsOwnWriter(&trace->writer))
        return KS_OK;
    const ksiHost host = ksiEnterWriters();
    const ksStatus status = ksiRawSetParameter(trace, name, value);
    ksiLeaveWriters(&host);
    if (status == KS_ERROR_BAD_ARGUMENT)
        return KSI_FAIL(status, "name is \"%.100s\": it is empty, contains =, or a run's parameters exceed %d bytes",
                        name, KSI_RUN_PARAMETERS);
    return told("ksTraceSetParameter", status, trace->words);
}

/* Reports exact steps, which the file lacks. It has all other steps. */
static ksStatus noteExactSteps(ksTrace *trace, ksStatus status)
{
    if (status != KS_OK || trace->exactSteps == 0)
        return status;
    snprintf(trace->words, sizeof trace->words,
             "%llu steps of ksInspectorExactStep are not in the file, which holds only the engine's own steps",
             (unsigned long long)trace->exactSteps);
    return KS_ERROR_UNAVAILABLE;
}

/* Ends the recorded worlds together with the trace. */
static void endWatches(const ksTrace *trace)
{
    for (Watch *watch = watches; watch; watch = watch->next)
        if (watch->trace == trace) {
            if (watch->raw)
                ksiRawEnd(watch->trace, watch->raw);
            ksiRawDestroy(watch->raw);
            ksiNamingDestroy(watch->naming);
            watch->raw = NULL;
            watch->naming = NULL;
            watch->trace = NULL;
        }
}

ksStatus ksTraceFlush(ksTrace *trace)
{
    if (!trace)
        return KSI_FAIL(KS_ERROR_BAD_ARGUMENT, "trace is NULL");
    if (!ksiIsOwnWriter(&trace->writer))
        return KS_OK;
    const ksiHost host = ksiEnterWriters();
    const ksStatus status = noteExactSteps(trace, ksiTraceWrite(trace));
    ksiLeaveWriters(&host);
    return told("ksTraceFlush", status, trace->words);
}

ksStatus ksTraceClose(ksTrace *trace)
{
    // the file belongs to the parent of a child of fork()
    if (!trace || !ksiIsOwnWriter(&trace->writer))
        return KS_OK;
    const ksiHost host = ksiEnterWriters();
    char words[KSI_TRACE_WORDS];
    endWatches(trace);
    ksStatus status = noteExactSteps(trace, ksiTraceWrite(trace));
    memcpy(words, trace->words, sizeof words);
    ksiRemoveWriter(&trace->writer);
    const ksStatus closed = trace->file->close(trace->file);
    if (closed != KS_OK && (status == KS_OK || status == KS_ERROR_UNAVAILABLE)) {
        status = closed;
        memcpy(words, trace->words, sizeof words);
    }
    ksiLeaveWriters(&host);
    told("ksTraceClose", status, words);
    freeTrace(trace);
    return status;
}
