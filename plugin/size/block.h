/* block.h  Blocks of steps of one joint, in columns, for kernels that process several steps at a
 * time. */
#ifndef KSI_SIZE_BLOCK_H
#define KSI_SIZE_BLOCK_H

#include <stdbool.h>
#include <stdint.h>

/* KSI_BLOCK: steps of a block. KSI_WAITING: waiting steps, one more, since the step after a block
 * determines the rotation in the last step of the block. KSI_COLUMN: numbers of a column. */
enum { KSI_BLOCK = 64, KSI_WAITING = KSI_BLOCK + 1, KSI_COLUMN = KSI_BLOCK + 4, KSI_SIZED_COMPONENTS = 6 };

typedef double ksiColumnOf[KSI_COLUMN];

/* A step, and the time at its start, s. */
typedef struct ksiInstant {
    int64_t step;
    double time;
} ksiInstant;

/* Columns of a trace: s; N and N.m on the first body about its mass centre, world axes; m;
 * quaternions of the joint and of both bodies; bars: sizes of force and torque. */
enum {
    KSI_COLUMN_LASTS,
    KSI_COLUMN_FORCE,
    KSI_COLUMN_TORQUE = KSI_COLUMN_FORCE + 3,
    KSI_COLUMN_CENTRE = KSI_COLUMN_TORQUE + 3,
    KSI_COLUMN_ANCHOR = KSI_COLUMN_CENTRE + 3,
    KSI_COLUMN_AXES = KSI_COLUMN_ANCHOR + 3,
    KSI_COLUMN_ORIENTATION = KSI_COLUMN_AXES + 4,
    KSI_COLUMN_BARS = KSI_COLUMN_ORIENTATION + 8,
    KSI_COLUMNS = KSI_COLUMN_BARS + 2
};

typedef struct ksiWaiting {
    int count;
    ksiInstant at[KSI_WAITING];
    ksiColumnOf column[KSI_COLUMNS];
} ksiWaiting;

/* The loads for sizing: fx fy fz tx ty tz in the axes of the joint about its anchor. rounding:
 * rounding of force and torque by this conversion; the bars include it. turned: rad, size of the
 * rotation about x from the step to the next one; NaN: unknown. Unknown steps are left out; copies
 * of the last step without duration fill the last register. */
typedef struct ksiLoadSteps {
    int count;
    ksiInstant at[KSI_BLOCK];
    ksiColumnOf duration, load[KSI_SIZED_COMPONENTS], bar[2], rounding[2], turned;
} ksiLoadSteps;

/* Converts the first `count` waiting steps. isInJoint: their loads, and the columns of places, are
 * in the axes of the joint. isTurning: also sets `turned`. @return their duration, s, unknown steps
 * included */
double ksiWaitingMove(const ksiWaiting *waiting, int count, bool isInJoint, bool isTurning, ksiLoadSteps *out);

/* Keeps only the last step of a full block, as the first waiting step; both may be the same
 * block. */
void ksiWaitingBegin(ksiWaiting *waiting, const ksiWaiting *full);

#endif
