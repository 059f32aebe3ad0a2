/* opposed.h  Motors that work against each other. */
#ifndef KSI_REPORT_COLLECT_OPPOSED_H
#define KSI_REPORT_COLLECT_OPPOSED_H

#include "stats.h"

/* Of the inspector's last step; groups: room, kept from step to step. false: out of memory. */
bool ksiOpposedAdd(const ksAllocator *allocator, ksiMap *groups, ksiWorldStats *world, const ksInspector *inspector,
                   const ksiNaming *naming);

#endif
