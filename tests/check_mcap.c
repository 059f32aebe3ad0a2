/* check_mcap.c  Traces as MCAP, by a reader of our own: what is in the file is what the inspector has told, to the bit, and a file that ends in the middle
 * is whole up to there. */
#define _GNU_SOURCE
#include "tests/trace_kit.h"

#include <jansson.h>

enum { HEADER = 1, FOOTER = 2, SCHEMA = 3, CHANNEL = 4, MESSAGE = 5, DATA_END = 15, MOST_TOPICS = 256 };
static const unsigned char magic[8] = {0x89, 'M', 'C', 'A', 'P', 0x30, '\r', '\n'};

typedef struct File {
    unsigned char *at;
    size_t length;
} File;

static File readFile(const char *path)
{
    FILE *stream = fopen(path, "rb");
    ck_assert_ptr_nonnull(stream);
    ck_assert_int_eq(fseek(stream, 0, SEEK_END), 0);
    File file = {.length = (size_t)ftell(stream)};
    rewind(stream);
    file.at = malloc(file.length + 1);
    ck_assert_uint_eq(fread(file.at, 1, file.length, stream), file.length);
    fclose(stream);
    return file;
}

static uint64_t numberAt(const unsigned char *at, int bytes)
{
    uint64_t x = 0;
    for (int i = bytes; i-- > 0;)
        x = x << 8 | at[i];
    return x;
}

/* The string there, copied; goes behind it. */
static char *stringAt(const unsigned char **at)
{
    const size_t length = (size_t)numberAt(*at, 4);
    char *made = strndup((const char *)*at + 4, length);
    ck_assert_uint_eq(strlen(made), length);
    *at += 4 + length;
    return made;
}

/* What a file holds. */
typedef struct Found {
    unsigned kinds[256]; /* records */
    char *topic[MOST_TOPICS], *schema[MOST_TOPICS];
    unsigned topicCount;
    size_t messages;
    bool isWhole;
} Found;

typedef void MessageFn(const char *topic, uint64_t time, const json_t *message, void *user);

static void readChannel(const unsigned char *at, Found *found)
{
    const unsigned number = (unsigned)numberAt(at, 2), schema = (unsigned)numberAt(at + 2, 2);
    ck_assert_uint_lt(number, MOST_TOPICS);
    ck_assert_msg(found->schema[schema] != NULL, "a channel without its schema");
    const unsigned char *next = at + 4;
    found->topic[number] = stringAt(&next);
    char *encoding = stringAt(&next);
    ck_assert_str_eq(encoding, "json");
    free(encoding);
    ck_assert_uint_eq(numberAt(next, 4), 0);
    found->topicCount++;
}

/* A schema has the keys of its messages. */
static void readSchema(const unsigned char *at, Found *found)
{
    const unsigned number = (unsigned)numberAt(at, 2);
    const unsigned char *next = at + 2;
    free(stringAt(&next));
    char *encoding = stringAt(&next), *data = stringAt(&next);
    ck_assert_str_eq(encoding, "jsonschema");
    json_t *schema = json_loads(data, 0, NULL);
    ck_assert_str_eq(json_string_value(json_object_get(schema, "type")), "object");
    ck_assert_uint_gt(json_object_size(json_object_get(schema, "properties")), 10);
    json_decref(schema);
    free(encoding);
    found->schema[number] = data;
}

static void readMessage(const unsigned char *at, size_t length, Found *found, MessageFn *each, void *user)
{
    const unsigned channel = (unsigned)numberAt(at, 2);
    ck_assert_uint_lt(channel, MOST_TOPICS);
    ck_assert_msg(found->topic[channel] != NULL, "a message without its channel");
    ck_assert_uint_eq(numberAt(at + 2, 4), found->messages++);
    json_t *message = json_loadb((const char *)at + 22, length - 22, 0, NULL);
    ck_assert_ptr_nonnull(message);
    each(found->topic[channel], numberAt(at + 6, 8), message, user);
    json_decref(message);
}

static Found readRecords(const File *file, MessageFn *each, void *user)
{
    Found found = {.topicCount = 0};
    ck_assert_mem_eq(file->at, magic, sizeof magic);
    size_t at = sizeof magic;
    while (at + 9 <= file->length && !found.kinds[FOOTER]) {
        const int kind = file->at[at];
        const uint64_t length = numberAt(file->at + at + 1, 8);
        const unsigned char *content = file->at + at + 9;
        if (length > file->length - at - 9)
            return found;
        found.kinds[kind]++;
        ck_assert_uint_eq(found.kinds[HEADER], 1);
        if (kind == SCHEMA)
            readSchema(content, &found);
        else if (kind == CHANNEL)
            readChannel(content, &found);
        else if (kind == MESSAGE)
            readMessage(content, length, &found, each, user);
        at += 9 + length;
    }
    found.isWhole = found.kinds[DATA_END] == 1 && found.kinds[FOOTER] == 1 && at + sizeof magic == file->length &&
                    memcmp(file->at + at, magic, sizeof magic) == 0;
    return found;
}

static void freeFound(Found *found)
{
    for (int i = 0; i < MOST_TOPICS; i++) {
        free(found->topic[i]);
        free(found->schema[i]);
    }
}

/* --- Against the inspector */

/* Unknown numbers are left out. */
static void compare(const json_t *message, const char *key, double value)
{
    const json_t *told = json_object_get(message, key);
    if (!isfinite(value)) {
        ck_assert_msg(!told, "%s: %g is told", key, value);
        return;
    }
    ck_assert_msg(told && json_real_value(told) == value, "%s: %.17g, not %.17g", key, json_real_value(told), value);
}

typedef struct Cursor {
    const Record *record;
    size_t reactions, steps;
} Cursor;

static void compareReaction(const char *topic, const json_t *message, Cursor *cursor)
{
    static const char axis[] = "xyz";
    const ksReaction *r = &cursor->record->reaction[cursor->reactions];
    char key[64], name[160];
    snprintf(name, sizeof name, "/a \"car\"\\/%s", cursor->record->name[cursor->reactions++]);
    ck_assert_str_eq(topic, name);
    ck_assert_str_eq(json_string_value(json_object_get(message, "verdict")), ksVerdictName(r->verdict));
    compare(message, "error", r->error);
    for (int i = 0; i < 3; i++) {
        const double *const value[] = {r->engine[0].force, r->converged[0].torque, r->physical[0].force};
        static const char *const words[] = {"engine_f%c", "converged_t%c", "physical_f%c"};
        for (int k = 0; k < 3; k++) {
            snprintf(key, sizeof key, words[k], axis[i]);
            compare(message, key, value[k][i]);
        }
    }
}

static void compareMessage(const char *topic, uint64_t time, const json_t *message, void *user)
{
    Cursor *cursor = user;
    const char *steps = "/a \"car\"\\/steps";
    ck_assert(json_is_integer(json_object_get(message, "step")));
    ck_assert_uint_eq(time, (uint64_t)llround(1e9 * json_real_value(json_object_get(message, "time"))));
    if (strcmp(topic, steps) != 0) {
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

/* What the inspector has told. */
static Record *traceCar(const char *file, int steps)
{
    Record *wanted;
    Traced t = tracedCar(file, NULL, "a \"car\"\\", &wanted);
    runTraced(&t, steps);
    CHECK_OK(ksTraceClose(t.trace));
    dropScene(&t);
    return wanted;
}

START_TEST(what_was_told_is_in_it)
{
    enum { STEPS = 60 };
    Record *wanted = traceCar("car.mcap", STEPS);
    const File file = readFile(in("car.mcap"));
    Cursor cursor = {.record = wanted};
    Found found = readRecords(&file, compareMessage, &cursor);
    ck_assert(found.isWhole);
    ck_assert_uint_eq(cursor.steps, STEPS);
    ck_assert_uint_eq(cursor.reactions, wanted->count);
    ck_assert_uint_gt(wanted->count, 4 * STEPS);
    ck_assert_uint_eq(found.kinds[SCHEMA], 2);
    ck_assert_uint_eq(found.kinds[CHANNEL], found.topicCount);
    freeFound(&found);
    freeRecord(wanted);
    free(file.at);
}
END_TEST

static void ignore(const char *topic, uint64_t time, const json_t *message, void *user)
{
    (void)topic, (void)time, (void)message, (void)user;
}

/* Wherever it is cut. */
START_TEST(a_part_is_whole_as_far_as_it_goes)
{
    freeRecord(traceCar("car.mcap", 10));
    const File file = readFile(in("car.mcap"));
    size_t last = 0;
    for (size_t length = sizeof magic; length < file.length; length += 997) {
        const File part = {file.at, length};
        Found found = readRecords(&part, ignore, NULL);
        ck_assert(!found.isWhole);
        ck_assert_uint_ge(found.messages, last);
        last = found.messages;
        freeFound(&found);
    }
    ck_assert_uint_gt(last, 20);
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
        hasRows |= found.topic[i] && strcmp(found.topic[i], "/world 1/rows") == 0;
    ck_assert(hasRows && found.isWhole);
    ck_assert_uint_eq(found.kinds[SCHEMA], 3);
    freeFound(&found);
    free(file.at);
}
END_TEST

START_TEST(what_goes_wrong_is_told)
{
    faultsAreTold("mcap");
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("traces as MCAP");
    TCase *tcase = tcase_create("mcap");
    tcase_add_checked_fixture(tcase, makeFolder, removeFolder);
    tcase_add_test(tcase, what_was_told_is_in_it);
    tcase_add_test(tcase, a_part_is_whole_as_far_as_it_goes);
    tcase_add_test(tcase, rows_have_a_channel_of_their_world);
    tcase_add_test(tcase, what_goes_wrong_is_told);
    suite_add_tcase(suite, tcase);
    return runSuite(suite);
}
