/* selfstress.c  Finds the self-stresses of dependent rows, one by one, and proves that the rows
 * depend.
 *
 * The rows that stay are factorised, B1 = Q1 R1. For each omitted row `c`,
 *
 *     z_c = R1^-1 Q1^T b_c,     n_c = (z_c, -1),     e_c = B n_c
 *
 * Let perturbedBound be the norm of all e_c together. Since |n_c| >= 1, `B` has at least one
 * singular value up to perturbedBound for each omitted row. Its other singular values are no less
 * than the least singular value of B1 (interlacing). If the gap between these two bounds is wide
 * enough for a cut of the rank, B has the rank of B1, and the n_c span the self-stresses.
 *
 * A loop has few rows: b_c meets only the fronts from its bodies up to the front of its own group,
 * and z_c has entries only in these fronts and below them. The participating rows are remembered;
 * e_c is computed anew, from the rows themselves.
 */
#include "../system_private.h"

#include "../../base/vectorise.h"

#include <limits.h>
#include <math.h>
#include <string.h>

enum { LANES = KSI_STRESS_LANES };

/* Parts of a self-stress below this share of its largest part are rounding, like pivots below this
 * share. A smaller share would also be correct, but would add rows that take no part in the
 * self-stress. */
#define ROUNDING_PART KSI_CLEARS_ROUNDING

/* A row replaces the present omitted row if its part in the self-stress is larger by this factor.
 * The volume of the remaining rows grows by the same factor, so no exchange is undone. If a
 * necessary exchange is not made, the proof fails, and a singular value decomposition chooses the
 * rows. A smaller factor would also be correct, but would cause more exchanges. */
#define LARGE_PART 3.0

static ksStatus append(ksiFactor *f, int *fill, int value)
{
    ksiSymbolic *y = f->symbolic;
    if (*fill == INT_MAX || ksiIntsReserve(f->model->allocator, &y->list, (size_t)*fill + 1))
        return KS_ERROR_NO_MEMORY;
    y->list[(*fill)++] = value;
    return KS_OK;
}

/* Finds the fronts from the entry of each body up to the group's own front, or to the root. */
static ksStatus findPath(ksiFactor *f, ksiClosure *closure, int *fill)
{
    const ksiFronts *p = &f->pattern->fronts;
    const ksiDependents *d = &f->dependents;
    const int l = p->groupRow[closure->group], last = f->symbolic->areEarlier ? p->place[closure->group] : -1;
    closure->path = *fill;
    for (int i = p->rowPiece[l]; i < p->rowPiece[l + 1]; i++)
        for (int k = ksiLeaderOf(p, p->pieceBlock[i]); k >= 0 && !d->mark[k]; k = p->parent[k]) {
            if (append(f, fill, k))
                return KS_ERROR_NO_MEMORY;
            d->mark[k] = 1;
            if (k == last)
                break;
        }
    closure->pathEnd = *fill;
    // ascending: children before parents
    int *path = f->symbolic->list + closure->path;
    for (int i = 1; i < closure->pathEnd - closure->path; i++) {
        const int k = path[i];
        int at = i;
        for (; at > 0 && path[at - 1] > k; at--)
            path[at] = path[at - 1];
        path[at] = k;
    }
    return KS_OK;
}

/* Reserves memory, and clears the vectors that are zero between calls. */
static ksStatus prepare(ksiFactor *f)
{
    ksiDependents *d = &f->dependents;
    const ksAllocator *allocator = f->model->allocator;
    const size_t groups = (size_t)f->pattern->fronts.groupCount, columns = (size_t)f->symbolic->memberCount;
    size_t highest = 0;
    for (size_t k = 0; k < groups; k++)
        highest = (size_t)f->symbolic->front[k].height > highest ? (size_t)f->symbolic->front[k].height : highest;
    d->symbolic = 0;
    if (ksiIntsReserve(allocator, &d->mark, groups) || ksiDoublesReserve(allocator, &d->workspace, LANES * highest) ||
        ksiDoublesReserve(allocator, &d->height, LANES * (size_t)f->height) ||
        ksiDoublesReserve(allocator, &d->column, LANES * (columns + 1)))
        return KS_ERROR_NO_MEMORY;
    memset(d->mark, 0, groups * sizeof(int));
    memset(d->height, 0, LANES * (size_t)f->height * sizeof(double));
    memset(d->column, 0, LANES * columns * sizeof(double));
    d->symbolic = f->symbolic->id;
    return KS_OK;
}

/* Closures: up to LANES dependent rows of one group each. */
static ksStatus findClosures(ksiFactor *f)
{
    const ksiFronts *p = &f->pattern->fronts;
    ksiSymbolic *y = f->symbolic;
    KSI_TRY(ksiReserve(f->model->allocator, &y->closure, &y->closureCapacity, (size_t)y->dependentCount,
                       sizeof *y->closure));
    y->closureCount = 0;
    for (int g = 0; g < p->groupCount; g++)
        for (int l = p->groupRow[g]; l < p->groupRow[g + 1];) {
            int count = 0, first = l;
            for (; l < p->groupRow[g + 1] && count < LANES; l++) {
                first = count == 0 ? l : first;
                count += f->kind[l] == KSI_ROW_DEPENDENT;
            }
            if (count > 0)
                y->closure[y->closureCount++] = (ksiClosure){.group = g, .row = first, .rowEnd = l};
        }
    return KS_OK;
}

/* Adds unit columns to h, each multiplied by its four factors, without slacks. The rows have the
 * same blocks. SIZE: number of coordinates, from coordinate `from` of the block on. */
KSI_INLINE void addPieces(const int SIZE, const ksiFactor *f, int row, int end, int piece, int from, double weight,
                          const ksiFour *times, ksiFour *h)
{
    ksiFour sum[6] = {{0}};
    EACH (i, 0, SIZE)
        sum[i] = h[i];
    for (; row < end; row++, times++) {
        const int c = f->column[row];
        if (c < 0)
            continue;
        const double *entry = f->model->entry + f->model->pieceEntry[f->model->rowPiece[row] + piece] + from;
        const ksiFour part = weight * f->unit[c] * *times;
        EACH (i, 0, SIZE)
            sum[i] += entry[i] * part;
    }
    EACH (i, 0, SIZE)
        h[i] = sum[i];
}

KSI_INLINE void addColumns(const ksiFactor *f, int row, int end, const ksiFour *times, ksiFour *h)
{
    const int first = f->model->rowPiece[row], pieces = f->model->rowPiece[row + 1] - first;
    for (int p = 0; p < pieces; p++) {
        const int b = f->model->pieceBlock[first + p], size = f->model->blockSize[b];
        const double weight = ksiIsKinematic(f) ? ksiBlockWeight(f->model, b) : 1;
        ksiFour *to = h + f->model->blockOffset[b];
        int at = 0;
        for (; at + 6 <= size; at += 6)
            addPieces(6, f, row, end, p, at, weight, times, to + at);
        if (at < size)
            addPieces(size - at, f, row, end, p, at, weight, times, to + at);
    }
}

/* b_c of the dependent rows, one in each lane. Returns their number. */
KSI_CLONES
static int enterColumns(const ksiFactor *f, const ksiClosure *closure, ksiFour *h)
{
    int lane = 0;
    for (int l = closure->row; l < closure->rowEnd; l++) {
        if (f->kind[l] != KSI_ROW_DEPENDENT)
            continue;
        ksiFour own = {0};
        own[lane++] = 1;
        addColumns(f, l, l + 1, &own, h);
    }
    return lane;
}

/* Q1^T h along the path, into `column`; adds to `remainder` the square of the part of h that is
 * perpendicular to the columns of B1. h becomes zero. */
KSI_CLONES
static void enterPath(const ksiSparse *s, const int *path, int count, ksiFour *x, ksiFour *h, ksiFour *column,
                      ksiFour *remainder)
{
    const ksiFour none = {0};
    for (int at = 0; at < count; at++) {
        const ksiFront *front = &s->symbolic->front[path[at]];
        const int *slot = ksiFrontSlot(s->symbolic, front), *to = ksiFrontColumn(s->symbolic, front),
                  *top = ksiFrontTop(s->symbolic, front);
        const int *length = ksiFrontLength(s->symbolic, front),
                  rest = at + 1 < count ? front->pivots + front->rest : front->pivots;
        const double *v = s->reflector + front->reflector, *tau = s->tau + front->tau;
        for (int i = 0; i < front->height; i++) {
            x[i] = h[slot[i]];
            h[slot[i]] = none;
        }
        for (int j = 0; j < front->steps; v += length[j++]) {
            ksiFour sum = none;
            const double *own = v + j % 4;
            for (int i = j; i < top[j]; i++)
                sum += own[i - j] * x[i];
            sum *= tau[j];
            for (int i = j; i < top[j]; i++)
                x[i] -= own[i - j] * sum;
        }
        for (int i = 0; i < front->pivots; i++)
            column[to[i]] = x[i];
        for (int i = front->pivots; i < rest; i++)
            h[slot[i]] = x[i];
        for (int i = rest; i < front->height; i++)
            *remainder += x[i] * x[i];
    }
}

/* Back substitution: z of the front's own columns replaces Q1^T b. */
KSI_CLONES
static void substitute(const ksiSparse *s, int k, ksiFour *column)
{
    const ksiFront *front = &s->symbolic->front[k];
    const int *at = ksiFrontColumn(s->symbolic, front);
    const double *pivot = s->pivot + front->pivot;
    for (int i = front->pivots - 1; i >= 0; i--) {
        const double *r = s->matrix + front->matrix + (size_t)i * (size_t)front->stride;
        ksiFour sum = column[at[i]];
        for (int j = i + 1; j < front->width; j++)
            sum -= r[j] * column[at[j]];
        column[at[i]] = sum * pivot[i];
    }
}

KSI_INLINE double largest(const ksiFour *x)
{
    double most = 0;
    for (int lane = 0; lane < LANES; lane++)
        most = fabs((*x)[lane]) > most ? fabs((*x)[lane]) : most;
    return most;
}

/* The largest z of some columns of a front. */
static double largestOf(const ksiSparse *s, int k, int first, int end, const ksiFour *column)
{
    double most = 0;
    for (int i = first; i < end; i++)
        most = fmax(most, largest(&column[ksiFrontColumn(s->symbolic, &s->symbolic->front[k])[i]]));
    return most;
}

/* Back substitution from the top of the path downwards, into fronts where z may be nonzero. Lists
 * these fronts, and the groups that take part in the self-stress. */
static ksStatus findSweep(ksiFactor *f, ksiClosure *closure, int *fill)
{
    const ksiFronts *p = &f->pattern->fronts;
    const ksiSparse *s = &f->sparse;
    ksiDependents *d = &f->dependents;
    ksiFour *column = (ksiFour *)(void *)d->column;
    double most = 1;
    closure->sweep = *fill;
    // the list is its own queue: parents before children
    ksStatus status = append(f, fill, f->symbolic->list[closure->pathEnd - 1]);
    for (int at = closure->sweep; !status && at < *fill; at++) {
        const int k = f->symbolic->list[at];
        substitute(s, k, column);
        most = fmax(most, largestOf(s, k, 0, s->symbolic->front[k].pivots, column));
        for (int c = p->firstChild[k]; !status && c >= 0; c = p->nextChild[c])
            if (d->mark[c] ||
                largestOf(s, c, s->symbolic->front[c].pivots, s->symbolic->front[c].width, column) > ROUNDING_PART)
                status = append(f, fill, c);
    }
    closure->sweepEnd = closure->support = *fill;
    const double least = ROUNDING_PART * most;
    closure->length = 0;
    for (int at = closure->sweep; !status && at < closure->sweepEnd; at++) {
        const int k = f->symbolic->list[at], g = p->order[k];
        if (g != closure->group && !(largestOf(s, k, 0, s->symbolic->front[k].pivots, column) > least))
            continue;
        status = append(f, fill, g);
        closure->length += p->groupRow[g + 1] - p->groupRow[g];
    }
    closure->supportEnd = *fill;
    return status;
}

/* Writes n_c into `stress`, by rows of the support, e_c into h, and |n_c|^2 into *square, in one
 * lane for each c. */
KSI_CLONES
static void combine(const ksiFactor *f, const ksiClosure *closure, const ksiFour *column, ksiFour *h, ksiFour *stress,
                    ksiFour *square)
{
    const ksiFronts *p = &f->pattern->fronts;
    ksiFour sum = {0};
    int lane = 0;
    for (int at = closure->support; at < closure->supportEnd; at++) {
        const int g = f->symbolic->list[at], first = p->groupRow[g], end = p->groupRow[g + 1];
        int member = f->symbolic->firstColumn[g];
        for (int l = first; l < end; l++) {
            ksiFour part = {0};
            const int kind = f->kind[l], c = f->column[l];
            if (kind == KSI_ROW_DEPENDENT && l >= closure->row && l < closure->rowEnd)
                part[lane++] = -1;
            else if (kind == KSI_ROW_RIGID || kind == KSI_ROW_COMPLIANT)
                part = column[member++];
            stress[l - first] = part;
            sum += part * part;
            if (kind == KSI_ROW_COMPLIANT)
                h[f->slack[c]] += f->slackPart[c] * part;
        }
        addColumns(f, first, end, stress, h);
        stress += end - first;
    }
    *square = sum;
}

/* |e_c|^2 of each; h becomes zero. */
KSI_CLONES
static void takeError(const ksiFactor *f, const ksiClosure *closure, ksiFour *h, ksiFour *square)
{
    const ksiFronts *p = &f->pattern->fronts;
    const ksiFour none = {0};
    ksiFour sum = none;
    for (int at = closure->support; at < closure->supportEnd; at++) {
        const int g = f->symbolic->list[at], first = p->groupRow[g];
        for (int i = p->rowPiece[first]; i < p->rowPiece[first + 1]; i++) {
            const int b = p->pieceBlock[i];
            ksiFour *x = h + f->model->blockOffset[b];
            for (int k = 0; k < f->model->blockSize[b]; k++) {
                sum += x[k] * x[k];
                x[k] = none;
            }
        }
        for (int l = first; l < p->groupRow[g + 1]; l++) {
            const int c = f->column[l];
            if (c < 0 || f->slack[c] < 0)
                continue;
            sum += h[f->slack[c]] * h[f->slack[c]];
            h[f->slack[c]] = none;
        }
    }
    *square = sum;
}

/* The self-stresses of one closure, stored from *filled on; enough: no other rows take part. */
static ksStatus findOnes(ksiFactor *f, ksiClosure *closure, int *fill, size_t *filled, double *perturbedBound,
                         int *enough)
{
    ksiDependents *d = &f->dependents;
    const ksiSparse *s = &f->sparse;
    const ksiFour none = {0};
    ksiFour square, error;
    ksiFour *h = (ksiFour *)(void *)d->height, *column = (ksiFour *)(void *)d->column, remainder = none;
    if (!f->symbolic->closuresKnown)
        KSI_TRY(findPath(f, closure, fill));
    const int count = enterColumns(f, closure, h);
    enterPath(s, f->symbolic->list + closure->path, closure->pathEnd - closure->path, (ksiFour *)(void *)d->workspace,
              h, column, &remainder);
    if (!f->symbolic->closuresKnown)
        KSI_TRY(findSweep(f, closure, fill));
    else
        for (int at = closure->sweep; at < closure->sweepEnd; at++)
            substitute(s, f->symbolic->list[at], column);
    closure->stress = *filled;
    const size_t length = (size_t)closure->length;
    KSI_TRY(ksiDoublesReserve(f->model->allocator, &d->stress, *filled + LANES * length));
    combine(f, closure, column, h, (ksiFour *)(void *)(d->stress + *filled), &square);
    takeError(f, closure, h, &error);
    *filled += LANES * length;
    for (int lane = 0; lane < count; lane++) {
        // without omitted parts of n_c, |e_c| would be the remainder of b_c after B1
        const double rounding = ROUNDING_PART * sqrt(f->symbolic->memberCount * square[lane]);
        *enough &= sqrt(error[lane]) <= sqrt(remainder[lane]) + rounding;
        *perturbedBound += error[lane];
    }
    for (int at = closure->sweep; at < closure->sweepEnd; at++) {
        const ksiFront *front = &s->symbolic->front[f->symbolic->list[at]];
        for (int i = 0; i < front->pivots; i++)
            column[ksiFrontColumn(s->symbolic, front)[i]] = none;
    }
    for (int at = closure->path; !f->symbolic->closuresKnown && at < closure->pathEnd; at++)
        d->mark[f->symbolic->list[at]] = 0;
    return KS_OK;
}

static ksStatus findAll(ksiFactor *f, double *perturbedBound, int *enough)
{
    ksiDependents *d = &f->dependents;
    if (!f->symbolic->closuresKnown || d->symbolic != f->symbolic->id)
        KSI_TRY(prepare(f));
    if (!f->symbolic->closuresKnown)
        KSI_TRY(findClosures(f));
    size_t filled = 0;
    int fill = 0;
    *enough = 1;
    *perturbedBound = 0;
    for (int i = 0; i < f->symbolic->closureCount; i++)
        KSI_TRY(findOnes(f, &f->symbolic->closure[i], &fill, &filled, perturbedBound, enough));
    return KS_OK;
}

ksStatus ksiFindStresses(ksiFactor *f, double *perturbedBound)
{
    int enough;
    ksStatus status = findAll(f, perturbedBound, &enough);
    // the remainder of a row may be smaller if later rows take part too
    const int mayBeLess = f->symbolic->areEarlier && *perturbedBound > ROUNDING_PART * ROUNDING_PART;
    if (!status && ((f->symbolic->closuresKnown && !enough) || mayBeLess)) {
        f->symbolic->closuresKnown = 0;
        f->symbolic->areEarlier &= !mayBeLess;
        status = findAll(f, perturbedBound, &enough);
    }
    f->symbolic->closuresKnown = !status;
    *perturbedBound = sqrt(*perturbedBound);
    return status;
}

/* Largest part of any rigid row in a self-stress of the closure; *row: that row; *dependent: the
 * row omitted for this self-stress. */
static double largestPart(const ksiFactor *f, const ksiClosure *closure, int *row, int *dependent)
{
    const ksiFronts *p = &f->pattern->fronts;
    const double *value = f->dependents.stress + closure->stress;
    double most = 0;
    int lane = 0;
    for (int at = closure->support; at < closure->supportEnd; at++) {
        const int g = f->symbolic->list[at];
        for (int l = p->groupRow[g]; l < p->groupRow[g + 1]; l++, value += LANES)
            for (int i = 0; f->kind[l] == KSI_ROW_RIGID && i < LANES; i++)
                if (fabs(value[i]) > most) {
                    most = fabs(value[i]);
                    *row = l;
                    lane = i;
                }
    }
    *dependent = closure->row;
    while (f->kind[*dependent] != KSI_ROW_DEPENDENT || lane-- > 0)
        ++*dependent;
    return most;
}

int ksiExchangeDependent(ksiFactor *f)
{
    ksiDependents *d = &f->dependents;
    int exchanged = 0;
    for (int i = 0; i < f->symbolic->closureCount; i++) {
        const ksiClosure *closure = &f->symbolic->closure[i];
        int row = -1, dependent, isTouched = 0;
        for (int at = closure->support; at < closure->supportEnd; at++)
            isTouched |= d->mark[f->symbolic->list[at]];
        if (isTouched || !(largestPart(f, closure, &row, &dependent) > LARGE_PART))
            continue;
        f->isDependent[row] = 1;
        f->isDependent[dependent] = 0;
        exchanged = 1;
        for (int at = closure->support; at < closure->supportEnd; at++)
            d->mark[f->symbolic->list[at]] = 1;
    }
    memset(d->mark, 0, (size_t)f->pattern->fronts.groupCount * sizeof(int));
    if (exchanged)
        f->areEarlier = 0;
    return exchanged;
}
