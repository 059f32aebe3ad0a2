/* rates.c  (dJ/dt) v of rows whose geometry does not give it, from two readings of them:
 *
 *     beta = -(J_k - G J_k-1) v_k / h,       G = argmin |J_k - G J_k-1|
 *
 * G takes out what only turns the frame that the rows are written in (it may jump): on the constraint manifold
 * J v = 0, so nothing of beta goes with it. */
#include "inspector_private.h"

#include "../mechanics/leastsquares.h"
#include "../vectorise.h"

#include <math.h>
#include <string.h>

/* how many times more than its bodies' speeds explain a row may change: lever arms change twice, by both bodies */
static const double motionMargin = 4;
static const double sameSpanTolerance = 1e-9; /* of the predecessor's rows: dependent ones are dropped */

/* share of a body's load that the turning of a slow contact may amount to and be neglected */
static const double slowTolerance = 1e-4;

bool ksiNeedsBeta(const ksInspector *inspector, const ksiJointState *joint, int l)
{
    return joint->place[l] == KS_INSIDE && joint->rows.row[l].cfm <= inspector->options.rigidCfm;
}

/* J_k - G J_k-1 of one row, `turn` its row of G */
static void changeOfRow(const ksiJointState *joint, const ksiHistory *last, int l, const double *turn,
                        double change[12])
{
    memcpy(change, joint->rows.row[l].jacobian, 12 * sizeof *change);
    for (int r = 0; r < joint->rows.count; r++) {
        if (turn[r] == 0)
            continue;
        for (int side = 0; side < 2; side++)
            ksiAddSix(change + 6 * side, -turn[r], last->jacobian[r][side]);
    }
}

/* A shape turns its normal as the contact moves over it: at most as a sphere about the body's centre would. */
static double turningOfNormal(const ksInspector *inspector, const ksiJointState *joint)
{
    double apart[3] = {0}, turning = 0;
    for (int side = 0; side < 2; side++) {
        for (int k = 0; k < 3 && joint->bodyIndex[side] >= 0; k++)
            apart[k] += (side ? -1 : 1) * inspector->body[joint->bodyIndex[side]].begin.velocity[k];
    }
    for (int side = 0; side < 2; side++) {
        if (joint->bodyIndex[side] < 0)
            continue;
        const double lever = ksiContactLever(inspector, joint, side);
        turning = fmax(turning, lever > 0 ? ksiSize(apart, 3) / lever : 0);
    }
    return turning;
}

/* How fast its bodies turn and carry a joint's rows. */
typedef struct Speeds {
    double turned, carried;
} Speeds;

static Speeds speedsOf(const ksInspector *inspector, const ksiJointState *joint)
{
    Speeds speeds = {.turned = joint->hasContact ? turningOfNormal(inspector, joint) : 0};
    for (int side = 0; side < 2; side++) {
        if (joint->bodyIndex[side] < 0)
            continue;
        const double *v = inspector->body[joint->bodyIndex[side]].begin.velocity;
        speeds.turned += ksiSize(v + 3, 3);
        speeds.carried += ksiSize(v, 3);
    }
    return speeds;
}

/* What the motion of its bodies can make of a row in a second, with a margin. */
static double mostChange(const ksiJointState *joint, int l, const Speeds *speeds)
{
    double size = 0;
    for (int side = 0; side < 2; side++) {
        const double *row = joint->rows.row[l].jacobian[side];
        size += speeds->turned * ksiSize(row, 6) + speeds->carried * ksiSize(row, 3);
    }
    return motionMargin * size;
}

/* The bilateral rows, which come first, share a frame. It may turn without meaning anything, since J v = 0. */
static int bilateralRows(const ksiJointState *joint)
{
    int count = 0;
    while (count < joint->rows.count && joint->rows.row[count].kind == KS_ROW_BILATERAL)
        count++;
    return count;
}

static void turnOfBilateral(const ksInspector *inspector, const ksiJointState *joint, const ksiHistory *last, int l,
                            double turn[KSI_MAX_ROWS])
{
    double before[KSI_MAX_ROWS][12] = {{0}};
    int count = bilateralRows(joint);
    for (int r = 0; r < count; r++) {
        for (int side = 0; side < 2; side++) {
            if (joint->bodyIndex[side] >= 0)
                ksiScaleWrench(&inspector->body[joint->bodyIndex[side]], last->jacobian[r][side], &before[r][6 * side]);
        }
    }
    ksiFit fit = {.a = before[0], .x = turn};
    memcpy(fit.b, joint->scaled[l], sizeof fit.b);
    ksiLeastSquares(count, sameSpanTolerance, 1, &fit);
}

/* So do friction rows, and rolling rows, while all of them hold. */
static bool holdsAll(const ksInspector *inspector, const ksiJointState *joint, const ksiHistory *last, ksRowKind kind)
{
    for (int r = 0; r < joint->rows.count; r++) {
        if (joint->rows.row[r].kind == kind &&
            (!ksiNeedsBeta(inspector, joint, r) || joint->rows.row[r].c != 0 || last->c[r] != 0))
            return false;
    }
    return kind == KS_ROW_FRICTION || kind == KS_ROW_ROLLING;
}

/* Their directions are orthonormal. */
static void turnOfDirections(const ksiJointState *joint, const ksiHistory *last, int l, double turn[KSI_MAX_ROWS])
{
    const ksRowKind kind = joint->rows.row[l].kind;
    const int part = kind == KS_ROW_ROLLING ? 3 : 0;
    for (int r = 0; r < joint->rows.count; r++) {
        for (int k = 0; k < 3 && joint->rows.row[r].kind == kind; k++)
            turn[r] += joint->rows.row[l].jacobian[0][part + k] * last->jacobian[r][0][part + k];
    }
}

/* The row of G. */
static void findTurn(const ksInspector *inspector, const ksiJointState *joint, const ksiHistory *last, int l,
                     double turn[KSI_MAX_ROWS])
{
    if (l < bilateralRows(joint))
        turnOfBilateral(inspector, joint, last, l, turn);
    else if (holdsAll(inspector, joint, last, joint->rows.row[l].kind))
        turnOfDirections(joint, last, l, turn);
    else
        turn[l] = 1;
}

static void rowsFromHistory(const ksInspector *inspector, ksiJointState *joint, const ksiHistory *last)
{
    const Speeds speeds = speedsOf(inspector, joint);
    for (int l = 0; l < joint->rows.count; l++) {
        if (joint->betaSource[l] != KS_FROM_NOWHERE)
            continue;
        double turn[KSI_MAX_ROWS] = {0}, change[12], rate = 0;
        findTurn(inspector, joint, last, l, turn);
        changeOfRow(joint, last, l, turn, change);
        // a row that has changed by more was given another axis by the host
        if (!(ksiSize(change, 12) <= inspector->previousH * mostChange(joint, l, &speeds) + sameSpanTolerance))
            continue;
        for (int side = 0; side < 2; side++) {
            if (joint->bodyIndex[side] >= 0)
                rate += ksiDotSix(change + 6 * side, inspector->body[joint->bodyIndex[side]].begin.velocity);
        }
        joint->beta[l] = -rate / inspector->previousH;
        joint->betaSource[l] = KS_FROM_HISTORY;
    }
}

/* The velocity that a row is to follow, where that is not an error to be corrected. */
double ksiRowTarget(const ksiJointState *joint, int l)
{
    switch (joint->rows.row[l].kind) {
    case KS_ROW_MOTOR:
    case KS_ROW_FRICTION:
        return joint->rows.row[l].c;
    case KS_ROW_NORMAL:
        return joint->hasContact ? joint->contact.motion : 0;
    default:
        return 0;
    }
}

/* Corners of boxes that lie on each other come and go. Where bodies hardly move, (dJ/dt) v of a contact is nothing beside
 * their loads, whatever the last step had in its place. */
static void neglectSlow(const ksInspector *inspector, ksiJointState *joint)
{
    double load = 0, speed = 0;
    for (int side = 0; side < 2; side++) {
        if (joint->bodyIndex[side] < 0)
            continue;
        const ksiBodyState *body = &inspector->body[joint->bodyIndex[side]];
        if (body->jumped)
            return;
        speed = hypot(speed, ksiSize(body->begin.velocity, 6));
        load = fmax(load, body->dynamic ? body->applied : 0);
    }
    const Speeds speeds = speedsOf(inspector, joint);
    for (int l = 0; l < joint->rows.count; l++) {
        if (joint->betaSource[l] == KS_FROM_NOWHERE && ksiRowTarget(joint, l) == 0 &&
            mostChange(joint, l, &speeds) * speed <= slowTolerance * load * ksiSize(joint->scaled[l], 12)) {
            joint->beta[l] = 0;
            joint->betaSource[l] = KS_FROM_GEOMETRY;
        }
    }
}

/* What the target has gained in this step is an acceleration of the row. */
static void followTargets(const ksInspector *inspector, ksiJointState *joint, const ksiHistory *last)
{
    for (int l = 0; l < joint->rows.count; l++)
        joint->beta[l] += (ksiRowTarget(joint, l) - last->target[l]) / inspector->h;
}

/* So is what the host has added to the velocity of a kinematic body: J a = beta has that body's acceleration on its left. */
static void followBodies(const ksInspector *inspector, ksiJointState *joint)
{
    for (int side = 0; side < 2; side++) {
        const ksiBodyState *body = joint->bodyIndex[side] < 0 ? NULL : &inspector->body[joint->bodyIndex[side]];
        for (int l = 0; body && body->driven && l < joint->rows.count; l++)
            joint->beta[l] -= ksiDotSix(joint->rows.row[l].jacobian[side], body->gained) / inspector->h;
    }
}

bool ksiWasReset(const ksInspector *inspector, const ksiJointState *joint)
{
    for (int side = 0; side < 2; side++) {
        if (joint->bodyIndex[side] >= 0 && inspector->body[joint->bodyIndex[side]].reasons & KS_REASON_RESET)
            return true;
    }
    return false;
}

static bool anyUnknown(const ksiJointState *joint)
{
    bool any = false;
    for (int l = 0; l < joint->rows.count; l++)
        any |= joint->betaSource[l] == KS_FROM_NOWHERE;
    return any;
}

void ksiFindRowAccelerations(ksInspector *inspector, int index)
{
    const ksiIsland *island = &inspector->island[index];
    for (int i = 0; i < island->jointCount; i++) {
        ksiJointState *joint = ksiIslandJoint(inspector, island, i);
        if (ksiWasReset(inspector, joint)) {
            for (int l = 0; l < joint->rows.count; l++)
                joint->betaSource[l] = KS_FROM_NOWHERE;
            continue;
        }
        const ksiHistory *last = ksiPredecessor(inspector, joint);
        if (last && anyUnknown(joint))
            rowsFromHistory(inspector, joint, last);
        if (last)
            followTargets(inspector, joint, last);
        if (joint->hasContact && anyUnknown(joint))
            neglectSlow(inspector, joint);
        if (inspector->anyDriven)
            followBodies(inspector, joint);
    }
}
