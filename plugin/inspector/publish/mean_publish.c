/* mean_publish.c  Publishes the means of a joint, which are summed on request.
 *
 * The bar of a mean contains rounding, and the effect of the motion that the reports do not
 * explain, row by row as in observed.c. The departure from the ideal mechanism is the distance
 * between two means over the same steps: of the force that explains the motion, and of the physical
 * force. In a tree, a term is added: the mean change of the physical force that the other
 * permitted velocity field causes (physical_bars.c).
 *
 * In loops and in softened trees, the physical force may contain a share of the engine's force.
 * Then this distance may be too short, and a term by momentum is added. Let `s` be the impulses
 * that would remove the forbidden velocities. In any part of the window, the mean of the engine's
 * force is wrong by the change of s divided by the duration of this part. This error changes the
 * motion in the other parts. So the largest change of s between two times of the window counts. The
 * window ends with the last step, and s at the end of this step is not known yet: s is assumed to
 * continue to change at its last rate. This extrapolation is of first order.
 *
 * If the bodies turn by an angle, the rows change by as much, and s changes with them, in any
 * direction. So each block of steps contributes the size of the force of s, times the angle by
 * which the fastest body of the island turns in the block. The sum over the blocks is added to the
 * change of each component of a force. Torques get the same term. */
#include "../phases.h"
#include "mean.h"

#include "wrench.h"
#include "wrench_norm.h"

#include "../../base/duration.h"
#include "../../engine/vector.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* rounding error of a sum over steps, in units of rounding */
static const double units = 8;

void ksiFillNoMeans(ksReaction *reaction)
{
    for (int side = 0; side < 2; side++)
        reaction->mean[side] = reaction->meanInJoint[side] = ksiUnknownWrench;
    reaction->meanBar = reaction->departure = ksiUnknownWrench;
    reaction->meanTime = 0;
}

/* The sums of a joint over its window, and the number of the block with which the window begins. */
typedef struct Window {
    ksiMeanSums sums;
    unsigned long first;
} Window;

/* Sums up the last blocks: as few as cover the window. */
static void addBlocks(const ksiMeans *means, const ksiMeanRun *run, Window *sum)
{
    const double least = means->clock.window * (1 - ksiFillTolerance);
    const unsigned long from = ksiMeanFirst(means, run), next = from + run->turned;
    ksiMeanSums *sums = &sum->sums;
    ksiAddMeans(&means->block[ksiMeanPlace(means->clock.block)][run->slot].sums, &means->recent[run->slot], sums);
    sum->first = next;
    if (from == next || sums->time >= least)
        return;
    sum->first = from;
    while (sum->first + 1 < next &&
           means->block[ksiMeanPlace(sum->first + 1)][run->slot].sums.time + sums->time >= least)
        sum->first++;
    ksiAddMeans(&means->block[ksiMeanPlace(sum->first)][run->slot].sums, sums, sums);
}

/* The least and the largest values of each component of the impulses that would remove the
 * forbidden velocities; [0]: the first four of the six components, [1]: the last four. */
typedef struct Range {
    float least[2][4], most[2][4];
} Range;

KSI_INLINE void widen(const float impulse[6], Range *range)
{
    for (int i = 0; i < 2; i++)
        for (int k = 0; k < 4; k++) {
            const float x = impulse[2 * i + k];
            range->least[i][k] = x < range->least[i][k] ? x : range->least[i][k];
            range->most[i][k] = x > range->most[i][k] ? x : range->most[i][k];
        }
}

/* Predicts the impulses at the end of this step: they continue to change at their mean rate since
 * the start of the last block that began before this step. In the first step of a run the
 * prediction is 0: the impulses may vanish. */
static void foresee(const ksiStep *step, const ksiMeanRun *run, const float now[6], float next[6])
{
    const ksiMeans *means = step->means;
    const ksiMeanBlock *last = &means->block[ksiMeanPlace(means->clock.block)][run->slot];
    double since = last->sums.time - step->h;
    memset(next, 0, 6 * sizeof *next);
    if (!(since > ksiFillTolerance * step->h)) {
        if (run->age == 0)
            return;
        last = &means->block[ksiMeanPlace(means->clock.block - 1)][run->slot];
        since = means->clock.window / KSI_BLOCKS_OF_WINDOW;
    }
    const float share = (float)(step->h / ksiLarger(since, step->h));
    for (int k = 0; k < 6; k++)
        next[k] = now[k] + share * (now[k] - last->forbidden[k]);
}

/* The possible change, within the window, of the impulses that would remove the forbidden
 * velocities. For each component this is the largest change between the starts of the blocks, the
 * start of this step and the end of this step, plus the term of turning bodies. */
KSI_INLINE void findChange(const ksiStep *step, int index, const Window *sum, float change[6])
{
    const ksiMeans *means = step->means;
    const ksiMeanRun *run = &step->meanRun[index];
    const double time = sum->sums.time, part = time / (double)(means->clock.block + 1 - sum->first);
    const double most = 1 / time;  // rad/s
    float now[6], next[6];
    double turned[2] = {0};
    Range range;
    ksiForbiddenImpulse(step, index, now);
    foresee(step, run, now, next);
    for (int i = 0; i < 2; i++)
        for (int k = 0; k < 4; k++)
            range.least[i][k] = range.most[i][k] = now[2 * i + k];
    widen(next, &range);
    for (unsigned long b = sum->first; b <= means->clock.block; b++) {
        const ksiMeanBlock *then = &means->block[ksiMeanPlace(b)][run->slot];
        widen(then->forbidden, &range);
        // if the bodies turn by a radian or more, the rows have changed completely
        const double angle = part * ksiSmaller(most, then->turning);
        for (int i = 0; i < 2; i++)
            turned[i] += angle * then->size[i];
    }
    for (int k = 0; k < 6; k++) {
        const int i = k / 3, at = k - 2 * i;
        change[k] = range.most[i][at] - range.least[i][at] + (float)turned[i];
    }
}

/* mean = sum / time */
KSI_INLINE void divide(const double sum[6], double time, double mean[6])
{
    *(ksiFour *)mean = *(const ksiFour *)sum / time;
    *(ksiTwo *)(mean + 4) = *(const ksiTwo *)(sum + 4) / time;
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

/* The bar of a row's mean multiplier; 0 at a bound, where the force is known. */
static double rowBar(const ksiStep *step, int index, int l, const Window *sum)
{
    const double relaxed = step->converged[index].relaxed[l];
    return isnan(relaxed) ? 0 : relaxed * sum->sums.remainder / sum->sums.time;
}

static bool hasBars(const ksiStep *step, int index, const Window *sum)
{
    return !(sum->sums.marks & KSI_MEAN_VAGUE) && (step->observed[index].told || step->joint[index].rows.count == 0);
}

/* Bars of the force [0] and the torque [1] on body[0] about the anchor; only the first three of the
 * four numbers count. */
typedef struct Bars {
    ksiFour mean[2], departure[2];
} Bars;

/* Adds the bars of the rows' mean multipliers. */
KSI_INLINE void addRows(const ksiStep *step, int index, const Window *sum, const ksiFour *lever, Bars *bars)
{
    const ksiJointInput *joint = &step->joint[index];
    for (int l = 0; l < joint->rows.count; l++) {
        const double *row = joint->rows.row[l].jacobian[0], bar = rowBar(step, index, l, sum);
        // reads of four numbers must not go past the row
        const ksiFour force = *(const ksiFour *)row, tail = *(const ksiFour *)(row + 2);
        ksiFour moment;
        ksiCrossFour(&moment, lever, &force);
        ksiFour size[2] = {force, KSI_SHUFFLE(tail, tail, 1, 2, 3, 0) - moment};
        EACH (i, 0, 2) {
            ksiMakeAbsolute(&size[i]);
            bars->mean[i] += bar * size[i];
        }
    }
}

static void addSides(const ksiStep *step, int index, const Window *sum, ksReaction *reaction)
{
    const bool isAnchored = !isnan(reaction->anchor[0][0]);
    ksWrench bar;
    ksiBarBySides(step, index, sum->sums.remainder / sum->sums.time,
                  isAnchored ? reaction->anchor[0] : reaction->centre[0], &bar);
    ksiAddSix((double *)&reaction->meanBar, 1, (const double *)&bar);
}

KSI_CLONES
static void fillBars(const ksiStep *step, int index, const Window *sum, ksReaction *reaction)
{
    const ksWrench *mean = &reaction->mean[0];
    const bool isBorrowed = sum->sums.marks & KSI_MEAN_BORROWED;
    const double perTime = 1 / sum->sums.time;
    const float *beyond = sum->sums.beyond, *fields = sum->sums.fields;
    const double rounding[2] = {units * ksiEpsilon(step->isSingle) * ksiSize(mean->force, 3),
                                units * ksiEpsilon(step->isSingle) * ksiSize(mean->torque, 3)};
    // upper bound of the rounding of sums in single precision
    const double single = FLT_EPSILON * (sum->sums.time / step->h + KSI_MEAN_BLOCKS);
    float change[6] = {0};
    ksiFour lever = {0};
    Bars bars;
    if (isBorrowed)
        findChange(step, index, sum, change);
    for (int k = 0; k < 3 && !isnan(reaction->anchor[0][0]); k++)
        lever[k] = reaction->anchor[0][k] - reaction->centre[0][k];
    EACH (i, 0, 2) {
        ksiFour part = {beyond[3 * i], beyond[3 * i + 1], beyond[3 * i + 2], 0};
        ksiFour field = {fields[3 * i], fields[3 * i + 1], fields[3 * i + 2], 0};
        ksiMakeAbsolute(&part);
        ksiMakeAbsolute(&field);
        bars.mean[i] = (ksiFour){rounding[i], rounding[i], rounding[i], 0};
        bars.departure[i] = perTime * (part + field + single * sum->sums.size[i]);
        for (int k = 0; isBorrowed && k < 3; k++)
            bars.departure[i][k] += perTime * change[3 * i + k];
    }
    if (step->observed[index].told == KSI_BY_ROWS)
        addRows(step, index, sum, &lever, &bars);
    EACH (i, 0, 2) {
        ksiStoreThree((double *)&reaction->meanBar + 3 * i, &bars.mean[i]);
        ksiStoreThree((double *)&reaction->departure + 3 * i, &bars.departure[i]);
    }
    if (step->observed[index].told == KSI_BY_SIDES)
        addSides(step, index, sum, reaction);
    if (!hasBars(step, index, sum))
        reaction->meanBar = ksiUnknownWrench;
    if (sum->sums.marks & KSI_MEAN_APART_UNKNOWN)
        reaction->departure = ksiUnknownWrench;
    if (!sum->sums.open)
        return;
    hideOpen(sum->sums.open, &reaction->meanBar);
    hideOpen(sum->sums.open, &reaction->departure);
}

static void fillMotors(const ksiStep *step, int index, const Window *sum, ksReaction *reaction)
{
    const ksiRows *rows = &step->joint[index].rows;
    for (int axis = 0; axis < 3; axis++) {
        ksMotor *motor = &reaction->motor[axis];
        if (!(sum->sums.motors >> axis & 1u))
            continue;
        motor->mean = sum->sums.motor[axis] / sum->sums.time;
        motor->meanBar = hasBars(step, index, sum) && step->observed[index].told != KSI_BY_SIDES
                             ? units * ksiEpsilon(step->isSingle) * fabs(motor->mean)
                             : (double)NAN;
        for (int l = 0; l < rows->count; l++)
            if (rows->axis[l] == axis && rows->row[l].kind == KS_ROW_MOTOR)
                motor->meanBar += rowBar(step, index, l, sum);
    }
}

/* A contact exists for one step, so its mean is the force of this step. */
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

KSI_CLONES
void ksiFillMeans(const ksiStep *step, int index, ksReaction *reaction)
{
    const ksiMeanRun *run = &step->meanRun[index];
    Window sum;
    if (!run->isOn) {
        ksiFillNoMeans(reaction);
        if (run->slot < 0)
            fillContact(step, index, reaction);
        return;
    }
    addBlocks(step->means, run, &sum);
    reaction->meanTime = sum.sums.time;
    for (int side = 0; side < 2; side++) {
        if (!reaction->body[side]) {
            reaction->mean[side] = reaction->meanInJoint[side] = ksiUnknownWrench;
            continue;
        }
        divide((const double *)&sum.sums.world[side], sum.sums.time, (double *)&reaction->mean[side]);
        divide((const double *)&sum.sums.turned[side], sum.sums.time, (double *)&reaction->meanInJoint[side]);
    }
    fillBars(step, index, &sum, reaction);
    if (sum.sums.motors)
        fillMotors(step, index, &sum, reaction);
}
