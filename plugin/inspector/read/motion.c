/* motion.c  Phase 3: finds the engine's motion up to v*, and changes of kinetic energy.
 *
 *     M (v* - v)/h  =  f + sum of J^T lambda,      then speed cap, then damping
 *
 * With the masses of the start pose, the kinetic energy is T = v^T M v / 2. From v to v*, T
 * changes, to rounding, by the work of all rows `l` and all applied forces `f`:
 *
 *     W_l = h lambda_l J_l (v + v*) / 2          W_f = h f (v + v*) / 2
 *
 * fill_reaction.c computes the rows' share. */
#include "../phases.h"
#include "../publish/wrench_norm.h"
#include "body_motion.h"

#include "../../base/vectorise.h"
#include "../../engine/vector.h"

#include <math.h>
#include <string.h>

/* units of rounding in a pose, which enter forces through c / h: positions and rotation matrices
 * are sums of a few terms */
static const double poseUnits = 4;
/* A body counts as stopped by the engine if this assumption reduces the residual to less than this
 * share. */
static const double nearShare = 0.5;

/* Sets the motion nearest to the prediction, and the size of the remaining difference. */
KSI_INLINE void compare(const ksiBody *begin, double h, const double predicted[6], ksiBodyMotion *motion)
{
    if (!begin->damped)
        memcpy(motion->undamped, motion->end.velocity, sizeof motion->undamped);
    else if (ksiUndoDamping(begin, motion->end.velocity, predicted, motion->undamped))
        motion->reasons |= KS_REASON_SPEED_CAP;
    motion->residual = ksiApart(begin, h, motion->undamped, predicted);
}

KSI_INLINE void setRounding(const ksiStep *step, const ksiBody *begin, ksiBodyMotion *motion)
{
    const double h = step->h;
    motion->kinetic[0] = ksiKinetic(begin, begin->velocity);
    motion->kinetic[2] = ksiKinetic(begin, motion->end.velocity);
    const double most = ksiLarger(motion->kinetic[2], motion->kinetic[0]);
    motion->rounding = KSI_VELOCITY_UNITS * ksiEpsilon(begin->isSingle) / h * sqrt(ksiLarger(0, 2 * most));
    const double *x = begin->centre, *inertia = begin->inertia;
    const double spread = begin->mass * (x[0] * x[0] + x[1] * x[1] + x[2] * x[2]);
    motion->poseRounding =
        poseUnits * ksiEpsilon(begin->isSingle) / (h * h) * sqrt(spread + inertia[0] + inertia[4] + inertia[8]);
    // rows of another engine's step demand velocities only, and contain no gap of a pose
    if (step->isForeign)
        motion->poseRounding = 0;
}

/* The size of all forces on a body by the engine's report. */
static double reportedLoad(const ksiStep *step, size_t index, const ksiBodyMotion *motion)
{
    double reported[6];
    return motion->applied + ksiAccelerate(&step->body[index].begin, step->bodyReport[index].net, reported);
}

/* Do report and motion differ by more than rounding? The limit does not exceed the limit of the
 * verdict, which uses larger loads. */
static bool isApart(const ksiStep *step, size_t index, const ksiBodyMotion *motion)
{
    if (!(motion->residual > motion->rounding))
        return false;
    const double load = reportedLoad(step, index, motion);
    return motion->residual > ksiMomentumRounding(step, (int)index, load, load);
}

static bool isWithinTolerance(const ksiStep *step, size_t index, const ksiBodyMotion *motion)
{
    const double load = reportedLoad(step, index, motion);
    return motion->residual <= step->options.momentumTolerance * load + motion->rounding;
}

/* Does the report explain the motion of a body that was stopped? Forces that cancel leave rounding
 * in proportion to their sizes. */
static bool isExplained(const ksiStep *step, size_t index, const ksiBodyMotion *rest)
{
    if (isWithinTolerance(step, index, rest))
        return true;
    const double load = rest->applied + step->bodyReport[index].loadSum;
    return rest->residual <= ksiMomentumRounding(step, (int)index, load, load);
}

/* The engine stops an idle body that other bodies of its island keep awake, then steps it from
 * rest. */
static void tryReset(const ksiStep *step, size_t index, ksiBodyMotion *motion)
{
    ksiBody begin = step->body[index].begin;
    ksiBodyMotion rest = *motion;
    double predicted[6];
    ksiStopBody(&begin);
    rest.applied = ksiPredict(&begin, step->h, step->bodyReport[index].net, predicted);
    compare(&begin, step->h, predicted, &rest);
    if (rest.residual > nearShare * motion->residual || !isExplained(step, index, &rest))
        return;
    rest.reasons |= KS_REASON_RESET;
    rest.wasMoving = !isWithinTolerance(step, index, motion);
    setRounding(step, &begin, &rest);
    *motion = rest;
}

/* If the report does not explain the motion, the pose shows the velocity before damping. */
static void askPose(const ksiStep *step, size_t index, ksiBodyMotion *motion)
{
    const ksiBody *begin = &step->body[index].begin;
    double posed[6];
    ksiPosedVelocity(begin, motion->end.centre, motion->end.rotation, step->h, posed);
    ksiUndoDamping(begin, motion->end.velocity, posed, motion->undamped);
}

/* Sets the velocity lost to the speed cap and then to damping. The engine integrates the pose after
 * the cap, but before damping. */
static void setLost(const ksiBody *begin, const double solved[6], ksiBodyEnd *end)
{
    const double speed = ksiSize(solved + 3, 3);
    for (int k = 0; k < 6; k++) {
        end->moved[k] = solved[k] * (k >= 3 && speed > begin->maxAngularSpeed ? begin->maxAngularSpeed / speed : 1);
        end->lost[k] = solved[k] - end->velocity[k];
        end->isSlowed |= end->lost[k] != 0;
    }
}

KSI_INLINE void predictDynamic(const ksiStep *step, size_t index, ksiBodyMotion *motion)
{
    const ksiBody *begin = &step->body[index].begin;
    double predicted[6];
    motion->applied = ksiPredict(begin, step->h, step->bodyReport[index].net, predicted);
    compare(begin, step->h, predicted, motion);
    setRounding(step, begin, motion);
    if (begin->autoDisable && isApart(step, index, motion))
        tryReset(step, index, motion);
    if (begin->damped && isApart(step, index, motion))
        askPose(step, index, motion);
    if (begin->damped)
        setLost(begin, motion->undamped, &motion->end);
    motion->kinetic[1] = begin->damped ? ksiKinetic(begin, motion->undamped) : motion->kinetic[2];
}

/* An idle kinematic body that its island keeps awake is stopped too. */
static void checkKinematic(const ksiBody *begin, ksiBodyMotion *motion)
{
    double before = 0, remainder = 0;
    for (int k = 0; k < 6; k++) {
        before += fabs(begin->velocity[k]);
        remainder += fabs(motion->end.velocity[k]);
    }
    if (before != 0 && remainder == 0)
        motion->reasons |= KS_REASON_RESET;
    motion->wasMoving = true;
}

KSI_CLONES
static void predict(const ksiStep *step, size_t index, ksiBodyMotion *motion)
{
    const ksiBodyInput *body = &step->body[index];
    if (motion->moved) {
        predictDynamic(step, index, motion);
        return;
    }
    double applied[6];
    memset(motion->undamped, 0, sizeof motion->undamped);
    ksiScaleWrench(body, body->begin.force, applied);
    motion->applied = ksiSize(applied, 6);
    if (body->begin.kinematic && body->begin.autoDisable)
        checkKinematic(&body->begin, motion);
    if (body->begin.kinematic && body->begin.damped && !(motion->reasons & KS_REASON_RESET))
        setLost(&body->begin, body->begin.velocity, &motion->end);
}

/* Predicts the motion of a body that was destroyed in the bracket. */
static void predictGone(const ksiStep *step, size_t index, ksiBodyMotion *motion)
{
    const ksiBodyInput *body = &step->body[index];
    double predicted[6];
    memcpy(predicted, body->begin.velocity, sizeof predicted);
    if (body->awake && body->dynamic)
        ksiPredict(&body->begin, step->h, step->bodyReport[index].net, predicted);
    motion->end.velocity[0] = NAN;
    motion->end.isSlowed = false;
    motion->moved = false;
    predict(step, index, motion);
    memcpy(motion->undamped, predicted, sizeof predicted);
}

KSI_CLONES
static void bookEnergy(const ksiStep *step, size_t index, const ksiBodyMotion *motion, ksiEnergy *energy)
{
    if (!motion->moved)
        return;
    const ksiBody *b = &step->body[index].begin;
    const double *velocity = b->velocity, *force = b->force;
    static const double rest[6];
    double stopped[6];
    if (motion->reasons & KS_REASON_RESET) {
        ksiBody begin = *b;
        ksiStopBody(&begin);
        memcpy(stopped, begin.force, sizeof stopped);
        velocity = rest;
        force = stopped;
    }
    energy->kinetic[0] += motion->kinetic[0];
    energy->kinetic[1] += motion->kinetic[1];
    energy->dampingWork += motion->kinetic[2] - motion->kinetic[1];
    const ksiFour mean = 0.5 * (*(const ksiFour *)velocity + *(const ksiFour *)motion->undamped);
    const ksiTwo spin = 0.5 * (*(const ksiTwo *)(velocity + 4) + *(const ksiTwo *)(motion->undamped + 4));
    const ksiFour weight = {b->gravity[0], b->gravity[1], b->gravity[2], 0};
    const ksiFour other = (*(const ksiFour *)force - weight) * mean, gravity = weight * mean;
    const ksiTwo others = ksiFold(&other) + *(const ksiTwo *)(force + 4) * spin;
    if (!(motion->reasons & KS_REASON_RESET))
        for (int k = 0; k < 3; k++)
            energy->gyroscopicWork += step->h * b->gyroscopic[k] * 0.5 * (velocity[3 + k] + motion->undamped[3 + k]);
    const ksiFour way = weight * (*(const ksiFour *)motion->end.centre - *(const ksiFour *)b->centre);
    const double fall = way[0] + way[1] + way[2];
    energy->forceWork += step->h * (others[0] + others[1]);
    energy->potentialChange -= fall;
    energy->gravityDiscretisation += step->h * (gravity[0] + gravity[1] + gravity[2]) - fall;
}

/* The kinetic energy with the inertia of the pose after the step. */
KSI_INLINE double kineticAfter(const ksiBody *begin, const ksiBodyEnd *end)
{
    double own[3], turned[6];
    for (int k = 0; k < 3; k++) {
        const double *r = end->rotation + k;
        own[k] = r[0] * end->velocity[3] + r[3] * end->velocity[4] + r[6] * end->velocity[5];
        turned[k] = end->velocity[k];
    }
    for (int k = 0; k < 3; k++)
        turned[3 + k] = ksiDot(begin->rotation + 3 * k, own);
    return ksiKinetic(begin, turned);
}

/* The energy of all bodies, moving or not. A body whose motion is not finite is left out. */
KSI_CLONES
static void bookWorld(const ksiStep *step, size_t index, const ksiBodyMotion *motion, ksiEnergy *energy)
{
    const ksiBody *begin = &step->body[index].begin;
    if (!step->body[index].dynamic || !isfinite(motion->end.velocity[0]))
        return;
    const bool isKnown = motion->moved && !(motion->reasons & KS_REASON_RESET);
    energy->world[0] += step->body[index].isStopped ? step->body[index].stopped
                        : isKnown                   ? motion->kinetic[0]
                                                    : ksiKinetic(begin, begin->velocity);
    energy->world[1] += kineticAfter(begin, &motion->end);
}

/* An exact step has seen that a body was stopped. */
static void takeKnown(const ksiStep *step, size_t index, ksiBodyMotion *motion)
{
    motion->wasMoving = step->body[index].isStopped;
    motion->reasons = motion->wasMoving ? KS_REASON_RESET : 0;
}

static void readMotion(const ksiStep *step, dBodyID id, size_t index, ksiBodyMotion *motion)
{
    const bool enabled = ksiReadState(id, motion->end.centre, motion->end.rotation, motion->end.velocity);
    motion->found = true;
    motion->end.isSlowed = false;
    takeKnown(step, index, motion);
    motion->moved =
        step->body[index].awake && step->body[index].dynamic && enabled && isfinite(motion->end.velocity[0]);
}

void ksiReadMotion(const ksiStep *step, ksiMotion *out)
{
    size_t expected = 0, found = 0;
    out->anyReset = false;
    out->energy = (ksiEnergy){.kinetic = {0}};
    for (size_t i = 0; i < step->bodyCount; i++)
        out->body[i].found = false;
    for (dBodyID b = ksiFirstBody(step->seen); b; b = ksiNextBody(b)) {
        const int at = ksiBodyAt(step->input, ksiIdOfBody(step->seen, b), expected);
        if (at < 0)
            continue;
        const size_t index = (size_t)at;
        ksiBodyMotion *motion = &out->body[index];
        expected = index + 1;
        found++;
        readMotion(step, b, index, motion);
        predict(step, index, motion);
        bookEnergy(step, index, motion, &out->energy);
        bookWorld(step, index, motion, &out->energy);
        out->anyReset |= (motion->reasons & KS_REASON_RESET) != 0;
    }
    for (size_t i = 0; found < step->bodyCount && i < step->bodyCount; i++)
        if (!out->body[i].found) {
            takeKnown(step, i, &out->body[i]);
            predictGone(step, i, &out->body[i]);
        }
}
