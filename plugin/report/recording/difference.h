/* difference.h  Stores a record as its difference to a prediction from the last record of the same
 * world, since most words are as predicted. A difference begins with a bit for each word, which is
 * set if the word differs from its prediction. Then follows, for each word that differs, the
 * exclusive or of the word and its prediction. */
#ifndef KSI_REPORT_RECORDING_DIFFERENCE_H
#define KSI_REPORT_RECORDING_DIFFERENCE_H

#include <kinetostat/status.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The last record of each world. Zero-initialised: empty. */
typedef struct ksiDifferences {
    struct ksiLastRecord *last;
    size_t count, lastCapacity;
    uint64_t *room;
    size_t capacity;
} ksiDifferences;

void ksiDifferencesFree(ksiDifferences *all);

/* A record as it is stored. Its checksum continues the checksum of its predecessor or, for a
 * complete record, of its process's program. It covers the numbers of process and world, and the
 * words. So a difference to an unread record has a wrong checksum. */
typedef struct ksiWritten {
    unsigned process, world;
    uint32_t program; /* checksum of the process's program */
    bool isDifference;
    bool isExpected; /* the difference refers to ksiExpectNext of the last record */
    uint32_t checksum;
    const uint64_t *words;
    size_t count;
} ksiWritten;

/* Sets the words to store for a record of `count` words: a difference, or sometimes the complete
 * record. They are valid until the next call. false: out of memory. */
bool ksiDifferencesWrite(ksiDifferences *all, const uint64_t *record, size_t count, ksiWritten *written);

/* Decodes a record. KS_OK: *record is valid until the next record of its world is read. NULL: the
 * record is damaged or refers to an unread one; nothing has changed. KS_ERROR_NO_MEMORY. */
KS_MUST_USE ksStatus ksiDifferencesRead(ksiDifferences *all, const ksiWritten *written, const uint64_t **record,
                                        size_t *words);

#endif
