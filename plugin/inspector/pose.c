/* pose.c  The pose in which an island's joints fit, and what holds there.
 *
 * Bodies are moved to the nearest pose, their velocities to the nearest ones that the rows allow there; rows, accelerations and
 * forces are read anew. Only islands with a loop are: in a tree nothing depends on anything, however it has drifted. */
#include "solver.h"

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

/* The island that is posed, and the places of its rows. */
typedef struct Posing {
    const ksiStep *step;
    const ksiIsland *island;
    const ksiPlaces *places;
    ksiPose *pose;
} Posing;

static const ksiBody *bodyAt(const Posing *p, int joint, const ksiPosedJoint *at, int side)
{
    const int index = p->step->joint[joint].bodyIndex[side];
    if (index < 0)
        return NULL;
    return at->block[side] < 0 ? &p->step->body[index].begin : &p->pose->body[at->block[side]].at;
}

/* L^-1 of a wrench. */
static void scaleAt(const ksiPosedBody *body, const double wrench[6], double scaled[6])
{
    double turned[4] = {0};
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++)
            turned[i] += body->turn[3 * k + i] * wrench[3 + k];
    ksiScaleByRoot(&body->at.root, wrench, turned, scaled);
}

/* L^-1 J^T where the bodies are turned from where they were read. */
static void scaleRow(const ksiPose *pose, const ksiPosedJoint *at, const double *row, double scaled[12])
{
    memset(scaled, 0, 12 * sizeof *scaled);
    for (int side = 0; side < 2; side++)
        if (at->block[side] >= 0)
            scaleAt(&pose->body[at->block[side]], row + 6 * side, scaled + 6 * side);
}

/* L^-T: a motion in the world's axes from a scaled one */
static void unscale(const ksiPosedBody *body, const double scaled[6], double motion[6])
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

static void moveBody(ksiPosedBody *body, const double motion[6])
{
    double turn[9];
    exponential(motion + 3, turn);
    for (int k = 0; k < 3; k++)
        body->at.centre[k] += motion[k];
    multiply(turn, body->turn, body->turn);
    multiply(turn, body->at.rotation, body->at.rotation);
}

/* The rows in the frame of those before: C with the least |J - C J'|, J' := C J'. */
static void keepFrame(const Posing *p, int joint, ksiPosedJoint *at)
{
    const ksiRow *before = p->step->joint[joint].rows.row;
    const int count = at->bilateral;
    double scaled[KSI_MAX_ROWS][12], jacobian[KSI_MAX_ROWS][12] = {{0}}, gap[KSI_MAX_ROWS] = {0};
    bool turned = false;
    at->isTurned = false;
    for (int l = 0; l < count; l++) {
        double apart[12];
        for (int k = 0; k < 12; k++)
            apart[k] = at->rows.row[l].jacobian[k / 6][k % 6] - before[l].jacobian[k / 6][k % 6];
        turned |= ksiSize(apart, 12) > turnedRow * ksiSize(before[l].jacobian[0], 12);
        scaleRow(p->pose, at, at->rows.row[l].jacobian[0], scaled[l]);
    }
    for (int l = 0; turned && l < count; l++) {
        ksiFit fit = {.a = scaled[0], .x = at->frame[l]};
        scaleRow(p->pose, at, before[l].jacobian[0], fit.b);
        ksiLeastSquares(count, sameRow, 1, &fit);
        turned = fit.rank == count;
    }
    if (!turned)
        return;
    at->isTurned = true;
    for (int l = 0; l < count; l++)
        for (int r = 0; r < count; r++) {
            gap[l] += at->frame[l][r] * at->gap[r];
            for (int k = 0; k < 12; k++)
                jacobian[l][k] += at->frame[l][r] * at->rows.row[r].jacobian[k / 6][k % 6];
        }
    memcpy(at->gap, gap, (size_t)count * sizeof *gap);
    memcpy(at->jacobian, jacobian, sizeof jacobian);
}

static bool areSameRows(const ksiRows *a, const ksiRows *b)
{
    bool same = true;
    for (int l = 0; l < a->count; l++)
        for (int k = 0; k < 12; k++)
            same &= fabs(a->row[l].jacobian[k / 6][k % 6] - b->row[l].jacobian[k / 6][k % 6]) <= sameRow;
    return same;
}

/* All joints where the bodies are now. */
static ksStatus readJoints(const Posing *p, bool first)
{
    const ksiStep *step = p->step;
    for (int i = 0; i < p->island->jointCount; i++) {
        const int index = ksiIslandJoint(step, p->island, i);
        const ksiJointInput *joint = &step->joint[index];
        ksiPosedJoint *at = &p->pose->joint[i];
        if (joint->type == dJointTypeContact)
            continue;
        if (!joint->isCopied)
            return KS_ERROR_UNAVAILABLE;
        const ksStatus status = ksiReadRowsAt(&step->engine, step->input->copy + joint->copyAt, &joint->rows,
                                              bodyAt(p, index, at, 0), bodyAt(p, index, at, 1), &at->rows, at->gap);
        if (status)
            return status;
        at->isTurned = false;
        if (first && !areSameRows(&joint->rows, &at->rows))
            return KS_ERROR_UNAVAILABLE;
        if (!first)
            keepFrame(p, index, at);
    }
    return KS_OK;
}

/* Rows in the order of ksiNearest. */
typedef enum Class { POSITION, TARGET, SOFT, NONE } Class;

static Class classOf(const Posing *p, int joint, int l)
{
    const ksiRow *row = &p->step->joint[joint].rows.row[l];
    if (p->places[joint].place[l] != KS_INSIDE)
        return NONE;
    if (row->cfm > p->step->options.rigidCfm)
        return SOFT;
    return row->kind == KS_ROW_MOTOR ? TARGET : POSITION;
}

static int bilateralRows(const ksiRows *rows)
{
    int count = 0;
    while (count < rows->count && rows->row[count].kind == KS_ROW_BILATERAL && rows->axis[count] < 0)
        count++;
    return count;
}

static void countRows(const Posing *p, int count[3])
{
    int from[4] = {0};
    for (int i = 0; i < p->island->jointCount; i++) {
        const int joint = ksiIslandJoint(p->step, p->island, i);
        for (int l = 0; l < p->step->joint[joint].rows.count; l++)
            from[classOf(p, joint, l)]++;
    }
    memcpy(count, from, 3 * sizeof *count);
}

static void numberRows(const Posing *p, const int count[3])
{
    int next[4] = {0, count[POSITION], count[POSITION] + count[TARGET], -1};
    for (int i = 0; i < p->island->jointCount; i++) {
        const int joint = ksiIslandJoint(p->step, p->island, i), *link = p->step->member[joint].link;
        ksiPosedJoint *at = &p->pose->joint[i];
        at->bilateral = bilateralRows(&p->step->joint[joint].rows);
        for (int side = 0; side < 2; side++)
            at->block[side] = link[side] < 0 ? -1 : p->step->bodyMember[link[side]].block;
        for (int l = 0; l < p->step->joint[joint].rows.count; l++) {
            const Class class = classOf(p, joint, l);
            at->row[l] = class == NONE ? -1 : next[class]++;
        }
    }
}

/* Rows where the bodies were and, if they were moved, where they are now, both scaled as they are now. */
static void fillRows(const Posing *p, bool isMoved)
{
    ksiNearest *n = &p->pose->nearest;
    for (int i = 0; i < p->island->jointCount; i++) {
        const int joint = ksiIslandJoint(p->step, p->island, i);
        const ksiPosedJoint *at = &p->pose->joint[i];
        const ksiRows *rows = &p->step->joint[joint].rows;
        for (int l = 0; l < rows->count; l++) {
            const int r = at->row[l];
            if (r < 0)
                continue;
            for (int side = 0; side < 2; side++)
                n->body[r][side] = at->block[side];
            n->gap[r] = at->gap[l];
            scaleRow(p->pose, at, rows->row[l].jacobian[0], n->there + 12 * r);
            if (isMoved)
                scaleRow(p->pose, at, ksiPosedRow(at, l), n->here + 12 * r);
            else
                memcpy(n->here + 12 * r, n->there + 12 * r, 12 * sizeof *n->here);
        }
    }
}

static void fillGaps(const Posing *p)
{
    for (int i = 0; i < p->island->jointCount; i++) {
        const int joint = ksiIslandJoint(p->step, p->island, i);
        const ksiPosedJoint *at = &p->pose->joint[i];
        for (int l = 0; l < p->step->joint[joint].rows.count; l++)
            if (at->row[l] >= 0)
                p->pose->nearest.gap[at->row[l]] = at->gap[l];
    }
}

static void placeBodies(const Posing *p)
{
    static const double one[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
    double radius = 0;
    for (int i = 0; i < p->island->bodyCount; i++) {
        const ksiBody *begin = &p->step->body[ksiIslandBody(p->step, p->island, i)].begin;
        p->pose->body[i].at = *begin;
        memcpy(p->pose->body[i].turn, one, sizeof one);
        const double *inertia = begin->inertia;
        radius += sqrt((inertia[0] + inertia[4] + inertia[8]) / (2 * begin->mass)) / p->island->bodyCount;
        p->pose->nearest.weight[i] = begin->root.mass;
    }
    p->pose->nearest.radius = radius;
}

/* The rows that the bodies have had from the start, and their gaps. */
static ksStatus readWhereTheyAre(const Posing *p)
{
    placeBodies(p);
    const ksStatus status = readJoints(p, true);
    if (!status)
        fillRows(p, false);
    return status;
}

static ksStatus begin(const Posing *p)
{
    const ksAllocator *allocator = &p->step->allocator;
    ksiPose *pose = p->pose;
    int count[3];
    countRows(p, count);
    ksStatus status =
        ksiReserve(allocator, &pose->body, &pose->bodyCapacity, (size_t)p->island->bodyCount, sizeof *pose->body);
    if (!status)
        status = ksiReserve(allocator, &pose->joint, &pose->jointCapacity, (size_t)p->island->jointCount,
                            sizeof *pose->joint);
    if (!status)
        status = ksiNearestBegin(&pose->nearest, p->island->bodyCount, count[POSITION], count[POSITION] + count[TARGET],
                                 count[SOFT]);
    if (status)
        return status;
    numberRows(p, count);
    status = readWhereTheyAre(p);
    return status ? status : ksiNearestMeasure(&pose->nearest);
}

/* Two steps with the same factor; KS_ERROR_UNAVAILABLE where the joints do not come together. */
static ksStatus approach(const Posing *p)
{
    ksiNearest *n = &p->pose->nearest;
    ksStatus status = ksiNearestFactor(n);
    for (int pose = 0; !status && pose < POSES; pose++) {
        ksiNearestMove(n);
        for (int b = 0; b < p->island->bodyCount; b++) {
            double motion[6];
            // in the metric of the factor
            const ksiPosedBody was = {.at.root = p->pose->body[b].at.root, .turn = {1, 0, 0, 0, 1, 0, 0, 0, 1}};
            unscale(&was, n->motion + 6 * b, motion);
            moveBody(&p->pose->body[b], motion);
        }
        status = readJoints(p, false);
        fillGaps(p);
    }
    if (status)
        return status;
    fillRows(p, true);
    status = ksiNearestArrive(n, true);
    if (!status && n->left > mostLeft * n->drift)
        status = KS_ERROR_UNAVAILABLE;
    return status ? status : ksiNearestDecide(n);
}

ksStatus ksiFindPose(const ksiStep *step, ksiSolver *solver, int island, const ksiPlaces *places, double *drift)
{
    const Posing p = {step, &step->island[island], places, &solver->pose};
    ksiNearest *n = &p.pose->nearest;
    *drift = NAN;
    ksStatus status = begin(&p);
    if (status)
        return status;
    *drift = n->drift;
    n->tolerance = step->options.rankTolerance;
    if (!(n->drift > driftShare * n->tolerance))
        return KS_ERROR_UNAVAILABLE;
    status = ksiNearestOrder(n, KSI_MOST_DENSE_ROWS * (KSI_MOST_DENSE_ROWS + 1) / 2);
    if (status)
        return status;
    p.pose->isMoved = true;
    status = approach(&p);
    if (status != KS_ERROR_UNAVAILABLE)
        return status;
    p.pose->isMoved = false;
    status = readWhereTheyAre(&p);
    if (!status)
        status = ksiNearestArrive(n, false);
    return status ? status : ksiNearestDecide(n);
}

/* --- What holds there --- */

/* J v of rows that hold a velocity at zero; the change that this asks for is given to the bodies. */
static ksStatus correctVelocities(const Posing *p)
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
                const ksiBody *body = bodyAt(p, joint, at, side);
                if (body && rows->row[l].kind != KS_ROW_MOTOR)
                    n->rate[r] += ksiDotSix(row + 6 * side, body->velocity);
            }
        }
    }
    const ksStatus status = ksiNearestCorrect(n);
    for (int b = 0; !status && p->pose->isMoved && b < p->island->bodyCount; b++) {
        double change[6];
        unscale(&p->pose->body[b], n->motion + 6 * b, change);
        for (int k = 0; k < 6; k++)
            p->pose->body[b].at.velocity[k] += change[k];
    }
    return status;
}

/* -(dJ/dt) v there, with what targets and kinematic bodies have gained, which does not change. */
static void accelerationsOf(const Posing *p, int index, const ksiPosedJoint *at, double beta[KSI_MAX_ROWS])
{
    const ksiStep *step = p->step;
    const ksiJointInput *joint = &step->joint[index];
    const ksiJointAcceleration *acceleration = &step->acceleration[index];
    double there[KSI_MAX_ROWS], here[KSI_MAX_ROWS], turned[KSI_MAX_ROWS] = {0};
    int known[KSI_MAX_ROWS];
    memcpy(beta, acceleration->beta, sizeof acceleration->beta);
    if (!p->pose->isMoved || joint->type == dJointTypeContact)
        return;
    const double *copy = step->input->copy + joint->copyAt;
    ksiRowAccelerationAt(copy, ksiBodyOfJoint(step, index, 0), ksiBodyOfJoint(step, index, 1), &joint->rows, there,
                         known);
    ksiRowAccelerationAt(copy, bodyAt(p, index, at, 0), bodyAt(p, index, at, 1), &at->rows, here, known);
    for (int l = 0; at->isTurned && l < at->bilateral; l++)
        for (int r = 0; r < at->bilateral; r++)
            turned[l] += at->frame[l][r] * here[r];
    for (int l = 0; l < joint->rows.count; l++)
        if (acceleration->source[l] == KS_FROM_GEOMETRY)
            beta[l] += (at->isTurned && l < at->bilateral ? turned[l] : here[l]) - there[l];
}

static void fillForces(const Posing *p)
{
    ksiNearest *n = &p->pose->nearest;
    for (int b = 0; b < p->island->bodyCount; b++) {
        const int body = ksiIslandBody(p->step, p->island, b);
        const ksiBody *begin = &p->step->body[body].begin;
        const ksiPosedBody *at = &p->pose->body[b];
        double back[9], inertia[9], force[6], before[6];
        for (int i = 0; i < 9; i++)
            back[i] = at->turn[3 * (i % 3) + i / 3];
        multiply(begin->inertia, back, inertia);
        multiply(at->turn, inertia, inertia);
        ksiMechanismForce(p->step, body, begin->inertia, begin->velocity + 3, before);
        ksiMechanismForce(p->step, body, inertia, at->at.velocity + 3, force);
        for (int k = 0; k < 6; k++)
            before[k] -= force[k];
        scaleAt(at, force, n->force + 6 * b);
        scaleAt(at, before, n->forceMoved + 6 * b);
    }
}

/* Rows at a bound act as applied forces: those of contacts where these are, which are not moved. */
static void addKnown(const Posing *p, int index, const ksiPosedJoint *at, int l)
{
    const ksiJointInput *joint = &p->step->joint[index];
    ksiNearest *n = &p->pose->nearest;
    double here[12], there[12];
    const double known = ksiBoundInForce(&p->places[index], l, p->places[index].place[l]);
    const double *row = joint->rows.row[l].jacobian[0];
    scaleRow(p->pose, at, row, there);
    scaleRow(p->pose, at, joint->type == dJointTypeContact ? row : ksiPosedRow(at, l), here);
    for (int side = 0; side < 2; side++) {
        const int b = 6 * at->block[side];
        for (int k = 0; b >= 0 && k < 6; k++) {
            n->force[b + k] += known * here[6 * side + k];
            n->forceMoved[b + k] += known * (there[6 * side + k] - here[6 * side + k]);
        }
    }
}

static void fillRightHandSides(const Posing *p, int index, const ksiPosedJoint *at)
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
        n->beta[r] = isSoft ? discrete[l] : beta[l];
        n->betaMoved[r] = isSoft ? 0 : acceleration->beta[l] - beta[l];
        n->late[r] = !isSoft && acceleration->source[l] == KS_FROM_HISTORY ? acceleration->late[l] : 0;
    }
}

/* Right-hand sides; returns the largest load, with the bodies' masses taken for 1. */
static double fillProblem(const Posing *p)
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
    const Posing p = {step, &step->island[island], places, &solver->pose};
    ksStatus status = correctVelocities(&p);
    if (!status)
        status = ksiNearestSolve(&p.pose->nearest, fillProblem(&p));
    if (!status)
        ksiNearestBars(&p.pose->nearest);
    return status;
}
