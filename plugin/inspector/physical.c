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

/* of the change of a row over what its bodies' speeds make of it: lever arms change twice, by both bodies */
static const double motionMargin = 4;
static const double sameSpanTolerance = 1e-9; /* of the predecessor's rows: dependent ones are dropped */

static bool needsBeta(const ksInspector *inspector, const ksiJointState *joint, int l)
{
    return joint->place[l] == KS_INSIDE && joint->rows.cfm[l] <= inspector->options.rigidCfm;
}

/* The joint in the last step, if it is the same one, with the same rows, and nobody moved its bodies since. */
static const ksiJointState *predecessor(const ksInspector *inspector, const ksiJointState *joint)
{
    if (joint->before < 0)
        return NULL;
    const ksiJointState *last = &inspector->previousJoint[joint->before];
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
    return memcmp(last->rows.kind, joint->rows.kind, (size_t)joint->rows.count * sizeof *joint->rows.kind) ? NULL
                                                                                                           : last;
}

/* J_k - G J_k-1 of one row, `turn` its row of G */
static void changeOfRow(const ksiJointState *joint, const ksiJointState *last, int l, const double *turn,
                        double change[2][6])
{
    memcpy(change, joint->rows.jacobian[l], sizeof joint->rows.jacobian[l]);
    for (int r = 0; r < joint->rows.count; r++) {
        for (int side = 0; side < 2; side++) {
            for (int k = 0; k < 6; k++)
                change[side][k] -= turn[r] * last->rows.jacobian[r][side][k];
        }
    }
}

/* A row that has changed by more than its bodies' motion lets it was given another axis by the host. */
static bool plausible(const ksInspector *inspector, const ksiJointState *joint, int l, double change[2][6])
{
    double turned = 0, carried = 0, size = 0;
    for (int side = 0; side < 2; side++) {
        if (joint->bodyIndex[side] < 0)
            continue;
        const double *v = inspector->body[joint->bodyIndex[side]].begin.velocity;
        turned += ksiSize(v + 3, 3);
        carried += ksiSize(v, 3);
    }
    for (int side = 0; side < 2; side++) {
        const double *row = joint->rows.jacobian[l][side];
        size += turned * ksiSize(row, 6) + carried * ksiSize(row, 3);
    }
    return ksiSize(change[0], 12) <= motionMargin * inspector->previousH * size + sameSpanTolerance;
}

/* The bilateral rows, which come first, share a frame; stops and motors have one axis each. */
static void rowsFromHistory(const ksInspector *inspector, ksiJointState *joint, const ksiJointState *last)
{
    int shared = 0;
    while (shared < joint->rows.count && joint->rows.kind[shared] == KS_ROW_BILATERAL)
        shared++;
    double before[KSI_MAX_ROWS][12] = {{0}};
    for (int r = 0; r < shared; r++) {
        for (int side = 0; side < 2; side++) {
            if (joint->bodyIndex[side] >= 0)
                ksiScaleWrench(&inspector->body[joint->bodyIndex[side]], last->rows.jacobian[r][side],
                               &before[r][6 * side]);
        }
    }
    for (int l = 0; l < joint->rows.count; l++) {
        if (joint->betaSource[l] != KS_FROM_NOWHERE)
            continue;
        double turn[KSI_MAX_ROWS] = {0}, rest[12];
        if (l < shared)
            ksiLeastSquares(shared, before, joint->scaled[l], sameSpanTolerance, turn, rest);
        else
            turn[l] = 1;
        double change[2][6], rate = 0;
        changeOfRow(joint, last, l, turn, change);
        if (!plausible(inspector, joint, l, change))
            continue;
        for (int side = 0; side < 2; side++) {
            for (int k = 0; k < 6 && joint->bodyIndex[side] >= 0; k++)
                rate += change[side][k] * inspector->body[joint->bodyIndex[side]].begin.velocity[k];
        }
        joint->beta[l] = -rate / inspector->previousH;
        joint->betaSource[l] = KS_FROM_HISTORY;
    }
}

/* A motor is to follow its target velocity: what the target has gained in this step is an acceleration of the row. */
static void followTargets(const ksInspector *inspector, ksiJointState *joint, const ksiJointState *last)
{
    for (int l = 0; l < joint->rows.count; l++) {
        if (joint->rows.kind[l] == KS_ROW_MOTOR)
            joint->beta[l] += (joint->rows.c[l] - last->rows.c[l]) / inspector->h;
    }
}

/* The accelerations of its rows were found with velocities that the step did not start from. */
static bool wasReset(const ksInspector *inspector, ksiJointState *joint)
{
    bool reset = false;
    for (int side = 0; side < 2; side++)
        reset |= joint->bodyIndex[side] >= 0 && inspector->body[joint->bodyIndex[side]].reasons & KS_REASON_RESET;
    for (int l = 0; reset && l < joint->rows.count; l++)
        joint->betaSource[l] = KS_FROM_NOWHERE;
    return reset;
}

void ksiFindRowAccelerations(ksInspector *inspector)
{
    for (size_t i = 0; i < inspector->jointCount; i++) {
        ksiJointState *joint = &inspector->joint[i];
        if (!joint->solved || wasReset(inspector, joint))
            continue;
        const ksiJointState *last = predecessor(inspector, joint);
        if (!last)
            continue;
        rowsFromHistory(inspector, joint, last);
        followTargets(inspector, joint, last);
    }
}

/* beta of the island's system rows; false if one is not known */
static bool gatherBeta(ksInspector *inspector, const ksiIsland *island, double *beta)
{
    for (int i = 0; i < island->jointCount; i++) {
        ksiJointState *joint = &inspector->joint[inspector->islandJoint[island->firstJoint + i]];
        joint->physicalSource = KS_FROM_GEOMETRY;
        for (int l = 0; l < joint->rows.count; l++) {
            int at = joint->systemRow[l];
            if (at < 0)
                continue;
            beta[at] = ksiRightHandSide(inspector, joint, l);
            if (!needsBeta(inspector, joint, l))
                continue;
            if (joint->betaSource[l] == KS_FROM_NOWHERE)
                return false;
            if (joint->betaSource[l] == KS_FROM_HISTORY)
                joint->physicalSource = KS_FROM_HISTORY;
            beta[at] = joint->beta[l];
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

/* Rows at a bound are those of the engine's report: what the motors did in this step. The converged solution may have
 * others, since it closes gaps that the mechanism has not. */
static bool reportedPlacesDiffer(const ksInspector *inspector, const ksiIsland *island)
{
    for (int i = 0; i < island->jointCount; i++) {
        const ksiJointState *joint = &inspector->joint[inspector->islandJoint[island->firstJoint + i]];
        if (memcmp(joint->place, joint->reported, sizeof joint->place))
            return true;
    }
    return false;
}

static ksStatus solveRigid(ksInspector *inspector, int index, double *beta, double *force, double *multiplier)
{
    ksiIsland *island = &inspector->island[index];
    ksSystem *system = inspector->system[index];
    ksStatus status = island->built ? KS_OK : ksiBuildSystem(inspector, index);
    if (!status && !island->solved)
        status = ksiFindDeterminacy(inspector, index);
    island->built = false;  // the system no longer holds the step's equations
    if (status)
        return status;
    gatherForce(inspector, island, force);
    ksiSystemSetBeta(system, beta);
    ksiSystemSetForce(system, force);
    return ksSystemSolveLeastNorm(system, multiplier, NULL);
}

void ksiSolvePhysical(ksInspector *inspector, int index)
{
    ksiIsland *island = &inspector->island[index];
    if (ksiObstacles(inspector, index))
        return;
    ksStatus status = ksiReserveScratch(inspector, index);
    if (status) {
        inspector->status = status;
        return;
    }
    if (reportedPlacesDiffer(inspector, island)) {
        ksiTakeReportedPlaces(inspector, index);
        island->built = false;
    }
    size_t rows = (size_t)island->rowCount;
    double *beta = inspector->scratch, *multiplier = beta + rows, *force = multiplier + rows;
    if (!island->built && !island->solved)
        status = ksiBuildSystem(inspector, index);
    if (!status && !gatherBeta(inspector, island, beta)) {
        island->reasons |= KS_REASON_NO_HISTORY;
        return;
    }
    if (!status)
        status = solveRigid(inspector, index, beta, force, multiplier);
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
}
