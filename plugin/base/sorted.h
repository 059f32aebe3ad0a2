/* sorted.h  Arrays whose elements begin with a key, in ascending order of the key. */
#ifndef KSI_BASE_SORTED_H
#define KSI_BASE_SORTED_H

#include "memory.h"

/* Compares a key with an element, like bsearch's comparison function. */
typedef int ksiOrder(const void *key, const void *element);

ksiOrder ksiByAddress; /* keys are pointers */
ksiOrder ksiByTwo;     /* keys are pairs of integers */

/* The index of the first element that does not precede the key. */
size_t ksiPlaceOf(const void *key, ksiOrder *order, const void *array, size_t count, size_t size);

/* Inserts an element, all zero, at this index. memory, capacity: see ksiReserve. NULL: out of
 * memory. */
void *ksiInsertAt(const ksAllocator *allocator, void *memory, size_t *capacity, size_t *count, size_t size,
                  size_t place);

/* Finds the element with this key, or inserts one that is zero apart from the key. NULL: out of
 * memory. */
void *ksiFindOrInsert(const ksAllocator *allocator, const void *key, size_t keySize, ksiOrder *order, void *memory,
                      size_t *capacity, size_t *count, size_t size);

#endif
