/* packer.c  Packs chunks with two of HDF5's filters. Shuffle puts the first bytes of all words of a
 * chunk first, then the second bytes, and so on. Deflate comes from libdeflate, which takes less
 * than half of zlib's time. */
#include "packer.h"

#ifdef KS_HAVE_DEFLATE

#include "../../base/memory.h"
#include "../../base/worker.h"

#include <libdeflate.h>
#include <stdlib.h>
#include <string.h>

struct ksiPacker {
    ksiWorker *worker;
    struct libdeflate_compressor *compressor;
    size_t words, room; /* words of a chunk; largest size of a packed chunk, bytes */
    uint64_t *from;     /* [KSI_PACKED_CHUNKS * words] */
    unsigned char *shuffled, *to;
    size_t size[KSI_PACKED_CHUNKS]; /* bytes of packed chunks; 0: packing failed */
    size_t count;                   /* number of posted chunks */
};

/* Shuffles the bytes of 64-bit words, in their order in memory. */
static void shuffle(const ksiPacker *packer, const unsigned char *from)
{
    enum { BYTES = sizeof(uint64_t) };
    for (size_t byte = 0; byte < BYTES; byte++) {
        unsigned char *to = packer->shuffled + byte * packer->words;
        for (size_t i = 0; i < packer->words; i++)
            to[i] = from[BYTES * i + byte];
    }
}

static void pack(void *of)
{
    ksiPacker *packer = of;
    const size_t bytes = packer->words * sizeof(uint64_t);
    for (size_t i = 0; i < packer->count; i++) {
        shuffle(packer, (const unsigned char *)(packer->from + i * packer->words));
        packer->size[i] = libdeflate_zlib_compress(packer->compressor, packer->shuffled, bytes,
                                                   packer->to + i * packer->room, packer->room);
    }
}

ksStatus ksiPackerCreate(size_t words, int level, ksiPacker **packer)
{
    ksiPacker *made = calloc(1, sizeof *made);
    if (!made)
        return KS_ERROR_NO_MEMORY;
    made->words = words;
    made->room = libdeflate_zlib_compress_bound(NULL, words * sizeof(uint64_t));
    made->compressor = libdeflate_alloc_compressor(level);
    made->from = malloc(KSI_PACKED_CHUNKS * words * sizeof(uint64_t));
    made->shuffled = malloc(words * sizeof(uint64_t));
    made->to = malloc(KSI_PACKED_CHUNKS * made->room);
    if (!made->compressor || !made->from || !made->shuffled || !made->to ||
        ksiWorkerCreate(&ksiLibraryAllocator, NULL, pack, made, &made->worker)) {
        ksiPackerDestroy(made);
        return KS_ERROR_NO_MEMORY;
    }
    *packer = made;
    return KS_OK;
}

void ksiPackerDestroy(ksiPacker *packer)
{
    if (!packer)
        return;
    ksiWorkerDestroy(packer->worker);
    libdeflate_free_compressor(packer->compressor);
    free(packer->from);
    free(packer->shuffled);
    free(packer->to);
    free(packer);
}

void ksiPackerPost(ksiPacker *packer, const uint64_t *words, size_t count)
{
    packer->count = (count + packer->words - 1) / packer->words;
    memcpy(packer->from, words, count * sizeof *words);
    memset(packer->from + count, 0, (packer->count * packer->words - count) * sizeof *words);
    ksiWorkerPost(packer->worker);
}

size_t ksiPackerWait(ksiPacker *packer)
{
    const size_t count = packer->count;
    const bool isDone = count == 0 || ksiWorkerWait(packer->worker);
    packer->count = 0;
    return isDone ? count : SIZE_MAX;
}

const void *ksiPackerChunk(const ksiPacker *packer, size_t index, size_t *bytes)
{
    *bytes = packer->size[index];
    return *bytes > 0 ? packer->to + index * packer->room : NULL;
}

#else

ksStatus ksiPackerCreate(size_t words, int level, ksiPacker **packer)
{
    (void)words, (void)level, (void)packer;
    return KS_ERROR_UNAVAILABLE;
}

void ksiPackerDestroy(ksiPacker *packer)
{
    (void)packer;
}

void ksiPackerPost(ksiPacker *packer, const uint64_t *words, size_t count)
{
    (void)packer, (void)words, (void)count;
}

size_t ksiPackerWait(ksiPacker *packer)
{
    (void)packer;
    return 0;
}

const void *ksiPackerChunk(const ksiPacker *packer, size_t index, size_t *bytes)
{
    (void)packer, (void)index;
    *bytes = 0;
    return NULL;
}

#endif
