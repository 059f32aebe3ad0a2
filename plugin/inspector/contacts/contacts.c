/* contacts.c  Phase 11: checks the rows of contacts whose reported reactions are known loads of
 * mechanisms.
 *
 * If all other reported forces are fixed, the solution of row `l` alone is
 *
 *     lambda_l  <-  clamp(lambda_l - w_l / (A_ll + s_l)),      w = (J v* + cfm lambda - c) / h,
 *
 * with the row's compliance s_l. This solution equals the reported multiplier if `w` is
 * complementary to it. Each row of a contact is solved alone. The deviation of the contact is the
 * size of the wrench of all these changes. It does not show how the forces change if all contacts
 * are solved together; that change is far larger in a pile (estimate.c). */
#include "../phases.h"
#include "../publish/wrench.h"
#include "../publish/wrench_norm.h"
#include "../read/bound_state.h"

#include "../../base/vectorise.h"

#include <math.h>

/* a residual below this, relative to its terms, counts as zero: dWorldStep's direct solver leaves
 * 3e-11 */
static const double weakTolerance = 1e-8;

double ksiLoadAround(const ksiStep *step, int joint)
{
    double load = step->report[joint].load;
    KSI_EACH_BODY (step->joint[joint].bodyIndex, side, body)
        if (step->body[body].dynamic)
            load = ksiLarger(load, ksiLargestForce(step, body));
    return load;
}

/* v* of both bodies, in the order of a row's numbers. A body that is gone has its predicted
 * velocity, a body that does not move freely has its initial velocity. */
KSI_INLINE void findMotion(const ksiStep *step, const ksiJointInput *joint, ksiFour both[3])
{
    static const double rest[6];
    const double *velocity[2] = {rest, rest};
    KSI_EACH_BODY (joint->bodyIndex, side, body) {
        const ksiBodyMotion *motion = &step->motion[body];
        velocity[side] = motion->moved || !motion->found ? motion->undamped : step->body[body].begin.velocity;
    }
    ksiJoinSixes(velocity, both);
}

static bool isFrozen(const ksiStep *step, const ksiRow *row)
{
    return step->stepper == KS_WORLD_STEP && row->findex >= 0;
}

/* dWorldStep's friction bounds are mu times normal forces that it does not report. So a row that
 * brakes counts as being at its bound. Even with infinite mu, the bound of a row without force may
 * be 0. */
static void setBounds(const ksiStep *step, int joint, int l, ksiPlaces *places)
{
    const ksiRows *rows = &step->joint[joint].rows;
    const double *multiplier = step->report[joint].multiplier, lambda = fabs(multiplier[l]);
    if (!isFrozen(step, &rows->row[l]))
        return;
    const bool isUnbounded =
        isinf(rows->row[l].hi) && lambda > ksiBoundMargin(rows->count, rows->isSingle, multiplier, 0);
    places->high[l] = isUnbounded ? INFINITY : lambda;
    places->low[l] = -places->high[l];
}

/* Finds the row's place, and the multiplier that solves this row alone. load: the largest force
 * nearby */
KSI_INLINE double solveRow(const ksiStep *step, int index, int l, const ksiFour motion[3], double load,
                           ksiPlaces *places)
{
    const ksiJointInput *joint = &step->joint[index];
    const ksiRow *row = &joint->rows.row[l];
    const double lambda = step->report[index].multiplier[l],
                 diagonal = ksiDotTwelve(joint->scaled[l], joint->scaled[l]);
    if (places->place[l] == KS_INACTIVE || diagonal <= 0)
        return lambda;
    const double rate = ksiDotTwelve(row->jacobian[0], (const double *)motion), target = row->c - row->cfm * lambda;
    const double w = (rate - target) / step->h, terms = (fabs(rate) + fabs(target)) / step->h;
    const bool weak = fabs(w) <= weakTolerance * (terms + load * sqrt(diagonal));
    setBounds(step, index, l, places);
    const double low = places->low[l], high = places->high[l];
    const double free = lambda - w / (diagonal + row->cfm / step->h);
    places->place[l] = weak ? KS_INSIDE : free < low ? KS_AT_LOW : free > high ? KS_AT_HIGH : KS_INSIDE;
    return free < low ? low : free > high ? high : free;
}

KSI_CLONES
static void judge(const ksiStep *step, int index, ksiJointContact *contact, ksiPlaces *places)
{
    const ksiRows *rows = &step->joint[index].rows;
    const double load = ksiLoadAround(step, index);
    ksiDeviation determined;
    ksiFour motion[3];
    findMotion(step, &step->joint[index], motion);
    *places = step->reportPlaces[index];
    for (int l = 0; l < rows->count; l++)
        contact->alone[l] = solveRow(step, index, l, motion, load, places);
    ksiFindDeviation(step, index, &(ksiJointFree){0}, contact->alone, &contact->deviation, &determined);
}

/* The sticking friction rows of dWorldStep, whose bounds are unknown: bits. */
static unsigned frozenRows(const ksiStep *step, const ksiRows *rows, const ksiPlaces *places)
{
    unsigned frozen = 0;
    for (int l = 0; l < rows->count; l++)
        if (isFrozen(step, &rows->row[l]) && places->place[l] == KS_INSIDE && !isinf(rows->row[l].hi))
            frozen |= 1u << l;
    return frozen;
}

void ksiJudgeContacts(const ksiStep *step, ksiContacts *out)
{
    // the force bounds of another engine are unknown
    const bool isAsked = step->options.values & KS_COMPUTE_CONVERGED && !step->isForeign;
    for (size_t i = 0; i < step->jointCount; i++) {
        ksiJointContact *contact = &out->joint[i];
        *contact = (ksiJointContact){.previousOfPair = -1};
        if (!step->joint[i].isLoad || !step->report[i].isFinite)
            continue;
        contact->isJudged = isAsked && !ksiObstacles(step, (int)i);
        if (contact->isJudged)
            judge(step, (int)i, contact, &out->places[i]);
        contact->isFrozen =
            frozenRows(step, &step->joint[i].rows, contact->isJudged ? &out->places[i] : &step->reportPlaces[i]);
    }
}

size_t ksiListContacts(const ksiStep *step, int island, ksValue value, dJointID *list)
{
    size_t count = 0;
    for (size_t i = 0; island >= 0 && i < step->jointCount; i++) {
        const ksiJointInput *joint = &step->joint[i];
        bool touches = false;
        for (int side = 0; side < 2; side++)
            touches |= joint->bodyIndex[side] >= 0 && step->bodyMember[joint->bodyIndex[side]].island == island;
        const bool isContact = joint->type == dJointTypeContact;
        if ((joint->isLoad || (isContact && ksiIsPhysical(value))) && step->report[i].isWritten && touches)
            list[count++] = joint->id;
    }
    return count;
}
