/* report.c  Phase 2: reads the engine's report. Finds wrenches, their multipliers, and bounds.
 *
 * The feedback of a joint, together with the motors of axes at their stops, is J^T lambda. So
 * lambda follows from it by least squares in the mass metric. The remainder is not a reaction of
 * this joint. */
#include "../host/feedback.h"
#include "../phases.h"
#include "../publish/wrench_norm.h"
#include "bound_state.h"

#include "../../base/vectorise.h"
#include "../../linear/leastsquares.h"

#include <math.h>
#include <string.h>

/* The reported wrench on a kinematic body, whose motion shows nothing, is compared with the
 * multipliers of the joint. The error of these multipliers is rounding divided by this
 * tolerance. */
static double kinematicTolerance(const ksiRows *rows)
{
    return rows->isSingle ? 1e-4 : 1e-6;
}

/* Is every number of the feedback finite? NaN marks an unwritten feedback, or comes from the
 * engine. */
static bool isFinite(const ksiJointInput *joint, const dJointFeedback *fb)
{
    double room[4];
    ksiFour sum = *(const ksiFour *)ksiForceIn(fb, 0, room);  // the fourth numbers do not count
    sum += *(const ksiFour *)ksiTorqueIn(fb, 0, room);
    if (joint->body[1]) {
        sum += *(const ksiFour *)ksiForceIn(fb, 1, room);
        sum += *(const ksiFour *)ksiTorqueIn(fb, 1, room);
    }
    return isfinite(sum[0] + sum[1] + sum[2]);
}

static bool isEmpty(const ksiJointInput *joint, int l)
{
    if (ksiDotTwelve(joint->scaled[l], joint->scaled[l]) > 0)
        return false;
    const double *jacobian = joint->rows.row[l].jacobian[0];
    for (int k = 0; k < 12; k++) {
        if (jacobian[k] != 0)
            return false;
    }
    return true;
}

void ksiPlaceRows(const ksiStep *step, size_t index, ksiReport *out)
{
    const ksiJointInput *joint = &step->joint[index];
    const double *multiplier = step->report[index].multiplier;
    ksiPlaces *places = &out->places[index];
    for (int l = 0; !joint->rows.plain && l < joint->rows.count; l++) {
        places->place[l] = isEmpty(joint, l) ? KS_INACTIVE : KS_INSIDE;
        ksiSetReportedBounds(step, index, l, places);
        if (places->place[l] == KS_INSIDE && ksiRowHasBounds(&joint->rows.row[l]))
            places->place[l] = ksiPlaceBetween(joint->rows.count, joint->rows.isSingle, multiplier, l, places->low[l],
                                               places->high[l]);
    }
}

/* Joints with the same number of rows, whose multipliers are found together. */
typedef struct Batch {
    int count;
    size_t joint[KSI_LEAST_SQUARES_AT_ONCE];
    ksiFit fit[KSI_LEAST_SQUARES_AT_ONCE];
} Batch;

double ksiSizeOfMotors(const ksiJointInput *joint)
{
    double sum = 0;
    for (int l = 0; joint->rows.powered >> l; l++)
        if (joint->rows.powered >> l & 1u)
            sum += fabs(joint->rows.motor[l].force) * ksiSize(joint->scaled[l], 12);
    return sum;
}

/* Does `reported` differ from the sum of lambda_l J_l, if each lambda_l may be wrong by a share of
 * the joint's load? */
static bool contradicts(const ksiJointInput *joint, const ksiJointReport *report, int side, int from,
                        const double reported[3])
{
    const double load = ksiLarger(report->load, ksiSizeOfMotors(joint));
    double difference[3] = {reported[0], reported[1], reported[2]}, room = 0;
    for (int l = 0; l < joint->rows.count; l++) {
        const double *jacobian = joint->rows.row[l].jacobian[side] + from;
        for (int k = 0; k < 3; k++)
            difference[k] -= report->multiplier[l] * jacobian[k];
        room += ksiSize(jacobian, 3) / ksiSize(joint->scaled[l], 12);
    }
    return ksiSize(difference, 3) > kinematicTolerance(&joint->rows) * (room * load + ksiSize(reported, 3));
}

static void checkKinematic(const ksiStep *step, size_t index, ksiJointReport *report)
{
    const ksiJointInput *joint = &step->joint[index];
    const dJointFeedback *fb = &step->feedback[index].own;
    for (int side = 0; side < 2; side++) {
        double room[2][4];
        const double *force = ksiForceIn(fb, side, room[0]), *torque = ksiTorqueIn(fb, side, room[1]);
        if (joint->bodyIndex[side] < 0 || step->body[joint->bodyIndex[side]].dynamic)
            continue;
        if (contradicts(joint, report, side, 0, force) || contradicts(joint, report, side, 3, torque))
            report->reasons |= KS_REASON_REPORT;
    }
}

/* The engine adds a motor and its stop one after the other. */
static void addLoad(const ksiJointInput *joint, double load, ksiBodyReport *body)
{
    const double added = load + 2 * ksiSizeOfMotors(joint);
    for (int side = 0; side < 2; side++)
        if (joint->bodyIndex[side] >= 0)
            body[joint->bodyIndex[side]].loadSum += added;
}

static void fitMultipliers(const ksiStep *step, int rows, Batch *batch, ksiReport *out)
{
    if (batch->count > 0)
        ksiLeastSquares(rows, batch->count, ksiRowRank(step->isSingle), batch->fit);
    for (int i = 0; i < batch->count; i++) {
        const size_t index = batch->joint[i];
        ksiJointReport *report = &out->joint[index];
        report->rank = batch->fit[i].rank;
        report->load = batch->fit[i].size;
        report->residue = batch->fit[i].rest;
        addLoad(&step->joint[index], report->load, out->body);
        if (report->rank == rows)
            checkKinematic(step, index, report);
        if (!step->joint[index].rows.plain)
            ksiPlaceRows(step, index, out);
    }
    batch->count = 0;
}

KSI_INLINE void addWrench(double sum[6], const double force[4], const double torque[4])
{
    const ksiFour f = *(const ksiFour *)force, t = *(const ksiFour *)torque;
    *(ksiFour *)sum += KSI_SHUFFLE(f, t, 0, 1, 2, 4);
    *(ksiTwo *)(sum + 4) += *(const ksiTwo *)(torque + 1);
}

/* The reported wrench on one side: for the body, and scaled for the fit. */
KSI_INLINE void takeWrench(const ksiBodyInput *body, bool isLoad, const dJointFeedback *feedback, int side,
                           ksiBodyReport *report, double scaled[6])
{
    double room[2][4];
    const double *force = ksiForceIn(feedback, side, room[0]), *torque = ksiTorqueIn(feedback, side, room[1]);
    ksiScaleByRoot(ksiMassRoot(body), force, torque, scaled);
    addWrench(report->net, force, torque);
    if (isLoad)
        addWrench(report->loads, force, torque);
}

KSI_CLONES
static void takeWrenches(const ksiStep *step, size_t index, Batch *batch, ksiReport *out)
{
    const ksiJointInput *joint = &step->joint[index];
    const dJointFeedback *fb = &step->feedback[index].own;
    ksiFit *fit = &batch->fit[batch->count];
    const int *body = joint->bodyIndex;
    batch->joint[batch->count++] = index;
    fit->a = joint->scaled[0];
    fit->x = out->joint[index].multiplier;
    takeWrench(&step->body[body[0]], joint->isLoad, fb, 0, &out->body[body[0]], fit->b);
    if (body[1] < 0)
        memset(fit->b + 6, 0, 6 * sizeof *fit->b);
    else
        takeWrench(&step->body[body[1]], joint->isLoad, fb, 1, &out->body[body[1]], fit->b + 6);
}

/* Clears a joint's report. Bounds are set later, for rows that have any. */
static void clear(ksiJointReport *report, ksiPlaces *places)
{
    report->reasons = 0;
    report->rank = 0;
    report->load = report->residue = report->fudgeWork = 0;
    for (int l = 0; l < KSI_MAX_ROWS; l++) {
        report->multiplier[l] = 0;
        places->place[l] = places->degenerate[l] = KS_INSIDE;
    }
}

static void addStoppedMotors(const ksiJointInput *joint, int side, dJointFeedback *feedback)
{
    double force[3], torque[3];
    ksiTakeFeedback(feedback, side, force, torque);
    ksiAddStoppedMotors(&joint->rows, side, 1, force, torque);
    ksiPutFeedback(force, torque, side, feedback);
}

static void readReport(const ksiStep *step, size_t index, Batch *batch, dJointFeedback *fb, ksiReport *out)
{
    const ksiJointInput *joint = &step->joint[index];
    ksiJointReport *report = &out->joint[index];
    clear(report, &out->places[index]);
    Batch *equal = &batch[joint->rows.count];
    report->isFinite = joint->isRead && isFinite(joint, fb);
    if (report->isFinite && joint->rows.powered) {
        addStoppedMotors(joint, 0, fb);
        if (joint->body[1])
            addStoppedMotors(joint, 1, fb);
    }
    report->isWritten = report->isFinite || (joint->isRead && ksiFeedbackWritten(fb, 0));
    if (report->isFinite)
        takeWrenches(step, index, equal, out);
    else if (report->isWritten)
        report->reasons |= KS_REASON_NOT_FINITE;
    if (joint->isRead && !report->isFinite)
        ksiPlaceRows(step, index, out);
    if (equal->count == KSI_LEAST_SQUARES_AT_ONCE)
        fitMultipliers(step, joint->rows.count, equal, out);
}

/* J^T lambda */
static void addExpected(const ksiJointInput *joint, int side, const double *multiplier, double sum[6])
{
    for (int l = 0; l < joint->rows.count; l++)
        ksiAddSix(sum, multiplier[l], joint->rows.row[l].jacobian[side]);
}

void ksiAddExpectedLoad(const ksiStep *step, size_t index, ksiReport *out)
{
    const ksiJointInput *joint = &step->joint[index];
    KSI_EACH_BODY (joint->bodyIndex, side, at)
        addExpected(joint, side, out->joint[index].multiplier, out->body[at].loads);
}

void ksiSumExpected(const ksiStep *step, int island, ksiReport *out)
{
    KSI_EACH_ISLAND_BODY (step, &step->island[island], i, body)
        memset(out->body[body].net, 0, sizeof out->body->net);
    KSI_EACH_JOINT (step, &step->island[island], i, index) {
        const ksiJointInput *joint = &step->joint[index];
        KSI_EACH_BODY (joint->bodyIndex, side, at)
            addExpected(joint, side, out->joint[index].multiplier, out->body[at].net);
    }
}

/* Marks the existing joints that take part in the step. */
void ksiExpectReport(const ksiStep *step, ksiReport *out)
{
    size_t expected = 0;
    for (size_t i = 0; i < step->jointCount; i++) {
        clear(&out->joint[i], &out->places[i]);
        out->joint[i].isWritten = out->joint[i].isFinite = false;
    }
    for (size_t i = 0; i < step->bodyCount; i++)
        out->body[i] = (ksiBodyReport){{0}, {0}, 0};
    for (dJointID j = ksiFirstJoint(&step->engine); j; j = ksiNextJoint(j)) {
        const int index = ksiJointAt(step->input, j, expected);
        if (index < 0)
            continue;
        expected = (size_t)index + 1;
        const bool isIn = step->joint[index].isRead && (step->isForeign || ksiIsInIsland(j));
        out->joint[index].isWritten = out->joint[index].isFinite = isIn;
    }
}

void ksiReadReport(const ksiStep *step, ksiJointFeedback *feedback, ksiReport *out)
{
    Batch batch[KSI_MAX_ROWS + 1];
    size_t expected = 0, met = 0;
    for (int rows = 0; rows <= KSI_MAX_ROWS; rows++)
        batch[rows].count = 0;
    memset(out->body, 0, step->bodyCount * sizeof *out->body);
    for (size_t i = 0; i < step->jointCount; i++)
        out->joint[i].isMet = out->joint[i].isAlive = false;
    for (dJointID j = ksiFirstJoint(step->seen); j && step->jointCount > 0; j = ksiNextJoint(j)) {
        const int index = ksiJointAt(step->input, ksiIdOfJoint(step->seen, j), expected);
        if (index < 0)
            continue;
        expected = (size_t)index + 1;
        out->joint[index].isMet = true;
        met++;
        ksiTakeFeedbackOff(step, (size_t)index, j, &out->joint[index]);
        readReport(step, (size_t)index, batch, &feedback[index].own, out);
    }
    for (size_t i = 0; met < step->jointCount && i < step->jointCount; i++) {
        if (out->joint[i].isMet)
            continue;
        out->joint[i].mark = 0;
        readReport(step, i, batch, &feedback[i].own, out);
    }
    for (int rows = 0; rows <= KSI_MAX_ROWS; rows++)
        fitMultipliers(step, rows, &batch[rows], out);
}
