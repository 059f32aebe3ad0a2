/* prescribed.c  Multipliers for which the values of some combinations are given:
 *
 *     (A + S) lambda = beta - J M^-1 f + C t,        C^T lambda = value
 *
 * The equations C^T times the rows are given up in exchange: C t is the residual of the rows. With
 *
 *     [ A + S   C ] [ x ]   [ 0    ]
 *     [ C^T     0 ] [-t ] = [  r  ]                                                               (*)
 *
 * t is what the values lack of `residual` r, C^T (A + S)^-1 C t = r, and x = (A + S)^-1 C t. The matrix is as sparse as the rows and
 * the combinations: each of these follows its last row in a profile. Its factor proposes t; the route solves with that, and what
 * C^T lambda still lacks is proposed next. Near self-stresses rounding along x shows in the values: x itself takes it out in the end.
 */
#include "../system_private.h"

#include "../../base/vectorise.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

/* A pivot below this share of what it was before the other combinations is rounding. (A + S)^-1 amplifies rounding by 1 over the
 * square of the rows' least singular value, which is 1e-4 if compliance of 1e-8 alone keeps them apart. */
#define LOST 1e-11

/* Solutions by a route: two or three are usual. Of the multipliers, what x is left to take out: (*) has five digits and more beside
 * compliance of 1e-11 of a row's size, and a smaller share costs another solution. Each takes some digits off what the values lack, down
 * to the route's rounding, which none takes off: such compliance makes that 1e-7 of the multipliers and more, much more with light bodies
 * between heavy ones. It is another one by each route, and what x leaves of it shows in their difference. */
enum { MOST_SOLUTIONS = 4 };
#define ENOUGH 1e-7

typedef ksStatus Route(ksSystem *system, double *multiplier, double *acceleration);

static ksStatus reserve(ksSystem *system, int count)
{
    ksiGiven *g = &system->given;
    const size_t rows = (size_t)system->model.rowCount, blocks = (size_t)system->model.blockCount;
    const size_t nodes = rows + (size_t)count;
    KSI_TRY(ksiIntsReserve(&system->allocator, &g->whole,
                           (KSI_PROFILE_ARRAYS + 5) * rows + 3 * blocks + 2 + (KSI_PROFILE_ARRAYS + 2) * nodes));
    KSI_TRY(ksiDoublesReserve(&system->allocator, &g->vector, 4 * rows + 17 * nodes + 2 * (size_t)count));
    int *whole = g->whole;
    g->saddle = ksiProfileIn((int)nodes, whole);
    g->row = whole + KSI_PROFILE_ARRAYS * nodes;
    g->node = g->row + nodes;
    g->places = g->node + rows;
    double *from = g->vector;
    double **const byRow[] = {&g->perSize, &g->own, &g->beta, &g->found};
    for (size_t i = 0; i < sizeof byRow / sizeof *byRow; i++, from += rows)
        *byRow[i] = from;
    g->x = from, g->work = g->x + nodes, g->times = g->work + 16 * nodes, g->residual = g->times + count;
    return KS_OK;
}

/* The profile of the rows alone, in memory beyond the nodes. */
static ksiProfile orderRows(const ksiModel *model, int *numbers)
{
    const int rows = model->rowCount;
    bool isFull = 0;
    ksiProfile own = ksiProfileIn(rows, numbers);
    int(*body)[2] = (int(*)[2])(numbers + KSI_PROFILE_ARRAYS * rows), *work = (int *)(body + rows);
    for (int l = 0; l < rows; l++) {
        const int first = model->rowPiece[l], pieces = model->rowKnown[l] ? 0 : model->rowPiece[l + 1] - first;
        isFull |= pieces > 2;
        for (int p = 0; p < 2; p++)
            body[l][p] = p < pieces ? model->pieceBlock[first + p] : -1;
    }
    if (isFull)
        ksiProfileFull(&own);
    else
        ksiProfileFind(&own, model->blockCount, body, work);
    return own;
}

/* The last place of the nodes of a combination's rows. */
static int lastPlace(const ksiProfile *own, const ksiGivenCombinations *c, int k)
{
    int last = 0;
    for (int i = c->start[k]; i < c->start[k + 1]; i++)
        last = own->place[c->row[i]] > last ? own->place[c->row[i]] : last;
    return own->next[last] - 1;
}

/* Nodes of the rows in that order, each combination after its last row. */
static void numberNodes(ksiGiven *g, const ksiProfile *own, const ksiGivenCombinations *c)
{
    int *after = own->diagonal;  // combinations after a place; then the place of the last one's node
    memset(after, 0, (size_t)own->rows * sizeof *after);
    for (int k = 0; k < c->count; k++)
        after[lastPlace(own, c, k)]++;
    for (int i = 0, combinations = 0; i < own->rows; i++) {
        g->node[own->order[i]] = i + combinations;
        combinations += after[i];
        after[i] = i + combinations;
    }
    for (int i = 0; i < own->rows; i++) {
        const int node = g->node[own->order[i]];
        g->row[node] = own->order[i];
        g->saddle.first[node] = g->node[own->order[own->first[i]]];
        g->saddle.node[node] = own->node[i];
    }
    for (int k = c->count - 1; k >= 0; k--) {
        const int node = after[lastPlace(own, c, k)]--;
        int first = node;
        for (int i = c->start[k]; i < c->start[k + 1]; i++)
            first = g->node[c->row[i]] < first ? g->node[c->row[i]] : first;
        g->row[node] = -1 - k;
        g->saddle.first[node] = first;
        g->saddle.node[node] = -1 - lastPlace(own, c, k);
    }
}

static ksStatus order(ksSystem *system, const ksiGivenCombinations *c)
{
    ksiGiven *g = &system->given;
    const ksiProfile own = orderRows(&system->model, g->places);
    numberNodes(g, &own, c);
    for (int i = 0; i < g->saddle.rows; i++)
        g->saddle.order[i] = g->saddle.place[i] = i;
    ksiProfileMeasure(&g->saddle);
    const size_t numbers = 2 * (size_t)g->saddle.room + (size_t)system->model.entryCount;
    return g->saddle.size < 0
               ? KS_ERROR_NO_MEMORY
               : ksiDoublesReserve(&system->allocator, &g->matrix, numbers + 8 * (size_t)system->model.coordinateCount);
}

/* What a node's row has by coordinate; taken out again: 0. */
static void turn(const ksiModel *model, const double *unit, int l, bool isIn, double *turned)
{
    for (int p = model->rowPiece[l]; p < model->rowPiece[l + 1]; p++) {
        const int b = model->pieceBlock[p];
        for (int k = 0; k < model->blockSize[b]; k++)
            turned[8 * (model->blockOffset[b] + k)] = isIn ? unit[model->pieceEntry[p] + k] : 0;
    }
}

/* A node's rows by coordinate, times a row: a column of the node. */
KSI_INLINE void fillColumn(const int WIDE, const ksiModel *model, const double *unit, int l, const double *turned,
                           double *column)
{
    ksiFour sum[2] = {{0}, {0}};
    for (int p = model->rowPiece[l]; p < model->rowPiece[l + 1]; p++) {
        const int b = model->pieceBlock[p];
        const double *entry = unit + model->pieceEntry[p];
        const ksiFour *at = (const ksiFour *)(const void *)(turned + 8 * model->blockOffset[b]);
        for (int k = 0; k < model->blockSize[b]; k++)
            EACH (v, 0, WIDE)
                sum[v] += entry[k] * at[2 * k + v];
    }
    EACH (v, 0, WIDE)
        ((ksiFour *)(void *)column)[v] = sum[v];
}

/* A + S of the rows of a node. */
KSI_CLONES
static void fillRows(const ksiModel *model, const ksiGiven *g, int node, const double *unit, double *turned)
{
    const int end = g->saddle.next[node], stride = ksiProfileStride(&g->saddle, node);
    double *column = g->matrix + ksiProfileAt(&g->saddle, node, g->saddle.first[node]);
    for (int i = node; i < end; i++)
        turn(model, unit, g->row[i], true, turned + i - node);
    for (int j = g->saddle.first[node]; j < end; j++, column += stride) {
        if (g->row[j] >= 0 && stride > 4)
            fillColumn(2, model, unit, g->row[j], turned, column);
        else if (g->row[j] >= 0)
            fillColumn(1, model, unit, g->row[j], turned, column);
    }
    for (int i = node; i < end; i++) {
        const int l = g->row[i];
        turn(model, unit, l, false, turned + i - node);
        g->matrix[g->saddle.diagonal[i]] +=
            g->perSize[l] > 0 ? model->compliance[l] * g->perSize[l] * g->perSize[l] : 1;
    }
}

/* A combination of unit length. */
static void fillCombination(const ksiGiven *g, const ksiGivenCombinations *c, int node)
{
    const int k = -1 - g->row[node], first = g->saddle.first[node], stride = ksiProfileStride(&g->saddle, node);
    double *own = g->matrix + ksiProfileAt(&g->saddle, node, first), square = 0;
    for (int m = c->start[k]; m < c->start[k + 1]; m++) {
        const double part = c->part[m] * g->perSize[c->row[m]];
        own[(g->node[c->row[m]] - first) * stride] += part;
        square += part * part;
    }
    g->times[k] = square > 0 ? 1 / sqrt(square) : 0;
    for (int j = first; j < node; j++, own += stride)
        *own *= g->times[k];
}

/* The matrix of (*) for rows of unit size and combinations of unit length. */
static void fill(const ksSystem *system, const ksiGivenCombinations *c, double *unit, double *turned)
{
    const ksiGiven *g = &system->given;
    const ksiModel *model = &system->model;
    for (int l = 0; l < model->rowCount; l++) {
        g->perSize[l] =
            model->rowKnown[l] || ksiRowIsEmpty(model, l) ? 0 : 1 / sqrt(model->diagonal[l] + model->compliance[l]);
        for (int p = model->rowPiece[l]; p < model->rowPiece[l + 1]; p++)
            for (int k = 0; k < model->blockSize[model->pieceBlock[p]]; k++)
                unit[model->pieceEntry[p] + k] = g->perSize[l] * model->entry[model->pieceEntry[p] + k];
    }
    memset(g->matrix, 0, (size_t)g->saddle.room * sizeof(double));
    memset(turned, 0, 8 * (size_t)model->coordinateCount * sizeof *turned);
    for (int node = 0, end; node < g->saddle.rows; node = end) {
        end = g->saddle.next[node];
        if (g->row[node] >= 0)
            fillRows(model, g, node, unit, turned);
        for (int i = node; g->row[node] < 0 && i < end; i++)
            fillCombination(g, c, i);
    }
}

/* Is each combination independent of those before? What the rows alone make of its pivot is negative, and the others take from it. */
static int areIndependent(const ksiGiven *g)
{
    const double *a = g->matrix;
    for (int i = 0; i < g->saddle.rows; i++) {
        const int first = g->saddle.first[i], stride = ksiProfileStride(&g->saddle, i);
        const double *own = a + ksiProfileAt(&g->saddle, i, first);
        double whole = 0;
        for (int j = first; g->row[i] < 0 && j < i; j++, own += stride)
            whole += ksiLarger(*own * *own / a[g->saddle.diagonal[j]], 0);
        if (g->row[i] < 0 && !(-1 / *own > LOST * whole))
            return 0;
    }
    return 1;
}

ksStatus ksiSystemBeginGiven(ksSystem *system, const ksiGivenCombinations *combinations)
{
    ksiGiven *g = &system->given;
    KSI_TRY(reserve(system, combinations->count));
    KSI_TRY(order(system, combinations));
    double *inverse = g->matrix + g->saddle.room;
    fill(system, combinations, inverse + g->saddle.room, inverse + g->saddle.room + system->model.entryCount);
    if (ksiProfileFactor(&g->saddle, g->matrix) != combinations->count || !areIndependent(g))
        return KS_ERROR_SINGULAR;
    ksiProfileInvert(&g->saddle, g->matrix, inverse, g->work, g->places);
    for (int l = 0; l < system->model.rowCount; l++)
        g->own[l] = inverse[g->saddle.diagonal[g->node[l]]] * g->perSize[l] * g->perSize[l];
    return KS_OK;
}

/* (*): adds t to `to`, and leaves x in g->x by nodes, of rows of unit size. */
static void propose(ksiGiven *g, double *to)
{
    for (int i = 0; i < g->saddle.rows; i++)
        g->x[i] = g->row[i] < 0 ? g->residual[-1 - g->row[i]] * g->times[-1 - g->row[i]] : 0;
    ksiProfileSolve(&g->saddle, g->matrix, g->x, g->work);
    for (int i = 0; i < g->saddle.rows; i++)
        if (g->row[i] < 0)
            to[-1 - g->row[i]] -= g->x[i] * g->times[-1 - g->row[i]];
}

/* residual := value - C^T lambda. Returns the share that it is of the largest multiplier, in unit rows. */
static double compare(const ksiModel *model, ksiGiven *g, const ksiGivenCombinations *c, const double *value,
                      const double *multiplier)
{
    double most = 0, worst = 0;
    for (int l = 0; l < model->rowCount; l++)
        most = g->perSize[l] > 0 ? fmax(most, fabs(multiplier[l]) / g->perSize[l]) : most;
    for (int k = 0; k < c->count; k++) {
        double sum = 0;
        for (int i = c->start[k]; i < c->start[k + 1]; i++)
            sum += c->part[i] * multiplier[c->row[i]];
        g->residual[k] = value[k] - sum;
        worst = fmax(worst, fabs(g->residual[k]) * g->times[k]);
    }
    return worst > 0 ? worst / most : 0;
}

/* The solution with sum t_k C_k added to the right-hand sides */
static ksStatus solveWith(ksSystem *system, Route *route, const ksiGivenCombinations *c, const double *t)
{
    memcpy(system->model.beta, system->given.beta, (size_t)system->model.rowCount * sizeof(double));
    for (int k = 0; k < c->count; k++)
        for (int i = c->start[k]; i < c->start[k + 1]; i++)
            system->model.beta[c->row[i]] += t[k] * c->part[i];
    system->tree.hasTrueMotion = 0;
    system->motion.known = KSI_MOTION_UNKNOWN;
    return route(system, system->given.found, NULL);
}

ksStatus ksiSystemGive(ksSystem *system, int byMotion, const ksiGivenCombinations *combinations, const double *value,
                       double *multiplier)
{
    ksiGiven *g = &system->given;
    const size_t rows = (size_t)system->model.rowCount;
    Route *route = byMotion ? ksiSystemSolvePaulus : ksiSystemSolveGauss;
    double *t = g->work + 2 * g->saddle.rows;
    double share = INFINITY;
    ksStatus status = KS_OK;
    memcpy(g->beta, system->model.beta, rows * sizeof *g->beta);
    memset(t, 0, (size_t)combinations->count * sizeof *t);
    compare(&system->model, g, combinations, value, multiplier);
    for (int i = 0; !status && share > ENOUGH && i < MOST_SOLUTIONS; i++) {
        propose(g, t);
        status = ksiAllFinite((size_t)combinations->count, t) ? solveWith(system, route, combinations, t)
                                                              : KS_ERROR_SINGULAR;
        share = status ? INFINITY : compare(&system->model, g, combinations, value, g->found);
    }
    ksiSystemSetBeta(system, g->beta);
    if (status || !isfinite(share))
        return status ? status : KS_ERROR_SINGULAR;
    propose(g, t);
    for (size_t l = 0; l < rows; l++)
        multiplier[l] = g->found[l] + g->x[g->node[l]] * g->perSize[l];
    return KS_OK;
}
