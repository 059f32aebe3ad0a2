/* arena.c  Links all blocks of an arena in a ring, so that it can free them all at once. */
#include "arena.h"

#include <stdint.h>

static void take(ksiArenaBlock *block)
{
    block->before->next = block->next;
    block->next->before = block->before;
}

static void put(ksiArena *arena, ksiArenaBlock *block)
{
    *block = (ksiArenaBlock){.next = arena->ring.next, .before = &arena->ring};
    arena->ring.next = block->next->before = block;
}

/* A block that cannot grow stays in the ring unchanged. */
static void *resize(void *user, void *memory, size_t size)
{
    ksiArena *arena = user;
    ksiArenaBlock *block = memory ? (ksiArenaBlock *)memory - 1 : NULL, *made = NULL;
    if (size > SIZE_MAX - sizeof *block)
        return NULL;
    pthread_mutex_lock(&arena->lock);
    if (block)
        take(block);
    if (size > 0)
        made = arena->from.resize(arena->from.user, block, size + sizeof *block);
    else
        ksiFree(&arena->from, block);
    if (made || (block && size > 0))
        put(arena, made ? made : block);
    pthread_mutex_unlock(&arena->lock);
    return made ? made + 1 : NULL;
}

void ksiArenaOpen(ksiArena *arena, const ksAllocator *given, ksAllocator *allocator)
{
    ksiAllocatorInit(&arena->from, given);
    arena->ring.next = arena->ring.before = &arena->ring;
    pthread_mutex_init(&arena->lock, NULL);
    *allocator = (ksAllocator){resize, arena};
}

void ksiArenaClose(ksiArena *arena)
{
    for (ksiArenaBlock *block = arena->ring.next, *next; block != &arena->ring; block = next) {
        next = block->next;
        ksiFree(&arena->from, block);
    }
    pthread_mutex_destroy(&arena->lock);
}
