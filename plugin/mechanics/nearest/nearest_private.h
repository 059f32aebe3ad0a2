/* nearest_private.h  Sums over rows and bodies that the files of nearest share. */
#ifndef KSI_MECHANICS_NEAREST_NEAREST_PRIVATE_H
#define KSI_MECHANICS_NEAREST_NEAREST_PRIVATE_H

#include "../system_private.h"
#include "nearest.h"

#include <float.h>
#include <math.h>
#include <stdbool.h>

static inline double ksiNearestNorm(const double *x, size_t count)
{
    return sqrt(ksiDot(count, x, x));
}

/* Rounding of K K^T for unit rows, over a dozen coordinates each, and of its L D L^T. With this shift it has a factor
 * even if rows depend. */
static inline double ksiNearestRounding(const ksiNearest *n)
{
    return 16 * DBL_EPSILON * sqrt(n->rigid);
}

/* [rows][12] the first `rows` rows over their lengths, in the metric of the masses or the kinematic one; the others zero. */
void ksiNearestScale(const ksiNearest *n, const double *row, bool isKinematic, int rows, double *unit);

/* [bodies][6]: sum of the first `rows` rows times their multipliers. */
void ksiNearestSum(const ksiNearest *n, int rows, const double *row, const double *times, double *out);

/* Row l on a motion [bodies][6]. */
double ksiNearestApply(const ksiNearest *n, const double *row, int l, const double *motion);

/* `matrix` := unit unit^T */
void ksiNearestFill(ksiNearest *n);

/* Adds to the diagonal element of a row. */
static inline void ksiNearestAdd(const ksiNearest *n, double *matrix, int l, double shift)
{
    matrix[n->profile.diagonal[n->profile.place[l]]] += shift;
}

/* Largest singular value of a self-stress, whatever the way to the pose: as a multiple of the remaining drift, or what nobody sees. */
static inline double ksiNearestFloor(const ksiNearest *n)
{
    const double leftFactor = 3;
    return fmax(fmax(n->tolerance, ksiNearestUnseen(n)), n->isMoved ? leftFactor * n->residual : 0);
}

/* nearest_stress.c */
KS_MUST_USE ksStatus ksiStressSetBegin(const ksAllocator *allocator, ksiStressSet *set, int most);
KS_MUST_USE ksStatus ksiStressSetAdd(const ksAllocator *allocator, ksiStressSet *set, int from, int end,
                                     const double *x);
KS_MUST_USE ksStatus ksiStressSetMeasure(ksiNearest *n, ksiStressSet *set); /* KS_ERROR_UNAVAILABLE: not independent */

/* Of self-stresses: the largest singular value of one by itself, a bound of all together; and the least one of what is none. */
typedef struct ksiSpectrum {
    double typical, bound, next;
} ksiSpectrum;

/* The self-stresses of the rows that a factorisation has set aside, into `all`. */
KS_MUST_USE ksStatus ksiNearestFindClosures(ksiNearest *n, int count, ksiSpectrum *found);

#endif
