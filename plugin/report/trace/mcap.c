/* mcap.c  Writes an MCAP file: records, chunks with their indexes, and the end. Readers treat a
 * file that has an end but no chunks as empty. */
#include "mcap.h"

#include "../document/json.h"
#include "../files/checksum.h"

#include <stdlib.h>
#include <string.h>

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
    MUCH = 1 << 20, /* bytes of a chunk; its indexes at the end of the file are a thousand times
                       smaller */
    CHUNK_HEAD = 49
};
static const unsigned char magic[8] = {0x89, 'M', 'C', 'A', 'P', 0x30, '\r', '\n'};

/* --- Records */

static void put(ksiText *text, uint64_t x, int bytes)
{
    unsigned char byte[8];
    for (int i = 0; i < bytes; i++)
        byte[i] = (unsigned char)(x >> 8 * i);
    ksiTextAddBytes(text, byte, (size_t)bytes);
}

/* Overwrites a number. */
static void set(ksiText *text, size_t at, uint64_t x, int bytes)
{
    for (int i = 0; i < bytes && !text->isShort; i++)
        text->at[at + (size_t)i] = (char)(x >> 8 * i);
}

static void putString(ksiText *text, const char *string)
{
    put(text, strlen(string), 4);
    ksiTextAddBytes(text, string, strlen(string));
}

/* Begins a record, or a byte string in it, with room for its length. Returns the end of the length,
 * which has `width` bytes. */
static size_t begin(ksiText *text, int width)
{
    put(text, 0, width);
    return text->length;
}

static void end(ksiText *text, size_t from, int width)
{
    set(text, from - (size_t)width, text->length - from, width);
}

static size_t beginRecord(ksiText *text, int kind)
{
    put(text, (uint64_t)kind, 1);
    return begin(text, 8);
}

/* --- Chunks */

/* endChunk sets times, sizes and checksum. */
static void beginChunk(ksiMcap *mcap)
{
    static const char head[CHUNK_HEAD] = {CHUNK};
    mcap->begun = mcap->file.text.length;
    mcap->entries = 0;
    ksiTextAddBytes(&mcap->file.text, head, sizeof head);
}

static int byChannel(const void *first, const void *second)
{
    const ksiMcapEntry *a = first, *b = second;
    if (a->channel != b->channel)
        return a->channel < b->channel ? -1 : 1;
    if (a->time != b->time)
        return a->time < b->time ? -1 : 1;
    return a->at < b->at ? -1 : a->at > b->at;
}

/* Writes the message indexes after the chunk, and their places into the chunk's index. */
static void putMessageIndexes(ksiMcap *mcap)
{
    ksiText *text = &mcap->file.text;
    if (mcap->entries > 0)
        qsort(mcap->entry, mcap->entries, sizeof *mcap->entry, byChannel);
    const size_t map = begin(&mcap->chunks, 4), from = text->length;
    for (size_t i = 0; i < mcap->entries;) {
        const unsigned channel = mcap->entry[i].channel;
        put(&mcap->chunks, channel, 2);
        put(&mcap->chunks, mcap->position + text->length, 8);
        const size_t record = beginRecord(text, MESSAGE_INDEX);
        put(text, channel, 2);
        const size_t array = begin(text, 4);
        for (; i < mcap->entries && mcap->entry[i].channel == channel; i++) {
            put(text, mcap->entry[i].time, 8);
            put(text, mcap->entry[i].at, 8);
        }
        end(text, array, 4);
        end(text, record, 8);
    }
    end(&mcap->chunks, map, 4);
    put(&mcap->chunks, text->length - from, 8);
}

static void endChunk(ksiMcap *mcap)
{
    ksiText *text = &mcap->file.text;
    const size_t begun = mcap->begun, length = text->length - begun, size = length - CHUNK_HEAD;
    uint64_t first = mcap->entries ? UINT64_MAX : 0, last = 0;
    for (size_t i = 0; i < mcap->entries; i++) {
        first = mcap->entry[i].time < first ? mcap->entry[i].time : first;
        last = mcap->entry[i].time > last ? mcap->entry[i].time : last;
    }
    set(text, begun + 1, length - 9, 8);
    set(text, begun + 9, first, 8);
    set(text, begun + 17, last, 8);
    set(text, begun + 25, size, 8);
    set(text, begun + 33, text->isShort ? 0 : ksiChecksumText(0, text->at + begun + CHUNK_HEAD, size), 4);
    set(text, begun + 41, size, 8);  // not compressed
    const size_t record = beginRecord(&mcap->chunks, CHUNK_INDEX);
    put(&mcap->chunks, first, 8);
    put(&mcap->chunks, last, 8);
    put(&mcap->chunks, mcap->position + begun, 8);
    put(&mcap->chunks, length, 8);
    putMessageIndexes(mcap);
    putString(&mcap->chunks, "");
    put(&mcap->chunks, size, 8);
    put(&mcap->chunks, size, 8);
    end(&mcap->chunks, record, 8);
}

/* Counts a chunk that was written to the file. */
static void countChunk(ksiMcap *mcap)
{
    mcap->chunkCount++;
    for (size_t i = 0; i < mcap->entries; i++) {
        const ksiMcapEntry *entry = &mcap->entry[i];
        mcap->first = mcap->messages == 0 || entry->time < mcap->first ? entry->time : mcap->first;
        mcap->last = entry->time > mcap->last ? entry->time : mcap->last;
        mcap->countOf[entry->channel - 1]++;
        mcap->messages++;
    }
}

ksStatus ksiMcapFlush(ksiMcap *mcap)
{
    ksiText *text = &mcap->file.text;
    const size_t chunks = mcap->chunks.length;
    const bool isEmpty = text->length == mcap->begun + CHUNK_HEAD;
    if (isEmpty)
        text->length = mcap->begun;
    else
        endChunk(mcap);
    text->isShort |= mcap->schemas.isShort || mcap->channels.isShort || mcap->chunks.isShort;
    const uint64_t length = text->length;
    const ksStatus status = ksiTraceTextWrite(&mcap->file);
    if (status != KS_OK)
        mcap->chunks.length = chunks;
    else {
        mcap->position += length;
        if (!isEmpty)
            countChunk(mcap);
    }
    beginChunk(mcap);
    return status;
}

/* --- Schemas, channels, messages. Schemas and channels are also at the end of the file */

void ksiMcapAddSchema(ksiMcap *mcap, const char *title, json_t *schema)
{
    ksiText *text = &mcap->schemas;
    const size_t from = text->length, record = beginRecord(text, SCHEMA);
    put(text, ++mcap->schemaCount, 2);
    putString(text, title);
    putString(text, "jsonschema");
    const size_t data = begin(text, 4);
    ksiTextAddJson(text, schema, KSI_TRACE_JSON);
    end(text, data, 4);
    end(text, record, 8);
    if (!text->isShort)
        ksiTextAddBytes(&mcap->file.text, text->at + from, text->length - from);
}

unsigned ksiMcapAddChannel(ksiMcap *mcap, unsigned schema, const char *topic, const char *world, const char *name)
{
    ksiText *text = &mcap->channels;
    if (ksiReserve(&ksiLibraryAllocator, &mcap->countOf, &mcap->countCapacity, mcap->channelCount + 1u,
                   sizeof *mcap->countOf))
        return 0;
    mcap->countOf[mcap->channelCount++] = 0;
    const size_t from = text->length, record = beginRecord(text, CHANNEL);
    put(text, mcap->channelCount, 2);
    put(text, schema, 2);
    putString(text, topic);
    putString(text, "json");
    const size_t metadata = begin(text, 4);
    putString(text, "world");
    putString(text, world);
    putString(text, "name");
    putString(text, name);
    end(text, metadata, 4);
    end(text, record, 8);
    if (!text->isShort)
        ksiTextAddBytes(&mcap->file.text, text->at + from, text->length - from);
    return mcap->channelCount;
}

ksStatus ksiMcapAddMessage(ksiMcap *mcap, unsigned channel, uint64_t time, json_t *message)
{
    ksiText *text = &mcap->file.text;
    if (ksiReserve(&ksiLibraryAllocator, &mcap->entry, &mcap->entryCapacity, mcap->entries + 1, sizeof *mcap->entry)) {
        json_decref(message);
        return ksiTraceTextFail(&mcap->file, KS_ERROR_NO_MEMORY, "out of memory");
    }
    mcap->entry[mcap->entries++] = (ksiMcapEntry){time, text->length - mcap->begun - CHUNK_HEAD, channel};
    const size_t record = beginRecord(text, MESSAGE);
    put(text, channel, 2);
    put(text, mcap->sequence++, 4);
    put(text, time, 8);
    put(text, time, 8);
    ksiTextAddJson(text, message, KSI_TRACE_JSON);
    end(text, record, 8);
    return text->length - mcap->begun >= MUCH || text->isShort ? ksiMcapFlush(mcap) : KS_OK;
}

/* --- The file */

void ksiMcapBegin(ksiMcap *mcap)
{
    ksiText *text = &mcap->file.text;
    mcap->schemas.allocator = mcap->channels.allocator = mcap->chunks.allocator = &ksiLibraryAllocator;
    ksiTextAddBytes(text, magic, sizeof magic);
    const size_t record = beginRecord(text, HEADER);
    putString(text, "");
    putString(text, "kinetostat");
    end(text, record, 8);
    beginChunk(mcap);
}

static void putStatistics(ksiMcap *mcap)
{
    ksiText *text = &mcap->file.text;
    const size_t record = beginRecord(text, STATISTICS);
    put(text, mcap->messages, 8);
    put(text, mcap->schemaCount, 2);
    put(text, mcap->channelCount, 4);
    put(text, 0, 4);  // attachments, and metadata
    put(text, 0, 4);
    put(text, mcap->chunkCount, 4);
    put(text, mcap->first, 8);
    put(text, mcap->last, 8);
    const size_t counts = begin(text, 4);
    for (unsigned i = 0; i < mcap->channelCount; i++) {
        put(text, i + 1, 2);
        put(text, mcap->countOf[i], 8);
    }
    end(text, counts, 4);
    end(text, record, 8);
}

static void putEnd(ksiMcap *mcap)
{
    ksiText *text = &mcap->file.text;
    text->length = mcap->begun;
    size_t record = beginRecord(text, DATA_END);
    put(text, 0, 4);  // each chunk has its own checksum
    end(text, record, 8);
    const size_t summary = text->length;
    ksiText *const group[] = {&mcap->schemas, &mcap->channels, &mcap->chunks};
    for (int i = 0; i < 3; i++) {
        text->isShort |= group[i]->isShort;
        if (group[i]->length > 0)
            ksiTextAddBytes(text, group[i]->at, group[i]->length);
    }
    putStatistics(mcap);
    record = beginRecord(text, FOOTER);
    put(text, mcap->position + summary, 8);
    put(text, 0, 8);  // no offsets of the groups: readers read the whole end
    set(text, record - 8, 20, 8);
    put(text, text->isShort ? 0 : ksiChecksumText(0, text->at + summary, text->length - summary), 4);
    ksiTextAddBytes(text, magic, sizeof magic);
}

ksStatus ksiMcapClose(ksiMcap *mcap)
{
    putEnd(mcap);
    const ksStatus status = ksiTraceTextClose(&mcap->file);
    ksiTextFree(&mcap->schemas);
    ksiTextFree(&mcap->channels);
    ksiTextFree(&mcap->chunks);
    ksiFree(&ksiLibraryAllocator, mcap->entry);
    ksiFree(&ksiLibraryAllocator, mcap->countOf);
    return status;
}
