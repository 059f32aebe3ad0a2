/* lead.h  The last records of a world, which prepare an inspector for the next one. */
#ifndef KSI_REPORT_RECORDING_LEAD_H
#define KSI_REPORT_RECORDING_LEAD_H

#include "../../replay/record.h"

#include <kinetostat/status.h>

/* Of so many bytes a lead has two, at most, and a record. */
enum { KSI_LEAD_BYTES = 1 << 24 };

/* Records, one behind the other, that were made in so many seconds. */
typedef struct ksiSpan {
    char *at;
    size_t used, capacity;
    double seconds;
} ksiSpan;

/* The last span that took the window, and what has come since. An inspector that begins with them has in the first record that comes the same window of
 * means as one that has seen all: its blocks begin anew with each span (ksiMeanClock). */
typedef struct ksiLead {
    ksiSpan last, next;
} ksiLead;

/* window: ksInspectorOptions::meanWindow. KS_OK, KS_ERROR_NO_MEMORY. */
KS_MUST_USE ksStatus ksiLeadAdd(ksiLead *lead, double window, const ksiStepRecord *record);
KS_MUST_USE ksStatus ksiLeadCopy(const ksiLead *lead, ksiLead *out);

/* Nothing that comes knows of what was added. Free: also one that is all zero. */
void ksiLeadClear(ksiLead *lead);
void ksiLeadFree(ksiLead *lead);

/* The first record with NULL, then that behind it; NULL: there are no more. */
const ksiStepRecord *ksiLeadNext(const ksiLead *lead, const ksiStepRecord *record);

#endif
