/* advice.h  What to do about it: sentences for people, in the terms of who reads them. */
#ifndef KSI_REPORT_ADVICE_H
#define KSI_REPORT_ADVICE_H

#include "text.h"
#include "view.h"

/* Kinds of advice, the most important one first. */
enum {
    KSI_ADVISE_MOTION,
    KSI_ADVISE_TORN,
    KSI_ADVISE_ITERATIONS,
    KSI_ADVISE_CONTACTS,
    KSI_ADVISE_BUGS,
    KSI_ADVISE_MASSES,
    KSI_ADVISE_REDUNDANT,
    KSI_ADVISE_COMPLIANT,
    KSI_ADVISE_MODEL,
    KSI_ADVISE_UNCHECKED,
    KSI_ADVISE_THREADS,
    KSI_ADVICE_KINDS
};

/* Adds a sentence or two in a line for each thing of this kind that is worth doing. */
void ksiWriteAdviceOf(const ksiView *view, const ksiWorldView *world, int kind, ksiText *out);

/* A run that did not end well, which comes first. */
void ksiWriteEnds(const ksiView *view, ksiText *out);

/* Where no kind has anything to say; hasEnd: but a run did not end well. */
void ksiWriteNoAdvice(const ksiWorldView *world, bool hasEnd, ksiText *out);

/* Of all kinds; where there is nothing to do, it says so. */
void ksiWriteAdvice(const ksiView *view, const ksiWorldView *world, ksiText *out);

/* Of all worlds together: of each kind, and of all of whom the same is said, that of the world that needs most, or is the worst. */
void ksiWriteCommonAdvice(const ksiView *view, ksiText *out);

/* Marks the joints that these sentences name, in the order of ksiWorldView::joint. */
void ksiMarkNamed(const ksiView *view, const ksiWorldView *world, bool *isNamed);

/* When a joint fails: one sentence, without an end of line. */
void ksiWriteCriterion(const ksiView *view, ksiText *out);

/* The smallest number of iterations that was tried with which no joint fails; 0: none. Of more iterations than the run had, `alone` is
 * the smallest with which none fails in steps made by themselves, and isChecked says whether steps in a row were compared, too. */
typedef struct ksiEnough {
    int enough, alone;
    bool isChecked;
} ksiEnough;
ksiEnough ksiEnoughIterations(const ksiView *view, const ksiWorldView *world);

/* The largest number of iterations that the run had; 0: none. */
int ksiMostIterations(const ksiWorldStats *world);

/* A component of a wrench, by number: "force along axis 2", "torque about axis 1". */
const char *ksiComponentName(int component);

/* Bits of the reasons that are bugs of the engine. */
ksReasons ksiBugs(void);

enum { KSI_PERCENTILE = 95 };

#endif
