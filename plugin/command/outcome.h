/* outcome.h  Exit status of a report. */
#ifndef KSI_COMMAND_OUTCOME_H
#define KSI_COMMAND_OUTCOME_H

#include "options.h"

/* 0, or the exit status by --fail-above, --baseline, --max-force and --max-torque. A failed joint
 * takes precedence over an unknown one. Prints reasons that the documents do not have. */
int ksiOutcome(const ksiOptions *options, const ksReport *report);

#endif
