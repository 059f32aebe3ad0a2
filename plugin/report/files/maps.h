/* maps.h  Memory of this library's objects, and hash maps. */
#ifndef KSI_REPORT_FILES_MAPS_H
#define KSI_REPORT_FILES_MAPS_H

#include "../../base/memory.h"

#include <stdbool.h>
#include <stdint.h>

/* size > 0; NULL: out of memory. Free it with ksiFree. */
void *ksiRoomMake(const ksAllocator *allocator, size_t size);
char *ksiRoomCopy(const ksAllocator *allocator, const char *text);

/* Maps pairs of numbers to numbers. All zero: empty. */
typedef struct ksiMapSlot {
    uint64_t key[2];
    uint64_t value;
    bool isUsed;
} ksiMapSlot;

typedef struct ksiMap {
    ksiMapSlot *slot;
    size_t count, mask; /* mask: number of slots - 1 */
} ksiMap;

/* The value of a key, readable and writable until the next addition; NULL: none. */
uint64_t *ksiMapFind(const ksiMap *map, uint64_t a, uint64_t b);
/* Adds a key or changes its value; false: out of memory. */
bool ksiMapPut(const ksAllocator *allocator, ksiMap *map, uint64_t a, uint64_t b, uint64_t value);
void ksiMapClear(ksiMap *map); /* keeps the memory */
void ksiMapFree(const ksAllocator *allocator, ksiMap *map);

#endif
