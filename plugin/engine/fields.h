/* fields.h  The definition of a joint as named numbers, without its bodies. The numbers have units,
 * for files, and ranges, by which untrusted files are checked. */
#ifndef KSI_ENGINE_FIELDS_H
#define KSI_ENGINE_FIELDS_H

#include "engine.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A field is stored as 64-bit words, one for each of its numbers. */
typedef enum ksiFieldKind {
    KSI_ANY_REAL, /* double, also infinite or NaN: a world may break down */
    KSI_BOUND,    /* double, also infinite */
    KSI_REAL,     /* double, finite */
    KSI_POSITIVE, /* double, finite and above zero */
    KSI_INTEGER,  /* an integer in [low, high] */
    KSI_CHOICE,   /* an integer; the engine reads a number out of range as 0, so 0 is stored for
                     it */
    KSI_TEXT,     /* eight characters in a word, the first in its lowest byte; the rest is zero, and
                     so is the last character */
    KSI_UNUSED    /* engine data that nothing reads before it is set; not stored */
} ksiFieldKind;

/* How to predict the field of a joint that public functions set up: fields_proof.c. */
typedef enum ksiFieldProof {
    KSI_NO_PROOF,
    KSI_IS_POINT,      /* argument: which point, and in which body's axes */
    KSI_IS_DIRECTION,  /* argument: which direction, and in which body's axes */
    KSI_IS_PARAMETER,  /* value of the parameter with this number (dParamFMax, ...) */
    KSI_IS_STOP,       /* number of the reached stop on this axis; its error follows */
    KSI_IS_STOP_ERROR, /* error of the reached stop on this axis */
    KSI_IS_RELATIVE,   /* the rotation from the first body to the second */
    KSI_IS_CROSS,      /* the rotation from a body to the cross of a universal joint */
    KSI_IS_GIVEN,      /* value given in the dContact */
    KSI_IS_NUMBER      /* a number of the class: fields_proof.h */
} ksiFieldProof;

typedef struct ksiField {
    const char *name, *unit;
    ksiFieldKind kind;
    unsigned count;      /* number of its numbers */
    size_t offset, room; /* bytes in its struct; room includes an unused fourth number */
    int64_t low, high;   /* range of integers */
    /* Bits of the first field. Zero is written instead of this field if the first field lacks a bit
     * of `when`, or has a bit of `unless`. */
    unsigned when, unless;
    ksiFieldProof proof;
    int argument;
} ksiField;

typedef struct ksiFields {
    const char *name;
    const ksiField *field;
    size_t count;
} ksiFields;

size_t ksiFieldWords(const ksiFields *fields);

/* The fields of a dJointType; NULL: no such class. */
const ksiFields *ksiFieldsOfType(int type);

/* The axis of a stop's field (KSI_IS_STOP, KSI_IS_STOP_ERROR); below 0: the axis has no stops. */
static inline int ksiAxisOfField(const ksiField *field)
{
    return field->argument - 16;
}

/* The field of an axis with stops; NULL: the axis has none. */
const ksiField *ksiFieldOfAxis(int type, ksiFieldProof proof, int axis);

/* The axes of a motor in Euler mode in the world, which are fixed to the bodies of J1 and J2. */
void ksiEulerAxes(dJointID motor, double first[3], double second[3]);

/* phase: the angles of a transmission's wheels, rad, from which the engine continues its count.
 * along, across: the axes from which it measures these angles, in the world. `along` has the
 * direction of the lever at angle 0, and `across` is perpendicular to it, in the sense of the
 * angle. Returns true for a new joint, in which both angles are 0 at the given levers. */
bool ksiGetPhases(dJointID wheels, const double lever[2][3], double phase[2], double along[2][3], double across[2][3]);

/* Stops of all axes of a joint as bits. The first bit is 1 if the stops are known. Two bits for
 * each axis follow: 0: at no stop; 1: at the low stop; 2: at the high stop. ksiStopsAreSound: can a
 * joint of this type have these bits? */
enum { KSI_STOPS_ARE_KNOWN = 1, KSI_STOPS_BITS = 7, KSI_STOP_AXES = 3, KSI_LOW_STOP = 1, KSI_HIGH_STOP = 2 };
static inline unsigned ksiStopOfAxis(unsigned stops, int axis)
{
    return stops >> (1 + 2 * axis) & 3;
}
bool ksiStopsAreSound(int type, unsigned stops);

/* Is each word in the range of its field? */
bool ksiFieldsAreSound(const ksiFields *fields, const uint64_t *words);

/* Classes whose fields have the expected offsets, as tested on joints in a scratch world, and their
 * numbers of words. Joints of other classes count as unknown. KS_OK, KS_ERROR_NO_MEMORY. */
typedef struct ksiClasses {
    bool isKnown[KSI_JOINT_TYPES];
    size_t words[KSI_JOINT_TYPES];
} ksiClasses;
KS_MUST_USE ksStatus ksiProveFields(const ksiEngine *engine, ksiClasses *out);

/* For a joint of a known class. Pack returns false if a number is out of range, but still writes
 * all words. Unpack needs sound words and a joint of the same class with bodies on the same
 * sides. */
bool ksiPackJoint(const ksiFields *fields, dJointID joint, uint64_t *words);
void ksiUnpackJoint(const ksiFields *fields, const uint64_t *words, dJointID joint);

#endif
