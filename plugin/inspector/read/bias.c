/* bias.c  Phase 5: finds the bias accelerations beta = -(dJ/dt) v of rows without a closed form,
 * from two readings of the rows:
 *
 *     beta = -(J_k - G J_k-1) v_k / h,       G = argmin |J_k - G J_k-1|
 *
 * The matrix `G` removes rotations of the frame in which the rows are written, since this frame may
 * jump. On the constraint manifold, J v = 0, so G does not change beta. */
#include "../phases.h"
#include "../publish/wrench_norm.h"
#include "memory.h"

#include "../../base/vectorise.h"
#include "../../engine/vector.h"
#include "../../linear/leastsquares.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* allowed change of a row, as a multiple of the change that its bodies' speeds can cause; above 1,
 * since the motion of either body changes the lever arms of both */
static const double motionMargin = 4;
/* Allowed change of a row whose bodies are at rest: rounding and creep. The elements of a row are
 * directions, and levers in metres. */
static double restTolerance(const ksiStep *step)
{
    return step->isSingle ? 1e-5 : 1e-9;
}

/* J_k - G J_k-1 of one row; turn: its row of G */
static void changeOfRow(const ksiJointInput *joint, const ksiHistory *last, int l, const double *turn,
                        double change[12])
{
    memcpy(change, joint->rows.row[l].jacobian, 12 * sizeof *change);
    for (int r = 0; r < last->count; r++) {
        if (turn[r] == 0)
            continue;
        for (int side = 0; side < 2; side++)
            ksiAddSix(change + 6 * side, -turn[r], last->jacobian[r][side]);
    }
}

/* Sums over a joint's bodies. turned: of angular speeds; moved: of linear speeds. */
typedef struct Speeds {
    double turned, moved;
} Speeds;

static Speeds speedsOf(const ksiStep *step, const ksiJointInput *joint)
{
    Speeds speeds = {0};
    KSI_EACH_BODY (joint->bodyIndex, side, at) {
        const double *v = ksiVelocityOf(&step->body[at]);
        speeds.turned += ksiSize(v + 3, 3);
        speeds.moved += ksiSize(v, 3);
    }
    return speeds;
}

/* The largest change per second that the motion of its bodies can cause in a row, with a margin. */
static double mostChange(const ksiJointInput *joint, int l, const Speeds *speeds)
{
    double size = 0;
    for (int side = 0; side < 2; side++) {
        const double *row = joint->rows.row[l].jacobian[side];
        size += speeds->turned * ksiSize(row, 6) + speeds->moved * ksiSize(row, 3);
    }
    return motionMargin * size;
}

/* The number of bilateral rows. They come first and share a frame, whose rotation has no effect,
 * since J v = 0. */
static int bilateralRows(const ksiJointInput *joint)
{
    int count = 0;
    while (count < joint->rows.count && joint->rows.row[count].kind == KS_ROW_BILATERAL)
        count++;
    return count;
}

static void turnOfBilateral(const ksiStep *step, const ksiJointInput *joint, const ksiHistory *last, int l,
                            double turn[KSI_MAX_ROWS])
{
    double before[KSI_MAX_ROWS][12] = {{0}};
    int count = 0;
    for (; count < bilateralRows(joint) && count < last->count && last->kind[count] == KS_ROW_BILATERAL; count++) {
        KSI_EACH_BODY (joint->bodyIndex, side, at)
            ksiScaleWrench(&step->body[at], last->jacobian[count][side], &before[count][6 * side]);
    }
    ksiFit fit = {.a = before[0], .x = turn};
    memcpy(fit.b, joint->scaled[l], sizeof fit.b);
    ksiLeastSquares(count, 1, ksiRowRank(step->isSingle), &fit);
}

/* Finds row l of G. */
static void findTurn(const ksiStep *step, const ksiJointInput *joint, const ksiHistory *last, int l,
                     double turn[KSI_MAX_ROWS])
{
    if (l < bilateralRows(joint))
        turnOfBilateral(step, joint, last, l, turn);
    else
        turn[ksiRowBefore(joint, last, l)] = 1;
}

/* (J_k - G J_k-1) v of row l, with row l of G in `turn`. false: the row has changed by more than
 * the motion of its bodies explains, so the host has set another axis */
static bool findChange(const ksiStep *step, const ksiJointInput *joint, const ksiHistory *last, int l,
                       const double turn[KSI_MAX_ROWS], double *rate)
{
    const Speeds speeds = speedsOf(step, joint);
    double change[12];
    changeOfRow(joint, last, l, turn, change);
    *rate = 0;
    KSI_EACH_BODY (joint->bodyIndex, side, at)
        *rate += ksiDotSix(change + 6 * side, ksiVelocityOf(&step->body[at]));
    return ksiSize(change, 12) <= step->previousH * mostChange(joint, l, &speeds) + restTolerance(step);
}

static void rowsFromHistory(const ksiStep *step, const ksiJointInput *joint, const ksiHistory *last,
                            ksiJointAcceleration *out)
{
    for (int l = 0; l < joint->rows.count; l++) {
        if (out->source[l] != KS_FROM_NOWHERE || ksiRowBefore(joint, last, l) < 0)
            continue;
        double turn[KSI_MAX_ROWS] = {0}, rate;
        findTurn(step, joint, last, l, turn);
        if (!findChange(step, joint, last, l, turn, &rate))
            continue;
        out->beta[l] = out->differenced[l] = -rate / step->previousH;
        // error of first order: the change since the last step, or the whole value if the last one
        // is unknown
        double before = 0;
        for (int r = 0; r < last->count; r++)
            before += turn[r] != 0 ? turn[r] * last->differenced[r] : 0;
        out->betaError[l] = isfinite(before) ? out->beta[l] - before : out->beta[l];
        out->source[l] = KS_FROM_HISTORY;
    }
}

/* J times the velocity that the host has added to kinematic bodies */
static double drivenRate(const ksiStep *step, const ksiJointInput *joint, int l)
{
    double rate = 0;
    KSI_EACH_BODY (joint->bodyIndex, side, at) {
        const ksiBodyInput *body = &step->body[at];
        if (body->driven)
            rate += ksiDotSix(joint->rows.row[l].jacobian[side], body->gained);
    }
    return rate;
}

/* Has a kinematic body of the joint jumped and changed its velocity? How much it gained in this
 * step is unknown. J v contains the gain until the neighbouring bodies follow. */
static bool mayHaveGained(const ksiStep *step, const ksiJointInput *joint)
{
    bool may = false;
    KSI_EACH_BODY (joint->bodyIndex, side, at) {
        const ksiBodyInput *body = &step->body[at];
        may |= body->jumped && body->begin.kinematic && ksiSize(body->gained, 6) > 0;
    }
    return may;
}

/* A velocity that the host adds to a kinematic body acts as an acceleration on the left-hand side
 * of J a = beta. */
static void addDriven(const ksiStep *step, const ksiJointInput *joint, ksiJointAcceleration *out)
{
    const bool may = mayHaveGained(step, joint);
    for (int l = 0; l < joint->rows.count; l++) {
        out->beta[l] -= drivenRate(step, joint, l) / step->h;
        out->betaError[l] += may ? ksiToTarget(step, joint, l) : 0;
    }
}

void ksiSpringSides(const ksiStep *step, int index, double beta[KSI_MAX_ROWS])
{
    const ksiJointInput *joint = &step->joint[index];
    ksiRightHandSides(step, index, joint->moving, beta);
    for (int l = 0; step->input->anyDriven && l < joint->rows.count; l++)
        beta[l] -= drivenRate(step, joint, l) / step->h;
}

/* The part of a row's rate that its target does not explain. A row that follows a position also
 * closes gaps, so this is all but the last target. A motor keeps its speed, except for the part
 * that the turn of its row adds. */
static double excessOf(const ksiStep *step, const ksiJointInput *joint, const ksiHistory *last, int l, int before)
{
    double turn[KSI_MAX_ROWS] = {0}, rate;
    if (joint->rows.row[l].kind == KS_ROW_BILATERAL)
        return joint->moving[l] - last->target[before];
    turn[before] = 1;
    return findChange(step, joint, last, l, turn, &rate) ? rate : 0;
}

/* The change of a row's target in this step is an acceleration. A motor that did not run in the
 * last step must supply the whole difference between the row's rate and its target. The rate is
 * that of the motion before this step, also for bodies that wake in this step. In a joint that is
 * new, or that the host has moved, rates may be errors of an unfinished solver. */
static void addTargets(const ksiStep *step, int index, const ksiHistory *last, ksiJointAcceleration *out)
{
    const ksiJointInput *joint = &step->joint[index];
    for (int l = 0; l < joint->rows.count; l++) {
        if (!(joint->follows >> l & 1u))
            continue;
        const int before = last && !ksiWasHalted(step, index) ? ksiRowBefore(joint, last, l) : -1;
        out->excess[l] = 0;
        if (before >= 0 && last->kind[before] == joint->rows.row[l].kind) {
            out->excess[l] = excessOf(step, joint, last, l, before);
            out->beta[l] += (joint->target[l] - last->target[before]) / step->h;
        } else if (ksiIsAsLeft(step, joint))
            out->beta[l] += ksiToTarget(step, joint, l);
        else
            out->betaError[l] = ksiToTarget(step, joint, l);
    }
}

static bool takeGeometry(const ksiJointInput *joint, ksiJointAcceleration *out)
{
    bool all = true;
    for (int l = 0; l < joint->rows.count; l++) {
        const bool known = joint->geometry.known >> l & 1u;
        out->beta[l] = out->betaError[l] = 0;
        out->source[l] = known ? KS_FROM_GEOMETRY : KS_FROM_NOWHERE;
        all &= known;
    }
    return all;
}

/* For a joint with a stopped body: the two readings of its rows belong to another motion, and at
 * rest no row accelerates. */
static void takeStopped(const ksiStep *step, const ksiJointInput *joint, ksiJointAcceleration *out)
{
    double speed = 0;
    KSI_EACH_BODY (joint->bodyIndex, side, at)
        speed += ksiSize(ksiVelocityOf(&step->body[at]), 6);
    takeGeometry(joint, out);
    for (int l = 0; speed == 0 && l < joint->rows.count; l++) {
        if (out->source[l] != KS_FROM_NOWHERE)
            continue;
        out->beta[l] = 0;
        out->source[l] = KS_FROM_GEOMETRY;
    }
}

void ksiFindBias(const ksiStep *step, int index, ksiJointAcceleration *out)
{
    const ksiIsland *island = &step->island[index];
    KSI_EACH_JOINT (step, island, i, at) {
        const ksiJointInput *joint = &step->joint[at];
        const ksiHistory *last = ksiPredecessor(step, joint);
        if (ksiWasHalted(step, at))
            takeStopped(step, joint, &out[at]);
        else if (!takeGeometry(joint, &out[at]) && last)
            rowsFromHistory(step, joint, last, &out[at]);
        if (step->input->anyDriven)
            addDriven(step, joint, &out[at]);
        addTargets(step, at, last, &out[at]);
    }
}

/* The stepper's gyroscopic torque is that of an implicit step; the mechanism's is -w x I w. change:
 * the stepper's torque minus the mechanism's torque. */
KSI_INLINE void differ(const ksiBody *body, const double inertia[9], const double w[3], double change[3])
{
    double momentum[3];
    EACH (k, 0, 3)
        momentum[k] = ksiDot(inertia + 3 * k, w);
    EACH (k, 0, 3) {
        const int p = (k + 1) % 3, q = (k + 2) % 3;
        change[k] = body->gyroscopic[k] + w[p] * momentum[q] - w[q] * momentum[p];
    }
}

/* Units of rounding in the difference of these torques, whose terms have the sizes of I w^2 and, in
 * the stepper's torque, I w/h. */
static const double roundings = 8;

bool ksiGyroscopicChange(const ksiStep *step, int index, const double w[3], double change[3])
{
    const ksiBody *body = &step->body[index].begin;
    const double *inertia = body->inertia, speed = ksiLength(w);
    if (!body->gyroscopicMode)
        return false;
    differ(body, inertia, w, change);
    const double terms = (inertia[0] + inertia[4] + inertia[8]) * speed * (speed + 1 / step->h);
    return !(ksiLength(change) <= roundings * DBL_EPSILON * terms);
}

/* The engine damps after its solution. In the mechanism, damping is a force. */
void ksiMechanismForce(const ksiStep *step, int index, const double inertia[9], const double w[3], double force[6])
{
    const ksiBodyInput *body = &step->body[index];
    double change[3];
    ksiForceOnBody(step, index, force);
    if (body->isSlowed)
        ksiAddSix(force, 1, body->slowing);
    if (!body->begin.gyroscopicMode)
        return;
    differ(&body->begin, inertia, w, change);
    EACH (k, 0, 3)
        force[3 + k] -= change[k];
}
