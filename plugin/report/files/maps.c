/* maps.c  Memory of the library's objects, and hash maps with open addressing. */
#include "maps.h"

#include <string.h>

void *ksiRoomMake(const ksAllocator *allocator, size_t size)
{
    return allocator->resize(allocator->user, NULL, size);
}

char *ksiRoomCopy(const ksAllocator *allocator, const char *text)
{
    const size_t size = strlen(text) + 1;
    char *copy = ksiRoomMake(allocator, size);
    if (copy)
        memcpy(copy, text, size);
    return copy;
}

/* The final mixing of splitmix64, for a key of two numbers. */
static uint64_t mix(uint64_t a, uint64_t b)
{
    uint64_t x = a + 0x9e3779b97f4a7c15u * (b + 1);
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
    x = (x ^ x >> 27) * 0x94d049bb133111ebu;
    return x ^ x >> 31;
}

/* The slot of a key, or a free one for it, which always exists. */
static ksiMapSlot *slotOf(const ksiMap *map, uint64_t a, uint64_t b)
{
    size_t i = (size_t)mix(a, b) & map->mask;
    while (map->slot[i].isUsed && (map->slot[i].key[0] != a || map->slot[i].key[1] != b))
        i = (i + 1) & map->mask;
    return map->slot + i;
}

uint64_t *ksiMapFind(const ksiMap *map, uint64_t a, uint64_t b)
{
    if (map->count == 0)
        return NULL;
    ksiMapSlot *slot = slotOf(map, a, b);
    return slot->isUsed ? &slot->value : NULL;
}

static bool grow(const ksAllocator *allocator, ksiMap *map)
{
    const size_t past = map->slot ? map->mask + 1 : 0, count = past ? 2 * past : 16;
    if (count > SIZE_MAX / sizeof *map->slot)
        return false;
    ksiMapSlot *old = map->slot, *made = ksiRoomMake(allocator, count * sizeof *made);
    if (!made)
        return false;
    memset(made, 0, count * sizeof *made);
    map->slot = made;
    map->mask = count - 1;
    for (size_t i = 0; i < past; i++) {
        if (old[i].isUsed)
            *slotOf(map, old[i].key[0], old[i].key[1]) = old[i];
    }
    ksiFree(allocator, old);
    return true;
}

bool ksiMapPut(const ksAllocator *allocator, ksiMap *map, uint64_t a, uint64_t b, uint64_t value)
{
    uint64_t *known = ksiMapFind(map, a, b);
    if (known) {
        *known = value;
        return true;
    }
    if ((!map->slot || 2 * (map->count + 1) > map->mask) && !grow(allocator, map))
        return false;
    *slotOf(map, a, b) = (ksiMapSlot){.key = {a, b}, .value = value, .isUsed = true};
    map->count++;
    return true;
}

void ksiMapClear(ksiMap *map)
{
    if (map->count > 0)
        memset(map->slot, 0, (map->mask + 1) * sizeof *map->slot);
    map->count = 0;
}

void ksiMapFree(const ksAllocator *allocator, ksiMap *map)
{
    ksiFree(allocator, map->slot);
    *map = (ksiMap){0};
}
