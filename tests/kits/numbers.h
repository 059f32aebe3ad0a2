/* numbers.h  The order of numbers, and random ones. */
#ifndef TESTS_KITS_NUMBERS_H
#define TESTS_KITS_NUMBERS_H

#include <stdint.h>

/* For qsort. */
static inline int ascending(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* xorshift64*: G. Marsaglia, S. Vigna */
static inline uint64_t drawBits(uint64_t *state)
{
    *state ^= *state >> 12;
    *state ^= *state << 25;
    *state ^= *state >> 27;
    return *state * UINT64_C(2685821657736338717);
}

#endif
