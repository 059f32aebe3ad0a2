/* active_set.h  Which rows of a system lie at a bound: a box-constrained complementarity problem,
 *
 *     w = J a + s lambda - beta:     w = 0 where low < lambda < high,   w >= 0 at low,   w <= 0 at high. */
#ifndef KSI_ACTIVE_SET_H
#define KSI_ACTIVE_SET_H

#include "mechanics.h"

#include <float.h>
#include <stdbool.h>

/* Some roundings, of the terms that a residual is a sum of. */
#define KSI_RESIDUAL_ROUNDING (16 * DBL_EPSILON)

/* A dense factorisation of n of the rows takes as long as n^3 / (this * rows) solutions without one. */
#define KSI_ROUND_WORK 200.0

/* A row of the system that is held inside its bounds only. */
typedef struct ksiBoundedRow {
    int row;
    double low, high;      /* bounds in force */
    ksRowPlace place;      /* in the last solution; first, where the search begins */
    ksRowPlace degenerate; /* bound that a row counted as inside would stay at; or KS_INSIDE */
    double feasible;       /* a multiplier to begin with; then one within the bounds */
    double terms;          /* sizes of the terms that beta is a sum of */
} ksiBoundedRow;

/* The multipliers and accelerations belong to the caller, and are those of the last solution. */
typedef struct ksiActiveSet {
    ksSystem *system;
    ksiBoundedRow *bounded;
    int count;
    double *multiplier, *acceleration; /* [rows], [coordinates] */
    double outerLoad;                  /* largest size of a force that adds up to the applied ones */
    double load;                       /* ... or of a reaction, in the last solution */
    double allowed, spent;             /* solutions with rows at other places */
    double noise;                      /* of residuals, relative to their terms, where it shows */
    ksiBoundedRow *freed;              /* before the last solution; NULL: none was */
    ksRowPlace left;                   /* ... from this place */
    double doubt;                      /* `noise`, if it goes back there */
} ksiActiveSet;

/* Solves the system with the rows at their places. */
KS_MUST_USE ksStatus ksiActiveSetSolve(ksiActiveSet *set);

/* w of the last solution; the size of the terms that it is a sum of, which its rounding comes from. */
double ksiActiveSetResidual(const ksiActiveSet *set, const ksiBoundedRow *bounded, double *terms);

/* Once a set is found: another route's solution with it, whose roundings may put a few more rows at their bounds; then within
 * all bounds. */
KS_MUST_USE ksStatus ksiActiveSetSolveWithin(ksiActiveSet *set, ksStatus route(ksSystem *, double *, double *));

/* ksBoundedSolution.violation and .margin of the solution that is there. */
KS_MUST_USE ksStatus ksiActiveSetCertify(ksiActiveSet *set, double *violation, double *margin);

/* Moves rows to and from their bounds until the solution is complementary. KS_ERROR_BOUND: no more solutions are allowed;
 * KS_ERROR_INCONSISTENT: no accelerations keep all rows. The system is left with the places of the last solution. */
KS_MUST_USE ksStatus ksiActiveSetSearch(ksiActiveSet *set);

/* Of a complementary solution: rows at a bound that would not move if they were free, and share their force with others, count
 * as inside from now on, in the system too. determinate: [rows] scratch. */
KS_MUST_USE ksStatus ksiActiveSetFreeDegenerate(ksiActiveSet *set, int *determinate);

#endif
