/* timeline.h  A run in a limited number of buckets of 2^k steps. Bucket `i` holds the steps from
 * i 2^k to (i+1) 2^k - 1, so parts of a run with different bucket sizes can be merged. */
#ifndef KSI_REPORT_COLLECT_TIMELINE_H
#define KSI_REPORT_COLLECT_TIMELINE_H

#include "../files/maps.h"

/* Adds bucket `from` to `into`. Buckets are zero at first. */
typedef void ksiAddBucketFn(void *into, const void *from);

/* Zero-initialised apart from size, add and k: empty. */
typedef struct ksiTimeline {
    size_t size; /* size of a bucket, bytes */
    ksiAddBucketFn *add;
    unsigned k;
    uint64_t first; /* number of the first bucket */
    unsigned char *bucket;
    size_t count, capacity;
} ksiTimeline;

/* The smallest k for which the steps [first, last] need at most `most` buckets; most >= 1. */
unsigned ksiTimelineExponent(uint64_t first, uint64_t last, size_t most);

/* Makes buckets at least 2^k steps long from this call on. */
void ksiTimelineCoarsen(ksiTimeline *timeline, unsigned k);

/* The bucket of a step, created if needed; NULL: out of memory. */
void *ksiTimelineAt(const ksAllocator *allocator, ksiTimeline *timeline, uint64_t step);

/* Adds the buckets of `from`, whose k must not exceed the k of `into`. false: out of memory. */
bool ksiTimelineMerge(const ksAllocator *allocator, ksiTimeline *into, const ksiTimeline *from);
void ksiTimelineFree(const ksAllocator *allocator, ksiTimeline *timeline);

#endif
