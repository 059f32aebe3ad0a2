/* run_mean.c  Phase 10: physical values, compared with the motion over a run.
 *
 * The engine's report explains the motion in each step, and its errors are corrected in the steps to come. So where no force is
 * missing the mean over a window of steps is the force that the motion has taken, and physical values have the same mean:
 *
 *     bar >= | 1/n sum (lambda_e - lambda) |      over each of the last two whole windows of n steps,
 *
 * and over the part of the present one that has been seen, as if the rest of it had no difference.
 *
 * Windows begin at multiples of n in the number of steps, so that runs that are inspected from different steps on agree. */
#include "phases.h"
#include "size.h"

#include <math.h>

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

static double largerOf(double a, double b)
{
    return fabs(a) < fabs(b) ? b : a;
}

/* Adds this step; returns by row the largest of the means. */
static void addStep(const ksiStep *step, int index, const double *multiplier, ksiRunMean *run,
                    double most[KSI_MAX_ROWS])
{
    const bool isFirst = step->number % (unsigned long)run->length == 0;
    run->step = step->number;
    run->count = isFirst ? 1 : run->count + 1;
    for (int l = 0; l < run->rows; l++) {
        const double apart = step->report[index].multiplier[l] - multiplier[l];
        run->sum[l] = isFirst ? apart : run->sum[l] + apart;
        const double mean = run->sum[l] / run->length;
        most[l] = largerOf(mean, largerOf(run->mean[0][l], run->mean[1][l]));
        if (run->count == run->length) {
            run->mean[1][l] = run->mean[0][l];
            run->mean[0][l] = mean;
        }
    }
}

void ksiCompareRun(const ksiStep *step, int index, ksiPhysical *out)
{
    const int rows = step->joint[index].rows.count, length = stepsOfWindow(step->h);
    const ksiJointFree *free = ksiFreeOf(step, index);
    ksiJointPhysical *joint = &out->joint[index];
    ksiRunMean *run = &out->run[index];
    double most[KSI_MAX_ROWS];
    if (run->step + 1 != step->number || run->length != length || run->rows != rows || !isExplained(step, index))
        *run = (ksiRunMean){.length = length, .rows = rows};
    addStep(step, index, joint->multiplier, run, most);
    joint->barSize = ksiLarger(joint->barSize, ksiDeterminedSize(step, index, free, most));
    for (int l = 0; l < rows; l++)
        if (!(free->undetermined >> l & 1u))
            joint->bar[l] = ksiLarger(joint->bar[l], fabs(most[l]));
}
