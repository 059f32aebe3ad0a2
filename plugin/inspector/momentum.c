/* momentum.c  Does what the engine reported explain the motion that it made?
 *
 *     M (v* - v)/h  =  f + sum of J^T lambda,      then speed cap, then damping
 *
 * holds to rounding in both steppers, converged or not: it certifies the report, not the solution. */
#include "inspector_private.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* units of rounding in a velocity, through h and the stepper's own sums */
static const double roundingUnits = 64;
/* dWorldStep's own error in the motion over that in momentum: its factorisation loses some digits */
static const double missedTolerance = 1e3;

static double massNorm(const ksiBody *body, const double v[6])
{
    double sum = 0;
    for (int i = 0; i < 3; i++) {
        sum += body->mass * v[i] * v[i];
        for (int k = 0; k < 3; k++)
            sum += v[3 + i] * body->inertia[3 * i + k] * v[3 + k];
    }
    return sqrt(fmax(sum, 0));
}

/* v* = v + h M^-1 (f + reported); returns the size of what is missing to the velocity found after the step, per h */
static double predict(const ksInspector *inspector, const ksiBodyState *body, double solved[6], int *capped)
{
    const ksiBody *b = &body->begin;
    double force[6], finished[6], missing[6];
    for (int k = 0; k < 6; k++)
        force[k] = b->force[k] + body->fudge[k] + body->reported[k];
    for (int i = 0; i < 3; i++) {
        solved[i] = b->velocity[i] + inspector->h * force[i] / b->mass;
        solved[3 + i] = b->velocity[3 + i];
        for (int k = 0; k < 3; k++)
            solved[3 + i] += inspector->h * b->inverse[3 * i + k] * force[3 + k];
    }
    ksiFinishVelocity(b, solved, finished, capped);
    for (int k = 0; k < 6; k++)
        missing[k] = (body->finished[k] - finished[k]) / inspector->h;
    return massNorm(b, missing);
}

/* An idle body of an island that others keep awake is stopped first, then stepped from rest. */
static bool wasReset(const ksInspector *inspector, ksiBodyState *body, double solved[6], int *capped)
{
    ksiBodyState rest = *body;
    memset(rest.begin.velocity, 0, sizeof rest.begin.velocity);
    for (int k = 0; k < 3; k++)
        rest.begin.force[3 + k] -= body->begin.gyroscopic[k];
    double residual = predict(inspector, &rest, solved, capped);
    if (residual >= 1e-6 * body->residual)
        return false;
    rest.residual = residual;
    rest.reasons |= KS_REASON_RESET;
    *body = rest;
    return true;
}

double ksiRounding(const ksInspector *inspector, const ksiBodyState *body)
{
    double speed = fmax(massNorm(&body->begin, body->begin.velocity), massNorm(&body->begin, body->finished));
    return roundingUnits * DBL_EPSILON * speed / inspector->h;
}

static void predictDynamic(ksInspector *inspector, ksiBodyState *body)
{
    double predicted[6], reported[6];
    int capped;
    body->residual = predict(inspector, body, predicted, &capped);
    double rounding = ksiRounding(inspector, body);
    if (body->begin.autoDisable && body->residual > rounding)
        wasReset(inspector, body, predicted, &capped);
    if (capped)
        body->reasons |= KS_REASON_SPEED_CAP;
    // what was cut off is known only by prediction, from a report that explains the rest
    int unique = ksiUndoDamping(&body->begin, body->finished, body->solved);
    ksiScaleWrench(body, body->reported, reported);
    double load = ksiAppliedSize(body) + ksiSize(reported, 6);
    if (!unique && body->residual <= inspector->options.momentumTolerance * load + rounding)
        memcpy(body->solved, predicted, sizeof predicted);
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

void ksiPredictMotion(ksInspector *inspector)
{
    for (size_t i = 0; i < inspector->bodyCount; i++) {
        ksiBodyState *body = &inspector->body[i];
        if (body->moved)
            predictDynamic(inspector, body);
        else if (body->begin.kinematic && body->begin.autoDisable)
            checkKinematic(body);
    }
}

double ksiAppliedSize(const ksiBodyState *body)
{
    double force[6], scaled[6];
    for (int k = 0; k < 6; k++)
        force[k] = body->begin.force[k] + body->fudge[k];
    ksiScaleWrench(body, force, scaled);
    return ksiSize(scaled, 6);
}

static double islandLoad(ksInspector *inspector, const ksiIsland *island)
{
    double load = 0, scaled[12];
    for (int i = 0; i < island->bodyCount; i++)
        load = fmax(load, ksiAppliedSize(&inspector->body[inspector->islandBody[island->firstBody + i]]));
    for (int i = 0; i < island->jointCount; i++) {
        const ksiJointState *joint = &inspector->joint[inspector->islandJoint[island->firstJoint + i]];
        if (!joint->finite)
            continue;
        ksiScaledReaction(joint, joint->multiplier, scaled);
        load = fmax(load, ksiSize(scaled, 12));
        if (joint->hasConverged) {
            ksiScaledReaction(joint, joint->converged, scaled);
            load = fmax(load, ksiSize(scaled, 12));
        }
    }
    return load;
}

/* dWorldStep solves its equations: a motion that is not their solution was changed afterwards. */
static bool missesSolution(const ksInspector *inspector, const ksiBodyState *body, double allowed)
{
    double missed[6];
    for (int k = 0; k < 6; k++)
        missed[k] = (body->solved[k] - body->begin.velocity[k]) / inspector->h - body->converged[k];
    return massNorm(&body->begin, missed) > missedTolerance * allowed;
}

/* The report is wrong where the rows explain the motion; otherwise the motion itself is. */
static unsigned blame(ksInspector *inspector, const ksiBodyState *body, double allowed)
{
    double unexplained;
    int index = body->island;
    if (index < 0 || !inspector->island[index].built)
        return KS_REASON_MOTION;
    if (inspector->stepper == KS_WORLD_STEP && inspector->island[index].solved)
        return missesSolution(inspector, body, allowed) ? KS_REASON_MOTION : KS_REASON_REPORT;
    double *acceleration = inspector->scratch;
    ksiEngineAcceleration(inspector, index, acceleration);
    if (ksiSystemExplain(inspector->system[index], acceleration, &unexplained))
        return KS_REASON_MOTION;
    return unexplained <= allowed ? KS_REASON_REPORT : KS_REASON_MOTION;
}

static void checkBody(ksInspector *inspector, ksiBodyState *body, double load)
{
    double tolerance = inspector->options.momentumTolerance, allowed = tolerance * load + ksiRounding(inspector, body);
    // a residual of rounding size is no more than the tolerance, however small the loads
    if (allowed > 0)
        inspector->report.momentumResidual =
            fmax(inspector->report.momentumResidual, tolerance * body->residual / allowed);
    if (body->residual > allowed)
        body->reasons |= blame(inspector, body, allowed);
}

void ksiCheckMomentum(ksInspector *inspector)
{
    for (size_t i = 0; i < inspector->islandCount; i++)
        inspector->island[i].load = islandLoad(inspector, &inspector->island[i]);
    for (size_t i = 0; i < inspector->bodyCount; i++) {
        ksiBodyState *body = &inspector->body[i];
        if (body->moved)
            checkBody(inspector, body, body->island < 0 ? ksiAppliedSize(body) : inspector->island[body->island].load);
    }
}
