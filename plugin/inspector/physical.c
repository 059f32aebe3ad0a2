/* physical.c  The reactions of the continuous mechanism: J a = beta with beta = -(dJ/dt) v from the constraint itself,
 * no error correction, no regularising compliance, in the configuration and with the velocities of the start of the
 * step (Gugino 1930). Springs (cfm above options.rigidCfm) keep their compliance and their right-hand side.
 *
 * Contacts press and do not pull, and where converged values tell which of them slide, sliding friction is known. An impact
 * has no such reactions. */
#include "inspector_private.h"

#include <math.h>
#include <string.h>

/* shares of the island's load: a normal force may pull by the first, and accelerate into the contact by the second, before
 * the row changes its place */
static const double pullTolerance = 1e-6, sinkTolerance = 1e-3;

enum { mostRounds = 20 }; /* of exchanging normal rows */

/* beta of the island's system rows; false if one is not known */
static bool gatherBeta(ksInspector *inspector, const ksiIsland *island, double *beta)
{
    for (int i = 0; i < island->jointCount; i++) {
        ksiJointState *joint = ksiIslandJoint(inspector, island, i);
        double discrete[KSI_MAX_ROWS];
        bool anyDiscrete = false;
        joint->physicalSource = KS_FROM_GEOMETRY;
        for (int l = 0; l < joint->rows.count; l++) {
            int at = joint->systemRow[l];
            if (at < 0)
                continue;
            if (!ksiNeedsBeta(inspector, joint, l)) {
                if (!anyDiscrete)
                    ksiRightHandSides(inspector, joint, discrete);
                anyDiscrete = true;
                beta[at] = discrete[l];
                continue;
            }
            if (joint->betaSource[l] == KS_FROM_NOWHERE)
                return false;
            if (joint->betaSource[l] == KS_FROM_HISTORY)
                joint->physicalSource = KS_FROM_HISTORY;
            beta[at] = joint->beta[l];
        }
    }
    return true;
}

/* The physical system of an island. */
typedef struct Solution {
    double *beta, *multiplier;    /* [rows] */
    double *force, *acceleration; /* [coordinates] */
    bool contacts;                /* the island has some */
    bool known;                   /* accelerations and places of its rows; no impact */
    bool moved;                   /* rows are at other bounds than in the converged solution */
} Solution;

/* the stepper's gyroscopic torque is implicit in h; the mechanism's is -w x I w */
static void gatherForce(const ksInspector *inspector, const ksiIsland *island, double *force)
{
    for (int i = 0; i < island->bodyCount; i++) {
        const ksiBodyState *body = ksiIslandBody(inspector, island, i);
        const ksiBody *b = &body->begin;
        double *f = force + 6 * (size_t)body->block;
        memcpy(f, b->force, sizeof b->force);
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

/* The largest size of a force in this solution. */
static double loadOf(const ksInspector *inspector, const ksiIsland *island, const Solution *s)
{
    double load = 0, scaled[12];
    for (int i = 0; i < island->bodyCount; i++) {
        const ksiBodyState *body = ksiIslandBody(inspector, island, i);
        ksiScaleWrench(body, s->force + 6 * (size_t)body->block, scaled);
        load = fmax(load, ksiSize(scaled, 6));
    }
    for (int i = 0; i < island->jointCount; i++) {
        const ksiJointState *joint = ksiIslandJoint(inspector, island, i);
        for (int l = 0; l < joint->rows.count; l++) {
            if (joint->systemRow[l] >= 0)
                load = fmax(load, fabs(s->multiplier[joint->systemRow[l]]) * joint->rowSize[l]);
        }
    }
    return load;
}

/* J times velocities, and times the solution's accelerations */
static double rowRate(const ksInspector *inspector, const ksiJointState *joint, int l)
{
    double rate = 0;
    for (int side = 0; side < 2; side++) {
        for (int k = 0; k < 6 && joint->bodyIndex[side] >= 0; k++)
            rate += joint->rows.row[l].jacobian[side][k] * inspector->body[joint->bodyIndex[side]].begin.velocity[k];
    }
    return rate;
}

static double rowAcceleration(const ksInspector *inspector, const ksiJointState *joint, int l, const Solution *s)
{
    double rate = 0;
    for (int side = 0; side < 2; side++) {
        const ksiBodyState *body = joint->bodyIndex[side] < 0 ? NULL : &inspector->body[joint->bodyIndex[side]];
        for (int k = 0; k < 6 && body && body->dynamic; k++)
            rate += joint->rows.row[l].jacobian[side][k] * s->acceleration[6 * (size_t)body->block + (size_t)k];
    }
    return rate;
}

/* The force that would take this speed from a row within the step, as a size. */
static double stoppingSize(const ksInspector *inspector, const ksiJointState *joint, int l)
{
    return fabs(rowRate(inspector, joint, l) - ksiRowTarget(joint, l)) / (inspector->h * joint->rowSize[l]);
}

/* Exchanges normal rows: those that pull, with the friction that goes by them, and those that touch and would sink in. */
static bool exchangeNormals(ksInspector *inspector, const ksiIsland *island, const Solution *s)
{
    bool exchanged = false;
    double load = loadOf(inspector, island, s);
    for (int i = 0; i < island->jointCount; i++) {
        ksiJointState *joint = ksiIslandJoint(inspector, island, i);
        if (joint->type != dJointTypeContact || joint->systemRow[0] < 0)
            continue;
        double size = joint->rowSize[0], lambda = s->multiplier[joint->systemRow[0]];
        if (joint->place[0] == KS_INSIDE && lambda * size < -pullTolerance * load) {
            for (int l = 0; l < joint->rows.count; l++) {
                if (l == 0 || joint->rows.row[l].findex == 0)
                    joint->place[l] = KS_AT_LOW, joint->low[l] = joint->high[l] = 0;
            }
            exchanged = true;
        } else if (joint->place[0] == KS_AT_LOW && joint->betaSource[0] != KS_FROM_NOWHERE &&
                   joint->rows.row[0].cfm <= inspector->options.rigidCfm && stoppingSize(inspector, joint, 0) <= load) {
            double sinking = joint->beta[0] - rowAcceleration(inspector, joint, 0, s);
            if (sinking > sinkTolerance * load * size) {
                joint->place[0] = KS_INSIDE;
                exchanged = true;
            }
        }
    }
    return exchanged;
}

/* A contact that holds, and whose speed at the start of the step takes more than the largest load to be stopped in it. */
static bool isImpact(const ksInspector *inspector, const ksiIsland *island, const Solution *s)
{
    double load = loadOf(inspector, island, s);
    for (int i = 0; i < island->jointCount; i++) {
        const ksiJointState *joint = ksiIslandJoint(inspector, island, i);
        for (int l = 0; joint->type == dJointTypeContact && l < joint->rows.count; l++) {
            if (ksiNeedsBeta(inspector, joint, l) && stoppingSize(inspector, joint, l) > load)
                return true;
        }
    }
    return false;
}

/* Which rows are at a bound is what the motors did in this step: the converged solution may have others, since it closes
 * gaps that the mechanism has not. Of contacts the report does not tell, and the converged solution is taken: dWorldStep's
 * friction bounds are not mu times the reported normal forces. */
static ksStatus placeRows(ksInspector *inspector, int index, Solution *s)
{
    ksiIsland *island = &inspector->island[index];
    const bool failed = island->reasons & ~(unsigned)KS_REASON_NOT_ASKED;
    ksStatus status = KS_OK;
    if (s->contacts && !island->solved) {
        s->known = !failed;
        if (s->known)
            status = ksiSettleAndFree(inspector, index, s->multiplier, s->acceleration);
        if (status == KS_ERROR_BOUND) {
            s->known = false;
            status = KS_OK;
        }
    }
    s->moved = s->known && !status && ksiTakeReportedPlaces(inspector, index, false);
    // a search that failed leaves a system with places of its own
    if (s->moved || failed)
        island->built = false;
    return status;
}

static ksStatus solveRigid(ksInspector *inspector, int index, Solution *s)
{
    ksiIsland *island = &inspector->island[index];
    ksStatus status = ksiStands(inspector, index) ? KS_OK : ksiBuildSystem(inspector, index);
    if (!status && !island->solved)
        status = ksiFindDeterminacy(inspector, index);
    if (status)
        return status;
    s->known = gatherBeta(inspector, island, s->beta);
    if (!s->known)
        return KS_OK;
    ksSystem *system = ksiIslandSystem(inspector, index);
    island->built = false;  // the system no longer holds the step's equations
    gatherForce(inspector, island, s->force);
    ksiSystemSetBeta(system, s->beta);
    ksiSystemSetForce(system, s->force);
    return ksiSystemSolveLeastNorm(system, s->multiplier, s->contacts ? s->acceleration : NULL);
}

/* The solution in which contacts press only. */
static ksStatus pressOnly(ksInspector *inspector, int index, Solution *s)
{
    const ksiIsland *island = &inspector->island[index];
    ksStatus status = KS_OK;
    for (int round = 0; !status && s->known && exchangeNormals(inspector, island, s); round++) {
        s->known = round < mostRounds;
        s->moved = true;
        if (s->known)
            status = solveRigid(inspector, index, s);
    }
    if (!status && s->known)
        s->known = !isImpact(inspector, island, s);
    return status;
}

/* A row of the joint shares its force here, and not in the converged solution. unique: by row of the system */
static bool sharesMore(const ksiJointState *joint, const int *unique)
{
    bool any = false;
    for (int l = 0; l < joint->rows.count; l++)
        any |= joint->systemRow[l] >= 0 && !unique[joint->systemRow[l]] && !(joint->undetermined >> l & 1u);
    return any;
}

static bool sharesLess(const ksiJointState *joint, const int *unique)
{
    bool any = false;
    for (int l = 0; l < joint->rows.count; l++)
        any |= joint->undetermined >> l & 1u && joint->systemRow[l] >= 0 && unique[joint->systemRow[l]];
    return any;
}

/* Rows that are inside their bounds here and at one in the converged solution may share forces with others. What is published
 * of a joint as free is what is so in either solution. Where each has something that the other has not, there is no value of
 * the joints that share more: `withheld`. */
static ksStatus findShared(ksInspector *inspector, int index, bool *withheld)
{
    const ksiIsland *island = &inspector->island[index];
    const int *unique = inspector->flag;
    bool more = false, less = false;
    *withheld = false;
    ksStatus status = ksiSystemGetDeterminacy(ksiIslandSystem(inspector, index), inspector->flag, NULL);
    for (int i = 0; !status && i < island->jointCount; i++) {
        const ksiJointState *joint = ksiIslandJoint(inspector, island, i);
        more |= sharesMore(joint, unique);
        less |= sharesLess(joint, unique);
    }
    *withheld = more && less;
    if (status || !more || less)
        return status;
    status = ksiFindFreeDirections(inspector, index, unique);
    for (int i = 0; !status && i < island->jointCount; i++) {
        ksiJointState *joint = ksiIslandJoint(inspector, island, i);
        ksiFindDeviation(inspector, joint, joint->converged, &joint->deviation, &joint->determined);
    }
    return status;
}

static ksStatus publish(ksInspector *inspector, int index, const Solution *s)
{
    const ksiIsland *island = &inspector->island[index];
    bool withheld = false;
    const ksStatus status = s->moved && island->solved ? findShared(inspector, index, &withheld) : KS_OK;
    for (int i = 0; !status && i < island->jointCount; i++) {
        ksiJointState *joint = ksiIslandJoint(inspector, island, i);
        if (withheld && sharesMore(joint, inspector->flag)) {
            joint->reasons |= KS_REASON_REDUNDANT;
            continue;
        }
        for (int l = 0; l < joint->rows.count; l++)
            joint->physical[l] = joint->systemRow[l] < 0 ? 0 : s->multiplier[joint->systemRow[l]];
        ksiFindDeviation(inspector, joint, joint->physical, &joint->physicalDeviation, &joint->physicalDetermined);
        joint->hasPhysical = true;
    }
    return status;
}

void ksiSolvePhysical(ksInspector *inspector, int index)
{
    ksiIsland *island = &inspector->island[index];
    if (island->obstacles)
        return;
    ksStatus status = ksiReserveScratch(inspector, index);
    if (status) {
        inspector->status = status;
        return;
    }
    size_t rows = (size_t)island->rowCount, coordinates = 6 * (size_t)island->bodyCount;
    Solution s = {.beta = inspector->scratch, .contacts = ksiIslandHasContacts(inspector, index), .known = true};
    s.multiplier = s.beta + rows;
    s.force = s.multiplier + rows;
    s.acceleration = s.force + coordinates;
    status = placeRows(inspector, index, &s);
    if (!status && s.known)
        status = solveRigid(inspector, index, &s);
    if (!status && s.known && s.contacts)
        status = pressOnly(inspector, index, &s);
    if (!status && s.known)
        status = publish(inspector, index, &s);
    if (status == KS_ERROR_NO_MEMORY)
        inspector->status = status;
    if (!status && !s.known)
        island->reasons |= KS_REASON_NO_HISTORY;
}
