/* motion_pack.h  Compresses frames for a page.
 *
 * Each quantity of an object is a column: its integers in all frames that show the object. A column
 * stores the difference of each integer from its prediction, in zigzag (0, -1, 1, -2, ...). Each
 * byte holds seven bits of the difference, the lowest bits first; its eighth bit is set if more
 * bytes follow. Order 1 predicts the previous integer. Order 2 predicts that the integer changes by
 * as much as the previous one did. Before the start of a column, the integer and its change are 0.
 * Columns, with orders in parentheses:
 *
 *     frames         step (1), time (2)
 *     each body      position x, y, z (2), quaternion w, x, y, z (2)
 *     each joint     position x, y, z (1), state (1), force and torque of engine, converged,
 *                    physical (1), bars of force and torque of converged, physical (1), error
 *                    against converged, physical (1)
 *     each contact   position x, y, z (1), force x, y, z (1)
 *
 * The unit of positions is ksiPacked::unit, of times a microsecond, of quaternions 1/KSI_TURNS. A
 * force, bar or error `x` has a scale that is logarithmic except near 0:
 *
 *     n = round(KSI_PER_FOLD asinh(x / KSI_LEAST))
 *
 * The integer 0 means unknown, so a number n >= 0 is written as n + 1. */
#ifndef KSI_REPORT_DOCUMENT_MOTION_PACK_H
#define KSI_REPORT_DOCUMENT_MOTION_PACK_H

#include "../collect/motion.h"
#include "../files/text.h"

enum { KSI_TURNS = 8192, KSI_PER_FOLD = 256 };
#define KSI_LEAST 1e-3

/* The identity of an object. */
typedef struct ksiShownKey {
    uint64_t a, b;
} ksiShownKey;
ksiShownKey ksiJointKey(dJointType type, int number, const int body[2]);

typedef struct ksiShownItem {
    uint32_t frame;
    const void *at; /* ksiShownBody, ksiShownJoint, ksiShownContact */
} ksiShownItem;

/* Objects of a kind, in order of appearance, and each one's items, in the order of frames. */
typedef struct ksiShownKind {
    size_t count, itemCount;
    size_t *end; /* [count], the end of each object's items */
    ksiShownItem *item;
} ksiShownKind;

/* The verdict on a joint in a frame, with its reasons and undetermined components. */
typedef struct ksiShownState {
    uint64_t reasons;
    unsigned char verdict, undetermined;
} ksiShownState;

typedef struct ksiPacked {
    const ksAllocator *allocator;
    double unit;                 /* m, the unit of positions */
    const ksiShownFrame **frame; /* the packed frames */
    size_t frameCount;
    ksiShownKind body, joint, contact;
    ksiShownState *state;
    size_t stateCount, stateCapacity;
    ksiText bytes; /* the columns */
} ksiPacked;

/* Packs the first frame of each bucket (ksiMotionBucket with this k), from the step `from` on.
 * false: out of memory; call ksiPackedFree in any case. */
bool ksiPack(const ksAllocator *allocator, const ksiShownMotion *motion, double rate, unsigned k, uint64_t from,
             ksiPacked *packed);
void ksiPackedFree(ksiPacked *packed);

/* Compresses as zlib does, and writes base 64. */
bool ksiDeflate(const ksiText *bytes, ksiText *out);

#endif
