/* window.c  Samples of a watched load in a window. */
#include "window.h"

#include "../../base/duration.h"
#include "../../base/memory.h"
#include "../../engine/vector.h"

#include <math.h>
#include <string.h>

/* --- Sums --- */

static void addPress(double times, const ksiPress *from, ksiPress *sum)
{
    sum->force += times * from->force;
    sum->bound += from->force > 0 ? times * from->bound : 0;
    ksiAddScaled(sum->normal, times, from->normal);
    ksiAddScaled(sum->point, times, from->point);
}

/* The sums over one step, of which `part` seconds count. */
static ksiLoadSum sumOf(const ksiLoadSample *sample, double part)
{
    const double *y = (const double *)&sample->wrench;
    ksiLoadSum sum = {.time = part,
                      .touching = sample->press.force > 0 ? part : 0,
                      .count = 1,
                      .counts = sample->counts,
                      .determined = sample->determined,
                      .middle = 0.5 * part};
    addPress(part, &sample->press, &sum.press);
    ksiAddSix((double *)&sum.wrench, part, y);
    ksiAddSix((double *)&sum.bar, part, (const double *)&sample->bar);
    memcpy(sum.level, y, sizeof sum.level);
    return sum;
}

/* Combines the trends of two groups of steps by the distances of their means (Chan et al. 1979). */
static void addTrend(const ksiLoadSum *later, ksiLoadSum *sum)
{
    const double a = (double)sum->count, b = (double)later->count, share = b / (a + b);
    const double way = sum->time + later->middle - sum->middle;
    sum->spread += later->spread + a * share * way * way;
    sum->middle += share * way;
    for (int k = 0; k < 6; k++) {
        const double apart = later->level[k] - sum->level[k];
        sum->rising[k] += later->rising[k] + a * share * way * apart;
        sum->square[k] += later->square[k] + a * share * apart * apart;
        sum->level[k] += share * apart;
    }
}

/* Adds the sum over later steps to the sum over earlier steps. */
static void add(const ksiLoadSum *later, ksiLoadSum *sum)
{
    if (sum->count == 0 || later->count == 0) {
        *sum = sum->count ? *sum : *later;
        return;
    }
    addTrend(later, sum);
    sum->time += later->time;
    sum->touching += later->touching;
    sum->count += later->count;
    sum->counts &= later->counts;
    sum->determined &= later->determined;
    addPress(1, &later->press, &sum->press);
    ksiAddSix((double *)&sum->wrench, 1, (const double *)&later->wrench);
    ksiAddSix((double *)&sum->bar, 1, (const double *)&later->bar);
}

/* The sum from the i-th step on, without the last step; i is at most `turn`. */
static ksiLoadSum sumFrom(const ksiWindow *window, size_t i)
{
    ksiLoadSum sum = i < window->turn ? window->from[i] : (ksiLoadSum){.count = 0};
    add(&window->recent, &sum);
    return sum;
}

/* --- Steps come and go --- */

static const ksiLoadSample *lastOf(const ksiWindow *window)
{
    return &window->at[window->end - 1];
}

/* Moves the steps to the places of dropped ones. Then stores, for each step but the last, the sum
 * from this step on, without the last step. */
static void turn(ksiWindow *window)
{
    ksiLoadSum sum = {.count = 0};
    window->end -= window->first;
    memmove(window->at, window->at + window->first, window->end * sizeof *window->at);
    window->first = 0;
    window->turn = window->end - 1;
    for (size_t i = window->turn; i-- > 0;) {
        const ksiLoadSum later = sum;
        sum = sumOf(&window->at[i], window->at[i].h);
        add(&later, &sum);
        window->from[i] = sum;
    }
    window->recent = (ksiLoadSum){.count = 0};
}

/* Reserves memory for one more step, and for a call of `turn`. */
static bool reserve(const ksAllocator *allocator, ksiWindow *window)
{
    return !ksiReserve(allocator, &window->at, &window->capacity, window->end + 1, sizeof *window->at) &&
           !ksiReserve(allocator, &window->from, &window->fromCapacity, window->end - window->first + 1,
                       sizeof *window->from);
}

/* Do the steps after the first cover the window? */
static bool isSpare(const ksiWindow *window, double length)
{
    const size_t next = window->first + 1;
    const double front = next < window->turn ? window->from[next].time : 0;
    return ksiFills(front + window->recent.time + lastOf(window)->h, length);
}

bool ksiKeepSample(const ksAllocator *allocator, double length, const ksiLoadSample *sample, ksiWindow *window)
{
    const bool replaces = !ksiIsEmpty(window) && ksiLastStep(window) == sample->step;
    if (!reserve(allocator, window))
        return false;
    if (!ksiIsEmpty(window) && !replaces) {
        const ksiLoadSum last = sumOf(lastOf(window), lastOf(window)->h);
        add(&last, &window->recent);
    }
    window->end += !replaces;
    window->at[window->end - 1] = *sample;
    do {
        if (window->first == window->turn && window->first + 1 < window->end)
            turn(window);
    } while (window->first < window->turn && isSpare(window, length) && ++window->first > 0);
    return true;
}

/* --- Queries --- */

void ksiAverage(const ksiWindow *window, double length, ksiWindowMean *out)
{
    const ksiLoadSample *last = lastOf(window), *first = &window->at[window->first];
    const ksiLoadSum newest = sumOf(last, last->h);
    // a single step is its own mean, even if only a part of it lies in the window
    ksiLoadSum sum = sumOf(last, 1);
    double time = fmin(last->h, length);
    if (first < last) {
        ksiLoadSum rest = sumFrom(window, window->first + 1);
        add(&newest, &rest);
        sum = sumOf(first, fmax(0, fmin(first->h, length - rest.time)));
        add(&rest, &sum);
        time = sum.time;
    }
    const double perTime = 1 / sum.time;
    *out = (ksiWindowMean){.mean = {.counts = sum.counts, .determined = sum.determined, .h = time, .step = last->step},
                           .touching = sum.touching / sum.time * time,
                           .count = sum.count};
    ksiAddSix((double *)&out->mean.wrench, perTime, (const double *)&sum.wrench);
    ksiAddSix((double *)&out->mean.bar, perTime, (const double *)&sum.bar);
    addPress(perTime, &sum.press, &out->mean.press);
}

/* The trend of a component is the line b t with b = sum t y / sum t t. */
void ksiDeviate(const ksiWindow *window, ksWrench *out)
{
    const ksiLoadSum newest = sumOf(lastOf(window), lastOf(window)->h);
    ksiLoadSum sum = {.count = 0};
    if (window->first + 1 < window->end)
        sum = sumFrom(window, window->first);
    add(&newest, &sum);
    for (int k = 0; k < 6; k++) {
        const double rest = sum.square[k] - sum.rising[k] * sum.rising[k] / sum.spread;
        ((double *)out)[k] = sum.count > 2 ? sqrt(fmax(rest, 0) / (double)(sum.count - 2)) : NAN;
    }
}
