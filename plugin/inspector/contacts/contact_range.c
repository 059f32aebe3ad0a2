/* contact_range.c  Finds the range of a pair's force where mechanics does not determine it.
 *
 * The motion is known, and lambda* are multipliers that cause it. All multipliers that give the
 * same motion within their bounds are equally valid:
 *
 *     A (lambda - lambda*) = 0,      lambda_n >= 0, |lambda_t| <= mu lambda_n,
 *     motors within dParamFMax
 *
 * The matrix `A` couples the rows of touching points, and of motors inside their bounds, with all
 * joints rigid. Complete pivoting gives A = L D L^T, so L^T (lambda - lambda*) = 0. The force of a
 * point is a sum of forces along the edges of its friction pyramid. So the greatest and the least
 * value of a component of the pair's wrench are the solutions of linear programs. Each program has
 * a row for each column of L. A component that is a combination of these rows is unique and needs
 * no program. If no other joint or contact connects the two sides of the pair, momentum determines
 * all components. */
#include "contact_physical.h"

#include "../inspector.h"
#include "../publish/wrench_norm.h"
#include "../read/body_motion.h"

#include "../../base/union_find.h"
#include "../../base/vectorise.h"

#include <math.h>
#include <string.h>

/* A row whose force may not be unique. */
typedef struct ksiUnknown {
    const int *body;
    const ksiRow *row;
    const ksiPoint *point; /* NULL: a motor's row */
    int l;
    double size; /* d: root of the diagonal element of A */
    double multiplier;
} ksiUnknown;

enum {
    FORCES = 3, /* components of a wrench that have a range; a torque that is not unique is NaN */
    MOST_UNKNOWN = 160,
    MOST_PIVOTS = 40 /* per row of a program */
};
/* A point parts or slides for certain only if the force that would hold it exceeds this share of
 * the largest force. Below that, its acceleration may be the noise of velocities in dJ/dt. */
static const double stays = 3e-2;
/* A remainder below this, relative to its component, is rounding or drift. */
static const double combined = 1e-6;

/* --- Cuts --- */

static int nodeOf(const ksiContactGroup *g, int *parent, int body)
{
    const int place = body < 0 ? -1 : g->room->block[body];
    return ksiSetOf(parent, place < 0 ? g->bodyCount : place);
}

/* No other joint or contact connects the two bodies of the pair. */
static bool isCut(const ksiContactGroup *g, const dBodyID body[2])
{
    int *parent = g->room->parent, at[2];
    ksiSetsReset(parent, (size_t)g->bodyCount + 1);
    for (int i = 0; i < g->jointCount; i++) {
        const int *joined = g->step->joint[g->room->joint[i]].bodyIndex;
        // a joint to the world has one body
        ksiSetsUnite(parent, nodeOf(g, parent, joined[0]), nodeOf(g, parent, joined[1]));
    }
    at[0] = at[1] = -1;
    KSI_EACH_POINT (g, p) {
        if (ksiIsOfPair(p, body))
            memcpy(at, p->bodyIndex, sizeof at);
        else if (p->way != KSI_LEAVES)
            ksiSetsUnite(parent, nodeOf(g, parent, p->bodyIndex[0]), nodeOf(g, parent, p->bodyIndex[1]));
    }
    return nodeOf(g, parent, at[0]) != nodeOf(g, parent, at[1]);
}

/* --- A, and its factor --- */

/* The row parts or slides for certain: beyond the share `stays` of the load. */
static bool moves(const ksiContactGroup *g, const ksiPoint *p, int l, double load)
{
    const ksiBoundedRow *bounded = &g->set.bounded[p->first - g->heldRows + l];
    double terms;
    if (bounded->place == KS_INSIDE)
        return false;
    const double w = ksiActiveSetResidual(&g->set, bounded, &terms), size = ksiSize(p->scaled[l], 12);
    return fabs(w) > stays * load * size * size;
}

static bool isSoft(const ksiContactGroup *g, const ksiPoint *p, int l)
{
    return l > 0 && p->row[l].cfm > g->step->options.rigidCfm;
}

static void addUnknown(ksiContactGroup *g, const ksiUnknown *unknown)
{
    if (g->unknownCount < MOST_UNKNOWN)
        g->room->unknown[g->unknownCount] = *unknown;
    g->unknownCount++;
}

static void listUnknown(ksiContactGroup *g)
{
    const ksiStep *step = g->step;
    double load = 0;
    KSI_EACH_POINT (g, p)
        load = fmax(load, fabs(p->multiplier[0]));
    KSI_EACH_POINT (g, p) {
        const bool isOff = p->way == KSI_LEAVES || moves(g, p, 0, load);
        for (int l = 0; l < p->count && !isOff; l++)
            addUnknown(g, &(ksiUnknown){p->bodyIndex, &p->row[l], p, l, ksiSize(p->scaled[l], 12), p->multiplier[l]});
    }
    for (int i = 0; i < g->jointCount; i++) {
        const int index = g->room->joint[i];
        const ksiJointInput *joint = &step->joint[index];
        for (int l = 0; l < joint->rows.count; l++)
            if (joint->rows.row[l].kind == KS_ROW_MOTOR && joint->rows.row[l].cfm <= step->options.rigidCfm &&
                ksiIsDrivenRow(step, index, l))
                addUnknown(g, &(ksiUnknown){joint->bodyIndex, &joint->rows.row[l], NULL, l,
                                            ksiSize(joint->scaled[l], 12), ksiReportedMultiplier(step, index, l)});
    }
}

/* Length of a row of numbers, one for each unknown, padded by zeros to a multiple of 4. */
static int strideOf(const ksiContactGroup *g)
{
    return (g->unknownCount + 3) / 4 * 4;
}

/* A_uv, or the remainder of A_uv in the factorisation. A is symmetric: only the lower triangle is
 * used. */
static double *entry(const ksiContactGroup *g, int u, int v)
{
    return &g->room->range[u > v ? u * strideOf(g) + v : v * strideOf(g) + u];
}

/* [rank][stride] */
static double *factorOf(const ksiContactGroup *g)
{
    return g->room->range + g->unknownCount * strideOf(g);
}

/* The accelerations of the bodies under a unit force of the row, with all joints rigid. */
static ksStatus respond(ksiContactGroup *g, const ksiUnknown *unknown, double *force, double *motion)
{
    const size_t coordinates = 6 * (size_t)g->bodyCount;
    memset(force, 0, coordinates * sizeof *force);
    KSI_EACH_BODY (unknown->body, side, at)
        if (g->room->block[at] >= 0)
            ksiAddSix(force + 6 * g->room->block[at], 1, unknown->row->jacobian[side]);
    if (g->heldRows > 0) {
        ksiSystemSetForce(g->room->held, force);
        return ksiSystemSolveLeastNorm(g->room->held, g->other, motion);
    }
    for (int i = 0; i < g->bodyCount; i++)
        ksiAccelerate(&g->step->body[g->room->member[i]].begin, force + 6 * i, motion + 6 * i);
    return KS_OK;
}

static ksStatus fillMatrix(ksiContactGroup *g)
{
    const ksiUnknown *unknown = g->room->unknown;
    const int n = g->unknownCount;
    if (g->heldRows > 0) {
        if (!g->room->held)
            KSI_TRY(ksiSystemCreate(&g->step->allocator, &g->room->held));
        KSI_TRY(ksiFillHeldRows(g, true, 0, g->room->held));
    }
    for (int u = 0; u < n; u++) {
        KSI_TRY(respond(g, &unknown[u], g->probe, g->motion));
        for (int v = 0; v <= u; v++) {
            double rate = 0;
            KSI_EACH_BODY (unknown[v].body, side, at) {
                const int place = g->room->block[at];
                rate += place < 0 ? 0 : ksiDotSix(unknown[v].row->jacobian[side], g->motion + 6 * place);
            }
            *entry(g, u, v) = rate / (unknown[u].size * unknown[v].size);
        }
    }
    return KS_OK;
}

/* A = sum of d l l^T by complete pivoting, while the largest pivot exceeds rankTolerance^2. Each l
 * [stride] is 1 at its pivot, and no larger elsewhere. The remainder replaces A. Returns the
 * rank. */
KSI_CLONES
static int factorise(const ksiContactGroup *g)
{
    const int n = g->unknownCount, stride = strideOf(g);
    const double least = g->step->options.rankTolerance * g->step->options.rankTolerance;
    double *factor = factorOf(g);
    for (int rank = 0; rank < n; rank++, factor += stride) {
        int pivot = 0;
        for (int u = 1; u < n; u++)
            if (*entry(g, u, u) > *entry(g, pivot, pivot))
                pivot = u;
        const double own = *entry(g, pivot, pivot);
        if (!(own > least))
            return rank;
        g->room->pivot[rank] = pivot;
        for (int u = 0; u < n; u++)
            factor[u] = *entry(g, u, pivot) / own;
        for (int u = 0; u < n; u++)
            ksiSubtractRow(u / 4 * 4 + 4, own * factor[u], factor, entry(g, u, 0));
        // clear the rounding in the eliminated row
        for (int u = 0; u < n; u++)
            *entry(g, u, pivot) = 0;
    }
    return n;
}

static ksStatus prepare(ksiContactGroup *g)
{
    const ksAllocator *allocator = &g->step->allocator;
    KSI_TRY(ksiReserve(allocator, &g->room->unknown, &g->room->unknownCapacity, MOST_UNKNOWN, sizeof(ksiUnknown)));
    listUnknown(g);
    if (g->unknownCount > MOST_UNKNOWN)
        return KS_ERROR_BOUND;
    const size_t n = (size_t)g->unknownCount, numbers = (2 * n + 1 + KSI_PROGRAMS) * (size_t)strideOf(g);
    KSI_TRY(ksiReserve(allocator, &g->room->range, &g->room->rangeCapacity, numbers, sizeof(double)));
    if (numbers > 0)
        memset(g->room->range, 0, numbers * sizeof *g->room->range);
    KSI_TRY(ksiReserve(allocator, &g->room->pivot, &g->room->pivotCapacity, n, sizeof(int)));
    KSI_TRY(fillMatrix(g));
    g->rank = factorise(g);
    return KS_OK;
}

/* --- Programs --- */

KSI_INLINE double largestOf(int n, const double *component)
{
    double most = 0;
    for (int u = 0; u < n; u++)
        most = ksiLarger(most, fabs(component[u]));
    return most;
}

/* Subtracts from a component [stride] the combination of the rows of L^T that is equal to it at the
 * pivots. Is there a remainder? Each row is zero at the pivots of earlier rows. */
KSI_CLONES
static bool isOpen(const ksiContactGroup *g, double *rest)
{
    const int stride = strideOf(g);
    const double size = largestOf(g->unknownCount, rest);
    for (int r = 0; r < g->rank; r++) {
        const double *row = factorOf(g) + r * stride;
        const int pivot = g->room->pivot[r];
        ksiSubtractRow(stride, rest[pivot] / row[pivot], row, rest);
    }
    return largestOf(g->unknownCount, rest) > combined * size;
}

/* A column of the program, with its variable x >= 0. The unknown rows from `first` on have the
 * forces part[k] x, in units of 1/d. */
typedef struct ksiForceWay {
    int first, count;
    double part[KSI_MAX_ROWS];
    double x, span; /* x: in the solution found; span: the largest x */
} ksiForceWay;

static ksStatus addColumn(ksiContactGroup *g, const ksiForceWay *column, int *count)
{
    KSI_TRY(ksiReserve(&g->step->allocator, &g->room->column, &g->room->columnCapacity, (size_t)*count + 1,
                       sizeof *g->room->column));
    g->room->column[(*count)++] = *column;
    return KS_OK;
}

/* Adds a force that depends on no normal force: between its bounds, or of any size. */
static ksStatus addAlone(ksiContactGroup *g, int u, double low, double high, int *count)
{
    const ksiUnknown *unknown = &g->room->unknown[u];
    const double z = unknown->multiplier * unknown->size;
    if (isfinite(low) && isfinite(high))
        return addColumn(g, &(ksiForceWay){u, 1, {1}, fmax(0, z - low * unknown->size), (high - low) * unknown->size},
                         count);
    KSI_TRY(addColumn(g, &(ksiForceWay){u, 1, {1}, fmax(z, 0), INFINITY}, count));
    return addColumn(g, &(ksiForceWay){u, 1, {-1}, fmax(-z, 0), INFINITY}, count);
}

/* The edges of a point's friction pyramid. A sticking row has edges on both sides, a sliding row on
 * one. */
typedef struct Pyramid {
    double slope[KSI_MAX_ROWS]; /* mu, in units of 1/d */
    double side[KSI_MAX_ROWS];  /* sign of a sliding row; 0: the row sticks */
} Pyramid;

static ksStatus addEdges(ksiContactGroup *g, int first, const Pyramid *pyramid, int *count)
{
    const ksiUnknown *unknown = &g->room->unknown[first];
    const ksiPoint *p = unknown->point;
    const double normal = fmax(0, unknown->multiplier) * unknown->size;
    for (int edge = 0; edge < 1 << p->count; edge += 2) {
        ksiForceWay column = {.first = first, .count = p->count, .part = {1}, .x = normal, .span = INFINITY};
        bool isTwice = false;
        double square = 1;
        for (int l = 1; l < p->count; l++) {
            const bool isHigh = edge >> l & 1;
            const double slope = pyramid->slope[l], side = pyramid->side[l] != 0 ? pyramid->side[l] : isHigh ? 1 : -1;
            isTwice |= isHigh && (slope == 0 || pyramid->side[l] != 0);
            column.part[l] = side * slope;
            square += slope * slope;
            if (slope == 0 || pyramid->side[l] != 0)
                continue;
            const double share = normal > 0 ? unknown[l].multiplier * unknown[l].size / (slope * normal) : 0;
            column.x *= 0.5 * (1 + side * fmax(-1, fmin(1, share)));
        }
        for (int l = 0; l < p->count; l++)
            column.part[l] /= sqrt(square);
        column.x *= sqrt(square);
        KSI_TRY(isTwice ? KS_OK : addColumn(g, &column, count));
    }
    return KS_OK;
}

static ksStatus addPoint(ksiContactGroup *g, int first, double load, int *count)
{
    const ksiUnknown *unknown = &g->room->unknown[first];
    const ksiPoint *p = unknown->point;
    Pyramid pyramid = {{0}, {0}};
    for (int l = 1; l < p->count; l++) {
        const ksiRow *row = &p->row[l];
        if (isSoft(g, p, l))
            continue;
        if (row->findex < 0 || isinf(row->hi)) {
            KSI_TRY(moves(g, p, l, load) ? KS_OK : addAlone(g, first + l, row->lo, row->hi, count));
            continue;
        }
        pyramid.slope[l] = fabs(row->hi) * unknown[l].size / unknown->size;
        if (moves(g, p, l, load))
            pyramid.side[l] = p->multiplier[l] < 0 ? -1 : 1;
    }
    return addEdges(g, first, &pyramid, count);
}

static ksStatus listColumns(ksiContactGroup *g, int *count)
{
    double load = 0;
    *count = 0;
    KSI_EACH_POINT (g, p)
        load = fmax(load, fabs(p->multiplier[0]));
    for (int u = 0; u < g->unknownCount; u++) {
        const ksiUnknown *unknown = &g->room->unknown[u];
        if (!unknown->point)
            KSI_TRY(addAlone(g, u, unknown->row->lo, unknown->row->hi, count));
        else if (unknown->l == 0)
            KSI_TRY(addPoint(g, u, load, count));
    }
    return KS_OK;
}

static ksStatus startProgram(ksiContactGroup *g)
{
    ksiSimplex *simplex = &g->room->simplex;
    int count;
    KSI_TRY(listColumns(g, &count));
    KSI_TRY(ksiSimplexBegin(&g->step->allocator, g->rank, count, MOST_PIVOTS * g->rank, simplex));
    KSI_TRY(
        ksiReserve(&g->step->allocator, &g->room->start, &g->room->startCapacity, 2 * (size_t)count, sizeof(double)));
    for (int j = 0; j < count; j++) {
        const ksiForceWay *column = &g->room->column[j];
        for (int r = 0; r < g->rank; r++) {
            const double *row = factorOf(g) + r * strideOf(g) + column->first;
            for (int k = 0; k < column->count; k++)
                *ksiSimplexAt(simplex, r, j) += row[k] * column->part[k];
        }
        simplex->span[j] = column->span;
        g->room->start[j] = fmin(column->x, column->span);
    }
    return ksiSimplexStart(simplex, g->room->start);
}

/* The largest distance of the component from its solution, in either direction. */
static ksStatus farthest(ksiContactGroup *g, const double *component, double *most)
{
    const int columns = g->room->simplex.columns;
    double *objective = g->room->start + columns, size = 0;
    memset(objective, 0, (size_t)columns * sizeof *objective);
    for (int j = 0; j < columns; j++) {
        const ksiForceWay *column = &g->room->column[j];
        for (int k = 0; k < column->count; k++)
            objective[j] += component[column->first + k] * column->part[k];
        size = fmax(size, fabs(objective[j]));
    }
    *most = 0;
    for (int way = 0; way < 2 && size > 0; way++) {
        double found = 0, greatest;
        for (int j = 0; j < columns; j++) {
            objective[j] *= way ? -1 : 1 / size;
            found += objective[j] * g->room->start[j];
        }
        KSI_TRY(ksiSimplexMaximise(&g->room->simplex, objective, &greatest));
        *most = fmax(*most, size * (greatest - found));
    }
    return KS_OK;
}

/* Is the component equal or opposite to another one, except for a unique part? It is, for instance,
 * if two fingers share a load. */
static bool isLike(int n, const double *component, const double *other)
{
    double size = 0, apart = 0, opposite = 0;
    for (int u = 0; u < n; u++) {
        size = ksiLarger(size, fabs(component[u]));
        apart = ksiLarger(apart, fabs(component[u] - other[u]));
        opposite = ksiLarger(opposite, fabs(component[u] + other[u]));
    }
    return fmin(apart, opposite) <= combined * size;
}

/* Finds the distance as `farthest` does. If one of the last components was equal or opposite to
 * this one, takes the distance of that component; otherwise solves new programs. */
static ksStatus solveProgram(ksiContactGroup *g, const double *component, double *most)
{
    const int n = g->unknownCount, stride = strideOf(g);
    double *solved = factorOf(g) + (n + 1) * stride;
    for (int i = 0; i < g->programs && i < KSI_PROGRAMS; i++) {
        *most = g->farthest[i];
        if (isLike(n, component, solved + i * stride))
            return KS_OK;
    }
    if (g->programs == 0)
        g->range = startProgram(g);
    KSI_TRY(g->range);
    KSI_TRY(farthest(g, component, most));
    const int at = g->programs++ % KSI_PROGRAMS;
    memcpy(solved + at * stride, component, (size_t)n * sizeof *solved);
    g->farthest[at] = *most;
    return KS_OK;
}

static ksStatus findOpen(ksiContactGroup *g, const dBodyID body[2], ksWrench *range)
{
    double *rest = factorOf(g) + g->unknownCount * strideOf(g), *component = (double *)range;
    for (int k = 0; k < 6; k++) {
        for (int u = 0; u < g->unknownCount; u++) {
            const ksiUnknown *at = &g->room->unknown[u];
            const bool is = at->point && ksiIsOfPair(at->point, body);
            rest[u] = is ? at->row->jacobian[at->point->body[0] == body[0] ? 0 : 1][k] / at->size : 0;
        }
        if (!isOpen(g, rest))
            continue;
        component[k] = NAN;
        if (k >= FORCES)
            continue;
        KSI_TRY(solveProgram(g, rest, &component[k]));
    }
    return KS_OK;
}

ksStatus ksiFindRange(ksiContactGroup *g, const dBodyID body[2], ksWrench *range)
{
    *range = (ksWrench){{0}, {0}};
    if (g->contactRows == 0 || isCut(g, body))
        return KS_OK;
    if (!g->isRangeKnown) {
        g->isRangeKnown = true;
        g->range = prepare(g);
    }
    KSI_TRY(g->range);
    return findOpen(g, body, range);
}
