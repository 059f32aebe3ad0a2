/* metrics.h  The table of all quantities that a report keeps of joints, contacts, worlds and
 * trials.
 *
 * To merge and free quantities (metrics.c), to save them (runs/metrics_data.c) and to write JSON
 * (document/json_metrics.c), functions visit the rows of the table in order. */
#ifndef KSI_REPORT_COLLECT_METRICS_H
#define KSI_REPORT_COLLECT_METRICS_H

#include "stats.h"

/* The type of a quantity. It decides how parts of a run are merged, and which form the quantity has
 * in files and documents. */
typedef enum ksiKind {
    KSI_KIND_COUNT,        /* uint64_t; merged by addition */
    KSI_KIND_LARGEST,      /* double; a merge keeps the largest; 0: unknown */
    KSI_KIND_HISTOGRAM,    /* ksiHistogram; bins are added, documents have quantiles */
    KSI_KIND_ERROR,        /* ksiErrorStats */
    KSI_KIND_MOMENT,       /* ksiMoment; a merge keeps the largest, the earliest of equal ones */
    KSI_KIND_BORNE,        /* ksiBorne; documents have the largest value */
    KSI_KIND_UNDETERMINED, /* ksiUndetermined */
    KSI_KIND_MOTORS,       /* ksiMotorStats[KSI_MOTORS] */
    KSI_KIND_GAP,          /* ksiGap; a merge keeps the largest; a page omits it for joints
                              without curves */
    KSI_KIND_OPENING,      /* ksiOpening; a merge keeps the first */
    KSI_KIND_COMPLIANCE    /* ksiCompliance; a merge keeps the largest shares */
} ksiKind;

typedef struct ksiMetric {
    const char *name; /* key in JSON; NULL: documents omit it */
    ksiKind kind;
    size_t offset, size;        /* offset of the member; its size */
    int count;                  /* number of the member's elements */
    const char *(*nameOf)(int); /* key of an element; NULL: there is only one */
    int always;                 /* this many elements have keys even if they are empty */
} ksiMetric;

typedef struct ksiMetrics {
    const ksiMetric *row;
    size_t count, size; /* number of rows; size of the structure */
} ksiMetrics;

extern const ksiMetrics ksiJointMetrics;   /* ksiJointStats */
extern const ksiMetrics ksiContactMetrics; /* ksiContactStats */
extern const ksiMetrics ksiPairMetrics;    /* ksiPairStats */
extern const ksiMetrics ksiTriedMetrics;   /* ksiTried */
extern const ksiMetrics ksiAdviceMetrics;  /* ksiAdvice */
extern const ksiMetrics ksiUsedMetrics;    /* ksiUsedIterations */
extern const ksiMetrics ksiWorldMetrics;   /* ksiWorldStats */

/* An element of the structure's member. */
static inline void *ksiMetricAt(const ksiMetric *metric, const void *structure, int element)
{
    return (char *)(uintptr_t)structure + metric->offset + (size_t)element * (metric->size / (size_t)metric->count);
}

/* Merge or free all quantities of a structure. false: out of memory. */
bool ksiMetricsMerge(const ksAllocator *allocator, const ksiMetrics *metrics, void *into, const void *from);
void ksiMetricsFree(const ksAllocator *allocator, const ksiMetrics *metrics, void *structure);

/* Merge and free lists. Make returns the entry for this number of iterations, added if it is new;
 * NULL: out of memory. */
void *ksiEntryMake(const ksAllocator *allocator, const ksiMetrics *metrics, ksiByIterations *list, int iterations);
bool ksiEntriesMerge(const ksAllocator *allocator, const ksiMetrics *metrics, ksiByIterations *into,
                     const ksiByIterations *from);
void ksiEntriesFree(const ksAllocator *allocator, const ksiMetrics *metrics, ksiByIterations *list);

static inline void *ksiEntryAt(const ksiMetrics *metrics, const ksiByIterations *list, size_t index)
{
    return (char *)list->at + index * metrics->size;
}

#endif
