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
    bool isKnown, isPushed; /* isPushed: in the step before, the engine added a force for a motor
                               at a stop, which pushed the joint apart */
    uint64_t step;
    double time, gap[KSI_GAPS], size; /* s; m and rad; size of the joint's bodies, m */
    double fudgeWork, error;          /* fudgeWork: work of the motors at stops in the step
                                         before, J. error: relative error of the engine against
                                         converged; NaN: unknown */
} ksiOpening;

typedef struct ksiEnergyStats {
    double begin, end; /* kinetic energy of the world, J. begin: before the first step, without
                          the host's changes since the step before it. end: after the last step */
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

/* of: the energy by cause, J. Returns the part of the change in energy that no inspected step
 * explains. */
double ksiEnergyOf(const ksiEnergyStats *energy, double of[KS_ENERGY_COUNT]);

#endif
