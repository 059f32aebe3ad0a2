/* nearest_private.h  Sums over rows and bodies that the parts of nearest have in common. */
#ifndef KSI_NEAREST_PRIVATE_H
#define KSI_NEAREST_PRIVATE_H

#include "nearest.h"

/* [rows][12] rows over their lengths, in the metric of the masses or the kinematic one. */
void ksiNearestScale(const ksiNearest *n, const double *row, int isKinematic, double *unit);

/* a_l . a_k over the bodies that both rows have. */
double ksiNearestDot(const ksiNearest *n, const double *a, int l, int k);

/* [bodies][6]: sum of the first `rows` rows times their multipliers. */
void ksiNearestSum(const ksiNearest *n, int rows, const double *row, const double *times, double *out);

/* Row l on a motion [bodies][6]. */
double ksiNearestApply(const ksiNearest *n, const double *row, int l, const double *motion);

/* `matrix` := unit unit^T + shift of the first `rows` rows, 1 of the others. */
void ksiNearestFill(ksiNearest *n, int rows, double shift);

/* nearest_rank.c: candidates with singular values up to the tolerances and up to `factor` of what the way has moved of any
 * direction, and the self-stresses among them; candidate k is a self-stress too. */
KS_MUST_USE ksStatus ksiNearestFindStresses(ksiNearest *n, double factor);
void ksiNearestAddStress(ksiNearest *n, int k);

#endif
