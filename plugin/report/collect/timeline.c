/* timeline.c  A run in a limited number of buckets of 2^k steps. */
#include "timeline.h"

#include <string.h>

unsigned ksiTimelineExponent(uint64_t first, uint64_t last, size_t most)
{
    unsigned k = 0;
    while ((last >> k) - (first >> k) >= most)
        k++;
    return k;
}

static void *at(const ksiTimeline *timeline, size_t index)
{
    return timeline->bucket + index * timeline->size;
}

void ksiTimelineCoarsen(ksiTimeline *timeline, unsigned k)
{
    if (k <= timeline->k)
        return;
    const unsigned shift = k - timeline->k;
    const uint64_t first = timeline->first >> shift;
    size_t count = 0;
    // in place: the index of a sum is at most the index of its parts
    for (size_t i = 0; i < timeline->count; i++) {
        const size_t to = (size_t)(((timeline->first + i) >> shift) - first);
        if (to < count)
            timeline->add(at(timeline, to), at(timeline, i));
        else
            memmove(at(timeline, count++), at(timeline, i), timeline->size);
    }
    timeline->k = k;
    timeline->first = first;
    timeline->count = count;
}

void *ksiTimelineAt(const ksAllocator *allocator, ksiTimeline *timeline, uint64_t step)
{
    const uint64_t index = step >> timeline->k;
    if (timeline->count == 0)
        timeline->first = index;
    const size_t before = index < timeline->first ? (size_t)(timeline->first - index) : 0;
    const size_t reach = before + (index < timeline->first ? 0 : (size_t)(index - timeline->first) + 1);
    const size_t wanted = before + (reach - before > timeline->count ? reach - before : timeline->count);
    if (ksiReserve(allocator, &timeline->bucket, &timeline->capacity, wanted, timeline->size))
        return NULL;
    if (before > 0)
        memmove(at(timeline, before), at(timeline, 0), timeline->count * timeline->size);
    if (before > 0)
        memset(at(timeline, 0), 0, before * timeline->size);
    timeline->count += before;
    timeline->first -= before;
    if (wanted > timeline->count)
        memset(at(timeline, timeline->count), 0, (wanted - timeline->count) * timeline->size);
    timeline->count = wanted;
    return at(timeline, (size_t)(index - timeline->first));
}

bool ksiTimelineMerge(const ksAllocator *allocator, ksiTimeline *into, const ksiTimeline *from)
{
    for (size_t i = 0; i < from->count; i++) {
        void *bucket = ksiTimelineAt(allocator, into, (from->first + i) << from->k);
        if (!bucket)
            return false;
        into->add(bucket, at(from, i));
    }
    return true;
}

void ksiTimelineFree(const ksAllocator *allocator, ksiTimeline *timeline)
{
    ksiFree(allocator, timeline->bucket);
    timeline->bucket = NULL;
    timeline->count = timeline->capacity = 0;
}
