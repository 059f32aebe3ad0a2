/* loads.h  How large the physical forces and torques of joints may be. */
#ifndef KSI_REPORT_LOADS_H
#define KSI_REPORT_LOADS_H

#include "text.h"
#include "view.h"

enum { KSI_MOST_LOADS = 64 };

/* Of joints whose name matches: NULL: of each. */
typedef struct ksiMostLoad {
    const char *joints;
    double most; /* N, N.m */
    int size;    /* KSI_FORCE, KSI_TORQUE */
} ksiMostLoad;

/* For documents; the list stays the caller's. */
void ksiReportLimitLoads(ksReport *report, const ksiMostLoad *load, size_t count);

/* Pairs of a joint and a limit, by what is known of the largest load: it is beyond the limit, whatever the bar; or the bar does not tell, or no joint was
 * found that the limit is for. KS_OK, KS_ERROR_NO_MEMORY. */
KS_MUST_USE ksStatus ksiReportCountLoads(const ksReport *report, size_t *exceeded, size_t *untold);

/* Where there are limits: as text, and as a test suite of JUnit, of which tests fail or are errors. */
void ksiWriteLoads(const ksiView *view, ksiText *out);
void ksiWriteLoadsJunit(const ksiView *view, ksiText *out);
void ksiCountLoads(const ksiView *view, size_t *tests, size_t *exceeded, size_t *untold);

#endif
