/* search.h  The search for the rows that lie at a bound: what its parts share. */
#ifndef KSI_SEARCH_H
#define KSI_SEARCH_H

#include "inspector_private.h"

#include <float.h>

/* Some roundings, of the terms that a residual is a sum of. */
#define KSI_RESIDUAL_ROUNDING (16 * DBL_EPSILON)

/* A dense factorisation of n of an island's rows takes as long as n^3 / (this * rows) rounds without one. */
#define KSI_ROUND_WORK 200.0

typedef struct ksiSearch {
    ksInspector *inspector;
    ksiIsland *island;
    int index;
    double allowed, spent; /* rounds: solutions with rows at other places */
    double load;
    double *multiplier, *acceleration; /* of the last solution */
    double *feasible;                  /* [rows] multipliers within their bounds */
} ksiSearch;

typedef struct ksiBoundedRow {
    ksiJointState *joint;
    int l;
    ksRow *row;
} ksiBoundedRow;

/* Visits the bounded rows of an island in turn; *at is the state, {0} at the start. */
bool ksiNextBounded(const ksiSearch *s, int at[2], ksiBoundedRow *bounded);
/* ... those whose bounds depend on a normal force */
bool ksiNextFriction(const ksiSearch *s, int at[2], ksiBoundedRow *bounded);

/* Builds and solves the island's system with the rows where they are. */
KS_MUST_USE ksStatus ksiSolvePlaced(ksiSearch *s);

/* largest size of a reaction of the last solution or of an applied force */
double ksiSearchLoad(const ksiSearch *s);

/* w of the last solution; the size of the terms that it is a sum of, which its rounding comes from. */
double ksiRowResidual(const ksiSearch *s, const ksiBoundedRow *bounded, double *terms);

/* Moves rows to and from their bounds until the solution is complementary; KS_ERROR_BOUND where it is given up. */
KS_MUST_USE ksStatus ksiPivot(ksiSearch *s);

#endif
