/* energy.h  Changes of the world's kinetic energy, by cause, for the report of a step. */
#ifndef KSI_INSPECTOR_READ_ENERGY_H
#define KSI_INSPECTOR_READ_ENERGY_H

#include "../step_view.h"

/* Adds what a joint has worked; heard: its reaction, if somebody has asked for it, or NULL. Keeps ksiJointReport::fudgeWork. */
void ksiBookJoint(const ksiStep *step, size_t joint, const ksReaction *heard, ksiJointReport *own,
                  ksStepReport *report);

/* When all joints have been added: what is left. before: the world's energy after the last step; NaN: there was none. */
void ksiBookWorld(const ksiEnergy *energy, double before, ksStepReport *report);

#endif
