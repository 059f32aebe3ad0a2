/* lapack.h  Declares the Fortran routines in use. The lengths of their character arguments are at
 * the end (gfortran's ABI).
 *
 * LAPACKE is not used, because it allocates memory. Matrices are column-major. */
#ifndef KSI_LINEAR_LAPACK_H
#define KSI_LINEAR_LAPACK_H

#include <stddef.h>

/* A P = Q R with column pivoting; pivot must be all 0 on entry, so that every column may move. */
void dgeqp3_(const int *m, const int *n, double *a, const int *lda, int *pivot, double *tau, double *work,
             const int *lwork, int *info);

/* C := op(Q) C, unblocked: fast for a single vector. */
void dorm2r_(const char *side, const char *trans, const int *m, const int *n, const int *k, double *a, const int *lda,
             const double *tau, double *c, const int *ldc, double *work, int *info, size_t sideLength,
             size_t transLength);

/* Solves a triangular system. */
void dtrtrs_(const char *uplo, const char *trans, const char *diag, const int *n, const int *nrhs, const double *a,
             const int *lda, double *b, const int *ldb, int *info, size_t uploLength, size_t transLength,
             size_t diagLength);

/* A = U Sigma V^T by divide and conquer. */
void dgesdd_(const char *job, const int *m, const int *n, double *a, const int *lda, double *sigma, double *u,
             const int *ldu, double *vt, const int *ldvt, double *work, const int *lwork, int *iwork, int *info,
             size_t jobLength);

/* Eigenvalues of a symmetric matrix, ascending; its eigenvectors replace the matrix. */
void dsyev_(const char *job, const char *uplo, const int *n, double *a, const int *lda, double *value, double *work,
            const int *lwork, int *info, size_t jobLength, size_t uploLength);

/* Makes the columns of A orthogonal by Jacobi rotations from the right (de Rijk 1989). The same
 * rotations act on the columns of V, which has mv rows. sva: the lengths of the columns, divided by
 * work[0]. joba "G", jobu "N", jobv "A". */
void dgesvj_(const char *joba, const char *jobu, const char *jobv, const int *m, const int *n, double *a,
             const int *lda, double *sva, const int *mv, double *v, const int *ldv, double *work, const int *lwork,
             int *info, size_t jobaLength, size_t jobuLength, size_t jobvLength);

/* Minimum-norm least squares by a complete orthogonal factorisation; pivot must be all 0 on
 * entry. */
void dgelsy_(const int *m, const int *n, const int *nrhs, double *a, const int *lda, double *b, const int *ldb,
             int *pivot, const double *rcond, int *rank, double *work, const int *lwork, int *info);

#endif
