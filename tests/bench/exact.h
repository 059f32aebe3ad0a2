/* exact.h  Shared by the parts of the bench of exact steps. */
#ifndef TESTS_BENCH_EXACT_H
#define TESTS_BENCH_EXACT_H

#include "demos/scenes/scenes.h"

#include <kinetostat/kinetostat.h>
#include <stdbool.h>
#include <stdio.h>

/* A way of stepping, as in demos/exact.c. */
typedef enum ExactWay { QUICK, DIRECT, EXACT, EXACT_SWEPT } ExactWay;

/* Steps a world of its own. */
typedef struct ExactWorld {
    Scene *scene;
    ExactWay way;
    ksInspector *inspector; /* NULL: the engine's own stepper */
} ExactWorld;

/* iterations: of dWorldQuickStep, or sweeps; 0: the default. false: out of memory. Takes ownership
 * of the scene. */
bool exactOpen(Scene *scene, ExactWay way, int iterations, ExactWorld *world);
void exactClose(ExactWorld *world);

/* One whole step. Returns the processor time of the stepper alone, s; negative: it failed. */
double exactStep(ExactWorld *world, double stepSize);

/* Whether all bodies are finite, and near the origin. */
bool exactIsWhole(const Scene *scene);

/* The parts. false: something could not be measured. scene NULL: all */
bool exactTimes(void);
bool exactWork(const char *scene);
bool exactStability(const char *scene, long steps);

#endif
