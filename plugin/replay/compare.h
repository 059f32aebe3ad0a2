/* compare.h  Differences of two recorded steps: in their input, in the order of the input, or in
 * their result. */
#ifndef KSI_REPLAY_COMPARE_H
#define KSI_REPLAY_COMPARE_H

#include "match.h"

#include <stdbool.h>

/* Kinds of differences, in the order of the report. */
typedef enum ksiCause {
    KSI_OTHER_SETTINGS,   /* settings of the world and of its steps */
    KSI_OTHER_BODIES,     /* bodies that exist in only one of the two records */
    KSI_OTHER_JOINTS,     /* joints that exist in only one record, or connect other bodies */
    KSI_OTHER_MASSES,     /* masses and moments of inertia; a kinematic body's inverses are zero */
    KSI_OTHER_POSES,      /* poses before the step */
    KSI_OTHER_VELOCITIES, /* velocities before the step */
    KSI_OTHER_FLAGS,      /* flags of bodies: asleep, without gravity */
    KSI_OTHER_FORCES,     /* forces and torques on bodies */
    KSI_OTHER_DAMPING,    /* damping and other settings of a body */
    KSI_OTHER_PARAMETERS, /* parameters of joints */
    KSI_OTHER_CONTACTS,   /* contacts that exist in only one record, or have other data */
    KSI_OTHER_ORDER,      /* order of bodies, joints or contacts */
    KSI_LAST_INPUT = KSI_OTHER_ORDER,
    KSI_OTHER_SEED,    /* seed of random numbers; this cause and KSI_OTHER_THREADS need not change
                          the result */
    KSI_OTHER_THREADS, /* number of the engine's threads */
    KSI_OTHER_RESULT,  /* result of the step */
    KSI_CAUSES
} ksiCause;

/* A quantity that differs, with the number of objects in which it differs, and the object with the
 * largest difference. */
enum { KSI_FINDING_WORDS = 9 }; /* the largest value is a matrix */
typedef struct ksiFinding {
    ksiCause cause;
    ksiRecordPart part;                   /* the kind of the objects */
    const ksiField *field;                /* NULL: the object exists in only one record (values 1
                                             and 0), or its place in the list differs (values: the
                                             places, from 1) */
    size_t count;                         /* number of objects in which the quantity differs */
    long index[2];                        /* index of the object in its part, or KSI_NO_MATCH */
    uint64_t value[2][KSI_FINDING_WORDS]; /* recorded values; for connected bodies, the numbers of
                                             the bodies, 0: the world */
    size_t component;                     /* index of the value with the largest difference */
    double size;                          /* size of the difference */
} ksiFinding;

/* If all bytes are zero, the comparison is empty. Free it by ksiComparisonFree. */
enum { KSI_MOST_FINDINGS = 128 };
typedef struct ksiComparison {
    size_t count;
    ksiFinding finding[KSI_MOST_FINDINGS]; /* in the order of causes */
    struct ksiComparer *room;
} ksiComparison;

/* Compares sound records. Two numbers count as equal if |a - b| <= tolerance max(1, |a|, |b|), or
 * if both are NaN. Data without a meaning in another run are not compared (addresses, marks, clock
 * times), nor are shapes and names. Bodies match by number, joints by type and number, contacts by
 * their content. KS_OK or KS_ERROR_NO_MEMORY. */
KS_MUST_USE ksStatus ksiCompareRecords(const ksiStepRecord *a, const ksiStepRecord *b, double tolerance,
                                       ksiComparison *out);
void ksiComparisonFree(ksiComparison *comparison);

/* The causes of all findings as bits 1 << cause. */
unsigned ksiCausesOf(const ksiComparison *comparison);

#define KSI_INPUT_CAUSES ((1u << (KSI_LAST_INPUT + 1)) - 1)

/* Steps with only these differences count as equal. */
#define KSI_CIRCUMSTANCES (1u << KSI_OTHER_SEED | 1u << KSI_OTHER_THREADS)

/* The records in which the host changed the value of `finding` since the last step, as bits: 1 for
 * `a`, 2 for the other record. 0: in neither record, or the object is new, or hosts do not set such
 * a value. expected: the record that ksiExpectNext makes of the last step. */
unsigned ksiChangedBy(const ksiFinding *finding, const ksiStepRecord *a, const ksiStepRecord *expected);

/* A joint of a sound record, by index. */
const ksiJointRecord *ksiRecordedJoint(const ksiStepRecord *record, long index);

#endif
