/* histogram.c  Adds values to histograms, merges histograms, and finds percentiles. */
#include "histogram.h"

#include "../../base/sorted.h"

#include <math.h>
#include <string.h>

static const double smallest = 1e-16, width = 1.01;

static unsigned binOf(double x)
{
    if (!(x >= smallest))
        return 0;
    const double bin = 1 + floor(log(x / smallest) / log(width));
    return bin < KSI_BIN_LAST ? (unsigned)bin : KSI_BIN_LAST;
}

double ksiBinBegin(unsigned bin)
{
    return bin == 0 ? 0 : smallest * pow(width, bin - 1.0);
}

static int byNumber(const void *key, const void *element)
{
    const unsigned a = *(const unsigned *)key, b = ((const ksiBin *)element)->number;
    return (a > b) - (a < b);
}

/* The first bin with this number or a higher one. Numbers are distinct, so the search covers at
 * most as many bins as numbers are missing. */
static size_t placeOf(const ksiHistogram *histogram, unsigned number)
{
    const size_t count = histogram->count;
    if (count == 0)
        return 0;
    const unsigned first = histogram->bin[0].number, last = histogram->bin[count - 1].number;
    const size_t below = number > first ? number - first : 0, above = number <= last ? last - number + 1 : 0;
    const size_t low = count > above ? count - above : 0, high = count < below ? count : below;
    return low + ksiPlaceOf(&number, byNumber, histogram->bin + low, high - low, sizeof *histogram->bin);
}

static bool addBin(const ksAllocator *allocator, ksiHistogram *histogram, unsigned number, uint64_t count)
{
    const size_t place = placeOf(histogram, number);
    if (place == histogram->count || histogram->bin[place].number != number) {
        ksiBin *made = ksiInsertAt(allocator, &histogram->bin, &histogram->capacity, &histogram->count,
                                   sizeof *histogram->bin, place);
        if (!made)
            return false;
        made->number = number;
    }
    histogram->bin[place].count += count;
    histogram->total += count;
    return true;
}

bool ksiHistogramAdd(const ksAllocator *allocator, ksiHistogram *histogram, double x)
{
    if (!addBin(allocator, histogram, binOf(x), 1))
        return false;
    if (x > histogram->largest)
        histogram->largest = x;
    return true;
}

bool ksiHistogramMerge(const ksAllocator *allocator, ksiHistogram *into, const ksiHistogram *from)
{
    for (size_t i = 0; i < from->count; i++) {
        if (!addBin(allocator, into, from->bin[i].number, from->bin[i].count))
            return false;
    }
    if (from->largest > into->largest)
        into->largest = from->largest;
    return true;
}

void ksiHistogramFree(const ksAllocator *allocator, ksiHistogram *histogram)
{
    ksiFree(allocator, histogram->bin);
    *histogram = (ksiHistogram){0};
}

double ksiQuantile(const ksiHistogram *histogram, double percent)
{
    if (histogram->total == 0)
        return NAN;
    // rounding must not raise 95 % of 100 above 95
    const double rank = ceil(percent / 100 * (double)histogram->total * (1 - 1e-12));
    uint64_t below = 0;
    if (percent >= 100)
        return histogram->largest;
    for (size_t i = 0; i < histogram->count; i++) {
        const unsigned number = histogram->bin[i].number;
        below += histogram->bin[i].count;
        if ((double)below < rank)
            continue;
        if (number == 0)
            return 0;
        const double middle = ksiBinBegin(number) * sqrt(width);
        return number < KSI_BIN_LAST && middle < histogram->largest ? middle : histogram->largest;
    }
    return histogram->largest;
}

void ksiStreamHistogram(ksiStream *s, ksiHistogram *histogram)
{
    uint64_t count = histogram->count, bin = 0;
    ksiStreamKnown(s, &histogram->largest);
    ksiStreamRequire(s, histogram->largest >= 0);
    ksiStreamCount(s, &count);
    for (uint64_t i = 0; i < count && ksiStreamIsGood(s); i++) {
        uint64_t step = s->out ? histogram->bin[i].number - bin : 0, met = s->out ? histogram->bin[i].count : 0;
        ksiStreamUpTo(s, &step, KSI_BIN_LAST);
        ksiStreamCount(s, &met);
        bin += step;
        ksiStreamRequire(s, (i == 0 || step > 0) && bin <= KSI_BIN_LAST && met > 0);
        if (!s->out && ksiStreamIsGood(s))
            ksiStreamNeed(s, addBin(s->allocator, histogram, (unsigned)bin, met));
    }
}
