/* checks.h  Checks of a report besides the limit of errors: a baseline, and limits of loads. */
#ifndef KSI_REPORT_FINDINGS_CHECKS_H
#define KSI_REPORT_FINDINGS_CHECKS_H

#include "../document/json.h"
#include "joint_case.h"

/* The number of cases of all checks by outcome. false: out of memory. */
bool ksiCountCases(const ksiView *view, size_t count[KSI_OUTCOMES]);

/* Writes the checks of a report, if it has any: as text, as test suites of JUnit, and into a JSON
 * document, with a limited number of the first cases that do not pass. */
void ksiWriteCases(const ksiView *view, ksiText *out);
void ksiWriteCasesJunit(const ksiView *view, ksiText *out);
void ksiJsonPutCases(const ksiView *view, size_t most, json_t *document);

#endif
