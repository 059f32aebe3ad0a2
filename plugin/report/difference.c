/* difference.c  Records as differences to the last one of the same world. */
#include "difference.h"

#include "../base/memory.h"

#include <string.h>

/* One whole record of so many: a reader may begin there. */
enum { WHOLE_EVERY = 1024 };

typedef struct ksiLastRecord {
    unsigned process, world;
    uint64_t seen; /* records */
    uint64_t *words;
    size_t count, capacity;
} LastRecord;

void ksiDifferencesFree(ksiDifferences *all)
{
    for (size_t i = 0; i < all->count; i++)
        ksiFree(&ksiLibraryAllocator, all->last[i].words);
    ksiFree(&ksiLibraryAllocator, all->last);
    ksiFree(&ksiLibraryAllocator, all->room);
    *all = (ksiDifferences){.count = 0};
}

/* NULL: out of memory. */
static LastRecord *lastOf(ksiDifferences *all, unsigned process, unsigned world)
{
    for (size_t i = 0; i < all->count; i++)
        if (all->last[i].process == process && all->last[i].world == world)
            return &all->last[i];
    if (ksiReserve(&ksiLibraryAllocator, &all->last, &all->lastCapacity, all->count + 1, sizeof *all->last))
        return NULL;
    all->last[all->count] = (LastRecord){.process = process, .world = world};
    return &all->last[all->count++];
}

static bool reserve(uint64_t **words, size_t *capacity, size_t count)
{
    return !ksiReserve(&ksiLibraryAllocator, words, capacity, count, sizeof **words);
}

/* A bit for each word. */
static size_t bitWords(size_t count)
{
    return (count + 63) / 64;
}

/* The last record becomes this one. Returns the number of words that are written. */
static size_t encode(LastRecord *last, const uint64_t *record, uint64_t *out)
{
    const size_t bits = bitWords(last->count);
    size_t written = bits;
    memset(out, 0, bits * sizeof *out);
    for (size_t i = 0; i < last->count; i++) {
        const uint64_t change = record[i] ^ last->words[i];
        if (change == 0)
            continue;
        out[i / 64] |= UINT64_C(1) << i % 64;
        out[written++] = change;
        last->words[i] = record[i];
    }
    return written;
}

const uint64_t *ksiDifferencesWrite(ksiDifferences *all, unsigned process, unsigned world, const uint64_t *record,
                                    size_t count, size_t *written, bool *isDifference)
{
    LastRecord *last = lastOf(all, process, world);
    if (!last || !reserve(&last->words, &last->capacity, count) ||
        !reserve(&all->room, &all->capacity, count + bitWords(count)))
        return NULL;
    *isDifference = last->seen++ % WHOLE_EVERY != 0 && last->count == count;
    if (*isDifference) {
        *written = encode(last, record, all->room);
        return all->room;
    }
    memcpy(last->words, record, count * sizeof *record);
    last->count = *written = count;
    return record;
}

static bool decode(LastRecord *last, const uint64_t *written, size_t count)
{
    size_t next = bitWords(last->count);
    if (next > count)
        return false;
    for (size_t i = 0; i < last->count; i++) {
        if (!(written[i / 64] >> i % 64 & 1))
            continue;
        if (next >= count)
            return false;
        last->words[i] ^= written[next++];
    }
    return next == count;
}

const uint64_t *ksiDifferencesRead(ksiDifferences *all, unsigned process, unsigned world, const uint64_t *written,
                                   size_t count, bool isDifference, size_t *words)
{
    LastRecord *last = lastOf(all, process, world);
    if (!last || (isDifference && !decode(last, written, count)))
        return NULL;
    if (!isDifference) {
        if (!reserve(&last->words, &last->capacity, count))
            return NULL;
        memcpy(last->words, written, count * sizeof *written);
        last->count = count;
    }
    *words = last->count;
    return last->words;
}
