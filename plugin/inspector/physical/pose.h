/* pose.h  An island in the nearest pose in which its joints fit. */
#ifndef KSI_INSPECTOR_PHYSICAL_POSE_H
#define KSI_INSPECTOR_PHYSICAL_POSE_H

#include "../../core/loop.h"
#include "../../engine/engine.h"

#include <stdbool.h>

/* A body in the pose, and its rotation from the actual pose to this pose. */
typedef struct ksiPosedBody {
    ksiBody at;
    double turn[9];
} ksiPosedBody;

/* A joint in the pose. isTurned: the engine has written its bilateral rows J' in another frame than
 * before; `frame` is C, `jacobian` the rows C J' in the earlier frame. */
typedef struct ksiPosedJoint {
    int constraint;        /* joint of ksiPose::island; -1: a contact; its force is applied */
    int row[KSI_MAX_ROWS]; /* number of the row in the island, also at a bound; or -1 */
    int first;             /* first row of the joint: row - first is the row in its constraint */
    int bilateral;         /* number of bilateral rows, which come first */
    int block[2];          /* blocks of its bodies; -1: no body with a mass */
    ksiRows rows;
    double gap[KSI_MAX_ROWS];
    bool isTurned;
    double frame[KSI_MAX_ROWS][KSI_MAX_ROWS], jacobian[KSI_MAX_ROWS][12];
    double own[KSI_MAX_ROWS]; /* -(dJ/dt) v at the other permitted velocities */
} ksiPosedJoint;

/* The pose of one island, valid until the pose of the next one is requested. */
typedef struct ksiPose {
    ksiCoreIsland island; /* its bodies by block; rows in the actual pose, and the self-stresses of
                             the fitted pose */
    ksiPosedBody *body;   /* [bodies] of the island, by block */
    ksiPosedJoint *joint; /* [joints] of the island */
    ksiCoreJoint *plan;   /* [constraints] */
    int *first;           /* [constraints] first row of each */
    int rows;             /* number of rows */
    bool isDecided;       /* the self-stresses belong to the rows that are not atLow */
    /* workspace */
    double *vector[2]; /* [rows] */
    double *velocity;  /* [bodies][6] */
    size_t bodyCapacity, jointCapacity, planCapacity, firstCapacity, velocityCapacity, vectorCapacity;
    ksReasons lacking; /* reasons why there are no multipliers */
} ksiPose;

/* [12] row l of a joint, read at the poses in ksiPose::body; if isTurned, bilateral rows are in the
 * earlier frame */
static inline const double *ksiPosedRow(const ksiPosedJoint *at, int l)
{
    return at->isTurned && l < at->bilateral ? at->jacobian[l] : at->rows.row[l].jacobian[0];
}

static inline ksiConstraint *ksiPosedConstraint(const ksiPose *pose, const ksiPosedJoint *at)
{
    return ksiCoreConstraint(&pose->island.core, at->constraint);
}

#endif
