/* lead.h  Keeps the last records of a world. An inspector that sees them first can judge the next
 * record. */
#ifndef KSI_REPORT_RECORDING_LEAD_H
#define KSI_REPORT_RECORDING_LEAD_H

#include "../../replay/record.h"

#include <kinetostat/status.h>

/* A lead holds at most two spans of this size, and a record. */
enum { KSI_LEAD_BYTES = 1 << 24 };

/* Consecutive records and their total time, s. */
typedef struct ksiSpan {
    char *at;
    size_t used, capacity;
    double seconds;
} ksiSpan;

/* The last span that filled the window or reached KSI_LEAD_BYTES, and the records after it. An
 * inspector that starts with them has the same window of means as one that has seen all records:
 * its blocks restart with each span (ksiMeanClock). */
typedef struct ksiLead {
    ksiSpan last, next;
} ksiLead;

/* window: ksInspectorOptions::meanWindow. KS_OK, KS_ERROR_NO_MEMORY. */
KS_MUST_USE ksStatus ksiLeadAdd(ksiLead *lead, double window, const ksiStepRecord *record);
KS_MUST_USE ksStatus ksiLeadCopy(const ksiLead *lead, ksiLead *out);

/* Clear forgets all records. Free accepts a zero-initialised lead. */
void ksiLeadClear(ksiLead *lead);
void ksiLeadFree(ksiLead *lead);

/* Returns the record after this one; record NULL: the first one. Returns NULL after the last
 * one. */
const ksiStepRecord *ksiLeadNext(const ksiLead *lead, const ksiStepRecord *record);

#endif
