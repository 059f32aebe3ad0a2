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

/* |engine - other|, relative to *load: the larger of both and of the floor. determined: over that part only */
static double relativeError(const ksInspector *inspector, const ksiJointState *joint, const double *other,
                            bool determined, double *load)
{
    double scaled[12] = {0}, theirs[12], wrench[6];
    for (int side = 0; side < 2; side++) {
        if (joint->bodyIndex[side] < 0)
            continue;
        ksiReportedWrench(joint, side, wrench);
        ksiScaleWrench(&inspector->body[joint->bodyIndex[side]], wrench, &scaled[6 * side]);
    }
    ksiScaledReaction(joint, other, theirs);
    if (determined) {
        ksiKeepDetermined(inspector, joint, scaled);
        ksiKeepDetermined(inspector, joint, theirs);
    }
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

/* The converged value has the engine's self-stress. So any difference is one of what is determined, be it only as a sum
 * over the joints that share a load. */
static double sharedError(const ksInspector *inspector, const ksiJointState *joint, double *load)
{
    double error = relativeError(inspector, joint, joint->converged, false, load);
    return error > inspector->options.tolerance ? error : NAN;
}

static void compare(ksInspector *inspector, ksiJointState *joint)
{
    joint->error = joint->errorBar = joint->physicalError = NAN;
    if (!joint->finite)
        return;
    bool determined = joint->freeCount < joint->rank;
    double load;
    if (joint->hasConverged && determined) {
        joint->error = relativeError(inspector, joint, joint->converged, true, &load);
        joint->errorBar = load > 0 ? (barOf(inspector, joint) + rounding(inspector, joint)) / load : 0;
        if (!(joint->errorBar <= inspector->options.tolerance))
            joint->reasons |= KS_REASON_PRECISION;
    }
    if (joint->hasConverged && joint->freeCount && !(joint->error > inspector->options.tolerance))
        joint->error = fmax(joint->error, sharedError(inspector, joint, &load));
    // the engine's own rounding in its first stage may have left other bounds
    if (joint->error > inspector->options.tolerance &&
        joint->error * load <= inspector->island[joint->island].boundNoise)
        joint->reasons |= KS_REASON_FRICTION;
    if (joint->hasPhysical && determined)
        joint->physicalError = relativeError(inspector, joint, joint->physical, true, &load);
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

static void freeWrench(const ksInspector *inspector, const ksiJointState *joint, int f, ksWrench *direction)
{
    ksWrench both[2];
    reactionOf(joint, inspector->freeWrench[joint->firstFree + f].multiplier, both);
    ksiNormaliseWrench(&both[0]);
    *direction = both[0];
}

static void describeSide(const ksInspector *inspector, const ksiJointState *joint, int side, ksReaction *reaction)
{
    reaction->netErrorEstimate[side] = NAN;
    if (joint->bodyIndex[side] < 0) {
        memset(reaction->centre[side], 0, sizeof reaction->centre[side]);
        memset(reaction->rotation[side], 0, sizeof reaction->rotation[side]);
        return;
    }
    const ksiBodyState *body = &inspector->body[joint->bodyIndex[side]];
    reaction->netErrorEstimate[side] = ksiNetErrorEstimate(inspector, body);
    memcpy(reaction->centre[side], body->begin.centre, sizeof body->begin.centre);
    memcpy(reaction->rotation[side], body->begin.rotation, sizeof body->begin.rotation);
    if (!joint->solved)
        return;
    double wrench[6];
    ksiReportedWrench(joint, side, wrench);
    memcpy(reaction->engine[side].force, wrench, sizeof reaction->engine[side].force);
    memcpy(reaction->engine[side].torque, wrench + 3, sizeof reaction->engine[side].torque);
}

/* Writes every field. */
static void describe(const ksInspector *inspector, const ksiJointState *joint, ksReaction *reaction)
{
    static const ksiFrame none;
    const ksiFrame *frame = joint->read ? &joint->frame : &none;
    reaction->joint = joint->id;
    reaction->type = joint->type;
    reaction->reversed = joint->reversed;
    reaction->step = inspector->report.step;
    reaction->time = inspector->report.time;
    reaction->verdict = joint->verdict;
    reaction->reasons = joint->reasons;
    reaction->rowCount = joint->rows.count;
    reaction->row = joint->read ? &inspector->row[joint->firstRow] : NULL;
    reaction->freeCount = joint->freeCount;
    reaction->error = joint->error;
    reaction->errorBar = joint->errorBar;
    reaction->physicalSource = joint->hasPhysical ? joint->physicalSource : KS_FROM_NOWHERE;
    reaction->physicalError = joint->physicalError;
    unknownWrench(reaction->engine);
    unknownWrench(reaction->converged);
    unknownWrench(reaction->physical);
    for (int side = 0; side < 2; side++) {
        reaction->body[side] = joint->body[side];
        describeSide(inspector, joint, side, reaction);
    }
    reaction->work = 0;
    for (int l = 0; joint->solved && l < joint->rows.count; l++)
        reaction->work += reaction->row[l].work;
    if (joint->hasConverged)
        reactionOf(joint, joint->converged, reaction->converged);
    if (joint->hasPhysical)
        reactionOf(joint, joint->physical, reaction->physical);
    memset(reaction->freeDirection, 0, sizeof reaction->freeDirection);
    for (int f = 0; f < joint->freeCount; f++)
        freeWrench(inspector, joint, f, &reaction->freeDirection[f]);
    memcpy(reaction->axes, frame->axes, sizeof reaction->axes);
    memcpy(reaction->anchor, frame->anchor, sizeof reaction->anchor);
    memset(reaction->reserved, 0, sizeof reaction->reserved);
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
