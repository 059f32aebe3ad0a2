/* loads.h  How large the physical forces and torques of joints may be. */
#ifndef KSI_REPORT_LOADS_H
#define KSI_REPORT_LOADS_H

#include "cases.h"

enum { KSI_MOST_LOADS = 64 };

/* Of joints whose name matches: NULL: of each. */
typedef struct ksiMostLoad {
    const char *joints;
    double most; /* N, N.m */
    int size;    /* KSI_FORCE, KSI_TORQUE */
} ksiMostLoad;

/* For documents; the list stays the caller's. */
void ksiReportLimitLoads(ksReport *report, const ksiMostLoad *load, size_t count);

/* A case for each pair of a joint and a limit that is for it, and for a limit that is for none, and each world that is untold (ksiIsWorldUntold): nobody knows. */
void ksiCheckLoads(const ksiView *view, ksiCases *cases);

#endif
