/* sweep.c  The step equations of one island, row by row and without a matrix. In the mass metric (J, u, b are scaled by
 * M^-1/2, u = M^1/2 a), with u = M^-1/2 f + J^T lambda kept up to date:
 *
 *     lambda_l  <-  clamp(lambda_l - (J_l u + s_l lambda_l - b_l) / (|J_l|^2 + s_l))
 *
 * (projected Gauss-Seidel), friction within mu times the present normal force, as dWorldQuickStep has it. After a sweep
 * lambda and u are carried on along their last change (Nesterov 1983), from rest where a sweep turns back on that
 * (O'Donoghue and Candes 2015) or goes too far: Gauss-Seidel is no gradient, and momentum can make it diverge. */
#include "sweep.h"

#include "../vectorise.h"

#include <math.h>
#include <string.h>

bool ksiSweepsPossible(const ksInspector *inspector, int island)
{
    return inspector->stepper == KS_QUICK_STEP || !ksiIslandHasBounds(inspector, island, true);
}

int ksiSweepBlocks(const ksiJointState *joint)
{
    return (joint->rows.count + KSI_SWEEP_ROWS - 1) / KSI_SWEEP_ROWS;
}

double ksiSweptMultiplier(const ksiSweeps *s, int first, int l)
{
    return s->block[first + l / KSI_SWEEP_ROWS].multiplier[l % KSI_SWEEP_ROWS];
}

/* A friction row follows the first row of its joint. */
static void setBounds(const ksiJointState *joint, int l, ksiSweepBlock *block)
{
    const int lane = l % KSI_SWEEP_ROWS;
    const double most = fabs(joint->rows.row[l].hi);
    if (joint->rows.row[l].findex < 0) {
        block->low[lane] = joint->rows.row[l].lo;
        block->high[lane] = joint->rows.row[l].hi;
    } else if (isinf(most)) {
        block->low[lane] = -most;
        block->high[lane] = most;
    } else {
        block->friction[lane] = most;
    }
}

/* Both bodies' elements as a sweep takes them. */
static void arrange(const double scaled[12], double row[12])
{
    memcpy(row, scaled, 4 * sizeof *row);
    memcpy(row + 4, scaled + 6, 4 * sizeof *row);
    memcpy(row + 8, scaled + 4, 2 * sizeof *row);
    memcpy(row + 10, scaled + 10, 2 * sizeof *row);
}

static void setRow(const ksiSweeps *s, const ksiJointState *joint, int l, double target, ksiSweepBlock *block)
{
    const int lane = l % KSI_SWEEP_ROWS;
    double *row = block->scaled[lane];
    arrange(joint->scaled[l], row);
    block->target[lane] = target;
    block->compliance[lane] = joint->rows.row[l].cfm / s->inspector->h;
    block->diagonal[lane] = block->compliance[lane] + ksiDotTwelve(row, row);
    if (joint->place[l] != KS_INACTIVE && block->diagonal[lane] > 0)
        block->inverse[lane] = 1 / block->diagonal[lane];
    for (int k = 0; k < lane; k++)
        block->coupling[k][lane] = ksiDotTwelve(block->scaled[k], row);
    block->multiplier[lane] = block->before[lane] = s->opposite ? 0 : joint->multiplier[l];
    setBounds(joint, l, block);
}

static void addBlock(ksiSweeps *s, const ksiJointState *joint, int first, const double *target)
{
    ksiSweepBlock *block = &s->block[s->blockCount];
    memset(block, 0, sizeof *block);
    block->first = s->blockCount - first / KSI_SWEEP_ROWS;
    for (int side = 0; side < 2; side++) {
        int index = joint->bodyIndex[side];
        bool dynamic = index >= 0 && s->inspector->body[index].dynamic;
        block->body[side] = dynamic ? s->inspector->body[index].block : s->island->bodyCount;
    }
    for (int l = first; l < first + KSI_SWEEP_ROWS && l < joint->rows.count; l++)
        setRow(s, joint, l, target[l], block);
    s->blockCount++;
}

static void addBody(ksiSweeps *s, int i)
{
    const ksiBodyState *state = &s->inspector->body[s->inspector->islandBody[s->island->firstBody + i]];
    double force[6];
    for (int k = 0; k < 6; k++)
        force[k] = state->begin.force[k] + (s->opposite ? 0 : state->reported[k]);
    ksiScaleWrench(state, force, s->body[i].u);
    memcpy(s->body[i].before, s->body[i].u, sizeof s->body[i].u);
}

static void setUp(ksiSweeps *s)
{
    const int joints = s->island->jointCount;
    for (int i = 0; i < s->island->bodyCount; i++)
        addBody(s, i);
    memset(&s->body[s->island->bodyCount], 0, sizeof *s->body);
    for (int i = 0; i < joints; i++) {
        int at = s->island->firstJoint + (s->opposite ? joints - 1 - i : i);
        const ksiJointState *joint = &s->inspector->joint[s->inspector->islandJoint[at]];
        double beta[KSI_MAX_ROWS];
        ksiRightHandSides(s->inspector, joint, beta);
        for (int l = 0; l < joint->rows.count; l += KSI_SWEEP_ROWS)
            addBlock(s, joint, l, beta);
    }
}

static size_t countBlocks(const ksInspector *inspector, const ksiIsland *island)
{
    size_t blocks = 0;
    for (int i = 0; i < island->jointCount; i++)
        blocks += (size_t)ksiSweepBlocks(&inspector->joint[inspector->islandJoint[island->firstJoint + i]]);
    return blocks;
}

ksStatus ksiSweepsReserve(ksInspector *inspector, int index, int runs)
{
    const ksiIsland *island = &inspector->island[index];
    size_t blocks = (size_t)runs * countBlocks(inspector, island),
           bodies = (size_t)runs * ((size_t)island->bodyCount + 1);
    ksStatus status = ksiReserve(&inspector->allocator, &inspector->sweepBlock, &inspector->sweepBlockCapacity, blocks,
                                 sizeof(ksiSweepBlock));
    return status ? status
                  : ksiReserve(&inspector->allocator, &inspector->sweepBody, &inspector->sweepBodyCapacity, bodies,
                               sizeof(ksiSweepBody));
}

ksStatus ksiSweepsBegin(ksInspector *inspector, int index, int runs, ksiSweeps *s)
{
    const ksiIsland *island = &inspector->island[index];
    const size_t blocks = countBlocks(inspector, island), bodies = (size_t)island->bodyCount + 1;
    ksStatus status = ksiSweepsReserve(inspector, index, runs);
    for (int i = 0; !status && i < island->bodyCount; i++)
        inspector->body[inspector->islandBody[island->firstBody + i]].block = i;
    for (int i = 0; !status && i < runs; i++) {
        s[i] = (ksiSweeps){.inspector = inspector,
                           .island = island,
                           .opposite = i > 0,
                           .least = INFINITY,
                           .block = inspector->sweepBlock + (size_t)i * blocks,
                           .body = inspector->sweepBody + (size_t)i * bodies};
        setUp(&s[i]);
    }
    return status;
}

/* One sweep, and how far it went: by itself, and along what was carried on before it and by it. */
typedef struct Move {
    double square, along;
} Move;

KSI_INLINE void carryOn(ksiSweepBody *body, double part)
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

/* Sum of the products with both bodies, of two halves. */
KSI_INLINE ksiTwo halves(const ksiFour *row, const ksiFour *p, const ksiFour *q, const ksiFour *tail)
{
    const ksiFour sum = row[0] * *p + row[1] * *q + row[2] * *tail;
    return (ksiTwo){sum[0], sum[1]} + (ksiTwo){sum[2], sum[3]};
}

KSI_INLINE double clamp(double x, double low, double high)
{
    x = low > x ? low : x;
    return high < x ? high : x;
}

/* Row after row, with what each of them moves those after it. */
KSI_INLINE void sweepBlock(ksiSweepBlock *blocks, int i, ksiSweepBody *body, double part, ksiFour *square,
                           ksiFour *along)
{
    ksiSweepBlock *block = &blocks[i];
    const ksiFour *row[KSI_SWEEP_ROWS] = {(ksiFour *)block->scaled[0], (ksiFour *)block->scaled[1],
                                          (ksiFour *)block->scaled[2]};
    double *a = body[block->body[0]].u, *b = body[block->body[1]].u;
    ksiFour p = *(ksiFour *)a, q = *(ksiFour *)b, tail = {a[4], a[5], b[4], b[5]};
    const ksiFour now = *(ksiFour *)block->multiplier, from = now + part * (now - *(ksiFour *)block->before);
    *(ksiFour *)block->before = now;

    const ksiTwo w0 = halves(row[0], &p, &q, &tail), w1 = halves(row[1], &p, &q, &tail),
                 w2 = halves(row[2], &p, &q, &tail);
    ksiFour w = {w0[0] + w0[1], w1[0] + w1[1], w2[0] + w2[1], 0};
    w += *(ksiFour *)block->compliance * from - *(ksiFour *)block->target;
    const ksiFour inverse = *(ksiFour *)block->inverse, friction = *(ksiFour *)block->friction;
    const double before = fabs(blocks[block->first].multiplier[0]), gap = before * block->friction[0];
    ksiFour to = from - w * inverse;
    const double to0 = clamp(to[0], block->low[0] - gap, block->high[0] + gap), d0 = to0 - from[0];
    const ksiFour apart = (block->first == i ? fabs(to0) : before) * friction;
    const ksiFour low = *(ksiFour *)block->low - apart, high = *(ksiFour *)block->high + apart;
    w += d0 * *(ksiFour *)block->coupling[0];
    to = from - w * inverse;
    const double to1 = clamp(to[1], low[1], high[1]), d1 = to1 - from[1];
    w += d1 * *(ksiFour *)block->coupling[1];
    to = from - w * inverse;
    const double to2 = clamp(to[2], low[2], high[2]), d2 = to2 - from[2];
    to = (ksiFour){to0, to1, to2, 0};
    *(ksiFour *)block->multiplier = to;
    const ksiFour gone = to - from, weighted = gone * *(ksiFour *)block->diagonal;
    *square += weighted * gone;
    *along += weighted * (to - now);

    *(ksiFour *)a = p + d0 * row[0][0] + d1 * row[1][0] + d2 * row[2][0];
    *(ksiFour *)b = q + d0 * row[0][1] + d1 * row[1][1] + d2 * row[2][1];
    tail += d0 * row[0][2] + d1 * row[1][2] + d2 * row[2][2];
    *(ksiTwo *)(a + 4) = (ksiTwo){tail[0], tail[1]};
    *(ksiTwo *)(b + 4) = (ksiTwo){tail[2], tail[3]};
}

KSI_CLONES static Move sweep(ksiSweeps *s)
{
    ksiSweepBlock *const blocks = s->block;
    ksiSweepBody *const body = s->body;
    const int blockCount = s->blockCount, bodyCount = s->island->bodyCount;
    const double part = s->part;
    ksiFour square = {0}, along = {0};
    for (int i = 0; i < bodyCount; i++)
        carryOn(&body[i], part);
    for (int i = 0; i < blockCount; i++)
        sweepBlock(blocks, i, body, part, &square, &along);
    return (Move){square[0] + square[1] + square[2], along[0] + along[1] + along[2]};
}

/* Begins anew where a sweep turned back, or went twice as far as another since the last beginning. */
static double momentum(ksiSweeps *s, Move move, double most)
{
    static const double farther = 4;
    const bool anew = move.along < 0 || move.square > farther * s->least;
    s->least = anew ? move.square : fmin(move.square, s->least);
    s->carried = anew ? 0 : s->carried + 1;
    return fmin(s->carried / (s->carried + 3), most);
}

void ksiSweepsRun(ksiSweeps *s, size_t sweeps, double mostMomentum)
{
    for (size_t n = 0; n < sweeps; n++)
        s->part = momentum(s, sweep(s), mostMomentum);
}
