/* pointers.c  A hash table with open addressing and linear probing, at most half full. */
#include "pointers.h"

#include <stdint.h>
#include <string.h>

static size_t place(const ksiPointers *map, const void *key)
{
    // Fibonacci hashing: allocators align addresses, so the low bits are always zero
    uint64_t hash = (uint64_t)(uintptr_t)key * UINT64_C(0x9E3779B97F4A7C15);
    return (size_t)(hash >> 32) & map->mask;
}

ksStatus ksiPointersReset(const ksAllocator *allocator, ksiPointers *map, size_t count)
{
    size_t size = 16;
    while (size < 2 * count)
        size *= 2;
    ksStatus status = ksiReserve(allocator, &map->slot, &map->capacity, size, sizeof *map->slot);
    if (status)
        return status;
    map->mask = size - 1;
    memset(map->slot, 0, size * sizeof *map->slot);
    return KS_OK;
}

void ksiPointersAdd(ksiPointers *map, const void *key, int value)
{
    size_t at = place(map, key);
    while (map->slot[at].key && map->slot[at].key != key)
        at = (at + 1) & map->mask;
    map->slot[at].key = key;
    map->slot[at].value = value;
}

int ksiPointersFind(const ksiPointers *map, const void *key)
{
    if (!map->slot || !key)
        return -1;
    for (size_t at = place(map, key); map->slot[at].key; at = (at + 1) & map->mask) {
        if (map->slot[at].key == key)
            return map->slot[at].value;
    }
    return -1;
}
