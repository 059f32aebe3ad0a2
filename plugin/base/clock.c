/* clock.c  Wall-clock and processor time. */
#include "clock.h"

#include <time.h>

static double read(clockid_t which)
{
    struct timespec t;
    clock_gettime(which, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

double ksiWallTime(void)
{
    return read(CLOCK_MONOTONIC);
}

double ksiProcessorTime(void)
{
    return read(CLOCK_PROCESS_CPUTIME_ID);
}

void ksiClockStart(ksiClock *clock)
{
    clock->last = ksiWallTime();
}

void ksiClockLap(ksiClock *clock, double *seconds)
{
    const double t = ksiWallTime();
    *seconds += t - clock->last;
    clock->last = t;
}
