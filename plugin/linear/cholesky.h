/* cholesky.h  A = L L^T of small matrices: column-major, the lower triangle. */
#ifndef KSI_LINEAR_CHOLESKY_H
#define KSI_LINEAR_CHOLESKY_H

#include <stddef.h>

/* In place. 0: not positive definite. */
int ksiFactorPositive(int count, double *a);

/* x := A^-1 x */
void ksiSolveTriangles(int count, const double *a, double *x);

#endif
