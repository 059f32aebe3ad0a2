/* signals.h  Passes signals to the program. */
#ifndef KSI_COMMAND_RUN_SIGNALS_H
#define KSI_COMMAND_RUN_SIGNALS_H

#include <signal.h>
#include <stdbool.h>
#include <sys/types.h>

/* A file that may not grow is an error, which is told, and no end. ignored: of signals that the program is to ignore, as we were told to: emptied, and
 * what was ignored is added, here and there. */
void ksiIgnoreFileSize(sigset_t *ignored);
void ksiCatchSignals(sigset_t *ignored);

/* Where they go; 0: nowhere. */
void ksiForwardTo(pid_t program);

/* Has SIGUSR1 come since the last call? */
bool ksiIsAsked(void);

/* Has one come that is to end us, while they went nowhere? */
bool ksiIsLeft(void);

/* Whether they end us at once, where they have been caught. */
void ksiEndBySignals(bool doThey);

/* Ends as the program did, without a core of our own. */
void ksiDieAs(int number);

#endif
