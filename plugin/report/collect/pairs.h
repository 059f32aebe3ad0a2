/* pairs.h  Pairs of bodies in contact that the host measures (ksInspectorPair). */
#ifndef KSI_REPORT_COLLECT_PAIRS_H
#define KSI_REPORT_COLLECT_PAIRS_H

#include "stats.h"

/* The step of the last update of naming; of several pairs of the same bodies the first one. false: out of memory. */
bool ksiPairsAdd(const ksAllocator *allocator, ksiPairs *pairs, const ksInspector *inspector, const ksiNaming *naming,
                 const ksiStepInfo *info, const ksReportOptions *options);
bool ksiPairsMerge(const ksAllocator *allocator, ksiPairs *into, const ksiPairs *from);
void ksiPairsFree(const ksAllocator *allocator, ksiPairs *pairs);

/* The pair of these bodies, made where it belongs if there is none; NULL: out of memory. */
ksiPairStats *ksiPairMake(const ksAllocator *allocator, ksiPairs *pairs, const int body[2]);

#endif
