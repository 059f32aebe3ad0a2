/* pose.h  An island in the nearest pose in which its joints fit. */
#ifndef KSI_INSPECTOR_PHYSICAL_POSE_H
#define KSI_INSPECTOR_PHYSICAL_POSE_H

#include "../../engine/engine.h"
#include "../../mechanics/nearest/nearest.h"

#include <stdbool.h>

/* A body there, and how it was turned on the way. */
typedef struct ksiPosedBody {
    ksiBody at;
    double turn[9];
} ksiPosedBody;

/* A joint there. isTurned: its bilateral rows are written in another frame; C, and the rows C J' in that of before. */
typedef struct ksiPosedJoint {
    int row[KSI_MAX_ROWS]; /* of ksiPose::nearest, idle ones too; or -1 */
    int bilateral;         /* of the joint's rows, which come first */
    int block[2];          /* of its bodies, or -1: none with a mass */
    ksiRows rows;
    double gap[KSI_MAX_ROWS];
    bool isTurned;
    double frame[KSI_MAX_ROWS][KSI_MAX_ROWS], jacobian[KSI_MAX_ROWS][12];
} ksiPosedJoint;

/* Of one island, until the next one is asked for. */
typedef struct ksiPose {
    ksiNearest nearest;
    ksiPosedBody *body;   /* [bodies] of the island, by block */
    ksiPosedJoint *joint; /* [joints] of the island */
    size_t bodyCapacity, jointCapacity;
    ksReasons lacking; /* reasons for which there are no multipliers */
} ksiPose;

/* [12] row l of a joint where the bodies have been moved */
static inline const double *ksiPosedRow(const ksiPosedJoint *at, int l)
{
    return at->isTurned && l < at->bilateral ? at->jacobian[l] : at->rows.row[l].jacobian[0];
}

/* Of the rows whose multipliers are found there: this one, or -1. */
static inline int ksiSolvedRow(const ksiPose *pose, const ksiPosedJoint *at, int l)
{
    const int r = at->row[l];
    return r < pose->nearest.active || r >= pose->nearest.rigid ? r : -1;
}

#endif
