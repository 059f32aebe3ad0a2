/* pose_private.h  Bodies and joints of an island on the way to its nearest pose: for pose.c,
 * pose_rows.c and pose_solve.c. */
#ifndef KSI_INSPECTOR_PHYSICAL_POSE_PRIVATE_H
#define KSI_INSPECTOR_PHYSICAL_POSE_PRIVATE_H

#include "../solver.h"

#include "../../base/vectorise.h"

#include <string.h>

/* The island, and the places of its rows. out: the results, whose places may change; or NULL. */
typedef struct ksiPosing {
    const ksiStep *step;
    const ksiIsland *island;
    const ksiPlaces *places;
    ksiPose *pose;
    int index;
    ksiSolver *solver;
    ksiPhysical *out;
} ksiPosing;

/* A body in the pose; kinematic bodies do not move. NULL: the world. */
KSI_INLINE const ksiBody *ksiPosedBodyAt(const ksiPosing *p, int joint, const ksiPosedJoint *at, int side)
{
    const int index = p->step->joint[joint].bodyIndex[side];
    if (index < 0)
        return NULL;
    return at->block[side] < 0 ? &p->step->body[index].begin : &p->pose->body[at->block[side]].at;
}

/* L^-1 of a wrench. */
KSI_INLINE void ksiScalePosed(const ksiPosedBody *body, const double wrench[6], double scaled[6])
{
    double turned[4] = {0};
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++)
            turned[i] += body->turn[3 * k + i] * wrench[3 + k];
    ksiScaleByRoot(&body->at.root, wrench, turned, scaled);
}

/* L^-1 J^T in a pose in which the bodies are rotated relative to the pose of the step. */
KSI_INLINE void ksiScalePosedRow(const ksiPose *pose, const ksiPosedJoint *at, const double *row, double scaled[12])
{
    memset(scaled, 0, 12 * sizeof *scaled);
    for (int side = 0; side < 2; side++)
        if (at->block[side] >= 0)
            ksiScalePosed(&pose->body[at->block[side]], row + 6 * side, scaled + 6 * side);
}

/* The square of a scaled row's length where each body has mass 1. */
KSI_INLINE double ksiKinematicSquare(const ksiPosing *p, const int block[2], const double scaled[12])
{
    double square = 0;
    for (int side = 0; side < 2; side++) {
        if (block[side] < 0)
            continue;
        const double weight = p->step->body[ksiIslandBody(p->step, p->island, block[side])].begin.root.mass;
        square += weight * weight * ksiDotSix(scaled + 6 * side, scaled + 6 * side);
    }
    return square;
}

/* --- pose.c --- */

/* KS_ERROR_UNAVAILABLE: the joints fit, or their fit is unknown; *drift is set. */
KS_MUST_USE ksStatus ksiBeginPose(const ksiPosing *p, double *drift);

/* The host calls of the island; drive, strike and letGo: see pose_solve.c. */
ksiCoreHost ksiPoseHost(ksiPosing *p);

/* Finds, in the fitted pose, the self-stresses of the rows that are inside their bounds at these
 * places. KS_ERROR_UNAVAILABLE: undecided. */
KS_MUST_USE ksStatus ksiDecidePosed(const ksiStep *step, ksiSolver *solver, int island, const ksiPlaces *places);

/* Sets the rows and gaps of the fitted pose, and row[] to the rows of the original pose, both with
 * the scaling of the fitted pose. */
void ksiSetPosedRows(const ksiPosing *p);

/* --- pose_rows.c --- */

/* L^-T: a motion in the world's axes, from y of column 0. as: the body in the pose to which the
 * scaling belongs. */
void ksiPosedMotion(const ksiPose *pose, int block, const ksiPosedBody *as, double motion[6]);

void ksiMovePosed(ksiPosedBody *body, const double motion[6]);

/* Reads all joints in the present pose. first: the bodies have not moved yet. */
KS_MUST_USE ksStatus ksiReadPosedJoints(const ksiPosing *p, bool first);

#endif
