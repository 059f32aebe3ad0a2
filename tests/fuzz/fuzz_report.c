/* fuzz_report.c  Any names and numbers in a report and a trace: other programs can read the
 * documents. JSON is JSON, the page has no markup but its own, JUnit is well-formed XML, and each
 * line of CSV has the same number of fields, none of which a spreadsheet executes. */
#include "plugin/report/collect/metrics.h"
#include "plugin/report/collect/run.h"
#include "plugin/report/trace/trace_file.h"
#include "plugin/report/trace/trace_tables.h"
#include "tests/fuzz/documents.h"
#include "tests/fuzz/input.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { MOST_WORLDS = 3, MOST_JOINTS = 6, MOST_VALUES = 4, MOST_LINES = 4, LONGEST = 300, TABLES = 4 };

static int takeWhole(Input *input)
{
    const unsigned low = takeShort(input);
    return (int)(low | takeShort(input) << 16);
}

/* Usually a small number. */
static uint64_t takeCount(Input *input)
{
    const uint8_t few = takeByte(input);
    return few < 250 ? few % 8 : (uint64_t)(unsigned)takeWhole(input) << 20;
}

/* Ends with a null character; returns `text`. */
static char *takeText(Input *input, char *text, size_t size)
{
    const size_t length = takeByte(input);
    for (size_t i = 0; i < size; i++)
        text[i] = i < length && i + 1 < size ? (char)takeByte(input) : 0;
    return text;
}

/* --- A report --- */

static void takeMoment(Input *input, ksiMoment *moment)
{
    moment->isKnown = takeByte(input) & 1;
    moment->step = takeCount(input);
    moment->time = takeNumber(input);
    moment->value = takeNumber(input);
    moment->bar = takeNumber(input);
    moment->load = takeNumber(input);
    const int value = takeByte(input) % KSI_VALUES;
    takeNumbers(input, 6, moment->wrench[value]);
    moment->body[0] = takeByte(input);
    moment->body[1] = takeByte(input);
}

/* Sizes from the input, without those that are not finite. */
static void takeSizes(Input *input, const ksAllocator *allocator, ksiHistogram *histogram)
{
    for (int i = takeByte(input) % MOST_VALUES; i > 0; i--) {
        const double size = fabs(takeNumber(input));
        if (isfinite(size))
            (void)!ksiHistogramAdd(allocator, histogram, size);
    }
}

static void takeCounts(Input *input, size_t most, uint64_t *count)
{
    for (int i = takeByte(input) % MOST_VALUES; i > 0; i--) {
        const size_t which = takeByte(input) % most;
        count[which] = takeCount(input);
    }
}

/* Steps of the world, whose timelines are as fine as its steps allow. */
static void takeTimeline(Input *input, const ksAllocator *allocator, ksiWorldStats *world, ksiTimeline *timeline)
{
    const uint64_t first = takeCount(input), last = first + MOST_VALUES;
    world->lastStep = last > world->lastStep ? last : world->lastStep;
    ksiFitTimelines(world, world->firstStep, world->lastStep);
    for (int i = takeByte(input) % MOST_VALUES; i > 0; i--) {
        ksiJointBucket *bucket = ksiTimelineAt(allocator, timeline, first + (unsigned)i);
        if (!bucket)
            return;
        bucket->count = takeByte(input);
        const int value = takeByte(input);
        ksiRangeNote(&bucket->range[value % KSI_RANGES], takeNumber(input));
    }
}

static void takeJoint(Input *input, const ksAllocator *allocator, ksiWorldStats *world)
{
    char name[LONGEST];
    const dJointType type = (dJointType)(takeByte(input) % 20);
    const int number = takeWhole(input), first = takeByte(input), body[2] = {first, takeByte(input)};
    ksiJointStats *joint = ksiJointMake(allocator, world, type, number, body);
    if (!joint)
        return;
    if (*takeText(input, name, sizeof name))
        (void)!ksiRename(allocator, joint, name, takeCount(input));
    joint->firstStep = takeCount(input);
    joint->steps = takeCount(input);
    takeCounts(input, KSI_VERDICTS, joint->verdict);
    takeCounts(input, KSI_REASONS, joint->reason);
    takeCounts(input, KSI_COMPONENTS, joint->undetermined.steps);
    takeCounts(input, KSI_ERRORS, joint->unknown);
    joint->unexplained = takeCount(input);
    joint->undetermined.mostDirections = takeByte(input) % 7;
    for (int i = 0; i < KSI_ERRORS; i++) {
        takeSizes(input, allocator, &joint->error[i].size);
        takeMoment(input, &joint->error[i].worst);
    }
    for (int i = 0; i < KSI_SIZES; i++)
        for (int k = 0; k < KSI_LOADS; k++)
            takeSizes(input, allocator, &joint->load[i][k]);
    joint->massRatio = takeNumber(input);
    joint->compliance.share = takeNumber(input);
    joint->compliance.cfm = takeNumber(input);
    takeTimeline(input, allocator, world, &joint->timeline);
}

static void takeAdvice(Input *input, const ksAllocator *allocator, ksiWorldStats *world)
{
    const int iterations = takeByte(input) + 1;
    ksiAdvice *advice = ksiEntryMake(allocator, &ksiAdviceMetrics, &world->advice, iterations);
    const int count = takeByte(input) + 1;
    ksiUsedIterations *used = ksiEntryMake(allocator, &ksiUsedMetrics, &world->used, count);
    if (used)
        used->steps += takeCount(input);
    if (!advice)
        return;
    advice->steps = takeCount(input);
    takeSizes(input, allocator, &advice->worst);
    takeSizes(input, allocator, &advice->inARow);
    takeSizes(input, allocator, &advice->net);
}

static void takeWorld(Input *input, ksReport *report)
{
    char name[LONGEST];
    const ksAllocator *allocator = &report->allocator;
    ksiWorldStats *world = ksiWorldMake(report, takeText(input, name, sizeof name));
    if (!world)
        return;
    world->seen = takeCount(input);
    world->inspected = takeCount(input);
    world->leftOut = takeCount(input);
    world->tooMany = takeCount(input);
    world->firstTime = takeNumber(input);
    world->lastTime = takeNumber(input);
    world->leastStepSize = takeNumber(input);
    world->erp = takeNumber(input);
    world->cfm = takeNumber(input);
    takeCounts(input, KSI_STEPPERS, world->stepper);
    takeCounts(input, KSI_VERDICTS, world->verdict);
    takeSizes(input, allocator, &world->stepSize);
    takeCounts(input, KSI_REASONS, world->contacts.reason);
    takeSizes(input, allocator, &world->contacts.error.size);
    takeSizes(input, allocator, &world->net.size);
    takeMoment(input, &world->net.worst);
    for (int i = takeByte(input) % MOST_VALUES; i > 0; i--)
        takeAdvice(input, allocator, world);
    for (int i = takeByte(input) % MOST_JOINTS; i > 0; i--)
        takeJoint(input, allocator, world);
}

static void takeRun(Input *input, ksReport *report)
{
    ksiRun run = {.argumentCount = takeByte(input) % 8};
    run.isOver = takeByte(input) & 1;
    takeText(input, run.program, sizeof run.program);
    for (size_t i = 0, length = takeByte(input); i < length; i++)
        run.arguments[i] = (char)takeByte(input);
    takeText(input, run.begun, sizeof run.begun);
    takeText(input, run.engine, sizeof run.engine);
    takeText(input, run.built, sizeof run.built);
    takeText(input, run.notes, sizeof run.notes);
    run.status = takeByte(input);
    run.signal = takeByte(input) % 70;
    run.world = takeByte(input) % 4;
    run.isInStep = takeByte(input) & 1;
    run.isExact = takeByte(input) & 1;
    run.step = takeCount(input);
    run.time = takeNumber(input);
    run.notFinite.world = takeByte(input) % 4;
    run.notFinite.body = takeByte(input) % 4;
    run.notFinite.more = takeByte(input);
    run.notFinite.quantity = takeByte(input);
    run.unseen = takeByte(input) % 3;
    (void)!ksiReportSetRun(report, 0, &run);
}

static void checkReport(Input *input, size_t choice)
{
    char pattern[32];
    ksReportOptions options;
    ksReport *report;
    ksReportOptionsInit(&options);
    options.limit.value = takeByte(input) & 1 ? KS_PHYSICAL : KS_CONVERGED;
    options.limit.above = fabs(takeNumber(input));
    if (*takeText(input, pattern, sizeof pattern))
        options.limit.joints = pattern;
    if (ksReportCreate(&options, &report))
        return;
    if (takeByte(input) & 1)
        ksiReportForCommand(report);
    if (takeByte(input) & 1)
        takeRun(input, report);
    for (int i = takeByte(input) % MOST_WORLDS; i > 0; i--)
        takeWorld(input, report);
    checkDocuments(report, choice);
    ksReportDestroy(report);
}

/* --- A trace --- */

static const ksiTable *const table[TABLES] = {&ksiJointTable, &ksiReactionTable, &ksiRowTable, &ksiStepTable};
static char folder[] = "fuzz_report.XXXXXX";

static void pathOf(char path[64], int which)
{
    snprintf(path, 64, "%s/a%s.csv", folder, table[which]->csv);
}

static void removeFolder(void)
{
    char path[64];
    for (int i = 0; i < TABLES; i++) {
        pathOf(path, i);
        unlink(path);
    }
    rmdir(folder);
}

static void takeCell(Input *input, const ksiColumn *column, size_t joints, unsigned char *cell)
{
    char text[KSI_TRACED_NAME];
    const int64_t joint = (int64_t)(takeByte(input) % (joints + 1)) - 1;
    for (int i = 0; i < column->width && column->cell != KSI_CELL_TEXT; i++) {
        const double real = takeNumber(input);
        const int64_t integer = column->cell == KSI_CELL_JOINT ? joint : takeWhole(input);
        memcpy(cell + sizeof real * (size_t)i, column->cell == KSI_CELL_REAL ? (const void *)&real : &integer,
               sizeof real);
    }
    if (column->cell == KSI_CELL_TEXT) {
        takeText(input, text, (size_t)column->width);
        require(ksiCleanInPlace(&ksiLibraryAllocator, text, (size_t)column->width));
        memcpy(cell, text, (size_t)column->width);
    }
}

/* Any numbers, except joint numbers, which refer to a line; texts are clean. */
static void takeLine(Input *input, ksiTraceWorld *world, int which)
{
    unsigned char *line = ksiAddLine(&world->lines[which]);
    for (int i = 0; line && i < table[which]->columnCount; i++)
        takeCell(input, &table[which]->column[i], world->lines[0].count, line + table[which]->column[i].offset);
}

static void checkTrace(Input *input)
{
    char path[64], words[KSI_TRACE_WORDS], name[LONGEST];
    ksiTraceWorld world = {.tableCount = TABLES};
    ksiTraceFile *file;
    static bool hasFolder;
    if (!hasFolder)
        require(mkdtemp(folder) && !atexit(removeFolder));
    hasFolder = true;
    snprintf(path, sizeof path, "%s/a.csv", folder);
    require(ksiTraceOpenCsv(path, TABLES, table, words, &file) == KS_OK);
    world.name = ksiClean(&ksiLibraryAllocator, takeText(input, name, sizeof name));
    require(world.name != NULL);
    for (int i = 0; i < TABLES; i++) {
        world.lines[i].table = table[i];
        for (int k = takeByte(input) % MOST_LINES; k > 0; k--)
            takeLine(input, &world, i);
    }
    require(file->write(file, 0, &world) == KS_OK && file->flush(file) == KS_OK && file->close(file) == KS_OK);
    for (int i = 0; i < TABLES; i++) {
        pathOf(path, i);
        requireCsv(path, 1 + world.lines[i].count);
        free(world.lines[i].line);
    }
    free(world.name);
}

unsigned long fuzzPassed;
bool fuzzIsWhole;

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fuzzPassed++;
    Input input = {data, data + size};
    checkTrace(&input);
    checkReport(&input, size);
    return 0;
}
