/* targets.h  Prescribed velocities of rows, for phase 1. */
#ifndef KSI_INSPECTOR_READ_TARGETS_H
#define KSI_INSPECTOR_READ_TARGETS_H

#include "../step_view.h"

/* Reads target, position and remaining shift of each row, and the rows that follow a target.
 * Returns true if the next step must compare its rows with these. */
bool ksiReadTargets(const ksiStep *step, ksiJointInput *joint);

#endif
