/* gauss_kernel.h  The dense kernels of the block factorisation: on columns of lanes, for strips of 1 to 6 rows.
 *
 *  Sizes in capitals are constants where the kernels are used, so that their loops are unrolled and the numbers stay in
 *  registers.
 */
#ifndef KSI_GAUSS_KERNEL_H
#define KSI_GAUSS_KERNEL_H

#include "../vectorise.h"
#include "gauss.h"

#define EACH(i, from, to) KSI_UNROLL for (int i = (from); i < (to); i++)

/* CALL(rows) with a constant. */
#define KSI_BY_ROWS(rows, CALL)                                                                                        \
    switch (rows) {                                                                                                    \
    case 1:                                                                                                            \
        CALL(1);                                                                                                       \
        break;                                                                                                         \
    case 2:                                                                                                            \
        CALL(2);                                                                                                       \
        break;                                                                                                         \
    case 3:                                                                                                            \
        CALL(3);                                                                                                       \
        break;                                                                                                         \
    case 4:                                                                                                            \
        CALL(4);                                                                                                       \
        break;                                                                                                         \
    case 5:                                                                                                            \
        CALL(5);                                                                                                       \
        break;                                                                                                         \
    default:                                                                                                           \
        CALL(6);                                                                                                       \
    }

KSI_INLINE ksiFour *fourAt(double *x)
{
    return (ksiFour *)(void *)x;
}

KSI_INLINE const ksiFour *constFourAt(const double *x)
{
    return (const ksiFour *)(const void *)x;
}

/* A factor of a product: its columns, one for each term, and how far they are apart. */
typedef struct ksiColumns {
    const double *at;
    ptrdiff_t stride;
} ksiColumns;

/* C += P M^T: C has 4 FOURS lanes and ROWS columns. What stands in C comes last: as a rule it is waited for. */
KSI_INLINE void addProduct(const int FOURS, const int ROWS, ptrdiff_t terms, ksiColumns p, ksiColumns m, double *c,
                           ptrdiff_t stride)
{
    ksiFour sum[KSI_STRIP][2];
    EACH (j, 0, ROWS)
        EACH (v, 0, FOURS)
            sum[j][v] = (ksiFour){0};
    for (ptrdiff_t t = 0; t < terms; t++, p.at += p.stride, m.at += m.stride)
        EACH (j, 0, ROWS)
            EACH (v, 0, FOURS)
                sum[j][v] += *constFourAt(p.at + 4 * v) * m.at[j];
    EACH (j, 0, ROWS)
        EACH (v, 0, FOURS)
            *fourAt(c + j * stride + 4 * v) += sum[j][v];
}

/* The pivot block of a panel: L below the diagonal, 1 / D into inverse. 0: a pivot is below its share `lost` of its own
 * diagonal element, or of the other sign. */
KSI_INLINE int factorPivots(const int ROWS, double *panel, ptrdiff_t stride, double lost, const double *square,
                            double *inverse)
{
    double a[KSI_STRIP][KSI_STRIP];
    EACH (j, 0, ROWS)
        EACH (i, j, ROWS)
            a[i][j] = panel[j * stride + i];
    EACH (j, 0, ROWS) {
        if (!(a[j][j] * square[j] > lost * square[j] * square[j]))
            return 0;
        const double over = inverse[j] = 1 / a[j][j];
        EACH (c, j + 1, ROWS) {
            const double l = panel[j * stride + c] = a[c][j] * over;
            EACH (i, c, ROWS)
                a[i][c] -= a[i][j] * l;
        }
    }
    return 1;
}

/* The panel below its pivot block: L, and raw = -L D. */
KSI_INLINE void factorBelow(const int ROWS, double *panel, ptrdiff_t stride, ptrdiff_t lanes, const double *inverse,
                            double *raw)
{
    for (ptrdiff_t i = lanes; i < stride; i += 4) {
        ksiFour a[KSI_STRIP];
        EACH (j, 0, ROWS) {
            a[j] = -*constFourAt(panel + j * stride + i);
            EACH (c, 0, j)
                a[j] -= a[c] * panel[c * stride + j];
            *fourAt(raw + j * stride + i) = a[j];
            *fourAt(panel + j * stride + i) = a[j] * -inverse[j];
        }
    }
}

/* x := L^-1 x within the pivot block. */
KSI_INLINE void solvePivots(const int ROWS, const double *panel, ptrdiff_t stride, double *x)
{
    EACH (i, 1, ROWS)
        EACH (j, 0, i)
            x[i] -= panel[j * stride + i] * x[j];
}

/* x := L^-T x within the pivot block. */
KSI_INLINE void solvePivotsTransposed(const int ROWS, const double *panel, ptrdiff_t stride, double *x)
{
    EACH (back, 1, ROWS) {
        const int i = ROWS - 1 - back;
        EACH (j, 0, back)
            x[i] -= panel[i * stride + ROWS - 1 - j] * x[ROWS - 1 - j];
    }
}

/* y -= L x for one part below the pivots. */
KSI_INLINE void takeProduct(const int ROWS, const double *l, ptrdiff_t stride, ptrdiff_t lanes, const double *x,
                            double *y)
{
    for (ptrdiff_t v = 0; v < lanes; v += 4) {
        ksiFour sum = *constFourAt(y + v);
        EACH (j, 0, ROWS)
            sum -= *constFourAt(l + j * stride + v) * x[j];
        *fourAt(y + v) = sum;
    }
}

/* L^T y for one part below the pivots, lanes still to be summed. */
KSI_INLINE void addTransposed(const int ROWS, const double *l, ptrdiff_t stride, ptrdiff_t lanes, const double *y,
                              ksiFour *sum)
{
    for (ptrdiff_t v = 0; v < lanes; v += 4) {
        const ksiFour four = *constFourAt(y + v);
        EACH (j, 0, ROWS)
            sum[j] += *constFourAt(l + j * stride + v) * four;
    }
}

/* y += B x over one block: `entry` is row-major. */
KSI_INLINE void addRows(const int ROWS, const double *entry, ptrdiff_t stride, int size, const double *x, double *y)
{
    int i = 0;
    for (; i + 4 <= size; i += 4) {
        ksiFour sum = *constFourAt(y + i);
        EACH (j, 0, ROWS)
            sum += *constFourAt(entry + j * stride + i) * x[j];
        *fourAt(y + i) = sum;
    }
    for (; i < size; i++) {
        double sum = y[i];
        EACH (j, 0, ROWS)
            sum += entry[j * stride + i] * x[j];
        y[i] = sum;
    }
}

/* sum -= B^T y over one block: `packed` has a column of lanes for each coordinate. */
KSI_INLINE void takeMotion(const int FOURS, const double *packed, int size, const double *y, ksiFour *sum)
{
    for (int i = 0; i < size; i++)
        EACH (v, 0, FOURS)
            sum[v] -= *constFourAt(packed + 4 * (FOURS * i + v)) * y[i];
}

/* COUNT rows of B, up to four, into four lanes, `taken` times. */
KSI_INLINE void packFour(const int COUNT, const double *entry, int height, const double *taken, double *packed,
                         ptrdiff_t lanes)
{
    const ksiFour times = *constFourAt(taken);
    for (int i = 0; i < height; i++) {
        const double b = COUNT > 1 ? entry[height + i] : 0, c = COUNT > 2 ? entry[2 * height + i] : 0;
        *fourAt(packed + i * lanes) = (ksiFour){entry[i], b, c, COUNT > 3 ? entry[3 * height + i] : 0} * times;
    }
}

#endif
