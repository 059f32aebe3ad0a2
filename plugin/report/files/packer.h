/* packer.h  Packs chunks of records with HDF5's filters (shuffle, deflate) on another thread. It
 * does not call HDF5, which supports one thread. */
#ifndef KSI_REPORT_FILES_PACKER_H
#define KSI_REPORT_FILES_PACKER_H

#include <kinetostat/status.h>
#include <stdbool.h>
#include <stdint.h>

typedef struct ksiPacker ksiPacker;

enum { KSI_PACKED_CHUNKS = 4 }; /* the largest number of chunks at a time */

/* words: number of words in a chunk; level: the level of deflate. KS_OK, KS_ERROR_NO_MEMORY,
 * KS_ERROR_UNAVAILABLE. */
KS_MUST_USE ksStatus ksiPackerCreate(size_t words, int level, ksiPacker **packer);
void ksiPackerDestroy(ksiPacker *packer); /* waits for the thread; NULL is fine */

/* Copies this many words, in at most KSI_PACKED_CHUNKS chunks, and pads the last one. Call
 * ksiPackerWait first. */
void ksiPackerPost(ksiPacker *packer, const uint64_t *words, size_t count);

/* Waits for the last post, and returns its number of chunks; 0 in a second call. SIZE_MAX: a fork()
 * lost them. */
size_t ksiPackerWait(ksiPacker *packer);

/* One of these chunks, valid until the next post. NULL: packing failed. */
const void *ksiPackerChunk(const ksiPacker *packer, size_t index, size_t *bytes);

#endif
