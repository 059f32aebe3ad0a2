/* loads.h  Limits on forces and torques of joints: physical values, or means. */
#ifndef KSI_REPORT_FINDINGS_LOADS_H
#define KSI_REPORT_FINDINGS_LOADS_H

#include "joint_case.h"

enum { KSI_MOST_LOADS = 64 };

/* A limit on joints whose name matches; NULL: on each joint. */
typedef struct ksiMostLoad {
    const char *joints;
    double most; /* N, N.m */
    int size;    /* KSI_FORCE, KSI_TORQUE */
} ksiMostLoad;

/* For documents; the list stays the caller's. window: 0, or s: the limits apply to means over this
 * window. */
void ksiReportLimitLoads(ksReport *report, const ksiMostLoad *load, size_t count, double window);

/* Which loads of joints count: KSI_IN_STEPS or KSI_IN_WINDOWS. */
int ksiLimitedSpan(const ksReport *report);

/* A case for each pair of a joint and a matching limit. Limits that match no joint, and worlds with
 * ksiIsWorldUntold, are unknown cases. */
void ksiCheckLoads(const ksiView *view, ksiCases *cases);

#endif
