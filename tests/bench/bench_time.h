/* bench_time.h  What benches measure with. */
#ifndef TESTS_BENCH_BENCH_TIME_H
#define TESTS_BENCH_BENCH_TIME_H

#include <stddef.h>
#include <time.h>

/* s, by this clock. */
double benchNow(clockid_t clock);

/* In ascending order; NaN have no place in it. */
void benchSort(double *value, size_t count);

#endif
