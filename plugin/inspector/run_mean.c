/* run_mean.c  Phase 10: physical values, compared with the motion over a run.
 *
 * The engine's report explains the motion in each step, and its errors are corrected in the steps to come. So where no force is
 * missing the mean over a window of steps is the force that the motion has taken, and physical values have the same mean:
 *
 *     bar >= 2 | sum h (lambda_e - lambda) | / T      over each of the last four whole windows of n steps h, of duration T,
 *
 * and over the part of the present one that has been seen, as if the rest of it had no difference; and likewise of the wrench in the
 * world's axes, in which an error may stay while the joint turns. Before a window is whole nothing is known of the rest: there it is the
 * mean over the steps that were seen, but for the first one, which has the velocities that a host gave to the bodies.
 *
 * Windows begin at multiples of n in the number of steps, so that runs that are inspected from different steps on agree. A window keeps
 * its n, whatever steps a host takes until it ends. */
#include "memory.h"
#include "phases.h"
#include "physical.h"
#include "size.h"
#include "wrench.h"

#include "../base/vectorise.h"

#include <math.h>
#include <string.h>

/* s, at least, of a window: the velocities that a solver leaves wrong are forces in inverse proportion to it. */
static const double leastDuration = 0.15;
enum { MOST_STEPS = 256 };

/* Means of independent errors with any one spread: twice the largest of four is more than 96 of 100 fifth ones. */
static const double apartTimes = 2;

static int stepsOfWindow(double h)
{
    int steps = 1;
    while (steps < MOST_STEPS && steps * h < leastDuration)
        steps *= 2;
    return steps;
}

/* Is the report what has moved the bodies? */
static bool isExplained(const ksiStep *step, int index)
{
    const ksiJointInput *joint = &step->joint[index];
    bool is = step->report[index].isFinite && step->report[index].rank == joint->rows.count;
    for (int side = 0; side < 2; side++)
        is = is && (joint->bodyIndex[side] < 0 || !step->momentumReasons[joint->bodyIndex[side]]);
    return is;
}

/* The permanent rows of a joint come first: those of stops and motors that come and go begin anew. */
static void changeRows(ksiRunMean *run, int rows)
{
    for (int l = rows < run->rows ? rows : run->rows; rows != run->rows && l < KSI_MAX_ROWS; l++) {
        for (int i = 0; i < KSI_RUN_WINDOWS; i++)
            run->whole[i].row[l] = 0;
        run->sums.own[l] = (ksiTrend){0};
        run->begin.time[l] = run->begin.row[l] = run->begin.steps[l] = 0;
        run->sums.row[l] = run->sums.reported[l] = run->noise.row[l] = run->mean[l] = 0;
    }
    run->rows = rows;
}

/* A motor inside its bounds, which is on its target since this step, if it was not before. */
static bool isKept(const ksiStep *step, int index, int l, const ksiPlaces *places)
{
    const ksiJointInput *joint = &step->joint[index];
    return joint->rows.row[l].kind == KS_ROW_MOTOR && places->place[l] == KS_INSIDE && ksiIsAsLeft(step, joint);
}

/* Adds this step of row l to what is known before a window is whole. */
static void addToBegin(const ksiStep *step, int l, double difference, const double *row, ksiRunBegin *begin)
{
    if (begin->steps[l] < 0)
        return;
    if (begin->steps[l]++ > 0) {
        begin->time[l] += step->h;
        begin->row[l] += difference;
        ksiAddSix(begin->wrench, difference, row);
    } else if (l == 0) {
        memset(begin->wrench, 0, sizeof begin->wrench);
    }
}

/* Adds this step, by row and as a wrench on the first body. */
static void addStep(const ksiStep *step, int index, const ksiPhysical *out, ksiRunMean *run)
{
    const ksiJointInput *joint = &step->joint[index];
    const double *multiplier = out->joint[index].multiplier;
    ksiRunSums *sums = &run->sums;
    if (step->number % (unsigned long)run->length == 0) {
        run->length = stepsOfWindow(step->h);
        *sums = (ksiRunSums){0};
    }
    run->step = step->number;
    run->stops = run->kept = run->blows = 0;
    sums->count++;
    sums->time += step->h;
    for (int l = 0; l < run->rows; l++) {
        const double difference = step->h * (step->report[index].multiplier[l] - multiplier[l]),
                     *row = joint->rows.row[l].jacobian[0];
        run->stops |= joint->rows.row[l].kind == KS_ROW_STOP ? ksiAxisBit(&joint->rows, l) : 0;
        run->blows |= out->joint[index].blows >> l & 1u ? ksiAxisBit(&joint->rows, l) : 0;
        run->kept |= isKept(step, index, l, &out->places[index]) ? ksiAxisBit(&joint->rows, l) : 0;
        sums->row[l] += difference;
        sums->reported[l] += step->report[index].multiplier[l];
        *(ksiFour *)sums->wrench += difference * *(const ksiFour *)row;
        *(ksiTwo *)(sums->wrench + 4) += difference * *(const ksiTwo *)(row + 4);
        addToBegin(step, l, difference, row, &run->begin);
    }
}

/* In the mass metric, on both bodies: what is one's is the opposite of the other's. */
static void scaleMean(const ksiStep *step, int index, const double wrench[6], double scaled[12])
{
    const int *body = step->joint[index].bodyIndex;
    ksWrench other;
    ksiScaleWrench(&step->body[body[0]], wrench, scaled);
    memset(scaled + 6, 0, 6 * sizeof *scaled);
    if (body[1] < 0)
        return;
    for (int k = 0; k < 3; k++) {
        other.force[k] = -wrench[k];
        other.torque[k] = -wrench[3 + k];
    }
    ksiMoveWrench(&other, step->body[body[0]].begin.centre, step->body[body[1]].begin.centre);
    ksiScaleWrench(&step->body[body[1]], (const double *)&other, scaled + 6);
}

/* Sizes of a mean, by rows, and of the wrench. */
static ksiMeanApart sizesOf(const ksiStep *step, int index, const double mean[KSI_MAX_ROWS], const double wrench[6])
{
    const ksiJointInput *joint = &step->joint[index];
    const ksiJointFree *free = ksiFreeOf(step, index);
    ksiMeanApart found = {.size = ksiDeterminedSize(step, index, free, mean)};
    double scaled[12];
    for (int l = 0; l < joint->rows.count; l++)
        found.row[l] = fabs(mean[l]);
    if (free->count)
        return found;
    scaleMean(step, index, wrench, scaled);
    found.size = ksiLarger(found.size, sqrt(ksiDotTwelve(scaled, scaled)));
    for (int l = 0; l < joint->rows.count; l++) {
        const double size = step->layout[index].size[l];
        if (size > 0)
            found.row[l] = ksiLarger(found.row[l], fabs(ksiDotTwelve(scaled, joint->scaled[l])) / (size * size));
    }
    return found;
}

/* The mean over the present window, as if the rest of it had no difference, in steps like those that were seen. */
static ksiMeanApart presentMean(const ksiStep *step, int index, const ksiRunMean *run)
{
    const double share = run->sums.count / (run->length * run->sums.time);
    double mean[KSI_MAX_ROWS] = {0}, wrench[6];
    for (int l = 0; l < run->rows; l++)
        mean[l] = share * run->sums.row[l];
    for (int k = 0; k < 6; k++)
        wrench[k] = share * run->sums.wrench[k];
    return sizesOf(step, index, mean, wrench);
}

/* The mean since the beginning, of rows of which no window is whole. Of rows that a self-stress reaches it would be how the engine splits
 * their load at first. */
static ksiMeanApart meanSinceBegin(const ksiStep *step, int index, const ksiRunMean *run)
{
    const ksiRunBegin *begin = &run->begin;
    const unsigned shared = ksiFreeOf(step, index)->undetermined;
    double mean[KSI_MAX_ROWS] = {0}, wrench[6] = {0};
    bool any = false;
    for (int l = 0; l < run->rows; l++) {
        const bool is = begin->steps[l] > 1 && !(shared >> l & 1u);
        mean[l] = is ? begin->row[l] / begin->time[l] : 0;
        any |= is;
    }
    for (int k = 0; k < 6 && begin->steps[0] > 1; k++)
        wrench[k] = begin->wrench[k] / begin->time[0];
    return any ? sizesOf(step, index, mean, wrench) : (ksiMeanApart){0};
}

static void growBars(const ksiStep *step, int index, double times, const ksiMeanApart *difference,
                     ksiJointPhysical *joint)
{
    joint->barSize = ksiLarger(joint->barSize, times * difference->size);
    for (int l = 0; l < step->joint[index].rows.count; l++)
        joint->bar[l] = ksiLarger(joint->bar[l], times * difference->row[l]);
}

void ksiCompareRun(const ksiStep *step, int index, ksiPhysical *out)
{
    const int rows = step->joint[index].rows.count;
    const ksiIslandPhysical *island = &out->island[step->member[index].island];
    ksiRunMean *run = &out->run[index];
    if (run->length == 0 || run->step + 1 != step->number || !ksiIsSameMechanism(step, index, run) ||
        !isExplained(step, index)) {
        const ksiIsland *of = &step->island[step->member[index].island];
        *run = (ksiRunMean){
            .length = stepsOfWindow(step->h), .rows = rows, .joints = of->jointCount, .bodies = of->bodyCount};
    }
    changeRows(run, rows);
    addStep(step, index, out, run);
    const ksiMeanApart present = presentMean(step, index, run), begun = meanSinceBegin(step, index, run);
    ksiCompareSoftened(step, index, out, run);
    if (island->isDrifted || island->softening != KSI_RIGID)
        ksiAddNoise(step, index, run, island->softening != KSI_TRIED, &out->joint[index]);
    growBars(step, index, apartTimes, &present, &out->joint[index]);
    growBars(step, index, apartTimes, &begun, &out->joint[index]);
    for (int i = 0; i < KSI_RUN_WINDOWS; i++)
        growBars(step, index, apartTimes * ksiFormerBias(step, index, i, out), &run->whole[i], &out->joint[index]);
    if (run->sums.count == run->length) {
        memmove(run->whole + 1, run->whole, (KSI_RUN_WINDOWS - 1) * sizeof *run->whole);
        run->whole[0] = present;
        for (int l = 0; l < run->rows; l++)
            run->begin.steps[l] = run->begin.steps[l] < run->length ? run->begin.steps[l] : -1;
        run->duration = run->sums.time;
    }
}
