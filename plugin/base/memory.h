/* memory.h  Buffers that grow to a high-water mark, from the allocator of their owner. */
#ifndef KSI_BASE_MEMORY_H
#define KSI_BASE_MEMORY_H

#include <kinetostat/status.h>

/* The C library's. */
extern const ksAllocator ksiLibraryAllocator;

/* Sets up an allocator: a copy of the given one; if that is NULL or all zero, the C library's. */
void ksiAllocatorInit(ksAllocator *allocator, const ksAllocator *given);

/* Frees memory of this allocator. NULL is fine. */
void ksiFree(const ksAllocator *allocator, void *memory);

/* Reserves memory for count elements of the given size in *memory, keeping its contents; *capacity
 * counts elements. Grows geometrically and never shrinks. On failure everything is as before.
 * memory points to a pointer to the element type, passed as void *. The size product is checked for
 * overflow. */
KS_MUST_USE ksStatus ksiReserve(const ksAllocator *allocator, void *memory, size_t *capacity, size_t count,
                                size_t size);

/* A pointer to the array's pointer, and how many elements of which size it is to have. */
typedef struct ksiArray {
    void *memory;
    size_t count, size;
} ksiArray;

#define KSI_ARRAY(pointer, elements)                                                                                   \
    {                                                                                                                  \
        &(pointer), elements, sizeof *(pointer)                                                                        \
    }

/* capacity: one for each of them */
KS_MUST_USE ksStatus ksiReserveArrays(const ksAllocator *allocator, const ksiArray *array, size_t arrays,
                                      size_t *capacity);

#endif
