/* pairs.h  Pairs of bodies whose contacts the host measures (ksInspectorPair). */
#ifndef KSI_REPORT_COLLECT_PAIRS_H
#define KSI_REPORT_COLLECT_PAIRS_H

#include "stats.h"

/* Adds the step of the last naming update; of equal pairs only the first one. false: out of
 * memory. */
bool ksiPairsAdd(const ksAllocator *allocator, ksiPairs *pairs, const ksInspector *inspector, const ksiNaming *naming,
                 const ksiStepInfo *info, const ksReportOptions *options);
bool ksiPairsMerge(const ksAllocator *allocator, ksiPairs *into, const ksiPairs *from);
void ksiPairsFree(const ksAllocator *allocator, ksiPairs *pairs);

/* Finds the pair of these bodies, or inserts it in order. NULL: out of memory. */
ksiPairStats *ksiPairMake(const ksAllocator *allocator, ksiPairs *pairs, const int body[2]);

#endif
