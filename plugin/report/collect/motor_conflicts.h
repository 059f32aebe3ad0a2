/* motor_conflicts.h  Motors that work against each other. */
#ifndef KSI_REPORT_COLLECT_MOTOR_CONFLICTS_H
#define KSI_REPORT_COLLECT_MOTOR_CONFLICTS_H

#include "stats.h"

/* Adds the inspector's last step. groups: workspace that is kept between steps. false: out of
 * memory. */
bool ksiMotorConflictsAdd(const ksAllocator *allocator, ksiMap *groups, ksiWorldStats *world,
                          const ksInspector *inspector, const ksiNaming *naming);

#endif
