/* divergence.h  Finds the first different step of each world in two recordings, the differences,
 * and their cause. */
#ifndef KSI_REPORT_RECORDING_DIVERGENCE_H
#define KSI_REPORT_RECORDING_DIVERGENCE_H

#include "../collect/run.h"
#include "../files/text.h"
#include "world_name.h"

#include "../../replay/compare.h"
#include "../../replay/repeat_step.h"

#include <jansson.h>

/* Causes besides ksiCause, as bits: different builds of the engine; unknown. */
#define KSI_OTHER_ENGINE (1u << KSI_CAUSES)
#define KSI_CAUSE_NOT_KNOWN (1u << (KSI_CAUSES + 1))

typedef struct ksiCompareOptions {
    double tolerance;     /* 0: compares bitwise; otherwise also finds the first difference beyond
                             it */
    const char *world[2]; /* names of the worlds to compare, one of each recording; NULL: all */
    ksiAgain (*again)(const ksiStepRecord *record, void *user); /* ksiStepAgain, if it is safe;
                                                                   NULL: unsafe */
    void *user;
} ksiCompareOptions;

enum { KSI_OBJECT_NAME = 160 };
typedef struct ksiNamedFinding {
    ksiFinding found;
    unsigned changedBy;          /* ksiChangedBy */
    char of[2][KSI_OBJECT_NAME]; /* name of the object in each recording, clean; empty: missing, or
                                    the world */
} ksiNamedFinding;

/* A step that differs. */
typedef struct ksiDivergence {
    bool isThere;
    bool isInput;     /* the input differs; otherwise only the result does */
    bool isAfterSame; /* it is step 0, or the steps right before it are equal */
    bool isForeign;   /* another engine made the step */
    uint64_t step;
    double time; /* s */
    unsigned causes;
    ksiAgain again[2]; /* only for the first divergence */
    size_t count;
    ksiNamedFinding *finding; /* in the order of causes */
} ksiDivergence;

typedef struct ksiWorldPair {
    char name[2][KSI_WORLD_NAME]; /* clean; empty: not in this recording */
    uint64_t compared, alone[2];  /* number of compared steps; number of steps in only one
                                     recording, as far as it was read */
    size_t damaged[2];            /* number of damaged records */
    uint64_t steps[2];            /* number of the world's steps, as far as it was read */
    bool isShorter[2];            /* this recording ends before the other one */
    int64_t otherSeeds;           /* first step with different seeds, or -1 */
    uint64_t threads;             /* largest number of engine threads */
    size_t place;                 /* index of the first divergence's record in the first
                                     recording */
    ksiDivergence first, beyond;  /* first bitwise difference; first difference beyond the
                                     tolerance */
} ksiWorldPair;

typedef struct ksiRecordingPair {
    const char *path[2];
    ksiRun run[2];                 /* clean */
    size_t records[2], damaged[2]; /* number of records; number of damaged ones among the records
                                      that were read */
    double tolerance;
    ksiWorldPair *world; /* first the worlds that differ, then the others; each group by place */
    size_t count, capacity;
} ksiRecordingPair;

/* KS_OK; KS_ERROR_FILE, KS_ERROR_BAD_ARGUMENT (no such world), KS_ERROR_NO_MEMORY: `words`
 * [KSI_ARCHIVE_WORDS] have the reason. Worlds and their findings are never freed. */
KS_MUST_USE ksStatus ksiCompareRecordings(const char *const path[2], const ksiCompareOptions *options,
                                          ksiRecordingPair *out, char *words);

/* The status of diff(1), with the tolerance: 0: equal; 1: different; 2: unknown, since records are
 * damaged or missing. */
int ksiPairStatus(const ksiRecordingPair *pair);
bool ksiWorldDiffers(const ksiRecordingPair *pair, const ksiWorldPair *world);
bool ksiIsOtherEngine(const ksiRecordingPair *pair);

/* Writes the differences as text. */
void ksiWritePair(const ksiRecordingPair *pair, ksiText *out);

/* Returns the differences as JSON. NULL: out of memory. */
json_t *ksiPairToJson(const ksiRecordingPair *pair);

#endif
