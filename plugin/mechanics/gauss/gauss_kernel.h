/* gauss_kernel.h  The dense kernels of the block factorisation. They work on columns of lanes, for
 * strips of 1 to 6 rows.
 *
 * Sizes in capitals are constants at each call, so that loops are unrolled and numbers stay in
 * registers.
 */
#ifndef KSI_MECHANICS_GAUSS_GAUSS_KERNEL_H
#define KSI_MECHANICS_GAUSS_GAUSS_KERNEL_H

#include "../../base/vectorise.h"
#include "gauss.h"

#include <stdbool.h>

/* The number of registers for FOURS times four lanes. */
KSI_INLINE int registersOf(const int FOURS)
{
    return 4 * FOURS / KSI_LANES;
}

/* A factor of a product: a column for each term, `stride` numbers apart. */
typedef struct ksiColumns {
    const double *at;
    ptrdiff_t stride;
} ksiColumns;

/* C += SIGN P M^T: C has 4 FOURS lanes and ROWS columns. Its old value is added last, since it
 * usually arrives late. If C is symmetric, only its first four rows and the lower right corner are
 * formed, see factorPivots. */
KSI_INLINE void addProduct(const int FOURS, const int ROWS, const int SIGN, const int SYMMETRIC, ptrdiff_t terms,
                           ksiColumns p, ksiColumns m, double *c, ptrdiff_t stride)
{
    ksiRegister sum[KSI_STRIP][8 / KSI_LANES];
    EACH (j, 0, ROWS)
        EACH (v, 0, registersOf(FOURS))
            sum[j][v] = (ksiRegister){0};
    for (ptrdiff_t t = 0; t < terms; t++, p.at += p.stride, m.at += m.stride)
        EACH (j, 0, ROWS)
            EACH (v, 0, registersOf(FOURS))
                if (v < registersOf(1) || j >= 4 || !SYMMETRIC)
                    sum[j][v] += *(const ksiRegister *)(p.at + KSI_LANES * v) * m.at[j];
    EACH (j, 0, ROWS)
        EACH (v, 0, registersOf(FOURS))
            if (v < registersOf(1) || j >= 4 || !SYMMETRIC)
                *(ksiRegister *)(c + j * stride + KSI_LANES * v) += SIGN * sum[j][v];
}

/* Factors the symmetric pivot block of a panel plus `slack` on its diagonal: L below the diagonal,
 * 1 / D in inverse. Both are 0 for a lost pivot, see gauss.h. Elements of rows beyond the fourth
 * are read transposed. Returns a bit mask of lost pivots. */
KSI_INLINE int factorPivots(const int ROWS, double *panel, ptrdiff_t stride, double near, const double *slack,
                            const double *square, double *inverse)
{
    double a[KSI_STRIP][KSI_STRIP];
    int without = 0;
    EACH (j, 0, ROWS)
        EACH (i, j, ROWS)
            a[i][j] = i < 4 ? panel[j * stride + i] : panel[i * stride + j];
    EACH (j, 0, ROWS)
        a[j][j] += slack[j];
    EACH (j, 0, ROWS) {
        const double above = a[j][j] - KSI_LOST_PIVOT * square[j], rigid = a[j][j] + KSI_SOFTENS * slack[j];
        const bool isLost = !(above * square[j] > 0) | !((rigid - near * square[j]) * square[j] > 0);
        const double over = inverse[j] = isLost ? 0 : 1 / a[j][j];
        without |= isLost << j;
        EACH (c, j + 1, ROWS) {
            const double l = panel[j * stride + c] = a[c][j] * over;
            EACH (i, c, ROWS)
                a[i][c] -= a[i][j] * l;
        }
    }
    return without;
}

/* Lanes below the pivot block: L, and raw = L D. */
KSI_INLINE void factorLanes(const int FOURS, const int ROWS, const double *pivots, ptrdiff_t stride,
                            const double *inverse, double *panel, double *raw)
{
    ksiRegister a[KSI_STRIP][8 / KSI_LANES];
    EACH (j, 0, ROWS) {
        EACH (v, 0, registersOf(FOURS))
            a[j][v] = *(const ksiRegister *)(panel + j * stride + KSI_LANES * v);
        EACH (c, 0, j)
            EACH (v, 0, registersOf(FOURS))
                a[j][v] -= a[c][v] * pivots[c * stride + j];
        EACH (v, 0, registersOf(FOURS)) {
            *(ksiRegister *)(raw + j * stride + KSI_LANES * v) = a[j][v];
            *(ksiRegister *)(panel + j * stride + KSI_LANES * v) = a[j][v] * inverse[j];
        }
    }
}

KSI_INLINE void factorBelow(const int ROWS, double *panel, ptrdiff_t stride, ptrdiff_t lanes, const double *inverse,
                            double *raw)
{
    ptrdiff_t i = lanes;
    for (; i + 8 <= stride; i += 8)
        factorLanes(2, ROWS, panel, stride, inverse, panel + i, raw + i);
    if (i < stride)
        factorLanes(1, ROWS, panel, stride, inverse, panel + i, raw + i);
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
KSI_INLINE void takeProduct(const int FOURS, const int ROWS, const double *l, ptrdiff_t stride, const double *x,
                            double *y)
{
    ksiRegister sum[8 / KSI_LANES];
    EACH (v, 0, registersOf(FOURS))
        sum[v] = *(const ksiRegister *)(y + KSI_LANES * v);
    EACH (j, 0, ROWS)
        EACH (v, 0, registersOf(FOURS))
            sum[v] -= *(const ksiRegister *)(l + j * stride + KSI_LANES * v) * x[j];
    EACH (v, 0, registersOf(FOURS))
        *(ksiRegister *)(y + KSI_LANES * v) = sum[v];
}

/* L^T y for one part below the pivots, lanes still to be summed. */
KSI_INLINE void addTransposed(const int FOURS, const int ROWS, const double *l, ptrdiff_t stride, const double *y,
                              ksiFour *sum)
{
    EACH (v, 0, FOURS)
        EACH (j, 0, ROWS)
            sum[j] += *(const ksiFour *)(l + j * stride + 4 * v) * *(const ksiFour *)(y + 4 * v);
}

/* Sum over the lanes of each vector; the sums are put into lanes. */
KSI_INLINE void sumLanes(const int ROWS, const ksiFour *four, ksiFour *sum)
{
    ksiFour x[4] = {{0}, {0}, {0}, {0}};
    EACH (j, 0, ROWS < 4 ? ROWS : 4)
        x[j] = four[j];
    ksiTranspose(x);
    sum[0] = (x[0] + x[1]) + (x[2] + x[3]);
    if (ROWS > 4)
        sum[1] = (ksiFour){0};
    EACH (j, 4, ROWS)
        sum[1][j - 4] = (four[j][0] + four[j][1]) + (four[j][2] + four[j][3]);
}

/* J a of two bodies, lanes still to be summed: `entry` is row-major. */
KSI_INLINE void multiplyTwelve(const int ROWS, const double *entry, const double *y, const double *z, ksiFour *sum)
{
    const ksiFour first = *(const ksiFour *)(y), middle = {y[4], y[5], z[0], z[1]}, last = *(const ksiFour *)(z + 2);
    EACH (j, 0, ROWS) {
        const double *b = entry + 12 * j;
        sum[j] = *(const ksiFour *)(b)*first + *(const ksiFour *)(b + 4) * middle + *(const ksiFour *)(b + 8) * last;
    }
}

/* Adds J a over one block, lanes still to be summed. */
KSI_INLINE void addDots(const int ROWS, const double *entry, ptrdiff_t stride, int size, const double *y, ksiFour *sum)
{
    int i = 0;
    for (; i + 4 <= size; i += 4)
        EACH (j, 0, ROWS)
            sum[j] += *(const ksiFour *)(entry + j * stride + i) * *(const ksiFour *)(y + i);
    for (; i < size; i++)
        EACH (j, 0, ROWS)
            sum[j][0] += entry[j * stride + i] * y[i];
}

/* y += B x over one block: `entry` is row-major. */
KSI_INLINE void addRows(const int ROWS, const double *entry, ptrdiff_t stride, int size, const double *x, double *y)
{
    int i = 0;
    for (; i + 4 <= size; i += 4) {
        ksiFour sum = *(const ksiFour *)(y + i);
        EACH (j, 0, ROWS)
            sum += *(const ksiFour *)(entry + j * stride + i) * x[j];
        *(ksiFour *)(y + i) = sum;
    }
    for (; i + 2 <= size; i += 2) {
        ksiTwo sum = *(const ksiTwo *)(const void *)(y + i);
        EACH (j, 0, ROWS)
            sum += *(const ksiTwo *)(const void *)(entry + j * stride + i) * x[j];
        *(ksiTwo *)(void *)(y + i) = sum;
    }
    for (; i < size; i++) {
        double sum = y[i];
        EACH (j, 0, ROWS)
            sum += entry[j * stride + i] * x[j];
        y[i] = sum;
    }
}

/* Up to four numbers into four lanes: as a whole vector, since it is soon loaded as one. */
KSI_INLINE void loadRows(const int COUNT, const double *x, ksiFour *four)
{
    *four = (ksiFour){0};
    EACH (j, 0, COUNT)
        (*four)[j] = x[j];
}

/* Four coordinates of COUNT <= 4 rows of B, transposed into four lanes. */
KSI_INLINE void packSquare(const int COUNT, const double *entry, ptrdiff_t height, double *packed, ptrdiff_t lanes)
{
    ksiFour row[4] = {{0}, {0}, {0}, {0}};
    EACH (j, 0, COUNT)
        row[j] = *(const ksiFour *)(entry + j * height);
    if (COUNT > 1)
        ksiTranspose(row);
    EACH (k, 0, 4) {
        if (COUNT == 1)
            loadRows(1, entry + k, &row[k]);
        *(ksiFour *)(packed + k * lanes) = row[k];
    }
}

/* Packs ROWS rows of B into lanes. The last vector may repeat some coordinates. */
KSI_INLINE void packRows(const int ROWS, const double *entry, ptrdiff_t height, double *packed)
{
    const int lanes = ROWS > 4 ? 8 : 4;
    for (ptrdiff_t i = 0; height >= 4 && i < height; i += 4) {
        const ptrdiff_t at = i + 4 <= height ? i : height - 4;
        packSquare(ROWS > 4 ? 4 : ROWS, entry + at, height, packed + at * lanes, lanes);
        if (ROWS > 4)
            packSquare(ROWS - 4, entry + 4 * height + at, height, packed + at * lanes + 4, lanes);
    }
    for (ptrdiff_t i = 0; height < 4 && i < height; i++)
        for (int j = 0; j < lanes; j++)
            packed[i * lanes + j] = j < ROWS ? entry[j * height + i] : 0;
}

#endif
