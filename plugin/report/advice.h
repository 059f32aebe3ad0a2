/* advice.h  What to do about it: sentences for people. */
#ifndef KSI_ADVICE_H
#define KSI_ADVICE_H

#include "text.h"
#include "view.h"

/* Adds a sentence or two in a line for each thing that is worth doing. */
void ksiWriteAdvice(const ksiView *view, const ksiWorldView *world, ksiText *out);

/* The smallest number of iterations that was tried with which, in 95 % of the steps, every joint's error is at most the
 * target; 0: none. */
int ksiEnoughIterations(const ksiWorldStats *world, double target);

/* A component of a wrench, by number: "force along axis 2", "torque about axis 1". */
const char *ksiComponentName(int component);

/* Bits of the reasons that are bugs of the engine. */
unsigned ksiBugs(void);

enum { KSI_PERCENTILE = 95 };

#endif
