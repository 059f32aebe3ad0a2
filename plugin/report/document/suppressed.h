/* suppressed.h  Suppressed and suppressible findings in documents. */
#ifndef KSI_REPORT_DOCUMENT_SUPPRESSED_H
#define KSI_REPORT_DOCUMENT_SUPPRESSED_H

#include "../files/text.h"
#include "../findings/view.h"
#include "json.h"

/* Write the number of findings that each entry suppressed. Suppressed: in a sentence or two, or
 * nothing if there is no list. JsonSuppressed: in JSON. */
void ksiWriteSuppressed(const ksiView *view, ksiText *out);
json_t *ksiJsonSuppressed(const ksiView *view);

/* Writes an entry for each reported finding: a file for ksiSuppressionsRead. */
void ksiWriteSuppressions(const ksiView *view, ksiText *out);

#endif
