/* fronts_inverse.c  The diagonal of Z = (R^T R)^-1 = (B~^T B~)^-1, from the root of the tree down (after Takahashi 1973).
 *
 *  In a front's own rows R = (R1 R2), and at its other columns Z_22 = C C^T is a part of its parent's. Then
 *
 *      Z = W W^T at all columns of the front,     W = ( R1^-1   -R1^-1 R2 C )
 *                                                     ( 0        C          )
 *
 *  C is the parent's W in these rows, made square again by reflections from the right, which W W^T does not see. Squares are
 *  added and nothing cancels, however nearly the columns depend on each other.
 */
#include "system_private.h"

#include <string.h>

/* Where each column of `child` beyond its own stands in its parent. map: [width]. */
static void mapToParent(const ksSystem *system, ksiFactor *f, int child, int *map)
{
    const ksiFronts *p = &system->fronts;
    ksiSparse *s = &f->sparse;
    const int parent = p->parent.at[child];
    int at = s->front[parent].pivots, column = s->front[child].pivots;
    s->spot.at[parent] = 0;
    for (int u = p->upperStart.at[parent]; u < p->upperStart.at[parent + 1]; u++) {
        s->spot.at[p->upper.at[u]] = at;
        const int g = p->order.at[p->upper.at[u]];
        at += s->firstColumn.at[g + 1] - s->firstColumn.at[g];
    }
    for (int u = p->upperStart.at[child]; u < p->upperStart.at[child + 1]; u++) {
        const int g = p->order.at[p->upper.at[u]], count = s->firstColumn.at[g + 1] - s->firstColumn.at[g];
        for (int j = 0; j < count; j++)
            map[column++] = s->spot.at[p->upper.at[u]] + j;
    }
}

/* x := R1^-1 x */
static void backSubstitute(const double *r, size_t height, int n, double *x)
{
    for (int i = n - 1; i >= 0; i--) {
        for (int j = i + 1; j < n; j++)
            x[i] -= r[(size_t)j * height + (size_t)i] * x[j];
        x[i] /= r[(size_t)i * height + (size_t)i];
    }
}

/* Lower triangle C with C C^T = T T^T, T [rows x wide] by rows. */
static void triangular(int rows, int wide, double *t)
{
    for (int i = 0; i < rows && i < wide - 1; i++) {
        double *row = t + (size_t)i * (size_t)wide + i;
        const double tau = ksiReflector(wide - i, row);
        for (int below = 1; tau != 0 && below < rows - i; below++)
            ksiReflect(wide - i, row, tau, row + (size_t)below * (size_t)wide);
    }
}

/* The rows of the parent's W that belong to the child's other columns, as C into the child's W. */
static void inherit(const ksiFront *front, const ksiFront *parent, const double *above, const int *map, double *t,
                    double *w)
{
    const size_t wide = (size_t)front->width, n = (size_t)front->pivots, high = (size_t)parent->width;
    const size_t others = wide - n;
    for (size_t i = 0; i < others; i++)
        memcpy(t + i * high, above + (size_t)map[n + i] * high, high * sizeof *t);
    triangular((int)others, parent->width, t);
    for (size_t i = 0; i < others; i++)
        for (size_t j = 0; j < wide; j++)
            w[(n + i) * wide + j] = j >= n && j - n <= i ? t[i * high + j - n] : 0;
}

/* The front's own rows of W. x: [pivots]. */
static void extend(const ksiSparse *s, const ksiFront *front, double *w, double *x)
{
    const size_t height = (size_t)front->height, wide = (size_t)front->width, n = (size_t)front->pivots;
    const double *r = s->matrix.at + front->matrix;
    for (size_t j = 0; j < wide; j++) {
        for (size_t i = 0; i < n; i++) {
            x[i] = i == j;
            for (size_t k = j < n ? wide : j; k < wide; k++)
                x[i] -= r[k * height + i] * w[k * wide + j];
        }
        backSubstitute(r, height, front->pivots, x);
        for (size_t i = 0; i < n; i++)
            w[i * wide + j] = x[i];
    }
}

ksStatus ksiSparseInverseDiagonal(ksSystem *system, ksiFactor *f, double *diagonal)
{
    const ksiFronts *p = &system->fronts;
    ksiSparse *s = &f->sparse;
    if (p->groupCount == 0)
        return KS_OK;
    const ksiFront *last = &s->front[p->groupCount - 1];
    size_t widest = 0;
    for (int k = 0; k < p->groupCount; k++)
        if ((size_t)s->front[k].width > widest)
            widest = (size_t)s->front[k].width;
    if (ksiDoublesReserve(system, &s->inverse, last->inverse + (size_t)last->width * (size_t)last->width + 1) ||
        ksiDoublesReserve(system, &s->lane, widest * widest + 1) || ksiIntsReserve(system, &s->taken, widest + 1))
        return KS_ERROR_NO_MEMORY;
    for (int k = p->groupCount - 1; k >= 0; k--) {
        const ksiFront *front = &s->front[k];
        const size_t wide = (size_t)front->width;
        double *w = s->inverse.at + front->inverse;
        if (front->width > front->pivots) {
            const ksiFront *parent = &s->front[p->parent.at[k]];
            mapToParent(system, f, k, s->taken.at);
            inherit(front, parent, s->inverse.at + parent->inverse, s->taken.at, s->lane.at, w);
        }
        extend(s, front, w, s->lane.at);
        const int first = s->firstColumn.at[p->order.at[k]];
        for (int i = 0; i < front->pivots; i++)
            diagonal[first + i] = ksiDot(wide, w + (size_t)i * wide, w + (size_t)i * wide);
    }
    return KS_OK;
}
