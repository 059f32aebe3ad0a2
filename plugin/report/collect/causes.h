/* causes.h  Sums over steps: gaps of joints, joints that come apart, and causes of kinetic
 * energy. */
#ifndef KSI_REPORT_COLLECT_CAUSES_H
#define KSI_REPORT_COLLECT_CAUSES_H

#include "collect.h"
#include "exact_sum.h"

/* Indices of a joint's two gaps: ksReaction::gap. */
enum { KSI_APART, KSI_TURNED, KSI_GAPS };

/* A largest gap and its step. */
typedef struct ksiGap {
    bool isKnown;
    uint64_t step;
    double time, value;
} ksiGap;

/* The first step at whose start a joint's gap exceeds half of its bodies' size, or half a
 * radian. */
typedef struct ksiOpening {
    bool isKnown, isPushed; /* pushed: in the step before, by the force that the engine adds for a
                               motor at a stop */
    uint64_t step;
    double time, gap[KSI_GAPS], size; /* m: size of its bodies */
    double fudgeWork, error;          /* J; error against converged, relative, or NaN */
} ksiOpening;

typedef struct ksiEnergyStats {
    double begin, end; /* J, kinetic energy of the world at the start of the first step and after
                          the last */
    ksiExactSum of[KS_ENERGY_COUNT];
} ksiEnergyStats;

extern const char *const ksiEnergyName[KS_ENERGY_COUNT]; /* "weight", "motors", ... */

/* Energy below this share of the sum of all changes is rounding, also if changes of single steps
 * cancel. */
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
