/* check_events.c  Traces of the inspection's time, as events: slices are nested or follow each
 * other, durations and arguments are the inspector's, and a truncated file can be read. */
#define _GNU_SOURCE
#include "tests/kits/report/trace_kit.h"

#include <jansson.h>

enum { PHASES = 8, STEPS = 40, DEEPEST = 4 };

static const char *const phaseName[PHASES] = {"snapshot", "rows",      "gauss",    "paulus",
                                              "verdict",  "callbacks", "physical", "estimate"};

static char *readText(const char *path, size_t *length)
{
    FILE *stream = fopen(path, "rb");
    ck_assert_ptr_nonnull(stream);
    ck_assert_int_eq(fseek(stream, 0, SEEK_END), 0);
    *length = (size_t)ftell(stream);
    rewind(stream);
    char *text = malloc(*length + 2);
    ck_assert_uint_eq(fread(text, 1, *length, stream), *length);
    fclose(stream);
    return text;
}

static json_t *readEvents(const char *path)
{
    size_t length;
    char *text = readText(path, &length);
    json_error_t error;
    json_t *events = json_loadb(text, length, 0, &error);
    ck_assert_msg(json_is_array(events), "line %d: %s", error.line, error.text);
    free(text);
    return events;
}

static const char *textOf(const json_t *event, const char *key)
{
    const char *text = json_string_value(json_object_get(event, key));
    return text ? text : "";
}

static json_int_t integerOf(const json_t *event, const char *key)
{
    return json_integer_value(json_object_get(event, key));
}

/* ns; the trace has microseconds with three decimals */
static int64_t timeOf(const json_t *event)
{
    return llround(1e3 * json_number_value(json_object_get(event, "ts")));
}

/* A complete slice. */
typedef struct Slice {
    const json_t *event; /* its begin */
    int64_t begin, length;
    int depth;
} Slice;

typedef void SliceFn(const Slice *slice, void *user);

/* Calls `each` with the slices of a process in the order of their ends; returns the number of
 * counter events. */
static size_t readSlices(const json_t *events, json_int_t process, SliceFn *each, void *user)
{
    Slice open[DEEPEST];
    int depth = 0;
    int64_t last = 0;
    size_t i, counters = 0;
    const json_t *event;
    json_array_foreach(events, i, event)
    {
        if (integerOf(event, "pid") != process)
            continue;
        const char kind = textOf(event, "ph")[0];
        const int64_t now = timeOf(event);
        ck_assert_int_ge(now, last);
        ck_assert_int_eq(integerOf(event, "tid"), 1);
        last = now;
        counters += kind == 'C';
        if (kind == 'B') {
            ck_assert_int_lt(depth, DEEPEST);
            open[depth] = (Slice){event, now, 0, depth};
            depth++;
        } else if (kind == 'E') {
            ck_assert_int_gt(depth, 0);
            Slice *slice = &open[--depth];
            slice->length = now - slice->begin;
            each(slice, user);
        }
    }
    ck_assert_int_eq(depth, 0);
    return counters;
}

/* --- Against the inspector */

typedef struct Cursor {
    const Record *record;
    size_t steps;
    int64_t spent[PHASES], sum; /* sums over this step, ns */
    int last;
} Cursor;

static void comparePhase(const Slice *slice, Cursor *cursor)
{
    int phase = 0;
    while (phase < PHASES && strcmp(phaseName[phase], textOf(slice->event, "name")) != 0)
        phase++;
    ck_assert_int_lt(phase, PHASES);
    ck_assert_int_gt(phase, cursor->last);
    cursor->last = phase;
    cursor->spent[phase] = slice->length;
    cursor->sum += slice->length;
}

static void compareStep(const Slice *slice, Cursor *cursor)
{
    const ksStepReport *report = &cursor->record->report[cursor->steps++];
    const json_t *told = json_object_get(slice->event, "args");
    ck_assert_str_eq(textOf(slice->event, "name"), "step");
    ck_assert_int_eq(integerOf(told, "step"), (json_int_t)report->step);
    ck_assert(sameReal(json_real_value(json_object_get(told, "time")), report->time));
    ck_assert(sameReal(json_real_value(json_object_get(told, "worst_error")), report->worstError));
    ck_assert_int_eq(integerOf(told, "row_count"), (json_int_t)report->rowCount);
    ck_assert_int_eq(slice->length, cursor->sum);
    for (int i = 0; i < PHASES; i++) {
        // callbacks before the trace's own are the test's
        if (i == KS_PHASE_CALLBACKS)
            ck_assert_int_ge(cursor->spent[i], llround(1e9 * report->seconds[i]));
        else
            ck_assert_int_eq(cursor->spent[i], llround(1e9 * report->seconds[i]));
        cursor->spent[i] = 0;
    }
    ck_assert_int_gt(cursor->sum, 0);
    cursor->sum = 0;
    cursor->last = -1;
}

static void compareSlice(const Slice *slice, void *user)
{
    (slice->depth ? comparePhase : compareStep)(slice, user);
}

START_TEST(times_are_those_of_the_inspector)
{
    Record *wanted;
    Traced t = tracedCar("car.json", NULL, "a \"car\"\\", &wanted);
    runTraced(&t, STEPS);
    CHECK_OK(ksTraceClose(t.trace));
    dropScene(&t);
    json_t *events = readEvents(in("car.json"));
    const json_t *name = json_array_get(events, 0);
    ck_assert_str_eq(textOf(name, "name"), "process_name");
    ck_assert_str_eq(textOf(json_object_get(name, "args"), "name"), "a \"car\"\\");
    Cursor cursor = {.record = wanted, .last = -1};
    ck_assert_uint_eq(readSlices(events, 1, compareSlice, &cursor), 2 * STEPS);
    ck_assert_uint_eq(cursor.steps, STEPS);
    json_decref(events);
    freeRecord(wanted);
}
END_TEST

START_TEST(verdicts_are_counted)
{
    Record *wanted;
    Traced t = tracedCar("car.json", NULL, NULL, &wanted);
    runTraced(&t, STEPS);
    CHECK_OK(ksTraceClose(t.trace));
    dropScene(&t);
    json_t *events = readEvents(in("car.json"));
    size_t i, steps = 0;
    const json_t *event;
    json_array_foreach(events, i, event)
    {
        if (strcmp(textOf(event, "name"), "verdicts") != 0)
            continue;
        const ksStepReport *report = &wanted->report[steps++];
        const json_t *counts = json_object_get(event, "args");
        for (int v = 0; v <= KS_VALID; v++)
            ck_assert_int_eq(integerOf(counts, ksVerdictName((ksVerdict)v)), (json_int_t)report->verdictCount[v]);
    }
    ck_assert_uint_eq(steps, STEPS);
    json_decref(events);
    freeRecord(wanted);
}
END_TEST

/* The first step begins at 0. */
static void countSteps(const Slice *slice, void *user)
{
    size_t *steps = user;
    if (slice->depth == 0 && (*steps)++ == 0)
        ck_assert_int_eq(slice->begin, 0);
}

START_TEST(each_world_has_a_clock)
{
    Scene *scene[] = {car(), car()};
    ksInspector *inspector[] = {inspect(scene[0]->world), inspect(scene[1]->world)};
    ksTrace *trace = traceInto(in("two.json"), NULL);
    // the second one steps first
    for (int i = 0; i < 2; i++)
        CHECK_OK(ksTraceWatch(trace, inspector[i], NULL));
    for (int i = 1; i >= 0; i--) {
        runScene(scene[i], inspector[i], 10 * (i + 1));
        CHECK_OK(ksTraceFlush(trace));
    }
    CHECK_OK(ksTraceClose(trace));
    json_t *events = readEvents(in("two.json"));
    for (int i = 0; i < 2; i++) {
        size_t steps = 0;
        readSlices(events, i + 1, countSteps, &steps);
        ck_assert_uint_eq(steps, 10 * (size_t)(i + 1));
        ksInspectorDestroy(inspector[i]);
        sceneDestroy(scene[i]);
    }
    json_decref(events);
}
END_TEST

/* Readers accept an array without its end: cut after any line, it only lacks the bracket. */
START_TEST(a_part_can_be_read)
{
    traceSteps(car(), "car.json", NULL, NULL, 5);
    size_t length, whole = 0, parts = 0;
    char *text = readText(in("car.json"), &length);
    for (size_t i = 2; i < length; i++) {
        if (text[i] != '\n' || text[i - 1] != ',')
            continue;
        text[i - 1] = ']';
        json_t *events = json_loadb(text, i, 0, NULL);
        text[i - 1] = ',';
        ck_assert(json_is_array(events));
        ck_assert_uint_gt(json_array_size(events), whole);
        whole = json_array_size(events);
        parts++;
        json_decref(events);
    }
    ck_assert_uint_gt(parts, 5 * 10);
    free(text);
}
END_TEST

START_TEST(what_goes_wrong_is_told)
{
    faultsAreTold("json");
}
END_TEST

int main(void)
{
    TCase *tcase = tcase_create("events");
    tcase_add_checked_fixture(tcase, makeFolder, removeFolder);
    tcase_add_test(tcase, times_are_those_of_the_inspector);
    tcase_add_test(tcase, verdicts_are_counted);
    tcase_add_test(tcase, each_world_has_a_clock);
    tcase_add_test(tcase, a_part_can_be_read);
    tcase_add_test(tcase, what_goes_wrong_is_told);
    return runCase("traces of the inspection's time", tcase);
}
