/* advice_inside.h  Functions that the files of advice share. */
#ifndef KSI_REPORT_FINDINGS_ADVICE_INSIDE_H
#define KSI_REPORT_FINDINGS_ADVICE_INSIDE_H

#include "advice.h"

/* Advice on findings of one kind: see ksiWriteAdviceOf. */
uint64_t ksiWriteError(const ksiView *view, const ksiWorldView *world, const ksiFindingKind *finding, ksiText *out);
uint64_t ksiWriteUntried(const ksiView *view, const ksiWorldView *world, const ksiFindingKind *finding, ksiText *out);
uint64_t ksiWriteContacts(const ksiView *view, const ksiWorldView *world, const ksiFindingKind *finding, ksiText *out);
uint64_t ksiWriteFlicker(const ksiView *view, const ksiWorldView *world, const ksiFindingKind *finding, ksiText *out);
uint64_t ksiWriteMotors(const ksiView *view, const ksiWorldView *world, const ksiFindingKind *finding, ksiText *out);
uint64_t ksiWriteMasses(const ksiView *view, const ksiWorldView *world, const ksiFindingKind *finding, ksiText *out);
uint64_t ksiWriteDeparture(const ksiView *view, const ksiWorldView *world, const ksiFindingKind *finding, ksiText *out);

/* Are contacts wrong more often than the limit allows? ksiWriteContacts then names a remedy, and
 * the feet that hop. */
bool ksiContactsNeedRemedy(const ksiView *view, const ksiWorldView *world);

/* "use ksInspectorExactStep or dWorldStep (untested)." */
void ksiWriteOtherStep(const ksiView *view, const ksiWorldView *world, ksiText *out);

/* Writes advice on a run that the engine aborted in a step of a world with CFM 0. */
void ksiWriteSingular(const ksiView *view, size_t run, ksiText *out);

#endif
