/* articulated_kernel.h  Operations on rows of six numbers in registers, and modified Gram-Schmidt
 * on columns of such rows.
 *
 * Gram-Schmidt gives `L` as accurately as reflections do (Bjorck 1967), without a square root that
 * the next column would wait for. It begins at the last column: for the first four columns one
 * vector of four is enough. Sizes in capitals are constants at each call. Rows are not copied
 * whole: compilers copy piecewise, and vector loads then wait.
 */
#ifndef KSI_MECHANICS_TREE_ARTICULATED_KERNEL_H
#define KSI_MECHANICS_TREE_ARTICULATED_KERNEL_H

#include "../../base/vectorise.h"
#include "articulated.h"

#include <math.h>

enum { PARTS = KSI_FILLED / KSI_LANES };

#ifdef KSI_NARROW
#define UNIT_PART(J) ((ksiRegister){(J) == 0, (J) == 1})
#define TRANSPOSE_PARTS(x) ksiTransposeTwo(x)
#else
#define UNIT_PART(J) ((ksiRegister){(J) == 0, (J) == 1, (J) == 2, (J) == 3})
#define TRANSPOSE_PARTS(x) ksiTranspose(x)
#endif

/* KSI_BY_ROWS that also allows links without rows. */
#define BY_ROWS(rows, CALL)                                                                                            \
    if ((rows) == 0)                                                                                                   \
        CALL(0);                                                                                                       \
    else                                                                                                               \
        KSI_BY_ROWS(rows, CALL)

typedef struct Row {
    ksiRegister part[PARTS];
} Row;

/* The number of vectors that hold columns 0..J. */
KSI_INLINE int partsOf(const int J)
{
    return J / KSI_LANES + 1;
}

KSI_INLINE void load(Row *x, const double *from)
{
    EACH (v, 0, PARTS)
        x->part[v] = *(const ksiRegister *)(from + KSI_LANES * v);
}

KSI_INLINE void clear(Row *x)
{
    EACH (v, 0, PARTS)
        x->part[v] = (ksiRegister){0};
}

/* Loads six numbers, and `behind` after them. */
KSI_INLINE void loadSix(Row *x, const double *from, double behind)
{
    EACH (v, 0, 4 / KSI_LANES)
        x->part[v] = *(const ksiRegister *)(from + KSI_LANES * v);
#ifdef KSI_NARROW
    x->part[2] = *(const ksiRegister *)(from + 4);
    x->part[3] = (ksiRegister){behind, 0};
#else
    x->part[1] = (ksiRegister){0};
    x->part[1][0] = from[4];
    x->part[1][1] = from[5];
    x->part[1][2] = behind;
#endif
}

KSI_INLINE void setLane(Row *x, const int J, double to)
{
    x->part[J / KSI_LANES][J % KSI_LANES] = to;
}

KSI_INLINE void store(double *to, const Row *x, const int J)
{
    EACH (v, 0, partsOf(J))
        *(ksiRegister *)(to + KSI_LANES * v) = x->part[v];
}

KSI_INLINE double lane(const Row *x, const int J)
{
    return x->part[J / KSI_LANES][J % KSI_LANES];
}

/* x := times e_J */
KSI_INLINE void makeUnit(Row *x, double times, const int J)
{
    EACH (v, 0, PARTS)
        x->part[v] = times * UNIT_PART(J - KSI_LANES * v);
}

/* The columns up to J of y = times x */
KSI_INLINE void scale(Row *y, double times, const Row *x, const int J)
{
    EACH (v, 0, partsOf(J))
        y->part[v] = times * x->part[v];
}

/* The columns up to J of y += times x */
KSI_INLINE void add(Row *y, double times, const Row *x, const int J)
{
    EACH (v, 0, partsOf(J))
        y->part[v] += times * x->part[v];
}

/* The columns up to J of y -= times x */
KSI_INLINE void subtract(Row *y, double times, const Row *x, const int J)
{
    EACH (v, 0, partsOf(J))
        y->part[v] -= times * x->part[v];
}

/* Columns 0..J of the first COUNT rows, as rows. */
KSI_INLINE void transpose(const Row *x, const int COUNT, const int J, Row *y)
{
    EACH (u, 0, PARTS)
        EACH (v, 0, partsOf(J)) {
            ksiRegister block[KSI_LANES];
            EACH (k, 0, KSI_LANES)
                block[k] = KSI_LANES * u + k < COUNT ? x[KSI_LANES * u + k].part[v] : (ksiRegister){0};
            TRANSPOSE_PARTS(block);
            EACH (k, 0, KSI_LANES)
                if (KSI_LANES * v + k <= J)
                    y[KSI_LANES * v + k].part[u] = block[k];
        }
}

/* sum += products of column J with all columns up to it. */
KSI_INLINE void addProducts(const Row *row, const int COUNT, const int J, Row *sum)
{
    // four sums at a time do not wait for each other
    Row part[4];
    EACH (k, 0, 4)
        clear(&part[k]);
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
