/* advice.h  Advice on findings, in sentences for users of the command or of the library. */
#ifndef KSI_REPORT_FINDINGS_ADVICE_H
#define KSI_REPORT_FINDINGS_ADVICE_H

#include "../files/text.h"
#include "findings.h"
#include "view.h"

/* Adds a sentence or two, in one line, on this finding if the world has it. Returns the form of the
 * advice; 0: nothing was added. Two worlds have the same finding if form and joints are the same
 * (ksiFindingIdentity). */
uint64_t ksiWriteAdviceOf(const ksiView *view, const ksiWorldView *world, const ksiFindingKind *finding, ksiText *out);
uint64_t ksiFindingIdentity(const ksiView *view, const ksiWorldView *world, const ksiFindingKind *finding,
                            uint64_t form);

/* Advice on runs that did not end well; it comes first. */
void ksiWriteEnds(const ksiView *view, ksiText *out);

/* The text without findings; hasEnd: a run did not end well. */
void ksiWriteNoAdvice(const ksiView *view, const ksiWorldView *world, bool hasEnd, ksiText *out);

/* Advice on all findings; without any it says so. */
void ksiWriteAdvice(const ksiView *view, const ksiWorldView *world, ksiText *out);

/* Common advice for all worlds. For worlds with the same finding: the advice of the world that
 * needs most iterations, or is the worst. */
void ksiWriteCommonAdvice(const ksiView *view, ksiText *out);

/* Marks the joints that these sentences name, in the order of ksiWorldView::joint. */
void ksiMarkNamed(const ksiView *view, const ksiWorldView *world, bool *isNamed);

/* The criterion of failure: one sentence, without an end of line. */
void ksiWriteCriterion(const ksiView *view, ksiText *out);

/* Does a joint fail whose equations the engine has not solved? More iterations may help it. */
bool ksiIsUnsolved(const ksiView *view, const ksiWorldView *world);

/* The smallest number of iterations tried that solves the equations to the limit: for the joints
 * that fail by their error if one of them is unsolved, else for all joints that pass; 0: none.
 * `alone` is the smallest number above the run's own that does so in single steps; isChecked: steps
 * in a row were compared, too. */
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
