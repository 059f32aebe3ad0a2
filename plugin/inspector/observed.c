/* observed.c  Phase 10: physical values, compared with the motion over a run.
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

/* The bars are no shorter than that. */
static void lengthen(const ksiStep *step, int index, const double *apart, ksiJointPhysical *joint)
{
    const ksiJointFree *free = ksiFreeOf(step, index);
    joint->barSize = ksiLarger(joint->barSize, ksiDeterminedSize(step, index, free, apart));
    for (int l = 0; l < step->joint[index].rows.count; l++)
        if (!(free->undetermined >> l & 1u))
            joint->bar[l] = ksiLarger(joint->bar[l], fabs(apart[l]));
}

void ksiCompareObserved(const ksiStep *step, int index, ksiPhysical *out)
{
    const int rows = step->joint[index].rows.count, length = stepsOfWindow(step->h);
    const unsigned long at = step->number % (unsigned long)length;
    ksiJointPhysical *joint = &out->joint[index];
    ksiRunMean *run = &out->run[index];
    double share[KSI_MAX_ROWS];
    if (run->step + 1 != step->number || run->length != length || run->rows != rows || !isExplained(step, index))
        *run = (ksiRunMean){.length = length, .rows = rows};
    run->step = step->number;
    run->count = at == 0 ? 1 : run->count + 1;
    for (int l = 0; l < rows; l++) {
        const double apart = step->report[index].multiplier[l] - joint->multiplier[l];
        run->sum[l] = at == 0 ? apart : run->sum[l] + apart;
        share[l] = run->sum[l] / length;
    }
    lengthen(step, index, share, joint);
    for (int k = 0; k < 2; k++)
        lengthen(step, index, run->mean[k], joint);
    if (run->count == length) {
        memcpy(run->mean[1], run->mean[0], sizeof run->mean[1]);
        memcpy(run->mean[0], share, sizeof share);
    }
}
