/* articulated_kernel.h  Rows of six numbers in registers, and modified Gram-Schmidt on columns of them.
 *
 *  Gram-Schmidt gives L as accurately as reflections do (Bjorck 1967), without a square root that the next column would
 *  wait for. It begins at the last column: for the first four columns one vector of four is enough. Sizes in capitals
 *  are constants at each call. Rows are not copied whole: compilers copy piecewise, and vector loads then wait.
 */
#ifndef KSI_ARTICULATED_KERNEL_H
#define KSI_ARTICULATED_KERNEL_H

#include "../base/vectorise.h"
#include "articulated.h"

#include <math.h>

typedef struct Row {
    ksiFour part[2];
} Row;

/* Number of vectors that columns 0..J take. */
KSI_INLINE int partsOf(const int J)
{
    return J > 3 ? 2 : 1;
}

KSI_INLINE void load(Row *x, const double *from)
{
    EACH (v, 0, 2)
        x->part[v] = *(const ksiFour *)(from + 4 * v);
}

/* Six numbers, and one behind them. */
KSI_INLINE void loadSix(Row *x, const double *from, double behind)
{
    x->part[0] = *(const ksiFour *)from;
    x->part[1] = (ksiFour){0};
    x->part[1][0] = from[4];
    x->part[1][1] = from[5];
    x->part[1][2] = behind;
}

KSI_INLINE void store(double *to, const Row *x, const int J)
{
    EACH (v, 0, partsOf(J))
        *(ksiFour *)(to + 4 * v) = x->part[v];
}

KSI_INLINE double lane(const Row *x, const int J)
{
    return x->part[J / 4][J % 4];
}

KSI_INLINE void setLane(Row *x, const int J, double to)
{
    x->part[J / 4][J % 4] = to;
}

/* x := times e_J */
KSI_INLINE void makeUnit(Row *x, double times, const int J)
{
    x->part[0] = times * (ksiFour){J == 0, J == 1, J == 2, J == 3};
    x->part[1] = times * (ksiFour){J == 4, J == 5, 0, 0};
}

/* The columns up to J of y = times x */
KSI_INLINE void scale(Row *y, double times, const Row *x, const int J)
{
    EACH (v, 0, partsOf(J))
        y->part[v] = times * x->part[v];
}

/* ... of y += times x */
KSI_INLINE void add(Row *y, double times, const Row *x, const int J)
{
    EACH (v, 0, partsOf(J))
        y->part[v] += times * x->part[v];
}

/* ... of y -= times x */
KSI_INLINE void subtract(Row *y, double times, const Row *x, const int J)
{
    EACH (v, 0, partsOf(J))
        y->part[v] -= times * x->part[v];
}

/* Columns 0..J of the first COUNT rows, as rows. */
KSI_INLINE void transpose(const Row *x, const int COUNT, const int J, Row *y)
{
    EACH (u, 0, 2)
        EACH (v, 0, partsOf(J)) {
            ksiFour four[4];
            EACH (k, 0, 4)
                four[k] = 4 * u + k < COUNT ? x[4 * u + k].part[v] : (ksiFour){0};
            ksiTranspose(four);
            EACH (k, 0, 4)
                if (4 * v + k <= J)
                    y[4 * v + k].part[u] = four[k];
        }
}

/* sum += products of column J with all columns up to it. */
KSI_INLINE void addProducts(const Row *row, const int COUNT, const int J, Row *sum)
{
    // four sums at a time do not wait for each other
    Row part[4] = {{{{0}, {0}}}};
    EACH (v, 0, partsOf(J))
        part[0].part[v] = sum->part[v];
    EACH (i, 0, COUNT)
        EACH (v, 0, partsOf(J))
            part[(i + 1) % 4].part[v] += lane(&row[i], J) * row[i].part[v];
    EACH (v, 0, partsOf(J))
        sum->part[v] = (part[0].part[v] + part[1].part[v]) + (part[2].part[v] + part[3].part[v]);
}

/* Removes the component along column J from the columns before it. r: row J of the unit triangle */
KSI_INLINE void takeOut(Row *row, const int COUNT, const int J, const Row *r)
{
    EACH (i, 0, COUNT)
        subtract(&row[i], lane(&row[i], J), r, J - 1);
}

#endif
