/* momentum.h  Observed forces and their means against the momentum of each body: weight, host
 * forces, contacts and joints together change its velocity. The sums use velocities alone; contacts
 * are as the engine reports them. */
#ifndef TESTS_BENCH_TRUTH_MOMENTUM_H
#define TESTS_BENCH_TRUTH_MOMENTUM_H

#include "truth.h"

typedef struct TruthMomentum TruthMomentum;

/* NULL: out of memory. The scene and its inspector stay the caller's; steps: number of steps to
 * come. */
TruthMomentum *truthMomentumOpen(const Scene *scene, ksInspector *inspector, int steps);
void truthMomentumClose(TruthMomentum *momentum);

/* Around each step of h seconds. */
void truthMomentumBefore(TruthMomentum *momentum);
void truthMomentumAfter(TruthMomentum *momentum, double h);

/* After a step that counts: compares the step's forces, and the means over the steps from `first`
 * on, which took `time` seconds, for joints that have been measured for this long. */
void truthMomentumCompare(TruthMomentum *momentum, int first, double time);

/* Sets the figures MEANS_MOMENTUM_... and MEANS_OBSERVED_.... */
void truthMomentumFigures(const TruthMomentum *momentum, double figure[MEANS_FIGURES]);

#endif
