/* metrics_data.c  Quantities of a report as bytes: see data.c. */
#include "metrics_data.h"

#include <string.h>

enum { MOST_ENTRIES = 4096 };

static void moment(ksiStream *s, ksiMoment *moment)
{
    ksiStreamTruth(s, &moment->isKnown);
    if (!moment->isKnown)
        return;
    ksiStreamCount(s, &moment->step);
    ksiStreamReal(s, &moment->time);
    ksiStreamKnown(s, &moment->value);
    ksiStreamReal(s, &moment->bar);
    ksiStreamKnown(s, &moment->load);
    ksiStreamTruth(s, &moment->isAtAnchor);
    for (int i = 0; i < 2; i++)
        ksiStreamWhole(s, &moment->body[i], INT32_MAX);
    for (int i = 0; i < KSI_VALUES; i++)
        for (int j = 0; j < 6; j++)
            ksiStreamReal(s, &moment->wrench[i][j]);
}

static void reach(ksiStream *s, ksiReach *reach)
{
    ksiStreamTruth(s, &reach->isKnown);
    if (!reach->isKnown)
        return;
    ksiStreamCount(s, &reach->step);
    ksiStreamReal(s, &reach->time);
    ksiStreamKnown(s, &reach->value);
    ksiStreamKnown(s, &reach->bar);
}

static void borne(ksiStream *s, ksiBorne *borne)
{
    reach(s, &borne->surely);
    reach(s, &borne->largest);
    reach(s, &borne->perhaps);
    ksiStreamCount(s, &borne->untold);
}

static void gap(ksiStream *s, ksiGap *gap)
{
    ksiStreamTruth(s, &gap->isKnown);
    if (!gap->isKnown)
        return;
    ksiStreamCount(s, &gap->step);
    ksiStreamReal(s, &gap->time);
    ksiStreamKnown(s, &gap->value);
}

static void opening(ksiStream *s, ksiOpening *opening)
{
    ksiStreamTruth(s, &opening->isKnown);
    if (!opening->isKnown)
        return;
    ksiStreamTruth(s, &opening->isPushed);
    ksiStreamCount(s, &opening->step);
    ksiStreamReal(s, &opening->time);
    for (int i = 0; i < KSI_GAPS; i++)
        ksiStreamReal(s, &opening->gap[i]);
    ksiStreamReal(s, &opening->size);
    ksiStreamReal(s, &opening->fudgeWork);
    ksiStreamReal(s, &opening->error);
}

static void error(ksiStream *s, ksiErrorStats *error)
{
    ksiStreamHistogram(s, &error->size);
    moment(s, &error->worst);
}

static void undetermined(ksiStream *s, ksiUndetermined *undetermined)
{
    ksiStreamWhole(s, &undetermined->mostDirections, INT32_MAX);
    ksiStreamCounts(s, undetermined->steps, KSI_COMPONENTS);
}

static void compliance(ksiStream *s, ksiCompliance *compliance)
{
    ksiStreamKnown(s, &compliance->share);
    ksiStreamReal(s, &compliance->cfm);
    ksiStreamKnown(s, &compliance->softened);
}

static void element(ksiStream *s, ksiKind kind, void *x)
{
    switch (kind) {
    case KSI_KIND_COUNT:
        ksiStreamCount(s, x);
        break;
    case KSI_KIND_LARGEST:
        ksiStreamKnown(s, x);
        break;
    case KSI_KIND_HISTOGRAM:
        ksiStreamHistogram(s, x);
        break;
    case KSI_KIND_ERROR:
        error(s, x);
        break;
    case KSI_KIND_MOMENT:
        moment(s, x);
        break;
    case KSI_KIND_BORNE:
        borne(s, x);
        break;
    case KSI_KIND_UNDETERMINED:
        undetermined(s, x);
        break;
    case KSI_KIND_MOTORS:
        ksiStreamMotors(s, x);
        break;
    case KSI_KIND_GAP:
        gap(s, x);
        break;
    case KSI_KIND_OPENING:
        opening(s, x);
        break;
    case KSI_KIND_COMPLIANCE:
        compliance(s, x);
        break;
    }
}

void ksiStreamMetrics(ksiStream *s, const ksiMetrics *metrics, void *structure)
{
    for (const ksiMetric *row = metrics->row; row < metrics->row + metrics->count; row++)
        for (int i = 0; i < row->count && ksiStreamIsGood(s); i++)
            element(s, row->kind, ksiMetricAt(row, structure, i));
}

/* Entries are in increasing order of iterations, so a reader adds each entry at the end of the
 * list. */
void ksiStreamEntries(ksiStream *s, const ksiMetrics *metrics, ksiByIterations *list)
{
    uint64_t count = list->count;
    int last = -1;
    ksiStreamUpTo(s, &count, MOST_ENTRIES);
    for (uint64_t i = 0; i < count && ksiStreamIsGood(s); i++) {
        int iterations = s->out ? *(int *)ksiEntryAt(metrics, list, i) : 0;
        ksiStreamWhole(s, &iterations, INT32_MAX);
        ksiStreamRequire(s, iterations > last);
        last = iterations;
        void *made = ksiEntryMake(s->allocator, metrics, list, iterations);
        ksiStreamNeed(s, made != NULL);
        if (made)
            ksiStreamMetrics(s, metrics, made);
    }
}

/* Writes or reads the limbs between leading and trailing zeros. */
static void exactSum(ksiStream *s, ksiExactSum *sum)
{
    int first = 0, end = KSI_SUM_LIMBS;
    while (first < end && sum->limb[first] == 0)
        first++;
    while (end > first && sum->limb[end - 1] == 0)
        end--;
    ksiStreamWhole(s, &first, KSI_SUM_LIMBS);
    ksiStreamWhole(s, &end, KSI_SUM_LIMBS);
    for (int i = first; i < end && ksiStreamIsGood(s); i++) {
        uint64_t limb;
        memcpy(&limb, &sum->limb[i], sizeof limb);
        ksiStreamUpTo(s, &limb, UINT64_MAX);
        memcpy(&sum->limb[i], &limb, sizeof limb);
    }
}

void ksiStreamEnergy(ksiStream *s, ksiEnergyStats *energy)
{
    ksiStreamReal(s, &energy->begin);
    ksiStreamReal(s, &energy->end);
    for (int i = 0; i < KS_ENERGY_COUNT; i++)
        exactSum(s, &energy->of[i]);
}
