/* report.c  What the engine says it did: reported wrenches, the multipliers behind them, and where they lie in their
 * bounds.
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
}

void ksiReadReport(ksInspector *inspector)
{
    for (size_t i = 0; i < inspector->jointCount; i++) {
        ksiJointState *joint = &inspector->joint[i];
        if (!joint->solved)
            continue;
        joint->finite = finiteFeedback(joint);
        if (joint->finite)
            fitMultipliers(inspector, joint);
        else
            joint->reasons |= KS_REASON_NOT_FINITE;
    }
}

/* J v of the engine's motion */
static double rowRate(const ksInspector *inspector, const ksiJointState *joint, int l)
{
    double rate = 0;
    for (int side = 0; side < 2; side++) {
        if (joint->bodyIndex[side] < 0)
            continue;
        const ksiBodyState *body = &inspector->body[joint->bodyIndex[side]];
        const double *v = body->moved ? body->solved : body->begin.velocity;
        for (int k = 0; k < 6; k++)
            rate += joint->rows.jacobian[l][side][k] * v[k];
    }
    return rate;
}

ksRowPlace ksiPlaceInBounds(const ksiJointState *joint, int l)
{
    double multiplier = joint->multiplier[l], largest = 0;
    for (int r = 0; r < joint->rows.count; r++)
        largest = fmax(largest, fabs(joint->multiplier[r]));
    if (multiplier <= joint->low[l] + atBoundTolerance * fmax(largest, fabs(joint->low[l])))
        return KS_AT_LOW;
    if (multiplier >= joint->high[l] - atBoundTolerance * fmax(largest, fabs(joint->high[l])))
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
    for (int k = 0; k < 6; k++) {
        if (joint->rows.jacobian[l][0][k] != 0 || joint->rows.jacobian[l][1][k] != 0)
            return false;
    }
    return true;
}

static void placeRow(ksInspector *inspector, ksiJointState *joint, int l)
{
    const ksiRows *rows = &joint->rows;
    ksRow *row = &inspector->row[joint->firstRow + (size_t)l];
    *row = (ksRow){
        .kind = rows->kind[l],
        .findex = rows->findex[l],
        .c = rows->c[l],
        .cfm = rows->cfm[l],
        .lo = rows->lo[l],
        .hi = rows->hi[l],
        .engine = joint->rank == rows->count ? joint->multiplier[l] : NAN,
        .gauss = NAN,
        .paulus = NAN,
        .physical = NAN,
        .errorBar = NAN,
    };
    memcpy(row->jacobian, rows->jacobian[l], sizeof row->jacobian);

    joint->low[l] = rows->lo[l];
    joint->high[l] = rows->hi[l];
    if (rows->findex[l] >= 0)
        ksiSetFrictionBound(inspector, joint, l, joint->multiplier[rows->findex[l]]);
    row->residual = rowRate(inspector, joint, l) + row->cfm * joint->multiplier[l] - row->c;
    row->place = joint->place[l] = joint->reported[l] = isEmpty(joint, l) ? KS_INACTIVE : ksiPlaceInBounds(joint, l);
    row->bound = ksiBoundInForce(joint, l, row->place);
}

void ksiPlaceRows(ksInspector *inspector)
{
    for (size_t i = 0; i < inspector->jointCount; i++) {
        ksiJointState *joint = &inspector->joint[i];
        for (int l = 0; joint->read && l < joint->rows.count; l++)
            placeRow(inspector, joint, l);
    }
}
