/* processes.h  Describes how a run's processes ended; counts equal cases. */
#ifndef KSI_COMMAND_RUN_PROCESSES_H
#define KSI_COMMAND_RUN_PROCESSES_H

#include "hub.h"

#include <stdio.h>

/* Why a process was not inspected, or only in part; NULL: all of its steps were. */
typedef struct ksiProcessFate {
    const char *why;
    bool isPartly; /* some of its steps were seen */
    bool isUnseen; /* it stepped, or may have stepped, unseen; if false, the case matters only if
                      nothing was inspected */
} ksiProcessFate;

/* The fate of a process that has ended or was abandoned. broken: why its records cannot be read, or
 * NULL. recorded: number of records. isMain: it is the program's own process, whose end the run
 * reports. words: a buffer. */
enum { KSI_FATE_WORDS = 400 };
ksiProcessFate ksiFateOf(const ksiSeen *place, const char *broken, uint64_t recorded, bool isMain,
                         char words[KSI_FATE_WORDS]);

typedef struct ksiProcesses ksiProcesses;

/* Create: NULL: out of memory. Destroy: NULL is allowed. */
ksiProcesses *ksiProcessesCreate(void);
void ksiProcessesDestroy(ksiProcesses *processes);

/* Adds a process with its program's name. If there is no memory or no room for another fate, the
 * process is only counted. */
void ksiProcessesAdd(ksiProcesses *processes, const char *program, const ksiProcessFate *fate);
void ksiProcessesTurnAway(ksiProcesses *processes, int count); /* count: total so far */

unsigned ksiProcessesUnseen(const ksiProcesses *processes);

/* Passes on a sentence for each fate to report. */
void ksiProcessesEach(const ksiProcesses *processes, bool isAnyInspected, void (*tell)(const char *words, void *user),
                      void *user);

#endif
