/* pose_solve.c  What holds in the nearest pose: velocities that the rows allow there, accelerations, forces, multipliers. */
#include "places.h"
#include "pose_private.h"
#include "size.h"

#include <math.h>

/* J v of rows that hold a velocity at zero; the change that this asks for is given to the bodies. */
static ksStatus correctVelocities(const ksiPosing *p)
{
    ksiNearest *n = &p->pose->nearest;
    for (int i = 0; i < p->island->jointCount; i++) {
        const int joint = ksiIslandJoint(p->step, p->island, i);
        const ksiRows *rows = &p->step->joint[joint].rows;
        const ksiPosedJoint *at = &p->pose->joint[i];
        for (int l = 0; l < rows->count; l++) {
            const int r = at->row[l];
            if (r < 0)
                continue;
            const double *row = ksiPosedRow(at, l);
            n->rate[r] = 0;
            for (int side = 0; side < 2; side++) {
                const ksiBody *body = ksiPosedBodyAt(p, joint, at, side);
                if (body && rows->row[l].kind != KS_ROW_MOTOR)
                    n->rate[r] += ksiDotSix(row + 6 * side, body->velocity);
            }
        }
    }
    const ksStatus status = ksiNearestCorrect(n);
    for (int b = 0; !status && b < p->island->bodyCount; b++) {
        double change[6];
        ksiUnscalePosed(&p->pose->body[b], n->motion + 6 * b, change);
        for (int k = 0; k < 6; k++)
            p->pose->body[b].at.velocity[k] += change[k];
    }
    return status;
}

/* -(dJ/dt) v there, with what targets and kinematic bodies have gained, which does not change. */
static void accelerationsOf(const ksiPosing *p, int index, const ksiPosedJoint *at, double beta[KSI_MAX_ROWS])
{
    const ksiStep *step = p->step;
    const ksiJointInput *joint = &step->joint[index];
    const ksiJointAcceleration *acceleration = &step->acceleration[index];
    double there[KSI_MAX_ROWS], here[KSI_MAX_ROWS], turned[KSI_MAX_ROWS] = {0};
    int known[KSI_MAX_ROWS];
    memcpy(beta, acceleration->beta, sizeof acceleration->beta);
    if (joint->type == dJointTypeContact)
        return;
    const double *copy = step->input->copy + joint->copyAt;
    ksiRowAccelerationAt(copy, ksiBodyOfJoint(step, index, 0), ksiBodyOfJoint(step, index, 1), &joint->rows, there,
                         known);
    ksiRowAccelerationAt(copy, ksiPosedBodyAt(p, index, at, 0), ksiPosedBodyAt(p, index, at, 1), &at->rows, here,
                         known);
    for (int l = 0; at->isTurned && l < at->bilateral; l++)
        for (int r = 0; r < at->bilateral; r++)
            turned[l] += at->frame[l][r] * here[r];
    for (int l = 0; l < joint->rows.count; l++)
        if (acceleration->source[l] == KS_FROM_GEOMETRY)
            beta[l] += (at->isTurned && l < at->bilateral ? turned[l] : here[l]) - there[l];
}

static void fillForces(const ksiPosing *p)
{
    ksiNearest *n = &p->pose->nearest;
    for (int b = 0; b < p->island->bodyCount; b++) {
        const int body = ksiIslandBody(p->step, p->island, b);
        const ksiBody *begin = &p->step->body[body].begin;
        const ksiPosedBody *at = &p->pose->body[b];
        double back[9], inertia[9], force[6], before[6];
        for (int i = 0; i < 9; i++)
            back[i] = at->turn[3 * (i % 3) + i / 3];
        ksiMultiplyTurns(begin->inertia, back, inertia);
        ksiMultiplyTurns(at->turn, inertia, inertia);
        ksiMechanismForce(p->step, body, begin->inertia, begin->velocity + 3, before);
        ksiMechanismForce(p->step, body, inertia, at->at.velocity + 3, force);
        for (int k = 0; k < 6; k++)
            before[k] -= force[k];
        ksiScalePosed(at, force, n->force + 6 * b);
        ksiScalePosed(at, before, n->forceMoved + 6 * b);
    }
}

/* Rows at a bound act as applied forces: those of contacts where these are, which are not moved. */
static void addKnown(const ksiPosing *p, int index, const ksiPosedJoint *at, int l)
{
    const ksiJointInput *joint = &p->step->joint[index];
    ksiNearest *n = &p->pose->nearest;
    double here[12], there[12];
    const double known = ksiBoundInForce(&p->places[index], l, p->places[index].place[l]);
    const double *row = joint->rows.row[l].jacobian[0];
    ksiScalePosedRow(p->pose, at, row, there);
    ksiScalePosedRow(p->pose, at, joint->type == dJointTypeContact ? row : ksiPosedRow(at, l), here);
    for (int side = 0; side < 2; side++) {
        const int b = 6 * at->block[side];
        for (int k = 0; b >= 0 && k < 6; k++) {
            n->force[b + k] += known * here[6 * side + k];
            n->forceMoved[b + k] += known * (there[6 * side + k] - here[6 * side + k]);
        }
    }
}

static void fillRightHandSides(const ksiPosing *p, int index, const ksiPosedJoint *at)
{
    ksiNearest *n = &p->pose->nearest;
    const ksiJointInput *joint = &p->step->joint[index];
    const ksiJointAcceleration *acceleration = &p->step->acceleration[index];
    double beta[KSI_MAX_ROWS], discrete[KSI_MAX_ROWS];
    accelerationsOf(p, index, at, beta);
    ksiRightHandSides(p->step, index, discrete);
    for (int l = 0; l < joint->rows.count; l++) {
        const int r = at->row[l];
        const ksRowPlace place = p->places[index].place[l];
        if (place == KS_AT_LOW || place == KS_AT_HIGH)
            addKnown(p, index, at, l);
        if (r < 0)
            continue;
        const bool isSoft = r >= n->rigid;
        n->compliance[r] = isSoft ? joint->rows.row[l].cfm / p->step->h : 0;
        n->reported[r] = p->step->report[index].multiplier[l];
        n->beta[r] = isSoft ? discrete[l] : beta[l];
        n->betaMoved[r] = isSoft ? 0 : acceleration->beta[l] - beta[l];
        n->betaError[r] = !isSoft && acceleration->source[l] == KS_FROM_HISTORY ? acceleration->betaError[l] : 0;
    }
}

/* Right-hand sides; returns the largest load, with the bodies' masses taken for 1. */
static double fillProblem(const ksiPosing *p)
{
    ksiNearest *n = &p->pose->nearest;
    double load = 0, largest = 0;
    fillForces(p);
    for (int i = 0; i < p->island->jointCount; i++) {
        const int joint = ksiIslandJoint(p->step, p->island, i);
        double reaction[12];
        fillRightHandSides(p, joint, &p->pose->joint[i]);
        ksiScaledReaction(&p->step->joint[joint], p->step->report[joint].multiplier, reaction);
        for (int side = 0; side < 2; side++) {
            const int block = p->pose->joint[i].block[side];
            if (block >= 0)
                largest = fmax(largest, n->weight[block] * ksiSize(reaction + 6 * side, 6));
        }
    }
    for (int b = 0; b < p->island->bodyCount; b++)
        load += n->weight[b] * ksiSize(n->force + 6 * b, 6);
    return fmax(load, largest);
}

ksStatus ksiSolvePose(const ksiStep *step, ksiSolver *solver, int island, const ksiPlaces *places)
{
    const ksiPosing p = {step, &step->island[island], places, &solver->pose};
    ksStatus status = correctVelocities(&p);
    if (!status)
        status = ksiNearestSolve(&p.pose->nearest, fillProblem(&p));
    if (!status)
        ksiNearestBars(&p.pose->nearest);
    return status;
}
