/* pose_solve.c  The reactions in the actual pose of an island, with velocities that its joints permit there: see nearest_solve.c. */
#include "../publish/wrench_norm.h"
#include "../read/bound_state.h"
#include "physical.h"
#include "pose_private.h"

#include <math.h>

/* Weight of the engine's own beside the 1 of a unit row: with more the joints are torn. */
static const double mostOpen = 0.5;

static void fillJoint(const ksiPosing *p, int index, const ksiPosedJoint *at)
{
    ksiNearest *n = &p->pose->nearest;
    const ksiJointInput *joint = &p->step->joint[index];
    for (int l = 0; l < joint->rows.count; l++) {
        const int r = at->row[l];
        if (r < 0)
            continue;
        memcpy(n->initial + 12 * r, joint->scaled[l], sizeof joint->scaled[l]);
        n->reported[r] = p->step->report[index].multiplier[l];
        n->usual[r] = ksiUsualReport(p->step, index, l);
        n->rate[r] = ksiHoldsPosition(p->step, index, l, &p->places[index]) ? joint->moving[l] : 0;
    }
}

/* Velocities [bodies][6] that the rows permit into `motion`, with a part of the engine's own, and into `before`, without it. */
static ksStatus permitVelocities(const ksiPosing *p)
{
    ksiNearest *n = &p->pose->nearest;
    KSI_EACH_JOINT (p->step, p->island, i, joint)
        fillJoint(p, joint, &p->pose->joint[i]);
    KSI_TRY(ksiNearestReturn(n));
    KSI_TRY(ksiNearestCorrect(n));
    double *const permitted[] = {n->motion, n->before};
    for (int b = 0; b < p->island->bodyCount; b++)
        for (int i = 0; i < 2; i++) {
            double change[6], *velocity = permitted[i] + 6 * b;
            ksiUnscalePosed(&p->pose->body[b], velocity, change);
            memcpy(velocity, p->pose->body[b].at.velocity, sizeof change);
            ksiAddSix(velocity, 1, change);
        }
    return KS_OK;
}

static void fillForces(const ksiPosing *p)
{
    ksiNearest *n = &p->pose->nearest;
    KSI_EACH_ISLAND_BODY (p->step, p->island, b, body) {
        double force[6];
        ksiMechanismForce(p->step, body, p->step->body[body].begin.inertia, n->motion + 6 * b + 3, force);
        ksiScalePosed(&p->pose->body[b], force, n->force + 6 * b);
    }
}

/* Rows at a bound act as applied forces. */
static void addKnown(const ksiPosing *p, int index, const ksiPosedJoint *at, int l)
{
    ksiNearest *n = &p->pose->nearest;
    const double known = ksiBoundInForce(&p->places[index], l, p->places[index].place[l]);
    for (int side = 0; side < 2; side++)
        if (at->block[side] >= 0)
            ksiAddSix(n->force + 6 * at->block[side], known, p->step->joint[index].scaled[l] + 6 * side);
}

static void fillRightHandSides(const ksiPosing *p, int index, const ksiPosedJoint *at)
{
    ksiNearest *n = &p->pose->nearest;
    const ksiJointInput *joint = &p->step->joint[index];
    const ksiJointAcceleration *acceleration = &p->step->acceleration[index];
    double beta[KSI_MAX_ROWS], own[KSI_MAX_ROWS], discrete[KSI_MAX_ROWS];
    ksiPermittedAccelerations(p->step, index, n->motion, beta);
    ksiPermittedAccelerations(p->step, index, n->before, own);
    ksiRightHandSides(p->step, index, joint->moving, discrete);
    for (int l = 0; l < joint->rows.count; l++) {
        const int r = at->row[l];
        const ksRowPlace place = p->places[index].place[l];
        if (place == KS_AT_LOW || place == KS_AT_HIGH)
            addKnown(p, index, at, l);
        if (r < 0)
            continue;
        const bool isSoft = r >= n->rigid, isRigid = r < n->active;
        n->compliance[r] = isSoft ? joint->rows.row[l].cfm / p->step->h : 0;
        n->beta[r] = isSoft ? discrete[l] : isRigid ? beta[l] : 0;
        n->shift[r] = isRigid ? own[l] - beta[l] : 0;
        n->betaError[r] = isRigid ? acceleration->betaError[l] : 0;
    }
}

/* L^-1 of a direction about the mass centre. */
static ksiNearestProbe probeOf(const ksiPose *pose, const ksiPosedProbe *from)
{
    ksiNearestProbe probe = {.body = from->block};
    ksiScalePosed(&pose->body[from->block], from->direction, probe.direction);
    return probe;
}

ksStatus ksiPosedMobility(const ksiStep *step, ksiSolver *solver, int island, const ksiPlaces *places,
                          const ksiPosedProbe probe[2], double *mobility)
{
    const ksiIsland *of = &step->island[island];
    ksiPose *pose = &solver->pose;
    ksiNearest *n = &pose->nearest;
    double drift;
    size_t rank;
    if (!step->islandPhysical[island].isDrifted)
        return KS_ERROR_UNAVAILABLE;
    bool isPosed = false;
    KSI_TRY(ksiFindPose(step, solver, island, places, &drift));
    if (n->isMoved)
        KSI_TRY(ksiChoosePosed(step, pose, island, places, &rank, &isPosed));
    if (!isPosed)
        return KS_ERROR_UNAVAILABLE;
    KSI_EACH_ROW (step, of, i, joint, l)
        if (pose->joint[i].row[l] >= n->rigid)
            n->compliance[pose->joint[i].row[l]] = step->joint[joint].rows.row[l].cfm / step->h;
    const ksiNearestProbe at = probeOf(pose, &probe[0]), from = probeOf(pose, &probe[1]);
    return ksiNearestMobility(n, &at, &from, mobility);
}

ksStatus ksiSolvePose(const ksiStep *step, ksiSolver *solver, int island, const ksiPlaces *places)
{
    const ksiPosing p = {step, &step->island[island], places, &solver->pose};
    ksiPlacePosed(&p);
    ksStatus status = permitVelocities(&p);
    p.pose->lacking = p.pose->nearest.open > mostOpen ? KS_REASON_PHYSICAL : 0u;
    if (status || p.pose->lacking)
        return status;
    fillForces(&p);
    KSI_EACH_JOINT (step, p.island, i, joint)
        fillRightHandSides(&p, joint, &p.pose->joint[i]);
    KSI_TRY(ksiNearestSolve(&p.pose->nearest));
    return ksiNearestBars(&p.pose->nearest);
}
