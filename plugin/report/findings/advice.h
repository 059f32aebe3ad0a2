/* advice.h  Advice on findings, in sentences for users of the command or of the library. */
#ifndef KSI_REPORT_FINDINGS_ADVICE_H
#define KSI_REPORT_FINDINGS_ADVICE_H

#include "../files/text.h"
#include "findings.h"
#include "view.h"

/* Adds a sentence or two, in one line, on this finding where the world has it. Returns which form it has: 0 where nothing was added. Two worlds
 * have the same finding if form and joints are the same (ksiFindingIdentity). */
uint64_t ksiWriteAdviceOf(const ksiView *view, const ksiWorldView *world, const ksiFindingKind *finding, ksiText *out);
uint64_t ksiFindingIdentity(const ksiView *view, const ksiWorldView *world, const ksiFindingKind *finding,
                            uint64_t form);

/* A run that did not end well, which comes first. */
void ksiWriteEnds(const ksiView *view, ksiText *out);

/* Where nothing is found; hasEnd: but a run did not end well. */
void ksiWriteNoAdvice(const ksiView *view, const ksiWorldView *world, bool hasEnd, ksiText *out);

/* On all that is found; where there is nothing to do, it says so. */
void ksiWriteAdvice(const ksiView *view, const ksiWorldView *world, ksiText *out);

/* Of all worlds together: of those that have the same finding, the advice of the world that needs most, or is the worst. */
void ksiWriteCommonAdvice(const ksiView *view, ksiText *out);

/* Marks the joints that these sentences name, in the order of ksiWorldView::joint. */
void ksiMarkNamed(const ksiView *view, const ksiWorldView *world, bool *isNamed);

/* When a joint fails: one sentence, without an end of line. */
void ksiWriteCriterion(const ksiView *view, ksiText *out);

/* Does a joint fail whose equations the engine has not solved? More iterations may help it. */
bool ksiIsUnsolved(const ksiView *view, const ksiWorldView *world);

/* The smallest number of iterations that was tried with which the equations are solved as well as the limit asks: of the joints that fail by their
 * error if one of them is unsolved, else of all that pass; 0: none. Of more iterations than the run had, `alone` is the smallest with which they are in
 * steps made by themselves, and isChecked says whether steps in a row were compared, too. */
typedef struct ksiEnough {
    int enough, alone;
    bool isChecked;
} ksiEnough;
ksiEnough ksiEnoughIterations(const ksiView *view, const ksiWorldView *world);

/* The largest number of iterations that the run had; 0: none. */
int ksiMostIterations(const ksiWorldStats *world);

/* A component of a wrench, by number: "force along axis 2", "torque about axis 1". */
const char *ksiComponentName(int component);

enum { KSI_PERCENTILE = 95 };

#endif
