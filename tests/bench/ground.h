/* ground.h  What the parts of the bench of machines on the ground share. */
#ifndef GROUND_H
#define GROUND_H

#include "demos/scenes.h"

#include <kinetostat/kinetostat.h>
#include <stdbool.h>
#include <stdio.h>

/* When a machine is looked at: while it moves or is hit, and later. */
enum { WINDOWS = 2 };
typedef struct GroundWindows {
    const char *scene;
    double from[WINDOWS]; /* s */
    int steps;            /* of each */
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

/* Shares are of joints times steps; NaN where there are none. Forces are relative to what the scene can load in that
 * step: the weight of its bodies, its contacts' forces as reported, and the largest reported force of a joint, which
 * stands for motors. Times are of the step alone, over the time of a plain one. */
typedef struct GroundResult {
    long steps;                         /* inspected and measured */
    double judged, physical;            /* joints with a verdict; with a physical wrench */
    double contactsJudged;              /* contacts with a verdict */
    double largest;                     /* physical force of a joint */
    double changeMedian, changeLargest; /* of it, from one step to the next */
    double physicalError;               /* median of ksReaction::physicalError */
    double plain;                       /* s, mean */
    double added;                       /* mean of the inspected step less that of the plain one, over that */
    double worst;                       /* longest inspected step over the median one */
    bool broke;                         /* the machine flew apart, and the case ended there */
} GroundResult;

/* false: it could not be measured, or the inspected world went another way; standard error says why. */
bool groundRun(const GroundCase *what, GroundResult *result);

void groundHead(FILE *csv);
void groundReport(const GroundCase *what, const GroundResult *result, FILE *csv);

/* Tells on a terminal how far the bench is; NULL clears the line. */
void groundProgress(const GroundCase *what, int number, int count);

#endif
