/* window.c  The last steps of what somebody watches. */
#include "window.h"

#include "mean.h"

#include "../base/memory.h"
#include "../engine/vector.h"

#include <math.h>
#include <string.h>

/* Room for one more: that of samples that are gone, once it is half of all. */
static bool reserve(const ksAllocator *allocator, ksiWindow *window)
{
    if (window->first > 0 && 2 * window->first >= window->end) {
        window->end -= window->first;
        memmove(window->at, window->at + window->first, window->end * sizeof *window->at);
        window->first = 0;
    }
    return !ksiReserve(allocator, &window->at, &window->capacity, window->end + 1, sizeof *window->at);
}

bool ksiKeepSample(const ksAllocator *allocator, double length, const ksiLoadSample *sample, ksiWindow *window)
{
    if (!reserve(allocator, window))
        return false;
    window->end -= !ksiIsEmpty(window) && ksiLastStep(window) == sample->step;
    window->at[window->end++] = *sample;
    double covered = 0;
    size_t first = window->end;
    while (first > window->first && covered < length * (1 - ksiFillTolerance))
        covered += window->at[--first].h;
    window->first = first;
    return true;
}

void ksiAverage(const ksiWindow *window, double length, ksiWindowMean *out)
{
    double left = length, *wrench = (double *)&out->mean.wrench, *bar = (double *)&out->mean.bar;
    const ksiLoadSample *last = &window->at[window->end - 1];
    *out = (ksiWindowMean){
        .mean = {.counts = last->counts, .determined = last->determined, .touches = last->touches, .step = last->step},
        .count = window->end - window->first};
    for (size_t i = window->end; i-- > window->first;) {
        const ksiLoadSample *seen = &window->at[i];
        const double part = fmin(seen->h, left);
        left -= part;
        out->mean.counts &= seen->counts;
        out->mean.determined &= seen->determined;
        out->mean.h += part;
        out->touching += seen->touches ? part : 0;
        ksiAddSix(wrench, part, (const double *)&seen->wrench);
        ksiAddSix(bar, part, (const double *)&seen->bar);
    }
    for (int k = 0; k < 6; k++) {
        wrench[k] /= out->mean.h;
        bar[k] /= out->mean.h;
    }
}
