/* load_size.h  One component of a load over a run: extremes, RMS, cycles and damage, with bounds
 * from the error bars. */
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

/* A number, and its bounds from the error bars; NaN: unknown. */
typedef struct ksiBetween {
    double value, low, high;
} ksiBetween;

/* ksiPowers: exponents of the RMS, and of ISO 281 for balls and for rollers. */
enum { KSI_SQUARE, KSI_BALLS, KSI_ROLLERS };
extern const double ksiPowers[];

/* value: sum of weight x^power; low, high: its bounds from the error bars; weight: sum of the
 * weights. ksiPowerMean: (value / weight)^(1 / power), with bounds. */
typedef struct ksiPowerSum {
    double weight, value, low, high;
} ksiPowerSum;

/* ksiSquareAdd adds weight size^2. ksiPowerSumAdd adds weight |value|^ksiPowers[which] for each of
 * `count` steps. */
void ksiSquareAdd(ksiPowerSum *sum, double size, double bar, double weight);
void ksiPowerSumAdd(ksiPowerSum *sum, int which, int count, const double *value, const double *bar,
                    const double *weight);
ksiBetween ksiPowerMean(const ksiPowerSum *sum, double power);

/* Cycles to failure at the range S of a load (twice its amplitude): cycles (range / S)^slope. If S
 * is smaller than `range`, the exponent is slopeBeyond; INFINITY: no failure. */
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

/* Is the peak within its bar? Then it cannot be told from zero. */
bool ksiPeakIsNone(const ksiPeak *peak);
void ksiPeakNote(ksiPeak *peak, double sign, double value, double bar, ksiInstant at);
/* Keeps the value with the largest sign * value, finite or not. */
void ksiPeaksNote(ksiPeak *peak, double sign, int count, const double *value, const double *bar, const ksiInstant *at);

#endif
