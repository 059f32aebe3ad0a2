/* histogram.h  Distributions of a quantity, such as errors, newtons or seconds. Bins are 1 % wide.
 * The bin of number `b` >= 1 holds these values `x`:
 *
 *     1e-16 * 1.01^(b-1) <= x < 1e-16 * 1.01^b
 *
 * Bin 0 holds smaller values, and the last bin holds all values above 1e13. Counts are integers, so
 * histograms can be added in any order. */
#ifndef KSI_REPORT_COLLECT_HISTOGRAM_H
#define KSI_REPORT_COLLECT_HISTOGRAM_H

#include "../files/maps.h"
#include "../files/stream.h"

enum { KSI_BIN_LAST = 6712 };

typedef struct ksiBin {
    unsigned number;
    uint64_t count;
} ksiBin;

/* All zero: empty. */
typedef struct ksiHistogram {
    ksiBin *bin; /* the bins with counts, in order */
    size_t count, capacity;
    uint64_t total;
    double largest; /* exact; 0 while empty */
} ksiHistogram;

/* x >= 0. false: out of memory, nothing changed. */
bool ksiHistogramAdd(const ksAllocator *allocator, ksiHistogram *histogram, double x);
bool ksiHistogramMerge(const ksAllocator *allocator, ksiHistogram *into, const ksiHistogram *from);
void ksiHistogramFree(const ksAllocator *allocator, ksiHistogram *histogram);

/* The percentile, to 0.5 %; 100: the exact largest value. NaN: empty. */
double ksiQuantile(const ksiHistogram *histogram, double percent);

void ksiStreamHistogram(ksiStream *s, ksiHistogram *histogram);

/* The lower end of a bin; 0 for bin 0. */
double ksiBinBegin(unsigned bin);

#endif
