/* pose.h  Finds the way of an island with drifted joints to a pose in which the joints fit, and the
 * rank in that pose. */
#ifndef KSI_CORE_POSE_H
#define KSI_CORE_POSE_H

#include "core.h"

/* Steps towards the pose in which the joints fit, with K the unit rows in the kinematic metric,
 * e = gap / |row|,
 *
 *     dq = K^T (K K^T + damping)^-1 e.
 *
 * Unknown rows fix a position; their gap, J dq = gap, is beta of a column of ksiCoreSweep with zero
 * forces. y is the step, in coordinates scaled by the masses. One factor may serve several steps.
 * KS_ERROR_UNAVAILABLE as from ksiCoreFactor. */
KS_MUST_USE ksStatus ksiCoreBeginPose(ksiCore *core, double damping);

/* Rounding of K K^T of unit rows and of its factor, and so the least damping. */
double ksiCoreRounding(const ksiCore *core);

/* The largest |e| of the unknown rows in column 0. Needs unit2. */
double ksiCoreLargestGap(const ksiCore *core);

/* Results of the way to the pose. Lengths are relative to the radius of gyration. */
typedef struct ksiCoreWay {
    double tolerance;       /* of the rank */
    double drift, residual; /* largest gap, in the present and in the fitted pose */
    double placing;         /* rounding of the gaps */
    bool isMoved;
    const double (*initial)[KSI_CORE_ROWS][12]; /* [joints] scaled rows in the present pose; NULL:
                                                   the bodies were not moved */
} ksiCoreWay;

/* Accuracy of the self-stresses. */
typedef struct ksiCoreRankFound {
    bool byRows;   /* by redundant rows; else by directions over all rows */
    double noise;  /* bound of a unit self-stress in a row that takes no part in it */
    double tilt;   /* error in the direction of a unit self-stress, in radians */
    double motion; /* byRows: bound of the motion of all unit self-stresses, divided by the least
                      motion of other unit directions */
} ksiCoreRankFound;

/* The self-stresses of the unknown rows in the pose: ksiCore::stresses. KS_ERROR_SINGULAR: neither
 * redundant rows nor directions determine them; KS_ERROR_UNAVAILABLE as from ksiCoreRank;
 * KS_ERROR_NO_MEMORY. Overwrites compliance and beta. */
KS_MUST_USE ksStatus ksiCoreDecide(ksiCore *core, const ksiCoreWay *way, ksiCoreRankFound *found);

#endif
