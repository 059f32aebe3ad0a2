/* difference.c  Encodes a record as its difference to a prediction from the last record of the same
 * world. */
#include "difference.h"

#include "../files/checksum.h"

#include "../../base/memory.h"
#include "../../replay/record.h"

#include <string.h>

/* One of this many records is complete, so that a reader can begin there. */
enum { WHOLE_EVERY = 1024 };

typedef struct ksiLastRecord {
    unsigned process, world;
    uint64_t seen;     /* number of records so far */
    uint32_t checksum; /* checksum of the last record */
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

/* The last record of this world; NULL: none. */
static LastRecord *findLast(const ksiDifferences *all, const ksiWritten *written)
{
    for (size_t i = 0; i < all->count; i++)
        if (all->last[i].process == written->process && all->last[i].world == written->world)
            return &all->last[i];
    return NULL;
}

/* The last record of this world, added if it is new. NULL: out of memory. */
static LastRecord *lastOf(ksiDifferences *all, const ksiWritten *written)
{
    LastRecord *found = findLast(all, written);
    if (found || ksiReserve(&ksiLibraryAllocator, &all->last, &all->lastCapacity, all->count + 1, sizeof *all->last))
        return found;
    all->last[all->count] = (LastRecord){.process = written->process, .world = written->world};
    return &all->last[all->count++];
}

static uint32_t checksumOf(const LastRecord *last, const ksiWritten *written)
{
    const uint64_t whose[2] = {written->process, written->world};
    const uint32_t before = written->isDifference ? last->checksum : written->program;
    return ksiChecksum(ksiChecksum(before, whose, 2), written->words, written->count);
}

static bool reserve(uint64_t **words, size_t *capacity, size_t count)
{
    return !ksiReserve(&ksiLibraryAllocator, words, capacity, count, sizeof **words);
}

/* Words that hold a bit for each of `count` words. */
static size_t bitWords(size_t count)
{
    return (count + 63) / 64;
}

/* Writes the difference to the prediction into `out`, and replaces the prediction by this record.
 * Returns the number of words in `out`. */
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

bool ksiDifferencesWrite(ksiDifferences *all, const uint64_t *record, size_t count, ksiWritten *written)
{
    LastRecord *last = lastOf(all, written);
    if (!last || !reserve(&last->words, &last->capacity, count) ||
        !reserve(&all->room, &all->capacity, count + bitWords(count)))
        return false;
    written->isDifference = last->seen++ % WHOLE_EVERY != 0 && last->count == count;
    written->isExpected = written->isDifference;
    if (written->isDifference) {
        ksiExpectNext(last->words, last->count);
        written->count = encode(last, record, all->room);
        written->words = all->room;
    } else {
        memcpy(last->words, record, count * sizeof *record);
        last->count = written->count = count;
        written->words = record;
    }
    last->checksum = written->checksum = checksumOf(last, written);
    return true;
}

/* Does the record have as many words as its bits say? */
static bool isWhole(const LastRecord *last, const ksiWritten *written)
{
    const size_t bits = bitWords(last->count);
    size_t expected = bits;
    for (size_t i = 0; i < bits && bits <= written->count; i++)
        expected += (size_t)__builtin_popcountll(written->words[i]);
    return bits <= written->count && expected == written->count &&
           (last->count % 64 == 0 || written->words[bits - 1] >> last->count % 64 == 0);
}

static void decode(LastRecord *last, const uint64_t *written)
{
    size_t next = bitWords(last->count);
    for (size_t i = 0; i < last->count; i++)
        if (written[i / 64] >> i % 64 & 1)
            last->words[i] ^= written[next++];
}

ksStatus ksiDifferencesRead(ksiDifferences *all, const ksiWritten *written, const uint64_t **record, size_t *words)
{
    LastRecord *last = findLast(all, written);
    *record = NULL;
    if ((written->isDifference && (!last || !isWhole(last, written))) || checksumOf(last, written) != written->checksum)
        return KS_OK;
    if (!last)
        last = lastOf(all, written);
    if (!last || !reserve(&last->words, &last->capacity, written->count))
        return KS_ERROR_NO_MEMORY;
    if (written->isDifference) {
        if (written->isExpected)
            ksiExpectNext(last->words, last->count);
        decode(last, written->words);
    } else {
        memcpy(last->words, written->words, written->count * sizeof *written->words);
        last->count = written->count;
    }
    last->checksum = written->checksum;
    *words = last->count;
    *record = last->words;
    return KS_OK;
}
