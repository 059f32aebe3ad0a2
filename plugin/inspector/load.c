/* load.c  Contacts whose reported reactions are known loads of the mechanisms that they touch: are their own rows solved?
 *
 * Given all other reported forces, the solution of one row alone is
 *
 *     lambda_l  <-  clamp(lambda_l - w_l / (A_ll + s_l)),      w = (J v* + cfm lambda - c) / h,
 *
 * and it has its reported multiplier where w is complementary to that. What the rows of a contact would move together, each
 * from the report, is its deviation. It says nothing of what all of them together would move, which is far more in a pile (estimate.c). */
#include "inspector_private.h"

#include "../base/vectorise.h"

#include <math.h>

/* of a residual that is none, relative to its terms: dWorldStep's direct solver leaves 3e-11 */
static const double weakTolerance = 1e-8;

double ksiLoadAround(const ksInspector *inspector, const ksiJointState *joint)
{
    double load = joint->load;
    for (int side = 0; side < 2; side++) {
        const ksiBodyState *body = joint->bodyIndex[side] < 0 ? NULL : &inspector->body[joint->bodyIndex[side]];
        if (body && body->dynamic)
            load = ksiLarger(load, ksiHeaviest(body));
    }
    return load;
}

/* v* of both bodies, as a row has its numbers; of one that is gone as predicted, of what does not move freely as at the start. */
KSI_INLINE void findMotion(const ksInspector *inspector, const ksiJointState *joint, ksiFour both[3])
{
    static const double rest[6];
    const double *velocity[2] = {rest, rest};
    for (int side = 0; side < 2; side++) {
        const ksiBodyState *body = joint->bodyIndex[side] < 0 ? NULL : &inspector->body[joint->bodyIndex[side]];
        if (body)
            velocity[side] = body->moved || !body->found ? body->solved : body->begin.velocity;
    }
    ksiJoinSixes(velocity, both);
}

static bool isFrozen(const ksInspector *inspector, const ksRow *row)
{
    return inspector->stepper == KS_WORLD_STEP && row->findex >= 0;
}

/* dWorldStep's friction bounds are mu times normal forces that it does not report: a row that brakes is at its bound, and one
 * without a force, be mu infinite, may have the bound 0. */
static void setBounds(const ksInspector *inspector, ksiJointState *joint, int l)
{
    const ksRow *row = &joint->rows.row[l];
    const double lambda = fabs(joint->multiplier[l]);
    ksiSetReportedBounds(inspector, joint, l);
    if (!isFrozen(inspector, row))
        return;
    joint->high[l] = isinf(row->hi) && lambda > ksiBoundMargin(joint, 0) ? INFINITY : lambda;
    joint->low[l] = -joint->high[l];
}

/* Its place, and its multiplier given all others. load: the largest around */
KSI_INLINE double solveRow(const ksInspector *inspector, ksiJointState *joint, int l, const ksiFour motion[3],
                           double load)
{
    ksRow *row = &joint->rows.row[l];
    const double lambda = joint->multiplier[l], diagonal = ksiDotTwelve(joint->scaled[l], joint->scaled[l]);
    if (joint->place[l] == KS_INACTIVE || diagonal <= 0)
        return lambda;
    const double rate = ksiDotTwelve(row->jacobian[0], (const double *)motion), target = row->c - row->cfm * lambda;
    const double w = (rate - target) / inspector->h, terms = (fabs(rate) + fabs(target)) / inspector->h;
    const bool weak = fabs(w) <= weakTolerance * (terms + load * sqrt(diagonal));
    setBounds(inspector, joint, l);
    const double low = joint->low[l], high = joint->high[l];
    const double free = lambda - w / (diagonal + row->cfm / inspector->h);
    row->place = joint->place[l] = weak ? KS_INSIDE : free < low ? KS_AT_LOW : free > high ? KS_AT_HIGH : KS_INSIDE;
    row->bound = ksiBoundInForce(joint, l, row->place);
    if (isFrozen(inspector, row) && row->place == KS_INSIDE && !isinf(row->hi))
        row->bound = NAN;
    return free < low ? low : free > high ? high : free;
}

KSI_CLONES
static void judge(const ksInspector *inspector, ksiJointState *joint)
{
    const double load = ksiLoadAround(inspector, joint);
    double solved[KSI_MAX_ROWS];
    ksiFour motion[3];
    findMotion(inspector, joint, motion);
    for (int l = 0; l < joint->rows.count; l++)
        solved[l] = solveRow(inspector, joint, l, motion, load);
    ksiFindDeviation(inspector, joint, solved, &joint->deviation, &joint->determined);
}

size_t ksiListLoads(const ksInspector *inspector, int island, ksValue value)
{
    size_t count = 0;
    for (size_t i = 0; island >= 0 && i < inspector->jointCount; i++) {
        const ksiJointState *joint = &inspector->joint[i];
        bool touches = false;
        for (int side = 0; side < 2; side++)
            touches |= joint->bodyIndex[side] >= 0 && inspector->body[joint->bodyIndex[side]].island == island;
        const bool isContact = joint->type == dJointTypeContact;
        if ((joint->isLoad || (isContact && value == KS_PHYSICAL)) && joint->solved && touches)
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
        joint->physicalSource = KS_FROM_GEOMETRY;
        if (joint->hasConverged)
            judge(inspector, joint);
    }
    return values & KS_COMPUTE_CONVERGED ? ksiFindSharing(inspector) : KS_OK;
}
