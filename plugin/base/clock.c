/* clock.c  Wall-clock time. */
#include "clock.h"

#include <time.h>

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

void ksiClockStart(ksiClock *clock)
{
    clock->last = now();
}

void ksiClockLap(ksiClock *clock, double *seconds)
{
    const double t = now();
    *seconds += t - clock->last;
    clock->last = t;
}
