/* clock.h  Measures wall-clock time, phase by phase, and processor time. */
#ifndef KSI_BASE_CLOCK_H
#define KSI_BASE_CLOCK_H

typedef struct ksiClock {
    double last; /* s, when the last lap ended */
} ksiClock;

/* ksiClockStart begins a lap. ksiClockLap ends the lap, adds its time to *seconds, and begins the
 * next lap. */
void ksiClockStart(ksiClock *clock);
void ksiClockLap(ksiClock *clock, double *seconds);

/* Time of a monotonic clock, s. */
double ksiWallTime(void);

/* Processor time of all threads of this process, s. */
double ksiProcessorTime(void);

#endif
