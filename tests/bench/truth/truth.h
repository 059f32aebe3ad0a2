/* truth.h  Shared by the parts of the bench of truth.
 *
 * No estimator judges another. Over a window of time the mean force that explains the motion is
 * exact for each joint that mechanics determines: the weight and the change of momentum of the
 * branch that it holds. The engine's report explains the motion to rounding (checked here for the
 * sum of supports), so for these joints
 *
 *     bias = |mean(physical) - mean(engine)| / rms(engine)
 *
 * over the window. Both means are of forces on one body, world axes; momentum leaves them no
 * freedom. The engine's errors in single steps cancel in the mean, except for the change of
 * momentum noise over the window. A step's force belongs to some moment of that step, so a bias is
 * resolved to half a step at the window's ends.
 *
 * Physical values are those of the ideal mechanism, from which the motion may depart. Closed forms
 * judge the bars where they exist; elsewhere the motion judges them, less its known departure
 * (departure.h). */
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
    int steps;     /* measured steps; 0: the scene's own number */
    bool joints;   /* also prints a line for each joint */
    bool means;    /* the figures of means instead of the others */
    bool twin;     /* also the figures of twins */
} TruthCase;

/* NaN where there is nothing to count. */
enum {
    PUBLISHED,      /* share of joint-steps with a finite physical wrench */
    USELESS,        /* share of joint-steps with a bar above the load */
    BIAS_MEDIAN,    /* of forces; over joints and windows that are determined and always published */
    BIAS_HIGH,      /* 95 % */
    WRENCH_MEDIAN,  /* the same for wrenches, by the project's measure: both bodies, including torques */
    WRENCH_HIGH,    /* 95 % */
    ENDS,           /* effect of a shift by half a step in time on the mean, which no smaller bias
                      can be told from; median */
    COVERED,        /* share of these windows in which the error of the wrench is within the mean of the
                bars plus that shift */
    BAR_MEDIAN,     /* mean bar of a window */
    BAR_RATIO,      /* bar over bias of the wrench; median of the windows where that bias is above
                       1e-3 and above that shift */
    SUPPORTS,       /* N: magnitude of the mean sum of physical forces of the joints to the world,
                       by ksInspectorSumWrenches */
    SUPPORTS_TRUE,  /* N: the same from weight and change of momentum, less contacts */
    SUPPORTS_BIAS,  /* worst window, relative to the true sum */
    SUPPORTS_OPEN,  /* share of steps whose sum had a free direction or no answer */
    FLICKER,        /* changes of freeCount from one step to the next, over joint-steps */
    FREE_RIGHT,     /* share of joint-steps with the right freeCount, where it is known */
    FALSELY_UNIQUE, /* share of joint-steps with fewer free directions than there are */
    FORM_WORST,     /* closed form: largest error of a step, relative to the load */
    FORM_RMS,       /* closed form */
    FORM_COVERED,   /* share of steps within the bar */
    FORM_BAR,       /* median bar there */
    FIGURES
};

/* Means over windows of 0.15 s (KS_MEAN), for joints that mechanics determines: means.c. */
enum {
    MEANS_DEPARTURE,          /* ksReaction::departure over the joint's median mean, median */
    MEANS_DEPARTURE_HIGH,     /* 95 % */
    MEANS_UNKNOWN,            /* share of windows without a departure */
    MEANS_OUTSIDE,            /* share of windows with the mean farther from the closed form than
                                 the departure */
    MEANS_UNDECIDED_PHYSICAL, /* share of limits of 1/2, 1 and 2 times that load that the mean of
                                 physical forces leaves undecided */
    MEANS_UNDECIDED,          /* share that the means leave undecided */
    MEANS_FIRST_RMS,          /* of the first joint: relative distance of the mean from the closed form, rms */
    MEANS_FIRST_WORST,        /* largest */
    MEANS_FIRST_DEPARTURE,    /* largest departure, relative */
    /* For each body, all its joints together, against momentum (momentum.h), by component: */
    MEANS_MOMENTUM,         /* largest error of means, over the load */
    MEANS_MOMENTUM_OUTSIDE, /* share with an error above meanBar */
    MEANS_MOMENTUM_COUNT,   /* number of components */
    MEANS_OBSERVED,         /* the same for the observed forces of single steps */
    MEANS_OBSERVED_OUTSIDE,
    /* For one window after the other, against the mean of a twin over it (twin.h), by the
     * components that mechanics determines: */
    MEANS_TWIN_AWAY,      /* share of twins that have left the machine in their window: they are not
                             compared */
    MEANS_TWIN_OFF,       /* distance of the mean from the twin's, over that load, median */
    MEANS_TWIN_OFF_HIGH,  /* 95 % */
    MEANS_TWIN_OUTSIDE,   /* share of windows in which this distance exceeds departure plus meanBar,
                             by magnitude */
    MEANS_TWIN_RESOLVED,  /* ... and also the effect of a shift by half a step in time */
    MEANS_TWIN_COARSE,    /* ... and also the effect of steps of the host's size on the twin */
    MEANS_TWIN_COMPONENT, /* share of windows in which one component is off by more than all of these */
    MEANS_TWIN_TORQUE,    /* likewise the torque about the anchor */
    MEANS_FIGURES
};
enum { MOST_FIGURES = (int)MEANS_FIGURES > (int)FIGURES ? (int)MEANS_FIGURES : (int)FIGURES };

typedef struct TruthResult {
    double figure[MOST_FIGURES];
    bool broke; /* the machine flew apart, which ended the case */
} TruthResult;

/* Difficult machines, beside driftScenes. The last has no name. */
extern const DriftScene truthScene[];

/* false: it could not be measured; standard error says why. */
bool truthRun(const TruthCase *what, TruthResult *result);

void truthHead(bool means, FILE *csv);
void truthReport(const TruthCase *what, const TruthResult *result, FILE *csv);

#endif
