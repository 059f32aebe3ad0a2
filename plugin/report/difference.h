/* difference.h  Records as differences to the last one of the same world, of which most words do not change from step to step: first a
 * bit for each word, whether it has changed, then those that have, exclusive-or the last ones. */
#ifndef KSI_DIFFERENCE_H
#define KSI_DIFFERENCE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The last record of each world. All zero: empty. */
typedef struct ksiDifferences {
    struct ksiLastRecord *last;
    size_t count, lastCapacity;
    uint64_t *room;
    size_t capacity;
} ksiDifferences;

void ksiDifferencesFree(ksiDifferences *all);

/* What to write for a record: a difference, or now and then the whole one. NULL: out of memory. Valid until
 * the next call. */
const uint64_t *ksiDifferencesWrite(ksiDifferences *all, unsigned process, unsigned world, const uint64_t *record,
                                    size_t count, size_t *written, bool *isDifference);

/* The record that was written so, if all since the last whole one of its world were read before it. NULL: out of memory, or it makes no
 * sense. Valid until the next call. */
const uint64_t *ksiDifferencesRead(ksiDifferences *all, unsigned process, unsigned world, const uint64_t *written,
                                   size_t count, bool isDifference, size_t *words);

#endif
