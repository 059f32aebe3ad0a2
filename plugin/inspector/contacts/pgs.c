/* pgs.c  Solves the step equations of one group row by row, without a matrix. In the mass metric, J
 * is scaled by M^-1/2, and u = M^1/2 a. While
 *
 *     u  =  M^-1/2 f + J^T lambda
 *
 * is kept up to date, each row `l` is solved alone (projected Gauss-Seidel):
 *
 *     lambda_l  <-  clamp(lambda_l - (J_l u + s_l lambda_l - b_l) / (|J_l|^2 + s_l))
 *
 * Friction is within mu times the present normal force, as in dWorldQuickStep. After a sweep, a
 * momentum extrapolates lambda and u along their last change (Nesterov 1983). This momentum
 * restarts if a sweep turns back (O'Donoghue and Candes 2015) or goes too far: Gauss-Seidel is not
 * a gradient method, and momentum can make it diverge. */
#include "pgs.h"
#include "../publish/wrench_norm.h"

#include <limits.h>
#include <math.h>
#include <string.h>

bool ksiPgsIsPossible(const ksiStep *step, const ksiGroup *group)
{
    return group->isSound && (step->stepper == KS_QUICK_STEP || !group->hasFriction);
}

int ksiPgsBlocks(const ksiJointInput *joint)
{
    return (joint->rows.count + KSI_PGS_ROWS - 1) / KSI_PGS_ROWS;
}

double ksiPgsMultiplier(const ksiPgsRun *s, int first, int l)
{
    const int slot = s->slot[first + l / KSI_PGS_ROWS];
    return s->batch[slot / KSI_PGS_LANES].multiplier[l % KSI_PGS_ROWS][slot % KSI_PGS_LANES];
}

/* The bounds of a friction row depend on the first row of its joint. */
static void setBounds(const ksiJointInput *joint, int l, ksiPgsBatch *batch, int lane)
{
    const int row = l % KSI_PGS_ROWS;
    const double most = fabs(joint->rows.row[l].hi);
    if (joint->rows.row[l].findex < 0) {
        batch->low[row][lane] = joint->rows.row[l].lo;
        batch->high[row][lane] = joint->rows.row[l].hi;
    } else if (isinf(most)) {
        batch->low[row][lane] = -most;
        batch->high[row][lane] = most;
    } else {
        batch->friction[row][lane] = most;
    }
}

static void setRow(const ksiPgsRun *s, int index, int l, double target, ksiPgsBatch *batch, int lane)
{
    const ksiJointInput *joint = &s->step->joint[index];
    const int row = l % KSI_PGS_ROWS;
    const double *scaled = joint->scaled[l], compliance = joint->rows.row[l].cfm / s->step->h;
    const double diagonal = compliance + ksiDotTwelve(scaled, scaled);
    for (int k = 0; k < 12; k++)
        batch->scaled[row][k][lane] = scaled[k];
    batch->target[row][lane] = target;
    batch->compliance[row][lane] = compliance;
    batch->diagonal[row][lane] = diagonal;
    if (s->step->reportPlaces[index].place[l] != KS_INACTIVE && diagonal > 0)
        batch->inverse[row][lane] = 1 / diagonal;
    for (int k = 0; k < row; k++)
        batch->coupling[row + k - 1][lane] = ksiDotTwelve(joint->scaled[l - row + k], scaled);
    batch->multiplier[row][lane] = batch->before[row][lane] = s->opposite ? 0 : s->step->report[index].multiplier[l];
    setBounds(joint, l, batch, lane);
}

/* Index of a body in the sweeps; a body that does not move freely counts as the world. */
static int bodyOf(const ksiStep *step, const ksiGroups *groups, const ksiGroup *group, int joint, int side)
{
    const int body = step->joint[joint].bodyIndex[side];
    return body >= 0 && step->body[body].dynamic ? groups->members.body[body].block : group->bodyCount;
}

static void addJoint(ksiPgsRun *s, int index, const int *slot)
{
    double target[KSI_MAX_ROWS];
    ksiRightHandSides(s->step, index, s->step->joint[index].rate, target);
    for (int l = 0; l < s->step->joint[index].rows.count; l++) {
        const int block = l / KSI_PGS_ROWS, lane = slot[block] % KSI_PGS_LANES;
        ksiPgsBatch *batch = &s->batch[slot[block] / KSI_PGS_LANES];
        if (l % KSI_PGS_ROWS == 0) {
            batch->first[lane] = slot[0];
            batch->own[lane] = block == 0;
            batch->follows |= block > 0;
            for (int side = 0; side < 2; side++)
                batch->u[side][lane] = s->body[bodyOf(s->step, s->groups, s->group, index, side)].u;
        }
        setRow(s, index, l, target[l], batch, lane);
    }
}

static void addBody(ksiPgsRun *s, int i)
{
    const int body = s->group->body[i];
    double force[6];
    for (int k = 0; k < 6; k++)
        force[k] = s->step->body[body].begin.force[k] + (s->opposite ? 0 : s->step->bodyReport[body].net[k]);
    ksiScaleWrench(&s->step->body[body], force, s->body[i].u);
    memcpy(s->body[i].before, s->body[i].u, sizeof s->body[i].u);
}

static void setUp(ksiPgsRun *s)
{
    const int world = s->group->bodyCount, *slot = s->slot;
    memset(s->batch, 0, (size_t)s->batchCount * sizeof *s->batch);
    for (int i = 0; i < s->batchCount; i++) {
        for (int lane = 0; lane < KSI_PGS_LANES; lane++)
            s->batch[i].u[0][lane] = s->batch[i].u[1][lane] = s->body[world].u;
    }
    for (int i = 0; i < world; i++)
        addBody(s, i);
    memset(&s->body[world], 0, sizeof *s->body);
    for (int i = 0; i < s->group->jointCount; i++) {
        const int joint = s->group->joint[i];
        addJoint(s, joint, slot);
        slot += ksiPgsBlocks(&s->step->joint[joint]);
    }
}

/* The largest number of batches that are filled at the same time is the number of bits of a word.
 * Batch number n has bit n modulo OPEN. */
enum { OPEN = (int)(CHAR_BIT * sizeof(unsigned long long)) };

typedef struct Filling {
    ksiPgsBody *body;
    int world, begun;
    unsigned long long room; /* bits: batches that have room */
    int number[OPEN], filled[OPEN];
    int member[OPEN][2 * KSI_PGS_LANES];
} Filling;

static unsigned long long turned(unsigned long long bits, int by)
{
    by &= OPEN - 1;
    return by ? bits << by | bits >> (OPEN - by) : bits;
}

/* Begins a batch, which replaces the oldest open one. */
static int beginFilling(Filling *f)
{
    const int at = f->begun % OPEN;
    const unsigned long long bit = 1ull << at;
    for (int i = 0; f->begun >= OPEN && i < 2 * f->filled[at]; i++)
        f->body[f->member[at][i]].batches &= ~bit;
    f->number[at] = f->begun++;
    f->filled[at] = 0;
    f->room |= bit;
    return at;
}

/* Takes a slot for a block on two bodies, in the oldest batch that has room and lacks these bodies.
 * A batch next to a batch with one of these bodies is not used, since one of these two batches
 * would have to wait for the other. */
static int take(Filling *f, int a, int b)
{
    const unsigned long long with = f->body[a].batches | f->body[b].batches;
    const unsigned long long without = f->room & ~(with | turned(with, 1) | turned(with, OPEN - 1));
    const int at =
        without ? (__builtin_ctzll(turned(without, OPEN - f->begun % OPEN)) + f->begun) % OPEN : beginFilling(f);
    const int slot = KSI_PGS_LANES * f->number[at] + f->filled[at];
    f->member[at][2 * f->filled[at]] = a;
    f->member[at][2 * f->filled[at] + 1] = b;
    f->filled[at]++;
    f->body[a].batches |= 1ull << at;
    f->body[b].batches |= 1ull << at;
    f->body[f->world].batches = 0;
    if (f->filled[at] == KSI_PGS_LANES)
        f->room &= ~(1ull << at);
    return slot;
}

/* Gives all blocks a slot, and returns the number of batches. */
static int fillBatches(const ksiStep *step, const ksiGroups *groups, const ksiGroup *group, ksiPgsWorkspace *room)
{
    Filling f = {.body = room->body, .world = group->bodyCount};
    int block = 0;
    for (int i = 0; i <= group->bodyCount; i++)
        f.body[i].batches = 0;
    for (int i = 0; i < group->jointCount; i++) {
        const int joint = group->joint[i];
        const int a = bodyOf(step, groups, group, joint, 0), b = bodyOf(step, groups, group, joint, 1);
        for (int k = ksiPgsBlocks(&step->joint[joint]); k > 0; k--)
            room->slot[block++] = take(&f, a, b);
    }
    return f.begun;
}

static size_t countBlocks(const ksiStep *step, const ksiGroup *group)
{
    size_t blocks = 0;
    for (int i = 0; i < group->jointCount; i++)
        blocks += (size_t)ksiPgsBlocks(&step->joint[group->joint[i]]);
    return blocks;
}

ksStatus ksiPgsReserve(const ksiStep *step, const ksiGroups *groups, const ksiGroup *group, int runs,
                       ksiPgsWorkspace *room)
{
    const ksAllocator *allocator = &step->allocator;
    const size_t bodies = (size_t)runs * ((size_t)group->bodyCount + 1);
    KSI_TRY(ksiReserve(allocator, &room->slot, &room->slotCapacity, countBlocks(step, group), sizeof *room->slot));
    KSI_TRY(ksiReserve(allocator, &room->body, &room->bodyCapacity, bodies, sizeof *room->body));
    room->batchCount = fillBatches(step, groups, group, room);
    return ksiReserve(allocator, &room->batch, &room->batchCapacity, (size_t)runs * (size_t)room->batchCount,
                      sizeof *room->batch);
}

ksStatus ksiPgsBegin(const ksiStep *step, const ksiGroups *groups, const ksiGroup *group, int runs,
                     ksiPgsWorkspace *room, ksiPgsRun *s)
{
    KSI_TRY(ksiPgsReserve(step, groups, group, runs, room));
    for (int i = 0; i < runs; i++) {
        s[i] = (ksiPgsRun){.step = step,
                           .groups = groups,
                           .group = group,
                           .opposite = i > 0,
                           .least = INFINITY,
                           .batchCount = room->batchCount,
                           .batch = room->batch + (size_t)i * (size_t)room->batchCount,
                           .slot = room->slot,
                           .body = room->body + (size_t)i * ((size_t)group->bodyCount + 1)};
        setUp(&s[i]);
    }
    return KS_OK;
}

/* square: the squared change in one sweep. along: the product of this change with the whole change
 * since the end of the sweep before, which includes the extrapolation. */
typedef struct Move {
    double square, along;
} Move;

KSI_INLINE void extrapolate(ksiPgsBody *body, double part)
{
    ksiFour *u = (ksiFour *)body->u, *before = (ksiFour *)body->before;
    ksiTwo *tail = (ksiTwo *)(body->u + 4), *tailBefore = (ksiTwo *)(body->before + 4);
    const ksiFour now = *u;
    const ksiTwo tailNow = *tail;
    *u += part * (now - *before);
    *tail += part * (tailNow - *tailBefore);
    *before = now;
    *tailBefore = tailNow;
}

/* The u of four bodies, element by element. */
KSI_INLINE void gather(double *const u[KSI_PGS_LANES], ksiFour x[6])
{
    ksiFour four[4] = {*(ksiFour *)u[0], *(ksiFour *)u[1], *(ksiFour *)u[2], *(ksiFour *)u[3]};
    const ksiFour even = {u[0][4], u[0][5], u[2][4], u[2][5]}, odd = {u[1][4], u[1][5], u[3][4], u[3][5]};
    ksiTranspose(four);
    EACH (k, 0, 4)
        x[k] = four[k];
    x[4] = KSI_SHUFFLE(even, odd, 0, 4, 2, 6);
    x[5] = KSI_SHUFFLE(even, odd, 1, 5, 3, 7);
}

KSI_INLINE void scatter(double *const u[KSI_PGS_LANES], const ksiFour x[6])
{
    ksiFour four[4] = {x[0], x[1], x[2], x[3]};
    const ksiFour even = KSI_SHUFFLE(x[4], x[5], 0, 4, 2, 6), odd = KSI_SHUFFLE(x[4], x[5], 1, 5, 3, 7);
    ksiTranspose(four);
    EACH (i, 0, KSI_PGS_LANES)
        *(ksiFour *)u[i] = four[i];
    *(ksiTwo *)(u[0] + 4) = (ksiTwo){even[0], even[1]};
    *(ksiTwo *)(u[1] + 4) = (ksiTwo){odd[0], odd[1]};
    *(ksiTwo *)(u[2] + 4) = (ksiTwo){even[2], even[3]};
    *(ksiTwo *)(u[3] + 4) = (ksiTwo){odd[2], odd[3]};
}

KSI_INLINE void choose(const ksiFourBits *which, const ksiFour *bound, ksiFour *x)
{
    *x = (ksiFour)(((ksiFourBits)*bound & *which) | ((ksiFourBits)*x & ~*which));
}

KSI_INLINE void clamp(ksiFour *x, const ksiFour *low, const ksiFour *high)
{
    const ksiFourBits below = (ksiFourBits)(*low > *x);
    choose(&below, low, x);
    const ksiFourBits above = (ksiFourBits)(*high < *x);
    choose(&above, high, x);
}

KSI_INLINE void absolute(ksiFour *x)
{
    static const unsigned long long allButSign = ~(1ull << 63);
    *x = (ksiFour)((ksiFourBits)*x & (ksiFourBits){allButSign, allButSign, allButSign, allButSign});
}

/* Finds the normal forces in other blocks that bound the friction in this batch. */
KSI_INLINE void findNormals(const ksiPgsBatch *all, const ksiPgsBatch *batch, ksiFour *normal)
{
    *normal = (ksiFour){0};
    for (int i = 0; batch->follows && i < KSI_PGS_LANES; i++) {
        const int first = batch->first[i];
        if (batch->own[i] == 0)
            (*normal)[i] = fabs(all[first / KSI_PGS_LANES].multiplier[0][first % KSI_PGS_LANES]);
    }
}

/* Sweeps row after row; each row sees the changes of the rows before it. */
KSI_INLINE void sweepBatch(ksiPgsBatch *all, ksiPgsBatch *batch, double part, ksiFour *square, ksiFour *along)
{
    ksiFour x[12] = {{0}}, w[KSI_PGS_ROWS], from[KSI_PGS_ROWS], moved[KSI_PGS_ROWS], normal;
    gather(batch->u[0], x);
    gather(batch->u[1], x + 6);
    findNormals(all, batch, &normal);
    EACH (l, 0, KSI_PGS_ROWS) {
        const ksiFour *row = batch->scaled[l], now = batch->multiplier[l];
        from[l] = now + part * (now - batch->before[l]);
        batch->before[l] = now;
        ksiFour first = batch->compliance[l] * from[l] - batch->target[l], second = row[6] * x[6];
        EACH (k, 0, 6)
            first += row[k] * x[k];
        EACH (k, 7, 12)
            second += row[k] * x[k];
        w[l] = first + second;
    }
    EACH (l, 0, KSI_PGS_ROWS) {
        const ksiFour slide = normal * batch->friction[l];
        const ksiFour low = batch->low[l] - slide, high = batch->high[l] + slide;
        ksiFour to = from[l] - w[l] * batch->inverse[l];
        clamp(&to, &low, &high);
        moved[l] = to - from[l];
        const ksiFour weighted = moved[l] * batch->diagonal[l];
        *square += weighted * moved[l];
        *along += weighted * (to - batch->before[l]);
        batch->multiplier[l] = to;
        EACH (k, l + 1, KSI_PGS_ROWS)
            w[k] += moved[l] * batch->coupling[l + k - 1];
        if (l == 0) {
            absolute(&to);
            normal += batch->own * to;
        }
    }
    EACH (k, 0, 12)
        x[k] += moved[0] * batch->scaled[0][k] + moved[1] * batch->scaled[1][k] + moved[2] * batch->scaled[2][k];
    scatter(batch->u[0], x);
    scatter(batch->u[1], x + 6);
}

KSI_CLONES static Move sweep(ksiPgsRun *s)
{
    ksiPgsBatch *const batch = s->batch;
    const int count = s->batchCount, bodyCount = s->group->bodyCount;
    const double part = s->part;
    ksiFour square = {0}, along = {0};
    for (int i = 0; i < bodyCount; i++)
        extrapolate(&s->body[i], part);
    const int by = s->opposite ? -1 : 1;
    ksiPgsBatch *at = s->opposite ? batch + count - 1 : batch;
    for (int i = 0; i < count; i++, at += by)
        sweepBatch(batch, at, part, &square, &along);
    const ksiTwo squares = ksiFold(&square), alongs = ksiFold(&along);
    return (Move){squares[0] + squares[1], alongs[0] + alongs[1]};
}

/* These numbers only affect the speed of convergence. Of 199 estimates in a pile of 100 boxes, 197
 * are right to within a factor of 3 after 40 sweeps with `fastest`, and 171 after 40 sweeps without
 * momentum. If one of the numbers of `fastest` (for `most`, 1 - most) is multiplied or divided by
 * ten, at least 194 are right. The exception is a value of `farther` below 1, which makes every
 * sweep restart. Of 90 net forces in a pile of 30 boxes, 88 are right to within a tenth after 4096
 * sweeps with ksiFast, and 60 after as many without momentum. ksiSettling alternates with ksiFast,
 * and restarts by the same rule. */
static const ksiMomentum fastest = {.most = 0.98, .delay = 0.3, .farther = 8};
const ksiMomentum ksiFast = {.most = 0.9, .delay = 3, .farther = 4};
const ksiMomentum ksiSettling = {.most = 0, .delay = 3, .farther = 4};

/* The next sweep starts from values that are extrapolated by this share of the last change.
 * Momentum also restarts after a sweep that has turned back. */
static double nextPart(ksiPgsRun *s, Move move, const ksiMomentum *momentum)
{
    const bool anew = move.along < 0 || move.square > momentum->farther * s->least;
    s->least = anew ? move.square : fmin(move.square, s->least);
    s->sinceRestart = anew ? 0 : s->sinceRestart + 1;
    return fmin(s->sinceRestart / (s->sinceRestart + momentum->delay), momentum->most);
}

void ksiPgsSweep(ksiPgsRun *s, size_t sweeps, const ksiMomentum *momentum)
{
    for (size_t n = 0; n < sweeps; n++)
        s->part = nextPart(s, sweep(s), momentum);
}

/* The last 1/settling of the sweeps runs without momentum, so that the overshoot by momentum dies
 * away. Without these last sweeps, slightly fewer estimates would be right; with no momentum in any
 * sweep, far fewer. */
enum { settling = 10 };

ksStatus ksiPgsRunOnce(const ksiStep *step, const ksiGroups *groups, const ksiGroup *group, size_t sweeps,
                       ksiPgsWorkspace *room, ksiPgsRun *s)
{
    const size_t last = sweeps / settling;
    KSI_TRY(ksiPgsBegin(step, groups, group, 1, room, s));
    ksiPgsSweep(s, sweeps - last, &fastest);
    ksiPgsSweep(s, last, &ksiSettling);
    return KS_OK;
}
