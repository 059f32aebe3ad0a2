/* fronts.c  Computes the sparse orthogonal factorisation: see fronts.h.
 *
 * A front takes the coordinates of the blocks that it leads, the slacks of its own rows, and its
 * children's remaining rows. Householder reflections H = 1 - tau v v^T turn them into three parts:
 * rows of `R`, rows for the parent, and coordinates that no later row touches. The last part spans
 * the admissible motions. The matrix is stored by rows, so that one reflection works on four
 * columns at a time. The reflections are stored column by column, four rows at a time.
 */
#include "../system_private.h"

#include "../../base/vectorise.h"

#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <string.h>

enum { FOURS = 4 }; /* fours of columns in one pass */

/* Enters the parts of successive rows' unit columns in one block. */
KSI_INLINE void enterRows(const ksiTake *take, const double *entry, const double *unit, double weight, double *to,
                          size_t stride)
{
    const int count = take->count, step = take->step, size = take->size;
    for (int c = 0; size == 6 && c < count; c++, entry += step, to++) {
        const double scale = weight * unit[c];
        const ksiFour first = scale * *(const ksiFour *)(const void *)entry;
        const ksiTwo last = scale * *(const ksiTwo *)(const void *)(entry + 4);
        EACH (i, 0, 4)
            to[(size_t)i * stride] = first[i];
        to[4 * stride] = last[0];
        to[5 * stride] = last[1];
    }
    for (int c = 0; size != 6 && c < count; c++, entry += step, to++)
        for (int i = 0; i < size; i++)
            to[(size_t)i * stride] = weight * unit[c] * entry[i];
}

_Static_assert(KSI_SIDES == 2, "sides are moved in twos");

/* Copies the rows that a child leaves and their sides, by runs of columns that are consecutive here
 * too. */
KSI_INLINE void enterChild(const ksiSparse *s, const ksiFront *child, const ksiFront *front)
{
    const int *row = ksiFrontToRow(s->symbolic, child), *column = ksiFrontToColumn(s->symbolic, child);
    const double *from = s->matrix + child->matrix;
    double *to = s->matrix + front->matrix;
    const size_t width = (size_t)child->stride, stride = (size_t)front->stride;
    const bool isTriangle = ksiFrontLeavesTriangle(child);
    const int last = child->pivots + child->rest;
    for (int first = child->pivots, end; first < child->width; first = end) {
        for (end = first + 1; end < child->width && column[end] == column[end - 1] + 1;)
            end++;
        for (int i = child->pivots; i < last; i++) {
            const double *x = from + (size_t)i * width;
            double *y = to + (size_t)row[i] * stride + column[first] - first;
            int j = isTriangle && i > first ? i : first;
            for (; j + 4 <= end; j += 4)
                *(ksiFour *)(void *)(y + j) = *(const ksiFour *)(const void *)(x + j);
            for (; j < end; j++)
                y[j] = x[j];
        }
    }
    if (s->symbolic->sides == 0)
        return;
    from += child->width;
    to += front->width;
    for (int i = child->pivots; i < last; i++)
        *(ksiTwo *)(void *)(to + (size_t)row[i] * stride) = *(const ksiTwo *)(const void *)(from + (size_t)i * width);
}

/* Copies the sides of some rows behind the front's columns; leaveSides copies them back. */
KSI_INLINE void takeSides(const double *side, const int *slot, int rows, double *to, size_t stride)
{
    for (int i = 0; i < rows; i++, to += stride)
        *(ksiTwo *)(void *)to = ((const ksiTwo *)(const void *)side)[slot[i]];
}

KSI_INLINE void leaveSides(const double *from, size_t stride, const int *slot, int rows, double *side)
{
    for (int i = 0; i < rows; i++, from += stride)
        ((ksiTwo *)(void *)side)[slot[i]] = *(const ksiTwo *)(const void *)from;
}

/* Assembles the front: weight b_l / d_l of the blocks that it leads, sides, children's rows,
 * slacks. */
KSI_CLONES
static void fill(const ksiFactor *f, int k)
{
    const ksiSparse *s = &f->sparse;
    const ksiFront *front = &s->symbolic->front[k];
    const size_t stride = (size_t)front->stride;
    double *matrix = s->matrix + front->matrix;
    memset(matrix, 0, (size_t)front->height * stride * sizeof *matrix);
    for (int i = front->take; i < front[1].take; i++) {
        const ksiTake *take = &s->symbolic->take[i];
        enterRows(take, f->model->entry + take->entry, f->unit + take->column,
                  ksiIsKinematic(f) ? ksiBlockWeight(f->model, take->block) : 1, s->matrix + take->at, stride);
    }
    if (s->symbolic->sides > 0)
        takeSides(s->side, ksiFrontSlot(s->symbolic, front), front->height, matrix + front->width, stride);
    for (int c = s->pattern->firstChild[k]; c >= 0; c = s->pattern->nextChild[c])
        enterChild(s, &s->symbolic->front[c], front);
    const int *slackRow = ksiFrontSlackRow(s->symbolic, front), *column = ksiFrontColumn(s->symbolic, front);
    const int pivots = f->height > f->model->coordinateCount ? front->pivots : 0;
    for (int j = 0; j < pivots; j++, matrix++)
        if (slackRow[j] >= 0)
            matrix[(size_t)slackRow[j] * stride] = f->slackPart[s->symbolic->member[column[j]]];
}

/* Copies back the sides of rows that do not go to the parent. */
KSI_CLONES
static void emptySides(const ksiSparse *s, const ksiFront *front)
{
    const int *slot = ksiFrontSlot(s->symbolic, front), rest = front->pivots + front->rest;
    const double *from = s->matrix + front->matrix + front->width;
    const size_t stride = (size_t)front->stride;
    leaveSides(from, stride, slot, front->pivots, s->side);
    leaveSides(from + (size_t)rest * stride, stride, slot + rest, front->height - rest, s->side);
}

/* Replaces x by v with (1 - tau v v^T) x = (beta, 0); rest: sum of squares of all but x_0. Returns
 * tau, 0 if x has that form already or its square loses digits by underflow: it is negligible
 * beside unit columns. */
KSI_INLINE double reflector(double rest, double *x, double *beta)
{
    const double first = x[0], square = first * first + rest;
    *beta = first;
    if (!(rest > 0) || square < DBL_MIN / DBL_EPSILON)
        return 0;
    *beta = -copysign(sqrt(square), first);
    x[0] = first - *beta;
    return 1 / (square + fabs(*beta * first));
}

/* A := (1 - tau v v^T) A for some fours of columns. */
KSI_INLINE void reflectColumns(int rows, const double *v, double tau, double *a, size_t stride, int fours)
{
    ksiFour sum[FOURS];
    for (int q = 0; q < fours; q++)
        sum[q] = (ksiFour){0};
    const double *from = a;
    for (int i = 1; i < rows; i++) {
        const double part = v[i];
        from += stride;
        for (int q = 0; q < fours; q++)
            sum[q] += part * ((const ksiFour *)(const void *)from)[q];
    }
    // last, since v[0] waits for a square root
    for (int q = 0; q < fours; q++)
        sum[q] += v[0] * ((const ksiFour *)(const void *)a)[q];
    for (int q = 0; q < fours; q++)
        sum[q] *= tau;
    for (int i = 0; i < rows; i++, a += stride) {
        const double part = v[i];
        for (int q = 0; q < fours; q++)
            ((ksiFour *)(void *)a)[q] -= part * sum[q];
    }
}

/* Eliminates the front's own columns and returns their least |R_kk|. v, tau: the reflections;
 * pivot: 1 / R_kk. */
KSI_CLONES
static double eliminate(const ksiFront *front, const int *top, const int *length, double *matrix, double *v,
                        double *tau, double *pivot)
{
    const size_t stride = (size_t)front->stride;
    double smallest = INFINITY;
    for (int j = 0; j < front->steps; j++) {
        const int rows = top[j] - j, fours = (front->stride - j / 4 * 4) / 4;
        double *a = matrix + (size_t)j * stride + j / 4 * 4, *x = v + j % 4, beta;
        const double *entry = a + j % 4;
        memset(v, 0, 4 * sizeof *v);
        v += length[j];
        memset(v - 4, 0, 4 * sizeof *v);
        double even = 0, odd = 0;
        x[0] = *entry;
        for (int i = 1; i < rows; i += 2) {
            x[i] = *(entry += stride);
            even += x[i] * x[i];
            if (i + 1 == rows)
                break;
            x[i + 1] = *(entry += stride);
            odd += x[i + 1] * x[i + 1];
        }
        tau[j] = reflector(even + odd, x, &beta);
        for (int q = 0; tau[j] != 0 && q < fours; q += FOURS, a += 4 * FOURS)
            switch (fours - q) {
            case 1:
                reflectColumns(rows, x, tau[j], a, stride, 1);
                break;
            case 2:
                reflectColumns(rows, x, tau[j], a, stride, 2);
                break;
            case 3:
                reflectColumns(rows, x, tau[j], a, stride, 3);
                break;
            default:
                reflectColumns(rows, x, tau[j], a, stride, FOURS);
            }
        matrix[(size_t)j * stride + (size_t)j] = beta;
        if (j < front->pivots) {
            smallest = fabs(beta) < smallest ? fabs(beta) : smallest;
            pivot[j] = 1 / beta;
        }
    }
    return smallest;
}

static ksStatus reserveNumbers(const ksiFactor *f, ksiSparse *s)
{
    const ksiSymbolic *y = s->symbolic;
    const ksAllocator *allocator = f->model->allocator;
    const ksiFront *end = &y->front[s->pattern->groupCount];
    size_t highest = (size_t)y->height;
    for (int k = 0; k < s->pattern->groupCount; k++)
        if ((size_t)y->front[k].stride > highest)
            highest = (size_t)y->front[k].stride;
    KSI_TRY(ksiDoublesReserve(allocator, &s->matrix, end->matrix));
    KSI_TRY(ksiDoublesReserve(allocator, &s->reflector, end->reflector));
    KSI_TRY(ksiDoublesReserve(allocator, &s->tau, end->tau));
    KSI_TRY(ksiDoublesReserve(allocator, &s->pivot, (size_t)y->columns));
    KSI_TRY(ksiDoublesReserve(allocator, &s->workspace, highest + KSI_WORKSPACE_REST));
    KSI_TRY(ksiDoublesReserve(allocator, &s->remainder, (size_t)y->columns + 4));
    return KS_OK;
}

ksStatus ksiSparseFactorise(ksiFactor *f)
{
    ksiSparse *s = &f->sparse;
    s->pattern = &f->pattern->fronts;
    s->symbolic = f->symbolic;
    KSI_TRY(ksiLayOutFronts(f->model, &f->pattern->fronts, f->symbolic));
    if (!s->symbolic->isDeficient)
        KSI_TRY(reserveNumbers(f, s));
    s->sidesKnown = 0;
    s->smallest = s->symbolic->isDeficient ? 0 : INFINITY;
    double *pivot = s->pivot;
    for (int k = 0; s->smallest > 0 && k < s->pattern->groupCount; k++) {
        const ksiFront *front = &s->symbolic->front[k];
        fill(f, k);
        s->smallest = fmin(s->smallest, eliminate(front, ksiFrontTop(s->symbolic, front),
                                                  ksiFrontLength(s->symbolic, front), s->matrix + front->matrix,
                                                  s->reflector + front->reflector, s->tau + front->tau, pivot));
        pivot += front->pivots;
        if (s->symbolic->sides > 0)
            emptySides(s, front);
    }
    s->sidesKnown = s->symbolic->sides > 0 && s->smallest > 0;
    return KS_OK;
}

void ksiSparseTakeSide(ksiFactor *f, int side, double *h)
{
    const ksiSparse *s = &f->sparse;
    for (int i = 0; i < f->height; i++)
        h[i] = s->side[KSI_SIDES * s->symbolic->position[i] + side];
}

/* x := (1 - tau v v^T) x in whole fours. */
KSI_INLINE void reflectFours(int fours, const ksiFour *v, double tau, ksiFour *x)
{
    ksiFour sum = {0};
    for (int i = 0; i < fours; i++)
        sum += v[i] * x[i];
    const double times = tau * ((sum[0] + sum[1]) + (sum[2] + sum[3]));
    for (int i = 0; i < fours; i++)
        x[i] -= times * v[i];
}

KSI_INLINE void reflectVector(int length, const double *v, double tau, double *x)
{
    const ksiFour *from = (const ksiFour *)(const void *)v;
    ksiFour *to = (ksiFour *)(void *)x;
    // all vectors of six or more fours use the loop for six
#define REFLECT(FOURS) reflectFours(FOURS < 6 ? FOURS : length / 4, from, tau, to)
    KSI_BY_ROWS(length / 4, REFLECT)
}

/* The coordinates of a front, with zeros behind them. */
KSI_INLINE void gather(const int *slot, int n, const double *h, double *x)
{
    for (int i = 0; i < n; i++)
        x[i] = h[slot[i]];
    for (int i = 0; i < KSI_WORKSPACE_REST; i += 4)
        *(ksiFour *)(void *)(x + n + i) = (ksiFour){0};
}

KSI_INLINE bool anyNonzero(const int *slot, int n, const double *h)
{
    int any = 0;
    for (int i = 0; i < n; i++)
        any |= h[slot[i]] != 0;
    return any;
}

KSI_INLINE void scatter(const int *slot, int n, const double *x, double *h)
{
    for (int i = 0; i < n; i++)
        h[slot[i]] = x[i];
}

KSI_CLONES
void ksiSparseApplyQTransposed(ksiFactor *f, double *h)
{
    const ksiSparse *s = &f->sparse;
    double *x = s->workspace;
    for (int k = 0; k < s->pattern->groupCount; k++) {
        const ksiFront *front = &s->symbolic->front[k];
        const int *slot = ksiFrontSlot(s->symbolic, front), *length = ksiFrontLength(s->symbolic, front);
        const double *v = s->reflector + front->reflector, *tau = s->tau + front->tau;
        // a single row's vector touches few fronts
        if (!anyNonzero(slot, front->height, h))
            continue;
        gather(slot, front->height, h, x);
        for (unsigned j = 0; j < (unsigned)front->steps; v += length[j++])
            reflectVector(length[j], v, tau[j], x + j / 4 * 4);
        scatter(slot, front->height, x, h);
    }
    memcpy(x, h, (size_t)f->height * sizeof *x);
    for (int i = 0; i < f->height; i++)
        h[i] = x[s->symbolic->position[i]];
}

KSI_CLONES
void ksiSparseApplyQ(ksiFactor *f, double *h)
{
    const ksiSparse *s = &f->sparse;
    double *x = s->workspace;
    memcpy(x, h, (size_t)f->height * sizeof *x);
    for (int i = 0; i < f->height; i++)
        h[s->symbolic->position[i]] = x[i];
    for (int k = s->pattern->groupCount - 1; k >= 0; k--) {
        const ksiFront *front = &s->symbolic->front[k];
        const int *slot = ksiFrontSlot(s->symbolic, front), *length = ksiFrontLength(s->symbolic, front);
        const double *v = s->reflector + front[1].reflector, *tau = s->tau + front->tau;
        gather(slot, front->height, h, x);
        for (unsigned j = (unsigned)front->steps; j-- > 0;) {
            v -= length[j];
            reflectVector(length[j], v, tau[j], x + j / 4 * 4);
        }
        scatter(slot, front->height, x, h);
    }
}

/* t = R1^-T x for ROWS rows R = (R1 R2) from column `first` on, into the frame; x -= R2^T t. */
KSI_INLINE void forwardRows(const int ROWS, const double *r, int stride, int first, const double *pivot, double *x,
                            double *frame)
{
    double t[6];
    EACH (i, 0, ROWS) {
        t[i] = x[first + i];
        EACH (m, 0, i)
            t[i] -= t[m] * r[m * stride + first + i];
        frame[i] = t[i] *= pivot[i];
    }
    for (int j = (first + ROWS) / 4 * 4; j < stride; j += 4) {
        ksiFour remainder = *(ksiFour *)(void *)(x + j);
        EACH (m, 0, ROWS)
            remainder -= t[m] * *(const ksiFour *)(const void *)(r + m * stride + j);
        *(ksiFour *)(void *)(x + j) = remainder;
    }
}

KSI_CLONES
void ksiSparseSolveRTransposed(ksiFactor *f, const double *side, double *frame)
{
    const ksiSparse *s = &f->sparse;
    // remaining right-hand side of each column
    double *remainder = s->remainder, *x = s->workspace;
    const double *pivot = s->pivot;
    ksiCopy((size_t)s->symbolic->memberCount, side, remainder);
    for (int k = 0; k < s->pattern->groupCount; k++) {
        const ksiFront *front = &s->symbolic->front[k];
        const int *column = ksiFrontColumn(s->symbolic, front), stride = front->stride;
        const double *r = s->matrix + front->matrix;
        // a single row's side touches few fronts
        if (!anyNonzero(column, front->pivots, remainder)) {
            for (int i = 0; i < front->pivots; i++)
                frame[i] = 0;
            pivot += front->pivots;
            frame += front->pivots;
            continue;
        }
        gather(column, front->width, remainder, x);
        for (int first = 0, rows; first < front->pivots; first += rows) {
            rows = front->pivots - first < 6 ? front->pivots - first : 6;
#define FORWARD(ROWS) forwardRows(ROWS, r, stride, first, pivot, x, frame)
            KSI_BY_ROWS(rows, FORWARD)
            r += rows * stride;
            pivot += rows;
            frame += rows;
        }
        scatter(column + front->pivots, front->width - front->pivots, x + front->pivots, remainder);
    }
}

/* x = R1^-1 (t - R2 x) for ROWS rows; on entry x is zero there. */
KSI_INLINE void backwardRows(const int ROWS, const double *r, int stride, int first, const double *pivot,
                             const double *frame, double *x)
{
    ksiFour sum[6] = {{0}};
    double remainder[6];
    for (int j = (first + ROWS) / 4 * 4; j < stride; j += 4) {
        const ksiFour known = *(const ksiFour *)(const void *)(x + j);
        EACH (m, 0, ROWS)
            sum[m] += *(const ksiFour *)(const void *)(r + m * stride + j) * known;
    }
    EACH (m, 0, ROWS) {
        const ksiTwo half = ksiFold(&sum[m]);
        remainder[m] = frame[m] - (half[0] + half[1]);
    }
    EACH_DOWN (i, 0, ROWS) {
        x[first + i] = remainder[i] *= pivot[i];
        EACH (m, 0, i)
            remainder[m] -= remainder[i] * r[m * stride + first + i];
    }
}

KSI_CLONES
void ksiSparseSolveR(ksiFactor *f, const double *frame, double *multiple)
{
    const ksiSparse *s = &f->sparse;
    double *x = s->workspace;
    const double *pivot = s->pivot + s->symbolic->memberCount;
    frame += s->symbolic->memberCount;
    for (int k = s->pattern->groupCount - 1; k >= 0; k--) {
        const ksiFront *front = &s->symbolic->front[k];
        const int *column = ksiFrontColumn(s->symbolic, front), stride = front->stride;
        const double *r = s->matrix + front->matrix + (size_t)front->pivots * (size_t)stride;
        for (int i = 0; i < front->pivots; i++)
            x[i] = 0;
        gather(column + front->pivots, front->width - front->pivots, multiple, x + front->pivots);
        for (int end = front->pivots, rows; end > 0; end -= rows) {
            rows = end < 6 ? end : 6;
            r -= rows * stride;
            pivot -= rows;
            frame -= rows;
#define BACKWARD(ROWS) backwardRows(ROWS, r, stride, end - rows, pivot, frame, x)
            KSI_BY_ROWS(rows, BACKWARD)
        }
        scatter(column, front->pivots, x, multiple);
    }
}

/* (1 - tau v v^T) x = (beta, 0): v replaces x. Returns tau, 0 if x has that form already. */
KSI_INLINE double findReflector(int n, double *x, double *beta)
{
    ksiFour four = {0};
    double rest = 0;
    int i = 1;
    for (; i + 4 <= n; i += 4)
        four += *(const ksiFour *)(x + i) * *(const ksiFour *)(x + i);
    for (; i < n; i++)
        rest += x[i] * x[i];
    const ksiTwo two = ksiFold(&four);
    return reflector(rest + (two[0] + two[1]), x, beta);
}

KSI_CLONES
void ksiReflectVectors(int n, int count, size_t stride, double *x)
{
    double beta;
    const double tau = findReflector(n, x, &beta);
    for (int k = 1; tau != 0 && k < count; k++)
        ksiAddMany(n, -tau * ksiDotMany(n, x, x + (size_t)k * stride), x, x + (size_t)k * stride);
    x[0] = beta;
}
