/* pose.h  Islands whose joints have drifted apart: the way to where they fit, and the rank there. */
#ifndef KSI_CORE_POSE_H
#define KSI_CORE_POSE_H

#include "core.h"

/* Steps towards the pose in which the joints fit, with K the unit rows in the kinematic metric, e = gap / |row|,
 *
 *     dq = K^T (K K^T + damping)^-1 e.
 *
 * Rows that are not known hold a position; their gap, J dq = gap, is beta of a column of ksiCoreSweep, and its forces are zero. y is the step, in coordinates
 * scaled by the masses. One factor may serve several. KS_ERROR_UNAVAILABLE as of ksiCoreFactor. */
KS_MUST_USE ksStatus ksiCoreBeginPose(ksiCore *core, double damping);

/* Of K K^T for unit rows, and of its factor. */
double ksiCoreRounding(const ksiCore *core);

/* The largest |e| of column 0, of rows that are not known. With unit2. */
double ksiCoreLargestGap(const ksiCore *core);

/* What is known of the way to the pose. Lengths are relative to the radius of gyration. */
typedef struct ksiCoreWay {
    double tolerance;       /* of the rank */
    double drift, residual; /* largest gap, where the bodies are and in the pose */
    bool isMoved;
    const double (
        *initial)[KSI_CORE_ROWS][12]; /* [joints] scaled rows where the bodies are; NULL: they have not been moved */
} ksiCoreWay;

/* How well self-stresses are known. */
typedef struct ksiCoreRankFound {
    bool byRows;  /* they are those of redundant rows; else directions over all rows */
    double noise; /* in a row that has no part in a unit one: less than that */
    double tilt;  /* of a unit one, in radians */
} ksiCoreRankFound;

/* The self-stresses in the pose, of rows that are not known: ksiCore::stresses. KS_ERROR_SINGULAR: neither redundant rows nor directions tell
 * them; KS_ERROR_UNAVAILABLE as of ksiCoreRank; KS_ERROR_NO_MEMORY. compliance and right-hand sides are overwritten. */
KS_MUST_USE ksStatus ksiCoreDecide(ksiCore *core, const ksiCoreWay *way, ksiCoreRankFound *found);

#endif
