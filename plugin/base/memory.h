/* memory.h  Buffers that grow to a high-water mark, from the allocator of their owner. */
#ifndef KSI_BASE_MEMORY_H
#define KSI_BASE_MEMORY_H

#include <kinetostat/status.h>

/* Uses malloc, realloc and free. */
extern const ksAllocator ksiLibraryAllocator;

/* Copies the given allocator; uses the C library's if `given` is NULL or has no `resize`. */
void ksiAllocatorInit(ksAllocator *allocator, const ksAllocator *given);

/* Frees memory of this allocator. NULL is allowed. */
void ksiFree(const ksAllocator *allocator, void *memory);

/* Reserves memory for count elements of the given size in *memory and keeps its contents; *capacity
 * counts elements. Grows geometrically and never shrinks. On failure nothing changes. memory:
 * address of the pointer to the elements, passed as void *. Checks count * size for overflow. */
KS_MUST_USE ksStatus ksiReserve(const ksAllocator *allocator, void *memory, size_t *capacity, size_t count,
                                size_t size);

/* memory: address of the pointer to an array; count: number of elements that the array needs; size:
 * size of an element. */
typedef struct ksiArray {
    void *memory;
    size_t count, size;
} ksiArray;

#define KSI_ARRAY(pointer, elements)                                                                                   \
    {                                                                                                                  \
        &(pointer), elements, sizeof *(pointer)                                                                        \
    }

/* Reserves memory for all arrays; after an error some may have grown. capacity: one element per
 * array. */
KS_MUST_USE ksStatus ksiReserveArrays(const ksAllocator *allocator, const ksiArray *array, size_t arrays,
                                      size_t *capacity);

#endif
