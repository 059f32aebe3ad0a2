/* room.h  Arrays that grow, and maps, of this library's objects: the core keeps its own to itself. */
#ifndef KSI_ROOM_H
#define KSI_ROOM_H

#include <kinetostat/status.h>

#include <stdbool.h>
#include <stdint.h>

/* The given allocator; NULL or all zero: the C library's. */
ksAllocator ksiRoomAllocator(const ksAllocator *given);

/* size > 0; NULL: out of memory. NULL is fine to be freed. */
void *ksiRoomMake(const ksAllocator *allocator, size_t size);
void ksiRoomFree(const ksAllocator *allocator, void *memory);
char *ksiRoomCopy(const ksAllocator *allocator, const char *text);

/* Room for count elements in *memory, a pointer to the element type; the old ones stay. false: out of memory, all is as it
 * was. */
bool ksiRoomGrow(const ksAllocator *allocator, void *memory, size_t *capacity, size_t count, size_t size);

/* From pairs of numbers to a number. All zero: empty. */
typedef struct ksiMapSlot {
    uint64_t key[2];
    uint64_t value;
    bool isUsed;
} ksiMapSlot;

typedef struct ksiMap {
    ksiMapSlot *slot;
    size_t count, mask; /* slots - 1 */
} ksiMap;

/* The value of a key, to be read or changed until the next one is added; NULL: none. */
uint64_t *ksiMapFind(const ksiMap *map, uint64_t a, uint64_t b);
/* Adds or changes; false: out of memory. */
bool ksiMapPut(const ksAllocator *allocator, ksiMap *map, uint64_t a, uint64_t b, uint64_t value);
void ksiMapClear(ksiMap *map); /* keeps the memory */
void ksiMapFree(const ksAllocator *allocator, ksiMap *map);

#endif
