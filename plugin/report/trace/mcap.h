/* mcap.h  An MCAP file (mcap.dev/spec, version 0) whose messages are JSON. A flush ends a chunk,
 * which is readable without the end of the file. The end has the indexes of chunks, channels and
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
    ksiTraceText file;   /* its text ends with the unfinished chunk */
    size_t begun;        /* offset of that chunk in the text */
    uint64_t position;   /* offset of the text in the file */
    ksiMcapEntry *entry; /* [entries], the messages of that chunk */
    size_t entries, entryCapacity;
    ksiText schemas, channels, chunks; /* records for the end of the file */
    unsigned schemaCount, channelCount, chunkCount, sequence;
    uint64_t messages, first, last; /* number of the messages in all finished chunks, and their
                                       first and last times, ns */
    uint64_t *countOf;              /* [channelCount], the number of these messages by channel, from
                                       channel 1 */
    size_t countCapacity;
} ksiMcap;

/* Begins an open, empty file; the other members must be 0. */
void ksiMcapBegin(ksiMcap *mcap);

/* Schemas and channels are numbered from 1, in order. Takes ownership of the schema. */
void ksiMcapAddSchema(ksiMcap *mcap, const char *title, json_t *schema);
/* Adds the channel of a topic; its metadata name its world and its subject. 0: out of memory. */
unsigned ksiMcapAddChannel(ksiMcap *mcap, unsigned schema, const char *topic, const char *world, const char *name);
/* Takes ownership of the message. time: ns. May write a part of the file. */
ksStatus ksiMcapAddMessage(ksiMcap *mcap, unsigned channel, uint64_t time, json_t *message);

/* Writes all messages into the file. */
ksStatus ksiMcapFlush(ksiMcap *mcap);

/* Drops unflushed messages. Frees everything but the struct. */
ksStatus ksiMcapClose(ksiMcap *mcap);

#endif
