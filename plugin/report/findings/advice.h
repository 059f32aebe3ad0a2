/* advice.h  Advice on findings, as sentences for users of the command or of the library. */
#ifndef KSI_REPORT_FINDINGS_ADVICE_H
#define KSI_REPORT_FINDINGS_ADVICE_H

#include "../files/text.h"
#include "findings.h"
#include "view.h"

/* Adds advice on this finding, a sentence or two in one line, if the world has it. Returns the form
 * of the advice; 0: nothing was added. Two worlds have the same finding if form and joints are
 * equal (ksiFindingIdentity). */
uint64_t ksiWriteAdviceOf(const ksiView *view, const ksiWorldView *world, const ksiFindingKind *finding, ksiText *out);
uint64_t ksiFindingIdentity(const ksiView *view, const ksiWorldView *world, const ksiFindingKind *finding,
                            uint64_t form);

/* Writes advice on runs that a signal ended, or in which a body was not finite; documents put it
 * first. */
void ksiWriteEnds(const ksiView *view, ksiText *out);

/* Writes that there are no findings; hasEnd: ksiWriteEnds has written advice. */
void ksiWriteNoAdvice(const ksiView *view, const ksiWorldView *world, bool hasEnd, ksiText *out);

/* Writes advice on all findings, or says that there are none. */
void ksiWriteAdvice(const ksiView *view, const ksiWorldView *world, ksiText *out);

/* Writes advice common to all worlds. Worlds with the same finding share the advice on one of them:
 * on the world that needs the most iterations or, if the finding is not an error, on the worst
 * world. */
void ksiWriteCommonAdvice(const ksiView *view, ksiText *out);

/* Marks the joints that the advice names, in the order of ksiWorldView::joint. */
void ksiMarkNamed(const ksiView *view, const ksiWorldView *world, bool *isNamed);

/* Writes the criterion of failure and explains its terms, without a line end. */
void ksiWriteCriterion(const ksiView *view, ksiText *out);

/* Does a joint fail because the engine has not solved its equations? More iterations may help. */
bool ksiIsUnsolved(const ksiView *view, const ksiWorldView *world);

/* enough: the smallest tried number of iterations that solves the equations to the limit; 0: none.
 * If a joint is unsolved (ksiIsUnsolved), `enough` is for the joints that fail by their error;
 * otherwise it is for all joints that pass. `alone`: the smallest number above the run's own that
 * suffices in single steps. isChecked: consecutive steps were compared too. */
typedef struct ksiEnough {
    int enough, alone;
    bool isChecked;
} ksiEnough;
ksiEnough ksiEnoughIterations(const ksiView *view, const ksiWorldView *world);

/* The largest number of iterations in the run; 0: unknown. */
int ksiMostIterations(const ksiWorldStats *world);

/* The name of a wrench's component: "force along axis 2", "torque about axis 1". */
const char *ksiComponentName(int component);

enum { KSI_PERCENTILE = 95 };

#endif
