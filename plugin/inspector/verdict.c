/* verdict.c  What is to be believed of each joint, and the report of the step. */
#include "inspector_private.h"

#include "wrench.h"

#include <math.h>
#include <string.h>

enum {
    bodyReasons = KS_REASON_REPORT | KS_REASON_MOTION | KS_REASON_SPEED_CAP | KS_REASON_RESET | KS_REASON_NOT_FINITE |
                  KS_REASON_MASS | KS_REASON_UNREADABLE,
    unsolvableReasons = KS_REASON_NOT_FINITE | KS_REASON_UNREADABLE,
    uncheckedReasons = KS_REASON_BOUND | KS_REASON_FRICTION | KS_REASON_BUDGET | KS_REASON_MASS | KS_REASON_MEMORY |
                       KS_REASON_PRECISION | KS_REASON_NOT_ASKED | unsolvableReasons,
    unexplainedReasons = KS_REASON_REPORT | KS_REASON_MOTION
};

static void unknownWrench(ksWrench wrench[2])
{
    for (int side = 0; side < 2; side++)
        wrench[side] = (ksWrench){{NAN, NAN, NAN}, {NAN, NAN, NAN}};
}

/* J^T lambda on both bodies; the world has no mass centre */
static void reactionOf(const ksiJointState *joint, const double *multiplier, ksWrench wrench[2])
{
    for (int side = 0; side < 2; side++) {
        double sum[6] = {0};
        for (int l = 0; l < joint->rows.count; l++) {
            for (int k = 0; k < 6; k++)
                sum[k] += multiplier[l] * joint->rows.jacobian[l][side][k];
        }
        for (int k = 0; k < 3; k++) {
            wrench[side].force[k] = joint->body[side] ? sum[k] : NAN;
            wrench[side].torque[k] = joint->body[side] ? sum[3 + k] : NAN;
        }
    }
}

/* of forces that change velocities: a few units of rounding of these, over h */
static double rounding(const ksInspector *inspector, const ksiJointState *joint)
{
    double sum = 0;
    for (int side = 0; side < 2; side++) {
        if (joint->bodyIndex[side] >= 0 && inspector->body[joint->bodyIndex[side]].moved)
            sum += inspector->body[joint->bodyIndex[side]].rounding;
    }
    return sum;
}

/* |engine - other| over the determined part, relative to *load: the larger of both and of the floor */
static double relativeError(const ksInspector *inspector, const ksiJointState *joint, const double *other, double *load)
{
    double scaled[12] = {0}, theirs[12], wrench[6];
    for (int side = 0; side < 2; side++) {
        if (joint->bodyIndex[side] < 0)
            continue;
        ksiReportedWrench(joint, side, wrench);
        ksiScaleWrench(&inspector->body[joint->bodyIndex[side]], wrench, &scaled[6 * side]);
    }
    ksiScaledReaction(joint, other, theirs);
    ksiKeepDetermined(joint, scaled);
    ksiKeepDetermined(joint, theirs);
    *load = fmax(ksiSize(scaled, 12), ksiSize(theirs, 12));
    *load = fmax(*load, inspector->options.loadFloor * inspector->island[joint->island].load);
    // differences of rounding size stay below the tolerance, however small the loads
    *load = fmax(*load, 2 * rounding(inspector, joint) / inspector->options.tolerance);
    for (int k = 0; k < 12; k++)
        scaled[k] -= theirs[k];
    double size = ksiSize(scaled, 12);
    return size > 0 ? size / *load : 0;
}

/* bound of the size that the multipliers' bars may have */
static double barOf(const ksInspector *inspector, const ksiJointState *joint)
{
    double sum = 0;
    for (int l = 0; l < joint->rows.count; l++)
        sum += inspector->row[joint->firstRow + (size_t)l].errorBar * ksiSize(joint->scaled[l], 12);
    return sum;
}

static void compare(ksInspector *inspector, ksiJointState *joint)
{
    joint->error = joint->errorBar = joint->physicalError = NAN;
    bool determined = joint->finite && joint->freeCount < joint->rank;
    double load;
    if (joint->hasConverged && determined) {
        joint->error = relativeError(inspector, joint, joint->converged, &load);
        joint->errorBar = load > 0 ? (barOf(inspector, joint) + rounding(inspector, joint)) / load : 0;
        // another split of the first stage would have left other bounds
        if (joint->error > inspector->options.tolerance && inspector->island[joint->island].frozen)
            joint->reasons |= KS_REASON_FRICTION;
        if (!(joint->errorBar <= inspector->options.tolerance))
            joint->reasons |= KS_REASON_PRECISION;
    }
    if (joint->hasPhysical && determined)
        joint->physicalError = relativeError(inspector, joint, joint->physical, &load);
}

static void collectReasons(ksInspector *inspector, ksiJointState *joint)
{
    for (int side = 0; side < 2; side++) {
        if (joint->bodyIndex[side] >= 0)
            joint->reasons |= inspector->body[joint->bodyIndex[side]].reasons & bodyReasons;
    }
    if (joint->island < 0)
        return;
    const ksiIsland *island = &inspector->island[joint->island];
    joint->reasons |= island->reasons | island->caught;
    if (joint->finite && joint->residue > inspector->options.momentumTolerance * island->load)
        joint->reasons |= KS_REASON_REPORT;
    if (joint->finite && joint->rank < joint->rows.count)
        joint->reasons |= KS_REASON_OWN_RANK;
    for (int l = 0; l < joint->rows.count; l++) {
        if (joint->rows.kind[l] == KS_ROW_BILATERAL && joint->rows.cfm[l] > inspector->options.rigidCfm)
            joint->reasons |= KS_REASON_SOFT;
    }
}

static ksVerdict judge(const ksInspector *inspector, const ksiJointState *joint)
{
    if (!joint->solved || (joint->finite && joint->rank == 0))
        return joint->reasons & unsolvableReasons ? KS_UNCHECKED : KS_NOT_SOLVED;
    if (joint->reasons & uncheckedReasons || !joint->hasConverged)
        return KS_UNCHECKED;
    if (joint->reasons & unexplainedReasons)
        return KS_UNEXPLAINED;
    if (joint->error > inspector->options.tolerance)
        return KS_SOLVER_ERROR;
    return joint->freeCount ? KS_INDETERMINATE : KS_VALID;
}

static void freeWrench(const ksiJointState *joint, int f, ksWrench *direction)
{
    ksWrench both[2];
    reactionOf(joint, joint->freeMultiplier[f], both);
    ksiNormaliseWrench(&both[0]);
    *direction = both[0];
}

static void describe(const ksInspector *inspector, const ksiJointState *joint, ksReaction *reaction)
{
    *reaction = (ksReaction){
        .joint = joint->id,
        .type = joint->type,
        .body = {joint->body[0], joint->body[1]},
        .reversed = joint->reversed,
        .step = inspector->report.step,
        .time = inspector->report.time,
        .verdict = joint->verdict,
        .reasons = joint->reasons,
        .rowCount = joint->rows.count,
        .row = joint->read ? &inspector->row[joint->firstRow] : NULL,
        .freeCount = joint->freeCount,
        .error = joint->error,
        .errorBar = joint->errorBar,
        .physicalSource = joint->hasPhysical ? joint->physicalSource : KS_FROM_NOWHERE,
        .physicalError = joint->physicalError,
        .netErrorEstimate = {NAN, NAN},
    };
    unknownWrench(reaction->engine);
    unknownWrench(reaction->converged);
    unknownWrench(reaction->physical);
    for (int side = 0; side < 2; side++) {
        if (joint->bodyIndex[side] < 0)
            continue;
        const ksiBody *body = &inspector->body[joint->bodyIndex[side]].begin;
        reaction->netErrorEstimate[side] = ksiNetErrorEstimate(inspector, &inspector->body[joint->bodyIndex[side]]);
        memcpy(reaction->centre[side], body->centre, sizeof body->centre);
        memcpy(reaction->rotation[side], body->rotation, sizeof body->rotation);
        if (joint->solved) {
            double wrench[6];
            ksiReportedWrench(joint, side, wrench);
            memcpy(reaction->engine[side].force, wrench, sizeof reaction->engine[side].force);
            memcpy(reaction->engine[side].torque, wrench + 3, sizeof reaction->engine[side].torque);
        }
    }
    for (int l = 0; joint->solved && l < joint->rows.count; l++)
        reaction->work += reaction->row[l].work;
    if (joint->hasConverged)
        reactionOf(joint, joint->converged, reaction->converged);
    if (joint->hasPhysical)
        reactionOf(joint, joint->physical, reaction->physical);
    for (int f = 0; f < joint->freeCount; f++)
        freeWrench(joint, f, &reaction->freeDirection[f]);
    memcpy(reaction->axes, joint->frame.axes, sizeof reaction->axes);
    memcpy(reaction->anchor, joint->frame.anchor, sizeof reaction->anchor);
}

static void sumUp(ksInspector *inspector)
{
    ksStepReport *report = &inspector->report;
    report->reactionCount = inspector->reactionCount;
    report->islandCount = inspector->islandCount;
    for (size_t i = 0; i < inspector->islandCount; i++) {
        report->rowCount += (size_t)inspector->island[i].rowCount;
        report->rank += inspector->island[i].rank;
    }
    for (size_t i = 0; i < inspector->bodyCount; i++) {
        double estimate = ksiNetErrorEstimate(inspector, &inspector->body[i]);
        report->estimatedBodyCount += inspector->body[i].estimated;
        if (estimate > report->worstEstimate) {
            report->worstEstimate = estimate;
            report->worstBody = inspector->body[i].begin.id;
        }
    }
    for (size_t i = 0; i < inspector->jointCount; i++) {
        const ksiJointState *joint = &inspector->joint[i];
        report->verdictCount[joint->verdict]++;
        if (joint->error > report->worstError) {
            report->worstError = joint->error;
            report->worstJoint = joint->id;
        }
    }
}

void ksiJudge(ksInspector *inspector)
{
    for (size_t i = 0; i < inspector->jointCount; i++) {
        ksiJointState *joint = &inspector->joint[i];
        collectReasons(inspector, joint);
        compare(inspector, joint);
        joint->verdict = judge(inspector, joint);
        describe(inspector, joint, &inspector->reaction[i]);
    }
    inspector->reactionCount = inspector->jointCount;
    sumUp(inspector);
}
