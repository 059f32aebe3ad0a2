/* report.c  What the engine says it did: reported wrenches, the multipliers behind them, and the bounds that they have.
 *
 * The feedback of a joint is J^T lambda, so lambda follows from it by least squares in the mass metric; what is left
 * over is not a reaction of this joint. */
#include "inspector_private.h"

#include "../mechanics/leastsquares.h"
#include "../vectorise.h"

#include <math.h>

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

KSI_CLONES
static void fitMultipliers(ksInspector *inspector, ksiJointState *joint)
{
    const dJointFeedback *fb = &joint->feedback;
    const double wrench[2][6] = {{fb->f1[0], fb->f1[1], fb->f1[2], fb->t1[0], fb->t1[1], fb->t1[2]},
                                 {fb->f2[0], fb->f2[1], fb->f2[2], fb->t2[0], fb->t2[1], fb->t2[2]}};
    double scaled[12] = {0}, rest[12];
    for (int side = 0; side < 2; side++) {
        if (joint->bodyIndex[side] < 0)
            continue;
        ksiBodyState *body = &inspector->body[joint->bodyIndex[side]];
        ksiScaleWrench(body, wrench[side], &scaled[6 * side]);
        ksiAddSix(body->reported, 1, wrench[side]);
    }
    joint->rank = ksiLeastSquares(joint->rows.count, joint->scaled, scaled, ownRankTolerance, joint->multiplier, rest);
    joint->residue = sqrt(ksiDotTwelve(rest, rest));
    ksiAddSix(scaled, -1, rest);
    ksiAddSix(scaled + 6, -1, rest + 6);
    joint->load = sqrt(ksiDotTwelve(scaled, scaled));
}

void ksiReadReport(ksInspector *inspector)
{
    for (size_t i = 0; i < inspector->jointCount; i++) {
        ksiJointState *joint = &inspector->joint[i];
        joint->finite = joint->read && finiteFeedback(joint);
        joint->solved = joint->finite || (joint->read && ksiFeedbackWritten(&joint->feedback, 0));
        if (joint->finite)
            fitMultipliers(inspector, joint);
        else if (joint->solved)
            joint->reasons |= KS_REASON_NOT_FINITE;
    }
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
