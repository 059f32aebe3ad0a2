/* cholesky.h  A = L L^T of small matrices: column-major, the lower triangle. */
#ifndef KSI_LINEAR_CHOLESKY_H
#define KSI_LINEAR_CHOLESKY_H

#include <stddef.h>

/* In place. 0: not positive definite. */
int ksiFactorPositive(int count, double *a);

/* x := A^-1 x */
void ksiSolveTriangles(int count, const double *a, double *x);

/* A = S S^T, A positive semidefinite of up to 8 rows, by complete pivoting until no more than `least` is left of its
 * diagonal: the rank. Column k of S, from row pivot[k], is at s + stride k, those of A likewise. */
int ksiRootSemidefinite(int count, const double *a, int stride, double least, double *s, int *pivot);

#endif
