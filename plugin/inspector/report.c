/* report.c  What the engine says it did: reported wrenches, the multipliers behind them, and the bounds that they have.
 *
 * The feedback of a joint is J^T lambda, so lambda follows from it by least squares in the mass metric; what is left
 * over is not a reaction of this joint. */
#include "inspector_private.h"

#include "../mechanics/leastsquares.h"

#include <math.h>
#include <string.h>

/* relative rank tolerance of one joint's own rows: the engine builds them orthonormal or nearly so */
static const double ownRankTolerance = 1e-9;
/* multipliers this close to a bound, relative to the joint's largest, are at it: the fit is good to rounding */
static const double atBoundTolerance = 1e-9;

static bool finiteFeedback(const ksiJointState *joint)
{
    const dJointFeedback *fb = &joint->feedback;
    double sum = 0;
    for (int k = 0; k < 3; k++) {
        sum += fb->f1[k] + fb->t1[k];
        if (joint->body[1])
            sum += fb->f2[k] + fb->t2[k];
    }
    return isfinite(sum);
}

/* what the engine wrote for the body on one side */
void ksiReportedWrench(const ksiJointState *joint, int side, double wrench[6])
{
    const dReal *f = side ? joint->feedback.f2 : joint->feedback.f1;
    const dReal *t = side ? joint->feedback.t2 : joint->feedback.t1;
    for (int k = 0; k < 3; k++) {
        wrench[k] = f[k];
        wrench[3 + k] = t[k];
    }
}

static void fitMultipliers(ksInspector *inspector, ksiJointState *joint)
{
    double scaled[12] = {0}, rest[12];
    for (int side = 0; side < 2; side++) {
        if (joint->bodyIndex[side] < 0)
            continue;
        ksiBodyState *body = &inspector->body[joint->bodyIndex[side]];
        double wrench[6];
        ksiReportedWrench(joint, side, wrench);
        ksiScaleWrench(body, wrench, &scaled[6 * side]);
        for (int k = 0; k < 6; k++)
            body->reported[k] += wrench[k];
    }
    joint->rank = ksiLeastSquares(joint->rows.count, joint->scaled, scaled, ownRankTolerance, joint->multiplier, rest);
    joint->residue = ksiSize(rest, 12);
    for (int k = 0; k < 12; k++)
        scaled[k] -= rest[k];
    joint->load = ksiSize(scaled, 12);
}

void ksiReadReport(ksInspector *inspector)
{
    for (size_t i = 0; i < inspector->jointCount; i++) {
        ksiJointState *joint = &inspector->joint[i];
        joint->solved = joint->read && ksiFeedbackWritten(&joint->feedback, 0);
        if (!joint->solved)
            continue;
        joint->finite = finiteFeedback(joint);
        if (joint->finite)
            fitMultipliers(inspector, joint);
        else
            joint->reasons |= KS_REASON_NOT_FINITE;
    }
}

/* fmax is a call */
static double larger(double a, double b)
{
    return a > b ? a : b;
}

static double largestMultiplier(const ksiJointState *joint)
{
    double largest = 0;
    for (int l = 0; l < joint->rows.count; l++)
        largest = larger(largest, fabs(joint->multiplier[l]));
    return largest;
}

/* What lies this close to a bound is at it. */
static double margin(const ksiJointState *joint, double bound)
{
    return atBoundTolerance * larger(largestMultiplier(joint), fabs(bound));
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
    double bound = normal != 0 ? fabs(joint->rows.hi[l] * normal) : 0;
    if (inspector->stepper == KS_QUICK_STEP && isinf(joint->rows.hi[l]))
        bound = INFINITY;
    joint->high[l] = bound;
    joint->low[l] = -bound;
}

void ksiSetReportedBounds(const ksInspector *inspector, ksiJointState *joint, int l)
{
    const ksiRows *rows = &joint->rows;
    joint->low[l] = rows->lo[l];
    joint->high[l] = rows->hi[l];
    if (rows->findex[l] >= 0)
        ksiSetFrictionBound(inspector, joint, l, joint->multiplier[rows->findex[l]]);
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

void ksiPlaceRows(const ksInspector *inspector, ksiJointState *joint, ksRow *row)
{
    for (int l = 0; l < joint->rows.count; l++) {
        ksiSetReportedBounds(inspector, joint, l);
        const bool bounded = joint->rows.findex[l] >= 0 || joint->low[l] != -INFINITY || joint->high[l] != INFINITY;
        const ksRowPlace place = isEmpty(joint->rows.jacobian[l][0]) ? KS_INACTIVE
                                 : bounded                           ? ksiPlaceInBounds(joint, l)
                                                                     : KS_INSIDE;
        joint->bounded |= bounded;
        joint->place[l] = joint->reported[l] = row[l].place = place;
        row[l].bound = bounded ? ksiBoundInForce(joint, l, place) : INFINITY;
    }
}
