/* physical.c  The reactions of the continuous mechanism: J a = beta with beta = -(dJ/dt) v from the constraint itself,
 * no error correction, no regularising compliance, in the configuration and with the velocities of the start of the
 * step (Gugino 1930). Springs (cfm above options.rigidCfm) keep their compliance and their right-hand side.
 *
 * (dJ/dt) v is not in one reading of the rows. Where the joint's geometry does not give it, it is taken from two:
 *
 *     beta = -(J_k - G J_k-1) v_k / h,       G = argmin |J_k - G J_k-1| in the mass metric
 *
 * G takes out what only turns the frame that the rows are written in (it may jump): on the constraint manifold
 * J v = 0, so nothing of beta goes with it. */
#include "inspector_private.h"

#include "../mechanics/leastsquares.h"

#include <math.h>
#include <string.h>

static const double sameSpanTolerance = 1e-9; /* of the predecessor's rows: dependent ones are dropped */

static bool needsBeta(const ksInspector *inspector, const ksiJointState *joint, int l)
{
    const ksRow *row = &inspector->row[joint->firstRow + (size_t)l];
    return row->place == KS_INSIDE && row->cfm <= inspector->options.rigidCfm;
}

/* The joint in the last step, if it is the same one, with the same rows, and nobody moved its bodies since. */
static const ksiJointState *predecessor(const ksInspector *inspector, const ksiJointState *joint)
{
    int before = ksiPointersFind(&inspector->previousJointIndex, joint->id);
    if (before < 0 || inspector->previousJointCount == 0)
        return NULL;
    const ksiJointState *last = &inspector->previousJoint[before];
    // contact joints are made anew at the addresses of old ones
    if (!last->read || last->type != joint->type || joint->type == dJointTypeContact ||
        last->rows.count != joint->rows.count)
        return NULL;
    for (int side = 0; side < 2; side++) {
        if (last->body[side] != joint->body[side])
            return NULL;
        if (joint->bodyIndex[side] >= 0 && inspector->body[joint->bodyIndex[side]].jumped)
            return NULL;
    }
    return memcmp(last->rows.kind, joint->rows.kind, sizeof joint->rows.kind) ? NULL : last;
}

static void rowsFromHistory(const ksInspector *inspector, ksiJointState *joint, const ksiJointState *last)
{
    int count = joint->rows.count;
    double before[KSI_MAX_ROWS][12];
    for (int r = 0; r < count; r++) {
        for (int side = 0; side < 2; side++) {
            memset(&before[r][6 * side], 0, 6 * sizeof(double));
            if (joint->bodyIndex[side] >= 0)
                ksiScaleWrench(&inspector->body[joint->bodyIndex[side]], last->rows.jacobian[r][side],
                               &before[r][6 * side]);
        }
    }
    for (int l = 0; l < count; l++) {
        if (joint->betaKnown[l] || !needsBeta(inspector, joint, l))
            continue;
        // motors and stops have one axis each; bilateral rows share a frame
        double turn[KSI_MAX_ROWS] = {0};
        if (joint->rows.kind[l] == KS_ROW_BILATERAL)
            ksiLeastSquares(12, count, before[0], joint->scaled[l], sameSpanTolerance, turn);
        else
            turn[l] = 1;
        double change = 0;
        for (int side = 0; side < 2; side++) {
            if (joint->bodyIndex[side] < 0)
                continue;
            const double *v = inspector->body[joint->bodyIndex[side]].begin.velocity;
            for (int k = 0; k < 6; k++) {
                double then = 0;
                for (int r = 0; r < count; r++)
                    then += turn[r] * last->rows.jacobian[r][side][k];
                change += (joint->rows.jacobian[l][side][k] - then) * v[k];
            }
        }
        joint->beta[l] = -change / inspector->previousH;
        joint->betaKnown[l] = 1;
        joint->hasHistory = true;
    }
}

void ksiFindRowAccelerations(ksInspector *inspector)
{
    for (size_t i = 0; i < inspector->jointCount; i++) {
        ksiJointState *joint = &inspector->joint[i];
        if (!joint->solved)
            continue;
        const ksiJointState *last = predecessor(inspector, joint);
        if (last)
            rowsFromHistory(inspector, joint, last);
    }
}

/* beta of the island's system rows; false if one is not known */
static bool gatherBeta(const ksInspector *inspector, const ksiIsland *island, double *beta)
{
    for (int i = 0; i < island->jointCount; i++) {
        const ksiJointState *joint = &inspector->joint[inspector->islandJoint[island->firstJoint + i]];
        for (int l = 0; l < joint->rows.count; l++) {
            int at = joint->systemRow[l];
            if (at < 0)
                continue;
            if (!needsBeta(inspector, joint, l))
                beta[at] = ksiRightHandSide(inspector, joint, l);
            else if (joint->betaKnown[l])
                beta[at] = joint->beta[l];
            else
                return false;
        }
    }
    return true;
}

/* the stepper's gyroscopic torque is implicit in h; the mechanism's is -w x I w */
static void gatherForce(const ksInspector *inspector, const ksiIsland *island, double *force)
{
    for (int i = 0; i < island->bodyCount; i++) {
        const ksiBodyState *body = &inspector->body[inspector->islandBody[island->firstBody + i]];
        const ksiBody *b = &body->begin;
        double *f = force + 6 * (size_t)body->block;
        for (int k = 0; k < 6; k++)
            f[k] = b->force[k] + body->fudge[k];
        if (!b->gyroscopicMode)
            continue;
        const double *w = &b->velocity[3];
        double momentum[3] = {0};
        for (int k = 0; k < 3; k++) {
            for (int m = 0; m < 3; m++)
                momentum[k] += b->inertia[3 * k + m] * w[m];
        }
        for (int k = 0; k < 3; k++) {
            int p = (k + 1) % 3, q = (k + 2) % 3;
            f[3 + k] -= b->gyroscopic[k] + w[p] * momentum[q] - w[q] * momentum[p];
        }
    }
}

static ksStatus solveWith(ksSystem *system, const double *beta, const double *force, double *multiplier)
{
    ksiSystemSetBeta(system, beta);
    ksiSystemSetForce(system, force);
    return ksSystemSolveLeastNorm(system, multiplier, NULL);
}

void ksiSolvePhysical(ksInspector *inspector, int index)
{
    ksiIsland *island = &inspector->island[index];
    if (!island->solved)
        return;
    size_t rows = (size_t)island->rowCount;
    double *beta = inspector->scratch, *multiplier = beta + rows, *force = multiplier + rows;
    if (!gatherBeta(inspector, island, beta)) {
        island->reasons |= KS_REASON_NO_HISTORY;
        return;
    }
    gatherForce(inspector, island, force);
    ksStatus status = solveWith(inspector->system[index], beta, force, multiplier);
    if (status == KS_ERROR_NO_MEMORY)
        inspector->status = status;
    for (int i = 0; !status && i < island->jointCount; i++) {
        ksiJointState *joint = &inspector->joint[inspector->islandJoint[island->firstJoint + i]];
        for (int l = 0; l < joint->rows.count; l++) {
            joint->physical[l] = joint->systemRow[l] < 0 ? 0 : multiplier[joint->systemRow[l]];
            inspector->row[joint->firstRow + (size_t)l].physical = joint->physical[l];
        }
        joint->hasPhysical = true;
    }
    island->built = false;  // the system no longer holds the step's equations
}
