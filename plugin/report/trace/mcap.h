/* mcap.h  A file of MCAP (mcap.dev/spec, version 0) whose messages are JSON. A flush ends a chunk,
 * which can be read without the end of the file. The end has the indexes of chunks, channels and
 * messages. */
#ifndef KSI_REPORT_TRACE_MCAP_H
#define KSI_REPORT_TRACE_MCAP_H

#include "trace_text.h"

#include <stdint.h>

/* A message of a chunk: the offset of its record in the chunk; its time in nanoseconds. */
typedef struct ksiMcapEntry {
    uint64_t time, at;
    unsigned channel;
} ksiMcapEntry;

typedef struct ksiMcap {
    ksiTraceText file;   /* its text ends with the chunk that is being filled */
    size_t begun;        /* offset of that chunk in the text */
    uint64_t position;   /* of the text in the file */
    ksiMcapEntry *entry; /* [entries], of that chunk */
    size_t entries, entryCapacity;
    ksiText schemas, channels, chunks; /* records of the end */
    unsigned schemaCount, channelCount, chunkCount, sequence;
    uint64_t messages, first, last; /* of all chunks in the file: number, times */
    uint64_t *countOf;              /* [channelCount] the same by channel, from 1 on */
    size_t countCapacity;
} ksiMcap;

/* Begins an open, empty file; the other members are 0. */
void ksiMcapBegin(ksiMcap *mcap);

/* Schemas and channels have numbers from 1 on, in their order. Takes the schema. */
void ksiMcapAddSchema(ksiMcap *mcap, const char *title, json_t *schema);
/* Adds the channel of a topic, with the names of its world and its subject as metadata. 0: out of
 * memory. */
unsigned ksiMcapAddChannel(ksiMcap *mcap, unsigned schema, const char *topic, const char *world, const char *name);
/* Takes the message. time: ns. May write a part of the file. */
ksStatus ksiMcapAddMessage(ksiMcap *mcap, unsigned channel, uint64_t time, json_t *message);

/* Writes all messages into the file. */
ksStatus ksiMcapFlush(ksiMcap *mcap);

/* Drops unflushed messages. Frees all but the struct. */
ksStatus ksiMcapClose(ksiMcap *mcap);

#endif
