/* causes_data.c  Gaps of joints and causes of kinetic energy as bytes: see data.c. */
#include "causes_data.h"

#include <string.h>

void ksiStreamGap(ksiStream *s, ksiGap *gap)
{
    ksiStreamTruth(s, &gap->isKnown);
    if (!gap->isKnown)
        return;
    ksiStreamCount(s, &gap->step);
    ksiStreamReal(s, &gap->time);
    ksiStreamKnown(s, &gap->value);
}

void ksiStreamOpening(ksiStream *s, ksiOpening *opening)
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

/* Limbs without the zeros below and above. */
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
