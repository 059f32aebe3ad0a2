/* checks.h  The checks of a report, apart from the limit of errors: a comparison with a baseline,
 * and limits of loads. */
#ifndef KSI_REPORT_FINDINGS_CHECKS_H
#define KSI_REPORT_FINDINGS_CHECKS_H

#include "../document/json.h"
#include "joint_case.h"

/* Counts the cases of all checks by outcome. false: out of memory. */
bool ksiCountCases(const ksiView *view, size_t count[KSI_OUTCOMES]);

/* Write the checks of a report, if it has any: as text, as JUnit test suites, and into a JSON
 * document. The document has the first cases that do not pass, up to `most`. */
void ksiWriteCases(const ksiView *view, ksiText *out);
void ksiWriteCasesJunit(const ksiView *view, ksiText *out);
void ksiJsonPutCases(const ksiView *view, size_t most, json_t *document);

#endif
