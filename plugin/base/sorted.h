/* sorted.h  Arrays whose elements begin with a key, in ascending order of it. */
#ifndef KSI_BASE_SORTED_H
#define KSI_BASE_SORTED_H

#include "memory.h"

/* Compares a key with an element, as for bsearch. */
typedef int ksiOrder(const void *key, const void *element);

ksiOrder ksiByAddress; /* keys are pointers */
ksiOrder ksiByTwo;     /* ... pairs of integers */

/* The place of the first element that is not before the key. */
size_t ksiPlaceOf(const void *key, ksiOrder *order, const void *array, size_t count, size_t size);

/* A new element, all zero, at this place. memory, capacity: as of ksiReserve. NULL: out of
 * memory. */
void *ksiInsertAt(const ksAllocator *allocator, void *memory, size_t *capacity, size_t *count, size_t size,
                  size_t place);

/* The element with this key; a new one, which is zero but for the key, if there is none. NULL: out
 * of memory. */
void *ksiFindOrInsert(const ksAllocator *allocator, const void *key, size_t keySize, ksiOrder *order, void *memory,
                      size_t *capacity, size_t *count, size_t size);

#endif
