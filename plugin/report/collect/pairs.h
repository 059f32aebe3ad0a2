/* pairs.h  Pairs of bodies in contact that the host measures (ksInspectorPair). */
#ifndef KSI_REPORT_COLLECT_PAIRS_H
#define KSI_REPORT_COLLECT_PAIRS_H

#include "stats.h"

/* Adds the step of the last naming update; of equal pairs only the first. false: out of memory. */
bool ksiPairsAdd(const ksAllocator *allocator, ksiPairs *pairs, const ksInspector *inspector, const ksiNaming *naming,
                 const ksiStepInfo *info, const ksReportOptions *options);
bool ksiPairsMerge(const ksAllocator *allocator, ksiPairs *into, const ksiPairs *from);
void ksiPairsFree(const ksAllocator *allocator, ksiPairs *pairs);

/* The pair of these bodies, inserted in order if it is new; NULL: out of memory. */
ksiPairStats *ksiPairMake(const ksAllocator *allocator, ksiPairs *pairs, const int body[2]);

#endif
