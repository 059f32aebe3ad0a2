/* leastsquares.h  Solves small dense least-squares problems, on the stack. */
#ifndef KSI_LINEAR_LEASTSQUARES_H
#define KSI_LINEAR_LEASTSQUARES_H

enum { KSI_LEAST_SQUARES_ROWS = 12, KSI_LEAST_SQUARES_COLUMNS = 6, KSI_LEAST_SQUARES_AT_ONCE = 4 };

/* The x of least norm that minimises |A x - b|. A has 12 rows and up to 6 columns, column-major. */
typedef struct ksiFit {
    const double *a;
    double b[KSI_LEAST_SQUARES_ROWS];
    double *x;
    int rank;          /* 0 if A is zero or not finite: x is then zero */
    double size, rest; /* |A x| and |b - A x| */
} ksiFit;

/* Solves up to four problems with this number of columns. Singular values below `tolerance` times
 * the largest count as zero. */
void ksiLeastSquares(int columns, int count, double tolerance, ksiFit *fit);

#endif
