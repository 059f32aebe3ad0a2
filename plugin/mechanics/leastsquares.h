/* leastsquares.h  Small dense least squares, on the stack. */
#ifndef KSI_LEASTSQUARES_H
#define KSI_LEASTSQUARES_H

enum { KSI_LEAST_SQUARES_ROWS = 12, KSI_LEAST_SQUARES_COLUMNS = 6 };

/* x of least norm that minimises |A x - b|, and rest = b - A x. A has 12 rows and up to 6 columns, given one column after
 * the other. Singular values below tolerance * (the largest) count as zero.
 * Returns the rank, 0 for a zero or not finite A (x is then zero). */
int ksiLeastSquares(int columns, double (*a)[KSI_LEAST_SQUARES_ROWS], const double *b, double tolerance, double *x,
                    double *rest);

#endif
