/* sorted.c  Searches and inserts in arrays that are in ascending order of a key. */
#include "sorted.h"

#include <stdint.h>
#include <string.h>

int ksiByAddress(const void *key, const void *element)
{
    const uintptr_t a = (uintptr_t) * (void *const *)key, b = (uintptr_t) * (void *const *)element;
    return (a > b) - (a < b);
}

int ksiByTwo(const void *key, const void *element)
{
    const int *a = key, *b = element;
    return a[0] != b[0] ? (a[0] > b[0]) - (a[0] < b[0]) : (a[1] > b[1]) - (a[1] < b[1]);
}

size_t ksiPlaceOf(const void *key, ksiOrder *order, const void *array, size_t count, size_t size)
{
    size_t low = 0, high = count;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (order(key, (const char *)array + middle * size) > 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* Only the caller knows the pointer's type, so the pointer is copied as bytes. */
static char *elementAt(const void *memory, size_t size, size_t place)
{
    char *array;
    memcpy(&array, memory, sizeof array);
    return array ? array + place * size : NULL;
}

void *ksiInsertAt(const ksAllocator *allocator, void *memory, size_t *capacity, size_t *count, size_t size,
                  size_t place)
{
    if (ksiReserve(allocator, memory, capacity, *count + 1, size))
        return NULL;
    char *made = elementAt(memory, size, place);
    memmove(made + size, made, ((*count)++ - place) * size);
    return memset(made, 0, size);
}

void *ksiFindOrInsert(const ksAllocator *allocator, const void *key, size_t keySize, ksiOrder *order, void *memory,
                      size_t *capacity, size_t *count, size_t size)
{
    const size_t place = ksiPlaceOf(key, order, elementAt(memory, size, 0), *count, size);
    void *found = elementAt(memory, size, place);
    if (place < *count && order(key, found) == 0)
        return found;
    found = ksiInsertAt(allocator, memory, capacity, count, size, place);
    return found ? memcpy(found, key, keySize) : NULL;
}
