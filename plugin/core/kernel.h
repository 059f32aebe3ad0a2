/* kernel.h  Operations on small matrices of up to eight columns, in registers. Sizes in capitals
 * are constants at each call. */
#ifndef KSI_CORE_KERNEL_H
#define KSI_CORE_KERNEL_H

#include "core.h"

/* Calls CALL with a constant number of rows, 0 to 6. */
#define KSI_CORE_BY_ROWS(rows, CALL)                                                                                   \
    if ((rows) == 0)                                                                                                   \
        CALL(0);                                                                                                       \
    else                                                                                                               \
        KSI_BY_ROWS(rows, CALL)

/* Calls CALL with the least of the constants 3, 5, 6 that is at least loopRows. */
#define KSI_CORE_BY_LOOPS(core, CALL)                                                                                  \
    if ((core)->loopRows > 5)                                                                                          \
        CALL(6);                                                                                                       \
    else if ((core)->loopRows > 3)                                                                                     \
        CALL(5);                                                                                                       \
    else                                                                                                               \
        CALL(3)

/* Each half that holds some of the first COUNT columns. */
#define EACH_HALF(v, COUNT) EACH (v, 0, ((COUNT) + 3) / 4)

KSI_INLINE void clearEight(ksiEight *x)
{
    x->half[0] = x->half[1] = (ksiFour){0};
}

KSI_INLINE void clearBlock(ksiEight x[6])
{
    EACH (i, 0, 6)
        clearEight(&x[i]);
}

/* y += times x */
KSI_INLINE void addEight(const int COUNT, ksiEight *y, double times, const ksiEight *x)
{
    EACH_HALF (v, COUNT)
        y->half[v] += times * x->half[v];
}

/* y += times x, for row ROW of an upper triangle: at least in the columns from the diagonal on. */
KSI_INLINE void addUpper(const int ROW, const int COUNT, ksiEight *y, double times, const ksiEight *x)
{
    if (ROW < 4)
        y->half[0] += times * x->half[0];
    if (COUNT > 4)
        y->half[1] += times * x->half[1];
}

/* Copies rows to a local array, which stays in registers since no other pointer refers to it. */
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

/* scaled := times x */
KSI_INLINE void scaleEight(const int COUNT, double times, const ksiEight *x, ksiEight *scaled)
{
    EACH_HALF (v, COUNT)
        scaled->half[v] = times * x->half[v];
}

/* Replaces a symmetric matrix by D L^T of its L D L^T. Decouples rows whose pivot is not above
 * `least`, and returns them: bits. least NULL: every row has a pivot. */
KSI_INLINE unsigned factorEight(const int COUNT, ksiEight *matrix, double *inverse, const double *least)
{
    ksiEight x[6], weighed;
    unsigned lost = 0;
    copyEight(COUNT, matrix, x);
    EACH (j, 0, COUNT) {
        matrix[j] = x[j];
        const double found = matrix[j].at[j];
        const bool isLost = least && !(found > least[j]);
        inverse[j] = isLost ? 0 : 1 / found;
        lost |= (unsigned)isLost << j;
        scaleEight(COUNT, inverse[j], &x[j], &weighed);
        EACH (i, j + 1, COUNT)
            addUpper(i, COUNT, &x[i], -matrix[j].at[i], &weighed);
    }
    return lost;
}

/* to := L^-1 from, weighed := D^-1 L^-1 from, with COLUMNS numbers in each row. */
KSI_INLINE void substituteEight(const int COUNT, const int COLUMNS, const ksiEight *x, const double *inverse,
                                const ksiEight *from, ksiEight *to, ksiEight *weighed)
{
    ksiEight w[6];
    copyEight(COUNT, from, w);
    EACH (j, 0, COUNT) {
        to[j] = w[j];
        scaleEight(COLUMNS, inverse[j], &w[j], &weighed[j]);
        EACH (i, j + 1, COUNT)
            addEight(COLUMNS, &w[i], -x[j].at[i], &weighed[j]);
    }
}

/* rows := L^-T D^-1 rows */
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

/* out := P^-1 (1 + E H) for a block P = L D L^T, from sum = L^-1 E H. */
KSI_INLINE void finishBlock(const int COUNT, const ksiEight *triangle, const double *inverse, const ksiEight *sum,
                            ksiEight *out)
{
    ksiEight unit[6], weighed[6];
    EACH (i, 0, COUNT) {
        clearEight(&unit[i]);
        unit[i].at[i] = 1;
    }
    substituteEight(COUNT, COUNT, triangle, inverse, unit, out, weighed);
    EACH (i, 0, COUNT)
        addEight(COUNT, &out[i], 1, &sum[i]);
    substituteBack(COUNT, COUNT, triangle, inverse, out);
}

/* sum += TIMES a b. a: ROWS by INNER numbers, b: INNER by COLUMNS. */
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

/* y := x^T. x: ROWS by COLUMNS. */
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

/* sum += TIMES a^T b. a: ROWS by A numbers, b: ROWS by B. */
KSI_INLINE void addProduct(const int ROWS, const int A, const int B, const double TIMES, const ksiEight *a,
                           const ksiEight *b, ksiEight *sum)
{
    EACH (l, 0, A) {
        ksiEight row = sum[l];
        EACH (i, 0, ROWS)
            addEight(B, &row, TIMES * a[i].at[l], &b[i]);
        sum[l] = row;
    }
}

/* The upper triangle of sum += TIMES a^T b, for a symmetric product. */
KSI_INLINE void addSquare(const int ROWS, const int COUNT, const double TIMES, const ksiEight *a, const ksiEight *b,
                          ksiEight *sum)
{
    EACH (l, 0, COUNT) {
        ksiEight row = sum[l];
        EACH (i, 0, ROWS)
            addUpper(l, COUNT, &row, TIMES * a[i].at[l], &b[i]);
        sum[l] = row;
    }
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

/* sum += times |x|^2 */
KSI_INLINE void addSquares(const ksiFour *x, double times, ksiFour *sum)
{
    *sum += times * (((x[0] * x[0] + x[1] * x[1]) + (x[2] * x[2] + x[3] * x[3])) + (x[4] * x[4] + x[5] * x[5]));
}

#endif
