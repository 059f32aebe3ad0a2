/* window.h  The sums over a window of steps, and the figures that follow from them. */
#ifndef TESTS_BENCH_TRUTH_WINDOW_H
#define TESTS_BENCH_TRUTH_WINDOW_H

#include "truth.h"

typedef struct TruthRun TruthRun;

/* NULL: out of memory. The scene and its inspector stay the caller's. */
TruthRun *truthOpen(const TruthCase *what, Scene *scene, ksInspector *inspector, int window);

/* Around each step that counts, of stepSize s. false: out of memory. */
bool truthBefore(TruthRun *run);
void truthAfter(TruthRun *run, double stepSize);

/* Sets the figures of all full windows, and frees the run. */
void truthClose(TruthRun *run, double figure[FIGURES]);

#endif
