/* active_set_solution.h  Solves a system with rows at their bounds, for the search of
 * active_set.c. */
#ifndef KSI_MECHANICS_BOUNDS_ACTIVE_SET_SOLUTION_H
#define KSI_MECHANICS_BOUNDS_ACTIVE_SET_SOLUTION_H

#include "../system_private.h"
#include "active_set.h"

typedef ksStatus ksiRoute(ksSystem *system, double *multiplier, double *acceleration);

/* Makes the rows at their bounds known, and the others unknown. */
void ksiApplyActiveSet(const ksiActiveSet *set);

/* Solves by a route, counts the cost, and stores the solution. */
KS_MUST_USE ksStatus ksiSolveBy(ksiRoute *route, ksiActiveSet *set);

/* Exchanges all failing rows at once until none fails: *isFound. Gives up when their number stops
 * falling. After each solution `follow` may move bounds and solve again. */
typedef ksStatus ksiFollow(void *context);
KS_MUST_USE ksStatus ksiActiveSetExchange(ksiActiveSet *set, ksiFollow *follow, void *context, bool *isFound);

/* Prepares the present solution's y and loads for residuals and rounding bounds. */
KS_MUST_USE ksStatus ksiTakeSolution(ksiActiveSet *set);

/* Rounding of a row's multiplier, from the largest force on all blocks connected with its
 * blocks. */
double ksiMultiplierSlack(const ksiActiveSet *set, int row);

/* w of a row; betaTerms: the sum of the sizes of beta's terms; *terms: the sum for all terms of
 * w. */
double ksiHeldResidual(const ksiActiveSet *set, int row, double betaTerms, double *terms);

#endif
