/* load_size.h  One component of a load over a run: extremes, RMS, cycles, damage, each with what its bars can change. */
#ifndef KSI_SIZE_LOAD_SIZE_H
#define KSI_SIZE_LOAD_SIZE_H

#include "matrix.h"
#include "rainflow.h"

#include "../report/room.h"

/* When: the step, and the time at its start, s. */
typedef struct ksiInstant {
    int64_t step;
    double time;
} ksiInstant;

typedef struct ksiPeak {
    bool isKnown;
    double value, bar;
    ksiInstant at;
} ksiPeak;

/* A number, and between which bounds its bars leave it; NaN: unknown. */
typedef struct ksiBetween {
    double value, low, high;
} ksiBetween;

/* Sum of weight x^power, and of what it is with bars; the mean is its root by weights. */
typedef struct ksiPowerSum {
    double weight, value, low, high;
} ksiPowerSum;

void ksiPowerSumAdd(ksiPowerSum *sum, double power, double size, double bar, double weight);
ksiBetween ksiPowerMean(const ksiPowerSum *sum, double power);

/* Cycles to failure by the range S of a load (twice its amplitude): cycles (range / S)^slope; from `cycles` on by slopeBeyond, INFINITY: for ever. */
typedef struct ksiWoehler {
    double range, cycles, slope, slopeBeyond;
} ksiWoehler;

typedef struct ksiLoadSize {
    ksiPeak least, most;
    ksiPowerSum square;
    ksiRainflow flow;
    uint64_t halves;
    double largestRange, largestRangeBar;
    const ksiWoehler *woehler; /* NULL: no damage is asked for */
    ksiBetween damage;
    ksiMatrix *matrix; /* NULL: out of memory */
} ksiLoadSize;

/* false: out of memory. */
bool ksiLoadSizeBegin(ksiLoadSize *load, const ksiWoehler *woehler);
void ksiLoadSizeAdd(ksiLoadSize *load, double value, double bar, double duration, ksiInstant at);
void ksiLoadSizeEnd(ksiLoadSize *load, bool isRepeated);
void ksiLoadSizeFree(ksiLoadSize *load);

void ksiPeakNote(ksiPeak *peak, double sign, double value, double bar, ksiInstant at);

#endif
