/* budget.h  How much of a program's time goes into its inspection, by --overhead.
 *
 * All that is added counts, as processor time: what is recorded in the program, what the command does, from its start on, and what the
 * records will take that are on their way to it. What is allowed is a share of the processor time that the program takes by itself. */
#ifndef KSI_PRELOAD_BUDGET_H
#define KSI_PRELOAD_BUDGET_H

#include "channel.h"

/* In the program. Is there time for two more records, each of which takes it `price` s? */
bool ksiBudgetAllows(ksiChannel *channel, double price);

/* Between these, the calling thread's time is added to the program's own. Begin gives what End wants, and End s. */
double ksiBudgetBegin(void);
double ksiBudgetEnd(ksiChannel *channel, double begun);

/* After fork, in the child: its time begins anew. */
void ksiBudgetRestart(void);

#endif
