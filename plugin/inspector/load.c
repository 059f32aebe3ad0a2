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

/* v* of both bodies, as a row has its numbers; of what does not move freely, its velocity at the start. */
KSI_INLINE void findMotion(const ksInspector *inspector, const ksiJointState *joint, ksiFour both[3])
{
    static const double rest[6];
    const double *velocity[2] = {rest, rest};
    for (int side = 0; side < 2; side++) {
        const ksiBodyState *body = joint->bodyIndex[side] < 0 ? NULL : &inspector->body[joint->bodyIndex[side]];
        if (body)
            velocity[side] = body->moved ? body->solved : body->begin.velocity;
    }
    ksiJoinSixes(velocity, both);
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
KSI_INLINE double judgeRow(const ksInspector *inspector, ksiJointState *joint, int l, const ksiFour motion[3])
{
    ksRow *row = &joint->rows.row[l];
    const double lambda = joint->multiplier[l], diagonal = ksiDotTwelve(joint->scaled[l], joint->scaled[l]);
    if (joint->place[l] == KS_INACTIVE || diagonal <= 0)
        return 0;
    const double rate = ksiDotTwelve(row->jacobian[0], (const double *)motion);
    setBounds(inspector, joint, l);
    const double low = joint->low[l], high = joint->high[l];
    const double free = lambda - (rate + row->cfm * lambda - row->c) / (inspector->h * diagonal + row->cfm);
    row->place = joint->place[l] = free < low ? KS_AT_LOW : free > high ? KS_AT_HIGH : KS_INSIDE;
    row->bound = ksiBoundInForce(joint, l, row->place);
    return (free < low ? low : free > high ? high : free) - lambda;
}

KSI_CLONES
static void judge(const ksInspector *inspector, ksiJointState *joint)
{
    ksiFour motion[3], apart[3] = {{0}, {0}, {0}};
    findMotion(inspector, joint, motion);
    for (int l = 0; l < joint->rows.count; l++)
        ksiAddTwelve(apart, judgeRow(inspector, joint, l, motion), joint->scaled[l]);
    const double *sum = (const double *)apart;
    joint->deviation = (ksiDeviation){.size = joint->load, .apart = sqrt(ksiDotTwelve(sum, sum)) + joint->residue};
}

size_t ksiListLoads(const ksInspector *inspector, int island)
{
    size_t count = 0;
    for (size_t i = 0; inspector->anyLoad && island >= 0 && i < inspector->jointCount; i++) {
        const ksiJointState *joint = &inspector->joint[i];
        bool touches = false;
        for (int side = 0; side < 2; side++)
            touches |= joint->bodyIndex[side] >= 0 && inspector->body[joint->bodyIndex[side]].island == island;
        if (joint->isLoad && joint->solved && touches)
            inspector->loadJoint[count++] = joint->id;
    }
    return count;
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
