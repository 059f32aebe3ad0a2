/* processes.h  Fates of the processes of a run in words, with equal ones counted. */
#ifndef KSI_COMMAND_RUN_PROCESSES_H
#define KSI_COMMAND_RUN_PROCESSES_H

#include "hub.h"

#include <stdio.h>

/* Why a process was not inspected, or not as a whole; NULL: it was, as far as it stepped. */
typedef struct ksiProcessFate {
    const char *why;
    bool isPartly; /* some of its steps were seen */
    bool
        isUnseen; /* it has stepped, or may have, where nobody saw it; else it is of interest only where nothing was inspected at all */
} ksiProcessFate;

/* Of a process that is gone, or is left alone now. broken: why its records cannot be taken, or NULL. recorded: steps that were. isMain:
 * the run itself tells how it ended. words: for what is said. */
enum { KSI_FATE_WORDS = 400 };
ksiProcessFate ksiFateOf(const ksiSeen *place, const char *broken, uint64_t recorded, bool isMain,
                         char words[KSI_FATE_WORDS]);

typedef struct ksiProcesses ksiProcesses;

/* NULL: out of memory. Destroy: NULL is fine. */
ksiProcesses *ksiProcessesCreate(void);
void ksiProcessesDestroy(ksiProcesses *processes);

/* One more, with its program's name. For want of memory, or of room for another kind, it is only counted. */
void ksiProcessesAdd(ksiProcesses *processes, const char *program, const ksiProcessFate *fate);
void ksiProcessesTurnAway(ksiProcesses *processes, int count); /* all of them, so far */

unsigned ksiProcessesUnseen(const ksiProcesses *processes);

/* A sentence for each kind, of those that are of interest. */
void ksiProcessesEach(const ksiProcesses *processes, bool isAnyInspected, void (*tell)(const char *words, void *user),
                      void *user);

#endif
