/* active_set.h  Finds which rows of a system lie at a bound. With the residual
 *
 *     w = J a + s lambda - beta
 *
 * this is a box-constrained complementarity problem:
 *
 *     w = 0 where low < lambda < high,   w >= 0 at low,   w <= 0 at high
 */
#ifndef KSI_MECHANICS_BOUNDS_ACTIVE_SET_H
#define KSI_MECHANICS_BOUNDS_ACTIVE_SET_H

#include "../mechanics.h"

#include <float.h>
#include <stdbool.h>

/* Rounding of a residual, as a share of its terms: a row over two bodies is a sum of fourteen. */
#define KSI_RESIDUAL_ROUNDING (16 * DBL_EPSILON)

/* A dense factorisation of n rows costs as much as n^3 / (KSI_ROUND_WORK * rows) sparse solutions.
 * The constant only serves to budget costs: results are right whatever its value. */
#define KSI_ROUND_WORK 200.0

/* A row that holds only within its bounds. */
typedef struct ksiBoundedRow {
    int row;
    double low, high;      /* bounds in force */
    ksRowPlace place;      /* in the last solution; at first, the initial guess */
    ksRowPlace degenerate; /* bound of a row that counts as inside: see ksiActiveSetFreeDegenerate;
                              otherwise KS_INSIDE */
    double feasible;       /* initial multiplier; then a multiplier within the bounds */
    double terms;          /* sum of the sizes of beta's terms */
    bool isShared;         /* its multiplier is one of many possible splits, so it is not certified
                              to be within its bounds */
    double friction;       /* the bounds are this times the multiplier of row `normal`; 0: fixed
                              bounds */
    int normal;
    double target; /* of friction.h: the proximal target */
} ksiBoundedRow;

/* The multipliers and accelerations belong to the caller, and are those of the last solution. */
typedef struct ksiActiveSet {
    ksSystem *system;
    ksiBoundedRow *bounded;
    int count;
    double *multiplier, *acceleration; /* [rows], [coordinates] */
    double outerLoad;                  /* largest term of the applied forces */
    double load;                       /* the larger of outerLoad and the largest reaction in the
                                          last solution */
    double allowed, spent;             /* limit and cost of solutions */
    unsigned long factors;             /* solutions with a new matrix */
    bool isConnected;                  /* the system's sets of connected blocks are known */
    double noise;                      /* largest noise of residuals, divided by their terms */
    ksiBoundedRow *freed;              /* row that was freed before the last solution, or NULL */
    ksRowPlace leaving;                /* place of `freed` before */
    double doubt;                      /* next `noise` if the row returns to that place */
} ksiActiveSet;

/* w of the last solution; *terms: the sum of its terms' sizes, which determines its rounding. */
double ksiActiveSetResidual(const ksiActiveSet *set, const ksiBoundedRow *bounded, double *terms);

/* Solves the final set by the null-space route, whose rounding may move a few more rows to their
 * bounds; then clamps the multipliers to all bounds. */
KS_MUST_USE ksStatus ksiActiveSetSolveWithin(ksiActiveSet *set);

/* ksBoundedSolution.violation and .margin of the present solution. */
KS_MUST_USE ksStatus ksiActiveSetCertify(ksiActiveSet *set, double *violation, double *margin);

/* Moves rows to and from their bounds until the solution is complementary. KS_ERROR_BOUND: the
 * limit of solutions is reached; KS_ERROR_INCONSISTENT: no accelerations satisfy all rows. The
 * system is left with the places of the last solution. */
KS_MUST_USE ksStatus ksiActiveSetSearch(ksiActiveSet *set);

/* Which rows of the present set have unique multipliers. */
typedef struct ksiUniqueness {
    int *determinate;                             /* [rows] scratch: flags */
    ksStatus (*find)(void *of, int *determinate); /* NULL: the system itself finds them */
    void *of;
} ksiUniqueness;

/* After a complementary solution: some rows at a bound count as inside from now on, in the system
 * too. These are the rows that would not move if they were free, and that share their force with
 * others. */
KS_MUST_USE ksStatus ksiActiveSetFreeDegenerate(ksiActiveSet *set, const ksiUniqueness *unique);

#endif
