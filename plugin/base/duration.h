/* duration.h  Does a sum of steps fill the duration of a window or a block? */
#ifndef KSI_BASE_DURATION_H
#define KSI_BASE_DURATION_H

#include <stdbool.h>

/* Relative tolerance: the size of a step and the duration may each be rounded to single precision.
 * The rounding error of a sum of a million steps is smaller than this tolerance. */
static const double ksiFillTolerance = 0x1p-23;

static inline bool ksiFills(double sum, double duration)
{
    return sum >= duration * (1 - ksiFillTolerance);
}

#endif
