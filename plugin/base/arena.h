/* arena.h  An arena: frees all buffers of one owner at once. */
#ifndef KSI_BASE_ARENA_H
#define KSI_BASE_ARENA_H

#include "memory.h"

#include <pthread.h>

/* Precedes each block; its size is a multiple of the strictest alignment that this library
 * needs. */
typedef struct ksiArenaBlock {
    struct ksiArenaBlock *next, *before;
} ksiArenaBlock;

typedef struct ksiArena {
    ksAllocator from;
    ksiArenaBlock ring; /* head of the ring of blocks; not a block itself */
    pthread_mutex_t lock;
} ksiArena;

/* *allocator: gives memory from `given` (see ksiAllocatorInit) to any thread. The arena must not
 * move in memory. */
void ksiArenaOpen(ksiArena *arena, const ksAllocator *given, ksAllocator *allocator);

/* Frees all remaining blocks. */
void ksiArenaClose(ksiArena *arena);

#endif
