/* friction.h  Rows at bounds where friction is bounded by the normal forces of the same solution. */
#ifndef KSI_MECHANICS_BOUNDS_FRICTION_H
#define KSI_MECHANICS_BOUNDS_FRICTION_H

#include "active_set.h"

/* Of the largest force, by how much rows may be unsolved for the result to be of use. */
#define KSI_FRICTION_OPEN 3e-4

/* Rounds of searches, each with friction within its coefficient times the normal forces of the last one, from the bounds that the rows have.
 * While no set is found, multipliers of bounded rows are drawn to their targets by a share of A_ll; the targets follow. Rounds
 * end where no more than `settled` of the largest force is left of the equations, a hundred times that where it falls no longer, or, after
 * eight rounds, KSI_FRICTION_OPEN: *open. Where no bound follows a normal force, one search solves to rounding: 0. The set is that of the last
 * solution, and so are compliances and right-hand sides of the system. Fails as ksiActiveSetSearch. */
KS_MUST_USE ksStatus ksiFrictionSearch(ksiActiveSet *set, double settled, size_t rounds, double *open);

#endif
