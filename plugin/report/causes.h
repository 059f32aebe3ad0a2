/* causes.h  How far joints were apart, which have come apart and why, and where the kinetic energy of a world came from. */
#ifndef KSI_REPORT_CAUSES_H
#define KSI_REPORT_CAUSES_H

#include "collect.h"
#include "exact_sum.h"
#include "finding_kinds.h"
#include "text.h"

/* Which of the two gaps of a joint: ksReaction::gap. */
enum { KSI_APART, KSI_TURNED, KSI_GAPS };

/* When it was largest. */
typedef struct ksiGap {
    bool isKnown;
    uint64_t step;
    double time, value;
} ksiGap;

/* The first step at whose start a joint was apart by more than half of what it joins, or half a radian. */
typedef struct ksiOpening {
    bool isKnown, isPushed; /* by the force that the engine adds for a motor at a stop, in the step before */
    uint64_t step;
    double time, gap[KSI_GAPS], size; /* m: of what it joins */
    double fudgeWork, error;          /* J; against converged, relative, or NaN */
} ksiOpening;

typedef struct ksiEnergyStats {
    double begin, end; /* J, kinetic energy of the world at the start of the first step and after the last */
    ksiExactSum of[KS_ENERGY_COUNT];
} ksiEnergyStats;

/* Why a joint has come apart. */
typedef enum ksiTear {
    KSI_TORN_BY_FUDGE, /* the engine's own force for a motor at a stop */
    KSI_TORN_FROM_START,
    KSI_TORN_UNSOLVED, /* the engine has not solved its equations */
    KSI_TORN_BY_HOST,  /* forces and torques of the host feed the motion */
    KSI_TORN_UNKNOWN,
    KSI_TEARS
} ksiTear;

extern const char *const ksiEnergyName[KS_ENERGY_COUNT]; /* "weight", "motors", ... */
extern const char *const ksiTearName[KSI_TEARS];         /* in JSON */

struct ksiJointStats;
struct ksiWorldStats;
struct ksiJointView;
struct ksiWorldView;
struct ksiView;

/* Of the inspector's last step. */
void ksiGapsAdd(struct ksiJointStats *joint, const ksInspector *inspector, const ksReaction *reaction,
                const ksiStepInfo *info);
void ksiGapNote(ksiGap *largest, const ksiGap *gap);
void ksiOpeningNote(ksiOpening *first, const ksiOpening *opening);
void ksiEnergyAdd(ksiEnergyStats *energy, const ksStepReport *report);

/* J by cause, and what no step has told. */
double ksiEnergyOf(const ksiEnergyStats *energy, double of[KS_ENERGY_COUNT]);

ksiTear ksiTearOf(const struct ksiView *view, const struct ksiWorldStats *world, const struct ksiJointStats *joint);

void ksiWriteEnergy(const struct ksiWorldStats *world, ksiText *out);
void ksiWriteGaps(const struct ksiWorldView *world, size_t most, ksiText *out);
/* Of a run that the engine has ended in a step. */
void ksiWriteSingular(const struct ksiView *view, size_t run, ksiText *out);
/* As ksiWriteAdviceOf: each cause by itself. */
uint64_t ksiWriteTears(const struct ksiView *view, const struct ksiWorldView *world, const ksiFindingKind *finding,
                       ksiText *out);

#endif
