/* block.h  Blocks of steps of one joint, in columns, for kernels that process several steps at a time. */
#ifndef KSI_SIZE_BLOCK_H
#define KSI_SIZE_BLOCK_H

#include <stdbool.h>
#include <stdint.h>

/* A block, and the step after it, which tells how far the joint turns in the last one. */
enum { KSI_BLOCK = 64, KSI_WAITING = KSI_BLOCK + 1, KSI_COLUMN = KSI_BLOCK + 4, KSI_SIZED_COMPONENTS = 6 };

typedef double ksiColumnOf[KSI_COLUMN];

/* When: the step, and the time at its start, s. */
typedef struct ksiInstant {
    int64_t step;
    double time;
} ksiInstant;

/* Columns of what a trace has: s; N and N.m on the first body about its mass centre, world axes; m; quaternions of the joint and of both bodies;
 * bars: sizes of force and torque. */
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

/* As they are sized: fx fy fz tx ty tz in the axes of the joint about its anchor. rounding: of force and torque by the way from one to the
 * other, which their bars have in them. turned: rad, about x, size, from the step to the next one; NaN: unknown. Of steps that are known; behind
 * the last one are copies of it, without duration. */
typedef struct ksiLoadSteps {
    int count;
    ksiInstant at[KSI_BLOCK];
    ksiColumnOf duration, load[KSI_SIZED_COMPONENTS], bar[2], rounding[2], turned;
} ksiLoadSteps;

/* The first `count` steps that wait. isInJoint: their loads are in the axes of the joint, about its anchor. isTurning: `turned` is asked for.
 * @return s that they last, also those that are not known */
double ksiWaitingMove(const ksiWaiting *waiting, int count, bool isInJoint, bool isTurning, ksiLoadSteps *out);

/* Only the last one of a full block waits on; it may be the same one. */
void ksiWaitingBegin(ksiWaiting *waiting, const ksiWaiting *full);

#endif
