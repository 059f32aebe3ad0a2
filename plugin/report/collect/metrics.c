/* metrics.c  The table of all quantities that a report keeps; merges and frees them. */
#include "metrics.h"

#include "../../base/sorted.h"

#include <math.h>
#include <string.h>

const char *const ksiLoadName[KSI_LOADS] = {"engine", "converged", "physical", "observed",
                                            "shared", "mean",      "departure"};
const ksiQuantity ksiQuantities[KSI_SIZES] = {{"force", "N"}, {"torque", "N.m"}};

static const char *verdictName(int i)
{
    return ksVerdictName((ksVerdict)i);
}

static const char *reasonName(int i)
{
    return ksReasonName(UINT64_C(1) << i);
}

static const char *loadName(int i)
{
    return ksiLoadName[i];
}

static const char *sizeName(int i)
{
    return ksiQuantities[i].name;
}

static const char *pairForceName(int i)
{
    static const char *const name[KSI_PAIR_FORCES] = {"mean", "physical", "deviation"};
    return name[i];
}

static const char *pairPeakName(int i)
{
    static const char *const name[KSI_PAIR_PEAKS] = {"mean", "physical", "frictionUse", "centre"};
    return name[i];
}

static const char *gapName(int i)
{
    return i == KSI_APART ? "linear" : "angular";
}

/* Members of STRUCTURE: one quantity, or several with names of their own. */
#define ONE(name, kind, member) SOME(name, kind, member, 1, NULL, 0)
#define SOME(name, kind, member, count, nameOf, always)                                                                \
    name, KSI_KIND_##kind, offsetof(STRUCTURE, member), sizeof((STRUCTURE *)0)->member, count, nameOf, always
#define TABLE(rows) rows, sizeof rows / sizeof *rows, sizeof(STRUCTURE)

#define STRUCTURE ksiJointStats
static const ksiMetric jointRow[] = {
    {ONE(NULL, COUNT, steps)},
    {SOME("verdicts", COUNT, verdict, KSI_VERDICTS, verdictName, KSI_VERDICTS)},
    {SOME("reasons", COUNT, reason, KSI_REASONS, reasonName, 0)},
    {ONE(NULL, COUNT, unexplained)},
    {SOME(NULL, COUNT, unknown, KSI_ERRORS, NULL, 0)},
    {ONE("error", ERROR, error[KSI_SOLVER])},
    {ONE("physicalError", ERROR, error[KSI_MODEL])},
    {ONE("undetermined", UNDETERMINED, undetermined)},
    {SOME("force", HISTOGRAM, load[KSI_FORCE], KSI_LOADS, loadName, KSI_OF_MOTION)},
    {SOME("torque", HISTOGRAM, load[KSI_TORQUE], KSI_LOADS, loadName, KSI_OF_MOTION)},
    {SOME("peak", MOMENT, peak, KSI_SIZES, sizeName, KSI_SIZES)},
    {SOME(NULL, BORNE, borne[KSI_IN_STEPS], KSI_SIZES, NULL, 0)},
    {SOME("peakMean", BORNE, borne[KSI_IN_WINDOWS], KSI_SIZES, sizeName, KSI_SIZES)},
    {ONE("motors", MOTORS, motor)},
    {SOME("gap", GAP, gap, KSI_GAPS, gapName, KSI_GAPS)},
    {ONE(NULL, OPENING, opening)},
    {ONE("massRatio", LARGEST, massRatio)},
    {ONE("compliance", COMPLIANCE, compliance)},
};
const ksiMetrics ksiJointMetrics = {TABLE(jointRow)};
#undef STRUCTURE

#define STRUCTURE ksiContactStats
static const ksiMetric contactRow[] = {
    {ONE("reactions", COUNT, count)},
    {ONE("steps", COUNT, steps)},
    {SOME("verdicts", COUNT, verdict, KSI_VERDICTS, verdictName, KSI_VERDICTS)},
    {SOME("reasons", COUNT, reason, KSI_REASONS, reasonName, 0)},
    {ONE("error", ERROR, error)},
};
const ksiMetrics ksiContactMetrics = {TABLE(contactRow)};
#undef STRUCTURE

#define STRUCTURE ksiPairStats
static const ksiMetric pairRow[] = {
    {ONE("steps", COUNT, steps)},
    {ONE("touching", COUNT, touching)},
    {ONE("window", LARGEST, window)},
    {SOME("verdicts", COUNT, verdict, KSI_VERDICTS, verdictName, KSI_VERDICTS)},
    {SOME("reasons", COUNT, reason, KSI_PAIR_REASONS, reasonName, 0)},
    {SOME("force", HISTOGRAM, force, KSI_PAIR_FORCES, pairForceName, KSI_PAIR_FORCES)},
    {ONE("frictionUse", HISTOGRAM, size[0])},
    {ONE("centre", HISTOGRAM, size[1])},
    {SOME("peak", BORNE, peak, KSI_PAIR_PEAKS, pairPeakName, KSI_PAIR_PEAKS)},
};
const ksiMetrics ksiPairMetrics = {TABLE(pairRow)};
#undef STRUCTURE

#define STRUCTURE ksiTried
static const ksiMetric triedRow[] = {
    {SOME(NULL, COUNT, steps, KSI_TRIALS, NULL, 0)},
    {SOME(NULL, COUNT, above, KSI_TRIALS, NULL, 0)},
};
const ksiMetrics ksiTriedMetrics = {TABLE(triedRow)};
#undef STRUCTURE

#define STRUCTURE ksiUsedIterations
static const ksiMetric usedRow[] = {{ONE(NULL, COUNT, steps)}};
const ksiMetrics ksiUsedMetrics = {TABLE(usedRow)};
#undef STRUCTURE

#define STRUCTURE ksiAdvice
static const ksiMetric adviceRow[] = {
    {ONE("steps", COUNT, steps)},
    {ONE("error", HISTOGRAM, error[KSI_SOLVER])},
    {ONE("worstJointError", HISTOGRAM, worst)},
    {ONE("inARow", HISTOGRAM, inARow)},
    {ONE("physicalError", HISTOGRAM, error[KSI_MODEL])},
    {ONE("netError", HISTOGRAM, net)},
};
const ksiMetrics ksiAdviceMetrics = {TABLE(adviceRow)};
#undef STRUCTURE

/* Documents show most of these elsewhere, among derived quantities. */
#define STRUCTURE ksiWorldStats
static const ksiMetric worldRow[] = {
    {ONE(NULL, COUNT, seen)},
    {ONE(NULL, COUNT, inspected)},
    {ONE(NULL, COUNT, leftOut)},
    {ONE(NULL, COUNT, tooMany)},
    {ONE(NULL, COUNT, estimatedSteps)},
    {SOME(NULL, COUNT, stepper, KSI_STEPPERS, NULL, 0)},
    {SOME("verdicts", COUNT, verdict, KSI_VERDICTS, verdictName, KSI_VERDICTS)},
    {ONE(NULL, HISTOGRAM, stepSize)},
    {ONE(NULL, ERROR, net)},
};
const ksiMetrics ksiWorldMetrics = {TABLE(worldRow)};
#undef STRUCTURE

/* --- Elements --- */

void ksiMomentNote(ksiMoment *largest, const ksiMoment *moment)
{
    const double size = moment->value * moment->load, before = largest->value * largest->load;
    const bool isLarger = !largest->isKnown || size > before || (size == before && moment->step < largest->step);
    if (moment->isKnown && isLarger)
        *largest = *moment;
}

static void noteBound(ksiReach *largest, const ksiReach *reach, int sign)
{
    const double bound = reach->value + sign * reach->bar, before = largest->value + sign * largest->bar;
    if (reach->isKnown && (!largest->isKnown || bound > before || (bound == before && reach->step < largest->step)))
        *largest = *reach;
}

void ksiBorneNote(ksiBorne *borne, const ksiReach *reach)
{
    noteBound(&borne->surely, reach, -1);
    noteBound(&borne->largest, reach, 0);
    noteBound(&borne->perhaps, reach, 1);
}

static void mergeBorne(ksiBorne *into, const ksiBorne *from)
{
    ksiBorneNote(into, &from->surely);
    ksiBorneNote(into, &from->largest);
    ksiBorneNote(into, &from->perhaps);
    into->untold += from->untold;
}

/* If shares are equal the larger cfm counts, so the order of merging does not matter. */
void ksiComplianceNote(ksiCompliance *largest, const ksiCompliance *compliance)
{
    const double softened = fmax(largest->softened, compliance->softened);
    if (compliance->share > largest->share || (compliance->share == largest->share && compliance->cfm > largest->cfm))
        *largest = *compliance;
    largest->softened = softened;
}

static bool mergeUndetermined(ksiUndetermined *into, const ksiUndetermined *from)
{
    if (from->mostDirections > into->mostDirections)
        into->mostDirections = from->mostDirections;
    for (int i = 0; i < KSI_COMPONENTS; i++)
        into->steps[i] += from->steps[i];
    return true;
}

static bool mergeError(const ksAllocator *allocator, ksiErrorStats *into, const ksiErrorStats *from)
{
    ksiMomentNote(&into->worst, &from->worst);
    return ksiHistogramMerge(allocator, &into->size, &from->size);
}

static bool merge(const ksAllocator *allocator, ksiKind kind, void *into, const void *from)
{
    switch (kind) {
    case KSI_KIND_COUNT:
        *(uint64_t *)into += *(const uint64_t *)from;
        return true;
    case KSI_KIND_LARGEST:
        *(double *)into = fmax(*(double *)into, *(const double *)from);
        return true;
    case KSI_KIND_HISTOGRAM:
        return ksiHistogramMerge(allocator, into, from);
    case KSI_KIND_ERROR:
        return mergeError(allocator, into, from);
    case KSI_KIND_MOMENT:
        return ksiMomentNote(into, from), true;
    case KSI_KIND_BORNE:
        return mergeBorne(into, from), true;
    case KSI_KIND_UNDETERMINED:
        return mergeUndetermined(into, from);
    case KSI_KIND_MOTORS:
        return ksiMotorsMerge(allocator, into, from);
    case KSI_KIND_GAP:
        return ksiGapNote(into, from), true;
    case KSI_KIND_OPENING:
        return ksiOpeningNote(into, from), true;
    case KSI_KIND_COMPLIANCE:
        return ksiComplianceNote(into, from), true;
    }
    return true;
}

bool ksiMetricsMerge(const ksAllocator *allocator, const ksiMetrics *metrics, void *into, const void *from)
{
    bool isWhole = true;
    for (const ksiMetric *row = metrics->row; row < metrics->row + metrics->count; row++)
        for (int i = 0; i < row->count && isWhole; i++)
            isWhole = merge(allocator, row->kind, ksiMetricAt(row, into, i), ksiMetricAt(row, from, i));
    return isWhole;
}

void ksiMetricsFree(const ksAllocator *allocator, const ksiMetrics *metrics, void *structure)
{
    for (const ksiMetric *row = metrics->row; row < metrics->row + metrics->count; row++)
        for (int i = 0; i < row->count; i++) {
            void *element = ksiMetricAt(row, structure, i);
            if (row->kind == KSI_KIND_HISTOGRAM)
                ksiHistogramFree(allocator, element);
            if (row->kind == KSI_KIND_ERROR)
                ksiHistogramFree(allocator, &((ksiErrorStats *)element)->size);
            if (row->kind == KSI_KIND_MOTORS)
                ksiMotorsFree(allocator, element);
        }
}

/* --- Lists --- */

static int byIterations(const void *key, const void *entry)
{
    const int a = *(const int *)key, b = *(const int *)entry;
    return (a > b) - (a < b);
}

void *ksiEntryMake(const ksAllocator *allocator, const ksiMetrics *metrics, ksiByIterations *list, int iterations)
{
    return ksiFindOrInsert(allocator, &iterations, sizeof iterations, byIterations, &list->at, &list->capacity,
                           &list->count, metrics->size);
}

bool ksiEntriesMerge(const ksAllocator *allocator, const ksiMetrics *metrics, ksiByIterations *into,
                     const ksiByIterations *from)
{
    bool isWhole = true;
    for (size_t i = 0; i < from->count && isWhole; i++) {
        const void *entry = ksiEntryAt(metrics, from, i);
        void *made = ksiEntryMake(allocator, metrics, into, *(const int *)entry);
        isWhole = made && ksiMetricsMerge(allocator, metrics, made, entry);
    }
    return isWhole;
}

void ksiEntriesFree(const ksAllocator *allocator, const ksiMetrics *metrics, ksiByIterations *list)
{
    for (size_t i = 0; i < list->count; i++)
        ksiMetricsFree(allocator, metrics, ksiEntryAt(metrics, list, i));
    ksiFree(allocator, list->at);
}
