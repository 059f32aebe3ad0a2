/* compare.h  What two recorded steps differ in, and whether that is what went into them, its order, or what came of it. */
#ifndef KSI_REPLAY_COMPARE_H
#define KSI_REPLAY_COMPARE_H

#include "match.h"

#include <stdbool.h>

/* In the order in which they are told. */
typedef enum ksiCause {
    KSI_OTHER_SETTINGS,   /* of the world, and how it is stepped */
    KSI_OTHER_BODIES,     /* some are in one of the two alone */
    KSI_OTHER_JOINTS,     /* likewise, or other bodies are joined */
    KSI_OTHER_MASSES,     /* and moments of inertia; those of a kinematic body have inverses of zero */
    KSI_OTHER_POSES,      /* before the step */
    KSI_OTHER_VELOCITIES, /* likewise */
    KSI_OTHER_FLAGS,      /* of bodies: asleep, without gravity */
    KSI_OTHER_FORCES,     /* and torques, on bodies */
    KSI_OTHER_DAMPING,    /* and what else is set of a body */
    KSI_OTHER_PARAMETERS, /* of joints */
    KSI_OTHER_CONTACTS,   /* some are in one of the two alone, or are elsewhere */
    KSI_OTHER_ORDER,      /* of bodies, joints or contacts */
    KSI_LAST_INPUT = KSI_OTHER_ORDER,
    KSI_OTHER_SEED,    /* of random numbers; this and the next may lead to another result, and need not */
    KSI_OTHER_THREADS, /* the engine steps with more or fewer */
    KSI_OTHER_RESULT,  /* of the step */
    KSI_CAUSES
} ksiCause;

/* A quantity in which they differ: of how many objects, and of the one in which it differs most. */
enum { KSI_FINDING_WORDS = 9 }; /* of a matrix */
typedef struct ksiFinding {
    ksiCause cause;
    ksiRecordPart part;    /* whose it is */
    const ksiField *field; /* NULL: the object is in one of the two alone, or in another place: values count from 1 */
    size_t count;          /* of objects */
    long index[2];         /* of the object in its part, or KSI_NO_MATCH */
    uint64_t value[2][KSI_FINDING_WORDS]; /* as they are in the record; joined bodies by their numbers, 0: the world */
    size_t component;                     /* that differs most */
    double size;                          /* by so much */
} ksiFinding;

/* All zero: empty. Free it in the end. */
enum { KSI_MOST_FINDINGS = 128 };
typedef struct ksiComparison {
    size_t count;
    ksiFinding finding[KSI_MOST_FINDINGS]; /* in the order of causes */
    struct ksiComparer *room;
} ksiComparison;

/* Of sound records. Numbers are the same with |a - b| <= tolerance max(1, |a|, |b|), and so are two NaN. What has no meaning in another run is not
 * compared: addresses, marks, time on the clock, shapes, names. Bodies are the same by their numbers, joints by type and number, contacts by
 * what they are. KS_OK or KS_ERROR_NO_MEMORY. */
KS_MUST_USE ksStatus ksiCompareRecords(const ksiStepRecord *a, const ksiStepRecord *b, double tolerance,
                                       ksiComparison *out);
void ksiComparisonFree(ksiComparison *comparison);

/* Bits 1 << cause of all that was found. */
unsigned ksiCausesOf(const ksiComparison *comparison);

#define KSI_INPUT_CAUSES ((1u << (KSI_LAST_INPUT + 1)) - 1)

/* Steps with no other differences than these are as good as the same. */
#define KSI_CIRCUMSTANCES (1u << KSI_OTHER_SEED | 1u << KSI_OTHER_THREADS)

/* Is a value other than it was expected to be after the last step of both (ksiExpectNext): 1: that of `a`, 2: of `b`, 3: of both; 0: neither, or the
 * object is new. */
unsigned ksiChangedBy(const ksiFinding *finding, const ksiStepRecord *a, const ksiStepRecord *expected);

/* A joint of a sound record, by its index. */
const ksiJointRecord *ksiRecordedJoint(const ksiStepRecord *record, long index);

#endif
