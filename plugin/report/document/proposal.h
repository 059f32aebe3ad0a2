/* proposal.h  Proposes limits for thresholds from the physical loads of a run. */
#ifndef KSI_REPORT_DOCUMENT_PROPOSAL_H
#define KSI_REPORT_DOCUMENT_PROPOSAL_H

#include "../files/text.h"
#include "json.h"

/* Documents will propose a limit for each joint: `factor` times the load that 99.9 % of its steps
 * do not exceed. 0: no proposals. */
void ksiReportPropose(ksReport *report, double factor);
void ksiWriteProposal(const ksiView *view, ksiText *out);
void ksiJsonPutProposal(const ksiView *view, json_t *document);

#endif
