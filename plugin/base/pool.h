/* pool.h  Memory that is given back as a whole: an owner of many buffers need not know them one by one. */
#ifndef KSI_BASE_POOL_H
#define KSI_BASE_POOL_H

#include "memory.h"

#include <pthread.h>

/* Stands before each block; as long as the strictest alignment of what this library keeps. */
typedef struct ksiPoolBlock {
    struct ksiPoolBlock *next, *before;
} ksiPoolBlock;

typedef struct ksiPool {
    ksAllocator from;
    ksiPoolBlock ring; /* through all blocks; it has none of its own */
    pthread_mutex_t lock;
} ksiPool;

/* allocator: the pool's, for any thread, with memory of the given one (as ksiAllocatorInit). The pool stays where it is. */
void ksiPoolOpen(ksiPool *pool, const ksAllocator *given, ksAllocator *allocator);

/* Gives back all blocks that are left. */
void ksiPoolClose(ksiPool *pool);

#endif
