/* json.h  A report as a JSON document: docs/reports.md. */
#ifndef KSI_JSON_H
#define KSI_JSON_H

#include "view.h"

#include <jansson.h>

enum { KSI_JSON_FLAGS = JSON_COMPACT | JSON_REAL_PRECISION(9) };

/* NULL: out of memory. */
json_t *ksiReportToJson(const ksiView *view);

#endif
