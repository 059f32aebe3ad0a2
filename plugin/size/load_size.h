/* load_size.h  One component of a load over a run: extremes, RMS, cycles, damage, each with bounds
 * by its bars. */
#ifndef KSI_SIZE_LOAD_SIZE_H
#define KSI_SIZE_LOAD_SIZE_H

#include "block.h"
#include "matrix.h"
#include "rainflow.h"

#include "../report/files/maps.h"

typedef struct ksiPeak {
    bool isKnown;
    double value, bar;
    ksiInstant at;
} ksiPeak;

/* A number, and its bounds by the bars; NaN: unknown. */
typedef struct ksiBetween {
    double value, low, high;
} ksiBetween;

/* Powers of RMS, and of ISO 281: balls, rollers. */
enum { KSI_SQUARE, KSI_BALLS, KSI_ROLLERS };
extern const double ksiPowers[];

/* Sum of weight x^power, and its bounds by bars; ksiPowerMean is the root of value / weight. */
typedef struct ksiPowerSum {
    double weight, value, low, high;
} ksiPowerSum;

/* ksiSquareAdd adds a square; ksiPowerSumAdd adds the sizes of the steps' values to the power
 * `which` of ksiPowers. */
void ksiSquareAdd(ksiPowerSum *sum, double size, double bar, double weight);
void ksiPowerSumAdd(ksiPowerSum *sum, int which, int count, const double *value, const double *bar,
                    const double *weight);
ksiBetween ksiPowerMean(const ksiPowerSum *sum, double power);

/* Cycles to failure by the range S of a load (twice its amplitude): cycles (range / S)^slope; from
 * `cycles` on by slopeBeyond, INFINITY: for ever. */
typedef struct ksiWoehler {
    double range, cycles, slope, slopeBeyond;
} ksiWoehler;

typedef struct ksiLoadSize {
    ksiPeak least, most;
    ksiPowerSum square;
    ksiRainflow flow;
    uint64_t halves;
    double largestRange, largestRangeBar;
    const ksiWoehler *woehler; /* NULL: damage was not requested */
    ksiBetween damage;
    ksiMatrix *matrix; /* NULL: out of memory */
} ksiLoadSize;

/* false: out of memory. */
bool ksiLoadSizeBegin(ksiLoadSize *load, const ksiWoehler *woehler);
void ksiLoadSizeAdd(ksiLoadSize *load, const ksiLoadSteps *steps, int component);
void ksiLoadSizeEnd(ksiLoadSize *load, bool isRepeated);
void ksiLoadSizeFree(ksiLoadSize *load);

/* Is the peak within its bar? Then it is only rounding. */
bool ksiPeakIsNone(const ksiPeak *peak);
void ksiPeakNote(ksiPeak *peak, double sign, double value, double bar, ksiInstant at);
/* Keeps the largest of sign * value, finite or not. */
void ksiPeaksNote(ksiPeak *peak, double sign, int count, const double *value, const double *bar, const ksiInstant *at);

#endif
