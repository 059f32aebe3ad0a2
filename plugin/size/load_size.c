/* load_size.c  Extremes, RMS, cycles and damage of one component of a load. */
#include "load_size.h"

#include "../base/memory.h"
#include "../base/vectorise.h"

#include <math.h>
#include <stdlib.h>

const double ksiPowers[] = {2, 3, 10.0 / 3};

typedef ksiRegister R;

/* x^(1/3) by Newton's iteration for x^(-1/3). It starts with an error of at most 4 %, and each
 * round squares the error. */
KSI_INLINE void cubeRoot(const R *x, R *root)
{
    static const double third = 1.0 / 3;
    const ksiRegisterBits begin = 0x553ef0ff289dd796u - (ksiRegisterBits)*x / 3;
    R inverse = (R)begin;
    for (int i = 0; i < 4; i++)
        inverse = inverse * (4 - *x * inverse * inverse * inverse) * third;
    *root = *x * inverse * inverse;
}

/* sum += weight x^power */
KSI_INLINE void addPower(const R *weight, const R *x, int which, R *sum)
{
    R power = *x * *x, root;
    if (which != KSI_SQUARE)
        power *= *x;
    if (which == KSI_ROLLERS) {
        cubeRoot(x, &root);
        power *= root;
    }
    *sum += *weight * power;
}

/* If a bar is NaN, the bounds become NaN. */
KSI_INLINE void addPowers(ksiPowerSum *sum, int which, int count, const double *value, const double *bar,
                          const double *weight)
{
    R values = {0}, low = {0}, high = {0}, weights = {0};
    for (int i = 0; i < count; i += KSI_LANES) {
        const R w = *(const R *)(weight + i), b = *(const R *)(bar + i);
        const R x = (R)((ksiRegisterBits) * (const R *)(value + i) & ~(ksiRegisterBits){0} >> 1);
        // a step without weight adds nothing, even if nothing bounds its value
        const R least = (R)((ksiRegisterBits)(x - b) & ~(ksiRegisterBits)(x <= b) & (ksiRegisterBits)(w > 0));
        const R most = (R)((ksiRegisterBits)(x + b) & (ksiRegisterBits)(w > 0));
        weights += w;
        addPower(&w, &x, which, &values);
        addPower(&w, &least, which, &low);
        addPower(&w, &most, which, &high);
    }
    for (int i = 0; i < KSI_LANES; i++) {
        sum->weight += weights[i];
        sum->value += values[i];
        sum->low += low[i];
        sum->high += high[i];
    }
}

KSI_CLONES void ksiPowerSumAdd(ksiPowerSum *sum, int which, int count, const double *value, const double *bar,
                               const double *weight)
{
    if (which == KSI_SQUARE)
        addPowers(sum, KSI_SQUARE, count, value, bar, weight);
    else if (which == KSI_BALLS)
        addPowers(sum, KSI_BALLS, count, value, bar, weight);
    else
        addPowers(sum, KSI_ROLLERS, count, value, bar, weight);
}

void ksiSquareAdd(ksiPowerSum *sum, double size, double bar, double weight)
{
    const double least = size <= bar ? 0 : size - bar;
    if (!(weight > 0))
        return;
    sum->weight += weight;
    sum->value += weight * size * size;
    sum->low += weight * least * least;
    sum->high += weight * (size + bar) * (size + bar);
}

ksiBetween ksiPowerMean(const ksiPowerSum *sum, double n)
{
    if (!(sum->weight > 0))
        return (ksiBetween){NAN, NAN, NAN};
    return (ksiBetween){pow(sum->value / sum->weight, 1 / n), pow(sum->low / sum->weight, 1 / n),
                        pow(sum->high / sum->weight, 1 / n)};
}

bool ksiPeakIsNone(const ksiPeak *peak)
{
    return fabs(peak->value) <= peak->bar;
}

void ksiPeakNote(ksiPeak *peak, double sign, double value, double bar, ksiInstant at)
{
    if (!peak->isKnown || sign * value > sign * peak->value)
        *peak = (ksiPeak){true, value, bar, at};
}

KSI_CLONES static double largestOf(double sign, int count, const double *value)
{
    R most = sign * *(const R *)value;
    double largest = most[0];
    for (int i = KSI_LANES; i < count; i += KSI_LANES) {
        const R x = sign * *(const R *)(value + i);
        const ksiRegisterBits isLarger = (ksiRegisterBits)(x > most);
        most = (R)(((ksiRegisterBits)x & isLarger) | ((ksiRegisterBits)most & ~isLarger));
    }
    for (int i = 0; i < KSI_LANES; i++)
        largest = ksiLarger(largest, most[i]);
    return largest;
}

void ksiPeaksNote(ksiPeak *peak, double sign, int count, const double *value, const double *bar, const ksiInstant *at)
{
    const double largest = largestOf(sign, count, value);
    if (peak->isKnown && !(largest > sign * peak->value))
        return;
    for (int i = 0; i < count; i++)
        ksiPeakNote(peak, sign, value[i], bar[i], at[i]);
}

/* Limit of the damage of one cycle. It keeps sums finite for ranges far beyond the line. */
static const double mostDamage = 1e100;

/* The damage of one cycle of this range. */
static double damageOf(const ksiWoehler *woehler, double range)
{
    const double size = range / woehler->range;
    if (size <= 0)
        return 0;
    const double damage = pow(size, size < 1 ? woehler->slopeBeyond : woehler->slope) / woehler->cycles;
    return damage > mostDamage ? mostDamage : damage;
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

void ksiLoadSizeAdd(ksiLoadSize *load, const ksiLoadSteps *steps, int component)
{
    const double *value = steps->load[component], *bar = steps->bar[component / 3];
    ksiPeaksNote(&load->least, -1, steps->count, value, bar, steps->at);
    ksiPeaksNote(&load->most, 1, steps->count, value, bar, steps->at);
    ksiPowerSumAdd(&load->square, KSI_SQUARE, steps->count, value, bar, steps->duration);
    ksiRainflowAdd(&load->flow, steps->count, value, bar, steps->rounding[component / 3]);
}

void ksiLoadSizeEnd(ksiLoadSize *load, bool isRepeated)
{
    ksiRainflowEnd(&load->flow, isRepeated);
}

void ksiLoadSizeFree(ksiLoadSize *load)
{
    free(load->matrix);
}
