/* signals.h  Passes signals to the program. */
#ifndef KSI_COMMAND_RUN_SIGNALS_H
#define KSI_COMMAND_RUN_SIGNALS_H

#include <signal.h>
#include <stdbool.h>
#include <sys/types.h>

/* ksiIgnoreFileSize makes a write beyond the file size limit an ordinary error. ksiCatchSignals
 * catches the signals that are passed on. ignored: the signals that the program must ignore, as
 * this process did; ksiIgnoreFileSize empties it first. */
void ksiIgnoreFileSize(sigset_t *ignored);
void ksiCatchSignals(sigset_t *ignored);

/* Sets the receiver of signals; 0: none. */
void ksiForwardTo(pid_t program);

/* Has SIGUSR1 arrived since the last call? */
bool ksiIsAsked(void);

/* Has an ending signal arrived while there was no receiver? */
bool ksiIsLeft(void);

/* Sets whether caught signals end this process at once. */
void ksiEndBySignals(bool doThey);

/* Ends this process by the program's signal, without a core file. */
void ksiDieAs(int number);

#endif
