/* run_noise.h  Of phase 10: what a solver's noise leaves in the physical values of a drifted loop. */
#ifndef KSI_INSPECTOR_RUN_NOISE_H
#define KSI_INSPECTOR_RUN_NOISE_H

#include "step_view.h"

/* Are there as many joints and bodies in the joint's mechanism as when the run began? Else it is another one, as after a joint has broken. */
bool ksiIsSameMechanism(const ksiStep *step, int joint, const ksiRunMean *run);

/* The mean of the engine's multiplier of a row over the last whole window of steps; NaN: there is none. Before this step is added. */
double ksiUsualReport(const ksiStep *step, int joint, int row);

/* By how much the engine's force may differ from that of the mechanism in the mean over a window, with `slack` in this step, before it
 * is added. For joints that ksiUsualReport knows. */
double ksiSlackForce(const ksiStep *step, int joint, double slack);

/* Adds this step of a joint, and lengthens its bars, if what was taken is in what is published: by the last whole window of steps, and by the present one as far as it has been
 * seen. The step is in the mean already. */
void ksiAddNoise(const ksiStep *step, int joint, ksiRunMean *run, bool isPublished, ksiJointPhysical *out);

#endif
