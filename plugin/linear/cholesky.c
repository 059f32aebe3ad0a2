/* cholesky.c  Factors matrices A = L L^T that are so small that a library call would cost more than
 * the arithmetic. */
#include "cholesky.h"

#include "../base/vectorise.h"

#include <math.h>

KSI_CLONES
int ksiFactorPositive(int count, double *a)
{
    const size_t size = (size_t)count;
    for (size_t j = 0; j < size; j++) {
        double *column = a + j * size;
        if (!(column[j] > 0))
            return 0;
        const double pivot = sqrt(column[j]), inverse = 1 / pivot;
        column[j] = pivot;
        for (size_t i = j + 1; i < size; i++)
            column[i] *= inverse;
        for (size_t k = j + 1; k < size; k++) {
            const double times = column[k];
            double *other = a + k * size;
            for (size_t i = k; times != 0 && i < size; i++)
                other[i] -= times * column[i];
        }
    }
    return 1;
}

KSI_CLONES
void ksiSolveTriangles(int count, const double *a, double *x)
{
    const size_t stride = (size_t)count;
    for (int j = 0; j < count; j++) {
        const double *column = a + (size_t)j * stride;
        x[j] /= column[j];
        for (int i = j + 1; i < count; i++)
            x[i] -= x[j] * column[i];
    }
    for (int j = count - 1; j >= 0; j--) {
        const double *column = a + (size_t)j * stride;
        double sum = x[j];
        for (int i = j + 1; i < count; i++)
            sum -= column[i] * x[i];
        x[j] = sum / column[j];
    }
}

int ksiRootSemidefinite(int count, const double *a, int stride, double least, double *s, int *pivot)
{
    double left[8];
    for (int i = 0; i < count; i++)
        left[i] = a[stride * i + i];
    for (int rank = 0; rank < count; rank++) {
        double *column = s + stride * rank;
        int p = 0;
        for (int i = 1; i < count; i++)
            p = left[i] > left[p] ? i : p;
        if (!(left[p] > least))
            return rank;
        const double root = sqrt(left[p]);
        for (int i = 0; i < count; i++) {
            column[i] = a[stride * p + i];
            for (int m = 0; m < rank; m++)
                column[i] -= s[stride * m + i] * s[stride * m + p];
            column[i] /= root;
            left[i] -= column[i] * column[i];
        }
        left[p] = 0;
        pivot[rank] = p;
    }
    return count;
}
