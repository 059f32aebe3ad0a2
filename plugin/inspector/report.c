/* report.c  What the engine says it did: reported wrenches, the multipliers behind them, and the bounds that they have.
 *
 * The feedback of a joint is J^T lambda, so lambda follows from it by least squares in the mass metric; what is left
 * over is not a reaction of this joint. */
#include "inspector_private.h"

#include "../mechanics/leastsquares.h"
#include "../vectorise.h"

#include <math.h>
#include <string.h>

/* relative rank tolerance of one joint's own rows: the engine builds them orthonormal or nearly so */
static const double ownRankTolerance = 1e-9;
/* multipliers this close to a bound, relative to the joint's largest, are at it: the fit is good to rounding */
static const double atBoundTolerance = 1e-9;

/* The mark of what the engine has not written is none. */
static bool finiteFeedback(const ksiJointState *joint)
{
    const dJointFeedback *fb = &joint->feedback;
    double sum = 0;
    for (int k = 0; k < 3; k++)
        sum += fb->f1[k] + fb->t1[k];
    for (int k = 0; joint->body[1] && k < 3; k++)
        sum += fb->f2[k] + fb->t2[k];
    return isfinite(sum);
}

/* Joints with the same number of rows, whose multipliers are found together. */
typedef struct Batch {
    int count;
    ksiJointState *joint[KSI_LEAST_SQUARES_AT_ONCE];
    ksiFit fit[KSI_LEAST_SQUARES_AT_ONCE];
} Batch;

static void fitMultipliers(const ksInspector *inspector, int rows, Batch *batch)
{
    if (batch->count > 0)
        ksiLeastSquares(rows, ownRankTolerance, batch->count, batch->fit);
    for (int i = 0; i < batch->count; i++) {
        ksiJointState *joint = batch->joint[i];
        joint->rank = batch->fit[i].rank;
        joint->load = batch->fit[i].size;
        joint->residue = batch->fit[i].rest;
        if (!joint->rows.plain)
            ksiPlaceRows(inspector, joint);
    }
    batch->count = 0;
}

/* The wrenches that were reported, for the bodies and for the fit. */
static void takeWrenches(ksInspector *inspector, ksiJointState *joint, Batch *batch)
{
    const dJointFeedback *fb = &joint->feedback;
    const double wrench[2][6] = {{fb->f1[0], fb->f1[1], fb->f1[2], fb->t1[0], fb->t1[1], fb->t1[2]},
                                 {fb->f2[0], fb->f2[1], fb->f2[2], fb->t2[0], fb->t2[1], fb->t2[2]}};
    ksiFit *fit = &batch->fit[batch->count];
    batch->joint[batch->count++] = joint;
    fit->a = joint->scaled[0];
    fit->x = joint->multiplier;
    memset(fit->b, 0, sizeof fit->b);
    for (int side = 0; side < 2; side++) {
        if (joint->bodyIndex[side] < 0)
            continue;
        ksiBodyState *body = &inspector->body[joint->bodyIndex[side]];
        ksiScaleWrench(body, wrench[side], &fit->b[6 * side]);
        ksiAddSix(body->reported, 1, wrench[side]);
    }
}

void ksiReadReport(ksInspector *inspector)
{
    Batch batch[KSI_MAX_ROWS + 1];
    for (int rows = 0; rows <= KSI_MAX_ROWS; rows++)
        batch[rows].count = 0;
    for (size_t i = 0; i < inspector->jointCount; i++) {
        ksiJointState *joint = &inspector->joint[i];
        Batch *equal = &batch[joint->rows.count];
        joint->finite = joint->read && finiteFeedback(joint);
        joint->solved = joint->finite || (joint->read && ksiFeedbackWritten(&joint->feedback, 0));
        if (joint->finite)
            takeWrenches(inspector, joint, equal);
        else if (joint->solved)
            joint->reasons |= KS_REASON_NOT_FINITE;
        if (!joint->finite && !joint->rows.plain)
            ksiPlaceRows(inspector, joint);
        if (equal->count == KSI_LEAST_SQUARES_AT_ONCE)
            fitMultipliers(inspector, joint->rows.count, equal);
    }
    for (int rows = 0; rows <= KSI_MAX_ROWS; rows++)
        fitMultipliers(inspector, rows, &batch[rows]);
}

static double largestMultiplier(const ksiJointState *joint)
{
    double largest = 0;
    for (int l = 0; l < joint->rows.count; l++)
        largest = ksiLarger(fabs(joint->multiplier[l]), largest);
    return largest;
}

/* What lies this close to a bound is at it. */
static double margin(const ksiJointState *joint, double bound)
{
    return atBoundTolerance * ksiLarger(fabs(bound), largestMultiplier(joint));
}

ksRowPlace ksiPlaceInBounds(const ksiJointState *joint, int l)
{
    const double lambda = joint->multiplier[l], low = joint->low[l], high = joint->high[l];
    // bounds that are not there would make a margin of infinity
    if (low != -INFINITY && lambda <= low + margin(joint, low))
        return KS_AT_LOW;
    if (high != INFINITY && lambda >= high - margin(joint, high))
        return KS_AT_HIGH;
    return KS_INSIDE;
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

static bool isEmpty(const double *jacobian)
{
    for (int k = 0; k < 12; k++) {
        if (jacobian[k] != 0)
            return false;
    }
    return true;
}

static void placeRow(const ksInspector *inspector, ksiJointState *joint, int l)
{
    ksRow *row = &joint->rows.row[l];
    ksRowPlace place = isEmpty(row->jacobian[0]) ? KS_INACTIVE : KS_INSIDE;
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

void ksiPlaceRows(const ksInspector *inspector, ksiJointState *joint)
{
    for (int l = 0; l < joint->rows.count; l++)
        placeRow(inspector, joint, l);
}
