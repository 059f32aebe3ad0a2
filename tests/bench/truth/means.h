/* means.h  Means over windows (KS_MEAN) of one case, beside closed forms; and limits that they decide, or single steps do not. */
#ifndef TESTS_BENCH_TRUTH_MEANS_H
#define TESTS_BENCH_TRUTH_MEANS_H

#include "truth.h"

typedef struct TruthMeans TruthMeans;

/* NULL: out of memory. The scene and its inspector stay the caller's; steps: as many as there will be. */
TruthMeans *truthMeansOpen(const TruthCase *what, Scene *scene, ksInspector *inspector, int steps);

/* Around each step of stepSize s, those that do not count included. */
void truthMeansBefore(TruthMeans *means);
void truthMeansAfter(TruthMeans *means, double stepSize, bool counts);

/* The figures of all joints that mechanics determines. Frees it. */
void truthMeansClose(TruthMeans *means, double figure[MEANS_FIGURES]);

#endif
