/* mean_publish.c  What is published of the means of a joint: they are added up where somebody asks for them.
 *
 * How far a mean is from the force that the motion took: what the reports leave of the motion of the mechanism, by its rows as in
 * observed.c, and rounding. How far it is from the mean of the ideal mechanism: in the mean over the same steps the distance of both
 * forces, with what the two permitted velocity fields of a tree (physical_bars.c) differ by in the mean, and the bars of physical values
 * beside that. */
#include "mean.h"

#include "size.h"
#include "wrench.h"

#include "../engine/vector.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* units of rounding in a sum of steps */
static const double units = 8;

static const ksWrench unknown = {{NAN, NAN, NAN}, {NAN, NAN, NAN}};

void ksiFillNoMeans(ksReaction *reaction)
{
    for (int side = 0; side < 2; side++)
        reaction->mean[side] = reaction->meanInJoint[side] = unknown;
    reaction->meanBar = reaction->departure = unknown;
    reaction->meanTime = 0;
}

static void addBlock(const ksiMeanBlock *block, ksiMeanBlock *sum)
{
    ksiAddMany(sizeof block->sums / sizeof(double), 1, &block->sums.time, &sum->sums.time);
    sum->motors |= block->motors;
    sum->open |= block->open;
    sum->isVague |= block->isVague;
    sum->isApartUnknown |= block->isApartUnknown;
}

/* The fewest last blocks that take the window. */
static void addBlocks(const ksiMeans *means, const ksiMeanRun *run, ksiMeanBlock *sum)
{
    const double least = means->clock.window * (1 - ksiFillTolerance);
    *sum = (ksiMeanBlock){0};
    for (unsigned long b = means->clock.block; b >= run->first && sum->sums.time < least; b--)
        addBlock(&means->block[ksiMeanPlace(b)][run->slot], sum);
}

static void divide(const ksWrench *sum, double time, ksWrench *mean)
{
    for (int k = 0; k < 3; k++) {
        mean->force[k] = sum->force[k] / time;
        mean->torque[k] = sum->torque[k] / time;
    }
}

/* Adds the size of a row's wrench on body[0] about the anchor, `times` over. */
static void addRow(const ksiJointInput *joint, const ksReaction *reaction, int l, double times, ksWrench *sum)
{
    ksWrench row;
    memcpy(&row, joint->rows.row[l].jacobian[0], sizeof row);
    if (!isnan(reaction->anchor[0][0]))
        ksiMoveWrench(&row, reaction->centre[0], reaction->anchor[0]);
    for (int k = 0; k < 3; k++) {
        sum->force[k] += fabs(row.force[k]) * times;
        sum->torque[k] += fabs(row.torque[k]) * times;
    }
}

static void hideOpen(unsigned open, ksWrench *wrench)
{
    for (int k = 0; k < 3; k++) {
        if (open >> (KS_LIMIT_FORCE_X + k) & 1u)
            wrench->force[k] = NAN;
        if (open >> (KS_LIMIT_TORQUE_X + k) & 1u)
            wrench->torque[k] = NAN;
    }
}

/* By how much a row's multiplier is off, in the mean: 0 at a bound, whose force is known. */
static double rowBar(const ksiStep *step, int index, int l, const ksiMeanBlock *sum)
{
    const double relaxed = step->converged[index].relaxed[l];
    return isnan(relaxed) ? 0 : relaxed * sum->sums.remainder / sum->sums.time;
}

static bool hasBars(const ksiStep *step, int index, const ksiMeanBlock *sum)
{
    return !sum->isVague && (step->observed[index].isKnown || step->joint[index].rows.count == 0);
}

static void fillBar(const ksiStep *step, int index, const ksiMeanBlock *sum, ksReaction *reaction)
{
    const ksiJointInput *joint = &step->joint[index];
    const ksWrench *mean = &reaction->mean[0];
    ksWrench *bar = &reaction->meanBar;
    *bar = unknown;
    if (!hasBars(step, index, sum))
        return;
    const double force = ksiSize(mean->force, 3), torque = ksiSize(mean->torque, 3);
    for (int k = 0; k < 3; k++) {
        bar->force[k] = units * DBL_EPSILON * force;
        bar->torque[k] = units * DBL_EPSILON * torque;
    }
    for (int l = 0; l < joint->rows.count; l++)
        addRow(joint, reaction, l, rowBar(step, index, l, sum), bar);
    hideOpen(sum->open, bar);
}

static void fillDeparture(const ksiStep *step, int index, const ksiMeanBlock *sum, ksReaction *reaction)
{
    const ksiJointInput *joint = &step->joint[index];
    ksWrench *departure = &reaction->departure;
    *departure = unknown;
    if (sum->isApartUnknown)
        return;
    for (int k = 0; k < 3; k++) {
        departure->force[k] = (fabs(sum->sums.beyond[k]) + fabs(sum->sums.fields[k])) / sum->sums.time;
        departure->torque[k] = (fabs(sum->sums.beyond[3 + k]) + fabs(sum->sums.fields[3 + k])) / sum->sums.time;
    }
    for (int l = 0; l < joint->rows.count; l++)
        addRow(joint, reaction, l, sum->sums.uncertain[l] / sum->sums.time, departure);
    hideOpen(sum->open, departure);
}

static void fillMotors(const ksiStep *step, int index, const ksiMeanBlock *sum, ksReaction *reaction)
{
    const ksiRows *rows = &step->joint[index].rows;
    for (int axis = 0; axis < 3; axis++) {
        ksMotor *motor = &reaction->motor[axis];
        if (!(sum->motors >> axis & 1u))
            continue;
        motor->mean = sum->sums.motor[axis] / sum->sums.time;
        motor->meanBar = hasBars(step, index, sum) ? units * DBL_EPSILON * fabs(motor->mean) : (double)NAN;
        for (int l = 0; l < rows->count; l++)
            if (rows->axis[l] == axis && rows->row[l].kind == KS_ROW_MOTOR)
                motor->meanBar += rowBar(step, index, l, sum);
    }
}

/* A contact is one of this step alone. */
static void fillContact(const ksiStep *step, int index, ksReaction *reaction)
{
    if (!step->report[index].isFinite || step->verdict[index].verdict == KS_NOT_SOLVED)
        return;
    reaction->meanTime = step->h;
    for (int side = 0; side < 2; side++) {
        ksWrench *mean = &reaction->mean[side];
        if (!reaction->body[side])
            continue;
        *mean = reaction->engine[side];
        ksiMoveWrench(mean, reaction->centre[side], reaction->anchor[side]);
        reaction->meanInJoint[side] = *mean;
        ksiTurnWrench(&reaction->meanInJoint[side], reaction->axes);
    }
}

void ksiFillMeans(const ksiStep *step, int index, ksReaction *reaction)
{
    const ksiMeanRun *run = &step->meanRun[index];
    ksiMeanBlock sum;
    ksiFillNoMeans(reaction);
    if (run->slot < 0) {
        fillContact(step, index, reaction);
        return;
    }
    if (!run->isOn)
        return;
    addBlocks(step->means, run, &sum);
    reaction->meanTime = sum.sums.time;
    for (int side = 0; side < 2; side++) {
        if (!reaction->body[side])
            continue;
        divide(&sum.sums.world[side], sum.sums.time, &reaction->mean[side]);
        divide(&sum.sums.turned[side], sum.sums.time, &reaction->meanInJoint[side]);
    }
    fillBar(step, index, &sum, reaction);
    fillDeparture(step, index, &sum, reaction);
    if (sum.motors)
        fillMotors(step, index, &sum, reaction);
}
