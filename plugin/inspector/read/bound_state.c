/* bound_state.c  Finds the position of rows between their bounds, according to the engine's
 * report. */
#include "bound_state.h"

#include "../../base/vectorise.h"

#include <math.h>

/* multipliers this close to a bound, relative to the joint's largest multiplier, are at the bound:
 * the fit is good to rounding */
static double atBoundTolerance(bool isSingle)
{
    return isSingle ? 1e-5 : 1e-9;
}

static double largestMultiplier(int count, const double *multiplier)
{
    double largest = 0;
    for (int l = 0; l < count; l++)
        largest = ksiLarger(fabs(multiplier[l]), largest);
    return largest;
}

double ksiBoundMargin(int count, bool isSingle, const double *multiplier, double bound)
{
    return atBoundTolerance(isSingle) * ksiLarger(fabs(bound), largestMultiplier(count, multiplier));
}

ksRowPlace ksiPlaceBetween(int count, bool isSingle, const double *multiplier, int l, double low, double high)
{
    const double lambda = multiplier[l];
    // both bounds may be equally close
    const bool nearHigh = high - lambda < lambda - low;
    // infinite bounds would have an infinite margin
    if (!nearHigh && low != -INFINITY && lambda <= low + ksiBoundMargin(count, isSingle, multiplier, low))
        return KS_AT_LOW;
    if (nearHigh && high != INFINITY && lambda >= high - ksiBoundMargin(count, isSingle, multiplier, high))
        return KS_AT_HIGH;
    return KS_INSIDE;
}

void ksiSetFrictionBound(const ksiStep *step, const ksiRow *row, double normal, double *low, double *high)
{
    // at a normal force of 0, an infinite mu gives the bound 0 in dWorldStep, and no bound in
    // dWorldQuickStep
    double bound = normal != 0 ? fabs(row->hi * normal) : 0;
    if (step->stepper == KS_QUICK_STEP && isinf(row->hi))
        bound = INFINITY;
    *high = bound;
    *low = -bound;
}

void ksiSetReportedBounds(const ksiStep *step, size_t joint, int l, ksiPlaces *places)
{
    const ksiRow *row = &step->joint[joint].rows.row[l];
    places->low[l] = row->lo;
    places->high[l] = row->hi;
    if (row->findex >= 0)
        ksiSetFrictionBound(step, row, step->report[joint].multiplier[row->findex], &places->low[l], &places->high[l]);
}

double ksiBoundInForce(const ksiPlaces *places, int l, ksRowPlace place)
{
    if (place == KS_AT_LOW)
        return places->low[l];
    if (place == KS_AT_HIGH)
        return places->high[l];
    return fabs(places->low[l]) < fabs(places->high[l]) ? places->low[l] : places->high[l];
}
