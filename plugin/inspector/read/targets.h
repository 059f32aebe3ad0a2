/* targets.h  Prescribed velocities of rows, for phase 1. */
#ifndef KSI_INSPECTOR_READ_TARGETS_H
#define KSI_INSPECTOR_READ_TARGETS_H

#include "../step_view.h"

/* Target, position and what is left of shifts of each row, and which ones follow. Have the next step's to be compared with them? */
bool ksiReadTargets(const ksiStep *step, ksiJointInput *joint);

#endif
