/* window.h  Samples of a watched load, and their mean over a window of any length. */
#ifndef KSI_INSPECTOR_PUBLISH_WINDOW_H
#define KSI_INSPECTOR_PUBLISH_WINDOW_H

#include <kinetostat/kinetostat.h>

#include <stdbool.h>
#include <stddef.h>

/* The contacts of a sum that press, each with its normal force N as weight: by what explains the motion, in the axes of the wrench. */
typedef struct ksiPress {
    double force;     /* sum of N; 0: none presses */
    double normal[3]; /* of N n, n the direction in which the body is pushed */
    double point[3];  /* of N r, from the point of the wrench */
    double bound;     /* of mu N, the most friction; NaN: it is not the same in all directions */
} ksiPress;

/* Of one step. */
typedef struct ksiLoadSample {
    ksWrench wrench, bar;
    ksiPress press;
    unsigned counts, determined; /* as in ksiSight */
    double h;
    unsigned long step;
} ksiLoadSample;

/* Over steps in a row. Wrenches and presses are sums of h times those of the steps. */
typedef struct ksiLoadSum {
    double time, touching; /* s; with a contact that presses */
    size_t count;
    ksWrench wrench, bar;
    ksiPress press;
    unsigned counts, determined; /* of all */
    /* With t from the mean of the steps' middle times, and y from the mean wrench, each step counted once: */
    double middle;                         /* s, that mean time, from the beginning */
    double spread;                         /* sum of t t */
    double level[6], rising[6], square[6]; /* that mean wrench; sums of t y and y y */
} ksiLoadSum;

/* The newest stands last. Steps up to `turn` have the sum of all from themselves up to it; `recent` is the sum of those that follow, but for the
 * last one. So neither is anything taken off a sum, nor is it added up anew. */
typedef struct ksiWindow {
    ksiLoadSample *at; /* its owner frees both */
    ksiLoadSum *from;  /* [turn] */
    size_t first, turn, end, capacity, fromCapacity;
    ksiLoadSum recent;
} ksiWindow;

typedef struct ksiWindowMean {
    ksiLoadSample mean; /* of what is known in each of the steps; h: how much of the window they take, s */
    double touching;    /* s, of that */
    size_t count;       /* steps */
} ksiWindowMean;

static inline bool ksiIsEmpty(const ksiWindow *window)
{
    return window->first == window->end;
}

/* The step that was kept last. */
static inline unsigned long ksiLastStep(const ksiWindow *window)
{
    return window->at[window->end - 1].step;
}

/* What follows does not go on from what was before. */
static inline void ksiEmptyWindow(ksiWindow *window)
{
    window->first = window->turn = window->end = 0;
    window->recent = (ksiLoadSum){.count = 0};
}

/* Adds a sample, or replaces that of the same step; those that the window does not need any longer go. false: there is no room. */
bool ksiKeepSample(const ksAllocator *allocator, double length, const ksiLoadSample *sample, ksiWindow *window);

/* The standard deviation of steps beside their line, by component; NaN: they are fewer than three. */
void ksiDeviate(const ksiWindow *window, ksWrench *out);

/* Of a window that is not empty. Of the oldest step only a part may lie in it. */
void ksiAverage(const ksiWindow *window, double length, ksiWindowMean *out);

#endif
