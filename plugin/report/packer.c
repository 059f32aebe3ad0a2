/* packer.c  The filters of HDF5: shuffle puts the first bytes of all words of a chunk first, then the second ones, and so on; deflate is
 * zlib's. */
#include "packer.h"

#ifdef KS_HAVE_ZLIB

#include "../base/memory.h"
#include "../base/worker.h"

#include <stdlib.h>
#include <string.h>
#include <zlib.h>

struct ksiPacker {
    ksiWorker *worker;
    int level;
    size_t words, room; /* of a chunk; bytes of a packed one at the most */
    uint64_t *from;     /* [KSI_PACKED_CHUNKS * words] */
    unsigned char *shuffled, *to;
    size_t size[KSI_PACKED_CHUNKS]; /* of packed ones; 0: it failed */
    size_t count;                   /* posted */
};

/* Words of 64 bits as they lie in memory. */
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
        uLongf size = packer->room;
        shuffle(packer, (const unsigned char *)(packer->from + i * packer->words));
        const int failed = compress2(packer->to + i * packer->room, &size, packer->shuffled, bytes, packer->level);
        packer->size[i] = failed ? 0 : size;
    }
}

ksStatus ksiPackerCreate(size_t words, int level, ksiPacker **packer)
{
    ksiPacker *made = calloc(1, sizeof *made);
    if (!made)
        return KS_ERROR_NO_MEMORY;
    made->level = level;
    made->words = words;
    made->room = compressBound(words * sizeof(uint64_t));
    made->from = malloc(KSI_PACKED_CHUNKS * words * sizeof(uint64_t));
    made->shuffled = malloc(words * sizeof(uint64_t));
    made->to = malloc(KSI_PACKED_CHUNKS * made->room);
    if (!made->from || !made->shuffled || !made->to ||
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
