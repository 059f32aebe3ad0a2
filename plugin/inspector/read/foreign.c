/* foreign.c  Handles a step of another engine: its equations are unknown, only its motion is known.
 * The multipliers lambda explain the motion as far as joints can: |M^-1/2 (M a - f - J^T lambda)|
 * is least (Gauss 1829). With the rows J of the pose before the step, they satisfy
 *
 *     J M^-1 J^T lambda = J M^-1 (M a - f)
 *
 * Here M a h is the change of momentum and of angular momentum. These are the equations of a step
 * with c = J v* of the actual motion. Their solution replaces the engine's report; no joint
 * explains the remainder of the motion. */
#include "../inspector.h"
#include "../phases.h"
#include "../publish/wrench_norm.h"
#include "body_motion.h"

#include "../../engine/vector.h"

#include <math.h>
#include <string.h>

/* --- The motion --- */

/* out = A^T a */
static void turnBack(double out[3], const double A[9], const double a[3])
{
    for (int i = 0; i < 3; i++)
        out[i] = A[i] * a[0] + A[3 + i] * a[1] + A[6 + i] * a[2];
}

/* I' w', with the inertia of the pose after the step: D I D^T w', D = R' R^T */
static void momentumAfter(const ksiBody *begin, const ksiBodyEnd *end, const double w[3], double out[3])
{
    double own[3], there[3];
    turnBack(own, end->rotation, w);
    ksiTransform(there, begin->rotation, own);
    ksiTransform(own, begin->inertia, there);
    turnBack(there, begin->rotation, own);
    ksiTransform(out, end->rotation, there);
}

/* Replaces the stepper's gyroscopic torque by (I - I') w'/h, so that the other torques explain the
 * change of angular momentum, I' w' - I w. The other engine's integration of rotations is unknown,
 * so the difference of this torque from ODE's is an uncertainty. */
static void findGyroscopic(const ksiStep *step, size_t index, ksiBodyInput *body)
{
    ksiBody *begin = &body->begin;
    const ksiBodyMotion *motion = &step->motion[index];
    double after[3], same[3], change[6] = {0}, scaled[6];
    if (!begin->gyroscopicMode || !motion->moved)
        return;
    momentumAfter(begin, &motion->end, motion->undamped + 3, after);
    ksiTransform(same, begin->inertia, motion->undamped + 3);
    for (int k = 0; k < 3; k++) {
        const double torque = (same[k] - after[k]) / step->h;
        change[3 + k] = torque - begin->gyroscopic[k];
        begin->force[3 + k] += change[3 + k];
        begin->gyroscopic[k] = torque;
    }
    ksiScaleWrench(body, change, scaled);
    body->open = ksiSize(scaled, 6);
}

/* A host that drives a body also gives its velocity after the step. The change within the step is
 * an acceleration, in addition to the change just before the step. */
static void findDriven(const ksiBodyMotion *motion, ksiBodyInput *body)
{
    double gained[6], sum = 0;
    for (int k = 0; k < 6; k++) {
        gained[k] = motion->end.velocity[k] - body->begin.velocity[k] + (body->driven ? body->gained[k] : 0);
        sum += gained[k];
    }
    if (!body->begin.kinematic || !isfinite(sum))
        return;
    memcpy(body->gained, gained, sizeof gained);
    if (!body->driven)
        memcpy(body->moving, body->begin.velocity, sizeof body->moving);
    body->driven = true;
}

/* ODE's default CFM: enough for loops whose joints do not quite fit, so that their rows contradict
 * each other a little. */
static const double regularisation = 1e-10;

/* c = J v*, without bounds and compliance: the engine's equations are unknown. */
static void takeRows(const ksiStep *step, ksiInput *input, ksiJointInput *joint)
{
    static const double rest[6];
    const double *velocity[2] = {rest, rest};
    ksiFour both[3];
    KSI_EACH_BODY (joint->bodyIndex, side, body)
        velocity[side] = step->motion[body].moved ? step->motion[body].undamped : step->body[body].begin.velocity;
    ksiJoinSixes(velocity, both);
    joint->isBounded = false;
    joint->soft = KSI_NOT_SOFT;
    joint->rows.plain = 1;
    joint->rows.powered = 0;
    joint->rows.mostCompliant = regularisation;
    for (int l = 0; l < joint->rows.count; l++) {
        ksiRow *row = &joint->rows.row[l];
        row->c = ksiDotTwelve(row->jacobian[0], (const double *)both);
        row->cfm = ksiSmaller(regularisation, step->options.rigidCfm);
        row->lo = -INFINITY;
        row->hi = INFINITY;
        row->findex = -1;
        joint->rows.plain &= ksiDotTwelve(row->jacobian[0], row->jacobian[0]) > 0;
        for (int side = 0; !isfinite(row->c) && side < 2; side++)
            if (joint->bodyIndex[side] >= 0)
                input->body[joint->bodyIndex[side]].reasons |= KS_REASON_NOT_FINITE;
    }
}

/* Copies the joint's report, which the bracket has read, before the force that explains the motion
 * overwrites it. */
static ksiGivenReport keepGiven(const ksiJointInput *joint, const dJointFeedback *from)
{
    ksiGivenReport given;
    for (int side = 0; side < 2; side++) {
        const bool isTold = joint->isRead && joint->body[side] && ksiFeedbackWritten(from, side);
        given.on[side] = ksiUnknownWrench;
        if (isTold)
            ksiTakeFeedback(from, side, given.on[side].force, given.on[side].torque);
    }
    double sum = 0;
    for (int k = 0; k < 3; k++) {
        sum += given.on[0].force[k] + given.on[0].torque[k];
        sum += joint->body[1] ? given.on[1].force[k] + given.on[1].torque[k] : 0;
    }
    given.isKnown = isfinite(sum);
    return given;
}

/* --- The forces that explain it --- */

static void explain(const ksiJointInput *joint, const int *row, const double *multiplier, dJointFeedback *feedback)
{
    enum { STRIDE = sizeof(ksiRow) / sizeof(double) };
    double own[KSI_MAX_ROWS];
    ksWrench on[2];
    for (int l = 0; l < joint->rows.count; l++)
        own[l] = multiplier && row[l] >= 0 ? multiplier[row[l]] : 0;
    ksiSumTwelve(joint->rows.count, own, joint->rows.row[0].jacobian[0], STRIDE, (ksiFour *)on);
    for (int side = 0; side < 2; side++)
        ksiPutFeedback(on[side].force, on[side].torque, side, feedback);
}

/* Leaves the multipliers in the solver's scratch memory, by rows of its system. */
static ksStatus solveIsland(ksInspector *inspector, ksiSolver *solver, int index)
{
    const ksiStep *step = &inspector->step;
    if (step->island[index].obstacles || ksiIsOverBudget(step, index))
        return KS_ERROR_UNAVAILABLE;
    KSI_TRY(ksiReserveScratch(step, solver, index));
    ksiTakeReportedPlaces(step, index, inspector->converged.places);
    KSI_TRY(ksiBuildSystem(step, solver, index, inspector->converged.places));
    KSI_TRY(ksiSystemSolveLeastNorm(solver->system, solver->scratch, NULL));
    double sum = 0;
    for (int l = 0; l < step->island[index].rowCount; l++)
        sum += solver->scratch[l];
    return isfinite(sum) ? KS_OK : KS_ERROR_NOT_FINITE;
}

/* An island that cannot be solved explains nothing; later phases find the reason, unless memory is
 * short. status: why no solution is tried; KS_OK: a solution is tried. */
static ksStatus explainIsland(ksInspector *inspector, int index, ksStatus status)
{
    const ksiStep *step = &inspector->step;
    const ksiIsland *island = &step->island[index];
    ksiSolver *solver = status ? NULL : ksiSolverOf(inspector, index);
    if (!status)
        status = solveIsland(inspector, solver, index);
    KSI_EACH_JOINT (step, island, i, joint) {
        explain(&step->joint[joint], status ? NULL : solver->layout[joint].row, status ? NULL : solver->scratch,
                &inspector->input.feedback[joint].own);
        inspector->input.joint[joint].reasons |= status == KS_ERROR_NO_MEMORY ? KS_REASON_MEMORY : 0u;
    }
    return status == KS_ERROR_NO_MEMORY ? status : KS_OK;
}

ksStatus ksiExplainMotion(ksInspector *inspector)
{
    const ksiStep *step = &inspector->step;
    ksiInput *input = &inspector->input;
    ksiExpectReport(step, &inspector->report);
    ksiReadMotion(step, &inspector->motion);
    for (size_t i = 0; i < step->bodyCount; i++) {
        findGyroscopic(step, i, &input->body[i]);
        findDriven(&step->motion[i], &input->body[i]);
        input->anyDriven |= input->body[i].driven;
    }
    for (size_t i = 0; i < step->jointCount; i++) {
        ksiJointInput *joint = &input->joint[i];
        input->given[i] = keepGiven(joint, &input->feedback[i].own);
        if (joint->isRead && !joint->isLoad)
            takeRows(step, input, joint);
    }
    ksiFindIslands(step, inspector->parent, &inspector->islands);
    ksStatus status = ksiDivideIslands(inspector);
    for (int i = 0; i < (int)step->islands->count; i++)
        status = explainIsland(inspector, i, status);
    return status;
}

double ksiShiftInStep(const ksiStep *step, int index)
{
    const ksiBody *first = ksiBodyOfJoint(step, index, 0), *second = ksiBodyOfJoint(step, index, 1);
    const int onto = step->joint[index].bodyIndex[1];
    double turning = ksiSize(first->velocity + 3, 3), slide[3], arm[3], torque[6] = {0}, scaled[6] = {0}, room[4];
    if (second) {
        turning = ksiLarger(turning, ksiSize(second->velocity + 3, 3));
        ksiSubtract(arm, second->centre, first->centre);
        ksiCross(slide, first->velocity + 3, arm);
        ksiAddScaled(slide, 1, first->velocity);
        ksiAddScaled(slide, -1, second->velocity);
        ksiCross(torque + 3, slide, ksiForceIn(&step->feedback[index].own, 1, room));
        ksiScaleWrench(&step->body[onto], torque, scaled);
    }
    return step->h / 2 * (turning * step->report[index].load + ksiSize(scaled, 6));
}

static void scaleGiven(const ksiStep *step, int index, double scaled[12])
{
    memset(scaled, 0, 12 * sizeof *scaled);
    KSI_EACH_BODY (step->joint[index].bodyIndex, side, at)
        ksiScaleWrench(&step->body[at], (const double *)&step->given[index].on[side], scaled + 6 * side);
}

double ksiHiddenByDrift(const ksiStep *step, int index, double drift)
{
    double given[12];
    scaleGiven(step, index, given);
    const double told = step->given[index].isKnown ? ksiSize(given, 12) : 0;
    return drift * ksiLarger(told, step->report[index].load);
}

ksiDeviation ksiDeviationOfGiven(const ksiStep *step, int index, const ksiJointFree *free)
{
    const ksiJointInput *joint = &step->joint[index];
    const ksiStressShare *share = ksiSharesOf(step, free);
    double observed[12], given[12];
    ksiScaledReaction(joint, step->report[index].multiplier, observed);
    scaleGiven(step, index, given);
    for (int f = 0; f < free->count; f++, share++) {
        const double known = ksiDotTwelve(share->scaled, observed), told = ksiDotTwelve(share->scaled, given);
        for (int k = 0; k < 12; k++) {
            observed[k] -= known * share->scaled[k];
            given[k] -= told * share->scaled[k];
        }
    }
    double difference[12];
    for (int k = 0; k < 12; k++)
        difference[k] = given[k] - observed[k];
    return (ksiDeviation){.size = ksiLarger(ksiSize(given, 12), ksiSize(observed, 12)),
                          .difference = ksiSize(difference, 12)};
}
