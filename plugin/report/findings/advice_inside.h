/* advice_inside.h  Shared parts of the files of advice. */
#ifndef KSI_REPORT_FINDINGS_ADVICE_INSIDE_H
#define KSI_REPORT_FINDINGS_ADVICE_INSIDE_H

#include "advice.h"

/* Advice on the solver's error: see ksiWriteAdviceOf. */
uint64_t ksiWriteError(const ksiView *view, const ksiWorldView *world, const ksiFindingKind *finding, ksiText *out);
uint64_t ksiWriteUntried(const ksiView *view, const ksiWorldView *world, const ksiFindingKind *finding, ksiText *out);
uint64_t ksiWriteContacts(const ksiView *view, const ksiWorldView *world, const ksiFindingKind *finding, ksiText *out);
uint64_t ksiWriteFlicker(const ksiView *view, const ksiWorldView *world, const ksiFindingKind *finding, ksiText *out);
uint64_t ksiWriteMotors(const ksiView *view, const ksiWorldView *world, const ksiFindingKind *finding, ksiText *out);
uint64_t ksiWriteMasses(const ksiView *view, const ksiWorldView *world, const ksiFindingKind *finding, ksiText *out);
uint64_t ksiWriteDeparture(const ksiView *view, const ksiWorldView *world, const ksiFindingKind *finding, ksiText *out);

/* Contacts are wrong more often than the limit allows: ksiWriteContacts tells a remedy, and which feet hop. */
bool ksiContactsNeedRemedy(const ksiView *view, const ksiWorldView *world);

/* "use ksInspectorExactStep or dWorldStep (untested)." */
void ksiWriteOtherStep(const ksiView *view, const ksiWorldView *world, ksiText *out);

/* Advice on a run that the engine ended in a step. */
void ksiWriteSingular(const ksiView *view, size_t run, ksiText *out);

#endif
