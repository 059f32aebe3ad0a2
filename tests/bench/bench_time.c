/* bench_time.c  Clocks and sorted samples. */
#define _POSIX_C_SOURCE 200809L
#include "bench_time.h"

#include <stdlib.h>

double benchNow(clockid_t clock)
{
    struct timespec time;
    clock_gettime(clock, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

static int ascending(const void *a, const void *b)
{
    const double left = *(const double *)a, right = *(const double *)b;
    return (left > right) - (left < right);
}

void benchSort(double *value, size_t count)
{
    qsort(value, count, sizeof *value, ascending);
}
