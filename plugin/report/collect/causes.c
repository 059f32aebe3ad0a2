/* causes.c  Gaps of joints, joints that come apart, and causes of kinetic energy, over steps. */
#include "causes.h"

#include "measure.h"
#include "stats.h"

#include <math.h>

/* A joint has come apart if its gap exceeds tornShare times the size of its bodies, or if its
 * angular gap exceeds tornAngle, rad. Drift under few iterations stays below a tenth of these
 * limits. */
static const double tornShare = 0.5, tornAngle = 0.5;

/* At a stop the engine adds a force for the motor. This force is the cause if its work exceeds this
 * share of the world's kinetic energy. */
static const double leastPush = 1e-3;

const double ksiRoundedEnergy = 1e-6;

const char *const ksiEnergyName[KS_ENERGY_COUNT] = {"weight", "motors",  "stops", "joints", "contacts",
                                                    "host",   "damping", "rest",  "set"};

/* --- Steps --- */

/* The largest lever or radius of gyration of the freely moving bodies, m; 0: none moves freely. */
static double sizeOf(const ksInspector *inspector, const ksReaction *reaction)
{
    double size = 0;
    for (int side = 0; side < 2; side++) {
        double mass, inverse[9], lever[3];
        if (!reaction->body[side] || !ksInspectorGetMass(inspector, reaction->body[side], &mass, inverse) ||
            isinf(mass))
            continue;
        for (int k = 0; k < 3; k++)
            lever[k] = reaction->anchor[side][k] - reaction->centre[side][k];
        // fmax ignores the NaN lever of a joint without an anchor
        size = fmax(size, fmax(ksiLength(lever), sqrt(3 / (mass * (inverse[0] + inverse[4] + inverse[8])))));
    }
    return size;
}

void ksiGapNote(ksiGap *largest, const ksiGap *gap)
{
    if (!gap->isKnown)
        return;
    const bool isLater = largest->isKnown && gap->step > largest->step;
    if (!largest->isKnown || gap->value > largest->value || (gap->value == largest->value && !isLater))
        *largest = *gap;
}

void ksiOpeningNote(ksiOpening *first, const ksiOpening *opening)
{
    if (opening->isKnown && (!first->isKnown || opening->step < first->step))
        *first = *opening;
}

void ksiGapsAdd(ksiJointStats *joint, const ksInspector *inspector, const ksReaction *reaction, const ksiStepInfo *info)
{
    for (int i = 0; i < KSI_GAPS; i++) {
        const ksiGap gap = {isfinite(reaction->gap[i]), info->step, info->time, reaction->gap[i]};
        ksiGapNote(&joint->gap[i], &gap);
    }
    ksiOpening opening = {.isKnown = true,
                          .step = info->step,
                          .time = info->time,
                          .gap = {reaction->gap[0], reaction->gap[1]},
                          .error = reaction->error};
    // a disabled joint holds nothing, so it does not come apart
    if (!(opening.gap[KSI_APART] > 0 || opening.gap[KSI_TURNED] > 0) || reaction->reasons & KS_REASON_DISABLED ||
        (joint->opening.isKnown && joint->opening.step <= info->step))
        return;
    opening.size = sizeOf(inspector, reaction);
    if (!(opening.size > 0) ||
        !(opening.gap[KSI_APART] > tornShare * opening.size || opening.gap[KSI_TURNED] > tornAngle))
        return;
    opening.fudgeWork = reaction->fudgeWork;
    opening.isPushed = reaction->fudgeWork > leastPush * ksInspectorGetStepReport(inspector)->worldEnergy[0];
    ksiOpeningNote(&joint->opening, &opening);
}

void ksiEnergyAdd(ksiEnergyStats *energy, const ksStepReport *report)
{
    for (int i = 0; i < KS_ENERGY_COUNT; i++)
        ksiExactAdd(&energy->of[i], report->energyOf[i]);
}

/* --- Sums --- */

double ksiEnergyOf(const ksiEnergyStats *energy, double of[KS_ENERGY_COUNT])
{
    double sum = 0, size = energy->begin + energy->end;
    for (int i = 0; i < KS_ENERGY_COUNT; i++) {
        of[i] = ksiExactValue(&energy->of[i]);
        sum += of[i];
        size += fabs(of[i]);
    }
    const double unseen = energy->end - energy->begin - sum;
    return fabs(unseen) > ksiRoundedEnergy * size ? unseen : 0;
}
