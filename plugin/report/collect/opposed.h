/* opposed.h  Motors that work against each other. */
#ifndef KSI_REPORT_COLLECT_OPPOSED_H
#define KSI_REPORT_COLLECT_OPPOSED_H

#include "stats.h"

/* Adds the inspector's last step. groups: memory, kept between steps. false: out of memory. */
bool ksiOpposedAdd(const ksAllocator *allocator, ksiMap *groups, ksiWorldStats *world, const ksInspector *inspector,
                   const ksiNaming *naming);

#endif
