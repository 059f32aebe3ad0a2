/* arena.h  An arena: an owner of many buffers frees all at once. */
#ifndef KSI_BASE_ARENA_H
#define KSI_BASE_ARENA_H

#include "memory.h"

#include <pthread.h>

/* Stands before each block; as long as the strictest alignment of what this library keeps. */
typedef struct ksiArenaBlock {
    struct ksiArenaBlock *next, *before;
} ksiArenaBlock;

typedef struct ksiArena {
    ksAllocator from;
    ksiArenaBlock ring; /* through all blocks; it has none of its own */
    pthread_mutex_t lock;
} ksiArena;

/* allocator: the arena's, for any thread, with memory of the given one (as ksiAllocatorInit). The
 * arena stays where it is. */
void ksiArenaOpen(ksiArena *arena, const ksAllocator *given, ksAllocator *allocator);

/* Gives back all blocks that are left. */
void ksiArenaClose(ksiArena *arena);

#endif
