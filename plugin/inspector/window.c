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

static void addPress(double times, const ksiPress *from, ksiPress *sum)
{
    sum->force += times * from->force;
    sum->bound += from->force > 0 ? times * from->bound : 0;
    ksiAddScaled(sum->normal, times, from->normal);
    ksiAddScaled(sum->point, times, from->point);
}

void ksiAverage(const ksiWindow *window, double length, ksiWindowMean *out)
{
    double left = length, *wrench = (double *)&out->mean.wrench, *bar = (double *)&out->mean.bar;
    const ksiLoadSample *last = &window->at[window->end - 1];
    *out = (ksiWindowMean){.mean = {.counts = last->counts, .determined = last->determined, .step = last->step},
                           .count = window->end - window->first};
    for (size_t i = window->end; i-- > window->first;) {
        const ksiLoadSample *seen = &window->at[i];
        const double part = fmin(seen->h, left);
        left -= part;
        out->mean.counts &= seen->counts;
        out->mean.determined &= seen->determined;
        out->mean.h += part;
        out->touching += seen->press.force > 0 ? part : 0;
        addPress(part, &seen->press, &out->mean.press);
        ksiAddSix(wrench, part, (const double *)&seen->wrench);
        ksiAddSix(bar, part, (const double *)&seen->bar);
    }
    for (int k = 0; k < 6; k++) {
        wrench[k] /= out->mean.h;
        bar[k] /= out->mean.h;
    }
    const ksiPress sum = out->mean.press;
    out->mean.press = (ksiPress){.force = 0};
    addPress(1 / out->mean.h, &sum, &out->mean.press);
}
