/* trace_mcap.c  A trace as MCAP (mcap.dev/spec, version 0), for PlotJuggler and Foxglove: a channel for each joint, and one for each other table of a
 * world, whose messages are JSON by a JSON schema. Keys are the headings of CSV without units; what is unknown is left out; 17 digits give each number back to the bit.
 * There are neither chunks nor an index, so a file that has no end, because its program had one, can be read as far as it goes. */
#define _GNU_SOURCE
#include "trace_file.h"
#include "trace_space.h"
#include "trace_tables.h"

#include "json.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
    HEADER = 1,
    FOOTER = 2,
    SCHEMA = 3,
    CHANNEL = 4,
    MESSAGE = 5,
    DATA_END = 15,
    MOST_CHANNELS = 65535,
    WRITE = 1 << 16
};
static const unsigned char magic[8] = {0x89, 'M', 'C', 'A', 'P', 0x30, '\r', '\n'};

/* Channels: of its tables, and of its joints by their lines; 0: there is none. */
typedef struct Channels {
    unsigned table[KSI_TRACE_TABLES], *joint;
    size_t jointCount, capacity;
} Channels;

typedef struct Mcap {
    ksiTraceFile base;
    int file;
    char *path;
    ksiText text; /* that waits for the file */
    Channels *world;
    size_t worldCount, worldCapacity;
    unsigned channels, messages;
    const ksiTable *schema[KSI_TRACE_TABLES]; /* number i + 1 */
    unsigned schemas;
} Mcap;

static ksStatus fail(const Mcap *mcap, ksStatus status, const char *words)
{
    snprintf(mcap->base.words, KSI_TRACE_WORDS, "%s: %s", mcap->path ? mcap->path : "a trace", words);
    return status;
}

/* --- Records */

static void put(ksiText *text, uint64_t x, int bytes)
{
    unsigned char byte[8];
    for (int i = 0; i < bytes; i++)
        byte[i] = (unsigned char)(x >> 8 * i);
    ksiTextAddBytes(text, byte, (size_t)bytes);
}

static void putString(ksiText *text, const char *string)
{
    put(text, strlen(string), 4);
    ksiTextAddBytes(text, string, strlen(string));
}

/* A record, or bytes within it, behind their length: where this stands; its width. */
static size_t begin(ksiText *text, int width)
{
    put(text, 0, width);
    return text->length;
}

static void end(ksiText *text, size_t from, int width)
{
    for (int i = 0; i < width && !text->isShort; i++)
        text->at[from - (size_t)width + (size_t)i] = (char)((uint64_t)(text->length - from) >> 8 * i);
}

static size_t beginRecord(ksiText *text, int kind)
{
    put(text, (uint64_t)kind, 1);
    return begin(text, 8);
}

/* --- JSON */

enum { FLAGS = JSON_COMPACT | JSON_REAL_PRECISION(17) };

/* A number of a line. */
typedef struct Part {
    const ksiColumn *column;
    const char *heading;
    int index; /* in the column */
    char key[64];
} Part;

/* The next one, in the order of a table; of none, the first. */
static bool nextPart(const ksiTable *table, Part *part)
{
    const bool isFirst = !part->column;
    if (isFirst || part->index + 1 == part->column->width) {
        part->column = isFirst ? table->column : part->column + 1;
        if (part->column == table->column + table->columnCount)
            return false;
        part->heading = part->column->parts ? part->column->parts : part->column->name;
        part->index = 0;
    } else {
        part->heading += strcspn(part->heading, " ") + 1;
        part->index++;
    }
    // units keep counts from quantities of the same name in CSV
    const bool isCount = part->column->parts && part->column->cell == KSI_CELL_INTEGER;
    snprintf(part->key, sizeof part->key, "%s%s%.*s", isCount ? part->column->name : "", isCount ? "_" : "",
             (int)strcspn(part->heading, " "), part->heading);
    return true;
}

static const ksiJointLine *jointAt(const ksiLines *joints, int64_t line)
{
    return (const ksiJointLine *)(const void *)joints->line + line;
}

static json_t *lineToJson(const ksiTable *table, const char *line, const ksiLines *joints)
{
    json_t *object = json_object();
    for (Part part = {.column = NULL}; nextPart(table, &part);) {
        const ksiColumn *column = part.column;
        const char *cell = line + column->offset + sizeof(double) * (size_t)part.index;
        double real;
        int64_t integer;
        memcpy(&real, cell, sizeof real);
        memcpy(&integer, cell, sizeof integer);
        if (column->cell == KSI_CELL_REAL)  // NaN has no value, and is left out
            (void)!json_object_set_new(object, part.key, json_real(real));
        else
            (void)!json_object_set_new(object, part.key,
                                       column->word ? json_string(column->word(integer)) : json_integer(integer));
        if (column->cell == KSI_CELL_JOINT && integer >= 0)
            (void)!json_object_set_new(object, strcat(part.key, "_name"), json_string(jointAt(joints, integer)->name));
    }
    return object;
}

static json_t *schemaToJson(const ksiTable *table)
{
    json_t *properties = json_object();
    for (Part part = {.column = NULL}; nextPart(table, &part);) {
        const ksiColumn *column = part.column;
        const char *type = column->cell == KSI_CELL_REAL ? "number" : column->word ? "string" : "integer";
        (void)!json_object_set_new(
            properties, part.key,
            json_pack("{s:s, s:s, s:s}", "type", type, "unit", column->unit, "description", column->description));
        if (column->cell == KSI_CELL_JOINT)
            (void)!json_object_set_new(properties, strcat(part.key, "_name"), json_pack("{s:s}", "type", "string"));
    }
    return json_pack("{s:s, s:o}", "type", "object", "properties", properties);
}

/* --- Schemas, channels, messages */

/* 0: none is left. */
static unsigned addChannel(Mcap *mcap, const ksiTable *table, const char *world, const char *name)
{
    ksiText *text = &mcap->text;
    unsigned schema = 0;
    char title[64];
    while (schema < mcap->schemas && mcap->schema[schema] != table)
        schema++;
    if (mcap->channels == MOST_CHANNELS)
        return 0;
    if (schema == mcap->schemas) {
        mcap->schema[mcap->schemas++] = table;
        const size_t record = beginRecord(text, SCHEMA);
        put(text, schema + 1, 2);
        snprintf(title, sizeof title, "kinetostat.%s", table->name);
        putString(text, title);
        putString(text, "jsonschema");
        const size_t data = begin(text, 4);
        ksiTextAddJson(text, schemaToJson(table), FLAGS);
        end(text, data, 4);
        end(text, record, 8);
    }
    const size_t record = beginRecord(text, CHANNEL);
    put(text, ++mcap->channels, 2);
    put(text, schema + 1, 2);
    const size_t topic = begin(text, 4);
    ksiTextAdd(text, "/%s/%s", world, name);
    end(text, topic, 4);
    putString(text, "json");
    put(text, 0, 4);
    end(text, record, 8);
    return mcap->channels;
}

/* Of a line of joints; 0: there is none. */
static unsigned channelOfJoint(Mcap *mcap, Channels *channels, const ksiTraceWorld *world, size_t joint)
{
    if (ksiReserve(&ksiLibraryAllocator, &channels->joint, &channels->capacity, joint + 1, sizeof *channels->joint))
        return 0;
    for (; channels->jointCount <= joint; channels->jointCount++)
        channels->joint[channels->jointCount] = 0;
    if (!channels->joint[joint])
        channels->joint[joint] =
            addChannel(mcap, &ksiReactionTable, world->name, jointAt(&world->lines[0], (int64_t)joint)->name);
    return channels->joint[joint];
}

static uint64_t nanoseconds(double time)
{
    return time > 0 && time < 1e9 ? (uint64_t)llround(1e9 * time) : 0;
}

static void putMessage(Mcap *mcap, unsigned channel, double time, const ksiTable *table, const char *line,
                       const ksiLines *joints)
{
    const size_t record = beginRecord(&mcap->text, MESSAGE);
    put(&mcap->text, channel, 2);
    put(&mcap->text, mcap->messages++, 4);
    put(&mcap->text, nanoseconds(time), 8);
    put(&mcap->text, nanoseconds(time), 8);
    ksiTextAddJson(&mcap->text, lineToJson(table, line, joints), FLAGS);
    end(&mcap->text, record, 8);
}

/* --- The file */

static ksStatus writeText(Mcap *mcap)
{
    ksiText *text = &mcap->text;
    if (text->isShort)
        return fail(mcap, KS_ERROR_NO_MEMORY, "out of memory");
    const int error = ksiWriteIfSpace(mcap->file, text->at, text->length);
    text->length = 0;
    return error ? fail(mcap, KS_ERROR_FILE, strerror(error)) : KS_OK;
}

static ksStatus addWorld(ksiTraceFile *file, int index, const ksiTraceWorld *world)
{
    Mcap *mcap = (Mcap *)file;
    if (ksiReserve(&ksiLibraryAllocator, &mcap->world, &mcap->worldCapacity, (size_t)index + 1, sizeof *mcap->world))
        return fail(mcap, KS_ERROR_NO_MEMORY, "out of memory");
    for (; mcap->worldCount <= (size_t)index; mcap->worldCount++)
        mcap->world[mcap->worldCount] = (Channels){.joint = NULL};
    for (int t = 1; t < world->tableCount; t++)
        if (world->lines[t].table != &ksiReactionTable)
            mcap->world[index].table[t] =
                addChannel(mcap, world->lines[t].table, world->name, world->lines[t].table->name);
    return KS_OK;
}

/* Each line begins with its step and its time. */
static ksStatus writeLines(ksiTraceFile *file, int index, const ksiTraceWorld *world)
{
    Mcap *mcap = (Mcap *)file;
    Channels *channels = &mcap->world[index];
    ksStatus status = KS_OK;
    for (int t = 1; t < world->tableCount && status == KS_OK; t++) {
        const ksiTable *table = world->lines[t].table;
        size_t count;
        const char *line = ksiWaitingLines(&world->lines[t], &count);
        for (size_t i = 0; i < count && status == KS_OK; i++, line += table->lineSize) {
            const ksiReactionLine *first = (const void *)line;
            const unsigned channel = table == &ksiReactionTable
                                         ? channelOfJoint(mcap, channels, world, (size_t)first->joint)
                                         : channels->table[t];
            if (!channel)
                status = fail(mcap, KS_ERROR_FILE, "there are more than 65535 channels, or no memory for them");
            else
                putMessage(mcap, channel, first->time, table, line, &world->lines[0]);
            if (mcap->text.length >= WRITE || mcap->text.isShort)
                status = writeText(mcap);
        }
    }
    return status;
}

static ksStatus flush(ksiTraceFile *file)
{
    return writeText((Mcap *)file);
}

static void freeMcap(Mcap *mcap)
{
    for (size_t i = 0; i < mcap->worldCount; i++)
        ksiFree(&ksiLibraryAllocator, mcap->world[i].joint);
    ksiFree(&ksiLibraryAllocator, mcap->world);
    ksiTextFree(&mcap->text);
    free(mcap->path);
    free(mcap);
}

static ksStatus closeFile(ksiTraceFile *file)
{
    Mcap *mcap = (Mcap *)file;
    ksiText *text = &mcap->text;
    size_t record = beginRecord(text, DATA_END);
    put(text, 0, 4);
    end(text, record, 8);
    record = beginRecord(text, FOOTER);
    put(text, 0, 8);
    put(text, 0, 8);
    put(text, 0, 4);
    end(text, record, 8);
    ksiTextAddBytes(text, magic, sizeof magic);
    ksStatus status = writeText(mcap);
    if (close(mcap->file) && status == KS_OK)
        status = fail(mcap, KS_ERROR_FILE, strerror(errno));
    freeMcap(mcap);
    return status;
}

static void abandon(ksiTraceFile *file)
{
    (void)file;
}

static ksStatus openFile(Mcap *mcap, const char *path)
{
    mcap->path = strdup(path);
    if (!mcap->path)
        return fail(mcap, KS_ERROR_NO_MEMORY, "out of memory");
    mcap->file = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    if (mcap->file < 0)
        return fail(mcap, KS_ERROR_FILE, strerror(errno));
    ksiTextAddBytes(&mcap->text, magic, sizeof magic);
    const size_t record = beginRecord(&mcap->text, HEADER);
    putString(&mcap->text, "");
    putString(&mcap->text, "kinetostat");
    end(&mcap->text, record, 8);
    return KS_OK;
}

ksStatus ksiTraceOpenMcap(const char *path, char *words, ksiTraceFile **file)
{
    Mcap *mcap = calloc(1, sizeof *mcap);
    if (!mcap) {
        snprintf(words, KSI_TRACE_WORDS, "out of memory");
        return KS_ERROR_NO_MEMORY;
    }
    mcap->base = (ksiTraceFile){addWorld, writeLines, flush, closeFile, abandon, words};
    mcap->text.allocator = &ksiLibraryAllocator;
    const ksStatus status = openFile(mcap, path);
    if (status)
        freeMcap(mcap);
    else
        *file = &mcap->base;
    return status;
}
