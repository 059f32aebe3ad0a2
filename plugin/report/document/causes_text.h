/* causes_text.h  Text on gaps of joints, causes of joints that come apart, and kinetic energy. */
#ifndef KSI_REPORT_DOCUMENT_CAUSES_TEXT_H
#define KSI_REPORT_DOCUMENT_CAUSES_TEXT_H

#include "../files/text.h"
#include "../findings/finding_kinds.h"
#include "../findings/view.h"

/* Why a joint has come apart. */
typedef enum ksiTear {
    KSI_TORN_BY_FUDGE, /* the engine's own force for a motor at a stop */
    KSI_TORN_FROM_START,
    KSI_TORN_UNSOLVED, /* the engine did not solve its equations */
    KSI_TORN_DISABLED, /* the joint was disabled before */
    KSI_TORN_BY_HOST,  /* forces and torques of the host drive the motion */
    KSI_TORN_UNKNOWN,
    KSI_TEARS
} ksiTear;

extern const char *const ksiTearName[KSI_TEARS]; /* names of the causes in JSON */

ksiTear ksiTearOf(const ksiView *view, const ksiWorldStats *world, const ksiJointStats *joint);

/* "at 0.22 s (step 11) by 0.131 m and 0.2 rad, on bodies of size 0.3 m" */
void ksiWriteOpening(const ksiOpening *opening, ksiText *out);

void ksiWriteEnergy(const ksiWorldStats *world, ksiText *out);
void ksiWriteGaps(const ksiWorldView *world, ksiText *out);
/* Like ksiWriteAdviceOf, but the advice on each cause has a line of its own. */
uint64_t ksiWriteTears(const ksiView *view, const ksiWorldView *world, const ksiFindingKind *finding, ksiText *out);

#endif
