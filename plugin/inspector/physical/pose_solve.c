/* pose_solve.c  Finds the reactions in the actual pose of an island, with velocities that its
 * joints permit there. plugin/core/loop.h solves for them. This file provides the forces, the
 * accelerations, and the stops and motors that do not hold. */
#include "../phases.h"
#include "../publish/wrench_norm.h"
#include "../read/bound_state.h"
#include "physical.h"
#include "pose_private.h"

#include <math.h>
#include <string.h>

/* A body in its actual pose. */
static ksiPosedBody whereItIs(const ksiPosing *p, int body)
{
    return (ksiPosedBody){.at = p->step->body[body].begin, .turn = {1, 0, 0, 0, 1, 0, 0, 0, 1}};
}

/* Contacts act as applied forces. */
static void addLoads(const ksiPosing *p)
{
    KSI_EACH_ROW (p->step, p->island, i, joint, l) {
        const ksiPosedJoint *at = &p->pose->joint[i];
        const ksiPlaces *places = &p->places[joint];
        if (at->constraint >= 0 || (places->place[l] != KS_AT_LOW && places->place[l] != KS_AT_HIGH))
            continue;
        const double known = ksiBoundInForce(places, l, places->place[l]);
        for (int side = 0; side < 2; side++)
            for (int k = 0; at->block[side] >= 0 && k < 6; k++)
                p->pose->island.core.link[p->pose->island.core.linkOf.at[at->block[side]]].force[k][0] +=
                    known * p->step->joint[joint].scaled[l][6 * side + k];
    }
}

/* Sets the forces of the mechanism at its own velocities, or the forces of the step's equations. */
static void setForces(const ksiPosing *p, bool isOwn)
{
    ksiCore *core = &p->pose->island.core;
    KSI_EACH_ISLAND_BODY (p->step, p->island, b, body) {
        const ksiPosedBody is = whereItIs(p, body);
        double force[6], scaled[6];
        if (isOwn)
            ksiMechanismForce(p->step, body, is.at.inertia, p->pose->velocity + 6 * b + 3, force);
        else
            ksiForceOnBody(p->step, body, force);
        ksiScalePosed(&is, force, scaled);
        for (int k = 0; k < 6; k++)
            core->link[core->linkOf.at[b]].force[k] = (ksiFour){scaled[k]};
    }
    addLoads(p);
}

static void setBeta(const ksiPosing *p, int joint, const ksiPosedJoint *at)
{
    ksiConstraint *c = ksiPosedConstraint(p->pose, at);
    const ksiCoreLoop *own = &p->pose->island.joint[at->constraint];
    double beta[KSI_MAX_ROWS], discrete[KSI_MAX_ROWS];
    ksiPermittedAccelerations(p->step, joint, p->pose->velocity, beta);
    ksiSpringSides(p->step, joint, discrete);
    for (int l = 0; l < p->step->joint[joint].rows.count; l++) {
        const int r = at->row[l] - at->first;
        if (at->row[l] >= 0)
            c->beta[r] = own->soft >> r & 1u ? (ksiFour){discrete[l]} : (ksiFour){beta[l], at->own[l] - beta[l]};
    }
}

static ksStatus drive(void *of, ksiCoreIsland *island, bool isOwn)
{
    const ksiPosing *p = of;
    (void)island;
    KSI_EACH_ISLAND_BODY (p->step, p->island, b, body) {
        const ksiPosedBody is = whereItIs(p, body);
        double *velocity = p->pose->velocity + 6 * b;
        ksiPosedMotion(p->pose, b, &is, velocity);
        ksiAddSix(velocity, 1, ksiVelocityOf(&p->step->body[body]));
    }
    setForces(p, true);
    KSI_EACH_JOINT (p->step, p->island, i, joint) {
        ksiPosedJoint *at = &p->pose->joint[i];
        if (isOwn)
            ksiPermittedAccelerations(p->step, joint, p->pose->velocity, at->own);
        else if (at->constraint >= 0)
            setBeta(p, joint, at);
    }
    return isOwn || ksiKnowsAccelerations(p->step, p->index, p->out) ? KS_OK : KS_ERROR_UNAVAILABLE;
}

static ksStatus keep(void *of, ksiCoreIsland *island, int *closing)
{
    const ksiPosing *p = of;
    KSI_TRY(ksiKeepRates(p->step, p->solver, p->index, p->places, closing));
    for (int b = 0; b < p->island->bodyCount; b++) {
        ksiCoreLink *link = &island->core.link[island->core.linkOf.at[b]];
        for (int k = 0; k < 6; k++)
            link->moved[k] = (ksiFour){p->solver->kept.motion[6 * b + k]};
    }
    return KS_OK;
}

/* Copies the multipliers of the constraints to the rows of the island. */
static void listRows(const ksiPosing *p, double *vector)
{
    KSI_EACH_ROW (p->step, p->island, i, joint, l) {
        const ksiPosedJoint *at = &p->pose->joint[i];
        if (at->row[l] >= 0)
            vector[at->row[l]] = p->pose->island.joint[at->constraint].multiplier[at->row[l] - at->first];
    }
}

static bool strike(void *of, ksiCoreIsland *island, ksiCoreBlow blow)
{
    const ksiPosing *p = of;
    double *const multiplier = p->pose->vector[0], *const beta = p->pose->vector[1];
    (void)island;
    listRows(p, multiplier);
    const bool any = ksiGatherBlows(p->step, p->solver, p->index, true, blow == KSI_BLOW_ALL,
                                    blow == KSI_BLOW_UNKNOWN ? NULL : multiplier, p->out, beta);
    KSI_EACH_ROW (p->step, p->island, i, joint, l) {
        const ksiPosedJoint *at = &p->pose->joint[i];
        if (at->row[l] >= 0)
            ksiPosedConstraint(p->pose, at)->beta[at->row[l] - at->first] = (ksiFour){0, beta[at->row[l]]};
    }
    return any;
}

static bool letGo(void *of, ksiCoreIsland *island, bool isBlow)
{
    const ksiPosing *p = of;
    double *const multiplier = p->pose->vector[0], *const blow = p->pose->vector[1];
    (void)island;
    listRows(p, multiplier);
    KSI_EACH_ROW (p->step, p->island, i, joint, l) {
        const ksiPosedJoint *at = &p->pose->joint[i];
        if (at->row[l] >= 0)
            blow[at->row[l]] = ksiPosedConstraint(p->pose, at)->lambda[at->row[l] - at->first][1];
    }
    return ksiLetStopsGo(p->step, p->solver, p->index, true, multiplier, isBlow ? blow : NULL, p->out);
}

ksStatus ksiSolvePosed(const ksiStep *step, ksiSolver *solver, int index, ksiPhysical *out)
{
    ksiPosing p = {step, &step->island[index], out->places, &solver->pose, index, solver, out};
    const ksiRunMean *run = &step->run[ksiIslandJoint(step, p.island, 0)];
    ksiCoreHost host = ksiPoseHost(&p);
    host.drive = drive;
    host.keep = keep;
    host.letGo = letGo;
    host.strike = p.island->isBounded ? strike : NULL;
    solver->pose.lacking = 0;
    KSI_TRY(ksiBeginPose(&p, &out->island[index].drift));
    p.pose->island.drift = NAN;
    p.pose->island.lastStep = ksiIsRecentRun(step, run) ? run->lastStep : 0;
    p.pose->island.softError = ksiSoftError(step, p.island);
    const ksStatus status = ksiCoreSolveDrifted(&p.pose->island, &host);
    out->island[index].drift = p.pose->island.drift;
    p.pose->isDecided = !status || status == KS_ERROR_BOUND;
    if (status != KS_ERROR_BOUND)
        return status;
    solver->pose.lacking = ksiKnowsAccelerations(step, index, out) ? KS_REASON_PHYSICAL : KS_REASON_NO_HISTORY;
    return KS_OK;
}

/* --- The step's equations --- */

/* The constraint of a row of the system, and the row's place in it; NULL for contacts. */
static ksiConstraint *findRow(const ksiPosing *p, int i, int l, int row, int *r)
{
    const ksiPosedJoint *at = &p->pose->joint[i];
    *r = at->row[l] - at->first;
    return row >= 0 && at->row[l] >= 0 ? ksiPosedConstraint(p->pose, at) : NULL;
}

#define EACH_GIVEN(p, joint, l, row, c, r)                                                                             \
    KSI_EACH_ROW ((p)->step, (p)->island, joint##Place, joint, l)                                                      \
        for (int r, row = (p)->solver->layout[joint].row[l], once_ = 1; once_; once_ = 0)                              \
            for (ksiConstraint *c = findRow(p, joint##Place, l, row, &r); c; c = NULL)

/* Rows of the step's equations, and the multipliers of rows at bounds. given: initial multipliers
 * if the self-stresses are given, else NULL. Only if they are given, degenerate rows count as
 * inside. */
static void setEquations(const ksiPosing *p, const double *given)
{
    KSI_EACH_JOINT (p->step, p->island, i, joint) {
        const ksiPlaces *places = &p->places[joint];
        double beta[KSI_MAX_ROWS];
        int r;
        ksiRightHandSides(p->step, joint, p->step->joint[joint].rate, beta);
        for (int l = 0; l < p->step->joint[joint].rows.count; l++) {
            const int row = p->solver->layout[joint].row[l];
            ksiConstraint *c = findRow(p, i, l, row, &r);
            if (!c)
                continue;
            c->compliance[r] = p->step->joint[joint].rows.row[l].cfm / p->step->h;
            c->beta[r] = (ksiFour){beta[l]};
            const bool isBound = !given && places->degenerate[l] != KS_INSIDE;
            const ksRowPlace place = isBound ? places->degenerate[l] : places->place[l];
            c->atHigh |= (unsigned)isBound << r;
            c->lambda[r] = (ksiFour){place != KS_INSIDE ? ksiBoundInForce(places, l, place) : given ? given[row] : 0};
        }
    }
}

ksStatus ksiPosedSolve(const ksiStep *step, ksiSolver *solver, int index, bool withKnown, const double *residual,
                       const ksiPosedSolution *out)
{
    const ksiPosing p = {step, &step->island[index], step->convergedPlaces, &solver->pose, index, solver, NULL};
    setForces(&p, false);
    setEquations(&p, NULL);
    EACH_GIVEN (&p, joint, l, row, c, r)
        p.pose->island.joint[c->joint].residual[r] = residual[row];
    const ksStatus status = ksiCoreSolveStep(&p.pose->island, withKnown);
    // only these equations have degenerate rows at their bounds
    EACH_GIVEN (&p, joint, l, row, c, r)
        c->atHigh = 0;
    KSI_TRY(status);
    EACH_GIVEN (&p, joint, l, row, c, r)
        out->correction[row] = c->lambda[r][2];
    if (withKnown)
        return KS_OK;
    EACH_GIVEN (&p, joint, l, row, c, r) {
        out->gauss[row] = c->lambda[r][0];
        out->paulus[row] = c->lambda[r][1];
    }
    KSI_EACH_ISLAND_BODY (step, p.island, b, body) {
        const ksiPosedBody is = whereItIs(&p, body);
        ksiPosedMotion(p.pose, b, &is, out->acceleration + 6 * b);
    }
    return KS_OK;
}

double ksiPosedMissed(const ksiStep *step, ksiSolver *solver, int index, double *size2)
{
    const ksiPosing p = {step, &step->island[index], NULL, &solver->pose, index, solver, NULL};
    const double missed = ksiCoreStepError(&p.pose->island.core, p.pose->island.rounding);
    EACH_GIVEN (&p, joint, l, row, c, r)
        size2[row] = c->size2[r];
    return missed;
}

double ksiPosedRelax(ksiSolver *solver, int at, int l, double *allowance)
{
    const ksiPosedJoint *joint = &solver->pose.joint[at];
    return ksiCoreRelaxRow(&solver->pose.island, joint->constraint, joint->row[l] - joint->first, allowance);
}

ksStatus ksiPosedGive(const ksiStep *step, ksiSolver *solver, int index, bool isFactored, const ksiPosedGiven *given,
                      double *missed)
{
    const ksiPosing p = {step, &step->island[index], step->convergedPlaces, &solver->pose, index, solver, NULL};
    setForces(&p, false);
    setEquations(&p, given->gauss);
    KSI_TRY(ksiCoreGive(&p.pose->island, isFactored, missed));
    memset(given->size2, 0, (size_t)p.island->rowCount * sizeof *given->size2);
    EACH_GIVEN (&p, joint, l, row, c, r) {
        given->gauss[row] = c->lambda[r][0];
        given->size2[row] = c->size2[r];
    }
    ksiCoreCorrectGiven(&p.pose->island.core);
    EACH_GIVEN (&p, joint, l, row, c, r)
        given->paulus[row] = given->gauss[row] + c->lambda[r][0];
    return KS_OK;
}

/* --- Mobilities --- */

/* Singular values of self-stresses, which constrain no motion, are up to a few times the remaining
 * gaps. */
static ksStatus factorPosed(const ksiPosing *p)
{
    ksiCore *core = &p->pose->island.core;
    const double zero = 3 * p->pose->island.residual, open = fmax(zero * zero, ksiCoreRounding(core));
    ksiSetPosedRows(p);
    ksiCoreEnterStage(&p->pose->island, KSI_STAGE_SOLVE);
    for (int i = 0; i < core->links + core->closings; i++) {
        ksiConstraint *c = ksiCoreAt(core, i);
        for (int l = 0; l < c->rows; l++) {
            c->beta[l] = c->lambda[l] = (ksiFour){0};
            if (!(p->pose->island.joint[c->joint].soft >> l & 1u))
                c->compliance[l] = open * c->length2[l];
        }
    }
    return ksiCoreFactored(ksiCoreFactor(core));
}

/* scaled := L^-1 of the probe's direction about the mass centre. Returns the link of its body. */
static const ksiCoreLink *enterProbe(const ksiPosing *p, const ksiPosedProbe *probe, double scaled[6])
{
    const ksiCore *core = &p->pose->island.core;
    ksiScalePosed(&p->pose->body[probe->block], probe->direction, scaled);
    return &core->link[core->linkOf.at[probe->block]];
}

ksStatus ksiPosedMobility(const ksiStep *step, ksiSolver *solver, int island, const ksiPlaces *places,
                          const ksiPosedProbe probe[2], double *mobility)
{
    ksiPosing p = {step, &step->island[island], places, &solver->pose, island, solver, NULL};
    ksiCore *core = &solver->pose.island.core;
    double drift, direction[2][6];
    size_t rank;
    bool isPosed = false;
    ksStatus status;
    if (!step->islandPhysical[island].isDrifted)
        return KS_ERROR_UNAVAILABLE;
    KSI_TRY(ksiFindPose(step, solver, island, places, &drift));
    if (p.pose->island.isMoved)
        KSI_TRY(ksiChoosePosed(step, solver, island, places, &rank, &isPosed));
    if (!isPosed)
        return KS_ERROR_UNAVAILABLE;
    const ksiCoreHost host = ksiPoseHost(&p);
    while ((status = factorPosed(&p)) == KS_ERROR_SINGULAR) {
        KSI_TRY(ksiCoreCarryOn(&p.pose->island, &host));
        KSI_TRY(host.place(&p, &p.pose->island, false));
    }
    KSI_TRY(status);
    ksiCoreClearForces(core);
    const ksiCoreLink *at = enterProbe(&p, &probe[0], direction[0]), *from = enterProbe(&p, &probe[1], direction[1]);
    for (int k = 0; k < 6; k++)
        core->link[from - core->link].force[k][0] = direction[1][k];
    ksiCoreSweep(core);
    *mobility = 0;
    for (int k = 0; k < 6; k++)
        *mobility += direction[0][k] * at->y[k][0];
    return isfinite(*mobility) ? KS_OK : KS_ERROR_NOT_FINITE;
}
