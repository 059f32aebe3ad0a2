/* mean.c  Finds the mean forces of the motion over a window of steps.
 *
 * In each step, M (v* - v) = h (f + J^T lambda_e) holds to rounding, even if the solver has not
 * converged: the multipliers lambda_e explain the motion. So over a window of duration `T`,
 *
 *     1/T sum h J^T lambda_e  =  1/T sum (M (v* - v) - h f)
 *
 * Thus, for each determinate joint, the mean of the reported force is the mean of the force that
 * the motion needed. This result uses no pose, no rank and no estimate. Torques about a moving
 * anchor are about the anchor of each step. */
#include "mean.h"

#include "../lanes.h"
#include "wrench.h"
#include "wrench_norm.h"

#include "../../base/duration.h"
#include "../../base/vectorise.h"
#include "../../engine/vector.h"

#include <math.h>
#include <string.h>

/* --- Blocks --- */

ksiMeanClock ksiMeanClockOf(double window)
{
    return (ksiMeanClock){.window = window, .isFull = true};
}

void ksiMeanAdvance(ksiMeanClock *clock, double h)
{
    clock->isNew = clock->isFull;
    clock->block += clock->isNew;
    clock->elapsed += h;
    const double blocks = floor(KSI_BLOCKS_OF_WINDOW * clock->elapsed / clock->window * (1 + ksiFillTolerance));
    clock->isFull = blocks > clock->passed;
    clock->passed = blocks;
    if (blocks >= KSI_BLOCKS_OF_WINDOW)
        clock->elapsed = clock->passed = 0;
}

/* --- Room --- */

/* Joints of the last step keep their slots. New joints, even at the address of a vanished joint,
 * get free slots. */
static void dealSlots(const ksiStep *step, ksiMeans *means)
{
    size_t next = 0;
    if (means->slotCount)
        memset(means->isTaken, 0, means->slotCount * sizeof *means->isTaken);
    for (size_t i = 0; i < step->input->jointCount; i++) {
        const ksiJointInput *joint = &step->joint[i];
        ksiMeanRun *run = &means->run[i];
        if (!joint->goesOn)
            *run = (ksiMeanRun){.slot = -1};
        if (run->slot >= 0)
            means->isTaken[run->slot] = true;
    }
    for (size_t i = 0; i < step->input->jointCount; i++) {
        if (means->run[i].slot >= 0 || step->joint[i].type == dJointTypeContact)
            continue;
        while (next < means->slotCount && means->isTaken[next])
            next++;
        means->slotCount += next == means->slotCount;
        means->isTaken[next] = true;
        means->run[i].slot = (int)next;
    }
}

ksStatus ksiReserveMeans(const ksiStep *step, ksiMeans *means)
{
    const ksAllocator *allocator = &step->allocator;
    KSI_TRY(
        ksiReserve(allocator, &means->isTaken, &means->takenCapacity, step->input->jointCount, sizeof *means->isTaken));
    ksiMeanAdvance(&means->clock, step->h);
    dealSlots(step, means);
    for (size_t i = 0; i < KSI_MEAN_BLOCKS; i++)
        KSI_TRY(ksiReserve(allocator, &means->block[i], &means->capacity[i], means->slotCount, sizeof **means->block));
    return ksiReserve(allocator, &means->recent, &means->capacity[KSI_MEAN_BLOCKS], means->slotCount,
                      sizeof *means->recent);
}

/* --- A step --- */

ksiSample ksiSampleOf(const ksiStep *step, int index)
{
    const ksReasons reasons = step->verdict[index].reasons;
    if (step->verdict[index].verdict != KS_NOT_SOLVED)
        return step->report[index].isFinite ? KSI_FORCE : KSI_NO_SAMPLE;
    return reasons & KS_REASON_NO_ROWS && !(reasons & (KS_REASON_ASLEEP | KS_REASON_DISABLED)) ? KSI_NO_FORCE
                                                                                               : KSI_NO_SAMPLE;
}

void ksiForceOf(const ksiStep *step, int index, ksWrench on[2])
{
    const dJointFeedback *from = &step->feedback[index].own;
    if (step->observed[index].isFalse) {
        ksiReactionWrenches(&step->joint[index], step->observed[index].multiplier, on);
        return;
    }
    for (int side = 0; side < 2; side++)
        ksiTakeFeedback(from, side, on[side].force, on[side].torque);
}

/* Only the first three numbers of each vector count. */
typedef struct Wrench {
    ksiFour force, torque;
} Wrench;

KSI_INLINE void takeWrench(const double wrench[6], Wrench *out)
{
    // reading four numbers from the fourth on would go beyond the wrench
    const ksiFour tail = *(const ksiFour *)(wrench + 2);
    out->force = *(const ksiFour *)wrench;
    out->torque = KSI_SHUFFLE(tail, tail, 1, 2, 3, 0);
}

KSI_INLINE void addWrench(double times, const Wrench *wrench, double sum[6])
{
    *(ksiFour *)sum += times * KSI_SHUFFLE(wrench->force, wrench->torque, 0, 1, 2, 4);
    *(ksiTwo *)(sum + 4) += times * (ksiTwo){wrench->torque[1], wrench->torque[2]};
}

/* From the mass centre of a body to the joint's anchor on it, in the first three numbers; or 0. */
KSI_INLINE void leverOf(const ksiStep *step, const ksiJointInput *joint, int side, ksiFour *lever)
{
    const double *centre = step->body[joint->bodyIndex[side]].begin.centre;
    // reading four numbers from the second anchor on would go beyond the last joint
    const ksiFour tail = *(const ksiFour *)(joint->frame.anchor[0] + 2);
    ksiFour anchor = *(const ksiFour *)joint->frame.anchor[0];
    if (side)
        anchor = KSI_SHUFFLE(tail, tail, 1, 2, 3, 0);
    *lever = (ksiFour){0};
    if (!isnan(anchor[0]))
        *lever = anchor - *(const ksiFour *)centre;
}

/* t' = t - r x f */
KSI_INLINE void shift(const ksiFour *lever, Wrench *wrench)
{
    ksiFour moment;
    ksiCrossFour(&moment, lever, &wrench->force);
    wrench->torque -= moment;
}

/* The columns of the matrix that expresses vectors in these axes. */
KSI_INLINE void takeColumns(const double axes[9], ksiFour column[4])
{
    const ksiFour tail = *(const ksiFour *)(axes + 5);
    column[0] = *(const ksiFour *)axes;
    column[1] = *(const ksiFour *)(axes + 3);
    column[2] = KSI_SHUFFLE(tail, tail, 1, 2, 3, 0);
    column[3] = (ksiFour){0};
    ksiTranspose(column);
}

KSI_INLINE void turn(const ksiFour column[4], ksiFour *vector)
{
    *vector = column[0] * (*vector)[0] + column[1] * (*vector)[1] + column[2] * (*vector)[2];
}

KSI_INLINE void turnWrench(const ksiFour column[4], Wrench *wrench)
{
    turn(column, &wrench->force);
    turn(column, &wrench->torque);
}

/* Adds the wrenches on both bodies. *lever: from the mass centre of body[0] to the anchor. */
KSI_INLINE void addForces(const ksiStep *step, size_t index, const ksiFour column[4], ksiFour *lever, ksiMeanSums *sums)
{
    const ksiJointInput *joint = &step->joint[index];
    ksWrench on[2];
    ksiForceOf(step, (int)index, on);
    KSI_EACH_BODY (joint->bodyIndex, side, body) {
        ksiFour other, *own = side ? &other : lever;
        Wrench wrench;
        takeWrench((const double *)&on[side], &wrench);
        leverOf(step, joint, side, own);
        shift(own, &wrench);
        addWrench(step->h, &wrench, (double *)&sums->world[side]);
        turnWrench(column, &wrench);
        addWrench(step->h, &wrench, (double *)&sums->turned[side]);
    }
}

KSI_INLINE void addSingle(double times, const Wrench *wrench, float sum[6])
{
    *(ksiSingles *)sum +=
        __builtin_convertvector(times * KSI_SHUFFLE(wrench->force, wrench->torque, 0, 1, 2, 4), ksiSingles);
    EACH (k, 1, 3)
        sum[3 + k] += (float)(times * wrench->torque[k]);
}

/* Adds the sizes of the components of the force, and of the components of the torque. */
KSI_INLINE void addSizes(double times, const Wrench *wrench, float sum[2])
{
    ksiFour pairs = KSI_SHUFFLE(wrench->force, wrench->torque, 0, 1, 4, 5);
    ksiFour last = KSI_SHUFFLE(wrench->force, wrench->torque, 2, 2, 6, 6);
    ksiMakeAbsolute(&pairs);
    ksiMakeAbsolute(&last);
    sum[0] += (float)(times * (pairs[0] + pairs[1] + last[0]));
    sum[1] += (float)(times * (pairs[2] + pairs[3] + last[2]));
}

/* A sum of rows on body[0]: the first four and the last four of its six numbers. */
typedef struct RowSum {
    ksiFour first, last;
} RowSum;

KSI_INLINE void addRow(double times, const double row[6], RowSum *sum)
{
    sum->first += times * *(const ksiFour *)row;
    sum->last += times * *(const ksiFour *)(row + 2);
}

/* Converts a sum to a wrench about the end of the lever. */
KSI_INLINE void takeSum(const RowSum *sum, const ksiFour *lever, Wrench *wrench)
{
    wrench->force = sum->first;
    wrench->torque = KSI_SHUFFLE(sum->last, sum->last, 1, 2, 3, 0);
    shift(lever, wrench);
}

KSI_CLONES
void ksiForbiddenImpulse(const ksiStep *step, int index, float wrench[6])
{
    const ksiJointInput *joint = &step->joint[index];
    const ksiJointPhysical *physical = &step->physical[index];
    RowSum sum = {{0}, {0}};
    ksiFour lever;
    Wrench about;
    memset(wrench, 0, 6 * sizeof *wrench);
    if (!physical->isKnown)
        return;
    leverOf(step, joint, 0, &lever);
    for (int l = 0; l < joint->rows.count; l++)
        addRow(physical->forbidden[l], joint->rows.row[l].jacobian[0], &sum);
    takeSum(&sum, &lever, &about);
    addSingle(1, &about, wrench);
}

/* Adds two wrenches of a joint: the one that explains the motion minus the physical one; and the
 * change of the physical one if the other permitted velocity field is used. */
KSI_INLINE void addApart(const ksiStep *step, size_t index, const double *multiplier, const ksiFour *lever,
                         ksiMeanSums *sums)
{
    const ksiJointInput *joint = &step->joint[index];
    const ksiJointPhysical *physical = &step->physical[index];
    const int island = step->member[index].island;
    if (!physical->isKnown) {
        sums->marks |= KSI_MEAN_APART_UNKNOWN;
        return;
    }
    const bool isBorrowed = !step->island[island].isTree || step->islandPhysical[island].isSoftened;
    RowSum beyond = {{0}, {0}}, fields = {{0}, {0}};
    for (int l = 0; l < joint->rows.count; l++) {
        const double *row = joint->rows.row[l].jacobian[0];
        addRow(multiplier[l] - physical->multiplier[l], row, &beyond);
        if (!isBorrowed)
            addRow(physical->fields[l], row, &fields);
    }
    Wrench wrench;
    takeSum(&beyond, lever, &wrench);
    addSingle(step->h, &wrench, sums->beyond);
    addSizes(step->h, &wrench, sums->size);
    if (isBorrowed) {
        sums->marks |= KSI_MEAN_BORROWED;
        return;
    }
    takeSum(&fields, lever, &wrench);
    addSingle(step->h, &wrench, sums->fields);
}

/* The largest distance of the end of the lever from the mass centre of a body of the joint. */
static double longest(const ksiStep *step, const ksiJointInput *joint, const ksiFour *lever)
{
    double most = 0;
    KSI_EACH_BODY (joint->bodyIndex, side, body) {
        double r[3];
        ksiSubtract(r, step->body[joint->bodyIndex[0]].begin.centre, step->body[body].begin.centre);
        for (int k = 0; k < 3; k++)
            r[k] += (*lever)[k];
        most = ksiLarger(most, ksiSize(r, 3));
    }
    return most;
}

KSI_INLINE void storeWrench(const Wrench *from, ksWrench *to)
{
    ksiStoreThree(to->force, &from->force);
    ksiStoreThree(to->torque, &from->torque);
}

/* The components that are not unique, as ksiMeanSums::open. */
static unsigned openOf(const ksiStep *step, size_t index, const ksiFour column[4], const ksiFour *lever)
{
    const ksiJointInput *joint = &step->joint[index];
    const ksiJointFree *free = ksiFreeOf(step, (int)index);
    const ksiStressShare *share = ksiSharesOf(step, free);
    const double length = longest(step, joint, lever);
    unsigned open = 0;
    for (int f = 0; f < free->count; f++) {
        ksWrench direction = {{0}, {0}};
        Wrench wrench;
        for (int l = 0; l < joint->rows.count; l++)
            ksiAddSix((double *)&direction, share[f].multiplier[l], joint->rows.row[l].jacobian[0]);
        ksiNormaliseWrench(&direction);
        takeWrench((const double *)&direction, &wrench);
        shift(lever, &wrench);
        storeWrench(&wrench, &direction);
        const double whole = ksiWholeTorque(&direction, length, step->isSingle);
        open |= ksiOpenComponents(&direction, whole);
        turnWrench(column, &wrench);
        storeWrench(&wrench, &direction);
        open |= ksiOpenComponents(&direction, whole) << KSI_MEAN_TURNED;
    }
    return open;
}

static void addMotors(const ksiStep *step, size_t index, const double *multiplier, ksiMeanSums *sums)
{
    const ksiRows *rows = &step->joint[index].rows;
    const bool isUnique = step->report[index].rank == rows->count;
    for (int l = 0; l < rows->count; l++) {
        const bool isAtStop = rows->powered >> l & 1u;
        if (rows->axis[l] < 0 || !(isAtStop || rows->row[l].kind == KS_ROW_MOTOR))
            continue;
        const double force = isAtStop ? rows->motor[l].force : isUnique ? multiplier[l] : (double)NAN;
        sums->motor[rows->axis[l]] += step->h * force;
        sums->motors |= (unsigned char)(1u << rows->axis[l]);
    }
}

/* ksiMeanRun::shared for this step. */
static unsigned sharedOf(const ksiStep *step, int joint)
{
    const ksiJointFree *free = ksiFreeOf(step, joint);
    return (unsigned)free->count << KSI_MAX_ROWS | free->undetermined;
}

/* isOpenKnown: ksiMeanRun::shared has not changed since the last step of this block. */
KSI_CLONES
static void add(const ksiStep *step, size_t index, bool isOpenKnown, ksiMeanSums *sums)
{
    const ksiJointInput *joint = &step->joint[index];
    const ksiJointObserved *observed = &step->observed[index];
    const double *multiplier = observed->isFalse ? observed->multiplier : step->report[index].multiplier;
    ksiFour lever = {0}, column[4];
    takeColumns(joint->frame.axes, column);
    addForces(step, index, column, &lever, sums);
    addApart(step, index, multiplier, &lever, sums);
    sums->marks |= observed->told ? 0 : KSI_MEAN_VAGUE;
    sums->remainder += observed->told ? (float)(step->h * observed->remainder) : 0;
    if (!isOpenKnown)
        sums->open |= (unsigned short)openOf(step, index, column, &lever);
    if (!joint->rows.plain && !step->isForeign)
        addMotors(step, index, multiplier, sums);
}

/* --- The window --- */

KSI_CLONES
void ksiAddMeans(const ksiMeanSums *a, const ksiMeanSums *b, ksiMeanSums *sum)
{
    enum {
        DOUBLES = offsetof(ksiMeanSums, remainder) / sizeof(double),
        SINGLES = (offsetof(ksiMeanSums, open) - offsetof(ksiMeanSums, remainder)) / sizeof(float)
    };
    const double *x = &a->time, *y = &b->time;
    const float *p = &a->remainder, *q = &b->remainder;
    _Static_assert(DOUBLES % 4 == 0, "vectors of four");
    EACH (i, 0, DOUBLES / 4)
        *(ksiFour *)(&sum->time + 4 * i) = *(const ksiFour *)(x + 4 * i) + *(const ksiFour *)(y + 4 * i);
    EACH (i, 0, SINGLES / 4)
        *(ksiSingles *)(&sum->remainder + 4 * i) = *(const ksiSingles *)(p + 4 * i) + *(const ksiSingles *)(q + 4 * i);
    EACH (k, SINGLES - SINGLES % 4, SINGLES)
        (&sum->remainder)[k] = p[k] + q[k];
    sum->open = a->open | b->open;
    sum->motors = a->motors | b->motors;
    sum->marks = a->marks | b->marks;
}

static ksiMeanSums *sumsAt(const ksiMeans *means, const ksiMeanRun *run, unsigned long block)
{
    return &means->block[ksiMeanPlace(block)][run->slot].sums;
}

/* Starts the window with the block of this step. */
static void beginRun(ksiMeans *means, ksiMeanRun *run)
{
    run->age = 0;
    run->turned = 0;
    means->recent[run->slot] = (ksiMeanSums){.time = 0};
}

/* Stores in each block the sum from this block up to the last one. */
static void turnBlocks(ksiMeans *means, ksiMeanRun *run, unsigned long last)
{
    ksiMeanSums *recent = &means->recent[run->slot];
    const unsigned long first = ksiMeanFirst(means, run), next = first + run->turned;
    for (unsigned long b = first; b < next; b++)
        ksiAddMeans(recent, sumsAt(means, run, b), sumsAt(means, run, b));
    for (unsigned long b = last; b-- > next;)
        ksiAddMeans(sumsAt(means, run, b + 1), sumsAt(means, run, b), sumsAt(means, run, b));
    run->turned = (unsigned char)(last + 1 - first);
    *recent = (ksiMeanSums){.time = 0};
}

/* Adds the last block, which has ended, to the window, and drops the blocks that have left it.
 * Calls turnBlocks as soon as `recent` and the next block together could cover the window. So the
 * choice of the blocks in the window does not depend on the times of these calls. */
static void closeBlock(ksiMeans *means, ksiMeanRun *run)
{
    const double least = means->clock.window * (1 - ksiFillTolerance);
    const unsigned long last = means->clock.block - 1;
    ksiMeanSums *recent = &means->recent[run->slot];
    run->age++;
    ksiAddMeans(sumsAt(means, run, last), recent, recent);
    if (recent->time >= least * (1 - 2.0 / KSI_BLOCKS_OF_WINDOW))
        turnBlocks(means, run, last);
    while (run->turned > 1 && sumsAt(means, run, ksiMeanFirst(means, run) + 1)->time + recent->time >= least) {
        run->age--;
        run->turned--;
    }
}

bool ksiIsPut(const ksiStep *step, int joint)
{
    bool is = false;
    KSI_EACH_BODY (step->joint[joint].bodyIndex, side, body)
        is |= step->body[body].isPut;
    return is;
}

/* Finds ksiMeans::turning, once in a step in which a joint begins a block. */
static void findTurning(const ksiStep *step, bool *isKnown, float *turning)
{
    if (*isKnown)
        return;
    *isKnown = true;
    for (size_t i = 0; i < step->islands->count; i++) {
        double most2 = 0;
        KSI_EACH_ISLAND_BODY (step, &step->island[i], b, body) {
            const double *spin = step->body[body].begin.velocity + 3;
            most2 = ksiLarger(most2, ksiDot(spin, spin));
        }
        turning[i] = (float)sqrt(most2);
    }
}

static void beginBlock(const ksiStep *step, int joint, const ksiMeans *means, ksiMeanBlock *block)
{
    const int island = step->member[joint].island;
    block->sums = (ksiMeanSums){.time = 0};
    block->turning = island < 0 ? 0 : means->turning[island];
    ksiForbiddenImpulse(step, joint, block->forbidden);
    EACH (i, 0, 2) {
        const float *s = block->forbidden + 3 * i;
        const double v[3] = {s[0], s[1], s[2]};
        block->size[i] = (float)ksiSize(v, 3);
    }
}

void ksiTakeMeans(const ksiStep *step, ksiMeans *means)
{
    const ksiMeanClock *clock = &means->clock;
    ksiMeanBlock *all = means->block[ksiMeanPlace(clock->block)];
    const bool isNext = means->step + 1 == step->number && means->last + clock->isNew == clock->block;
    means->step = step->number;
    means->last = clock->block;
    bool isTurningKnown = false;
    for (size_t i = 0; i < step->jointCount; i++) {
        const ksiJointInput *joint = &step->joint[i];
        ksiMeanRun *run = &means->run[i];
        if (run->slot < 0)
            continue;
        const ksiSample sample = ksiSampleOf(step, (int)i);
        ksiMeanBlock *block = &all[run->slot];
        const bool goesOn = run->isOn && isNext && joint->goesOn && !ksiIsPut(step, (int)i);
        run->isOn = sample != KSI_NO_SAMPLE;
        if (!run->isOn)
            continue;
        if (!goesOn)
            beginRun(means, run);
        else if (clock->isNew)
            closeBlock(means, run);
        if (!goesOn || clock->isNew) {
            findTurning(step, &isTurningKnown, means->turning);
            beginBlock(step, (int)i, means, block);
            run->shared = 0;
        }
        block->sums.time += step->h;
        if (sample != KSI_FORCE)
            continue;
        const unsigned shared = sharedOf(step, (int)i);
        add(step, i, shared == run->shared, &block->sums);
        run->shared = (unsigned short)shared;
    }
}
