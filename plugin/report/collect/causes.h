/* causes.h  Gaps of joints, joints that come apart, and causes of kinetic energy, over steps. */
#ifndef KSI_REPORT_COLLECT_CAUSES_H
#define KSI_REPORT_COLLECT_CAUSES_H

#include "collect.h"
#include "exact_sum.h"

/* Indices of a joint's two gaps: ksReaction::gap. */
enum { KSI_APART, KSI_TURNED, KSI_GAPS };

/* The largest gap of a joint, and its step. */
typedef struct ksiGap {
    bool isKnown;
    uint64_t step;
    double time, value;
} ksiGap;

/* The first step at whose start a joint's gap exceeds half of its bodies' size, or half a
 * radian. */
typedef struct ksiOpening {
    bool isKnown, isPushed; /* isPushed: the force that the engine adds for a motor at a stop pushed
                               the joint apart in the step before */
    uint64_t step;
    double time, gap[KSI_GAPS], size; /* s; m and rad; size of the joint's bodies, m */
    double fudgeWork, error;          /* work of the motors at stops in the step before, J; error
                                         against converged, relative, NaN: unknown */
} ksiOpening;

typedef struct ksiEnergyStats {
    double begin, end; /* J, kinetic energy of the world: before the first step and the host's
                          changes since the step before it; after the last step */
    ksiExactSum of[KS_ENERGY_COUNT];
} ksiEnergyStats;

extern const char *const ksiEnergyName[KS_ENERGY_COUNT]; /* "weight", "motors", ... */

/* A cause's energy below this share of the sum over all causes is rounding. */
extern const double ksiRoundedEnergy;

struct ksiJointStats;

/* Adds the inspector's last step. */
void ksiGapsAdd(struct ksiJointStats *joint, const ksInspector *inspector, const ksReaction *reaction,
                const ksiStepInfo *info);
void ksiGapNote(ksiGap *largest, const ksiGap *gap);
void ksiOpeningNote(ksiOpening *first, const ksiOpening *opening);
void ksiEnergyAdd(ksiEnergyStats *energy, const ksStepReport *report);

/* The energy by cause, J; returns the part that no inspected step explains. */
double ksiEnergyOf(const ksiEnergyStats *energy, double of[KS_ENERGY_COUNT]);

#endif
