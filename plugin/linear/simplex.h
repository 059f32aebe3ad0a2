/* simplex.h  Maximises c^T x, with A x = b and 0 <= x <= span. The tableau is dense, for few rows
 * and many columns. */
#ifndef KSI_LINEAR_SIMPLEX_H
#define KSI_LINEAR_SIMPLEX_H

#include "../base/vectorise.h"

#include <kinetostat/status.h>

#include <stdbool.h>
#include <stddef.h>

typedef struct ksiSimplex {
    int rows, columns;
    int stride;       /* length of a row of the tableau: columns + 1, rounded up to a multiple of
                         four */
    double *tableau;  /* [rows + 1][stride] B^-1 A, then the basic values; last row: reduced
                         costs */
    double *span;     /* [columns] upper bound; INFINITY: none */
    bool *isTurned;   /* [columns] the column stands for span - x */
    int *basis;       /* [rows] column of the basic variable; from `columns` on: an artificial
                         variable, whose column is not stored */
    int pivots, most; /* pivots: number of pivots so far; most: largest number of pivots. A pivot
                         takes rows * columns operations */
    bool isStarted;   /* ksiSimplexStart has found a vertex */
    size_t capacity[4];
} ksiSimplex;

/* Reserves memory; A is zero at first, and spans are infinite. */
KS_MUST_USE ksStatus ksiSimplexBegin(const ksAllocator *allocator, int rows, int columns, int most,
                                     ksiSimplex *simplex);

/* row -= times * from; stride: a multiple of 4 */
KSI_INLINE void ksiSubtractRow(int stride, double times, const double *from, double *row)
{
    for (int j = 0; j < stride && times != 0; j += 4)
        *(ksiFour *)(row + j) -= times * *(const ksiFour *)(from + j);
}

/* A_ij; set it before ksiSimplexStart. */
static inline double *ksiSimplexAt(const ksiSimplex *simplex, int row, int column)
{
    return &simplex->tableau[(size_t)row * (size_t)simplex->stride + (size_t)column];
}

/* Starts from a solution x [columns], which need not be a vertex: b = A x. KS_ERROR_BOUND, also
 * from ksiSimplexMaximise: too many pivots. */
KS_MUST_USE ksStatus ksiSimplexStart(ksiSimplex *simplex, const double *x);

/* *most: INFINITY if the problem is unbounded. Continues from the current vertex. */
KS_MUST_USE ksStatus ksiSimplexMaximise(ksiSimplex *simplex, const double *objective, double *most);

#endif
