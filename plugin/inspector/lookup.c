/* lookup.c  Where things are, in the arrays of the step and in time. */
#include "inspector_private.h"

#include <time.h>

double ksiNow(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

void ksiLap(ksInspector *inspector, int phase)
{
    const double t = ksiNow();
    inspector->report.seconds[phase] += t - inspector->lapped;
    inspector->lapped = t;
}

int ksiJointAt(const ksInspector *inspector, dJointID id, size_t expected)
{
    if (expected < inspector->jointCount && inspector->joint[expected].id == id)
        return (int)expected;
    return ksiPointersFind(&inspector->jointIndex, id);
}
