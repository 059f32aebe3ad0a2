/* load.c  Contacts whose reported reactions are known loads of the mechanisms that they touch: are their own rows solved?
 *
 * Given all other reported forces, the solution of one row alone is
 *
 *     lambda_l  <-  clamp(lambda_l - w_l / (A_ll + s_l)),      w = (J v* + cfm lambda - c) / h,
 *
 * and it has its reported multiplier where w is complementary to that. What one row after another would move is the contact's
 * deviation. It says nothing of what all of them together would move, which is far more in a pile (estimate.c). */
#include "inspector_private.h"

#include "../vectorise.h"

#include <math.h>
#include <string.h>

/* J v* + cfm lambda - c */
static double residual(const ksInspector *inspector, const ksiJointState *joint, int l)
{
    const ksRow *row = &joint->rows.row[l];
    double r = row->cfm * joint->multiplier[l] - row->c;
    for (int side = 0; side < 2; side++) {
        const ksiBodyState *body = joint->bodyIndex[side] < 0 ? NULL : &inspector->body[joint->bodyIndex[side]];
        if (body)
            r += ksiDotSix(row->jacobian[side], body->moved ? body->solved : body->begin.velocity);
    }
    return r;
}

/* dWorldStep's friction bounds are mu times normal forces that it does not report: a row that brakes is at its bound, and one
 * without a force, be mu infinite, may have the bound 0. */
static void setBounds(const ksInspector *inspector, ksiJointState *joint, int l)
{
    const ksRow *row = &joint->rows.row[l];
    const double lambda = fabs(joint->multiplier[l]);
    ksiSetReportedBounds(inspector, joint, l);
    if (inspector->stepper != KS_WORLD_STEP || row->findex < 0)
        return;
    joint->high[l] = isinf(row->hi) && lambda > ksiBoundMargin(joint, 0) ? INFINITY : lambda;
    joint->low[l] = -joint->high[l];
}

/* Its place, and by how much it is off. */
static double judgeRow(const ksInspector *inspector, ksiJointState *joint, int l)
{
    ksRow *row = &joint->rows.row[l];
    const double lambda = joint->multiplier[l], diagonal = ksiDotTwelve(joint->scaled[l], joint->scaled[l]);
    if (joint->place[l] == KS_INACTIVE || diagonal <= 0)
        return 0;
    const double w = residual(inspector, joint, l) / inspector->h;
    setBounds(inspector, joint, l);
    const double free = lambda - w / (diagonal + row->cfm / inspector->h);
    const double solved = fmin(fmax(free, joint->low[l]), joint->high[l]);
    row->place = free < joint->low[l] ? KS_AT_LOW : free > joint->high[l] ? KS_AT_HIGH : KS_INSIDE;
    row->bound = ksiBoundInForce(joint, l, row->place);
    joint->place[l] = row->place;
    return solved - lambda;
}

static void judge(const ksInspector *inspector, ksiJointState *joint)
{
    ksiFour apart[3] = {{0}, {0}, {0}};
    for (int l = 0; l < joint->rows.count; l++)
        ksiAddTwelve(apart, judgeRow(inspector, joint, l), joint->scaled[l]);
    const double *sum = (const double *)apart;
    joint->deviation = (ksiDeviation){.size = joint->load, .apart = ksiSize(sum, 12) + joint->residue};
}

ksStatus ksiJudgeLoads(ksInspector *inspector)
{
    const unsigned values = inspector->options.values;
    for (size_t i = 0; inspector->anyLoad && i < inspector->jointCount; i++) {
        ksiJointState *joint = &inspector->joint[i];
        if (!joint->isLoad || !joint->finite)
            continue;
        joint->hasConverged = values & KS_COMPUTE_CONVERGED && !ksiObstacles(inspector, joint);
        joint->hasPhysical = values & KS_COMPUTE_PHYSICAL;
        if (joint->hasConverged)
            judge(inspector, joint);
    }
    return inspector->anyLoad && values & KS_COMPUTE_CONVERGED ? ksiFindSharing(inspector) : KS_OK;
}
