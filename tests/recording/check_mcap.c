/* check_mcap.c  Traces as MCAP, by a reader of our own (mcap.dev/spec): the file has the
 * inspector's results to the bit, its indexes lead to each message, and a truncated file is
 * complete up to its last flush. */
#define _GNU_SOURCE
#include "tests/kits/report/mcap_kit.h"
#include "tests/kits/report/trace_kit.h"

static const char world[] = "/kinetostat/a_car/"; /* the name that traceCar gives */

/* Unknown numbers are omitted. */
static void compare(const json_t *message, const char *key, double value)
{
    const json_t *told = json_object_get(message, key);
    if (!isfinite(value)) {
        ck_assert_msg(!told, "%s: %g is told", key, value);
        return;
    }
    ck_assert_msg(told && json_real_value(told) == value, "%s: %.17g, not %.17g", key, json_real_value(told), value);
}

/* A list of names, in the order of bits. */
static void compareReasons(const json_t *told, ksReasons wanted)
{
    size_t count = 0;
    for (; wanted; wanted &= wanted - 1)
        ck_assert_str_eq(json_string_value(json_array_get(told, count++)), ksReasonName(wanted & ~(wanted - 1)));
    ck_assert_uint_eq(json_array_size(told), count);
}

typedef struct Cursor {
    const Record *record;
    size_t reactions, steps, motors, pairs;
} Cursor;

/* The motor's reaction can come before or after it. */
static void compareMotor(const json_t *message, Cursor *cursor)
{
    const size_t reaction = (size_t)json_integer_value(json_object_get(message, "reaction"));
    const int axis = (int)json_integer_value(json_object_get(message, "axis"));
    ck_assert_uint_lt(reaction, cursor->record->count);
    const ksMotor *motor = &cursor->record->reaction[reaction].motor[axis];
    compare(message, "force", motor->force);
    compare(message, "target", motor->target);
    cursor->motors++;
}

/* The world, and the words of the name, joined by _. In "contact: body 1 - world", other characters
 * are no parts of words. */
static void checkTopic(const char *topic, const char *name)
{
    static const char between[] = " :\xe2\x80\x93";
    ck_assert_int_eq(strncmp(topic, world, sizeof world - 1), 0);
    topic += sizeof world - 1;
    for (name += strspn(name, between); *name; name += strspn(name, between)) {
        const size_t length = strcspn(name, between);
        ck_assert_msg(strncmp(topic, name, length) == 0, "%s is not %s", topic, name);
        topic += length;
        topic += *topic == '_';
        name += length;
    }
    ck_assert_str_eq(topic, "");
}

static void compareReaction(const char *topic, const json_t *message, Cursor *cursor)
{
    static const char axis[] = "xyz";
    const ksReaction *r = &cursor->record->reaction[cursor->reactions];
    const char *name = cursor->record->name[cursor->reactions++];
    char key[64];
    checkTopic(topic, name);
    ck_assert_str_eq(json_string_value(json_object_get(message, "joint_name")), name);
    ck_assert_str_eq(json_string_value(json_object_get(message, "verdict")), ksVerdictName(r->verdict));
    compareReasons(json_object_get(message, "reasons"), r->reasons);
    compare(message, "error", r->error);
    for (int i = 0; i < 3; i++) {
        const double *const value[] = {r->engine[0].force, r->converged[0].torque, r->physical[0].force,
                                       r->mean[0].torque};
        static const char *const words[] = {"engine_f%c", "converged_t%c", "physical_f%c", "mean_t%c"};
        for (int k = 0; k < 4; k++) {
            snprintf(key, sizeof key, words[k], axis[i]);
            compare(message, key, value[k][i]);
        }
    }
}

static void comparePair(const json_t *message, Cursor *cursor)
{
    const ksMean *mean = &cursor->record->mean[cursor->pairs++];
    for (int k = 0; k < PAIR_COLUMNS; k++)
        for (int axis = 0; axis < pairColumn[k].width; axis++)
            compare(message, pairHeading(&pairColumn[k], axis, false), pairValue(mean, &pairColumn[k], axis));
    ck_assert_str_eq(json_string_value(json_object_get(message, "physical_verdict")),
                     ksVerdictName(mean->physicalVerdict));
    compareReasons(json_object_get(message, "physical_reasons"), mean->physicalReasons);
}

static void compareMessage(const char *topic, uint64_t time, const json_t *message, void *user)
{
    Cursor *cursor = user;
    if (json_object_get(message, "transforms") || json_object_get(message, "entities"))
        return;
    ck_assert(json_is_integer(json_object_get(message, "step")));
    ck_assert_uint_eq(time, (uint64_t)llround(1e9 * json_real_value(json_object_get(message, "time"))));
    if (strcmp(topic, "/kinetostat/a_car/motors") == 0) {
        compareMotor(message, cursor);
        return;
    }
    if (strcmp(topic, "/kinetostat/a_car/pairs") == 0) {
        comparePair(message, cursor);
        return;
    }
    if (strcmp(topic, "/kinetostat/a_car/steps") != 0) {
        compareReaction(topic, message, cursor);
        return;
    }
    const ksStepReport *report = &cursor->record->report[cursor->steps++];
    ck_assert_int_eq(json_integer_value(json_object_get(message, "step")), (json_int_t)report->step);
    ck_assert_uint_eq((size_t)json_integer_value(json_object_get(message, "rank")), report->rank);
    ck_assert_uint_eq((size_t)json_integer_value(json_object_get(message, "verdict_count_valid")),
                      report->verdictCount[KS_VALID]);
    compare(message, "unexplained", report->unexplained);
}

/* The results of the inspector. A chunk has this many steps; 0: all of them. */
static Record *traceCar(const char *file, int steps, size_t stepsOfChunk)
{
    Record *wanted;
    ksTraceOptions options = traceOptions();
    options.flushSteps = stepsOfChunk;
    Traced t = tracedCar(file, &options, "a \"car\"\\", &wanted);
    runTraced(&t, steps);
    CHECK_OK(ksTraceClose(t.trace));
    dropScene(&t);
    return wanted;
}

START_TEST(what_was_told_is_in_it)
{
    enum { STEPS = 60 };
    Record *wanted = traceCar("car.mcap", STEPS, 0);
    const File file = readFile(in("car.mcap"));
    Cursor cursor = {.record = wanted};
    Found found = readRecords(&file, compareMessage, &cursor);
    ck_assert(found.isWhole);
    ck_assert_uint_eq(cursor.steps, STEPS);
    ck_assert_uint_eq(cursor.pairs, STEPS);
    ck_assert_uint_eq(cursor.reactions, wanted->count);
    ck_assert_uint_gt(wanted->count, 4 * STEPS);
    ck_assert_uint_eq(found.kinds[SCHEMA], 6);
    ck_assert_uint_eq(found.kinds[CHANNEL], found.topicCount);
    freeFound(&found);
    freeRecord(wanted);
    free(file.at);
}
END_TEST

/* Chunks end by flushes or by their size. */
START_TEST(the_end_leads_to_each_message)
{
    static const struct {
        int steps;
        size_t stepsOfChunk, leastChunks, mostChunks;
    } cases[] = {{30, 0, 1, 1}, {60, 7, 9, 9}, {250, 0, 2, 20}};
    for (int i = 0; i < 3; i++) {
        Record *wanted = traceCar("car.mcap", cases[i].steps, cases[i].stepsOfChunk);
        const File file = readFile(in("car.mcap"));
        Found found = readRecords(&file, compareMessage, &(Cursor){.record = wanted});
        const Index index = readIndex(&file);
        ck_assert(found.isWhole);
        ck_assert_uint_eq(index.messages, found.messages);
        ck_assert_uint_eq(index.told, found.messages);
        ck_assert_uint_eq(index.chunks, found.kinds[CHUNK]);
        ck_assert_uint_ge(index.chunks, cases[i].leastChunks);
        ck_assert_uint_le(index.chunks, cases[i].mostChunks);
        ck_assert_uint_eq(index.channels, found.topicCount);
        ck_assert_uint_eq(index.schemas, found.kinds[SCHEMA]);
        freeFound(&found);
        freeRecord(wanted);
        free(file.at);
    }
}
END_TEST

static void ignore(const char *topic, uint64_t time, const json_t *message, void *user)
{
    (void)topic, (void)time, (void)message, (void)user;
}

static void countSteps(const char *topic, uint64_t time, const json_t *message, void *user)
{
    (void)time, (void)message;
    *(size_t *)user += strcmp(strrchr(topic, 0) - 6, "/steps") == 0;
}

/* A file that is cut anywhere has all steps of its complete chunks. */
START_TEST(a_part_is_whole_as_far_as_it_goes)
{
    enum { STEPS = 10 };
    freeRecord(traceCar("car.mcap", STEPS, 1));
    const File file = readFile(in("car.mcap"));
    size_t chunkEnd[STEPS], ends = 0;
    for (size_t at = sizeof magic; at + 9 < file.length; at += 9 + (size_t)numberAt(file.at + at + 1, 8))
        if (file.at[at] == CHUNK)
            chunkEnd[ends++] = at + 9 + (size_t)numberAt(file.at + at + 1, 8);
    ck_assert_uint_eq(ends, STEPS);
    for (size_t length = sizeof magic; length < file.length; length += 4999) {
        const File part = {file.at, length};
        size_t steps = 0, wanted = 0;
        Found found = readRecords(&part, countSteps, &steps);
        ck_assert(!found.isWhole);
        while (wanted < STEPS && chunkEnd[wanted] <= length)
            wanted++;
        ck_assert_uint_eq(steps, wanted);
        freeFound(&found);
    }
    free(file.at);
}
END_TEST

/* The index at the end lists no data that did not fit. */
START_TEST(a_full_disk_leaves_a_whole_file)
{
    ksTraceOptions options = traceOptions();
    options.flushSteps = 1;
    Traced t = traceScene(car(), "full.mcap", &options, "car");
    runTraced(&t, 3);
    CHECK_OK(ksTraceFlush(t.trace));
    File file = readFile(in("full.mcap"));
    const size_t before = file.length;
    free(file.at);
    limitFiles((double)before + 5000);
    runTraced(&t, 1);
    limitFiles(INFINITY);
    CHECK_STATUS(ksTraceClose(t.trace), KS_ERROR_FILE);
    dropScene(&t);
    file = readFile(in("full.mcap"));
    size_t steps = 0;
    Found found = readRecords(&file, countSteps, &steps);
    ck_assert(found.isWhole);
    ck_assert_uint_eq(steps, 3);
    ck_assert_uint_eq(readIndex(&file).messages, found.messages);
    freeFound(&found);
    free(file.at);
}
END_TEST

START_TEST(rows_have_a_channel_of_their_world)
{
    ksTraceOptions options = traceOptions();
    options.level = KS_TRACE_ROWS;
    traceSteps(car(), "rows.mcap", &options, NULL, 10);
    const File file = readFile(in("rows.mcap"));
    Found found = readRecords(&file, ignore, NULL);
    bool hasRows = false;
    for (int i = 0; i < MOST_TOPICS; i++)
        hasRows |= found.topic[i] && strcmp(found.topic[i], "/kinetostat/world_1/rows") == 0;
    ck_assert(hasRows && found.isWhole);
    ck_assert_uint_eq(found.kinds[SCHEMA], 7);
    freeFound(&found);
    free(file.at);
}
END_TEST

static void noteTime(const char *topic, uint64_t time, const json_t *message, void *user)
{
    (void)topic, (void)message;
    *(uint64_t *)user = time;
}

/* Times of hosts that count from 1970 (1.7e9 s), up to 63 bits of nanoseconds, are kept; a larger
 * time is reported, and the file ends before it. */
START_TEST(times_are_kept_or_refused)
{
    static const double longStep = 1e9;
    enum { STEPS = 12, KEPT = 9 };
    const dWorldID empty = dWorldCreate();
    const dJointID hinge = dJointCreateHinge(empty, NULL);
    dJointAttach(hinge, dBodyCreate(empty), NULL);
    ksInspector *inspector = inspect(empty);
    ksTraceOptions options = traceOptions();
    options.flushSteps = 1;
    ksTrace *trace = traceInto(in("late.mcap"), &options);
    CHECK_OK(ksTraceWatch(trace, inspector, NULL));
    for (int i = 0; i < STEPS; i++)
        CHECK_OK(ksInspectorStep(inspector, longStep));
    CHECK_STATUS(ksTraceClose(trace), KS_ERROR_FILE);
    ck_assert_ptr_nonnull(strstr(ksErrorMessage(), "late.mcap: a step has a time outside the range of MCAP"));
    uint64_t last = 0;
    const File file = readFile(in("late.mcap"));
    Found found = readRecords(&file, noteTime, &last);
    ck_assert(found.isWhole);
    ck_assert_uint_eq(last, UINT64_C(1000000000000000000) * KEPT);
    freeFound(&found);
    free(file.at);
    ksInspectorDestroy(inspector);
    dWorldDestroy(empty);
}
END_TEST

START_TEST(what_goes_wrong_is_told)
{
    faultsAreTold("mcap");
}
END_TEST

int main(void)
{
    TCase *tcase = tcase_create("mcap");
    tcase_add_checked_fixture(tcase, makeFolder, removeFolder);
    tcase_add_test(tcase, what_was_told_is_in_it);
    tcase_add_test(tcase, the_end_leads_to_each_message);
    tcase_add_test(tcase, a_full_disk_leaves_a_whole_file);
    tcase_add_test(tcase, a_part_is_whole_as_far_as_it_goes);
    tcase_add_test(tcase, rows_have_a_channel_of_their_world);
    tcase_add_test(tcase, times_are_kept_or_refused);
    tcase_add_test(tcase, what_goes_wrong_is_told);
    return runCase("traces as MCAP", tcase);
}
