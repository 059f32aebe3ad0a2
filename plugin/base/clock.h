/* clock.h  Wall-clock time, phase by phase. */
#ifndef KSI_CLOCK_H
#define KSI_CLOCK_H

typedef struct ksiClock {
    double last; /* s, when the last lap ended */
} ksiClock;

/* A lap begins; it ends, its time is added to *seconds, and the next one begins. */
void ksiClockStart(ksiClock *clock);
void ksiClockLap(ksiClock *clock, double *seconds);

#endif
