/* run_mean.c  Phase 10: physical values, compared with the motion over a run.
 *
 * The engine's report explains the motion in each step, and its errors are corrected in the steps to come. So where no force is
 * missing the mean over a window of steps is the force that the motion has taken, and physical values have the same mean:
 *
 *     bar >= | 1/n sum (lambda_e - lambda) |      over each of the last two whole windows of n steps,
 *
 * and over the part of the present one that has been seen, as if the rest of it had no difference; and likewise of the wrench in the
 * world's axes, in which an error may stay while the joint turns.
 *
 * Windows begin at multiples of n in the number of steps, so that runs that are inspected from different steps on agree. */
#include "phases.h"
#include "size.h"

#include "../base/vectorise.h"

#include <math.h>
#include <string.h>

/* s, at least, of a window: the velocities that a solver leaves wrong are forces in inverse proportion to it. */
static const double leastDuration = 0.15;
enum { MOST_STEPS = 256 };

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

/* Multipliers, and the wrench of these on the first body. */
enum { PARTS = KSI_MAX_ROWS + 6 };

static void findApart(const ksiStep *step, int index, const double *multiplier, double apart[PARTS])
{
    const ksiJointInput *joint = &step->joint[index];
    memset(apart, 0, PARTS * sizeof *apart);
    for (int l = 0; l < joint->rows.count; l++) {
        const double *jacobian = joint->rows.row[l].jacobian[0];
        apart[l] = step->report[index].multiplier[l] - multiplier[l];
        for (int k = 0; k < 6; k++)
            apart[KSI_MAX_ROWS + k] += apart[l] * jacobian[k];
    }
}

/* Adds this step; returns the mean over the present window, as if the rest of it had no difference. */
static void addStep(const ksiStep *step, const double apart[PARTS], ksiRunMean *run, double present[PARTS])
{
    const bool isFirst = step->number % (unsigned long)run->length == 0;
    run->step = step->number;
    run->count = isFirst ? 1 : run->count + 1;
    for (int k = 0; k < PARTS; k++) {
        run->sum[k] = isFirst ? apart[k] : run->sum[k] + apart[k];
        present[k] = run->sum[k] / run->length;
        if (run->count == run->length) {
            run->mean[1][k] = run->mean[0][k];
            run->mean[0][k] = present[k];
        }
    }
}

/* In the mass metric, on both bodies: what is one's is the opposite of the other's. */
static void scaleMean(const ksiStep *step, int index, const double wrench[6], double scaled[12])
{
    const int *body = step->joint[index].bodyIndex;
    ksiScaleWrench(&step->body[body[0]], wrench, scaled);
    memset(scaled + 6, 0, 6 * sizeof *scaled);
    if (body[1] < 0)
        return;
    const double *from = step->body[body[0]].begin.centre, *to = step->body[body[1]].begin.centre;
    double other[6], r[3];
    for (int k = 0; k < 3; k++)
        r[k] = from[k] - to[k];
    for (int k = 0; k < 3; k++) {
        const int p = (k + 1) % 3, q = (k + 2) % 3;
        other[k] = -wrench[k];
        other[3 + k] = -wrench[3 + k] - (r[p] * wrench[q] - r[q] * wrench[p]);
    }
    ksiScaleWrench(&step->body[body[1]], other, scaled + 6);
}

static void growBars(const ksiStep *step, int index, const double mean[PARTS], ksiJointPhysical *joint)
{
    const ksiJointInput *input = &step->joint[index];
    const ksiJointFree *free = ksiFreeOf(step, index);
    double scaled[12];
    joint->barSize = ksiLarger(joint->barSize, ksiDeterminedSize(step, index, free, mean));
    for (int l = 0; l < input->rows.count; l++)
        if (!(free->undetermined >> l & 1u))
            joint->bar[l] = ksiLarger(joint->bar[l], fabs(mean[l]));
    if (free->count)
        return;
    scaleMean(step, index, mean + KSI_MAX_ROWS, scaled);
    joint->barSize = ksiLarger(joint->barSize, ksiSize(scaled, 12));
    for (int l = 0; l < input->rows.count; l++) {
        const double square = ksiDotTwelve(input->scaled[l], input->scaled[l]);
        if (square > 0)
            joint->bar[l] = ksiLarger(joint->bar[l], fabs(ksiDotTwelve(scaled, input->scaled[l])) / square);
    }
}

void ksiCompareRun(const ksiStep *step, int index, ksiPhysical *out)
{
    const int rows = step->joint[index].rows.count, length = stepsOfWindow(step->h);
    ksiRunMean *run = &out->run[index];
    double apart[PARTS], present[PARTS];
    if (run->step + 1 != step->number || run->length != length || run->rows != rows || !isExplained(step, index))
        *run = (ksiRunMean){.length = length, .rows = rows};
    findApart(step, index, out->joint[index].multiplier, apart);
    addStep(step, apart, run, present);
    growBars(step, index, present, &out->joint[index]);
    for (int i = 0; i < 2; i++)
        growBars(step, index, run->mean[i], &out->joint[index]);
}
