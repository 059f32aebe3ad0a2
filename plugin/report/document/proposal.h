/* proposal.h  Proposes limits for thresholds from the physical loads of a run. */
#ifndef KSI_REPORT_DOCUMENT_PROPOSAL_H
#define KSI_REPORT_DOCUMENT_PROPOSAL_H

#include "../files/text.h"
#include "json.h"

/* In documents: `factor` times the load that 99.9 % of the steps did not exceed, for each joint; 0: nothing is proposed. */
void ksiReportPropose(ksReport *report, double factor);
void ksiWriteProposal(const ksiView *view, ksiText *out);
void ksiJsonPutProposal(const ksiView *view, json_t *document);

#endif
