/* proposal.h  Limits for thresholds, proposed from the physical loads of a run. */
#ifndef KSI_REPORT_PROPOSAL_H
#define KSI_REPORT_PROPOSAL_H

#include "view.h"

/* What `percentile` % of the steps do not exceed. KSI_FORCE, KSI_TORQUE. 0: nothing but rounding; INFINITY: not known; NaN: it was never
 * solved. */
double ksiLoadOf(const ksiJointStats *joint, int size, double percentile);

#endif
