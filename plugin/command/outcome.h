/* outcome.h  Exit status of a report. */
#ifndef KSI_COMMAND_OUTCOME_H
#define KSI_COMMAND_OUTCOME_H

#include "options.h"

/* 0, or the status to exit with, by --fail-above, --baseline, --max-force and --max-torque: that of a joint that fails, which is more than what nobody has
 * seen. What the documents do not tell is told on standard error. */
int ksiOutcome(const ksiOptions *options, const ksReport *report);

#endif
