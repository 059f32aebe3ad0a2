/* image.h  Contents of a snapshot, and images of bodies and joints. */
#ifndef KSI_ENGINE_IMAGE_H
#define KSI_ENGINE_IMAGE_H

#include "layout.h"

/* The members of a body from its mass to its torque are all numbers: KSI_BODY_NUMBERS of them. The
 * state that a step changes is KSI_STATE_NUMBERS of these, from number KSI_STATE_FIRST on. */
enum {
    KSI_BODY_NUMBERS =
        (offsetof(ksiBodyFields, torque) + sizeof(dVector3) - offsetof(ksiBodyFields, mass)) / sizeof(dReal),
    KSI_STATE_NUMBERS = (offsetof(ksiBodyFields, force) - offsetof(ksiBodyFields, centre)) / sizeof(dReal),
    KSI_STATE_FIRST = (offsetof(ksiBodyFields, centre) - offsetof(ksiBodyFields, mass)) / sizeof(dReal)
};
_Static_assert(sizeof(dMass) % sizeof(dReal) == 0, "no gaps between the numbers");

/* The members of a body from its mass to its torque, as doubles. */
typedef struct ksiBodyNumbers {
    double mass, massCentre[4], inertia[12], inverse[12], inverseMass, centre[4], rotation[12], quaternion[4];
    double velocity[4], spin[4], force[4], torque[4];
} ksiBodyNumbers;
_Static_assert(sizeof(ksiBodyNumbers) == KSI_BODY_NUMBERS * sizeof(double), "one for each of the engine's");

static inline const dReal *ksiFirstNumber(const ksiBodyFields *fields)
{
    return (const dReal *)(const void *)((const char *)(const void *)fields + offsetof(ksiBodyFields, mass));
}

/* The body's own numbers if they are doubles, else their copy in `room`. */
KSI_INLINE const ksiBodyNumbers *ksiNumbersOf(const ksiBodyFields *fields, ksiBodyNumbers *room)
{
    return (const void *)ksiDoubles(ksiFirstNumber(fields), KSI_BODY_NUMBERS, (double *)(void *)room);
}

/* Members of a body that only getters return. They are read only if the body's flags show that the
 * engine uses them. */
typedef struct ksiBodyExtras {
    dVector3 finiteAxis;
    dReal linearDamping, angularDamping, linearThreshold, angularThreshold, maxAngularSpeed;
} ksiBodyExtras;
enum {
    KSI_BODY_HAS_EXTRAS =
        KSI_BODY_FINITE_ROTATION | KSI_BODY_SPEED_CAP | KSI_BODY_LINEAR_DAMPING | KSI_BODY_ANGULAR_DAMPING
};

typedef struct ksiBodyBytes {
    dBodyID id;
    unsigned flags;
    dReal number[KSI_BODY_NUMBERS];
    ksiBodyExtras extras; /* all zero if the engine uses none of them */
} ksiBodyBytes;

typedef struct ksiBodyChange {
    size_t rank;
    ksiBodyBytes bytes;
} ksiBodyChange;

typedef struct ksiJointShot {
    dJointID id;
    const void *virtualTable;
    dBodyID body[2];
    int type, mark;
    unsigned flags, ownBytes; /* size of the bytes of the class, which follow this struct; 0: no
                                 known class */
} ksiJointShot;

struct ksiBodyEndBytes {
    dReal number[KSI_STATE_NUMBERS];
    unsigned flags;
    int isThere;
};

/* What a step does to a joint. KSI_REPLACED: the address now belongs to a joint of another class or
 * with other bodies. */
typedef enum ksiFate { KSI_GONE, KSI_GOES_ON, KSI_REPLACED } ksiFate;
struct ksiJointEndBytes {
    ksiFate fate;
    int mark;
};

/* `id` is stored directly before `fields`: see ksiIdOfBody. */
typedef struct ksiBodyImage {
    ksiBodyExtras extras;
    dBodyID id;
    ksiBodyFields fields;
} ksiBodyImage;

/* The bytes of the joint's class follow this struct. */
typedef struct ksiJointImage {
    dBodyID body[2]; /* the bodies in the world itself, not images */
    int type;
    dJointID id;
    ksiJointFields fields;
} ksiJointImage;
_Static_assert(offsetof(ksiBodyImage, fields) == offsetof(ksiBodyImage, id) + sizeof(dBodyID) &&
                   offsetof(ksiJointImage, fields) == offsetof(ksiJointImage, id) + sizeof(dJointID),
               "an image's id is right before it");

static inline const ksiBodyImage *ksiImageOfBody(dBodyID seen)
{
    return (const ksiBodyImage *)(const void *)((const char *)(const void *)seen - offsetof(ksiBodyImage, fields));
}

static inline const ksiJointImage *ksiImageOfJoint(dJointID seen)
{
    return (const ksiJointImage *)(const void *)((const char *)(const void *)seen - offsetof(ksiJointImage, fields));
}

/* body.c: reads all extras of a body of the world. */
void ksiReadExtras(dBodyID body, ksiBodyExtras *out);

/* `bytes` rounded up to the alignment of any type. */
static inline size_t ksiPaddedBytes(size_t bytes)
{
    return (bytes + 15) / 16 * 16;
}

#endif
