/* sleep_at_speed.h  Bodies that fall asleep while they move fast: the engine compares the mean
 * velocity of a body's samples with the thresholds, and velocities of alternating sign have a small
 * mean. */
#ifndef KSI_REPLAY_SLEEP_AT_SPEED_H
#define KSI_REPLAY_SLEEP_AT_SPEED_H

#include "record.h"

/* Did a body fall asleep although its speed before the step was above a threshold? Call it right
 * after the step. */
bool ksiHasSleptAtSpeed(const ksiStepRecord *record);

#endif
