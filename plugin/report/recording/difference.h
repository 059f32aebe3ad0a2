/* difference.h  Records as differences to the last record of the same world, since most words do not change from step to step: first a
 * bit for each changed word, then the changed words, exclusive-or the last ones. */
#ifndef KSI_REPORT_RECORDING_DIFFERENCE_H
#define KSI_REPORT_RECORDING_DIFFERENCE_H

#include <kinetostat/status.h>
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

/* A record as it is written. Its checksum goes on from that of the record that it is a difference to, or for a whole one from that of
 * what its process runs; then come the numbers of process and world, and the words. So a difference to a record that was not read has a
 * wrong one. */
typedef struct ksiWritten {
    unsigned process, world;
    uint32_t program; /* checksum of what the process runs */
    bool isDifference;
    bool isExpected; /* ... to ksiExpectNext of the last record, not to itself */
    uint32_t checksum;
    const uint64_t *words;
    size_t count;
} ksiWritten;

/* What to write for a record of `count` words of this process and world: a difference, or now and then the whole one. false: out of
 * memory. Words are valid until the next call. */
bool ksiDifferencesWrite(ksiDifferences *all, const uint64_t *record, size_t count, ksiWritten *written);

/* The record that was written so. KS_OK: *record is NULL if it is damaged, or a difference to one that was not read; nothing is changed
 * then. Else it is valid until the next one of its world is read. KS_ERROR_NO_MEMORY. */
KS_MUST_USE ksStatus ksiDifferencesRead(ksiDifferences *all, const ksiWritten *written, const uint64_t **record,
                                        size_t *words);

#endif
