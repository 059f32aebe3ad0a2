/* outputs.h  The files that a run or a judgement writes. */
#ifndef KSI_OUTPUTS_H
#define KSI_OUTPUTS_H

#include "options.h"

/* Can all of them be written? false: no, and that has been said. They stay as they are. */
bool ksiOutputsCheck(const ksiOptions *options);

/* The documents. false: some could not be written, and that has been said. */
bool ksiOutputsWrite(const ksiOptions *options, const ksReport *report);

/* The report as text: a screen of it, or all, by --all. */
void ksiOutputsPrint(const ksiOptions *options, const ksReport *report, FILE *to);

#endif
