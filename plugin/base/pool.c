/* pool.c  Memory that is given back as a whole: a ring through all blocks. */
#include "pool.h"

#include <stdint.h>

static void take(ksiPoolBlock *block)
{
    block->before->next = block->next;
    block->next->before = block->before;
}

static void put(ksiPool *pool, ksiPoolBlock *block)
{
    *block = (ksiPoolBlock){.next = pool->ring.next, .before = &pool->ring};
    pool->ring.next = block->next->before = block;
}

/* A block that cannot grow stays in the ring, as it was. */
static void *resize(void *user, void *memory, size_t size)
{
    ksiPool *pool = user;
    ksiPoolBlock *block = memory ? (ksiPoolBlock *)memory - 1 : NULL, *made = NULL;
    if (size > SIZE_MAX - sizeof *block)
        return NULL;
    pthread_mutex_lock(&pool->lock);
    if (block)
        take(block);
    if (size > 0)
        made = pool->from.resize(pool->from.user, block, size + sizeof *block);
    else
        ksiFree(&pool->from, block);
    if (made || (block && size > 0))
        put(pool, made ? made : block);
    pthread_mutex_unlock(&pool->lock);
    return made ? made + 1 : NULL;
}

void ksiPoolOpen(ksiPool *pool, const ksAllocator *given, ksAllocator *allocator)
{
    ksiAllocatorInit(&pool->from, given);
    pool->ring.next = pool->ring.before = &pool->ring;
    pthread_mutex_init(&pool->lock, NULL);
    *allocator = (ksAllocator){resize, pool};
}

void ksiPoolClose(ksiPool *pool)
{
    for (ksiPoolBlock *block = pool->ring.next, *next; block != &pool->ring; block = next) {
        next = block->next;
        ksiFree(&pool->from, block);
    }
    pthread_mutex_destroy(&pool->lock);
}
