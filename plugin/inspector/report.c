/* report.c  What the engine says it did: reported wrenches, the multipliers behind them, and the bounds that they have.
 *
 * The feedback of a joint is J^T lambda, so lambda follows from it by least squares in the mass metric; what is left
 * over is not a reaction of this joint. */
#include "inspector_private.h"

#include "../base/vectorise.h"
#include "../linear/leastsquares.h"

#include <math.h>
#include <string.h>

/* relative rank tolerance of one joint's own rows: the engine builds them orthonormal or nearly so */
static const double ownRankTolerance = 1e-9;
/* What was reported on a kinematic body, whose motion does not tell, is compared with those multipliers: they are good to a
 * rounding over that tolerance. */
static const double kinematicTolerance = 1e-6;
/* multipliers this close to a bound, relative to the joint's largest, are at it: the fit is good to rounding */
static const double atBoundTolerance = 1e-9;

/* No NaN: neither the mark of what the engine has not written, nor one of its own. */
static bool finiteFeedback(const ksiJointState *joint)
{
    const dJointFeedback *fb = &joint->feedback;
    ksiFour sum = *(const ksiFour *)fb->f1 + *(const ksiFour *)fb->t1;  // the fourth numbers are no part of it
    if (joint->body[1])
        sum += *(const ksiFour *)fb->f2 + *(const ksiFour *)fb->t2;
    return isfinite(sum[0] + sum[1] + sum[2]);
}

static double largestMultiplier(const ksiJointState *joint)
{
    double largest = 0;
    for (int l = 0; l < joint->rows.count; l++)
        largest = ksiLarger(fabs(joint->multiplier[l]), largest);
    return largest;
}

/* What lies this close to a bound is at it. */
double ksiBoundMargin(const ksiJointState *joint, double bound)
{
    return atBoundTolerance * ksiLarger(fabs(bound), largestMultiplier(joint));
}

ksRowPlace ksiPlaceBetween(const ksiJointState *joint, int l, double low, double high)
{
    const double lambda = joint->multiplier[l];
    // both may be as close
    const bool nearHigh = high - lambda < lambda - low;
    // bounds that are not there would make a margin of infinity
    if (!nearHigh && low != -INFINITY && lambda <= low + ksiBoundMargin(joint, low))
        return KS_AT_LOW;
    if (nearHigh && high != INFINITY && lambda >= high - ksiBoundMargin(joint, high))
        return KS_AT_HIGH;
    return KS_INSIDE;
}

ksRowPlace ksiPlaceInBounds(const ksiJointState *joint, int l)
{
    return ksiPlaceBetween(joint, l, joint->low[l], joint->high[l]);
}

void ksiSetFrictionBound(const ksInspector *inspector, ksiJointState *joint, int l, double normal)
{
    // 0 times infinity is 0 to dWorldStep, and no bound to dWorldQuickStep
    double bound = normal != 0 ? fabs(joint->rows.row[l].hi * normal) : 0;
    if (inspector->stepper == KS_QUICK_STEP && isinf(joint->rows.row[l].hi))
        bound = INFINITY;
    joint->high[l] = bound;
    joint->low[l] = -bound;
}

void ksiSetReportedBounds(const ksInspector *inspector, ksiJointState *joint, int l)
{
    const ksiRows *rows = &joint->rows;
    joint->low[l] = rows->row[l].lo;
    joint->high[l] = rows->row[l].hi;
    if (rows->row[l].findex >= 0)
        ksiSetFrictionBound(inspector, joint, l, joint->multiplier[rows->row[l].findex]);
}

double ksiBoundInForce(const ksiJointState *joint, int l, ksRowPlace place)
{
    if (place == KS_AT_LOW)
        return joint->low[l];
    if (place == KS_AT_HIGH)
        return joint->high[l];
    return fabs(joint->low[l]) < fabs(joint->high[l]) ? joint->low[l] : joint->high[l];
}

static bool isEmpty(const ksiJointState *joint, int l)
{
    if (ksiDotTwelve(joint->scaled[l], joint->scaled[l]) > 0)
        return false;
    const double *jacobian = joint->rows.row[l].jacobian[0];
    for (int k = 0; k < 12; k++) {
        if (jacobian[k] != 0)
            return false;
    }
    return true;
}

static void placeRow(const ksInspector *inspector, ksiJointState *joint, int l)
{
    ksRow *row = &joint->rows.row[l];
    ksRowPlace place = isEmpty(joint, l) ? KS_INACTIVE : KS_INSIDE;
    double bound = INFINITY;
    ksiSetReportedBounds(inspector, joint, l);
    if (row->findex >= 0 || row->lo != -INFINITY || row->hi != INFINITY) {
        joint->bounded = true;
        if (place == KS_INSIDE)
            place = ksiPlaceInBounds(joint, l);
        bound = ksiBoundInForce(joint, l, place);
    }
    joint->place[l] = joint->reported[l] = row->place = place;
    row->bound = bound;
}

static void placeRows(const ksInspector *inspector, ksiJointState *joint)
{
    for (int l = 0; l < joint->rows.count; l++)
        placeRow(inspector, joint, l);
}

/* Joints with the same number of rows, whose multipliers are found together. */
typedef struct Batch {
    int count;
    ksiJointState *joint[KSI_LEAST_SQUARES_AT_ONCE];
    ksiFit fit[KSI_LEAST_SQUARES_AT_ONCE];
} Batch;

/* Is `reported` not sum lambda_l J_l, where each lambda_l may be off by a share of the joint's load? */
static bool contradicts(const ksiJointState *joint, int side, int from, const double reported[3])
{
    double apart[3] = {reported[0], reported[1], reported[2]}, room = 0;
    for (int l = 0; l < joint->rows.count; l++) {
        const double *jacobian = joint->rows.row[l].jacobian[side] + from;
        for (int k = 0; k < 3; k++)
            apart[k] -= joint->multiplier[l] * jacobian[k];
        room += ksiSize(jacobian, 3) / ksiSize(joint->scaled[l], 12);
    }
    return ksiSize(apart, 3) > kinematicTolerance * (room * joint->load + ksiSize(reported, 3));
}

static void checkKinematic(const ksInspector *inspector, ksiJointState *joint)
{
    const double *force[2] = {joint->feedback.f1, joint->feedback.f2};
    const double *torque[2] = {joint->feedback.t1, joint->feedback.t2};
    for (int side = 0; side < 2; side++) {
        if (joint->bodyIndex[side] < 0 || inspector->body[joint->bodyIndex[side]].dynamic)
            continue;
        if (contradicts(joint, side, 0, force[side]) || contradicts(joint, side, 3, torque[side]))
            joint->reasons |= KS_REASON_REPORT;
    }
}

static void fitMultipliers(ksInspector *inspector, int rows, Batch *batch)
{
    if (batch->count > 0)
        ksiLeastSquares(rows, ownRankTolerance, batch->count, batch->fit);
    for (int i = 0; i < batch->count; i++) {
        ksiJointState *joint = batch->joint[i];
        joint->rank = batch->fit[i].rank;
        joint->load = batch->fit[i].size;
        joint->residue = batch->fit[i].rest;
        if (joint->rank == rows)
            checkKinematic(inspector, joint);
        if (!joint->rows.plain)
            placeRows(inspector, joint);
        ksiAddToIsland(inspector, joint);
    }
    batch->count = 0;
}

KSI_INLINE void addWrench(double sum[6], const double force[4], const double torque[4])
{
    const ksiFour f = *(const ksiFour *)force, t = *(const ksiFour *)torque;
    *(ksiFour *)sum += KSI_SHUFFLE(f, t, 0, 1, 2, 4);
    *(ksiTwo *)(sum + 4) += *(const ksiTwo *)(torque + 1);
}

/* The wrench that was reported of one side: for the body, and scaled for the fit. */
KSI_INLINE void takeWrench(const ksiJointState *joint, ksiBodyState *body, const double force[4],
                           const double torque[4], double scaled[6])
{
    ksiScaleByRoot(ksiMassRoot(body), force, torque, scaled);
    addWrench(body->reported, force, torque);
    if (joint->isLoad)
        addWrench(body->known, force, torque);
}

KSI_CLONES
static void takeWrenches(ksInspector *inspector, ksiJointState *joint, Batch *batch)
{
    const dJointFeedback *fb = &joint->feedback;
    ksiFit *fit = &batch->fit[batch->count];
    batch->joint[batch->count++] = joint;
    fit->a = joint->scaled[0];
    fit->x = joint->multiplier;
    takeWrench(joint, &inspector->body[joint->bodyIndex[0]], fb->f1, fb->t1, fit->b);
    if (joint->bodyIndex[1] < 0)
        memset(fit->b + 6, 0, 6 * sizeof *fit->b);
    else
        takeWrench(joint, &inspector->body[joint->bodyIndex[1]], fb->f2, fb->t2, fit->b + 6);
}

static void readReport(ksInspector *inspector, ksiJointState *joint, Batch *batch)
{
    Batch *equal = &batch[joint->rows.count];
    joint->finite = joint->read && finiteFeedback(joint);
    joint->solved = joint->finite || (joint->read && ksiFeedbackWritten(&joint->feedback, 0));
    ksiFindLink(inspector, joint);
    if (joint->finite)
        takeWrenches(inspector, joint, equal);
    else if (joint->solved)
        joint->reasons |= KS_REASON_NOT_FINITE;
    if (joint->read && !joint->finite && !joint->rows.plain)
        placeRows(inspector, joint);
    if (!joint->finite)
        ksiAddToIsland(inspector, joint);
    if (equal->count == KSI_LEAST_SQUARES_AT_ONCE)
        fitMultipliers(inspector, joint->rows.count, equal);
}

void ksiReadReport(ksInspector *inspector)
{
    Batch batch[KSI_MAX_ROWS + 1];
    size_t expected = 0, met = 0;
    for (int rows = 0; rows <= KSI_MAX_ROWS; rows++)
        batch[rows].count = 0;
    if (inspector->islandsKnown)
        ksiClearIslands(inspector);
    for (dJointID j = ksiFirstJoint(&inspector->engine); j && inspector->jointCount > 0; j = ksiNextJoint(j)) {
        const int index = ksiJointAt(inspector, j, expected);
        if (index < 0)
            continue;
        ksiJointState *joint = &inspector->joint[index];
        expected = (size_t)index + 1;
        joint->met = true;
        met++;
        ksiTakeFeedbackOff(inspector, joint, j);
        readReport(inspector, joint, batch);
    }
    for (size_t i = 0; met < inspector->jointCount && i < inspector->jointCount; i++) {
        if (!inspector->joint[i].met)
            readReport(inspector, &inspector->joint[i], batch);
    }
    for (int rows = 0; rows <= KSI_MAX_ROWS; rows++)
        fitMultipliers(inspector, rows, &batch[rows]);
}
