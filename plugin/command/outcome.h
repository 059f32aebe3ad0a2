/* outcome.h  Exit status of a report. */
#ifndef KSI_COMMAND_OUTCOME_H
#define KSI_COMMAND_OUTCOME_H

#include "options.h"

/* Returns 0, or the exit status by --fail-above, --baseline, --max-force and --max-torque. A failed
 * joint takes precedence over an unknown one. Prints the reasons that the documents lack. */
int ksiOutcome(const ksiOptions *options, const ksReport *report);

#endif
