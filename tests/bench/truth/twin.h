/* twin.h  The ideal mechanism's mean forces over a window: a twin that is put where the host's machine is when the window begins.
 *
 * Joints keep the gaps that they have there, and velocities that they forbid are taken away first. dWorldStep then makes small steps, with
 * motors that reach the targets of the host's: sweeps leave them other rates. */
#ifndef TESTS_BENCH_TRUTH_TWIN_H
#define TESTS_BENCH_TRUTH_TWIN_H

#include "truth.h"

typedef struct TruthTwin TruthTwin;

/* Of a joint over a window, N. */
typedef struct TruthTwinMean {
    double force[3]; /* on the body asked for */
    double ends[3];  /* what a shift by half a step in time makes of it */
} TruthTwinMean;

/* NULL: out of memory. steps: as many as there will be. */
TruthTwin *truthTwinOpen(const TruthCase *what, const Scene *scene, int steps);
void truthTwinClose(TruthTwin *twin);
/* Before each step. */
void truthTwinBefore(TruthTwin *twin);

/* Steps first up to, not including, end; time: of each step's begin and of the last one's end, s. */
void truthTwinRun(TruthTwin *twin, const double *time, int first, int end);
/* How far it is from the host's machine now, as the window has just ended: the largest distance of a body, in its radius of gyration. */
double truthTwinAway(const TruthTwin *twin);
/* ... of the force on the joint's first body, or its second one. */
TruthTwinMean truthTwinMean(const TruthTwin *twin, int joint, int side);

#endif
