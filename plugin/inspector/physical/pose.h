/* pose.h  An island in the nearest pose in which its joints fit. */
#ifndef KSI_INSPECTOR_PHYSICAL_POSE_H
#define KSI_INSPECTOR_PHYSICAL_POSE_H

#include "../../core/loop.h"
#include "../../engine/engine.h"

#include <stdbool.h>

/* A body there, and how it was turned on the way. */
typedef struct ksiPosedBody {
    ksiBody at;
    double turn[9];
} ksiPosedBody;

/* A joint in the pose. isTurned: its bilateral rows are in another frame than before: C, and the
 * rows C J' in the earlier frame. */
typedef struct ksiPosedJoint {
    int constraint;        /* joint of ksiPose::island, or -1: a contact, which is an applied force */
    int row[KSI_MAX_ROWS]; /* of all of the island, at bounds, too; or -1 */
    int first;             /* ... of the joint: row - first is that of its constraint */
    int bilateral;         /* of the joint's rows, which come first */
    int block[2];          /* of its bodies, or -1: none with a mass */
    ksiRows rows;
    double gap[KSI_MAX_ROWS];
    bool isTurned;
    double frame[KSI_MAX_ROWS][KSI_MAX_ROWS], jacobian[KSI_MAX_ROWS][12];
    double own[KSI_MAX_ROWS]; /* -(dJ/dt) v of the velocities that have a part of the engine's own */
} ksiPosedJoint;

/* The pose of one island, valid until the pose of the next one is requested. */
typedef struct ksiPose {
    ksiCoreIsland island; /* its bodies by block; rows in the present pose, and the self-stresses of
                             the fitted pose */
    ksiPosedBody *body;   /* [bodies] of the island, by block */
    ksiPosedJoint *joint; /* [joints] of the island */
    ksiCoreJoint *plan;   /* [constraints] */
    int *first;           /* [constraints] their first row, ... */
    int rows;             /* ... of so many */
    bool isDecided;       /* the self-stresses are those of rows that are not ksiConstraint::atLow */
    /* workspace */
    double *vector[2]; /* [rows] */
    double *velocity;  /* [bodies][6] */
    size_t bodyCapacity, jointCapacity, planCapacity, firstCapacity, velocityCapacity, vectorCapacity;
    ksReasons lacking; /* reasons for which there are no multipliers */
} ksiPose;

/* [12] row l of a joint where the bodies have been moved */
static inline const double *ksiPosedRow(const ksiPosedJoint *at, int l)
{
    return at->isTurned && l < at->bilateral ? at->jacobian[l] : at->rows.row[l].jacobian[0];
}

static inline ksiConstraint *ksiPosedConstraint(const ksiPose *pose, const ksiPosedJoint *at)
{
    return ksiCoreConstraint(&pose->island.core, at->constraint);
}

#endif
