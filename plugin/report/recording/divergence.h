/* divergence.h  Finds the first different step of each world in two recordings, the differences, and their cause. */
#ifndef KSI_REPORT_RECORDING_DIVERGENCE_H
#define KSI_REPORT_RECORDING_DIVERGENCE_H

#include "../collect/run.h"
#include "../files/text.h"
#include "world_name.h"

#include "../../replay/again.h"
#include "../../replay/compare.h"

#include <jansson.h>

/* Causes beside ksiCause, as bits: the recordings are of different builds of the engine; nothing in them tells why. */
#define KSI_OTHER_ENGINE (1u << KSI_CAUSES)
#define KSI_CAUSE_NOT_KNOWN (1u << (KSI_CAUSES + 1))

typedef struct ksiCompareOptions {
    double tolerance;     /* 0: to the bit; else differences beyond it are looked for, too */
    const char *world[2]; /* one of each recording, by name; NULL: all */
    ksiAgain (*again)(const ksiStepRecord *record, void *user); /* ksiStepAgain, where that is safe; NULL: it is not */
    void *user;
} ksiCompareOptions;

enum { KSI_OBJECT_NAME = 160 };
typedef struct ksiNamedFinding {
    ksiFinding found;
    unsigned changedBy;          /* ksiChangedBy */
    char of[2][KSI_OBJECT_NAME]; /* clean; empty: not there, or the world */
} ksiNamedFinding;

/* A step in which they differ. */
typedef struct ksiDivergence {
    bool isThere;
    bool isInput;     /* else what went in is the same, and what came of it is not */
    bool isAfterSame; /* it is the first step of both, or the one before is the same in both */
    bool isForeign;   /* another engine has made it */
    uint64_t step;
    double time; /* s */
    unsigned causes;
    ksiAgain again[2]; /* of the first one alone */
    size_t count;
    ksiNamedFinding *finding; /* in the order of causes */
} ksiDivergence;

typedef struct ksiWorldPair {
    char name[2][KSI_WORLD_NAME]; /* clean; empty: there is none in this recording */
    uint64_t compared, alone[2];  /* steps; those that are recorded in one alone, as far as it was read */
    size_t damaged[2];            /* records */
    uint64_t steps[2];            /* of the world, as far as it was read */
    bool isShorter[2];            /* it ends where the other one goes on */
    int64_t otherSeeds;           /* first step with other seeds, or -1 */
    uint64_t threads;             /* of the engine, the most */
    size_t place;                 /* of the first divergence in the first recording, in records */
    ksiDivergence first, beyond;  /* to the bit; beyond the tolerance */
} ksiWorldPair;

typedef struct ksiRecordingPair {
    const char *path[2];
    ksiRun run[2];                 /* clean */
    bool isOfHost[2];              /* there is no run */
    size_t records[2], damaged[2]; /* damaged: of those that were read */
    double tolerance;
    ksiWorldPair *world; /* those that differ first, by where */
    size_t count, capacity;
} ksiRecordingPair;

/* KS_OK; KS_ERROR_FILE, KS_ERROR_BAD_ARGUMENT (there is no such world), KS_ERROR_NO_MEMORY: `words` [KSI_ARCHIVE_WORDS] say why. Worlds
 * and their findings are of the heap, and last as long as the process. */
KS_MUST_USE ksStatus ksiCompareRecordings(const char *const path[2], const ksiCompareOptions *options,
                                          ksiRecordingPair *out, char *words);

/* As diff(1): 0: the same; 1: they differ; 2: nobody can say, since records are damaged or there are none. By the tolerance. */
int ksiPairStatus(const ksiRecordingPair *pair);
bool ksiWorldDiffers(const ksiRecordingPair *pair, const ksiWorldPair *world);
bool ksiIsOtherEngine(const ksiRecordingPair *pair);

/* For people. */
void ksiWritePair(const ksiRecordingPair *pair, ksiText *out);

/* NULL: out of memory. */
json_t *ksiPairToJson(const ksiRecordingPair *pair);

#endif
