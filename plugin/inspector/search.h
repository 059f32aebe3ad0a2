/* search.h  The search for the rows that lie at a bound: what its parts share. */
#ifndef KSI_SEARCH_H
#define KSI_SEARCH_H

#include "inspector_private.h"

/* Below these a multiplier is not beyond its bound and a residual not on the wrong side. */
typedef struct ksiTolerances {
    double multiplier; /* relative to the island's load */
    double residual;   /* relative to the terms that the residual is a sum of */
} ksiTolerances;

/* A dense factorisation of n of an island's rows takes as long as n^3 / (this * rows) rounds without one. */
#define KSI_ROUND_WORK 200.0

typedef struct ksiSearch {
    ksInspector *inspector;
    ksiIsland *island;
    int index;
    bool frictionFollows; /* bounds are mu times the normal force of this solution */
    ksiTolerances tolerances;
    double allowed, spent; /* rounds: solutions with rows at other places */
    double load;
    double *multiplier, *acceleration; /* of the last solution */
    double *feasible;                  /* [rows] multipliers within their bounds */
    double *reported;                  /* [rows] the engine's */
    bool following;                    /* no row has been exchanged since bounds last followed; what they did then: */
    double *image, *gap, *step;        /* [rows] g(b); g(b) - b; by how much g changed */
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

/* The row that wants most to leave its bound in the last solution; false: none does. */
bool ksiMostWrong(const ksiSearch *s, ksiBoundedRow *worst);

/* Moves rows to and from their bounds until the solution is complementary; KS_ERROR_BOUND where it is given up. */
KS_MUST_USE ksStatus ksiPivot(ksiSearch *s);

/* Takes friction bounds nearer to their fixed point than the search asks for, rows where they are: to rounding, if in time. */
KS_MUST_USE ksStatus ksiApproach(ksiSearch *s);

#endif
