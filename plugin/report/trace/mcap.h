/* mcap.h  A file of MCAP (mcap.dev/spec, version 0) whose messages are JSON. What is flushed ends a chunk, which can be read without an end of the file; the
 * end has what readers look chunks, channels and messages up by. */
#ifndef KSI_REPORT_TRACE_MCAP_H
#define KSI_REPORT_TRACE_MCAP_H

#include "trace_text.h"

#include <stdint.h>

/* A message of a chunk: where its record begins there; its time in nanoseconds. */
typedef struct ksiMcapEntry {
    uint64_t time, at;
    unsigned channel;
} ksiMcapEntry;

typedef struct ksiMcap {
    ksiTraceText file;   /* its text ends with the chunk that is being filled */
    size_t begun;        /* where that begins in the text */
    uint64_t position;   /* of the text in the file */
    ksiMcapEntry *entry; /* [entries], of that chunk */
    size_t entries, entryCapacity;
    ksiText schemas, channels, chunks; /* records of the end */
    unsigned schemaCount, channelCount, chunkCount, sequence;
    uint64_t messages, first, last; /* of all chunks in the file: number, times */
    uint64_t *countOf;              /* [channelCount] the same by channel, from 1 on */
    size_t countCapacity;
} ksiMcap;

/* Whose file is open and empty, and whose other members are 0. */
void ksiMcapBegin(ksiMcap *mcap);

/* Schemas and channels have numbers from 1 on, in their order. Takes the schema. */
void ksiMcapAddSchema(ksiMcap *mcap, const char *title, json_t *schema);
/* Of a topic, with the names of its world and what it tells of as metadata. 0: out of memory. */
unsigned ksiMcapAddChannel(ksiMcap *mcap, unsigned schema, const char *topic, const char *world, const char *name);
/* Takes the message. time: ns. Some of the file may be written. */
ksStatus ksiMcapAddMessage(ksiMcap *mcap, unsigned channel, uint64_t time, json_t *message);

/* All messages go into the file. */
ksStatus ksiMcapFlush(ksiMcap *mcap);

/* What is not flushed is left out. Frees all but the struct. */
ksStatus ksiMcapClose(ksiMcap *mcap);

#endif
