/* leastsquares.c  Solves small dense least-squares problems. If the columns are surely independent,
 * modified Gram-Schmidt with `b` as a further column solves the problem. It is backward stable
 * (Bjorck 1967). Otherwise a complete orthogonal factorisation solves it. Each division waits for
 * the one before, so four problems run side by side.
 *
 * Let columns have lengths between `l` and `L`, and let `V` be the volume that their unit vectors
 * span. The singular values of up to six columns satisfy (Hong and Pan 1992)
 *
 *     smallest / largest  >  V l / (4 L)
 */
#include "leastsquares.h"

#include "../base/vectorise.h"
#include "lapack.h"

#include <math.h>
#include <string.h>

enum { ROWS = KSI_LEAST_SQUARES_ROWS, MOST = KSI_LEAST_SQUARES_COLUMNS, LANES = KSI_LEAST_SQUARES_AT_ONCE, WORK = 512 };

/* A column of each problem, one problem per lane. */
typedef struct Column {
    ksiFour at[ROWS];
} Column;

/* Results of each problem. doubtless: V^2 - (4 tolerance L / l)^2; the columns are independent if
 * it is > 0. */
typedef struct Solution {
    ksiFour x[MOST], size2, rest2, doubtless;
} Solution;

KSI_INLINE void gather(const double *const from[LANES], int offset, Column *to)
{
    KSI_UNROLL
    for (int i = 0; i < ROWS; i += 4) {
        EACH (p, 0, LANES)
            to->at[i + p] = *(const ksiFour *)(from[p] + offset + i);
        ksiTranspose(&to->at[i]);
    }
}

KSI_INLINE void dot(const Column *a, const Column *b, ksiFour *out)
{
    ksiFour sum[4];
    EACH (i, 0, 4)
        sum[i] = a->at[i] * b->at[i];
    EACH (i, 4, ROWS)
        sum[i & 3] += a->at[i] * b->at[i];
    *out = (sum[0] + sum[2]) + (sum[1] + sum[3]);
}

/* A = Q R, where Q has orthogonal columns, D = Q^T Q, and R is unit upper triangular. Solves R x =
 * D^-1 Q^T b. */
KSI_CLONES
static void solveFour(int columns, double tolerance, const double *const a[LANES], const double *const b[LANES],
                      Solution *s)
{
    Column q[MOST + 1];
    ksiFour r[MOST][MOST + 1], before2[MOST + 1], volume2 = {1, 1, 1, 1}, most2 = {0}, leastInverse2 = {0};
    for (int k = 0; k < columns; k++) {
        gather(a, k * ROWS, &q[k]);
        before2[k] = (ksiFour){0};
    }
    gather(b, 0, &q[columns]);
    before2[columns] = (ksiFour){0};
    for (int k = 0; k < columns; k++) {
        const Column own = q[k];
        ksiFour length2, along;
        dot(&own, &own, &length2);
        before2[k] += length2;
        const ksiFour inverse = 1 / length2, beforeInverse2 = 1 / before2[k];
        volume2 *= length2 * beforeInverse2;
        ksiKeepLarger(&most2, &before2[k]);
        ksiKeepLarger(&leastInverse2, &beforeInverse2);
        for (int j = k + 1; j <= columns; j++) {
            dot(&own, &q[j], &along);
            const ksiFour part = along * inverse;
            r[k][j] = part;
            before2[j] += along * part;
            EACH (i, 0, ROWS)
                q[j].at[i] -= part * own.at[i];
        }
    }
    for (int k = columns - 1; k >= 0; k--) {
        s->x[k] = r[k][columns];
        for (int j = k + 1; j < columns; j++)
            s->x[k] -= r[k][j] * s->x[j];
    }
    dot(&q[columns], &q[columns], &s->rest2);
    s->size2 = before2[columns];
    const double least = 4 * tolerance;
    s->doubtless = volume2 - least * least * most2 * leastInverse2;
}

static double norm(const double v[ROWS])
{
    return sqrt(ksiDotTwelve(v, v));
}

static void solveAny(int columns, double tolerance, ksiFit *fit)
{
    double matrix[MOST][ROWS], rhs[ROWS], all[ROWS], work[WORK];
    int pivot[MOST] = {0}, rows = ROWS, one = 1, length = WORK, info;
    fit->rank = 0;
    memset(fit->x, 0, (size_t)columns * sizeof *fit->x);
    memcpy(rhs, fit->b, sizeof rhs);
    memcpy(matrix, fit->a, (size_t)columns * sizeof *matrix);
    dgelsy_(&rows, &columns, &one, matrix[0], &rows, rhs, &rows, pivot, &tolerance, &fit->rank, work, &length, &info);
    if (info)
        fit->rank = 0;
    else
        memcpy(fit->x, rhs, (size_t)columns * sizeof *fit->x);
    ksiSumTwelve(columns, fit->x, fit->a, 12, (ksiFour *)all);
    fit->size = norm(all);
    for (int i = 0; i < ROWS; i++)
        all[i] -= fit->b[i];
    fit->rest = norm(all);
}

void ksiLeastSquares(int columns, int count, double tolerance, ksiFit *fit)
{
    const double *a[LANES], *b[LANES];
    Solution s;
    for (int p = 0; p < LANES; p++) {
        a[p] = fit[p < count ? p : 0].a;
        b[p] = fit[p < count ? p : 0].b;
    }
    solveFour(columns, tolerance, a, b, &s);
    for (int p = 0; p < count; p++) {
        if (!(s.doubtless[p] > 0)) {
            solveAny(columns, tolerance, &fit[p]);
            continue;
        }
        fit[p].rank = columns;
        fit[p].size = sqrt(s.size2[p]);
        fit[p].rest = sqrt(s.rest2[p]);
        for (int k = 0; k < columns; k++)
            fit[p].x[k] = s.x[k][p];
    }
}
