/* verdict.c  Phase 13: verdicts of joints. */
#include "../phases.h"
#include "wrench_norm.h"

#include "../../base/vectorise.h"

#include <math.h>

/* reasons that joints take over from a body; add new ones here */
#define INHERITED_REASONS                                                                                              \
    (KS_REASON_REPORT | KS_REASON_MOTION | KS_REASON_SPEED_CAP | KS_REASON_RESET | KS_REASON_NOT_FINITE |              \
     KS_REASON_MASS | KS_REASON_UNREADABLE)
#define UNSOLVABLE_REASONS (KS_REASON_NOT_FINITE | KS_REASON_UNREADABLE)
#define UNCHECKED_REASONS                                                                                              \
    (KS_REASON_BOUND | KS_REASON_FRICTION | KS_REASON_BUDGET | KS_REASON_MASS | KS_REASON_MEMORY |                     \
     KS_REASON_PRECISION | KS_REASON_NOT_ASKED | KS_REASON_RELAXED | KS_REASON_GAP | UNSOLVABLE_REASONS)
#define UNEXPLAINED_REASONS (KS_REASON_REPORT | KS_REASON_MOTION)

/* Rounding of a joint's force. velocity: a few units of rounding of the velocities, divided by h.
 * pose: the engine's correction of rounded poses, by the ERP. The ERP is not read, and counts as 1,
 * in double precision and for contacts, which may have an ERP of their own. */
typedef struct Noise {
    double velocity, pose;
} Noise;

static Noise noiseOf(const ksiStep *step, int joint)
{
    Noise noise = {0};
    const ksiJointInput *input = &step->joint[joint];
    const double erp = step->isSingle && input->type != dJointTypeContact ? fabs(input->erp) : 1;
    KSI_EACH_BODY (input->bodyIndex, side, body) {
        if (!step->motion[body].moved)
            continue;
        noise.velocity += step->motion[body].rounding;
        noise.pose += step->motion[body].poseRounding * erp;
    }
    return noise;
}

/* The deviation that noise may cause, in units of the noise. ownShare: in a step of ODE.
 * foreignShare: in another engine's step; sixteen units of rounding of the velocities. A larger
 * deviation exceeds the tolerance even relative to the least load. */
static const double ownShare = 2, foreignShare = 0.25;

/* Deviations are compared with at least this load. Relative to it, a deviation that noise may cause
 * is at most the tolerance. */
static double leastLoad(const ksiStep *step, const Noise *noise, double load)
{
    const double share = step->isForeign ? foreignShare : ownShare;
    return ksiLarger(share * (noise->velocity + noise->pose) / step->options.tolerance, step->options.loadFloor * load);
}

/* The scale of a joint's deviations. */
typedef struct Scale {
    double engine;  /* size of the engine's reaction */
    double least;   /* leastLoad */
    double rounded; /* rounding by the velocities */
} Scale;

/* A deviation relative to *load, which is the largest of both reactions and `least`. */
static double relative(const ksiDeviation *other, double engine, double least, double *load)
{
    *load = ksiLarger(least, ksiLarger(other->size, engine));
    return other->difference > 0 ? other->difference / *load : 0;
}

/* As `relative`. If the joint has free directions, only the determined part counts. The size of
 * `determined` is already that of the larger reaction. */
static double relativePart(const ksiJointFree *free, const ksiDeviation *whole, const ksiDeviation *determined,
                           const Scale *scale, double *load)
{
    return free->count ? relative(determined, 0, scale->least, load)
                       : relative(whole, scale->engine, scale->least, load);
}

/* upper bound of the size of the multipliers' bars */
static double barOf(const ksiStep *step, int joint)
{
    double sum = 0;
    for (int l = 0; l < step->joint[joint].rows.count; l++)
        sum += step->converged[joint].bar[l] * step->layout[joint].size[l];
    return sum;
}

/* The converged deviation for the final free directions: physical values may have more free
 * directions than converged values. */
static void deviationOf(const ksiStep *step, int index, const ksiJointFree *free, ksiDeviation *whole,
                        ksiDeviation *determined)
{
    const ksiJointConverged *converged = &step->converged[index];
    *whole = converged->deviation;
    *determined = converged->determined;
    if (free != &step->free[index])
        ksiFindDeviation(step, index, free, converged->paulus, whole, determined);
}

/* Is the bar too wide to decide? */
static bool isVague(const ksiJointVerdict *found, double tolerance)
{
    return !(found->errorBar <= tolerance) && !(found->error - found->errorBar > tolerance);
}

static void compareConverged(const ksiStep *step, int index, const Scale *scale, ksiJointVerdict *out)
{
    const ksiJointFree *free = ksiFreeOf(step, index);
    const double tolerance = step->options.tolerance;
    ksiDeviation whole, determined;
    double load = 0;
    deviationOf(step, index, free, &whole, &determined);
    if (free->count < step->report[index].rank) {
        out->error = relativePart(free, &whole, &determined, scale, &load);
        out->errorBar = load > 0 ? (barOf(step, index) + scale->rounded) / load : 0;
        out->reasons |= isVague(out, tolerance) ? KS_REASON_PRECISION : 0u;
    }
    // The converged value has the engine's self-stress. So any difference is in the determined
    // part, but perhaps only in the sum over the joints that share a load.
    if (free->count && !(out->error > tolerance)) {
        const double shared = relative(&whole, scale->engine, scale->least, &load);
        if (shared > tolerance)
            out->error = shared;
    }
    // rounding in the engine's first stage may have led to other bounds
    if (out->error > tolerance && out->error * load <= step->islandConverged[step->member[index].island].boundNoise)
        out->reasons |= KS_REASON_FRICTION;
}

/* Compares the report of another engine with the force that explains the motion. */
static void compareGiven(const ksiStep *step, int index, const Scale *scale, ksiJointVerdict *out)
{
    const ksiJointObserved *observed = &step->observed[index];
    const ksiJointFree *free = ksiFreeOf(step, index);
    double load, bar = scale->rounded;
    if (!step->given[index].isKnown || observed->told != KSI_BY_ROWS || free->count >= step->report[index].rank)
        return;
    const ksiDeviation difference = ksiDeviationOfGiven(step, index, free);
    for (int l = 0; l < step->joint[index].rows.count; l++)
        bar += observed->bar[l] * step->layout[index].size[l];
    out->error = relative(&difference, 0, scale->least, &load);
    out->errorBar = load > 0 ? bar / load : 0;
    // a value that agrees is right, even if the bar, which covers all rows at once, is wide
    if (out->error > step->options.tolerance)
        out->reasons |= isVague(out, step->options.tolerance) ? KS_REASON_PRECISION : KS_REASON_REPORT;
}

static void comparePhysical(const ksiStep *step, int index, const Scale *scale, ksiJointVerdict *out)
{
    const ksiJointPhysical *physical = &step->physical[index];
    const ksiJointFree *free = ksiFreeOf(step, index);
    double load;
    if (free->count >= step->report[index].rank)
        return;
    out->physicalError = relativePart(free, &physical->deviation, &physical->determined, scale, &load);
    out->physicalErrorBar = load > 0 ? physical->barSize / load : 0;
    out->loadNoise = load > 0 ? physical->noise / load : physical->noise;
    out->reasons |= out->physicalErrorBar <= step->options.tolerance ? 0u : KS_REASON_PHYSICAL;
    out->reasons |= physical->noise == 0 ? 0u : KS_REASON_REPORTED_LOADS;
}

static void compare(const ksiStep *step, int index, ksiJointVerdict *out)
{
    const ksiJointReport *report = &step->report[index];
    const int island = step->member[index].island;
    const bool hasConverged = step->converged[index].isKnown, hasPhysical = step->physical[index].isKnown;
    if (!report->isFinite || island < 0 || !(hasConverged || hasPhysical))
        return;
    const Noise noise = noiseOf(step, index);
    const Scale scale = {.engine = sqrt(report->load * report->load + report->residue * report->residue),
                         .least = leastLoad(step, &noise, step->islandConverged[island].load),
                         .rounded = noise.velocity};
    if (hasConverged && step->isForeign)
        compareGiven(step, index, &scale, out);
    else if (hasConverged)
        compareConverged(step, index, &scale, out);
    if (hasPhysical)
        comparePhysical(step, index, &scale, out);
}

static void compareContact(const ksiStep *step, int index, ksiJointVerdict *out)
{
    const ksiJointReport *report = &step->report[index];
    const Noise noise = noiseOf(step, index);
    const double least = leastLoad(step, &noise, ksiLoadAround(step, index));
    double load;
    if (step->contact[index].isJudged)
        out->error = relative(&step->contact[index].deviation, hypot(report->load, report->residue), least, &load);
    if (ksiHasPhysical(step, index))
        out->physicalError = 0;
}

/* --- Reasons --- */

static ksReasons reasonsOfBodies(const ksiStep *step, const ksiJointInput *joint)
{
    ksReasons reasons = 0;
    KSI_EACH_BODY (joint->bodyIndex, side, body)
        reasons |= step->body[body].reasons | step->motion[body].reasons | step->momentumReasons[body];
    return reasons & INHERITED_REASONS;
}

static ksReasons reasonsOfIsland(const ksiStep *step, int joint)
{
    const int index = step->member[joint].island;
    const ksiIsland *island = &step->island[index];
    const ksiIslandPhysical *physical = &step->islandPhysical[index];
    const bool isSoft = step->joint[joint].soft == KSI_SOFT || step->joint[joint].isMeantSoft;
    const bool isLoaded = island->isLoaded || physical->isLoaded;
    return step->islandConverged[index].reasons | physical->reasons | island->caught |
           (isLoaded ? KS_REASON_REPORTED_LOADS : 0u) | (isSoft ? KS_REASON_SOFT : 0u);
}

static ksReasons reasonsOf(const ksiStep *step, int index)
{
    const ksiJointInput *joint = &step->joint[index];
    const ksiJointReport *report = &step->report[index];
    const int island = step->member[index].island;
    ksReasons reasons = joint->reasons | report->reasons | reasonsOfBodies(step, joint) |
                        step->observed[index].reasons | step->contact[index].reasons;
    if (step->isPool && report->isWritten)
        reasons |= KS_REASON_THREADS;
    if (step->isExact && report->isWritten && !step->isTaken[index])
        reasons |= KS_REASON_FALLBACK;
    if (joint->isLoad && report->isWritten)
        reasons |= KS_REASON_REPORTED_LOADS;
    if (joint->isLoad && report->isWritten && !(step->options.values & KS_COMPUTE_CONVERGED))
        reasons |= KS_REASON_NOT_ASKED;
    const double load = island < 0 ? ksiLoadAround(step, index) : step->islandConverged[island].load;
    // most residues are below this part of the tolerance
    const bool mayExceed = report->isFinite && report->residue > step->options.momentumTolerance * load;
    if (mayExceed && report->residue > ksiRestTolerance(step, (int)index) * load)
        reasons |= KS_REASON_REPORT;
    if (report->isFinite && report->rank < joint->rows.count)
        reasons |= KS_REASON_OWN_RANK;
    if (island < 0)
        return reasons;
    if (step->free[index].count || (step->islandPhysicalFree[island].isKnown && step->physicalFree[index].count))
        reasons |= KS_REASON_REDUNDANT;
    return reasons | step->physical[index].reasons | reasonsOfIsland(step, index);
}

/* Why the engine has no force for the joint. A body that fell asleep within the step did not take
 * part in it. */
static ksReasons whyNotSolved(const ksiStep *step, int index)
{
    const ksiJointInput *joint = &step->joint[index];
    bool isFree = false, isAsleep = true;
    for (int side = 0; side < 2; side++) {
        const int at = joint->bodyIndex[side];
        const ksiBodyInput *body = at < 0 ? NULL : &step->body[at];
        if (!body || body->begin.kinematic)
            continue;
        isFree = true;
        isAsleep &= body->dynamic ? step->motion[at].found && !step->motion[at].moved : !body->awake;
    }
    isAsleep &= isFree;
    const bool isIdle = joint->enabled && !isAsleep && (joint->rows.count == 0 || step->report[index].isWritten);
    const ksReasons reasons = (joint->enabled ? 0u : KS_REASON_DISABLED) | (isAsleep ? KS_REASON_ASLEEP : 0u) |
                              (isIdle || !isFree ? KS_REASON_NO_ROWS : 0u);
    return reasons ? reasons : KS_REASON_NOT_REPORTED;
}

static ksVerdict judge(const ksiStep *step, int index, ksiJointVerdict *found)
{
    const ksiJointInput *joint = &step->joint[index];
    const ksiJointReport *report = &step->report[index];
    if (!report->isWritten || (report->isFinite && report->rank == 0)) {
        if (found->reasons & UNSOLVABLE_REASONS)
            return KS_UNCHECKED;
        found->reasons |= whyNotSolved(step, index);
        return KS_NOT_SOLVED;
    }
    if (found->reasons & UNCHECKED_REASONS || !ksiHasConverged(step, index))
        return KS_UNCHECKED;
    if (found->reasons & UNEXPLAINED_REASONS)
        return KS_UNEXPLAINED;
    if (found->error > step->options.tolerance)
        return KS_SOLVER_ERROR;
    const bool shared =
        (!joint->isLoad && ksiFreeOf(step, index)->count) || (joint->isLoad && found->reasons & KS_REASON_REDUNDANT);
    return shared ? KS_INDETERMINATE : KS_VALID;
}

void ksiJudge(const ksiStep *step, ksiVerdicts *out)
{
    for (int i = 0; i < (int)step->jointCount; i++) {
        ksiJointVerdict *verdict = &out->joint[i];
        *verdict = (ksiJointVerdict){.error = NAN,
                                     .errorBar = NAN,
                                     .physicalError = NAN,
                                     .physicalErrorBar = NAN,
                                     .loadNoise = NAN,
                                     .reasons = reasonsOf(step, i)};
        if (step->joint[i].isLoad)
            compareContact(step, i, verdict);
        else
            compare(step, i, verdict);
        verdict->verdict = judge(step, i, verdict);
    }
}
