/* trace_mcap.c  A trace as MCAP, for PlotJuggler and Foxglove: a channel for each joint, and one for each other table of a world, whose messages are
 * JSON by a JSON schema. */
#define _GNU_SOURCE
#include "mcap.h"

#include <stdio.h>
#include <stdlib.h>

enum { MOST_CHANNELS = 65535 };

/* Channels: of its tables, and of its joints by their lines; 0: there is none. */
typedef struct Channels {
    unsigned table[KSI_TRACE_TABLES], *joint;
    size_t jointCount, capacity;
} Channels;

typedef struct Mcap {
    ksiMcap file;
    Channels *world;
    size_t worldCount, worldCapacity;
    const ksiTable *schema[KSI_TRACE_TABLES]; /* number i + 1 */
} Mcap;

/* --- Schemas, channels, messages */

/* 0: none is left. */
static unsigned addChannel(Mcap *mcap, const ksiTable *table, const char *world, const char *name)
{
    unsigned schema = 0;
    char title[64];
    while (schema < mcap->file.schemaCount && mcap->schema[schema] != table)
        schema++;
    if (mcap->file.channelCount == MOST_CHANNELS)
        return 0;
    if (schema == mcap->file.schemaCount) {
        mcap->schema[schema] = table;
        snprintf(title, sizeof title, "kinetostat.%s", table->name);
        ksiMcapAddSchema(&mcap->file, title, ksiTableSchema(table));
    }
    return ksiMcapAddChannel(&mcap->file, schema + 1, world, name);
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

/* --- The file */

static ksStatus addWorld(ksiTraceFile *file, int index, const ksiTraceWorld *world)
{
    Mcap *mcap = (Mcap *)file;
    if (ksiReserve(&ksiLibraryAllocator, &mcap->world, &mcap->worldCapacity, (size_t)index + 1, sizeof *mcap->world))
        return ksiTraceTextFail(&mcap->file.file, KS_ERROR_NO_MEMORY, "out of memory");
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
    const ksiLines *joints = &world->lines[0];
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
            status = channel ? ksiMcapAddMessage(&mcap->file, channel, first->time, ksiLineToJson(table, line, joints))
                             : ksiTraceTextFail(&mcap->file.file, KS_ERROR_FILE,
                                                "there are more than 65535 channels, or no memory for them");
        }
    }
    return status;
}

static ksStatus flush(ksiTraceFile *file)
{
    return ksiMcapFlush((ksiMcap *)file);
}

static ksStatus closeFile(ksiTraceFile *file)
{
    Mcap *mcap = (Mcap *)file;
    const ksStatus status = ksiMcapClose(&mcap->file);
    for (size_t i = 0; i < mcap->worldCount; i++)
        ksiFree(&ksiLibraryAllocator, mcap->world[i].joint);
    ksiFree(&ksiLibraryAllocator, mcap->world);
    free(mcap);
    return status;
}

ksStatus ksiTraceOpenMcap(const char *path, char *words, ksiTraceFile **file)
{
    const ksiTraceFile base = {addWorld, writeLines, flush, closeFile, ksiTraceTextAbandon, words};
    ksiTraceText *made;
    const ksStatus status = ksiTraceTextCreate(sizeof(Mcap), &base, path, &made);
    if (status)
        return status;
    ksiMcapBegin((ksiMcap *)made);
    *file = &made->base;
    return KS_OK;
}
