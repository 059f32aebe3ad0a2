/* verdict.c  What is to be believed of each joint, and the report of the step. */
#include "inspector_private.h"

#include "../base/vectorise.h"

#include <math.h>

enum {
    bodyReasons = KS_REASON_REPORT | KS_REASON_MOTION | KS_REASON_SPEED_CAP | KS_REASON_RESET | KS_REASON_NOT_FINITE |
                  KS_REASON_MASS | KS_REASON_UNREADABLE,
    unsolvableReasons = KS_REASON_NOT_FINITE | KS_REASON_UNREADABLE,
    uncheckedReasons = KS_REASON_BOUND | KS_REASON_FRICTION | KS_REASON_BUDGET | KS_REASON_MASS | KS_REASON_MEMORY |
                       KS_REASON_PRECISION | KS_REASON_NOT_ASKED | KS_REASON_RELAXED | unsolvableReasons,
    unexplainedReasons = KS_REASON_REPORT | KS_REASON_MOTION
};

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

/* The least load that is told from none: of its rounding, and of what the rounding of poses makes the engine correct, only a
 * share of the tolerance is left. */
static double leastLoad(const ksInspector *inspector, const ksiJointState *joint, double load)
{
    double noise = rounding(inspector, joint);
    for (int side = 0; side < 2; side++) {
        if (joint->bodyIndex[side] >= 0 && inspector->body[joint->bodyIndex[side]].moved)
            noise += inspector->body[joint->bodyIndex[side]].grain;
    }
    const ksInspectorOptions *options = &inspector->options;
    return ksiLarger(2 * noise / options->tolerance, options->loadFloor * load);
}

/* A deviation relative to *load: the larger of both reactions and of `least`. */
static double relative(const ksiDeviation *other, double engine, double least, double *load)
{
    *load = ksiLarger(least, ksiLarger(other->size, engine));
    return other->apart > 0 ? other->apart / *load : 0;
}

/* bound of the size that the multipliers' bars may have */
static double barOf(const ksiJointState *joint)
{
    double sum = 0;
    for (int l = 0; l < joint->rows.count; l++)
        sum += joint->bar[l] * joint->rowSize[l];
    return sum;
}

static void compare(ksInspector *inspector, ksiJointState *joint)
{
    joint->error = joint->errorBar = joint->physicalError = joint->physicalErrorBar = NAN;
    if (!joint->finite || joint->island < 0 || !(joint->hasConverged || joint->hasPhysical))
        return;
    const ksInspectorOptions *options = &inspector->options;
    const ksiIsland *island = &inspector->island[joint->island];
    const bool determined = joint->freeCount < joint->rank, partly = determined && joint->freeCount;
    const double rounded = rounding(inspector, joint);
    const double engine = sqrt(joint->load * joint->load + joint->residue * joint->residue);
    const double least = leastLoad(inspector, joint, island->load);
    double load = 0;
    if (joint->hasConverged && determined) {
        joint->error = relative(partly ? &joint->determined : &joint->deviation, partly ? 0 : engine, least, &load);
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
    if (joint->hasPhysical && determined) {
        joint->physicalError = relative(partly ? &joint->physicalDetermined : &joint->physicalDeviation,
                                        partly ? 0 : engine, least, &load);
        joint->physicalErrorBar = load > 0 ? joint->physicalBarSize / load : 0;
    }
}

static void compareLoad(const ksInspector *inspector, ksiJointState *joint)
{
    const double least = leastLoad(inspector, joint, ksiLoadAround(inspector, joint));
    double load;
    joint->error = joint->errorBar = joint->physicalError = joint->physicalErrorBar = NAN;
    if (joint->hasConverged)
        joint->error = relative(&joint->deviation, hypot(joint->load, joint->residue), least, &load);
    if (joint->hasPhysical)
        joint->physicalError = 0;
}

static void collectReasons(ksInspector *inspector, ksiJointState *joint)
{
    for (int side = 0; side < 2; side++) {
        if (joint->bodyIndex[side] >= 0)
            joint->reasons |= inspector->body[joint->bodyIndex[side]].reasons & bodyReasons;
    }
    if (inspector->isPool && joint->solved)
        joint->reasons |= KS_REASON_THREADS;
    if (joint->isLoad && joint->solved)
        joint->reasons |= KS_REASON_REPORTED_LOADS;
    if (joint->isLoad && joint->solved && !(inspector->options.values & KS_COMPUTE_CONVERGED))
        joint->reasons |= KS_REASON_NOT_ASKED;
    const double load = joint->island < 0 ? ksiLoadAround(inspector, joint) : inspector->island[joint->island].load;
    if (joint->finite && joint->residue > inspector->options.momentumTolerance * load)
        joint->reasons |= KS_REASON_REPORT;
    if (joint->finite && joint->rank < joint->rows.count)
        joint->reasons |= KS_REASON_OWN_RANK;
    if (joint->island < 0)
        return;
    const ksiIsland *island = &inspector->island[joint->island];
    joint->reasons |= island->reasons | island->caught | (island->loaded ? KS_REASON_REPORTED_LOADS : 0u);
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
    const bool shared = joint->freeCount || (joint->isLoad && joint->reasons & KS_REASON_REDUNDANT);
    return shared ? KS_INDETERMINATE : KS_VALID;
}

static void sumUpIslands(ksInspector *inspector)
{
    ksStepReport *report = &inspector->report;
    report->islandCount = inspector->islandCount;
    for (size_t i = 0; i < inspector->islandCount; i++) {
        const ksiIsland *island = &inspector->island[i];
        report->rowCount += (size_t)island->rowCount;
        report->rank += island->rank;
    }
    for (size_t i = 0; i < inspector->bodyCount; i++) {
        ksiBodyState *body = &inspector->body[i];
        if (body->netError < 0)
            continue;
        ksiRelateEstimate(inspector, body);
        report->estimatedBodyCount++;
        if (body->netEstimate > report->worstEstimate) {
            report->worstEstimate = body->netEstimate;
            report->worstBody = body->begin.id;
        }
    }
}

static void sumUpJoint(ksStepReport *report, const ksiJointState *joint)
{
    report->verdictCount[joint->verdict]++;
    if (joint->error > report->worstError) {
        report->worstError = joint->error;
        report->worstJoint = joint->id;
    }
}

void ksiJudge(ksInspector *inspector)
{
    const unsigned listeners = ksiFindListeners(inspector);
    sumUpIslands(inspector);
    for (size_t i = 0; i < inspector->jointCount; i++) {
        ksiJointState *joint = &inspector->joint[i];
        collectReasons(inspector, joint);
        if (joint->isLoad)
            compareLoad(inspector, joint);
        else
            compare(inspector, joint);
        joint->verdict = judge(inspector, joint);
        sumUpJoint(&inspector->report, joint);
        inspector->report.rowCount += joint->isLoad && joint->solved ? (size_t)joint->rows.count : 0;
        const bool heard = ksiIsHeard(inspector, joint, listeners);
        inspector->report.rowWork += heard ? ksiReactionOf(inspector, i)->work : ksiFindWork(inspector, joint);
    }
    inspector->report.reactionCount = inspector->reactionCount = inspector->jointCount;
}
