/* cholesky.h  Factors small matrices A = L L^T: column-major, the lower triangle. */
#ifndef KSI_LINEAR_CHOLESKY_H
#define KSI_LINEAR_CHOLESKY_H

#include <stddef.h>

/* Factorises A in place. 0: A is not positive definite. */
int ksiFactorPositive(int count, double *a);

/* x := A^-1 x */
void ksiSolveTriangles(int count, const double *a, double *x);

/* Factorises A = S S^T, for a positive semidefinite A with up to 8 rows, by complete pivoting until
 * the remaining diagonal is at most `least`. Returns the rank. Column k of S is at s + stride * k;
 * its pivot is in row pivot[k]. A is stored in the same way. */
int ksiRootSemidefinite(int count, const double *a, int stride, double least, double *s, int *pivot);

#endif
