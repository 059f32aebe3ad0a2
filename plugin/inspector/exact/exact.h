/* exact.h  A step that is solved before it is made. */
#ifndef KSI_INSPECTOR_EXACT_EXACT_H
#define KSI_INSPECTOR_EXACT_EXACT_H

#include "../inspector.h"

/* exact.c: the engine's step, between ksiStepBegin and ksiStepEnd. 0: the engine refused, and
 * nothing has moved. */
int ksiMakeExactStep(ksInspector *inspector);

/* exact_solve.c: replaces the expected multipliers of an island's joints by the solution. At first
 * they are the guess. The island's contacts are unknowns. After an error nothing of the island is
 * known. Marks in `exact` the contacts that sweeps have computed, and adds the reason if these
 * contacts were meant to be solved. */
KS_MUST_USE ksStatus ksiSolveExactly(const ksiStep *step, ksiSolver *solver, int island, ksiEstimates *sweeps,
                                     ksiPlaces *places, ksiReport *expected, ksiExact *exact);

/* exact_guess.c. ksiGuess: initial multipliers. A joint with bounds, such as a contact, that
 * continues a joint of the last step gets the multipliers of that joint. Other joints get 0.
 * ksiRememberExact keeps the multipliers of this step. */
void ksiGuess(const ksiStep *step, const ksiExact *last, ksiReport *expected);
KS_MUST_USE ksStatus ksiRememberExact(const ksiStep *step, ksiExact *out);

#endif
