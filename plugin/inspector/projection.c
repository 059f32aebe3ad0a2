/* projection.c  The pose in which an island's joints fit, and what holds there.
 *
 * Bodies are moved to the nearest pose, their velocities to the nearest ones that the rows allow there; rows, accelerations and
 * forces are read anew. Only islands with a loop are: in a tree nothing depends on anything, however it has drifted. */
#include "inspector_private.h"

#include "../base/vectorise.h"
#include "../linear/leastsquares.h"

#include <math.h>
#include <string.h>

/* Of the radius of gyration: below it what drift makes of dependent rows is well below options.rankTolerance, and the error of
 * first order is in the bars */
static const double driftShare = 0.1;
/* Of the drift, that may be left: with more the joints do not come together */
static const double mostLeft = 0.25;
/* Of a row: beyond it the engine has written the joint's rows in another frame */
static const double turnedRow = 0.1;
static const double sameRow = 1e-9;
enum { POSES = 2 };

static const ksiBody *bodyAt(const ksiProjection *p, const ksInspector *inspector, const ksiJointState *joint, int side)
{
    const int index = joint->bodyIndex[side];
    if (index < 0)
        return NULL;
    return joint->link[side] < 0 ? &inspector->body[index].begin : &p->body[inspector->body[index].block].at;
}

/* L^-1 of a wrench. */
static void scaleAt(const ksiMovedBody *body, const double wrench[6], double scaled[6])
{
    double turned[4] = {0};
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++)
            turned[i] += body->turn[3 * k + i] * wrench[3 + k];
    ksiScaleByRoot(&body->at.root, wrench, turned, scaled);
}

/* L^-1 J^T where the bodies are turned from where they were read. */
static void scaleRow(const ksiProjection *p, const ksInspector *inspector, const ksiJointState *joint,
                     const double *row, double scaled[12])
{
    memset(scaled, 0, 12 * sizeof *scaled);
    for (int side = 0; side < 2; side++)
        if (joint->link[side] >= 0)
            scaleAt(&p->body[inspector->body[joint->link[side]].block], row + 6 * side, scaled + 6 * side);
}

/* L^-T: a motion in the world's axes from a scaled one */
static void unscale(const ksiMovedBody *body, const double scaled[6], double motion[6])
{
    double own[3];
    for (int k = 0; k < 3; k++) {
        const double *column = body->at.root.column[k];
        motion[k] = body->at.root.massInverse * scaled[k];
        own[k] = column[1] * scaled[3] + column[2] * scaled[4] + column[3] * scaled[5];
    }
    for (int k = 0; k < 3; k++)
        motion[3 + k] = body->turn[3 * k] * own[0] + body->turn[3 * k + 1] * own[1] + body->turn[3 * k + 2] * own[2];
}

static void multiply(const double a[9], const double b[9], double out[9])
{
    double c[9];
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++)
            c[3 * i + k] = a[3 * i] * b[k] + a[3 * i + 1] * b[3 + k] + a[3 * i + 2] * b[6 + k];
    memcpy(out, c, sizeof c);
}

/* exp of a rotation vector */
static void exponential(const double w[3], double out[9])
{
    const double angle = ksiSize(w, 3), half = 0.5 * angle;
    const double sine = angle > 0 ? sin(angle) / angle : 1,
                 cosine = angle > 0 ? 0.5 * sin(half) / half * sin(half) / half : 0.5;
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++)
            out[3 * i + k] = cosine * w[i] * w[k] + (i == k ? 1 - 2 * sin(half) * sin(half) : 0);
    for (int i = 0; i < 3; i++) {
        const int j = (i + 1) % 3, k = (i + 2) % 3;
        out[3 * k + j] += sine * w[i];
        out[3 * j + k] -= sine * w[i];
    }
}

static void moveBody(ksiMovedBody *body, const double motion[6])
{
    double turn[9];
    exponential(motion + 3, turn);
    for (int k = 0; k < 3; k++)
        body->at.centre[k] += motion[k];
    multiply(turn, body->turn, body->turn);
    multiply(turn, body->at.rotation, body->at.rotation);
}

/* The rows in the frame of those before: C with the least |J - C J'|, J' := C J'. */
static void keepFrame(const ksiProjection *p, const ksInspector *inspector, const ksiJointState *joint,
                      ksiMovedJoint *at)
{
    const int count = joint->bilateral;
    double scaled[KSI_MAX_ROWS][12], jacobian[KSI_MAX_ROWS][12] = {{0}}, gap[KSI_MAX_ROWS] = {0};
    bool turned = false;
    at->turned = false;
    for (int l = 0; l < count; l++) {
        double apart[12];
        for (int k = 0; k < 12; k++)
            apart[k] = at->rows.row[l].jacobian[k / 6][k % 6] - joint->rows.row[l].jacobian[k / 6][k % 6];
        turned |= ksiSize(apart, 12) > turnedRow * ksiSize(joint->rows.row[l].jacobian[0], 12);
        scaleRow(p, inspector, joint, at->rows.row[l].jacobian[0], scaled[l]);
    }
    for (int l = 0; turned && l < count; l++) {
        ksiFit fit = {.a = scaled[0], .x = at->frame[l]};
        scaleRow(p, inspector, joint, joint->rows.row[l].jacobian[0], fit.b);
        ksiLeastSquares(count, sameRow, 1, &fit);
        turned = fit.rank == count;
    }
    if (!turned)
        return;
    at->turned = true;
    for (int l = 0; l < count; l++)
        for (int r = 0; r < count; r++) {
            gap[l] += at->frame[l][r] * at->gap[r];
            for (int k = 0; k < 12; k++)
                jacobian[l][k] += at->frame[l][r] * at->rows.row[r].jacobian[k / 6][k % 6];
        }
    memcpy(at->gap, gap, (size_t)count * sizeof *gap);
    memcpy(at->jacobian, jacobian, sizeof jacobian);
}

/* All joints where the bodies are now. */
static ksStatus readJoints(ksInspector *inspector, const ksiIsland *island, bool first)
{
    ksiProjection *p = &inspector->projection;
    for (int i = 0; i < island->jointCount; i++) {
        const ksiJointState *joint = ksiIslandJoint(inspector, island, i);
        ksiMovedJoint *at = &p->joint[i];
        if (joint->type == dJointTypeContact)
            continue;
        if (!joint->copied)
            return KS_ERROR_UNAVAILABLE;
        const ksStatus status =
            ksiReadRowsAt(&inspector->engine, inspector->copy + joint->copyAt, &joint->rows,
                          bodyAt(p, inspector, joint, 0), bodyAt(p, inspector, joint, 1), &at->rows, at->gap);
        if (status)
            return status;
        at->turned = false;
        for (int l = 0; first && l < joint->rows.count; l++)
            for (int k = 0; k < 12; k++)
                if (!(fabs(at->rows.row[l].jacobian[k / 6][k % 6] - joint->rows.row[l].jacobian[k / 6][k % 6]) <=
                      sameRow))
                    return KS_ERROR_UNAVAILABLE;
        if (!first)
            keepFrame(p, inspector, joint, at);
    }
    return KS_OK;
}

const double *ksiMovedRow(const ksiMovedJoint *at, const ksiJointState *joint, int l)
{
    return at->turned && l < joint->bilateral ? at->jacobian[l] : at->rows.row[l].jacobian[0];
}

/* Rows in the order of ksiNearest. */
typedef enum Class { POSITION, TARGET, SOFT, NONE } Class;

static Class classOf(const ksInspector *inspector, const ksiJointState *joint, int l)
{
    if (joint->place[l] != KS_INSIDE)
        return NONE;
    if (joint->rows.row[l].cfm > inspector->options.rigidCfm)
        return SOFT;
    return joint->rows.row[l].kind == KS_ROW_MOTOR ? TARGET : POSITION;
}

static void countRows(ksInspector *inspector, const ksiIsland *island, int count[3])
{
    int from[4] = {0};
    for (int i = 0; i < island->jointCount; i++) {
        ksiJointState *joint = ksiIslandJoint(inspector, island, i);
        joint->bilateral = 0;
        while (joint->bilateral < joint->rows.count && joint->rows.row[joint->bilateral].kind == KS_ROW_BILATERAL &&
               joint->rows.axis[joint->bilateral] < 0)
            joint->bilateral++;
        for (int l = 0; l < joint->rows.count; l++)
            from[classOf(inspector, joint, l)]++;
    }
    memcpy(count, from, 3 * sizeof *count);
    int next[4] = {0, from[0], from[0] + from[1], -1};
    for (int i = 0; i < island->jointCount; i++) {
        ksiJointState *joint = ksiIslandJoint(inspector, island, i);
        for (int l = 0; l < joint->rows.count; l++) {
            const Class class = classOf(inspector, joint, l);
            joint->dense[l] = class == NONE ? -1 : next[class]++;
        }
    }
}

/* Rows where the bodies were and, if they were moved, where they are now, both scaled as they are now. */
static void fillRows(ksInspector *inspector, const ksiIsland *island, bool isMoved)
{
    ksiProjection *p = &inspector->projection;
    ksiNearest *n = &p->nearest;
    for (int i = 0; i < island->jointCount; i++) {
        const ksiJointState *joint = ksiIslandJoint(inspector, island, i);
        const ksiMovedJoint *at = &p->joint[i];
        for (int l = 0; l < joint->rows.count; l++) {
            const int r = joint->dense[l];
            if (r < 0)
                continue;
            for (int side = 0; side < 2; side++)
                n->body[r][side] = joint->link[side] < 0 ? -1 : inspector->body[joint->link[side]].block;
            n->gap[r] = at->gap[l];
            scaleRow(p, inspector, joint, joint->rows.row[l].jacobian[0], n->there + 12 * r);
            if (isMoved)
                scaleRow(p, inspector, joint, ksiMovedRow(at, joint, l), n->here + 12 * r);
            else
                memcpy(n->here + 12 * r, n->there + 12 * r, 12 * sizeof *n->here);
        }
    }
}

static void fillGaps(ksInspector *inspector, const ksiIsland *island)
{
    const ksiProjection *p = &inspector->projection;
    for (int i = 0; i < island->jointCount; i++) {
        const ksiJointState *joint = ksiIslandJoint(inspector, island, i);
        for (int l = 0; l < joint->rows.count; l++)
            if (joint->dense[l] >= 0)
                p->nearest.gap[joint->dense[l]] = p->joint[i].gap[l];
    }
}

static void placeBodies(ksInspector *inspector, const ksiIsland *island)
{
    static const double one[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
    ksiProjection *p = &inspector->projection;
    double radius = 0;
    for (int i = 0; i < island->bodyCount; i++) {
        ksiBodyState *body = ksiIslandBody(inspector, island, i);
        body->block = i;
        p->body[i].at = body->begin;
        memcpy(p->body[i].turn, one, sizeof one);
        const double *inertia = body->begin.inertia;
        radius += sqrt((inertia[0] + inertia[4] + inertia[8]) / (2 * body->begin.mass)) / island->bodyCount;
        p->nearest.weight[i] = body->begin.root.mass;
    }
    p->nearest.radius = radius;
}

/* The rows that the bodies have had from the start, and their gaps. */
static ksStatus readWhereTheyAre(ksInspector *inspector, const ksiIsland *island)
{
    placeBodies(inspector, island);
    const ksStatus status = readJoints(inspector, island, true);
    if (!status)
        fillRows(inspector, island, false);
    return status;
}

static ksStatus begin(ksInspector *inspector, const ksiIsland *island)
{
    ksiProjection *p = &inspector->projection;
    int count[3];
    countRows(inspector, island, count);
    ksStatus status =
        ksiReserve(&inspector->allocator, &p->body, &p->bodyCapacity, (size_t)island->bodyCount, sizeof *p->body);
    if (!status)
        status = ksiReserve(&inspector->allocator, &p->joint, &p->jointCapacity, (size_t)island->jointCount,
                            sizeof *p->joint);
    if (!status)
        status = ksiNearestBegin(&p->nearest, island->bodyCount, count[POSITION], count[POSITION] + count[TARGET],
                                 count[SOFT]);
    if (status)
        return status;
    status = readWhereTheyAre(inspector, island);
    return status ? status : ksiNearestMeasure(&p->nearest);
}

/* Two steps with the same factor; KS_ERROR_UNAVAILABLE where the joints do not come together. */
static ksStatus findPose(ksInspector *inspector, const ksiIsland *island)
{
    ksiProjection *p = &inspector->projection;
    ksiNearest *n = &p->nearest;
    ksStatus status = ksiNearestFactor(n);
    for (int pose = 0; !status && pose < POSES; pose++) {
        ksiNearestMove(n);
        for (int b = 0; b < island->bodyCount; b++) {
            double motion[6];
            // in the metric of the factor
            const ksiMovedBody was = {.at.root = p->body[b].at.root, .turn = {1, 0, 0, 0, 1, 0, 0, 0, 1}};
            unscale(&was, n->motion + 6 * b, motion);
            moveBody(&p->body[b], motion);
        }
        status = readJoints(inspector, island, false);
        fillGaps(inspector, island);
    }
    if (status)
        return status;
    fillRows(inspector, island, true);
    status = ksiNearestArrive(n, true);
    if (!status && n->left > mostLeft * n->drift)
        status = KS_ERROR_UNAVAILABLE;
    return status ? status : ksiNearestDecide(n);
}

ksStatus ksiFindNearest(ksInspector *inspector, ksiIsland *island)
{
    ksiProjection *p = &inspector->projection;
    ksiNearest *n = &p->nearest;
    island->drift = NAN;
    ksStatus status = begin(inspector, island);
    if (status)
        return status;
    island->drift = n->drift;
    n->tolerance = inspector->options.rankTolerance;
    if (!(n->drift > driftShare * n->tolerance))
        return KS_ERROR_UNAVAILABLE;
    status = ksiNearestOrder(n, KSI_MOST_DENSE_ROWS * (KSI_MOST_DENSE_ROWS + 1) / 2);
    if (status)
        return status;
    p->isMoved = true;
    status = findPose(inspector, island);
    if (status != KS_ERROR_UNAVAILABLE)
        return status;
    p->isMoved = false;
    status = readWhereTheyAre(inspector, island);
    if (!status)
        status = ksiNearestArrive(n, false);
    return status ? status : ksiNearestDecide(n);
}

/* J v of rows that hold a velocity at zero; the change that this asks for is given to the bodies. */
static ksStatus correctVelocities(ksInspector *inspector, const ksiIsland *island)
{
    ksiProjection *p = &inspector->projection;
    ksiNearest *n = &p->nearest;
    for (int i = 0; i < island->jointCount; i++) {
        const ksiJointState *joint = ksiIslandJoint(inspector, island, i);
        for (int l = 0; l < joint->rows.count; l++) {
            const int r = joint->dense[l];
            if (r < 0)
                continue;
            const double *row = ksiMovedRow(&p->joint[i], joint, l);
            n->rate[r] = 0;
            for (int side = 0; side < 2; side++) {
                const ksiBody *body = bodyAt(p, inspector, joint, side);
                if (body && joint->rows.row[l].kind != KS_ROW_MOTOR)
                    n->rate[r] += ksiDotSix(row + 6 * side, body->velocity);
            }
        }
    }
    const ksStatus status = ksiNearestCorrect(n);
    for (int b = 0; !status && p->isMoved && b < island->bodyCount; b++) {
        double change[6];
        unscale(&p->body[b], n->motion + 6 * b, change);
        for (int k = 0; k < 6; k++)
            p->body[b].at.velocity[k] += change[k];
    }
    return status;
}

/* -(dJ/dt) v there, with what targets and kinematic bodies have gained, which does not change. */
static void accelerationsOf(const ksInspector *inspector, const ksiJointState *joint, const ksiMovedJoint *at,
                            double beta[KSI_MAX_ROWS])
{
    const ksiProjection *p = &inspector->projection;
    const double *copy = inspector->copy + joint->copyAt;
    double there[KSI_MAX_ROWS], here[KSI_MAX_ROWS], turned[KSI_MAX_ROWS] = {0};
    int known[KSI_MAX_ROWS];
    memcpy(beta, joint->beta, sizeof joint->beta);
    if (!p->isMoved || joint->type == dJointTypeContact)
        return;
    ksiRowAccelerationAt(copy, ksiBodyOfJoint(inspector, joint, 0), ksiBodyOfJoint(inspector, joint, 1), &joint->rows,
                         there, known);
    ksiRowAccelerationAt(copy, bodyAt(p, inspector, joint, 0), bodyAt(p, inspector, joint, 1), &at->rows, here, known);
    for (int l = 0; at->turned && l < joint->bilateral; l++)
        for (int r = 0; r < joint->bilateral; r++)
            turned[l] += at->frame[l][r] * here[r];
    for (int l = 0; l < joint->rows.count; l++)
        if (joint->betaSource[l] == KS_FROM_GEOMETRY)
            beta[l] += (at->turned && l < joint->bilateral ? turned[l] : here[l]) - there[l];
}

static void fillForces(ksInspector *inspector, const ksiIsland *island)
{
    ksiProjection *p = &inspector->projection;
    ksiNearest *n = &p->nearest;
    for (int b = 0; b < island->bodyCount; b++) {
        const ksiBodyState *body = ksiIslandBody(inspector, island, b);
        ksiMovedBody *at = &p->body[b];
        double back[9], inertia[9], force[6], before[6];
        for (int i = 0; i < 9; i++)
            back[i] = at->turn[3 * (i % 3) + i / 3];
        multiply(body->begin.inertia, back, inertia);
        multiply(at->turn, inertia, inertia);
        ksiMechanismForce(body, body->begin.inertia, body->begin.velocity + 3, before);
        ksiMechanismForce(body, inertia, at->at.velocity + 3, force);
        for (int k = 0; k < 6; k++)
            before[k] -= force[k];
        scaleAt(at, force, n->force + 6 * b);
        scaleAt(at, before, n->forceMoved + 6 * b);
    }
}

/* Rows at a bound act as applied forces: those of contacts where these are, which are not moved. */
static void addKnown(ksInspector *inspector, const ksiJointState *joint, const ksiMovedJoint *at, int l)
{
    ksiProjection *p = &inspector->projection;
    ksiNearest *n = &p->nearest;
    double here[12], there[12];
    const double known = ksiBoundInForce(joint, l, joint->place[l]);
    const double *row = joint->rows.row[l].jacobian[0];
    scaleRow(p, inspector, joint, row, there);
    scaleRow(p, inspector, joint, joint->type == dJointTypeContact ? row : ksiMovedRow(at, joint, l), here);
    for (int side = 0; side < 2; side++) {
        if (joint->link[side] < 0)
            continue;
        const int b = 6 * inspector->body[joint->link[side]].block;
        for (int k = 0; k < 6; k++) {
            n->force[b + k] += known * here[6 * side + k];
            n->forceMoved[b + k] += known * (there[6 * side + k] - here[6 * side + k]);
        }
    }
}

/* Right-hand sides; returns the largest load, with the bodies' masses taken for 1. */
static double fillProblem(ksInspector *inspector, const ksiIsland *island)
{
    ksiProjection *p = &inspector->projection;
    ksiNearest *n = &p->nearest;
    double load = 0, largest = 0;
    fillForces(inspector, island);
    for (int i = 0; i < island->jointCount; i++) {
        const ksiJointState *joint = ksiIslandJoint(inspector, island, i);
        double beta[KSI_MAX_ROWS], discrete[KSI_MAX_ROWS], reaction[12];
        accelerationsOf(inspector, joint, &p->joint[i], beta);
        ksiRightHandSides(inspector, joint, discrete);
        for (int l = 0; l < joint->rows.count; l++) {
            const int r = joint->dense[l];
            if (joint->place[l] == KS_AT_LOW || joint->place[l] == KS_AT_HIGH)
                addKnown(inspector, joint, &p->joint[i], l);
            if (r < 0)
                continue;
            const bool isSoft = r >= n->rigid;
            n->compliance[r] = isSoft ? joint->rows.row[l].cfm / inspector->h : 0;
            n->beta[r] = isSoft ? discrete[l] : beta[l];
            n->betaMoved[r] = isSoft ? 0 : joint->beta[l] - beta[l];
            n->late[r] = !isSoft && joint->betaSource[l] == KS_FROM_HISTORY ? joint->late[l] : 0;
        }
        ksiScaledReaction(joint, joint->multiplier, reaction);
        for (int side = 0; side < 2; side++)
            if (joint->link[side] >= 0)
                largest = fmax(largest,
                               n->weight[inspector->body[joint->link[side]].block] * ksiSize(reaction + 6 * side, 6));
    }
    for (int b = 0; b < island->bodyCount; b++)
        load += n->weight[b] * ksiSize(n->force + 6 * b, 6);
    return fmax(load, largest);
}

ksStatus ksiSolveNearest(ksInspector *inspector, ksiIsland *island)
{
    ksiNearest *n = &inspector->projection.nearest;
    ksStatus status = correctVelocities(inspector, island);
    if (!status)
        status = ksiNearestSolve(n, fillProblem(inspector, island));
    if (!status)
        ksiNearestBars(n);
    return status;
}
