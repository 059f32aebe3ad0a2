/* mcap_kit.h  A reader of MCAP of our own (mcap.dev/spec): records in order, and the index at the
 * end of a file. */
#ifndef TESTS_KITS_REPORT_MCAP_KIT_H
#define TESTS_KITS_REPORT_MCAP_KIT_H

#include "tests/kits/support.h"

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

static inline File readFile(const char *path)
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

static inline uint64_t numberAt(const unsigned char *at, int bytes)
{
    uint64_t x = 0;
    for (int i = bytes; i-- > 0;)
        x = x << 8 | at[i];
    return x;
}

/* Copies the string at this place, and moves beyond it. */
static inline char *stringAt(const unsigned char **at)
{
    const size_t length = (size_t)numberAt(*at, 4);
    char *made = strndup((const char *)*at + 4, length);
    ck_assert_uint_eq(strlen(made), length);
    *at += 4 + length;
    return made;
}

/* The contents of a file. */
typedef struct Found {
    unsigned kinds[256];                                                /* number of records */
    char *topic[MOST_TOPICS], *name[MOST_TOPICS], *schema[MOST_TOPICS]; /* name: of the object of a
                                                                           topic */
    unsigned schemaOf[MOST_TOPICS];                                     /* of a topic */
    unsigned topicCount;
    size_t messages;
    bool isWhole;
} Found;

typedef void MessageFn(const char *topic, uint64_t time, const json_t *message, void *user);

static inline void readChannel(const unsigned char *at, Found *found)
{
    const unsigned number = (unsigned)numberAt(at, 2), schema = (unsigned)numberAt(at + 2, 2);
    ck_assert_uint_lt(number, MOST_TOPICS);
    ck_assert_msg(found->schema[schema] != NULL, "a channel without its schema");
    const unsigned char *next = at + 4;
    found->schemaOf[number] = schema;
    found->topic[number] = stringAt(&next);
    char *encoding = stringAt(&next);
    ck_assert_str_eq(encoding, "json");
    free(encoding);
    const unsigned char *end = next + 4 + numberAt(next, 4);
    for (next += 4; next < end;) {
        char *key = stringAt(&next), *value = stringAt(&next);
        if (strcmp(key, "name") == 0)
            found->name[number] = value;
        else
            free(value);
        free(key);
    }
    ck_assert_ptr_eq(next, end);
    found->topicCount++;
}

/* A schema has the keys of its messages; a scene's keys are few, and nested. */
static inline void readSchema(const unsigned char *at, Found *found)
{
    const unsigned number = (unsigned)numberAt(at, 2);
    const unsigned char *next = at + 2;
    char *title = stringAt(&next), *encoding = stringAt(&next), *data = stringAt(&next);
    ck_assert_str_eq(encoding, "jsonschema");
    json_t *schema = json_loads(data, 0, NULL);
    ck_assert_str_eq(json_string_value(json_object_get(schema, "type")), "object");
    ck_assert_uint_gt(json_object_size(json_object_get(schema, "properties")),
                      strncmp(title, "foxglove.", 9) == 0 ? 0 : 10);
    json_decref(schema);
    free(encoding);
    free(title);
    found->schema[number] = data;
}

static inline void readMessage(const unsigned char *at, size_t length, Found *found, MessageFn *each, void *user)
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

static inline uint32_t sumOf(const unsigned char *at, size_t length)
{
    uint32_t rest = UINT32_MAX;
    for (size_t i = 0; i < length; i++) {
        rest ^= at[i];
        for (int bit = 0; bit < 8; bit++)
            rest = rest >> 1 ^ (rest & 1 ? UINT32_C(0xedb88320) : 0);
    }
    return ~rest;
}

static inline void readRecord(int kind, const unsigned char *at, size_t length, Found *found, MessageFn *each,
                              void *user);

/* A chunk is not compressed, and states the times of its messages. */
static inline void readChunk(const unsigned char *at, size_t length, Found *found, MessageFn *each, void *user)
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

/* After the end of the data, schemas and channels are repeated. */
static inline void readRecord(int kind, const unsigned char *at, size_t length, Found *found, MessageFn *each,
                              void *user)
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

/* found: all zero at first; the callback for messages may read it. */
static inline void readInto(const File *file, Found *found, MessageFn *each, void *user)
{
    ck_assert_mem_eq(file->at, magic, sizeof magic);
    for (size_t at = sizeof magic; at + 9 <= file->length;) {
        const int kind = file->at[at];
        const uint64_t length = numberAt(file->at + at + 1, 8);
        if (length > file->length - at - 9)
            break;
        readRecord(kind, file->at + at + 9, (size_t)length, found, each, user);
        at += 9 + length;
        found->isWhole =
            kind == FOOTER && at + sizeof magic == file->length && memcmp(file->at + at, magic, sizeof magic) == 0;
        if (kind == FOOTER)
            break;
    }
}

static inline Found readRecords(const File *file, MessageFn *each, void *user)
{
    Found found = {.topicCount = 0};
    readInto(file, &found, each, user);
    return found;
}

/* --- The index at the end of a file */

typedef struct Index {
    size_t schemas, channels, chunks, messages, told;
    uint64_t last; /* time */
} Index;

/* Each entry is a message of this channel at this time; times rise. */
static inline void followMessages(const unsigned char *index, const unsigned char *records, unsigned channel,
                                  Index *found)
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

static inline void followChunk(const File *file, const unsigned char *at, Index *found)
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

static inline void readStatistics(const unsigned char *at, Index *found)
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

/* Finds the contents from the end of the file, as readers with an index do. */
static inline Index readIndex(const File *file)
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

static inline void freeFound(Found *found)
{
    for (int i = 0; i < MOST_TOPICS; i++) {
        free(found->topic[i]);
        free(found->name[i]);
        free(found->schema[i]);
    }
}

#endif
