/* memory.c  Buffers that grow to a high-water mark. */
#include "memory.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static void *libraryResize(void *user, void *memory, size_t size)
{
    (void)user;
    if (size == 0) {
        free(memory);
        return NULL;
    }
    return realloc(memory, size);
}

const ksAllocator ksiLibraryAllocator = {libraryResize, NULL};

void ksiAllocatorInit(ksAllocator *allocator, const ksAllocator *given)
{
    if (given && given->resize)
        *allocator = *given;
    else
        *allocator = ksiLibraryAllocator;
}

void ksiFree(const ksAllocator *allocator, void *memory)
{
    if (memory)
        allocator->resize(allocator->user, memory, 0);
}

ksStatus ksiReserve(const ksAllocator *allocator, void *memory, size_t *capacity, size_t count, size_t size)
{
    if (count <= *capacity)
        return KS_OK;

    size_t wanted = *capacity + *capacity / 2;
    if (wanted < count)
        wanted = count;
    if (wanted < 8)
        wanted = 8;
    if (wanted > SIZE_MAX / size)
        return KS_ERROR_NO_MEMORY;

    // only the caller knows the pointer's type, so it is copied as bytes
    void *block;
    memcpy(&block, memory, sizeof block);
    block = allocator->resize(allocator->user, block, wanted * size);
    if (!block)
        return KS_ERROR_NO_MEMORY;
    memcpy(memory, &block, sizeof block);
    *capacity = wanted;
    return KS_OK;
}

ksStatus ksiReserveArrays(const ksAllocator *allocator, const ksiArray *array, size_t arrays, size_t *capacity)
{
    ksStatus status = KS_OK;
    for (size_t i = 0; !status && i < arrays; i++)
        status = ksiReserve(allocator, array[i].memory, &capacity[i], array[i].count, array[i].size);
    return status;
}
