/* leastsquares.c  Small dense least squares by a complete orthogonal factorisation. */
#include "leastsquares.h"

#include "lapack.h"

#include <string.h>

enum { most = KSI_LEAST_SQUARES_ROWS, workLength = 512 };

int ksiLeastSquares(int rows, int columns, const double *a, const double *b, double tolerance, double *x)
{
    double matrix[most * KSI_LEAST_SQUARES_COLUMNS], rhs[most], work[workLength];
    int pivot[KSI_LEAST_SQUARES_COLUMNS] = {0}, one = 1, stride = most, length = workLength, rank = 0, info;
    memset(x, 0, (size_t)columns * sizeof *x);
    memcpy(matrix, a, (size_t)columns * most * sizeof *matrix);
    memset(rhs, 0, sizeof rhs);
    memcpy(rhs, b, (size_t)rows * sizeof *rhs);
    dgelsy_(&rows, &columns, &one, matrix, &stride, rhs, &stride, pivot, &tolerance, &rank, work, &length, &info);
    if (info)
        return 0;
    memcpy(x, rhs, (size_t)columns * sizeof *x);
    return rank;
}
