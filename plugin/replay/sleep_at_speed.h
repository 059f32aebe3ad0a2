/* sleep_at_speed.h  Bodies that fall asleep at a speed: the engine compares the mean vector of
 * their samples with the thresholds. */
#ifndef KSI_REPLAY_SLEEP_AT_SPEED_H
#define KSI_REPLAY_SLEEP_AT_SPEED_H

#include "record.h"

/* Right after the step: has a body fallen asleep in it whose speed before was above its
 * thresholds? */
bool ksiHasSleptAtSpeed(const ksiStepRecord *record);

#endif
