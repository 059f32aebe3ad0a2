/* wrench_norm.h  Wrenches and rows in the mass metric, and their norms. They are zero on bodies that
 * no force moves. */
#ifndef KSI_INSPECTOR_PUBLISH_WRENCH_NORM_H
#define KSI_INSPECTOR_PUBLISH_WRENCH_NORM_H

#include "../step_view.h"

KSI_INLINE double ksiSize(const double *x, int n)
{
    if (n == 12)
        return sqrt(ksiDotTwelve(x, x));
    if (n == 6)
        return sqrt(ksiDotSix(x, x));
    double sum = 0;
    for (int i = 0; i < n; i++)
        sum += x[i] * x[i];
    return sqrt(sum);
}

extern const ksWrench ksiUnknownWrench; /* NaN */
/* J^T lambda on both bodies, about their mass centres; NaN for the world, which has no mass
 * centre */
void ksiReactionWrenches(const ksiJointInput *joint, const double *multiplier, ksWrench wrench[2]);
extern const ksiRigidRoot ksiFixedRoot;
static inline const ksiRigidRoot *ksiMassRoot(const ksiBodyInput *body)
{
    return body->dynamic ? &body->begin.root : &ksiFixedRoot;
}

void ksiScaleWrench(const ksiBodyInput *body, const double wrench[6], double scaled[6]);
void ksiScaleRows(const ksiBodyInput *bodies, ksiJointInput *joint); /* also sets J v at the start
                                                                        of the step: `rate`,
                                                                        `moving` */
/* the engine's reaction minus the reaction of these multipliers: whole, and without its free
 * part */
void ksiFindDeviation(const ksiStep *step, int joint, const ksiJointFree *free, const double *multiplier,
                      ksiDeviation *whole, ksiDeviation *determined);
/* size of a reaction without its free part */
double ksiDeterminedSize(const ksiStep *step, int joint, const ksiJointFree *free, const double *multiplier);
/* the reaction of these multipliers in the mass metric; ksiDeterminedReaction: without its free
 * part */
void ksiDeterminedReaction(const ksiStep *step, int joint, const ksiJointFree *free, const double *multiplier,
                           double scaled[12]);
void ksiScaledReaction(const ksiJointInput *joint, const double *multiplier, double scaled[12]);

#endif
