/* sleep_at_speed.h  Detects bodies that fall asleep while they move fast. The engine compares the
 * mean velocity of a body's samples with the thresholds. If the velocity alternates in sign, its
 * mean is small. */
#ifndef KSI_REPLAY_SLEEP_AT_SPEED_H
#define KSI_REPLAY_SLEEP_AT_SPEED_H

#include "record.h"

/* Did a body fall asleep although its speed before the step was above a threshold? Call it right
 * after the step. */
bool ksiHasSleptAtSpeed(const ksiStepRecord *record);

#endif
