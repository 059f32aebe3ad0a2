/* energy.h  Changes of the world's kinetic energy, by cause, for the report of a step. */
#ifndef KSI_INSPECTOR_READ_ENERGY_H
#define KSI_INSPECTOR_READ_ENERGY_H

#include "../step_view.h"

/* Adds a joint's work, and sets ksiJointReport::fudgeWork. heard: its reaction, or NULL: not
 * requested. */
void ksiBookJoint(const ksiStep *step, size_t joint, const ksReaction *heard, ksiJointReport *own,
                  ksStepReport *report);

/* After all joints: closes the sum. before: the world's energy after the last step; NaN: there was
 * none. */
void ksiBookWorld(const ksiEnergy *energy, double before, ksStepReport *report);

#endif
