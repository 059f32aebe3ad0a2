/* leastsquares.c  Small dense least squares: modified Gram-Schmidt with b as one more column, which is backward stable
 * (Bjorck 1967), where the columns are independent beyond doubt; else a complete orthogonal factorisation.
 *
 * Beyond doubt: columns of lengths between l and L whose unit vectors span the volume V have singular values
 * with  smallest / largest  >  V l / (4 L)  for up to six of them (Hong and Pan 1992). */
#include "leastsquares.h"

#include "../vectorise.h"
#include "lapack.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum { ROWS = KSI_LEAST_SQUARES_ROWS, MOST = KSI_LEAST_SQUARES_COLUMNS, FOURS = ROWS / 4, WORK = 512 };

/* of V l / L over the tolerance of the rank */
static const double beyondDoubt = 1e3;

typedef struct Column {
    ksiFour part[FOURS];
} Column;

/* 0 where the rank is in doubt. A = Q R with orthogonal columns, R a unit triangle: R x = D^-1 Q^T b. */
KSI_INLINE int solveIndependent(int columns, double (*a)[ROWS], const double *b, double tolerance, double *x,
                                double *rest)
{
    Column q[MOST + 1];
    double r[MOST][MOST + 1], before2[MOST + 1] = {0}, volume2 = 1, least2 = DBL_MAX, most2 = 0;
    KSI_UNROLL
    for (int k = 0; k < columns; k++)
        q[k] = *(const Column *)a[k];
    q[columns] = *(const Column *)b;
    KSI_UNROLL
    for (int k = 0; k < columns; k++) {
        const ksiFour q0 = q[k].part[0], q1 = q[k].part[1], q2 = q[k].part[2];
        const double length2 = ksiDotTwelve((const double *)&q[k], (const double *)&q[k]), inverse = 1 / length2;
        before2[k] += length2;
        least2 = before2[k] < least2 ? before2[k] : least2;
        most2 = before2[k] > most2 ? before2[k] : most2;
        volume2 *= length2 / before2[k];
        KSI_UNROLL
        for (int j = k + 1; j <= columns; j++) {
            const double along = ksiDotTwelve((const double *)&q[k], (const double *)&q[j]), part = along * inverse;
            r[k][j] = part;
            before2[j] += along * part;
            q[j].part[0] -= part * q0;
            q[j].part[1] -= part * q1;
            q[j].part[2] -= part * q2;
        }
    }
    const double limit = beyondDoubt * tolerance;
    if (!(volume2 * least2 > limit * limit * most2))
        return 0;
    KSI_UNROLL
    for (int k = columns - 1; k >= 0; k--) {
        double sum = r[k][columns];
        KSI_UNROLL
        for (int j = k + 1; j < columns; j++)
            sum -= r[k][j] * x[j];
        x[k] = sum;
    }
    memcpy(rest, &q[columns], sizeof *q);
    return 1;
}

/* With the number of columns known to the compiler. */
KSI_CLONES
static int solveFixed(int columns, double (*a)[ROWS], const double *b, double tolerance, double *x, double *rest)
{
    switch (columns) {
#define CASE(n)                                                                                                        \
    case n:                                                                                                            \
        return solveIndependent(n, a, b, tolerance, x, rest);
        CASE(0)
        CASE(1)
        CASE(2)
        CASE(3)
        CASE(4)
        CASE(5)
        CASE(6)
#undef CASE
    default:
        return 0;
    }
}

static int solveAny(int columns, double (*a)[ROWS], const double *b, double tolerance, double *x, double *rest)
{
    double matrix[MOST][ROWS], rhs[ROWS], work[WORK];
    int pivot[MOST] = {0}, rows = ROWS, one = 1, length = WORK, rank = 0, info;
    memset(x, 0, (size_t)columns * sizeof *x);
    memcpy(rest, b, sizeof rhs);
    memcpy(rhs, b, sizeof rhs);
    memcpy(matrix, a, (size_t)columns * sizeof *matrix);
    dgelsy_(&rows, &columns, &one, matrix[0], &rows, rhs, &rows, pivot, &tolerance, &rank, work, &length, &info);
    if (info)
        return 0;
    memcpy(x, rhs, (size_t)columns * sizeof *x);
    for (int j = 0; j < columns; j++) {
        for (int i = 0; i < ROWS; i++)
            rest[i] -= x[j] * a[j][i];
    }
    return rank;
}

int ksiLeastSquares(int columns, double (*a)[ROWS], const double *b, double tolerance, double *x, double *rest)
{
    if (solveFixed(columns, a, b, tolerance, x, rest))
        return columns;
    return solveAny(columns, a, b, tolerance, x, rest);
}
