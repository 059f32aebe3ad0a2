/* twin.h  The ideal mechanism's mean forces over a window, by a twin that starts where the host's
 * machine is when the window begins.
 *
 * Joints keep their gaps of the start, and forbidden velocities are removed first. dWorldStep then
 * makes small steps. Motors are as far from their targets as the host's motors on average, or at
 * their bounds if the host's are.
 *
 * It starts half a step before the host's pose, at the time of the host's velocities. So its mean
 * over a window has the host's time, but it cannot judge the physical value of a single step, which
 * belongs to the pose: half a step turns light links under a load by more than the bars of that
 * value. */
#ifndef TESTS_BENCH_TRUTH_TWIN_H
#define TESTS_BENCH_TRUTH_TWIN_H

#include "truth.h"

typedef struct TruthTwin TruthTwin;

/* Of a joint over a window, N; and N m about its anchors. */
typedef struct TruthTwinMean {
    double force[3], torque[3]; /* on the requested body */
    /* of the six components: */
    double ends[6];   /* effect of a shift by half a step in time */
    double coarse[6]; /* effect of steps of the host's size on the twin */
    double soft[6];   /* effect of its softness: gaps lock redundant joints if it is not small */
} TruthTwinMean;

/* NULL: out of memory. steps: number of steps to come. */
TruthTwin *truthTwinOpen(const TruthCase *what, const Scene *scene, int steps);
void truthTwinClose(TruthTwin *twin);
/* Before each step. */
void truthTwinBefore(TruthTwin *twin);
/* After each step. */
void truthTwinAfter(TruthTwin *twin, ksInspector *inspector);

/* Makes the steps from `first` to before `end`; time: of each step's start and of the last one's
 * end, s. */
void truthTwinRun(TruthTwin *twin, const double *time, int first, int end);
/* The largest distance of a body from the host's at the ends of the window's steps, in radii of
 * gyration; infinite if the machine reaches or leaves a stop in the window. */
double truthTwinAway(const TruthTwin *twin);
/* ... for the force on the joint's first or second body. */
TruthTwinMean truthTwinMean(const TruthTwin *twin, int joint, int side);

#endif
