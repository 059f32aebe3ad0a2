/* softened.h  Of phase 10: trees that have drifted, where the engine's own explains the motion and the tree's does not. */
#ifndef KSI_INSPECTOR_SOFTENED_H
#define KSI_INSPECTOR_SOFTENED_H

#include "velocity.h"

/* A tree's multipliers and bars are known, and the system holds its rows: these are softened, if the run has found them biased, and the
 * multipliers changed, if that explains the motion. The vectors are overwritten; force and velocity are not read. */
KS_MUST_USE ksStatus ksiSoftenTree(const ksiStep *step, ksiSolver *solver, int island, const ksiPermitted *room,
                                   ksiPhysical *out);

/* Adds this step of a joint to its run; the step is in the mean already. */
void ksiCompareSoftened(const ksiStep *step, int joint, const ksiPhysical *out, ksiRunMean *run);

/* By how much what a former window says is to be lengthened for what is published now: where softened rows were, and are no longer, what
 * the tree's own solution had been off by. */
double ksiFormerBias(const ksiStep *step, int joint, int window, const ksiPhysical *out);

#endif
