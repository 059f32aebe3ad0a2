/* window.c  Samples of a watched load in a window. */
#include "window.h"

#include "mean.h"

#include "../../base/memory.h"
#include "../../engine/vector.h"

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

/* With t from the mean time and y from the mean: the line is b t, b = sum t y / sum t t. */
void ksiDeviate(const ksiWindow *window, ksWrench *out)
{
    const size_t count = window->end - window->first;
    double mean[6] = {0}, rising[6] = {0}, square[6] = {0}, time = 0, meanTime = 0, spread = 0,
           *deviation = (double *)out;
    for (size_t i = window->first; i < window->end; i++) {
        meanTime += (time + 0.5 * window->at[i].h) / (double)count;
        time += window->at[i].h;
        ksiAddSix(mean, 1 / (double)count, (const double *)&window->at[i].wrench);
    }
    time = 0;
    for (size_t i = window->first; i < window->end; i++) {
        const double t = time + 0.5 * window->at[i].h - meanTime, *y = (const double *)&window->at[i].wrench;
        time += window->at[i].h;
        spread += t * t;
        for (int k = 0; k < 6; k++) {
            rising[k] += t * (y[k] - mean[k]);
            square[k] += (y[k] - mean[k]) * (y[k] - mean[k]);
        }
    }
    for (int k = 0; k < 6; k++)
        deviation[k] =
            count > 2 ? sqrt(fmax(square[k] - rising[k] * rising[k] / spread, 0) / (double)(count - 2)) : NAN;
}
