/* pairs.c  Pairs of bodies whose contacts the host measures: magnitudes of forces, friction, centre
 * of pressure. */
#include "pairs.h"

#include "../../base/duration.h"
#include "../../base/sorted.h"
#include "../files/joint_type.h"
#include "metrics.h"

#include <math.h>
#include <string.h>

/* --- The list --- */

ksiPairStats *ksiPairMake(const ksAllocator *allocator, ksiPairs *pairs, const int body[2])
{
    return ksiFindOrInsert(allocator, body, 2 * sizeof *body, ksiByTwo, &pairs->at, &pairs->capacity, &pairs->count,
                           sizeof *pairs->at);
}

bool ksiPairsMerge(const ksAllocator *allocator, ksiPairs *into, const ksiPairs *from)
{
    bool isWhole = true;
    for (size_t i = 0; i < from->count && isWhole; i++) {
        ksiPairStats *pair = ksiPairMake(allocator, into, from->at[i].body);
        isWhole = pair && ksiMetricsMerge(allocator, &ksiPairMetrics, pair, &from->at[i]);
    }
    return isWhole;
}

void ksiPairsFree(const ksAllocator *allocator, ksiPairs *pairs)
{
    for (size_t i = 0; i < pairs->count; i++)
        ksiMetricsFree(allocator, &ksiPairMetrics, &pairs->at[i]);
    ksiFree(allocator, pairs->at);
}

/* --- A step --- */

/* Magnitudes; NaN: unknown. For the centre of pressure: its distance from the line through the mass
 * centre along the normal. */
typedef struct Sizes {
    double force[KSI_PAIR_FORCES], peak[KSI_PAIR_PEAKS], bar[KSI_PAIR_PEAKS];
} Sizes;

static double acrossOf(const double v[3], const double n[3])
{
    double across[3];
    ksiCopy(across, v);
    ksiAddScaled(across, -ksiDot(v, n), n);
    return ksiLength(across);
}

/* The physical force is that of the last step. The other values are unknown until the window is
 * complete. */
static Sizes measure(const ksMean *mean, double window)
{
    const bool isWhole = ksiFills(mean->time, window);
    const double force = isWhole ? ksiLength(mean->wrench.force) : NAN, physical = ksiLength(mean->physical.force);
    return (Sizes){.force = {force, physical, isWhole ? ksiLength(mean->deviation.force) : NAN},
                   .peak = {force, physical, isWhole ? mean->frictionUse : NAN,
                            isWhole ? acrossOf(mean->centre, mean->normal) : NAN},
                   .bar = {ksiLength(mean->bar.force), ksiLength(mean->physicalBar.force), mean->frictionUseBar,
                           ksiLength(mean->centreBar)}};
}

static bool addSizes(const ksAllocator *allocator, const Sizes *sizes, const ksiStepInfo *info, ksiPairStats *pair)
{
    bool isWhole = true;
    for (int i = 0; i < KSI_PAIR_FORCES; i++)
        isWhole =
            isWhole && (!isfinite(sizes->force[i]) || ksiHistogramAdd(allocator, &pair->force[i], sizes->force[i]));
    for (int i = 0; i < KSI_PAIR_PEAKS; i++) {
        const ksiReach reach = {true, info->step, info->time, sizes->peak[i], sizes->bar[i]};
        if (isfinite(reach.value) && isfinite(reach.bar))
            ksiBorneNote(&pair->peak[i], &reach);
        else
            pair->peak[i].untold += isfinite(reach.value) ? 1 : 0;
    }
    for (int i = KSI_PAIR_OF_FRICTION; i < KSI_PAIR_PEAKS; i++)
        isWhole = isWhole && (!isfinite(sizes->peak[i]) ||
                              ksiHistogramAdd(allocator, &pair->size[i - KSI_PAIR_OF_FRICTION], sizes->peak[i]));
    return isWhole;
}

static bool addStep(const ksAllocator *allocator, const ksMean *mean, double window, const ksiStepInfo *info,
                    ksiPairStats *pair)
{
    const Sizes sizes = measure(mean, window);
    if (pair->next == info->step + 1)
        return true;
    pair->next = info->step + 1;
    pair->window = fmax(pair->window, window);
    pair->steps++;
    pair->touching += mean->contactShare > 0;
    if (mean->physicalReasons != KS_REASON_NOT_ASKED) {
        pair->verdict[mean->physicalVerdict]++;
        for (int i = 0; i < KSI_PAIR_REASONS; i++)
            pair->reason[i] += mean->physicalReasons >> i & 1;
    }
    return addSizes(allocator, &sizes, info, pair);
}

bool ksiPairsAdd(const ksAllocator *allocator, ksiPairs *pairs, const ksInspector *inspector, const ksiNaming *naming,
                 const ksiStepInfo *info, const ksReportOptions *options)
{
    bool isWhole = true;
    for (ksPair pair = {0}; ksInspectorGetNextPair(inspector, pair.subscription, &pair);) {
        const ksiIdentity *identity = ksiIdentifyPair(naming, pair.a, pair.b);
        const int body[2] = {ksiBodyNumber(naming, pair.a), ksiBodyNumber(naming, pair.b)};
        ksMean mean;
        isWhole &= identity != NULL;
        if (!identity || !ksiIsSelected(options, identity) || body[0] > KSI_MOST_NUMBER || body[1] > KSI_MOST_NUMBER ||
            ksInspectorGetMean(inspector, pair.subscription, &mean))
            continue;
        ksiPairStats *made = ksiPairMake(allocator, pairs, body);
        isWhole &= made && addStep(allocator, &mean, pair.window, info, made);
    }
    return isWhole;
}
