/* outcome.h  The status to exit with, by what a report holds. */
#ifndef KSI_PRELOAD_OUTCOME_H
#define KSI_PRELOAD_OUTCOME_H

#include "options.h"

/* By --fail-above, --baseline, --max-force and --max-torque: 0, or a status; what there is to be said has been said. */
int ksiOutcome(const ksiOptions *options, const ksReport *report);

#endif
