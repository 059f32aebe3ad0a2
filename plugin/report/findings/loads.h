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

/* Sets the limits that documents check; the caller keeps the list. window, s: the limits apply to
 * means over this window; 0: the limits apply to each step. */
void ksiReportLimitLoads(ksReport *report, const ksiMostLoad *load, size_t count, double window);

/* Says whether the limits apply to each step (KSI_IN_STEPS) or to means (KSI_IN_WINDOWS). */
int ksiLimitedSpan(const ksReport *report);

/* Adds a case for each pair of a joint and a matching limit. Also adds an unknown case for each
 * limit that matches no joint, and for each world for which ksiIsWorldUntold returns true. */
void ksiCheckLoads(const ksiView *view, ksiCases *cases);

#endif
