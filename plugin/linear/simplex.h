/* simplex.h  The greatest value of c^T x over A x = b, 0 <= x <= span, by a dense tableau: for a few rows and many columns. */
#ifndef KSI_LINEAR_SIMPLEX_H
#define KSI_LINEAR_SIMPLEX_H

#include <kinetostat/status.h>

#include <stdbool.h>
#include <stddef.h>

typedef struct ksiSimplex {
    int rows, columns;
    int stride; /* of the tableau: columns + 1, and up to the next multiple of four */
    double *
        tableau; /* [rows + 1][stride] B^-1 A, and the values of the basis behind it; in the last row what a unit of a column gains */
    double *span;     /* [columns] at most; INFINITY: any number */
    bool *isTurned;   /* [columns] the column stands for span - x */
    int *basis;       /* [rows] columns; those from `columns` on were added for the start, and are not stored */
    int pivots, most; /* that were made; that may be. One is rows * columns operations */
    bool isStarted;   /* it stands at a corner */
    size_t capacity[4];
} ksiSimplex;

/* Room for the problem, whose A is all zero at first, and whose spans are infinite. */
KS_MUST_USE ksStatus ksiSimplexBegin(const ksAllocator *allocator, int rows, int columns, int most,
                                     ksiSimplex *simplex);

/* A_ij, to be set before the start. */
static inline double *ksiSimplexAt(const ksiSimplex *simplex, int row, int column)
{
    return &simplex->tableau[(size_t)row * (size_t)simplex->stride + (size_t)column];
}

/* From a solution x [columns], which need not be a corner: b = A x. KS_ERROR_BOUND: there were too many pivots; also of the next one. */
KS_MUST_USE ksStatus ksiSimplexStart(ksiSimplex *simplex, const double *x);

/* *most: INFINITY where nothing bounds it. Goes on from the corner where it was. */
KS_MUST_USE ksStatus ksiSimplexMaximise(ksiSimplex *simplex, const double *objective, double *most);

#endif
