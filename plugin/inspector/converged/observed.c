/* observed.c  Phase 9, after the momentum of the bodies: finds the multipliers that follow from the
 * motion, and the joints with false reports.
 *
 * Let a_e = (v* - v)/h be the simulated acceleration. Let `w` be a relaxed coordinate, which moves
 * row `l` and no other (Paulus (17), (18)). Then, for any multipliers lambda_e,
 *
 *     lambda_l = w^T (M a_e - f) / (J_l w)  =  lambda_e,l + w^T eta / (J_l w),
 *     eta = M a_e - f - sum of J^T lambda_e
 *
 * This also holds for the reported lambda_e. So, with w_l = w / (J_l w) and norms in the mass
 * metric,
 *
 *     |lambda_l - lambda_e,l| <= |w_l| |eta|
 *
 * If eta is no more than rounding on all bodies of a mechanism, the reported multiplier of each row
 * with a w is the observed one, within that bar.
 *
 * A mechanism that was not solved has no w. If one joint alone connects two sides of it, the
 * momentum of either side determines the joint's wrench.
 *
 * If eta is more than rounding, joint `j` alone may be the cause. Then its own rows explain, on
 * both its bodies, the motion that all other reports leave unexplained:
 *
 *     M a_e - f - sum over i != j of J_i^T lambda_e,i  =  J_j^T lambda
 *
 * This lambda is the observed value of joint j. Joints are tested in this order: a report that is
 * no wrench of the joint's rows, then two unexplained bodies, then one. Joints that explain the
 * same motion are named together, and have no observed value. */
#include "../phases.h"
#include "../publish/wrench_norm.h"
#include "../read/body_motion.h"

#include "../../engine/vector.h"
#include "../../linear/leastsquares.h"

#include <math.h>
#include <string.h>

/* rounding of M a_e - f, in units of epsilon times the condition of the inertia */
static const double inertiaUnits = 4;

double ksiRemainderOf(const ksiStep *step, int body)
{
    const ksiBodyMotion *motion = &step->motion[body];
    if (!motion->moved || motion->reasons & KS_REASON_SPEED_CAP)
        return NAN;
    const double rounded =
        inertiaUnits * ksiEpsilon(step->isSingle) * step->body[body].begin.condition * step->bodyMember[body].loadSum;
    if (step->isForeign)
        return motion->residual + step->body[body].open + motion->rounding + rounded;
    return ksiSmaller(motion->residual, ksiAllowedResidual(step, body)) + motion->rounding + rounded;
}

/* Adds two squares for a step of another engine. First, its multipliers may differ by self-stresses
 * of the fitted pose, which move the bodies in the present pose. Second, without a free motion no
 * remainder shows in which pose of the step the engine has its rows. */
static double addForeign(const ksiStep *step, int index, double square)
{
    const ksiIsland *island = &step->island[index];
    const ksiIslandPhysical *physical = &step->islandPhysical[index];
    const ksiIslandFree *free = ksiIslandFreeOf(step, (size_t)index);
    const double drift = physical->isDrifted && physical->drift > 0 ? physical->drift : 0;
    const bool isFree = free->isKnown && free->rank < 6 * (size_t)island->bodyCount;
    KSI_EACH_JOINT (step, island, i, joint) {
        const double hidden = drift > 0 ? ksiHiddenByDrift(step, joint, drift) : 0;
        const double shift = isFree ? 0 : ksiShiftInStep(step, joint);
        square += hidden * hidden;
        square += shift * shift;
    }
    return square;
}

/* ( sum of m d^2 + trace I )^(1/2), d from the first body */
static double spreadOf(const ksiStep *step, const ksiIsland *island)
{
    const double *first = step->body[step->islands->bodyOf[island->firstBody]].begin.centre;
    double sum = 0;
    KSI_EACH_ISLAND_BODY (step, island, i, at) {
        const ksiBody *body = &step->body[at].begin;
        double d[3];
        ksiSubtract(d, body->centre, first);
        sum += body->mass * ksiDot(d, d) + body->inertia[0] + body->inertia[4] + body->inertia[8];
    }
    return sqrt(sum);
}

/* On one side of a bridge, |sum of eta| <= (sum of m)^(1/2) |eta|. The moment of eta has a bound
 * of the same form. Both bounds are at most the bounds of the sums over all bodies. An angular motor beside a ball joint
 * does not connect two sides by itself. */
static ksiTold toldWithoutRows(const ksiStep *step, int joint)
{
    const bool isBridge = step->member[joint].isBridge && step->joint[joint].type != dJointTypeAMotor;
    return isBridge && !step->isForeign ? KSI_BY_SIDES : KSI_NOT_TOLD;
}

void ksiBarBySides(const ksiStep *step, int joint, double remainder, const double point[3], ksWrench *bar)
{
    const ksiIsland *island = &step->island[step->member[joint].island];
    const double *first = step->body[step->islands->bodyOf[island->firstBody]].begin.centre;
    const double force = sqrt(island->mass) * remainder;
    double lever[3];
    ksiSubtract(lever, point, first);
    const double torque = step->observed[joint].spread * remainder + ksiSize(lever, 3) * force;
    for (int k = 0; k < 3; k++) {
        bar->force[k] = force;
        bar->torque[k] = torque;
    }
}

void ksiTakeObserved(const ksiStep *step, int index, ksiVerdicts *out)
{
    const ksiIsland *island = &step->island[index];
    const bool isSolved = step->islandConverged[index].isSolved;
    double square = 0;
    KSI_EACH_ISLAND_BODY (step, island, i, body) {
        const double rest = ksiRemainderOf(step, body);
        square += rest * rest;
    }
    if (step->isForeign)
        square = addForeign(step, index, square);
    const double remainder = sqrt(square), spread = isSolved ? 0 : spreadOf(step, island);
    KSI_EACH_JOINT (step, island, i, joint) {
        ksiJointObserved *observed = &out->observed[joint];
        observed->remainder = remainder;
        observed->spread = spread;
        if (isfinite(remainder) && step->report[joint].isFinite)
            observed->told = isSolved ? KSI_BY_ROWS : toldWithoutRows(step, joint);
        for (int l = 0; isSolved && l < step->joint[joint].rows.count; l++)
            observed->bar[l] = step->converged[joint].relaxed[l] * remainder;
    }
}

/* --- Joints with false reports --- */

/* Reasons to test a joint: its own report, or unexplained bodies. */
typedef enum Suspicion { OWN_REPORT, TWO_BODIES, ONE_BODY, SUSPICIONS } Suspicion;

/* The number of the joint's unexplained bodies; 0 if another cause explains the motion of one of
 * them. A known load is not named, since the bodies that rest on it would be equally suspect. */
static int countUnexplained(const ksiStep *step, int index, const ksiVerdicts *out)
{
    int count = 0;
    for (int side = 0; side < 2; side++) {
        const int body = step->joint[index].bodyIndex[side];
        const ksReasons reasons = body < 0 ? 0 : out->momentumReasons[body];
        if (reasons && !(reasons & KS_REASON_REPORT))
            return 0;
        count += reasons != 0;
    }
    const ksiJointInput *joint = &step->joint[index];
    return step->report[index].isFinite && joint->rows.count > 0 && !joint->isLoad ? count : 0;
}

/* The part of the motion of a body of the joint that the other reports do not explain; mass
 * metric. */
static void findRest(const ksiStep *step, int index, int side, double rest[6])
{
    const int body = step->joint[index].bodyIndex[side];
    memset(rest, 0, 6 * sizeof *rest);
    if (body < 0 || !step->motion[body].moved)
        return;
    const ksiBody *begin = &step->body[body].begin;
    const dJointFeedback *from = &step->feedback[index].own;
    double predicted[6], change[6], total[6], room[2][4];
    const double *force = ksiForceIn(from, side, room[0]), *torque = ksiTorqueIn(from, side, room[1]);
    const double *inertia = begin->inertia;
    ksiPredict(begin, step->h, step->bodyReport[body].net, predicted);
    for (int k = 0; k < 6; k++)
        change[k] = (step->motion[body].undamped[k] - predicted[k]) / step->h;
    for (int k = 0; k < 3; k++, inertia += 3) {
        total[k] = force[k] + begin->mass * change[k];
        total[3 + k] = torque[k] + inertia[0] * change[3] + inertia[1] * change[4] + inertia[2] * change[5];
    }
    ksiScaleWrench(&step->body[body], total, rest);
}

/* Do the joint's own rows explain this part on both bodies? multiplier: their multipliers. */
static bool explainsAlone(const ksiStep *step, int index, double multiplier[KSI_MAX_ROWS])
{
    const ksiJointInput *joint = &step->joint[index];
    ksiFit fit = {.a = joint->scaled[0], .x = multiplier};
    double rest[2][6];
    for (int side = 0; side < 2; side++)
        findRest(step, index, side, rest[side]);
    memcpy(fit.b, rest, sizeof rest);
    ksiLeastSquares(joint->rows.count, 1, ksiRowRank(step->isSingle), &fit);
    bool does = true;
    for (int side = 0; side < 2; side++) {
        const int body = joint->bodyIndex[side];
        for (int l = 0; l < joint->rows.count; l++)
            for (int k = 0; k < 6; k++)
                rest[side][k] -= multiplier[l] * joint->scaled[l][6 * side + k];
        does =
            does && (body < 0 || !step->motion[body].moved || ksiSize(rest[side], 6) <= ksiAllowedResidual(step, body));
    }
    return does;
}

static bool isSuspect(const ksiStep *step, int index, Suspicion suspicion, const ksiVerdicts *out)
{
    const ksiJointReport *report = &step->report[index];
    const int bodies = countUnexplained(step, index, out);
    if (suspicion == OWN_REPORT)
        return bodies > 0 && report->residue > ksiRestTolerance(step, index) * hypot(report->load, report->residue);
    return bodies == (suspicion == TWO_BODIES ? 2 : 1);
}

/* The joint was named in this pass. */
static bool isNew(const ksiJointObserved *observed)
{
    return observed->isFalse && !observed->reasons;
}

/* The number of other joints that were named in this pass and share a body with this joint, or that
 * connect the same two bodies. */
static int countRivals(const ksiStep *step, int index, const ksiVerdicts *out)
{
    const int *own = step->joint[index].bodyIndex;
    int count = 0;
    for (int i = 0; i < (int)step->jointCount; i++) {
        const int *body = step->joint[i].bodyIndex;
        if (i == index || step->joint[i].rows.count == 0 || step->joint[i].isLoad)
            continue;
        const bool touches =
            body[0] == own[0] || body[0] == own[1] || (body[1] >= 0 && (body[1] == own[0] || body[1] == own[1]));
        const bool isSame = (body[0] == own[0] && body[1] == own[1]) || (body[0] == own[1] && body[1] == own[0]);
        count += isSame || (touches && isNew(&out->observed[i]));
    }
    return count;
}

static ksReasons reasonsOfBodies(const int body[2], const ksReasons *reasons)
{
    return reasons[body[0]] | (body[1] < 0 ? 0 : reasons[body[1]]);
}

/* Marks the bodies of all joints named in this pass as explained. */
static void explainBodies(const ksiStep *step, ksiVerdicts *out)
{
    for (int i = 0; i < (int)step->jointCount; i++)
        if (isNew(&out->observed[i]) && countRivals(step, i, out) > 0)
            out->observed[i].told = KSI_NOT_TOLD;
    for (size_t i = 0; i < step->jointCount; i++)
        if (isNew(&out->observed[i]))
            out->observed[i].reasons = reasonsOfBodies(step->joint[i].bodyIndex, out->momentumReasons);
    for (size_t i = 0; i < step->jointCount; i++)
        for (int side = 0; out->observed[i].isFalse && side < 2; side++)
            if (step->joint[i].bodyIndex[side] >= 0)
                out->momentumReasons[step->joint[i].bodyIndex[side]] = 0;
}

static void nameJoints(const ksiStep *step, Suspicion suspicion, ksiVerdicts *out)
{
    for (int i = 0; i < (int)step->jointCount; i++) {
        double multiplier[KSI_MAX_ROWS] = {0};
        if (out->observed[i].isFalse || !isSuspect(step, i, suspicion, out) || !explainsAlone(step, i, multiplier))
            continue;
        out->observed[i].isFalse = true;
        memcpy(out->observed[i].multiplier, multiplier, sizeof multiplier);
    }
    explainBodies(step, out);
}

static bool anyUnexplained(size_t count, const ksReasons *reasons)
{
    ksReasons any = 0;
    for (size_t i = 0; i < count; i++)
        any |= reasons[i];
    return any != 0;
}

void ksiNameFalseReports(const ksiStep *step, ksiVerdicts *out)
{
    if (!anyUnexplained(step->bodyCount, out->momentumReasons))
        return;
    for (int suspicion = 0; suspicion < SUSPICIONS; suspicion++)
        nameJoints(step, (Suspicion)suspicion, out);
    // a mechanism with an unknown force has no observed values
    for (size_t i = 0; i < step->bodyCount; i++) {
        const int island = out->momentumReasons[i] ? step->bodyMember[i].island : -1;
        for (int k = 0; island >= 0 && k < step->island[island].jointCount; k++)
            out->observed[ksiIslandJoint(step, &step->island[island], k)].told = KSI_NOT_TOLD;
    }
}
