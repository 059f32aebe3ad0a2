/* budget.h  Limits the share of a program's processor time that its inspection takes (--overhead).
 *
 * All added time counts: the recording in the program, the whole command, and the expected time to
 * judge the records that were sent and not yet judged. The limit is a share of the program's own
 * time. */
#ifndef KSI_PRELOAD_BUDGET_H
#define KSI_PRELOAD_BUDGET_H

#include "channel.h"

/* In the program: is there time for two more records of `price` s each? */
bool ksiBudgetAllows(ksiChannel *channel, double price);

/* Begin .. End: counts the calling thread's processor time between them as time of the recording.
 * End takes the value of Begin, and returns this time; s. */
double ksiBudgetBegin(void);
double ksiBudgetEnd(ksiChannel *channel, double begun);

/* Restarts the clocks in the child after fork. */
void ksiBudgetRestart(void);

#endif
