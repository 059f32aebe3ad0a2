/* friction.h  Solves for rows at bounds, with friction that is bounded by the normal forces of the
 * same solution. */
#ifndef KSI_MECHANICS_BOUNDS_FRICTION_H
#define KSI_MECHANICS_BOUNDS_FRICTION_H

#include "active_set.h"

/* Largest residual of a usable result, relative to the largest force. */
#define KSI_FRICTION_OPEN 3e-4

/* Searches in rounds. The first round has the rows' present bounds; later friction bounds follow
 * the normal forces of the last round. If a round finds no set, a proximal term (a share of A_ll)
 * draws bounded multipliers to targets, which follow the solution. Rounds end at a residual of
 * `settled` times the largest force, at a hundred times that if they stall, or at KSI_FRICTION_OPEN
 * after eight rounds; *open: the final residual. If no friction bound follows a normal force, one
 * search solves to rounding, and *open is 0. The set, the compliances and the right-hand sides are
 * those of the last solution. Fails as ksiActiveSetSearch. */
KS_MUST_USE ksStatus ksiFrictionSearch(ksiActiveSet *set, double settled, size_t rounds, double *open);

#endif
