/* means.h  Means over windows (KS_MEAN) of one case, beside closed forms; and the limits that they
 * decide although single steps do not. */
#ifndef TESTS_BENCH_TRUTH_MEANS_H
#define TESTS_BENCH_TRUTH_MEANS_H

#include "truth.h"

typedef struct TruthMeans TruthMeans;

/* NULL: out of memory. The scene and its inspector stay the caller's; steps: number of steps to
 * come. */
TruthMeans *truthMeansOpen(const TruthCase *what, Scene *scene, ksInspector *inspector, int steps);

/* Around each step of stepSize s, also one that does not count. */
void truthMeansBefore(TruthMeans *means);
void truthMeansAfter(TruthMeans *means, double stepSize, bool counts);

/* Sets the figures of all joints that mechanics determines, and frees it. */
void truthMeansClose(TruthMeans *means, double figure[MEANS_FIGURES]);

#endif
