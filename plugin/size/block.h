/* block.h  Blocks of steps of one joint, in columns, for kernels that process several steps at a
 * time. */
#ifndef KSI_SIZE_BLOCK_H
#define KSI_SIZE_BLOCK_H

#include <stdbool.h>
#include <stdint.h>

/* KSI_BLOCK: steps in a block. KSI_WAITING: steps that may wait, one more than in a block, since
 * the step after a block determines the rotation in its last step. KSI_COLUMN: length of a column,
 * with room for a whole last register. */
enum { KSI_BLOCK = 64, KSI_WAITING = KSI_BLOCK + 1, KSI_COLUMN = KSI_BLOCK + 4, KSI_SIZED_COMPONENTS = 6 };

typedef double ksiColumnOf[KSI_COLUMN];

/* A step, and the time at its start, s. */
typedef struct ksiInstant {
    int64_t step;
    double time;
} ksiInstant;

/* Columns of a trace. LASTS: duration of the step, s. FORCE, TORQUE: on the first body, about its
 * mass centre, in world axes, N and N.m. CENTRE, ANCHOR: m. AXES, ORIENTATION: quaternions of the
 * joint and of both bodies. BARS: sizes of the error bars of force and torque. */
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

/* The loads for sizing. load: fx fy fz tx ty tz in the axes of the joint, about the point that
 * ksiSizedAbout() names. rounding: rounding errors of force and torque in this conversion, which
 * the bars include. turned: rad, size of the rotation about x from this step to the next; NaN:
 * unknown. Steps with an unknown load are left out. Copies of the last step, with duration 0, fill
 * the last register. */
typedef struct ksiLoadSteps {
    int count;
    ksiInstant at[KSI_BLOCK];
    ksiColumnOf duration, load[KSI_SIZED_COMPONENTS], bar[2], rounding[2], turned;
} ksiLoadSteps;

/* Converts the first `count` waiting steps. isInJoint: loads and positions are in the axes of the
 * joint. isTurning: also sets `turned`. @return the duration of these steps, including those with
 * an unknown load, s */
double ksiWaitingMove(const ksiWaiting *waiting, int count, bool isInJoint, bool isTurning, ksiLoadSteps *out);

/* Copies the last step of a full block into `waiting`, as its only step. Both may be the same
 * block. */
void ksiWaitingBegin(ksiWaiting *waiting, const ksiWaiting *full);

#endif
