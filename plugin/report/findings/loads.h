/* loads.h  Limits on forces and torques of joints: physical values, or means. */
#ifndef KSI_REPORT_FINDINGS_LOADS_H
#define KSI_REPORT_FINDINGS_LOADS_H

#include "joint_case.h"

enum { KSI_MOST_LOADS = 64 };

/* A limit for the joints whose name matches `joints`; NULL: for each joint. */
typedef struct ksiMostLoad {
    const char *joints;
    double most; /* N, N.m */
    int size;    /* KSI_FORCE, KSI_TORQUE */
} ksiMostLoad;

/* Makes documents check these limits; the caller keeps the list. window, s: the limits apply to
 * means over it; 0: they apply to each step. */
void ksiReportLimitLoads(ksReport *report, const ksiMostLoad *load, size_t count, double window);

/* The loads of joints that limits apply to: KSI_IN_STEPS or KSI_IN_WINDOWS. */
int ksiLimitedSpan(const ksReport *report);

/* Adds a case for each pair of a joint and a matching limit. Limits that match no joint, and worlds
 * with ksiIsWorldUntold, are unknown cases. */
void ksiCheckLoads(const ksiView *view, ksiCases *cases);

#endif
