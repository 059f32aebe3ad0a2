/* clock.h  Wall-clock time, phase by phase, and processor time. */
#ifndef KSI_BASE_CLOCK_H
#define KSI_BASE_CLOCK_H

typedef struct ksiClock {
    double last; /* s, when the last lap ended */
} ksiClock;

/* Start begins a lap. Lap ends it, adds its time to *seconds, and begins the next one. */
void ksiClockStart(ksiClock *clock);
void ksiClockLap(ksiClock *clock, double *seconds);

/* s, of a clock that never stands still. */
double ksiWallTime(void);

/* s that this process has computed, in all its threads. */
double ksiProcessorTime(void);

#endif
