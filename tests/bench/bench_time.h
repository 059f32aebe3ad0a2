/* bench_time.h  Clocks and sorted samples of the benches. */
#ifndef TESTS_BENCH_BENCH_TIME_H
#define TESTS_BENCH_BENCH_TIME_H

#include <stddef.h>
#include <time.h>

/* The time by this clock, s. */
double benchNow(clockid_t clock);

/* Sorts in ascending order; no value may be NaN. */
void benchSort(double *value, size_t count);

#endif
