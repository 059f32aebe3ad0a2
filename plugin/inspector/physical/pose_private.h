/* pose_private.h  Bodies and joints of an island on the way to its nearest pose: for pose.c, pose_rows.c and pose_solve.c. */
#ifndef KSI_INSPECTOR_PHYSICAL_POSE_PRIVATE_H
#define KSI_INSPECTOR_PHYSICAL_POSE_PRIVATE_H

#include "../solver.h"

#include "../../base/vectorise.h"

#include <string.h>

/* The island that is posed, and the places of its rows. */
typedef struct ksiPosing {
    const ksiStep *step;
    const ksiIsland *island;
    const ksiPlaces *places;
    ksiPose *pose;
} ksiPosing;

/* A body there, kinematic ones where they are; NULL for the world. */
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

/* L^-1 J^T where the bodies are turned from where they were read. */
KSI_INLINE void ksiScalePosedRow(const ksiPose *pose, const ksiPosedJoint *at, const double *row, double scaled[12])
{
    memset(scaled, 0, 12 * sizeof *scaled);
    for (int side = 0; side < 2; side++)
        if (at->block[side] >= 0)
            ksiScalePosed(&pose->body[at->block[side]], row + 6 * side, scaled + 6 * side);
}

/* --- pose_rows.c --- */

/* L^-T: a motion in the world's axes from a scaled one */
void ksiUnscalePosed(const ksiPosedBody *body, const double scaled[6], double motion[6]);

void ksiMovePosed(ksiPosedBody *body, const double motion[6]);

/* To where the bodies are. */
void ksiPlacePosed(const ksiPosing *p);

/* Reads all joints where the bodies are now. first: they have not moved yet. */
KS_MUST_USE ksStatus ksiReadPosedJoints(const ksiPosing *p, bool first);

#endif
