/* active_set_solution.h  What the search of active_set.c needs of a system with rows at their bounds. */
#ifndef KSI_ACTIVE_SET_SOLUTION_H
#define KSI_ACTIVE_SET_SOLUTION_H

#include "active_set.h"
#include "system_private.h"

typedef ksStatus ksiRoute(ksSystem *system, double *multiplier, double *acceleration);

/* Rows at their bounds are known from now on, the others are not. */
void ksiApplyActiveSet(const ksiActiveSet *set);

/* Solves it by a route, counts that, and takes the solution. */
KS_MUST_USE ksStatus ksiSolveBy(ksiRoute *route, ksiActiveSet *set);

/* What residuals and roundings need of the solution that is there. */
KS_MUST_USE ksStatus ksiTakeSolution(ksiActiveSet *set);

/* d_l = (A_ll + s_l)^1/2 */
double ksiRowLength(const ksiModel *model, int row);

/* The largest force on a row's own blocks; on all that hangs together with them, from where rounding comes through. */
double ksiHeaviestNear(const ksiActiveSet *set, int row);
double ksiHeaviestAround(const ksiActiveSet *set, int row);

/* w of a row whose beta is a sum of terms of that size, and the size of all its terms. */
double ksiHeldResidual(const ksiActiveSet *set, int row, double betaTerms, double *terms);

#endif
