/* kernel.h  Small triangles of up to eight columns in registers. Sizes in capitals are constants at each call. */
#ifndef KSI_CORE_KERNEL_H
#define KSI_CORE_KERNEL_H

#include "core.h"

/* CALL(rows) with a constant of 0 to 6. */
#define KSI_CORE_BY_ROWS(rows, CALL)                                                                                   \
    if ((rows) == 0)                                                                                                   \
        CALL(0);                                                                                                       \
    else                                                                                                               \
        KSI_BY_ROWS(rows, CALL)

/* Columns up to COUNT: the second half is left alone where there are no more than four. */
#define EACH_HALF(v, COUNT) EACH (v, 0, ((COUNT) + 3) / 4)

KSI_INLINE void clearEight(ksiEight *x)
{
    x->half[0] = x->half[1] = (ksiFour){0};
}

/* y += times x */
KSI_INLINE void addEight(const int COUNT, ksiEight *y, double times, const ksiEight *x)
{
    EACH_HALF (v, COUNT)
        y->half[v] += times * x->half[v];
}

/* The same of a row of an upper triangle, from its diagonal on. */
KSI_INLINE void addUpper(const int ROW, const int COUNT, ksiEight *y, double times, const ksiEight *x)
{
    if (ROW < 4)
        y->half[0] += times * x->half[0];
    if (COUNT > 4)
        y->half[1] += times * x->half[1];
}

/* Rows in registers: what is written through other pointers does not change them. */
KSI_INLINE void copyEight(const int COUNT, const ksiEight *from, ksiEight *to)
{
    EACH (i, 0, COUNT)
        EACH (v, 0, 2)
            to[i].half[v] = from[i].half[v];
}

KSI_INLINE double dotEight(const ksiEight *x, const ksiEight *y)
{
    const ksiFour sum = x->half[0] * y->half[0] + x->half[1] * y->half[1];
    return (sum[0] + sum[1]) + (sum[2] + sum[3]);
}

/* Rows of the upper triangle of L D L^T, in place of a symmetric matrix. One without a pivot above `least` counts as
 * eliminated by itself; returns these as bits. */
KSI_INLINE unsigned factorEight(const int COUNT, ksiEight *matrix, double *inverse, const double *least)
{
    ksiEight x[6];
    unsigned lost = 0;
    copyEight(COUNT, matrix, x);
    EACH (j, 0, COUNT) {
        matrix[j] = x[j];
        const double found = matrix[j].at[j];
        const bool isLost = !(found > least[j]);
        inverse[j] = isLost ? 0 : 1 / found;
        lost |= (unsigned)isLost << j;
        EACH (i, j + 1, COUNT)
            addUpper(i, COUNT, &x[i], -matrix[j].at[i] * inverse[j], &x[j]);
    }
    return lost;
}

/* w := L^-1 w, rows of COLUMNS numbers. */
KSI_INLINE void substituteEight(const int COUNT, const int COLUMNS, const ksiEight *x, const double *inverse,
                                ksiEight *rows)
{
    ksiEight w[6];
    copyEight(COUNT, rows, w);
    EACH (j, 0, COUNT)
        EACH (i, j + 1, COUNT)
            addEight(COLUMNS, &w[i], -x[j].at[i] * inverse[j], &w[j]);
    copyEight(COUNT, w, rows);
}

/* w := L^-T D^-1 w */
KSI_INLINE void substituteBack(const int COUNT, const int COLUMNS, const ksiEight *x, const double *inverse,
                               ksiEight *rows)
{
    ksiEight w[6];
    copyEight(COUNT, rows, w);
    EACH_DOWN (j, 0, COUNT) {
        EACH (i, j + 1, COUNT)
            addEight(COLUMNS, &w[j], -x[j].at[i], &w[i]);
        EACH_HALF (v, COLUMNS)
            w[j].half[v] *= inverse[j];
    }
    copyEight(COUNT, w, rows);
}

/* P^-1 (1 + E H) of a block P, from `sum` = L^-1 E H. */
KSI_INLINE void finishBlock(const int COUNT, const ksiEight *triangle, const double *inverse, const ksiEight *sum,
                            ksiEight *out)
{
    EACH (i, 0, COUNT) {
        clearEight(&out[i]);
        out[i].at[i] = 1;
    }
    substituteEight(COUNT, COUNT, triangle, inverse, out);
    EACH (i, 0, COUNT)
        addEight(COUNT, &out[i], 1, &sum[i]);
    substituteBack(COUNT, COUNT, triangle, inverse, out);
}

/* sum += TIMES a b, a of ROWS by INNER numbers, b of COLUMNS. */
KSI_INLINE void multiply(const int ROWS, const int INNER, const int COLUMNS, const double TIMES, const ksiEight *a,
                         const ksiEight *b, ksiEight *sum)
{
    EACH (i, 0, ROWS) {
        ksiEight row = sum[i];
        EACH (k, 0, INNER)
            addEight(COLUMNS, &row, TIMES * a[i].at[k], &b[k]);
        sum[i] = row;
    }
}

/* y of COLUMNS rows := the transpose of x, of ROWS */
KSI_INLINE void transposeEight(const int ROWS, const int COLUMNS, const ksiEight *x, ksiEight *y)
{
    EACH (u, 0, 2)
        EACH (v, 0, (COLUMNS + 3) / 4) {
            ksiFour block[4];
            EACH (k, 0, 4)
                block[k] = 4 * u + k < ROWS ? x[4 * u + k].half[v] : (ksiFour){0};
            ksiTranspose(block);
            EACH (k, 0, 4)
                if (4 * v + k < COLUMNS)
                    y[4 * v + k].half[u] = block[k];
        }
}

/* TIMES D^-1 b */
KSI_INLINE void weigh(const int ROWS, const int COLUMNS, const ksiEight *b, const double *inverse, const double TIMES,
                      ksiEight *weighed)
{
    EACH (i, 0, ROWS)
        EACH_HALF (v, COLUMNS)
            weighed[i].half[v] = TIMES * inverse[i] * b[i].half[v];
}

/* Upper triangle of the sum += TIMES a^T D^-1 a, a of ROWS rows of COUNT numbers. */
KSI_INLINE void addSquare(const int ROWS, const int COUNT, const ksiEight *a, const double *inverse, const double TIMES,
                          ksiEight *sum)
{
    ksiEight weighed[6];
    weigh(ROWS, COUNT, a, inverse, TIMES, weighed);
    EACH (l, 0, COUNT) {
        ksiEight row = sum[l];
        EACH (i, 0, ROWS)
            addUpper(l, COUNT, &row, a[i].at[l], &weighed[i]);
        sum[l] = row;
    }
}

/* sum += a^T b, of ROWS rows each, a of A columns and b of B. */
KSI_INLINE void addCrossed(const int ROWS, const int A, const int B, const ksiEight *a, const ksiEight *b,
                           ksiEight *sum)
{
    EACH (l, 0, A) {
        ksiEight row = sum[l];
        EACH (i, 0, ROWS)
            addEight(B, &row, a[i].at[l], &b[i]);
        sum[l] = row;
    }
}

/* sum += TIMES a^T D^-1 b */
KSI_INLINE void addProduct(const int ROWS, const int A, const int B, const ksiEight *a, const double *inverse,
                           const ksiEight *b, const double TIMES, ksiEight *sum)
{
    ksiEight weighed[6];
    weigh(ROWS, B, b, inverse, TIMES, weighed);
    addCrossed(ROWS, A, B, a, weighed, sum);
}

/* g of the two bodies += TIMES B lambda */
KSI_INLINE void addReaction(const int ROWS, ksiCore *core, const ksiConstraint *c, const ksiFour *lambda,
                            const double TIMES)
{
    EACH (i, 0, 6) {
        ksiFour sum = core->link[c->body].g[i];
        EACH (l, 0, ROWS)
            sum += TIMES * c->own[i].at[l] * lambda[l];
        core->link[c->body].g[i] = sum;
    }
    if (c->partner < 0)
        return;
    EACH (i, 0, 6) {
        ksiFour sum = core->link[c->partner].g[i];
        EACH (l, 0, ROWS)
            sum += TIMES * c->other[l].at[i] * lambda[l];
        core->link[c->partner].g[i] = sum;
    }
}

/* sum += |x|^2, times `times` */
KSI_INLINE void addSquares(const ksiFour *x, double times, ksiFour *sum)
{
    *sum += times * (((x[0] * x[0] + x[1] * x[1]) + (x[2] * x[2] + x[3] * x[3])) + (x[4] * x[4] + x[5] * x[5]));
}

#endif
