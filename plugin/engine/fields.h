/* fields.h  The definition of a joint, without its bodies, as named numbers with units and ranges: for files, and for input from
 * untrusted files. */
#ifndef KSI_ENGINE_FIELDS_H
#define KSI_ENGINE_FIELDS_H

#include "engine.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A field is written as words of 64 bits, one for each of its numbers. */
typedef enum ksiFieldKind {
    KSI_ANY_REAL, /* double, also infinite or NaN: a world may break down */
    KSI_BOUND,    /* double, also infinite */
    KSI_REAL,     /* double, finite */
    KSI_POSITIVE, /* double, finite and above zero */
    KSI_INTEGER,  /* in [low, high] */
    KSI_CHOICE,   /* likewise; the engine takes any other number for 0, and none is written */
    KSI_TEXT, /* eight characters in a word, the first in its lowest byte; the rest is zero, and so is the last character */
    KSI_UNUSED /* of the engine: it is not written, since nothing reads it before it is set */
} ksiFieldKind;

/* What the engine must have there, in a joint that is set up by its public functions: fields_proof.c. */
typedef enum ksiFieldProof {
    KSI_NO_PROOF,
    KSI_IS_POINT,      /* argument: which point, and in which body's axes */
    KSI_IS_DIRECTION,  /* likewise */
    KSI_IS_PARAMETER,  /* as set by its number (dParamFMax, ...) */
    KSI_IS_STOP,       /* the stop that is reached, on this axis; then how far */
    KSI_IS_STOP_ERROR, /* of it */
    KSI_IS_RELATIVE,   /* the rotation from the first body to the second */
    KSI_IS_CROSS,      /* from a body to the cross of a universal joint */
    KSI_IS_GIVEN,      /* by its place in a dContact */
    KSI_IS_NUMBER      /* one that is particular to the class */
} ksiFieldProof;

typedef struct ksiField {
    const char *name, *unit;
    ksiFieldKind kind;
    unsigned count;      /* numbers */
    size_t offset, room; /* bytes in what it is a field of; room: with a fourth number that nobody reads */
    int64_t low, high;   /* of integers */
    /* Bits of the first field: without all of `when`, or with one of `unless`, this one is undefined, and zero is written. */
    unsigned when, unless;
    ksiFieldProof proof;
    int argument;
} ksiField;

/* A list; those of a class of joints. */
typedef struct ksiFields {
    const char *name;
    const ksiField *field;
    size_t count;
} ksiFields;

size_t ksiFieldWords(const ksiFields *fields);

/* Of a dJointType; NULL: there is no such class. */
const ksiFields *ksiFieldsOfType(int type);

/* Are these words of such fields, each in its range? */
bool ksiFieldsAreSound(const ksiFields *fields, const uint64_t *words);

/* Which classes have their fields where they should, tried out on joints in a world of its own, and how many words they are. Else
 * joints of it are as if their class were not known. KS_OK, KS_ERROR_NO_MEMORY. */
typedef struct ksiClasses {
    bool isKnown[KSI_JOINT_TYPES];
    size_t words[KSI_JOINT_TYPES];
} ksiClasses;
KS_MUST_USE ksStatus ksiProveFields(const ksiEngine *engine, ksiClasses *out);

/* Of a joint of such a class. Pack: false: a number is out of its range; words are written nevertheless. Unpack: of sound words, into a
 * joint of the same class with bodies on the same sides. */
bool ksiPackJoint(const ksiFields *fields, dJointID joint, uint64_t *words);
void ksiUnpackJoint(const ksiFields *fields, const uint64_t *words, dJointID joint);

#endif
