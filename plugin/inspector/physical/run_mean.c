/* run_mean.c  Phase 10: compares physical values with the motion over a run.
 *
 * The engine's report explains the motion in each step, and later steps correct its errors. So if
 * no force is missing, the mean of the reported force over a window of steps is the force that the
 * motion needed. Physical values have the same mean, so their bar covers the difference:
 *
 *     bar >= 2 | sum h (lambda_e - lambda) | / T
 *
 * Here lambda_e is reported, lambda is physical, and the sum is over the `n` steps of a window,
 * with step size `h` and duration `T`. This holds for each of the last four windows. It also holds
 * for the present window, as if its remaining steps had no difference. The same holds for the
 * wrench in the world's axes, in which an error may persist while the joint turns. A window with
 * the first step of the run is not complete: in that step the bodies have the velocities that a
 * host gave them, and the next steps correct these velocities. Before the first complete window,
 * the mean over all steps except the first counts.
 *
 * In a tree, a part of the difference is known (departure.c). It is known to first order while the
 * tree changes its shape. This part is not an error of lambda, and is subtracted if that reduces
 * the difference. Its computation needs the velocities after a step, so the sums of a tree end with
 * the last step. If the velocities of a tree leave nothing undetermined, the tree's values are not
 * compared.
 *
 * If the host has set velocities that the joints forbid, the report contains the blow that removes
 * them, and the physical force leaves it out. So the difference counts as 0 in a step before which
 * the host has changed the motion of the mechanism, but never in two steps in succession.
 *
 * The engine's split of a shared load is not an error. So self-stresses are removed from each
 * difference, which leaves its unique part.
 *
 * Windows begin at step numbers that are multiples of n. So two runs agree even if their inspection
 * began in different steps. A window keeps its n, even if the step size changes. */
#include "../phases.h"
#include "../publish/wrench_norm.h"
#include "../read/memory.h"
#include "physical.h"

#include "../../base/vectorise.h"
#include "../../engine/vector.h"

#include <math.h>
#include <string.h>

/* least length of a window, s; a window of MOST_STEPS steps may be shorter: velocity errors of a
 * solver appear as forces in inverse proportion to the length. */
static const double leastDuration = 0.15;
enum { MOST_STEPS = 256 };

/* For independent means with a common spread, twice the largest of four exceeds the fifth in 96 of
 * 100 cases. */
static const double apartTimes = 2;

static int stepsOfWindow(double h)
{
    int steps = 1;
    while (steps < MOST_STEPS && steps * h < leastDuration)
        steps *= 2;
    return steps;
}

/* Does the report explain the motion of the bodies? */
static bool isExplained(const ksiStep *step, int index)
{
    const ksiJointInput *joint = &step->joint[index];
    bool is = step->report[index].isFinite && step->report[index].rank == joint->rows.count;
    for (int side = 0; side < 2; side++)
        is = is && (joint->bodyIndex[side] < 0 || !step->momentumReasons[joint->bodyIndex[side]]);
    return is;
}

/* If the number of rows changes, clears the runs of stops and motors, which follow the permanent
 * rows of a joint. */
static void changeRows(ksiRunMean *run, int rows)
{
    for (int l = rows < run->rows ? rows : run->rows; rows != run->rows && l < KSI_MAX_ROWS; l++) {
        for (int i = 0; i < KSI_RUN_WINDOWS; i++)
            run->whole[i].row[l] = 0;
        run->most.row[l] = 0;
        run->sums.trend[0].row[l] = (ksiTrend){0};
        run->begin.time[l] = run->begin.apart.row[l] = run->begin.known.row[l] = run->begin.steps[l] = 0;
        run->sums.apart.row[l] = run->sums.known.row[l] = run->forbidden.row[l] = 0;
        run->sums.reported[l] = run->noise.row[l] = run->excess2.row[l] = run->mean[l] = 0;
    }
    run->rows = rows;
}

/* Is the row a motor inside its bounds, and so on its target from this step on? A motor whose blow
 * may be noise is also on its target, though its place is not inside. */
static bool isKept(const ksiStep *step, int index, int l, const ksiPhysical *out)
{
    const ksiJointInput *joint = &step->joint[index];
    const bool isInside = out->places[index].place[l] == KS_INSIDE || out->joint[index].doubts >> l & 1u;
    return joint->rows.row[l].kind == KS_ROW_MOTOR && isInside;
}

static bool isOfTree(const ksiStep *step, int joint)
{
    return step->island[step->member[joint].island].isTree;
}

/* Values by row, and their wrench on the first body. */
KSI_INLINE void sumRows(const ksiJointInput *joint, const double value[KSI_MAX_ROWS], ksiRunSum *sum)
{
    ksiFour force = {0};
    ksiTwo rest = {0};
    memset(sum->row, 0, sizeof sum->row);
    for (int l = 0; l < joint->rows.count; l++) {
        const double *row = joint->rows.row[l].jacobian[0];
        sum->row[l] = value[l];
        force += value[l] * *(const ksiFour *)row;
        rest += value[l] * *(const ksiTwo *)(row + 4);
    }
    *(ksiFour *)sum->wrench = force;
    *(ksiTwo *)(sum->wrench + 4) = rest;
}

KSI_INLINE void addSum(double times, const ksiRunSum *more, ksiRunSum *sum)
{
    ksiAddTwelve((ksiFour *)sum, times, (const double *)more);
}

/* Adds values of this step to `sum` for all rows, and to `begin` for the rows in `begun` (bits). */
KSI_INLINE void addRows(const ksiJointInput *joint, unsigned begun, const double value[KSI_MAX_ROWS], ksiRunSum *sum,
                        ksiRunSum *begin)
{
    ksiRunSum now;
    sumRows(joint, value, &now);
    addSum(1, &now, sum);
    if (!begun)
        return;
    if (begun + 1 != 1u << joint->rows.count) {
        double some[KSI_MAX_ROWS];
        for (int l = 0; l < joint->rows.count; l++)
            some[l] = begun >> l & 1u ? value[l] : 0;
        sumRows(joint, some, &now);
    }
    addSum(1, &now, begin);
}

/* Counts this step for rows without a complete window. Returns the rows for which it is not the
 * first: bits */
static unsigned countBegin(const ksiStep *step, int rows, ksiRunBegin *begin)
{
    unsigned begun = 0;
    for (int l = 0; l < rows; l++) {
        if (begin->steps[l] < 0)
            continue;
        if (begin->steps[l]++ > 0) {
            begin->time[l] += step->h;
            begun |= 1u << l;
        } else if (l == 0) {
            memset(begin->apart.wrench, 0, sizeof begin->apart.wrench);
            memset(begin->known.wrench, 0, sizeof begin->known.wrench);
        }
    }
    return begun;
}

/* Adds s_k+1 - s_k of departure.c, the part of the last step's difference that forbidden velocities
 * explain; unknown if other rows hold in this step, or if the host has changed velocities. Then the
 * first step of a run does not count: it removes the forbidden velocities with which the run
 * began. */
KSI_CLONES
static void addForbidden(const ksiStep *step, int index, const ksiPhysical *out, ksiRunMean *run)
{
    const ksiJointInput *joint = &step->joint[index];
    const ksiIslandPhysical *island = &out->island[step->member[index].island];
    const int heldRows = island->heldRows;
    const bool isKnown = run->sums.count > 0 && heldRows == run->heldRows && !island->isPushed && !run->isLeftOut;
    ksiRunBegin *begin = &run->begin;
    ksiRunSum now, change;
    sumRows(joint, out->joint[index].forbidden, &now);
    change = now;
    addSum(-1, &run->forbidden, &change);
    run->forbidden = now;
    run->heldRows = heldRows;
    if (island->isDrifted)
        ksiTellExcess(step, index, isKnown, out->joint[index].excess, run);
    if (!isOfTree(step, index))
        return;
    if (!isKnown && begin->steps[0] == 1)
        run->sums.apart = run->sums.known = (ksiRunSum){.row = {0}};
    if (!isKnown)
        return;
    addSum(1, &change, &run->sums.known);
    for (int l = 0; l < run->rows; l++)
        begin->known.row[l] += begin->steps[l] > 1 ? change.row[l] : 0;
    if (begin->steps[0] > 1)
        ksiAddSix(begin->known.wrench, 1, change.wrench);
}

static void noteAxes(const ksiStep *step, int index, const ksiPhysical *out, ksiRunMean *run)
{
    const ksiRows *rows = &step->joint[index].rows;
    run->stops = run->kept = run->blows = run->inside = 0;
    for (int l = 0; l < run->rows; l++) {
        if (rows->row[l].kind != KS_ROW_STOP && rows->row[l].kind != KS_ROW_MOTOR)
            continue;
        const unsigned axis = ksiAxisBit(rows, l);
        const bool isMotor = rows->row[l].kind == KS_ROW_MOTOR;
        run->stops |= isMotor ? 0 : axis;
        run->blows |= out->joint[index].blows >> l & 1u ? axis : 0;
        run->kept |= isKept(step, index, l, out) ? axis : 0;
        run->inside |= isMotor && step->reportPlaces[index].place[l] == KS_INSIDE ? axis : 0;
    }
}

/* Adds this step, by row and as a wrench on the first body. */
KSI_CLONES
static void addStep(const ksiStep *step, int index, const ksiPhysical *out, ksiRunMean *run)
{
    const ksiJointInput *joint = &step->joint[index];
    const ksiJointPhysical *physical = &out->joint[index];
    const double *reported = step->report[index].multiplier;
    ksiRunSums *sums = &run->sums;
    double apart[KSI_MAX_ROWS], known[KSI_MAX_ROWS];
    const ksiIslandPhysical *island = &out->island[step->member[index].island];
    run->open += (island->isOpen - run->open) / run->length;
    if (step->number % (unsigned long)run->length == 0) {
        run->length = stepsOfWindow(step->h);
        *sums = (ksiRunSums){0};
    }
    run->step = step->number;
    run->lastStep = step->h;
    run->isLeftOut = island->isPushed && !run->wasPushed && run->begin.steps[0] != 0;
    run->wasPushed = island->isPushed;
    sums->count++;
    sums->time += step->h;
    const unsigned begun = countBegin(step, run->rows, &run->begin);
    for (int l = 0; l < run->rows; l++)
        sums->reported[l] += reported[l];
    if (run->isLeftOut)
        return;
    for (int l = 0; l < run->rows; l++)
        apart[l] = step->h * (reported[l] - physical->multiplier[l] - physical->split[l]);
    addRows(joint, begun, apart, &sums->apart, &run->begin.apart);
    if (!isOfTree(step, index))
        return;
    bool any = false;
    for (int l = 0; l < run->rows; l++) {
        known[l] = step->h * physical->implicit[l];
        any |= known[l] != 0;
    }
    if (any)
        addRows(joint, begun, known, &sums->known, &run->begin.known);
}

/* Scales a wrench to the mass metric, on both bodies, with opposite signs. second: NULL for the
 * world */
KSI_INLINE void scaleMean(const ksiBodyInput *first, const ksiBodyInput *second, const double wrench[6],
                          double scaled[12])
{
    const ksiFour force = *(const ksiFour *)wrench, tail = *(const ksiFour *)(wrench + 2);
    ksiFour torque = KSI_SHUFFLE(tail, tail, 1, 2, 3, 0), moment;
    ksiScaleByRoot(ksiMassRoot(first), wrench, wrench + 3, scaled);
    if (!second) {
        memset(scaled + 6, 0, 6 * sizeof *scaled);
        return;
    }
    const ksiFour between = *(const ksiFour *)second->begin.centre - *(const ksiFour *)first->begin.centre;
    const ksiFour opposite = -force;
    ksiCrossFour(&moment, &between, &force);
    torque = moment - torque;
    ksiScaleByRoot(ksiMassRoot(second), (const double *)&opposite, (const double *)&torque, scaled + 6);
}

/* A mean, and its wrench in the mass metric; the square of its size. */
typedef struct Mean {
    ksiRunSum of;
    double scaled[12], square;
} Mean;

/* Finds the mean from a sum. share: one over its time, by row and component. */
KSI_INLINE void takeMean(const ksiStep *step, int index, const ksiRunSum *sum, const ksiRunSum *share, Mean *mean)
{
    const ksiJointInput *joint = &step->joint[index];
    const ksiJointFree *free = ksiFreeOf(step, index);
    const int *body = joint->bodyIndex;
    double byRows[12];
    for (int k = 0; k < 3; k++)
        ((ksiFour *)&mean->of)[k] = ((const ksiFour *)sum)[k] * ((const ksiFour *)share)[k];
    scaleMean(&step->body[body[0]], body[1] < 0 ? NULL : &step->body[body[1]], mean->of.wrench, mean->scaled);
    if (free->count) {
        const double size = ksiDeterminedSize(step, index, free, mean->of.row);
        mean->square = size * size;
        return;
    }
    ksiSumTwelve(joint->rows.count, mean->of.row, joint->scaled[0], 12, (ksiFour *)byRows);
    mean->square = ksiLarger(ksiDotTwelve(byRows, byRows), ksiDotTwelve(mean->scaled, mean->scaled));
}

/* Finds the size of the mean, as a whole and by rows. For a tree the known part is subtracted
 * first, if that makes the size less. */
KSI_INLINE void findMean(const ksiStep *step, int index, const ksiRunSum *apart, const ksiRunSum *known,
                         const ksiRunSum *share, ksiMeanApart *found)
{
    const ksiJointInput *joint = &step->joint[index];
    Mean whole, rest;
    const Mean *least = &whole;
    takeMean(step, index, apart, share, &whole);
    if (isOfTree(step, index)) {
        ksiRunSum left = *apart;
        addSum(-1, known, &left);
        takeMean(step, index, &left, share, &rest);
        least = rest.square < whole.square ? &rest : &whole;
    }
    found->size = sqrt(least->square);
    for (int l = 0; l < joint->rows.count; l++) {
        const double size = step->layout[index].size[l], along = ksiDotTwelve(least->scaled, joint->scaled[l]);
        found->row[l] = ksiLarger(fabs(least->of.row[l]), size > 0 ? fabs(along) / (size * size) : 0);
    }
}

/* The mean over the present window, as if its remaining steps had no difference and the same step
 * size. */
KSI_INLINE void findPresent(const ksiStep *step, int index, const ksiRunMean *run, ksiMeanApart *found)
{
    const double now = run->sums.count ? run->sums.count / (run->length * run->sums.time) : 0;
    const ksiRunSum share = {.row = {now, now, now, now, now, now}, .wrench = {now, now, now, now, now, now}};
    findMean(step, index, &run->sums.apart, &run->sums.known, &share, found);
}

/* The mean since the start, for rows without a complete window. */
KSI_INLINE void findBegun(const ksiStep *step, int index, const ksiRunMean *run, ksiMeanApart *found)
{
    const ksiRunBegin *begin = &run->begin;
    ksiRunSum share = {.row = {0}};
    bool any = false;
    for (int l = 0; l < run->rows; l++) {
        share.row[l] = begin->steps[l] > 1 ? 1 / begin->time[l] : 0;
        any |= begin->steps[l] > 1;
    }
    for (int k = 0; k < 6; k++)
        share.wrench[k] = share.row[0];
    if (any)
        findMean(step, index, &begin->apart, &begin->known, &share, found);
}

/* Finds the mean over the present window and, if `both`, the mean since the start. */
KSI_CLONES
static void findMeans(const ksiStep *step, int index, const ksiRunMean *run, bool both, ksiMeanApart *present,
                      ksiMeanApart *begun)
{
    findPresent(step, index, run, present);
    if (both)
        findBegun(step, index, run, begun);
}

static void keepLarger(int rows, const ksiMeanApart *mean, ksiMeanApart *most)
{
    most->size = ksiLarger(most->size, mean->size);
    for (int l = 0; l < rows; l++)
        most->row[l] = ksiLarger(most->row[l], mean->row[l]);
}

static void closeWindow(const ksiMeanApart *mean, ksiRunMean *run)
{
    if (run->sums.count < run->length)
        return;
    run->duration = run->sums.time;
    if (run->begin.steps[0] == run->length)
        return;  // this window contains the first step of the run
    memmove(run->whole + 1, run->whole, (KSI_RUN_WINDOWS - 1) * sizeof *run->whole);
    run->whole[0] = *mean;
    run->most = (ksiMeanApart){0};
    for (int i = 0; i < KSI_RUN_WINDOWS; i++)
        keepLarger(KSI_MAX_ROWS, &run->whole[i], &run->most);
    for (int l = 0; l < run->rows; l++)
        run->begin.steps[l] = run->begin.steps[l] < run->length ? run->begin.steps[l] : -1;
}

/* Lengthens bars to cover the largest mean. */
static void growBars(const ksiRunMean *run, const ksiMeanApart *present, const ksiMeanApart *begun,
                     ksiJointPhysical *joint)
{
    ksiMeanApart most = run->most;
    keepLarger(run->rows, present, &most);
    keepLarger(run->rows, begun, &most);
    joint->barSize = ksiLarger(joint->barSize, apartTimes * most.size);
    for (int l = 0; l < run->rows; l++)
        joint->bar[l] = ksiLarger(joint->bar[l], apartTimes * most.row[l]);
}

void ksiCompareRun(const ksiStep *step, int index, ksiPhysical *out)
{
    const int rows = step->joint[index].rows.count;
    const ksiIslandPhysical *island = &out->island[step->member[index].island];
    ksiRunMean *run = &out->run[index];
    const bool isTree = isOfTree(step, index), isCompared = !out->joint[index].isCertain;
    ksiMeanApart present = {0}, begun = {0};
    if (!ksiIsRecentRun(step, run) || !ksiIsSameMechanism(step, index, run) || !isExplained(step, index)) {
        const ksiIsland *of = &step->island[step->member[index].island];
        *run = (ksiRunMean){
            .length = stepsOfWindow(step->h), .rows = rows, .joints = of->jointCount, .bodies = of->bodyCount};
    }
    changeRows(run, rows);
    addForbidden(step, index, out, run);
    if (isTree) {
        if (isCompared || run->sums.count == run->length)
            findMeans(step, index, run, isCompared, &present, &begun);
        closeWindow(&present, run);
        run->isNoiseKnown &= island->isSoftened;
    }
    addStep(step, index, out, run);
    noteAxes(step, index, out, run);
    if (!isTree)
        findMeans(step, index, run, true, &present, &begun);
    if (ksiHasNoise(step, index, run))
        ksiAddNoise(step, index, run, &out->joint[index]);
    if (!isCompared)
        return;
    growBars(run, &present, &begun, &out->joint[index]);
    if (!isTree)
        closeWindow(&present, run);
}
