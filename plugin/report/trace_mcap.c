/* trace_mcap.c  A trace as MCAP (mcap.dev/spec, version 0), for PlotJuggler and Foxglove: a channel for each joint, and one for each other table of a
 * world, whose messages are JSON by a JSON schema.
 * There are neither chunks nor an index, so a file that has no end, because its program had one, can be read as far as it goes. */
#define _GNU_SOURCE
#include "trace_text.h"

#include "json.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { HEADER = 1, FOOTER = 2, SCHEMA = 3, CHANNEL = 4, MESSAGE = 5, DATA_END = 15, MOST_CHANNELS = 65535 };
static const unsigned char magic[8] = {0x89, 'M', 'C', 'A', 'P', 0x30, '\r', '\n'};

/* Channels: of its tables, and of its joints by their lines; 0: there is none. */
typedef struct Channels {
    unsigned table[KSI_TRACE_TABLES], *joint;
    size_t jointCount, capacity;
} Channels;

typedef struct Mcap {
    ksiTraceText file;
    Channels *world;
    size_t worldCount, worldCapacity;
    unsigned channels, messages;
    const ksiTable *schema[KSI_TRACE_TABLES]; /* number i + 1 */
    unsigned schemas;
} Mcap;

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

/* --- Schemas, channels, messages */

/* 0: none is left. */
static unsigned addChannel(Mcap *mcap, const ksiTable *table, const char *world, const char *name)
{
    ksiText *text = &mcap->file.text;
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
        ksiTextAddJson(text, ksiTableSchema(table), KSI_TRACE_JSON);
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
            addChannel(mcap, &ksiReactionTable, world->name, ksiJointAt(&world->lines[0], (int64_t)joint)->name);
    return channels->joint[joint];
}

static uint64_t nanoseconds(double time)
{
    return time > 0 && time < 1e9 ? (uint64_t)llround(1e9 * time) : 0;
}

static void putMessage(Mcap *mcap, unsigned channel, double time, const ksiTable *table, const char *line,
                       const ksiLines *joints)
{
    const size_t record = beginRecord(&mcap->file.text, MESSAGE);
    put(&mcap->file.text, channel, 2);
    put(&mcap->file.text, mcap->messages++, 4);
    put(&mcap->file.text, nanoseconds(time), 8);
    put(&mcap->file.text, nanoseconds(time), 8);
    ksiTextAddJson(&mcap->file.text, ksiLineToJson(table, line, joints), KSI_TRACE_JSON);
    end(&mcap->file.text, record, 8);
}

/* --- The file */

static ksStatus addWorld(ksiTraceFile *file, int index, const ksiTraceWorld *world)
{
    Mcap *mcap = (Mcap *)file;
    if (ksiReserve(&ksiLibraryAllocator, &mcap->world, &mcap->worldCapacity, (size_t)index + 1, sizeof *mcap->world))
        return ksiTraceTextFail(&mcap->file, KS_ERROR_NO_MEMORY, "out of memory");
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
                status = ksiTraceTextFail(&mcap->file, KS_ERROR_FILE,
                                          "there are more than 65535 channels, or no memory for them");
            else
                putMessage(mcap, channel, first->time, table, line, &world->lines[0]);
            if (status == KS_OK)
                status = ksiTraceTextWriteSome(&mcap->file);
        }
    }
    return status;
}

static ksStatus closeFile(ksiTraceFile *file)
{
    Mcap *mcap = (Mcap *)file;
    ksiText *text = &mcap->file.text;
    size_t record = beginRecord(text, DATA_END);
    put(text, 0, 4);
    end(text, record, 8);
    record = beginRecord(text, FOOTER);
    put(text, 0, 8);
    put(text, 0, 8);
    put(text, 0, 4);
    end(text, record, 8);
    ksiTextAddBytes(text, magic, sizeof magic);
    const ksStatus status = ksiTraceTextClose(&mcap->file);
    for (size_t i = 0; i < mcap->worldCount; i++)
        ksiFree(&ksiLibraryAllocator, mcap->world[i].joint);
    ksiFree(&ksiLibraryAllocator, mcap->world);
    free(mcap);
    return status;
}

ksStatus ksiTraceOpenMcap(const char *path, char *words, ksiTraceFile **file)
{
    const ksiTraceFile base = {addWorld, writeLines, ksiTraceTextFlush, closeFile, ksiTraceTextAbandon, words};
    ksiTraceText *made;
    const ksStatus status = ksiTraceTextCreate(sizeof(Mcap), &base, path, &made);
    if (status)
        return status;
    ksiText *text = &made->text;
    ksiTextAddBytes(text, magic, sizeof magic);
    const size_t record = beginRecord(text, HEADER);
    putString(text, "");
    putString(text, "kinetostat");
    end(text, record, 8);
    *file = &made->base;
    return KS_OK;
}
