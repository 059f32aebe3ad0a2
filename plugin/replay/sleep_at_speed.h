/* sleep_at_speed.h  Bodies that fall asleep at a speed: the engine compares the mean vector of
 * their samples with the thresholds. */
#ifndef KSI_REPLAY_SLEEP_AT_SPEED_H
#define KSI_REPLAY_SLEEP_AT_SPEED_H

#include "record.h"

/* Call it right after the step. Did a body fall asleep although its speed before the step was above
 * a threshold? */
bool ksiHasSleptAtSpeed(const ksiStepRecord *record);

#endif
