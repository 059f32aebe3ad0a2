/* ground.h  Shared by the parts of the bench of machines on the ground. */
#ifndef TESTS_BENCH_GROUND_H
#define TESTS_BENCH_GROUND_H

#include "demos/scenes/scenes.h"

#include <kinetostat/kinetostat.h>
#include <stdbool.h>
#include <stdio.h>

/* Two windows of time: while the machine moves or is hit, and later. */
enum { WINDOWS = 2 };
typedef struct GroundWindows {
    const char *scene;
    double from[WINDOWS]; /* s */
    int steps;            /* of each window */
} GroundWindows;

/* One machine on one surface under one stepper. */
typedef struct GroundCase {
    const SceneKind *kind;
    const SceneSurface *surface;
    const GroundWindows *windows;
    ksStepper stepper;
    int iterations; /* of dWorldQuickStep */
    double stepSize;
} GroundCase;

/* Shares are of joint-steps; forces are relative to the largest possible load of the scene in that
 * step: the weight of its bodies, its contact forces as reported, and the largest reported joint
 * force, which stands for motors. Times are of the step alone. NaN where there is nothing to
 * count. */
enum {
    JUDGED,          /* share of joints with a verdict */
    PHYSICAL,        /* ... with a physical wrench */
    CONTACTS_JUDGED, /* share of contacts with a verdict */
    LARGEST,         /* physical force of a joint */
    CHANGE_MEDIAN,   /* change of that force from one step to the next */
    CHANGE_LARGEST,
    PHYSICAL_ERROR, /* median of ksReaction::physicalError */
    PLAIN_TIME,     /* s, mean */
    ADDED_TIME,     /* mean of the inspected step less the mean of the plain one, relative to the plain one */
    WORST_TIME,     /* longest inspected step over the median one */
    FIGURES
};
typedef struct GroundResult {
    double figure[FIGURES];
    bool broke; /* the machine flew apart, and the case ended there */
} GroundResult;

/* Means of shares and times, the largest of the others. */
typedef struct GroundSummary {
    double sum[FIGURES], largest[FIGURES];
    int count[FIGURES];
} GroundSummary;

/* false: it could not be measured, or the inspected world's motion differs; standard error says
 * why. */
bool groundRun(const GroundCase *what, GroundResult *result);

void groundHead(FILE *csv);
void groundReport(const GroundCase *what, const GroundResult *result, FILE *csv);

/* Adds a case to a summary, and prints it for the case's scene and stepper. */
void groundGather(GroundSummary *summary, const GroundResult *result);
void groundReportAll(const GroundCase *what, const GroundSummary *summary);

/* Shows the progress of the bench on a terminal; NULL clears the line. */
void groundProgress(const GroundCase *what, int number, int count);

#endif
