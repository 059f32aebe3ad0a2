/* bounds.h  Rows of an island that hold within bounds alone: motors, stops, friction of given bounds, and blows. */
#ifndef KSI_CORE_BOUNDS_H
#define KSI_CORE_BOUNDS_H

#include "core.h"

/* w = B^T y + S lambda - beta is 0 of rows inside, >= 0 at low, <= 0 at high. */
typedef struct ksiCoreBounds {
    int solutions; /* sets of rows that were solved for */
    double
        violation; /* the largest w of the wrong sign, relative to its terms, and lambda beyond a bound, to the load */
    double margin; /* the least change, likewise, by which a row would change its place; INFINITY: none has bounds */
} ksiCoreBounds;

/* The rows at a bound in column 0, from `feasible` on, which becomes lambda. Factor and solutions are of these rows. Rows that move no
 * body have no bounds; force and beta of column 3 are zero. rank: `least` of ksiCoreRank, by which rows depend on others; 0: only those whose
 * pivot is lost to rounding do. KS_ERROR_UNAVAILABLE as of ksiCoreFactor; KS_ERROR_INCONSISTENT: no motion keeps all rows, `culprit` is the
 * joint of one; KS_ERROR_BOUND: not found in 64 sets and twice as many as there are rows with bounds. */
KS_MUST_USE ksStatus ksiCoreBound(ksiCore *core, double rank, ksiCoreBounds *found);

/* `violation` and `margin`, right after ksiCoreCertify. noise: of ksiCoreUndetermined, rows of which may be beyond their bounds. */
void ksiCoreCertifyBounds(const ksiCore *core, double noise, ksiCoreBounds *found);

/* Rows inside their bounds whose multiplier of a column is beyond them do not hold: they are known from now on, by `reported`
 * [joints][KSI_CORE_ROWS], and touched. Their number; ksiCoreUpdate and ksiCoreSweep follow. */
int ksiCoreLetGo(ksiCore *core, int column, const double (*reported)[KSI_CORE_ROWS]);

/* A row in a blow, whose right-hand sides are impulses and jumps of velocity. Rows without bounds keep their rate J v; rows with one bound push
 * where the blow would take more than the rate at which they open; rows with two give nothing, for their force is finite. */
void ksiCoreStrikeRow(ksiConstraint *c, int l, double low, double high, double rate);

#endif
