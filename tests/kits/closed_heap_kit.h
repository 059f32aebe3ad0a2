/* closed_heap_kit.h  Memory that cannot be read once it is freed: each block has pages of its own,
 * and reading a freed block ends the process at once, with and without a sanitizer. */
#ifndef TESTS_KITS_CLOSED_HEAP_KIT_H
#define TESTS_KITS_CLOSED_HEAP_KIT_H

#include <kinetostat/kinetostat.h>
#include <ode/ode.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum {
    HEAD = 64,
    PAGE = 4096
}; /* bytes; the head stores the size of the block's pages, and keeps
                                    the block aligned */

/* No address is used twice. */
static inline void *openBlock(size_t size)
{
    enum { ROOM = 1 << 26 };
    static char *next, *end;
    const size_t bytes = (HEAD + size + PAGE - 1) / PAGE * PAGE;
    if (bytes > (size_t)(end - next)) {
        next = mmap(NULL, ROOM, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
        end = next + ROOM;
    }
    if (next == MAP_FAILED || bytes > ROOM)
        abort();
    char *at = next;
    next += bytes;
    memcpy(at, &bytes, sizeof bytes);
    return at + HEAD;
}

static inline void closeBlock(void *block)
{
    size_t bytes;
    if (!block)
        return;
    char *at = (char *)block - HEAD;
    memcpy(&bytes, at, sizeof bytes);
    if (mmap(at, bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1, 0) == MAP_FAILED)
        abort();
}

static inline void *moveBlock(void *block, size_t size)
{
    size_t bytes;
    void *moved = openBlock(size);
    if (!block)
        return moved;
    memcpy(&bytes, (char *)block - HEAD, sizeof bytes);
    memcpy(moved, block, bytes - HEAD < size ? bytes - HEAD : size);
    closeBlock(block);
    return moved;
}

static inline void closeOfEngine(void *block, size_t size)
{
    (void)size;
    closeBlock(block);
}

static inline void *moveOfEngine(void *block, size_t old, size_t size)
{
    (void)old;
    return moveBlock(block, size);
}

/* For the engine; call it before dInitODE2. */
static inline void useClosedHeap(void)
{
    dSetAllocHandler(openBlock);
    dSetReallocHandler(moveOfEngine);
    dSetFreeHandler(closeOfEngine);
}

/* For the library. */
static inline void *resizeClosed(void *user, void *memory, size_t size)
{
    (void)user;
    if (size > 0)
        return moveBlock(memory, size);
    closeBlock(memory);
    return NULL;
}

#endif
