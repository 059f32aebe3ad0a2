/* packer.h  Chunks of the column of records, as HDF5's own filters (shuffle, deflate) would write them, made on another thread. It does not
 * call HDF5, which is for one thread. */
#ifndef KSI_REPORT_FILES_PACKER_H
#define KSI_REPORT_FILES_PACKER_H

#include <kinetostat/status.h>
#include <stdbool.h>
#include <stdint.h>

typedef struct ksiPacker ksiPacker;

enum { KSI_PACKED_CHUNKS = 4 }; /* at once */

/* words: of a chunk; level: of deflate. KS_OK, KS_ERROR_NO_MEMORY, KS_ERROR_UNAVAILABLE: this library was built without libdeflate. */
KS_MUST_USE ksStatus ksiPackerCreate(size_t words, int level, ksiPacker **packer);
void ksiPackerDestroy(ksiPacker *packer); /* NULL is fine. What is under way is waited for */

/* Copies so many words, of KSI_PACKED_CHUNKS at the most; the last chunk is filled up by zeros. Nothing is under way. */
void ksiPackerPost(ksiPacker *packer, const uint64_t *words, size_t count);

/* How many chunks were posted last and have not been waited for; SIZE_MAX: they are lost, since this is a child of fork(). */
size_t ksiPackerWait(ksiPacker *packer);

/* One of those, until the next post. NULL: it could not be packed. */
const void *ksiPackerChunk(const ksiPacker *packer, size_t index, size_t *bytes);

#endif
