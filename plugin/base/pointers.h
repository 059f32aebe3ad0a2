/* pointers.h  A map from addresses to indices. It never dereferences an address. */
#ifndef KSI_BASE_POINTERS_H
#define KSI_BASE_POINTERS_H

#include "memory.h"

typedef struct ksiPointers {
    struct ksiPointerSlot {
        const void *key;
        int value;
    } * slot;
    size_t capacity; /* slots allocated */
    size_t mask;     /* m - 1 if the table has m slots; m is a power of two */
} ksiPointers;

/* Empties the map and reserves memory for count addresses. */
KS_MUST_USE ksStatus ksiPointersReset(const ksAllocator *allocator, ksiPointers *map, size_t count);

/* Adds an address that is not NULL, up to the reserved count. */
void ksiPointersAdd(ksiPointers *map, const void *key, int value);

/* The index of an address, or -1. */
int ksiPointersFind(const ksiPointers *map, const void *key);

#endif
