/* loads.h  Limits on forces and torques of joints: physical values, or means. */
#ifndef KSI_REPORT_FINDINGS_LOADS_H
#define KSI_REPORT_FINDINGS_LOADS_H

#include "joint_case.h"

enum { KSI_MOST_LOADS = 64 };

/* Of joints whose name matches: NULL: of each. */
typedef struct ksiMostLoad {
    const char *joints;
    double most; /* N, N.m */
    int size;    /* KSI_FORCE, KSI_TORQUE */
} ksiMostLoad;

/* For documents; the list stays the caller's. window: 0, or limits are for means over so many s. */
void ksiReportLimitLoads(ksReport *report, const ksiMostLoad *load, size_t count, double window);

/* Which loads of joints count: KSI_IN_STEPS or KSI_IN_WINDOWS. */
int ksiLimitedSpan(const ksReport *report);

/* A case for each pair of a joint and a limit that is for it, and for a limit that is for none, and each world that is untold (ksiIsWorldUntold): nobody knows. */
void ksiCheckLoads(const ksiView *view, ksiCases *cases);

#endif
