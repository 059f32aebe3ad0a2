/* window.h  Samples of a watched load, and their mean over a window of any length. */
#ifndef KSI_INSPECTOR_PUBLISH_WINDOW_H
#define KSI_INSPECTOR_PUBLISH_WINDOW_H

#include <kinetostat/kinetostat.h>

#include <stdbool.h>
#include <stddef.h>

/* Sums over the pressing contacts of a watched sum, weighted by the normal force N that explains
 * the motion; in the axes of the wrench. */
typedef struct ksiPress {
    double force;     /* sum of N; 0: no contact presses */
    double normal[3]; /* sum of N n; n is the direction in which the contact pushes the body */
    double point[3];  /* sum of N r; r is the vector from the point of the wrench to the contact */
    double bound;     /* sum of mu N, the largest friction; NaN: mu differs between directions */
} ksiPress;

/* The sample of one step. */
typedef struct ksiLoadSample {
    ksWrench wrench, bar;
    ksiPress press;
    unsigned counts, determined; /* as in ksiSight */
    double h;
    unsigned long step;
} ksiLoadSample;

/* A sum over consecutive steps. Wrenches and presses are weighted by the step sizes h. */
typedef struct ksiLoadSum {
    double time, touching; /* s; touching: the part with a pressing contact */
    size_t count;
    ksWrench wrench, bar;
    ksiPress press;
    unsigned counts, determined; /* components for which the bits of ksiSight are set in all
                                    steps */
    /* For the trend, each step counts once. t is the middle time of a step minus the mean of all
     * middle times, y its wrench minus the mean wrench. */
    double middle;                         /* s, mean of the middle times, from the beginning of the
                                              first step */
    double spread;                         /* sum of t t */
    double level[6], rising[6], square[6]; /* level: mean wrench; rising: sums of t y; square: sums
                                              of y y */
} ksiLoadSum;

/* The newest sample is the last one. For each step before `turn`, `from` has the sum from this step
 * up to `turn`. `recent` is the sum of the later steps, without the newest one. So a new step needs
 * no subtraction, and no new sum over all steps. */
typedef struct ksiWindow {
    ksiLoadSample *at; /* the owner of the window frees `at` and `from` */
    ksiLoadSum *from;  /* [turn] */
    size_t first, turn, end, capacity, fromCapacity;
    ksiLoadSum recent;
} ksiWindow;

typedef struct ksiWindowMean {
    ksiLoadSample mean; /* of the components that are known in each step; h: length of the steps
                           within the window, s */
    double touching;    /* s, the part of h with a pressing contact */
    size_t count;       /* steps */
} ksiWindowMean;

static inline bool ksiIsEmpty(const ksiWindow *window)
{
    return window->first == window->end;
}

/* The number of the newest step. */
static inline unsigned long ksiLastStep(const ksiWindow *window)
{
    return window->at[window->end - 1].step;
}

/* Empties the window: later steps do not continue the earlier ones. */
static inline void ksiEmptyWindow(ksiWindow *window)
{
    window->first = window->turn = window->end = 0;
    window->recent = (ksiLoadSum){.count = 0};
}

/* Adds a sample, or replaces the sample of the same step, and drops samples that have left the
 * window. false: out of memory. */
bool ksiKeepSample(const ksAllocator *allocator, double length, const ksiLoadSample *sample, ksiWindow *window);

/* The standard deviation of the steps about their linear trend, by component; NaN: fewer than three
 * steps. */
void ksiDeviate(const ksiWindow *window, ksWrench *out);

/* The mean over a window that is not empty. It may contain only a part of the oldest step. */
void ksiAverage(const ksiWindow *window, double length, ksiWindowMean *out);

#endif
