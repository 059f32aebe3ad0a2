/* check_mcap.c  Traces as MCAP, by a reader of our own (mcap.dev/spec): what is in the file is what the inspector has told, to the bit; the end of the file
 * leads to each message; and a file that ends in the middle is whole up to its last flush. */
#define _GNU_SOURCE
#include "tests/kits/trace_kit.h"

#include <jansson.h>

enum {
    HEADER = 1,
    FOOTER,
    SCHEMA,
    CHANNEL,
    MESSAGE,
    CHUNK,
    MESSAGE_INDEX,
    CHUNK_INDEX,
    STATISTICS = 11,
    DATA_END = 15,
    MOST_TOPICS = 256
};
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

static uint32_t sumOf(const unsigned char *at, size_t length)
{
    uint32_t rest = UINT32_MAX;
    for (size_t i = 0; i < length; i++) {
        rest ^= at[i];
        for (int bit = 0; bit < 8; bit++)
            rest = rest >> 1 ^ (rest & 1 ? UINT32_C(0xedb88320) : 0);
    }
    return ~rest;
}

static void readRecord(int kind, const unsigned char *at, size_t length, Found *found, MessageFn *each, void *user);

/* A chunk is not compressed, and tells the times of its messages. */
static void readChunk(const unsigned char *at, size_t length, Found *found, MessageFn *each, void *user)
{
    const size_t size = (size_t)numberAt(at + 32, 8);
    const unsigned char *records = at + 40;
    ck_assert_uint_eq(size, length - 40);
    ck_assert_uint_eq(numberAt(at + 16, 8), size);
    ck_assert_uint_eq(numberAt(at + 24, 4), sumOf(records, size));
    ck_assert_uint_eq(numberAt(at + 28, 4), 0);
    for (size_t i = 0; i < size; i += 9 + (size_t)numberAt(records + i + 1, 8)) {
        if (records[i] == MESSAGE) {
            ck_assert_uint_ge(numberAt(records + i + 15, 8), numberAt(at, 8));
            ck_assert_uint_le(numberAt(records + i + 15, 8), numberAt(at + 8, 8));
        }
        readRecord(records[i], records + i + 9, (size_t)numberAt(records + i + 1, 8), found, each, user);
    }
}

/* After the end of the data schemas and channels come again. */
static void readRecord(int kind, const unsigned char *at, size_t length, Found *found, MessageFn *each, void *user)
{
    const bool isAgain = found->kinds[DATA_END] > 0;
    if (!isAgain)
        found->kinds[kind]++;
    ck_assert_uint_eq(found->kinds[HEADER], 1);
    if (kind == SCHEMA && !isAgain)
        readSchema(at, found);
    else if (kind == CHANNEL && !isAgain)
        readChannel(at, found);
    else if (kind == MESSAGE)
        readMessage(at, length, found, each, user);
    else if (kind == CHUNK)
        readChunk(at, length, found, each, user);
}

static Found readRecords(const File *file, MessageFn *each, void *user)
{
    Found found = {.topicCount = 0};
    ck_assert_mem_eq(file->at, magic, sizeof magic);
    for (size_t at = sizeof magic; at + 9 <= file->length;) {
        const int kind = file->at[at];
        const uint64_t length = numberAt(file->at + at + 1, 8);
        if (length > file->length - at - 9)
            break;
        readRecord(kind, file->at + at + 9, (size_t)length, &found, each, user);
        at += 9 + length;
        found.isWhole =
            kind == FOOTER && at + sizeof magic == file->length && memcmp(file->at + at, magic, sizeof magic) == 0;
        if (kind == FOOTER)
            break;
    }
    return found;
}

/* --- What the end of a file leads to */

typedef struct Index {
    size_t schemas, channels, chunks, messages, told;
    uint64_t last; /* time */
} Index;

/* Each entry is a message of this channel at this time; times rise. */
static void followMessages(const unsigned char *index, const unsigned char *records, unsigned channel, Index *found)
{
    const size_t bytes = (size_t)numberAt(index + 11, 4);
    uint64_t last = 0;
    ck_assert_uint_eq(index[0], MESSAGE_INDEX);
    ck_assert_uint_eq(numberAt(index + 1, 8), bytes + 6);
    ck_assert_uint_eq(numberAt(index + 9, 2), channel);
    ck_assert_uint_gt(bytes, 0);
    for (const unsigned char *entry = index + 15; entry < index + 15 + bytes; entry += 16) {
        const unsigned char *message = records + numberAt(entry + 8, 8);
        ck_assert_uint_eq(message[0], MESSAGE);
        ck_assert_uint_eq(numberAt(message + 9, 2), channel);
        ck_assert_uint_eq(numberAt(message + 15, 8), numberAt(entry, 8));
        ck_assert_uint_ge(numberAt(entry, 8), last);
        last = numberAt(entry, 8);
        found->messages++;
    }
}

static void followChunk(const File *file, const unsigned char *at, Index *found)
{
    const unsigned char *chunk = file->at + numberAt(at + 16, 8), *next = at + 36;
    const size_t length = (size_t)numberAt(at + 24, 8), map = (size_t)numberAt(at + 32, 4);
    size_t bytes = 0;
    ck_assert_uint_eq(chunk[0], CHUNK);
    ck_assert_uint_eq(numberAt(chunk + 1, 8), length - 9);
    ck_assert_mem_eq(chunk + 9, at, 16);  // times
    for (; next < at + 36 + map; next += 10) {
        const unsigned char *index = file->at + numberAt(next + 2, 8);
        followMessages(index, chunk + 49, (unsigned)numberAt(next, 2), found);
        bytes += 9 + (size_t)numberAt(index + 1, 8);
    }
    ck_assert_uint_eq(numberAt(next, 8), bytes);
    ck_assert_uint_eq(numberAt(next + 8, 4), 0);  // no compression
    ck_assert_uint_eq(numberAt(next + 12, 8), length - 49);
    ck_assert_uint_eq(numberAt(next + 20, 8), length - 49);
    found->last = numberAt(at + 8, 8) > found->last ? numberAt(at + 8, 8) : found->last;
    found->chunks++;
}

static void readStatistics(const unsigned char *at, Index *found)
{
    const size_t map = (size_t)numberAt(at + 42, 4);
    size_t sum = 0;
    for (const unsigned char *next = at + 46; next < at + 46 + map; next += 10)
        sum += (size_t)numberAt(next + 2, 8);
    found->told = (size_t)numberAt(at, 8);
    ck_assert_uint_eq(sum, found->told);
    ck_assert_uint_eq(map / 10, found->channels);
    ck_assert_uint_eq(numberAt(at + 8, 2), found->schemas);
    ck_assert_uint_eq(numberAt(at + 10, 4), found->channels);
    ck_assert_uint_eq(numberAt(at + 22, 4), found->chunks);
    ck_assert_uint_eq(numberAt(at + 26, 8), 0);
    ck_assert_uint_eq(numberAt(at + 34, 8), found->last);
}

/* As readers with an index find a file's content: from behind. */
static Index readIndex(const File *file)
{
    Index found = {.schemas = 0};
    const unsigned char *footer = file->at + file->length - sizeof magic - 29;
    ck_assert_uint_eq(footer[0], FOOTER);
    const unsigned char *at = file->at + numberAt(footer + 9, 8);
    ck_assert(at < footer);
    ck_assert_uint_eq(at[-13], DATA_END);
    ck_assert_uint_eq(numberAt(footer + 25, 4), sumOf(at, (size_t)(footer + 25 - at)));
    for (; at < footer; at += 9 + numberAt(at + 1, 8)) {
        found.schemas += at[0] == SCHEMA;
        found.channels += at[0] == CHANNEL;
        if (at[0] == CHUNK_INDEX)
            followChunk(file, at + 9, &found);
        if (at[0] == STATISTICS)
            readStatistics(at + 9, &found);
    }
    ck_assert_ptr_eq(at, footer);
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
    size_t reactions, steps, motors;
} Cursor;

/* Its reaction comes before or after it. */
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
        const double *const value[] = {r->engine[0].force, r->converged[0].torque, r->physical[0].force,
                                       r->mean[0].torque};
        static const char *const words[] = {"engine_f%c", "converged_t%c", "physical_f%c", "mean_t%c"};
        for (int k = 0; k < 4; k++) {
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
    if (strcmp(topic, "/a \"car\"\\/motors") == 0) {
        compareMotor(message, cursor);
        return;
    }
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

/* What the inspector has told. A chunk has so many steps; 0: all of them. */
static Record *traceCar(const char *file, int steps, size_t stepsOfChunk)
{
    Record *wanted;
    ksTraceOptions options = traceOptions();
    options.flushSteps = stepsOfChunk;
    options.flushSeconds = 1e9;
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
    ck_assert_uint_eq(cursor.reactions, wanted->count);
    ck_assert_uint_gt(wanted->count, 4 * STEPS);
    ck_assert_uint_eq(found.kinds[SCHEMA], 3);
    ck_assert_uint_eq(found.kinds[CHANNEL], found.topicCount);
    freeFound(&found);
    freeRecord(wanted);
    free(file.at);
}
END_TEST

/* Whether chunks are ended by flushes or by their size. */
START_TEST(the_end_leads_to_each_message)
{
    static const struct {
        int steps;
        size_t stepsOfChunk, leastChunks, mostChunks;
    } cases[] = {{30, 0, 1, 1}, {60, 7, 9, 9}, {500, 0, 3, 20}};
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

/* Wherever it is cut: all steps of the chunks that are whole. */
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
    for (size_t length = sizeof magic; length < file.length; length += 997) {
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

/* What did not fit is not in its end. */
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
        hasRows |= found.topic[i] && strcmp(found.topic[i], "/world 1/rows") == 0;
    ck_assert(hasRows && found.isWhole);
    ck_assert_uint_eq(found.kinds[SCHEMA], 4);
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
    tcase_add_test(tcase, the_end_leads_to_each_message);
    tcase_add_test(tcase, a_full_disk_leaves_a_whole_file);
    tcase_add_test(tcase, a_part_is_whole_as_far_as_it_goes);
    tcase_add_test(tcase, rows_have_a_channel_of_their_world);
    tcase_add_test(tcase, what_goes_wrong_is_told);
    suite_add_tcase(suite, tcase);
    return runSuite(suite);
}
