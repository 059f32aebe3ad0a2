/* load_size.c  Extremes, RMS, cycles and damage of one component of a load. */
#include "load_size.h"

#include "../base/memory.h"

#include <math.h>
#include <stdlib.h>

/* x^n for the powers of RMS and ISO 281, which are asked for at each step. */
static double power(double x, double n)
{
    if (n == 2)
        return x * x;
    return n == 3 ? x * x * x : n == 10.0 / 3 ? x * x * x * cbrt(x) : pow(x, n);
}

void ksiPowerSumAdd(ksiPowerSum *sum, double n, double size, double bar, double weight)
{
    sum->weight += weight;
    sum->value += weight * power(size, n);
    // an unknown bar leaves the bounds unknown
    sum->low += size <= bar ? 0 : weight * power(size - bar, n);
    sum->high += weight * power(size + bar, n);
}

ksiBetween ksiPowerMean(const ksiPowerSum *sum, double n)
{
    if (!(sum->weight > 0))
        return (ksiBetween){NAN, NAN, NAN};
    return (ksiBetween){pow(sum->value / sum->weight, 1 / n), pow(sum->low / sum->weight, 1 / n),
                        pow(sum->high / sum->weight, 1 / n)};
}

void ksiPeakNote(ksiPeak *peak, double sign, double value, double bar, ksiInstant at)
{
    if (!peak->isKnown || sign * value > sign * peak->value)
        *peak = (ksiPeak){true, value, bar, at};
}

/* Of one cycle of this range. */
static double damageOf(const ksiWoehler *woehler, double range)
{
    const double size = range / woehler->range;
    if (size <= 0)
        return 0;
    return pow(size, size < 1 ? woehler->slopeBeyond : woehler->slope) / woehler->cycles;
}

static void addCycle(void *user, ksiTurn from, ksiTurn to, unsigned halves)
{
    ksiLoadSize *load = user;
    const double range = fabs(to.value - from.value), bar = from.bar + to.bar, cycles = 0.5 * halves;
    if (!isfinite(range))
        return;
    load->halves += halves;
    if (range > load->largestRange) {
        load->largestRange = range;
        load->largestRangeBar = bar;
    }
    ksiMatrixAdd(load->matrix, range, from.value + (to.value - from.value) / 2, halves);
    if (!load->woehler)
        return;
    load->damage.value += cycles * damageOf(load->woehler, range);
    load->damage.low += cycles * damageOf(load->woehler, range - bar);
    load->damage.high += cycles * damageOf(load->woehler, range + bar);
}

bool ksiLoadSizeBegin(ksiLoadSize *load, const ksiWoehler *woehler)
{
    *load = (ksiLoadSize){.flow = {.count = addCycle, .user = load}, .woehler = woehler};
    load->matrix = calloc(1, sizeof *load->matrix);
    return load->matrix != NULL;
}

void ksiLoadSizeAdd(ksiLoadSize *load, double value, double bar, double duration, ksiInstant at)
{
    ksiPeakNote(&load->least, -1, value, bar, at);
    ksiPeakNote(&load->most, 1, value, bar, at);
    ksiPowerSumAdd(&load->square, 2, fabs(value), bar, duration);
    ksiRainflowAdd(&load->flow, value, bar);
}

void ksiLoadSizeEnd(ksiLoadSize *load, bool isRepeated)
{
    ksiRainflowEnd(&load->flow, isRepeated);
}

void ksiLoadSizeFree(ksiLoadSize *load)
{
    free(load->matrix);
}
