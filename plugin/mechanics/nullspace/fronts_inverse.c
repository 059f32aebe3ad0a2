/* fronts_inverse.c  The diagonal of Z = (R^T R)^-1 = (B~^T B~)^-1, from the root of the tree down (after Takahashi
 *  1973).
 *
 *  In a front's own rows R = (R1 R2), and at its other columns Z_22 = C C^T is a part of its parent's. Then
 *
 *      Z = W W^T at all columns of the front,     W = ( R1^-1   -R1^-1 R2 C )
 *                                                     ( 0        C          )
 *
 *  C is the parent's W in these rows. Reflections from the right, which leave W W^T unchanged, make it a triangle,
 *  except if these are all rows of W: reflections in each front of a body with n joints would take n^4 operations.
 *  Squares are added and nothing cancels, however nearly the columns depend on each other.
 */
#include "../system_private.h"

#include "../../base/vectorise.h"

#include <stdbool.h>
#include <string.h>

/* Copies the parent's W at the child's other columns, as C, into the child's W. t: workspace of that size. */
static void inherit(const ksiFront *front, const ksiFront *parent, const double *above, const int *toColumn, double *t,
                    double *w)
{
    const size_t wide = (size_t)front->width, n = (size_t)front->pivots, stride = (size_t)front->stride;
    const size_t high = (size_t)parent->stride, others = wide - n;
    for (size_t i = 0; i < others; i++)
        memcpy(t + i * high, above + (size_t)toColumn[n + i] * high, high * sizeof *t);
    const bool isSquare = others == (size_t)parent->width;
    // the lower triangle with the same product
    for (int i = 0; !isSquare && i < (int)others && i < parent->width - 1; i++)
        ksiReflectVectors(parent->width - i, (int)others - i, high, t + (size_t)i * (high + 1));
    for (size_t i = 0; i < others; i++) {
        const size_t length = isSquare ? others : i + 1;
        memset(w + (n + i) * stride, 0, stride * sizeof *w);
        memcpy(w + (n + i) * stride + n, t + i * high, length * sizeof *w);
    }
}

/* The front's own rows of W, R1 W1 = (1 0) - R2 W2. */
KSI_CLONES
static void extend(const ksiFront *front, const double *r, const double *pivot, double *w)
{
    const size_t stride = (size_t)front->stride;
    for (int i = front->pivots - 1; i >= 0; i--) {
        double *row = w + (size_t)i * stride;
        memset(row, 0, stride * sizeof *row);
        row[i] = 1;
        for (int j = i + 1; j < front->width; j++)
            ksiAddMany((int)stride, -r[(size_t)i * stride + (size_t)j], w + (size_t)j * stride, row);
        for (size_t j = 0; j < stride; j++)
            row[j] *= pivot[i];
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
