/* verdict.c  What is to be believed of each joint, and the report of the step. */
#include "inspector_private.h"

#include "../vectorise.h"
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

static const ksWrench unknown = {{NAN, NAN, NAN}, {NAN, NAN, NAN}};

/* J^T lambda on both bodies; the world has no mass centre */
KSI_CLONES
static void reactionOf(const ksiJointState *joint, const double *multiplier, ksWrench wrench[2])
{
    ksiFour sum[3] = {{0}, {0}, {0}};
    for (int l = 0; l < joint->rows.count; l++)
        ksiAddTwelve(sum, multiplier[l], joint->rows.row[l].jacobian[0]);
    memcpy(wrench, sum, sizeof sum);
    if (!joint->body[1])
        wrench[1] = unknown;
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

/* A deviation relative to *load: the larger of both reactions and of `least`. */
static double relative(const ksiDeviation *other, double engine, double least, double *load)
{
    *load = ksiLarger(least, ksiLarger(other->size, engine));
    return other->apart > 0 ? other->apart / *load : 0;
}

/* ... of what is determined of the reactions; residue: what the engine's has beside the rows */
static double determinedError(const ksInspector *inspector, const ksiJointState *joint, const double *multiplier,
                              double least, double *load)
{
    double engine[12], theirs[12];
    ksiScaledReaction(joint, joint->multiplier, engine);
    ksiScaledReaction(joint, multiplier, theirs);
    ksiKeepDetermined(inspector, joint, engine);
    ksiKeepDetermined(inspector, joint, theirs);
    const double residue = joint->residue * joint->residue, size = sqrt(ksiDotTwelve(engine, engine) + residue);
    ksiDeviation determined = {.size = ksiSize(theirs, 12)};
    for (int k = 0; k < 12; k++)
        theirs[k] -= engine[k];
    determined.apart = sqrt(ksiDotTwelve(theirs, theirs) + residue);
    return relative(&determined, size, least, load);
}

/* bound of the size that the multipliers' bars may have */
static double barOf(const ksiJointState *joint)
{
    double sum = 0;
    for (int l = 0; l < joint->rows.count; l++)
        sum += joint->rows.row[l].errorBar * joint->rowSize[l];
    return sum;
}

static void compare(ksInspector *inspector, ksiJointState *joint)
{
    joint->error = joint->errorBar = joint->physicalError = NAN;
    if (!joint->finite || joint->island < 0)
        return;
    const ksInspectorOptions *options = &inspector->options;
    const ksiIsland *island = &inspector->island[joint->island];
    const bool determined = joint->freeCount < joint->rank, partly = determined && joint->freeCount;
    const double rounded = rounding(inspector, joint);
    const double engine = sqrt(joint->load * joint->load + joint->residue * joint->residue);
    // differences of rounding size stay below the tolerance, however small the loads
    const double least = ksiLarger(2 * rounded / options->tolerance, options->loadFloor * island->load);
    double load = 0;
    if (joint->hasConverged && determined) {
        joint->error = partly ? determinedError(inspector, joint, joint->converged, least, &load)
                              : relative(&joint->deviation, engine, least, &load);
        joint->errorBar = load > 0 ? (barOf(joint) + rounded) / load : 0;
        // beyond its bar the engine is off all the same
        if (!(joint->errorBar <= options->tolerance) && !(joint->error - joint->errorBar > options->tolerance))
            joint->reasons |= KS_REASON_PRECISION;
    }
    // The converged value has the engine's self-stress. So any difference is one of what is determined, be it only as a
    // sum over the joints that share a load.
    if (joint->hasConverged && joint->freeCount && !(joint->error > options->tolerance)) {
        const double shared = relative(&joint->deviation, engine, least, &load);
        if (shared > options->tolerance)
            joint->error = shared;
    }
    // the engine's own rounding in its first stage may have left other bounds
    if (joint->error > options->tolerance && joint->error * load <= island->boundNoise)
        joint->reasons |= KS_REASON_FRICTION;
    if (joint->hasPhysical && determined)
        joint->physicalError = partly ? determinedError(inspector, joint, joint->physical, least, &load)
                                      : relative(&joint->physicalDeviation, engine, least, &load);
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
    if (joint->soft)
        joint->reasons |= KS_REASON_SOFT;
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
    reaction->body[side] = joint->body[side];
    reaction->netErrorEstimate[side] = NAN;
    if (joint->bodyIndex[side] < 0) {
        memset(reaction->centre[side], 0, sizeof reaction->centre[side]);
        memset(reaction->rotation[side], 0, sizeof reaction->rotation[side]);
        return;
    }
    const ksiBodyState *body = &inspector->body[joint->bodyIndex[side]];
    if (body->estimated)
        reaction->netErrorEstimate[side] = ksiNetErrorEstimate(inspector, body);
    memcpy(reaction->centre[side], body->begin.centre, sizeof body->begin.centre);
    memcpy(reaction->rotation[side], body->begin.rotation, sizeof body->begin.rotation);
}

static void fillWrenches(const ksiJointState *joint, ksReaction *reaction)
{
    for (int side = 0; side < 2; side++) {
        if (joint->solved && joint->bodyIndex[side] >= 0) {
            const dJointFeedback *from = &joint->feedback;
            memcpy(reaction->engine[side].force, side ? from->f2 : from->f1, 3 * sizeof(dReal));
            memcpy(reaction->engine[side].torque, side ? from->t2 : from->t1, 3 * sizeof(dReal));
        } else {
            reaction->engine[side] = unknown;
        }
    }
    if (joint->hasConverged)
        reactionOf(joint, joint->converged, reaction->converged);
    else
        reaction->converged[0] = reaction->converged[1] = unknown;
    if (joint->hasPhysical)
        reactionOf(joint, joint->physical, reaction->physical);
    else
        reaction->physical[0] = reaction->physical[1] = unknown;
}

/* Those that the last reaction in this place leaves free are cleared. */
static void fillFree(const ksInspector *inspector, const ksiJointState *joint, ksReaction *reaction)
{
    for (int f = 0; f < joint->freeCount; f++)
        freeWrench(inspector, joint, f, &reaction->freeDirection[f]);
    for (int f = joint->freeCount; f < reaction->freeCount; f++)
        reaction->freeDirection[f] = (ksWrench){{0}, {0}};
    reaction->freeCount = joint->freeCount;
}

/* Writes every field but those that are zero from the start. */
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
    reaction->row = joint->read ? joint->rows.row : NULL;
    reaction->error = joint->error;
    reaction->errorBar = joint->errorBar;
    reaction->physicalSource = joint->hasPhysical ? joint->physicalSource : KS_FROM_NOWHERE;
    reaction->physicalError = joint->physicalError;
    fillWrenches(joint, reaction);
    fillFree(inspector, joint, reaction);
    for (int side = 0; side < 2; side++)
        describeSide(inspector, joint, side, reaction);
    reaction->work = joint->solved ? joint->work : 0;
    memcpy(reaction->axes, frame->axes, sizeof reaction->axes);
    memcpy(reaction->anchor, frame->anchor, sizeof reaction->anchor);
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
        if (!inspector->body[i].estimated)
            continue;
        report->estimatedBodyCount++;
        const double estimate = ksiNetErrorEstimate(inspector, &inspector->body[i]);
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
