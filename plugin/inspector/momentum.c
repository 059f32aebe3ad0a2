/* momentum.c  Does what the engine reported explain the motion that it made?
 *
 *     M (v* - v)/h  =  f + sum of J^T lambda,      then speed cap, then damping
 *
 * holds to rounding in both steppers, converged or not: it certifies the report, not the solution. */
#include "inspector_private.h"

#include "../base/vectorise.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* units of rounding in a velocity, through h and the stepper's own sums */
static const double roundingUnits = 64;
/* ... in a pose, through c / h: positions and rotation matrices are sums of a few terms */
static const double poseUnits = 4;
/* dWorldStep's own error in the motion over that in momentum, at most: its factorisation loses some digits */
static const double missedTolerance = 1e3;
/* of noise(); largest residual seen: 0.03 of it under dWorldStep, 0.1 after QuickStep's sweeps, 20 to 100 000 */
static const double inertiaUnits = 4, sweepUnits = 16;

/* T = v^T M v / 2 */
KSI_INLINE double kinetic(const ksiBody *body, const double v[6])
{
    const double *i = body->inertia, x = v[3], y = v[4], z = v[5];
    const double angular = x * (i[0] * x + 2 * (i[1] * y + i[2] * z)) + y * (i[4] * y + 2 * i[5] * z) + z * (i[8] * z);
    return 0.5 * (body->mass * (v[0] * v[0] + v[1] * v[1] + v[2] * v[2]) + angular);
}

KSI_INLINE double massNorm(const ksiBody *body, const double v[6])
{
    const double twice = 2 * kinetic(body, v);
    return twice > 0 ? sqrt(twice) : 0;
}

/* a = M^-1 f; returns the size of f */
KSI_INLINE double accelerate(const ksiBody *body, const double f[6], double a[6])
{
    const double *inverse = body->inverse, linear = body->root.massInverse * body->root.massInverse;
    double square = 0;
    for (int k = 0; k < 3; k++, inverse += 3) {
        a[k] = linear * f[k];
        a[3 + k] = inverse[0] * f[3] + inverse[1] * f[4] + inverse[2] * f[5];
        square += a[k] * f[k] + a[3 + k] * f[3 + k];
    }
    return sqrt(ksiLarger(0, square));
}

/* v* = v + h M^-1 (f + reported); returns the size of f */
KSI_INLINE double predict(const ksInspector *inspector, const ksiBodyState *body, double predicted[6])
{
    double applied[6], reported[6];
    const double size = accelerate(&body->begin, body->begin.force, applied);
    accelerate(&body->begin, body->reported, reported);
    for (int k = 0; k < 6; k++)
        predicted[k] = body->begin.velocity[k] + inspector->h * (applied[k] + reported[k]);
    return size;
}

/* |a - b|/h */
KSI_INLINE double apart(const ksInspector *inspector, const ksiBodyState *body, const double a[6], const double b[6])
{
    double difference[6];
    for (int k = 0; k < 6; k++)
        difference[k] = a[k] - b[k];
    return massNorm(&body->begin, difference) / inspector->h;
}

/* Takes from the motion what comes nearest to the prediction; returns the size of what is missing. */
KSI_INLINE double compare(const ksInspector *inspector, ksiBodyState *body, const double predicted[6])
{
    if (!body->begin.damped)
        memcpy(body->solved, body->finished, sizeof body->solved);
    else if (ksiUndoDamping(&body->begin, body->finished, predicted, body->solved))
        body->reasons |= KS_REASON_SPEED_CAP;
    return body->residual = apart(inspector, body, body->solved, predicted);
}

KSI_INLINE void setRounding(const ksInspector *inspector, ksiBodyState *body)
{
    body->kinetic[0] = kinetic(&body->begin, body->begin.velocity);
    body->kinetic[2] = kinetic(&body->begin, body->finished);
    const double most = ksiLarger(body->kinetic[2], body->kinetic[0]);
    body->rounding = roundingUnits * DBL_EPSILON / inspector->h * sqrt(ksiLarger(0, 2 * most));
    const double *x = body->begin.centre, *inertia = body->begin.inertia, h = inspector->h;
    const double spread = body->begin.mass * (x[0] * x[0] + x[1] * x[1] + x[2] * x[2]);
    body->grain = poseUnits * DBL_EPSILON / (h * h) * sqrt(spread + inertia[0] + inertia[4] + inertia[8]);
}

/* An idle body of an island that others keep awake is stopped first, then stepped from rest. */
static void tryReset(const ksInspector *inspector, ksiBodyState *body)
{
    ksiBodyState rest = *body;
    double predicted[6];
    memset(rest.begin.velocity, 0, sizeof rest.begin.velocity);
    for (int k = 0; k < 3; k++)
        rest.begin.force[3 + k] -= body->begin.gyroscopic[k];
    rest.applied = predict(inspector, &rest, predicted);
    if (compare(inspector, &rest, predicted) >= 1e-6 * body->residual)
        return;
    rest.reasons |= KS_REASON_RESET;
    setRounding(inspector, &rest);
    *body = rest;
}

/* Where the report does not explain the motion, the pose tells what was damped. */
static void askPose(const ksInspector *inspector, ksiBodyState *body, double applied, double rounding)
{
    double posed[6], reported[6];
    const double load = applied + accelerate(&body->begin, body->reported, reported);
    if (!(body->residual > inspector->options.momentumTolerance * load + rounding))
        return;
    ksiPosedVelocity(&body->begin, body->endCentre, body->endRotation, inspector->h, posed);
    ksiUndoDamping(&body->begin, body->finished, posed, body->solved);
}

KSI_INLINE void predictDynamic(ksInspector *inspector, ksiBodyState *body)
{
    double predicted[6];
    body->applied = predict(inspector, body, predicted);
    const double applied = body->applied;
    compare(inspector, body, predicted);
    setRounding(inspector, body);
    const double rounding = body->rounding;
    if (body->begin.autoDisable && body->residual > rounding)
        tryReset(inspector, body);
    if (body->begin.damped)
        askPose(inspector, body, applied, rounding);
    body->kinetic[1] = body->begin.damped ? kinetic(&body->begin, body->solved) : body->kinetic[2];
}

/* An idle kinematic body that its island keeps awake is stopped too. */
static void checkKinematic(ksiBodyState *body)
{
    const double *v = body->begin.velocity, *after = body->finished;
    double before = 0, left = 0;
    for (int k = 0; k < 6; k++) {
        before += fabs(v[k]);
        left += fabs(after[k]);
    }
    if (before == 0 || left != 0)
        return;
    memset(body->begin.velocity, 0, sizeof body->begin.velocity);
    body->reasons |= KS_REASON_RESET;
}

KSI_CLONES
void ksiPredictMotion(ksInspector *inspector, ksiBodyState *body)
{
    if (body->moved) {
        predictDynamic(inspector, body);
    } else {
        double applied[6];
        memset(body->solved, 0, sizeof body->solved);
        ksiScaleWrench(body, body->begin.force, applied);
        body->applied = ksiSize(applied, 6);
        if (body->begin.kinematic && body->begin.autoDisable)
            checkKinematic(body);
    }
}

void ksiPredictGone(ksInspector *inspector, ksiBodyState *body)
{
    double predicted[6];
    memcpy(predicted, body->begin.velocity, sizeof predicted);
    if (body->moved && body->dynamic)
        predict(inspector, body, predicted);
    body->moved = false;
    ksiPredictMotion(inspector, body);
    memcpy(body->solved, predicted, sizeof predicted);
}

void ksiEngineAcceleration(const ksInspector *inspector, int index, double *acceleration)
{
    const ksiIsland *island = &inspector->island[index];
    const double perStep = 1 / inspector->h;
    for (int i = 0; i < island->bodyCount; i++) {
        const ksiBodyState *body = ksiIslandBody(inspector, island, i);
        for (int k = 0; k < 6; k++)
            acceleration[6 * body->block + k] = (body->solved[k] - body->begin.velocity[k]) * perStep;
    }
}

/* What the pose tells: it was moved after the solution, and before anybody could change the velocity. 0: nothing. */
static unsigned blameByPose(const ksInspector *inspector, const ksiBodyState *body, double allowed)
{
    double posed[6], predicted[6], grain[6] = {0};
    ksiPosedVelocity(&body->begin, body->endCentre, body->endRotation, inspector->h, posed);
    predict(inspector, body, predicted);
    for (int k = 0; k < 3; k++) {
        grain[k] = roundingUnits * DBL_EPSILON * fabs(body->endCentre[k]) / inspector->h;
        grain[3 + k] = roundingUnits * DBL_EPSILON / inspector->h;
    }
    allowed += massNorm(&body->begin, grain) / inspector->h;
    const bool reported = apart(inspector, body, posed, predicted) <= allowed;
    const bool seen = apart(inspector, body, posed, body->solved) <= allowed;
    if (reported && !seen)
        return KS_REASON_MOTION;
    // a force added within the step can act under dWorldStep only
    return seen && !reported && inspector->stepper == KS_QUICK_STEP ? KS_REASON_REPORT : 0;
}

/* What the solution tells: dWorldStep's motion is near to it, and so is its report. 0: neither. */
static unsigned blameBySolution(const ksInspector *inspector, const ksiBodyState *body, double allowed)
{
    double exact[6], solved[6], predicted[6];
    for (int k = 0; k < 6; k++)
        exact[k] = body->begin.velocity[k] + inspector->h * body->converged[k];
    ksiUndoDamping(&body->begin, body->finished, exact, solved);
    predict(inspector, body, predicted);
    const double motion = apart(inspector, body, solved, exact), report = apart(inspector, body, predicted, exact);
    if (fmin(motion, report) > missedTolerance * allowed)
        return 0;
    return motion > report ? KS_REASON_MOTION : KS_REASON_REPORT;
}

/* What the rows tell: a motion that they explain may be right. Without rows both are in doubt, and so they are where reported
 * loads take part in it. */
static unsigned blameByRows(ksInspector *inspector, int index, double allowed)
{
    ksiIsland *island = &inspector->island[index];
    if (!ksiStands(inspector, index))
        return KS_REASON_REPORT | KS_REASON_MOTION;
    if (!island->explained) {
        double *acceleration = inspector->scratch;
        ksiEngineAcceleration(inspector, index, acceleration);
        if (ksiSystemExplain(ksiIslandSystem(inspector, index), acceleration, &island->unexplained))
            island->unexplained = INFINITY;
        island->explained = true;
    }
    if (island->unexplained <= allowed)
        return KS_REASON_REPORT;
    return island->loaded ? KS_REASON_REPORT | KS_REASON_MOTION : KS_REASON_MOTION;
}

/* Which of the two is wrong where the report does not explain the motion. */
static unsigned blame(ksInspector *inspector, const ksiBodyState *body, double allowed)
{
    if (body->island < 0 && body->heaviest == 0)
        return KS_REASON_MOTION;
    unsigned reason = blameByPose(inspector, body, allowed);
    if (!reason && body->island < 0)
        reason = KS_REASON_REPORT | KS_REASON_MOTION;
    if (!reason && inspector->stepper == KS_WORLD_STEP && inspector->island[body->island].solved)
        reason = blameBySolution(inspector, body, allowed);
    return reason ? reason : blameByRows(inspector, body->island, allowed);
}

/* Rounding of what the stepper adds up: of an inertia's inverse, by its condition, and of QuickStep's sweeps, on whose way
 * any joint may have carried what others do in the end. */
static double noise(const ksInspector *inspector, const ksiBodyState *body, double load)
{
    const double added = body->carried + sqrt(ksiLarger(0, 2 * body->kinetic[0])) / inspector->h;
    const double inverted = inertiaUnits * body->begin.condition * added;
    const double swept = sweepUnits * inspector->sweeps * ksiLarger(added, load);
    return DBL_EPSILON * (inverted + swept);
}

/* The smallest joint on a body counts: what is wrong with its report must not hide behind larger ones. */
static void checkBody(ksInspector *inspector, ksiBodyState *body)
{
    const double tolerance = inspector->options.momentumTolerance, rounding = body->rounding;
    const double load = body->island < 0 ? ksiHeaviest(body) : inspector->island[body->island].load;
    // a residual of rounding size is no more than the tolerance, however small the loads
    const double usual = tolerance * load + rounding;
    if (usual > 0)
        inspector->report.momentumResidual =
            ksiLarger(inspector->report.momentumResidual, tolerance * body->residual / usual);
    const double least = ksiSmaller(load, ksiSmaller(body->lightest, body->lightestLoad));
    const double allowed =
        body->island < 0 && body->heaviest == 0 ? usual : tolerance * least + noise(inspector, body, load) + rounding;
    if (body->residual > allowed)
        body->reasons |= blame(inspector, body, allowed);
}

void ksiCheckMomentum(ksInspector *inspector, int index)
{
    const ksiIsland *island = &inspector->island[index];
    for (int i = 0; i < island->bodyCount; i++) {
        ksiBodyState *body = ksiIslandBody(inspector, island, i);
        if (body->moved)
            checkBody(inspector, body);
    }
}

void ksiCheckLooseBodies(ksInspector *inspector)
{
    for (size_t i = 0; i < inspector->bodyCount; i++) {
        ksiBodyState *body = &inspector->body[i];
        if (body->moved && body->island < 0)
            checkBody(inspector, body);
    }
}
