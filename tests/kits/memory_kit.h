/* memory_kit.h  An allocator that counts and fails, for tests of lack of memory. */
#ifndef TESTS_KITS_MEMORY_KIT_H
#define TESTS_KITS_MEMORY_KIT_H

#include <stdatomic.h>
#include <stdlib.h>

/* Counts requests and allocated blocks, on all threads; refuses request number `refuse` (from 1; 0:
 * none), and all after it if `all`. */
typedef struct Counter {
    atomic_long requests, held;
    long refuse;
    int all;
} Counter;

static inline void *countingResize(void *user, void *memory, size_t size)
{
    Counter *counter = user;
    if (size == 0) {
        counter->held -= memory != NULL;
        free(memory);
        return NULL;
    }
    const long request = ++counter->requests;
    if (counter->refuse > 0 && (request == counter->refuse || (counter->all && request > counter->refuse)))
        return NULL;
    void *block = realloc(memory, size);
    if (block && !memory)
        counter->held++;
    return block;
}

/* A memory manager for the engine. engineBlocks: the number of blocks that it still allocates. */
static int engineBlocks;

static inline void *fewBlocks(size_t size)
{
    return engineBlocks-- > 0 ? malloc(size) : NULL;
}

static inline void *sameBlock(void *block, size_t size, size_t smaller)
{
    (void)size, (void)smaller;
    return block;
}

static inline void freeBlock(void *block, size_t size)
{
    (void)size;
    free(block);
}

#endif
