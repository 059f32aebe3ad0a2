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

static void setBounds(const ksiSweeps *s, const ksiJointState *joint, int l, ksiSweepRow *row)
{
    row->low = joint->rows.lo[l];
    row->high = joint->rows.hi[l];
    row->normal = -1;
    if (joint->rows.findex[l] < 0)
        return;
    row->high = fabs(row->high);
    row->low = -row->high;
    if (!isinf(row->high))
        row->normal = s->rowCount - l + joint->rows.findex[l];
}

static void addRow(ksiSweeps *s, const ksiJointState *joint, int l, double target)
{
    ksiSweepRow *row = &s->row[s->rowCount];
    memcpy(row->scaled, joint->scaled[l], sizeof row->scaled);
    row->target = target;
    row->compliance = joint->rows.cfm[l] / s->inspector->h;
    row->diagonal = row->compliance;
    for (int k = 0; k < 12; k++)
        row->diagonal += row->scaled[k] * row->scaled[k];
    row->inverse = joint->place[l] != KS_INACTIVE && row->diagonal > 0 ? 1 / row->diagonal : 0;
    row->multiplier = row->before = s->opposite ? 0 : joint->multiplier[l];
    for (int side = 0; side < 2; side++) {
        int index = joint->bodyIndex[side];
        bool dynamic = index >= 0 && s->inspector->body[index].dynamic;
        row->body[side] = dynamic ? s->inspector->body[index].block : s->island->bodyCount;
    }
    setBounds(s, joint, l, row);
    s->rowCount++;
}

static void addBody(ksiSweeps *s, int i)
{
    const ksiBodyState *state = &s->inspector->body[s->inspector->islandBody[s->island->firstBody + i]];
    double force[6];
    for (int k = 0; k < 6; k++)
        force[k] = state->begin.force[k] + state->fudge[k] + (s->opposite ? 0 : state->reported[k]);
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
        for (int l = 0; l < joint->rows.count; l++)
            addRow(s, joint, l, beta[l]);
    }
}

static size_t countRows(const ksInspector *inspector, const ksiIsland *island)
{
    size_t rows = 0;
    for (int i = 0; i < island->jointCount; i++)
        rows += (size_t)inspector->joint[inspector->islandJoint[island->firstJoint + i]].rows.count;
    return rows;
}

ksStatus ksiSweepsReserve(ksInspector *inspector, int index, int runs)
{
    const ksiIsland *island = &inspector->island[index];
    size_t rows = (size_t)runs * countRows(inspector, island), bodies = (size_t)runs * ((size_t)island->bodyCount + 1);
    ksStatus status = ksiReserve(&inspector->allocator, &inspector->sweepRow, &inspector->sweepRowCapacity, rows,
                                 sizeof(ksiSweepRow));
    return status ? status
                  : ksiReserve(&inspector->allocator, &inspector->sweepBody, &inspector->sweepBodyCapacity, bodies,
                               sizeof(ksiSweepBody));
}

ksStatus ksiSweepsBegin(ksInspector *inspector, int index, int runs, ksiSweeps *s)
{
    const ksiIsland *island = &inspector->island[index];
    const size_t rows = countRows(inspector, island), bodies = (size_t)island->bodyCount + 1;
    ksStatus status = ksiSweepsReserve(inspector, index, runs);
    for (int i = 0; !status && i < island->bodyCount; i++)
        inspector->body[inspector->islandBody[island->firstBody + i]].block = i;
    for (int i = 0; !status && i < runs; i++) {
        s[i] = (ksiSweeps){.inspector = inspector,
                           .island = island,
                           .opposite = i > 0,
                           .least = INFINITY,
                           .row = inspector->sweepRow + (size_t)i * rows,
                           .body = inspector->sweepBody + (size_t)i * bodies};
        setUp(&s[i]);
    }
    return status;
}

/* One sweep, and how far it went: by itself, and along what was carried on before it and by it. */
typedef struct Move {
    double square, along;
} Move;

KSI_CLONES static Move sweep(ksiSweeps *s)
{
    Move move = {0, 0};
    for (int i = 0; i < s->rowCount; i++) {
        ksiSweepRow *row = &s->row[i];
        double *a = s->body[row->body[0]].u, *b = s->body[row->body[1]].u;
        const double from = row->multiplier, unit = row->normal < 0 ? 1 : fabs(s->row[row->normal].multiplier);
        const double w = ksiDotSix(row->scaled, a) + ksiDotSix(row->scaled + 6, b) + row->compliance * from;
        double to = from - (w - row->target) * row->inverse;
        to = to < unit * row->low ? unit * row->low : to > unit * row->high ? unit * row->high : to;
        ksiAddSix(a, to - from, row->scaled);
        ksiAddSix(b, to - from, row->scaled + 6);
        move.square += (to - from) * (to - from) * row->diagonal;
        move.along += (to - from) * (to - row->before) * row->diagonal;
        row->multiplier = to;
    }
    return move;
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

static void carryOn(double *x, double *before, double part)
{
    const double now = *x;
    *x += part * (now - *before);
    *before = now;
}

void ksiSweepsRun(ksiSweeps *s, size_t sweeps, double mostMomentum)
{
    for (size_t n = 0; n < sweeps; n++) {
        const double part = momentum(s, sweep(s), mostMomentum);
        for (int i = 0; i < s->rowCount; i++)
            carryOn(&s->row[i].multiplier, &s->row[i].before, part);
        for (int i = 0; i < s->island->bodyCount; i++) {
            for (int k = 0; k < 6; k++)
                carryOn(&s->body[i].u[k], &s->body[i].before[k], part);
        }
    }
}
