/* momentum.c  Phase 9: checks that the reported forces explain the motion.
 *
 *     M (v* - v)/h  =  f + sum of J^T lambda,      then speed cap, then damping
 *
 * holds to rounding in both steppers, whether or not they have converged. The check certifies the
 * report, not the solution. */
#include "../phases.h"
#include "../read/body_motion.h"

#include <math.h>
#include <string.h>

/* Factors of the machine epsilon in ksiMomentumRounding(). The largest residual seen is 0.03 of
 * that rounding under dWorldStep, and 0.1 of it after 20 to 100 000 sweeps of QuickStep. */
static const double inertiaUnits = 4, sweepUnits = 16;
/* Motion or report is near the solution if its distance from the solution is at most this share of
 * the distance between motion and report. At most one of the two can be nearer than half that
 * distance. */
static const double nearShare = 0.5;

static void predict(const ksiStep *step, int body, double predicted[6])
{
    ksiPredict(&step->body[body].begin, step->h, step->bodyReport[body].net, predicted);
}

/* |a - b|/h */
static double distance(const ksiStep *step, int body, const double a[6], const double b[6])
{
    return ksiApart(&step->body[body].begin, step->h, a, b);
}

/* Blame by the pose: the engine moved the body after the solution, before anybody could change its
 * velocity. 0: undecided. */
static ksReasons blameByPose(const ksiStep *step, int body, double allowed)
{
    const ksiBody *begin = &step->body[body].begin;
    const ksiBodyMotion *motion = &step->motion[body];
    double posed[6], predicted[6], poseRounding[6] = {0};
    ksiPosedVelocity(begin, motion->end.centre, motion->end.rotation, step->h, posed);
    predict(step, body, predicted);
    for (int k = 0; k < 3; k++) {
        poseRounding[k] = KSI_VELOCITY_UNITS * ksiEpsilon(step->isSingle) * fabs(motion->end.centre[k]) / step->h;
        poseRounding[3 + k] = KSI_VELOCITY_UNITS * ksiEpsilon(step->isSingle) / step->h;
    }
    allowed += ksiMassNorm(begin, poseRounding) / step->h;
    const bool reported = distance(step, body, posed, predicted) <= allowed;
    const bool seen = distance(step, body, posed, motion->undamped) <= allowed;
    if (reported && !seen)
        return KS_REASON_MOTION;
    // a force added within the step can act under dWorldStep only
    return seen && !reported && step->stepper == KS_QUICK_STEP ? KS_REASON_REPORT : 0;
}

/* The unexplained motion may come from a known load whose report is false. */
static ksReasons doubt(const ksiStep *step, int island, ksReasons reason)
{
    const bool isLoaded = step->island[island].isLoaded || step->islandPhysical[island].isLoaded;
    return reason & KS_REASON_MOTION && isLoaded ? reason | KS_REASON_REPORT : reason;
}

/* Blame by the solution, under dWorldStep: if the motion or the report is right, it is near the
 * solution. 0: neither is near. */
static ksReasons blameBySolution(const ksiStep *step, int body)
{
    const ksiBody *begin = &step->body[body].begin;
    double exact[6], undamped[6], predicted[6];
    for (int k = 0; k < 6; k++)
        exact[k] = begin->velocity[k] + step->h * step->bodyConverged[body].acceleration[k];
    ksiUndoDamping(begin, step->motion[body].end.velocity, exact, undamped);
    predict(step, body, predicted);
    const double motion = distance(step, body, undamped, exact), report = distance(step, body, predicted, exact);
    if (fmin(motion, report) > nearShare * distance(step, body, undamped, predicted))
        return 0;
    return doubt(step, step->bodyMember[body].island, motion > report ? KS_REASON_MOTION : KS_REASON_REPORT);
}

/* The part of an island's motion that no multipliers explain; computed at the first request. */
typedef struct Unexplained {
    bool isKnown;
    double size;
} Unexplained;

/* Blame by the rows: a motion that the rows explain may be right. Without rows, or with reported
 * loads on the island, motion and report are both in doubt. */
static ksReasons blameByRows(const ksiStep *step, ksiSolver *solver, int island, double allowed,
                             Unexplained *unexplained)
{
    if (ksiSystemStateOf(solver, island) == KSI_NOTHING)
        return KS_REASON_REPORT | KS_REASON_MOTION;
    if (!unexplained->isKnown) {
        ksiEngineAcceleration(step, island, solver->scratch);
        if (ksiSystemExplain(solver->system, solver->scratch, &unexplained->size))
            unexplained->size = INFINITY;
        unexplained->isKnown = true;
    }
    if (unexplained->size <= allowed)
        return KS_REASON_REPORT;
    return doubt(step, island, KS_REASON_MOTION);
}

/* The report does not explain the motion: which of the two is wrong? */
static ksReasons blame(const ksiStep *step, ksiSolver *solver, int body, double allowed, Unexplained *unexplained)
{
    const int island = step->bodyMember[body].island;
    if (step->isForeign || (island < 0 && step->bodyMember[body].largestContact == 0))
        return KS_REASON_MOTION;
    ksReasons reason = blameByPose(step, body, allowed);
    if (!reason && island < 0)
        reason = KS_REASON_REPORT | KS_REASON_MOTION;
    if (!reason && step->stepper == KS_WORLD_STEP && step->islandConverged[island].isSolved)
        reason = blameBySolution(step, body);
    return reason ? reason : blameByRows(step, solver, island, allowed, unexplained);
}

double ksiMomentumRounding(const ksiStep *step, int body, double added, double load)
{
    const double speed = sqrt(ksiLarger(0, 2 * step->motion[body].kinetic[0])), sum = added + speed / step->h;
    const double inverted = inertiaUnits * step->body[body].begin.condition * sum;
    const double swept = sweepUnits * step->sweeps * ksiLarger(sum, load);
    return ksiEpsilon(step->isSingle) * (inverted + swept) + step->motion[body].rounding;
}

static double loadOf(const ksiStep *step, int body)
{
    const int island = step->bodyMember[body].island;
    return island < 0 ? ksiLargestForce(step, body) : step->islandConverged[island].load;
}

/* A residual of the size of rounding is within the tolerance, however small the loads. */
static double usualResidual(const ksiStep *step, int body, double load)
{
    return step->options.momentumTolerance * load + step->motion[body].rounding;
}

/* The joint with the smallest load on a body sets the scale, so that larger loads do not hide an
 * error of its report. */
double ksiAllowedResidual(const ksiStep *step, int body)
{
    const ksiBodyMember *member = &step->bodyMember[body];
    const int island = member->island;
    const double load = loadOf(step, body);
    // another engine evaluates its rows at another pose within the step
    if (step->isForeign)
        return step->options.tolerance * load + step->motion[body].rounding + step->body[body].open;
    if (island < 0 && member->largestContact == 0)
        return usualResidual(step, body, load);
    const bool isSolved = island >= 0 && step->islandConverged[island].isSolved;
    const double joint = isSolved ? step->bodyConverged[body].leastJoint : member->leastJoint;
    const double least = ksiSmaller(load, ksiSmaller(joint, member->leastContact));
    return step->options.momentumTolerance * least + ksiMomentumRounding(step, body, member->loadSum, load);
}

/* Returns the residual relative to the load, scaled so that a residual of usualResidual() gives
 * momentumTolerance. */
static double checkBody(const ksiStep *step, ksiSolver *solver, int body, Unexplained *unexplained, ksiVerdicts *out)
{
    const double residual = step->motion[body].residual, allowed = ksiAllowedResidual(step, body);
    const double usual = usualResidual(step, body, loadOf(step, body));
    if (residual > allowed)
        out->momentumReasons[body] |= blame(step, solver, body, allowed, unexplained);
    return usual > 0 ? step->options.momentumTolerance * residual / usual : 0;
}

void ksiClearVerdicts(const ksiStep *step, ksiVerdicts *out)
{
    out->momentumResidual = 0;
    memset(out->momentumReasons, 0, step->bodyCount * sizeof *out->momentumReasons);
    for (size_t i = 0; i < step->jointCount; i++) {
        out->observed[i].told = KSI_NOT_TOLD;
        out->observed[i].isFalse = false;
        out->observed[i].reasons = 0;
    }
}

double ksiCheckMomentum(const ksiStep *step, ksiSolver *solver, int index, ksiVerdicts *out)
{
    const ksiIsland *island = &step->island[index];
    Unexplained unexplained = {0};
    double largest = 0;
    KSI_EACH_ISLAND_BODY (step, island, i, body)
        if (step->motion[body].moved)
            largest = ksiLarger(largest, checkBody(step, solver, body, &unexplained, out));
    return largest;
}

double ksiCheckLooseBodies(const ksiStep *step, ksiVerdicts *out)
{
    Unexplained unexplained = {0};
    double largest = 0;
    for (int i = 0; i < (int)step->bodyCount; i++) {
        if (step->bodyMember[i].island >= 0)
            continue;
        if (step->motion[i].moved)
            largest = ksiLarger(largest, checkBody(step, NULL, i, &unexplained, out));
    }
    return largest;
}
