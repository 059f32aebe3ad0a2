/* truth.h  What the parts of the bench of truth share.
 *
 * No estimator is asked to judge another. Over a window of time the mean force that explains the motion is exact for each
 * joint that mechanics determines: the weight and the change of momentum of the branch that it holds. The engine's report
 * explains the motion to rounding (checked here for the sum of supports), so for these joints
 *
 *     bias = |mean(physical) - mean(engine)| / rms(engine)
 *
 * over the window. Both means are of forces on one body, world axes; momentum leaves them no freedom. The errors that the
 * engine makes in single steps leave the mean but for the change of a noise in momentum, over the window. A step's force
 * belongs to some moment of that step: a bias is resolved to half a step at the window's ends.
 *
 * Physical values are those of the ideal mechanism, from which the motion may depart: bars are judged by closed forms where there are
 * some, else by the motion less what is known of its departure (departure.h). */
#ifndef TESTS_BENCH_TRUTH_TRUTH_H
#define TESTS_BENCH_TRUTH_TRUTH_H

#include "demos/scenes/drift.h"

#include <kinetostat/kinetostat.h>
#include <stdbool.h>
#include <stdio.h>

typedef enum TruthStepper { TRUTH_QUICK, TRUTH_WORLD, TRUTH_EXACT, TRUTH_STEPPERS } TruthStepper;
extern const char *const truthStepper[TRUTH_STEPPERS];

/* One machine under one stepper. */
typedef struct TruthCase {
    const DriftScene *kind;
    const SceneSurface *surface;
    TruthStepper stepper;
    int iterations; /* of dWorldQuickStep */
    double stepSize;
    double window; /* s */
    bool uneven;   /* steps are from 0.2 to 1.8 times the step size, at random */
    int steps;     /* that are looked at; 0: as the scene says */
    bool joints;   /* prints a line for each joint, too */
    bool means;    /* the figures of means, in place of the others */
    bool twin;     /* ... with those of twins */
} TruthCase;

/* NaN where there is nothing to count. */
enum {
    PUBLISHED,     /* share of joint-steps with a finite physical wrench */
    USELESS,       /* share of joint-steps with a bar above the load */
    BIAS_MEDIAN,   /* of forces; over the joints and windows that are determined and published throughout */
    BIAS_HIGH,     /* 95 % */
    WRENCH_MEDIAN, /* the same of wrenches, by the project's measure: both bodies, torques, too */
    WRENCH_HIGH,   /* 95 % */
    ENDS,          /* what a shift by half a step in time makes of the mean: no bias below it is one; median */
    COVERED, /* share of these windows in which the error of the wrench is within the mean of the bars and that shift */
    BAR_MEDIAN,     /* mean bar of a window */
    BAR_RATIO,      /* bar over bias of the wrench, median where that is above 1e-3, and above that shift */
    SUPPORTS,       /* N: length of the mean sum of physical forces of the joints to the world, by SumWrenches */
    SUPPORTS_TRUE,  /* N: weight and change of momentum, contacts taken off */
    SUPPORTS_BIAS,  /* worst window, relative to the true sum */
    SUPPORTS_OPEN,  /* share of steps in which the sum was said to have a free direction, or had no answer */
    FLICKER,        /* changes of freeCount from a step to the next, over joint-steps */
    FREE_RIGHT,     /* share of joint-steps with the right freeCount, where it is known */
    FALSELY_UNIQUE, /* share of joint-steps with fewer free directions than there are */
    FORM_WORST,     /* closed form: largest error of a step, relative to the load */
    FORM_RMS,       /* closed form */
    FORM_COVERED,   /* share of steps within the bar */
    FORM_BAR,       /* median bar there */
    FIGURES
};

/* Of means over windows of 0.15 s (KS_MEAN), of joints that mechanics determines: means.c. */
enum {
    MEANS_DEPARTURE,      /* ksReaction::departure over the joint's median mean, median */
    MEANS_DEPARTURE_HIGH, /* 95 % */
    MEANS_UNKNOWN,        /* share of windows without a departure */
    MEANS_OUTSIDE,        /* share of windows whose mean is farther from the closed form's than departure says */
    MEANS_UNDECIDED_PHYSICAL, /* share of limits of 1/2, 1 and 2 times that load that the mean of physical forces does not decide */
    MEANS_UNDECIDED,       /* the same of means */
    MEANS_FIRST_RMS,       /* of the first joint: the mean off the closed form, relative, rms */
    MEANS_FIRST_WORST,     /* largest */
    MEANS_FIRST_DEPARTURE, /* largest departure, relative */
    /* Of each body, its joints together, against momentum (momentum.h), by component: */
    MEANS_MOMENTUM,         /* largest error of means, over the load */
    MEANS_MOMENTUM_OUTSIDE, /* share farther off than meanBar */
    MEANS_MOMENTUM_COUNT,   /* components */
    MEANS_OBSERVED,         /* the same of the observed forces of single steps */
    MEANS_OBSERVED_OUTSIDE,
    /* Of one window after the other, against the mean of a twin over it (twin.h), by the components that mechanics determines: */
    MEANS_TWIN_AWAY,      /* share of twins that have left the machine when the window ends: they tell nothing of it */
    MEANS_TWIN_OFF,       /* the mean off the twin's, over that load, median */
    MEANS_TWIN_OFF_HIGH,  /* 95 % */
    MEANS_TWIN_OUTSIDE,   /* share of windows in which it is farther off than departure and meanBar say, by size */
    MEANS_TWIN_RESOLVED,  /* ... and than a shift by half a step in time makes of it */
    MEANS_TWIN_COMPONENT, /* the same of windows in which one component is */
    MEANS_FIGURES
};
_Static_assert((int)MEANS_FIGURES <= (int)FIGURES, "there is room");

typedef struct TruthResult {
    double figure[FIGURES];
    bool broke; /* the machine flew apart, and the case ended there */
} TruthResult;

/* Beside driftScenes: machines that are hard. The last has no name. */
extern const DriftScene truthScene[];

/* false: it could not be measured; standard error says why. */
bool truthRun(const TruthCase *what, TruthResult *result);

void truthHead(bool means, FILE *csv);
void truthReport(const TruthCase *what, const TruthResult *result, FILE *csv);

#endif
