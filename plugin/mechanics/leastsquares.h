/* leastsquares.h  Small dense least squares, on the stack. */
#ifndef KSI_LEASTSQUARES_H
#define KSI_LEASTSQUARES_H

enum { KSI_LEAST_SQUARES_ROWS = 12, KSI_LEAST_SQUARES_COLUMNS = 12 };

/* x of least norm that minimises |A x - b|: A has `rows` rows (up to 12) and `columns` columns (up to 12), column-major
 * with 12 doubles from one column to the next. Singular values below tolerance * (the largest) count as zero.
 * Returns the rank, 0 for a zero or not finite A (x is then zero). */
int ksiLeastSquares(int rows, int columns, const double *a, const double *b, double tolerance, double *x);

#endif
