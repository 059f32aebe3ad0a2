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
 * In a tree a part of the difference is known (departure.c), and no error of lambda. It is taken off where that leaves less: on a way on
 * which the tree changes its shape it is known to first order. The velocities that a step leaves are those of the next one, so the sums of
 * a tree end with the last step. Where its velocities leave nothing open, its values are not compared.
 *
 * How the engine splits a load that joints share is no error: a self-stress of the mechanism is taken out of each difference. What is left
 * is that of each sum of joints which is unique.
 *
 * Windows begin at multiples of n in the number of steps, so that runs that are inspected from different steps on agree. A window keeps
 * its n, whatever steps a host takes until it ends. */
#include "../phases.h"
#include "../publish/wrench.h"
#include "../publish/wrench_norm.h"
#include "../read/memory.h"
#include "physical.h"

#include "../../base/vectorise.h"

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
        run->begin.time[l] = run->begin.apart.row[l] = run->begin.known.row[l] = run->begin.steps[l] = 0;
        run->sums.apart.row[l] = run->sums.known.row[l] = run->forbidden.row[l] = 0;
        run->sums.reported[l] = run->noise.row[l] = run->mean[l] = 0;
    }
    run->rows = rows;
}

/* A motor inside its bounds, which is on its target since this step, if it was not before. */
static bool isKept(const ksiStep *step, int index, int l, const ksiPlaces *places)
{
    const ksiJointInput *joint = &step->joint[index];
    return joint->rows.row[l].kind == KS_ROW_MOTOR && places->place[l] == KS_INSIDE && ksiIsAsLeft(step, joint);
}

static bool isOfTree(const ksiStep *step, int joint)
{
    return step->island[step->member[joint].island].isTree;
}

static void addRow(double value, int l, const double *row, ksiRunSum *sum)
{
    sum->row[l] += value;
    *(ksiFour *)sum->wrench += value * *(const ksiFour *)row;
    *(ksiTwo *)(sum->wrench + 4) += value * *(const ksiTwo *)(row + 4);
}

/* Adds this step of row l to what is known before a window is whole. */
static void addToBegin(const ksiStep *step, int l, double apart, double known, const double *row, ksiRunBegin *begin)
{
    if (begin->steps[l] < 0)
        return;
    if (begin->steps[l]++ > 0) {
        begin->time[l] += step->h;
        addRow(apart, l, row, &begin->apart);
        addRow(known, l, row, &begin->known);
    } else if (l == 0) {
        memset(begin->apart.wrench, 0, sizeof begin->apart.wrench);
        memset(begin->known.wrench, 0, sizeof begin->known.wrench);
    }
}

/* What the velocities that the last step left have made of its multipliers. Where other rows hold since then that is not known. */
static void addForbidden(const ksiStep *step, int index, const ksiPhysical *out, ksiRunMean *run)
{
    const ksiJointInput *joint = &step->joint[index];
    const int heldRows = out->island[step->member[index].island].heldRows;
    const bool isKnown = run->sums.count > 0 && heldRows == run->heldRows && ksiIsAsLeft(step, joint);
    ksiRunSum now = {.row = {0}};
    for (int l = 0; l < run->rows; l++) {
        addRow(out->joint[index].forbidden[l], l, joint->rows.row[l].jacobian[0], &now);
        const double change = now.row[l] - run->forbidden.row[l];
        run->sums.known.row[l] += isKnown ? change : 0;
        run->begin.known.row[l] += isKnown && run->begin.steps[l] > 1 ? change : 0;
    }
    for (int k = 0; isKnown && k < 6; k++) {
        const double change = now.wrench[k] - run->forbidden.wrench[k];
        run->sums.known.wrench[k] += change;
        run->begin.known.wrench[k] += run->begin.steps[0] > 1 ? change : 0;
    }
    run->forbidden = now;
    run->heldRows = heldRows;
}

/* Adds this step, by row and as a wrench on the first body. */
static void addStep(const ksiStep *step, int index, const ksiPhysical *out, ksiRunMean *run)
{
    const ksiJointInput *joint = &step->joint[index];
    const ksiIslandPhysical *island = &out->island[step->member[index].island];
    const ksiJointPhysical *physical = &out->joint[index];
    const bool isTree = isOfTree(step, index);
    ksiRunSums *sums = &run->sums;
    run->open += (island->isOpen - run->open) / run->length;
    if (step->number % (unsigned long)run->length == 0) {
        run->length = stepsOfWindow(step->h);
        *sums = (ksiRunSums){0};
    }
    run->step = step->number;
    run->stops = run->kept = run->blows = 0;
    sums->count++;
    sums->time += step->h;
    for (int l = 0; l < run->rows; l++) {
        const double apart =
                         step->h * (step->report[index].multiplier[l] - physical->multiplier[l] - physical->split[l]),
                     known = isTree ? step->h * physical->implicit[l] : 0, *row = joint->rows.row[l].jacobian[0];
        run->stops |= joint->rows.row[l].kind == KS_ROW_STOP ? ksiAxisBit(&joint->rows, l) : 0;
        run->blows |= physical->blows >> l & 1u ? ksiAxisBit(&joint->rows, l) : 0;
        run->kept |= isKept(step, index, l, &out->places[index]) ? ksiAxisBit(&joint->rows, l) : 0;
        sums->reported[l] += step->report[index].multiplier[l];
        addRow(apart, l, row, &sums->apart);
        addRow(known, l, row, &sums->known);
        addToBegin(step, l, apart, known, row, &run->begin);
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

/* A mean by rows, and its wrench in the mass metric. */
typedef struct Mean {
    double row[KSI_MAX_ROWS], scaled[12], size;
} Mean;

/* Of sums, by shares of time of rows and of the wrench; less what is known of them, or NULL */
static void takeMean(const ksiStep *step, int index, const ksiRunSum *apart, const ksiRunSum *known,
                     const double perRow[KSI_MAX_ROWS], double perWrench, Mean *mean)
{
    static const ksiRunSum nothing;
    const ksiJointFree *free = ksiFreeOf(step, index);
    double wrench[6];
    known = known ? known : &nothing;
    for (int l = 0; l < KSI_MAX_ROWS; l++)
        mean->row[l] = perRow[l] * (apart->row[l] - known->row[l]);
    for (int k = 0; k < 6; k++)
        wrench[k] = perWrench * (apart->wrench[k] - known->wrench[k]);
    scaleMean(step, index, wrench, mean->scaled);
    mean->size = ksiDeterminedSize(step, index, free, mean->row);
    if (!free->count)
        mean->size = ksiLarger(mean->size, sqrt(ksiDotTwelve(mean->scaled, mean->scaled)));
}

/* Its size, and by rows. Of a tree without what is known of it, if that is less. */
static ksiMeanApart meanOf(const ksiStep *step, int index, const ksiRunSum *apart, const ksiRunSum *known,
                           const double perRow[KSI_MAX_ROWS], double perWrench)
{
    const ksiJointInput *joint = &step->joint[index];
    Mean whole, rest;
    const Mean *least = &whole;
    takeMean(step, index, apart, NULL, perRow, perWrench, &whole);
    if (isOfTree(step, index)) {
        takeMean(step, index, apart, known, perRow, perWrench, &rest);
        least = rest.size < whole.size ? &rest : &whole;
    }
    ksiMeanApart found = {.size = least->size};
    for (int l = 0; l < joint->rows.count; l++) {
        const double size = step->layout[index].size[l], along = fabs(ksiDotTwelve(least->scaled, joint->scaled[l]));
        found.row[l] = fabs(least->row[l]);
        if (size > 0)
            found.row[l] = ksiLarger(found.row[l], along / (size * size));
    }
    return found;
}

/* The mean over the present window, as if the rest of it had no difference, in steps like those that were seen. */
static ksiMeanApart presentMean(const ksiStep *step, int index, const ksiRunMean *run)
{
    const double share = run->sums.count ? run->sums.count / (run->length * run->sums.time) : 0;
    double perRow[KSI_MAX_ROWS] = {0};
    for (int l = 0; l < run->rows; l++)
        perRow[l] = share;
    return meanOf(step, index, &run->sums.apart, &run->sums.known, perRow, share);
}

/* The mean since the beginning, of rows of which no window is whole. */
static ksiMeanApart meanSinceBegin(const ksiStep *step, int index, const ksiRunMean *run)
{
    const ksiRunBegin *begin = &run->begin;
    double perRow[KSI_MAX_ROWS] = {0};
    bool any = false;
    for (int l = 0; l < run->rows; l++) {
        const bool is = begin->steps[l] > 1;
        perRow[l] = is ? 1 / begin->time[l] : 0;
        any |= is;
    }
    const double perWrench = begin->steps[0] > 1 ? 1 / begin->time[0] : 0;
    return any ? meanOf(step, index, &begin->apart, &begin->known, perRow, perWrench) : (ksiMeanApart){0};
}

static void growBars(const ksiStep *step, int index, double times, const ksiMeanApart *difference,
                     ksiJointPhysical *joint)
{
    joint->barSize = ksiLarger(joint->barSize, times * difference->size);
    for (int l = 0; l < step->joint[index].rows.count; l++)
        joint->bar[l] = ksiLarger(joint->bar[l], times * difference->row[l]);
}

static void closeWindow(const ksiMeanApart *mean, ksiRunMean *run)
{
    if (run->sums.count < run->length)
        return;
    memmove(run->whole + 1, run->whole, (KSI_RUN_WINDOWS - 1) * sizeof *run->whole);
    run->whole[0] = *mean;
    for (int l = 0; l < run->rows; l++)
        run->begin.steps[l] = run->begin.steps[l] < run->length ? run->begin.steps[l] : -1;
    run->duration = run->sums.time;
}

void ksiCompareRun(const ksiStep *step, int index, ksiPhysical *out)
{
    const int rows = step->joint[index].rows.count;
    const ksiIslandPhysical *island = &out->island[step->member[index].island];
    ksiRunMean *run = &out->run[index];
    const bool isTree = isOfTree(step, index);
    ksiMeanApart present = {0}, begun = {0};
    if (run->length == 0 || run->step + 1 != step->number || !ksiIsSameMechanism(step, index, run) ||
        !isExplained(step, index)) {
        const ksiIsland *of = &step->island[step->member[index].island];
        *run = (ksiRunMean){
            .length = stepsOfWindow(step->h), .rows = rows, .joints = of->jointCount, .bodies = of->bodyCount};
    }
    changeRows(run, rows);
    if (isTree) {
        const bool isCompared = !out->joint[index].isCertain;
        addForbidden(step, index, out, run);
        if (isCompared || run->sums.count == run->length)
            present = presentMean(step, index, run);
        if (isCompared)
            begun = meanSinceBegin(step, index, run);
        closeWindow(&present, run);
        run->isNoiseKnown &= island->isSoftened;
    }
    addStep(step, index, out, run);
    if (!isTree) {
        present = presentMean(step, index, run);
        begun = meanSinceBegin(step, index, run);
    }
    if (ksiHasNoise(step, index, run))
        ksiAddNoise(step, index, run, &out->joint[index]);
    if (out->joint[index].isCertain)
        return;
    growBars(step, index, apartTimes, &present, &out->joint[index]);
    growBars(step, index, apartTimes, &begun, &out->joint[index]);
    for (int i = 0; i < KSI_RUN_WINDOWS; i++)
        growBars(step, index, apartTimes, &run->whole[i], &out->joint[index]);
    if (!isTree)
        closeWindow(&present, run);
}
