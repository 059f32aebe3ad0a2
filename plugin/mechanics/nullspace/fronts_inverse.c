/* fronts_inverse.c  Finds the diagonal of Z = (R^T R)^-1 = (B~^T B~)^-1, from the root of the tree
 * down (after Takahashi 1973).
 *
 * A front's own rows are R = (R1 R2). At its other columns, `Z` is Z_22 = C C^T, a part of the
 * parent's Z. Then, at all columns of the front,
 *
 *     Z = W W^T,     W = ( R1^-1   -R1^-1 R2 C )
 *                        ( 0        C          )
 *
 * `W` is a triangle if `C` is. C has the parent's rows of W at these columns, in the same order.
 * For each later row of the parent that is not a row of C, the rows of C have one number too many.
 * Reflections from the right clear these numbers and leave W W^T unchanged. Squares are added and
 * nothing cancels, however nearly the columns depend on each other.
 *
 * Columns of W are stored in reverse: the row of column `c` has width - c numbers, then zeros.
 */
#include "../system_private.h"

#include "../../base/vectorise.h"

#include <string.h>

/* Enters C, from the parent's W. t: workspace as large as that W. */
static void inherit(const ksiFront *front, const ksiFront *parent, const double *above, const int *toColumn, double *t,
                    double *w)
{
    const int wide = front->width, high = parent->stride, others = wide - front->pivots;
    for (int k = 0; k < others; k++)
        memcpy(t + k * high, above + toColumn[wide - 1 - k] * high, (size_t)high * sizeof *t);
    for (int k = 0; k < others; k++) {
        const int length = parent->width - toColumn[wide - 1 - k] - k;
        double *row = w + (wide - 1 - k) * front->stride;
        if (length > 1)
            ksiReflectVectors(length, others - k, (size_t)high, t + k * (high + 1));
        memset(row, 0, (size_t)front->stride * sizeof *row);
        memcpy(row, t + k * high, (size_t)(k + 1) * sizeof *row);
    }
}

/* ROWS of the front's own rows of W, R1 W1 = (1 0) - R2 W2, by fours of columns. */
KSI_INLINE void extendRows(const int ROWS, int first, const ksiFront *front, const double *r, const double *pivot,
                           double *w)
{
    static const double one[8] = {[3] = 1};
    const int stride = front->stride;
    for (int q = 0; q < stride; q += 4) {
        ksiFour sum[6];
        EACH (m, 0, ROWS) {
            const int at = front->width - 1 - first - m - q;
            sum[m] = at < 0 || at > 3 ? (ksiFour){0} : *(const ksiFour *)(const void *)(one + 3 - at);
        }
        // rows of later columns end before the four
        for (int j = first + ROWS; j < front->width - q; j++)
            EACH (m, 0, ROWS)
                sum[m] -= r[(first + m) * stride + j] * *(const ksiFour *)(const void *)(w + j * stride + q);
        EACH_DOWN (m, 0, ROWS) {
            sum[m] *= pivot[first + m];
            *(ksiFour *)(void *)(w + (first + m) * stride + q) = sum[m];
            EACH (i, 0, m)
                sum[i] -= r[(first + i) * stride + first + m] * sum[m];
        }
    }
}

KSI_CLONES
static void extend(const ksiFront *front, const double *r, const double *pivot, double *w)
{
    for (int end = front->pivots, rows; end > 0; end -= rows) {
        rows = end < 6 ? end : 6;
#define EXTEND(ROWS) extendRows(ROWS, end - rows, front, r, pivot, w)
        KSI_BY_ROWS(rows, EXTEND)
    }
}

ksStatus ksiSparseInverseDiagonal(ksiFactor *f, double *diagonal)
{
    const ksiFronts *p = &f->pattern->fronts;
    ksiSparse *s = &f->sparse;
    if (p->groupCount == 0)
        return KS_OK;
    size_t widest = 0;
    for (int k = 0; k < p->groupCount; k++)
        if ((size_t)s->symbolic->front[k].stride > widest)
            widest = (size_t)s->symbolic->front[k].stride;
    KSI_TRY(ksiDoublesReserve(f->model->allocator, &s->inverse,
                              s->symbolic->front[p->groupCount].inverse + widest * widest + 1));
    double *t = s->inverse + s->symbolic->front[p->groupCount].inverse;
    const double *pivot = s->pivot + s->symbolic->memberCount;
    for (int k = p->groupCount - 1; k >= 0; k--) {
        const ksiFront *front = &s->symbolic->front[k];
        double *w = s->inverse + front->inverse;
        if (front->width > front->pivots) {
            const ksiFront *parent = &s->symbolic->front[p->parent[k]];
            inherit(front, parent, s->inverse + parent->inverse, ksiFrontToColumn(s->symbolic, front), t, w);
        }
        pivot -= front->pivots;
        extend(front, s->matrix + front->matrix, pivot, w);
        for (int i = 0; i < front->pivots; i++, w += front->stride)
            diagonal[ksiFrontColumn(s->symbolic, front)[i]] = ksiDot((size_t)front->stride, w, w);
    }
    return KS_OK;
}
