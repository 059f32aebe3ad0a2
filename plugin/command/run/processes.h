/* processes.h  Fates of a run's processes in words; equal fates are counted. */
#ifndef KSI_COMMAND_RUN_PROCESSES_H
#define KSI_COMMAND_RUN_PROCESSES_H

#include "hub.h"

#include <stdio.h>

/* Why a process was not inspected, or not as a whole; NULL: it was, as far as it stepped. */
typedef struct ksiProcessFate {
    const char *why;
    bool isPartly; /* some of its steps were seen */
    bool isUnseen; /* it stepped, or may have stepped, unseen; otherwise it matters only if nothing was inspected */
} ksiProcessFate;

/* Fate of an ended or abandoned process. broken: why its records cannot be read, or NULL. recorded:
 * number of records. isMain: the run itself reports its end. words: a buffer. */
enum { KSI_FATE_WORDS = 400 };
ksiProcessFate ksiFateOf(const ksiSeen *place, const char *broken, uint64_t recorded, bool isMain,
                         char words[KSI_FATE_WORDS]);

typedef struct ksiProcesses ksiProcesses;

/* NULL: out of memory. Destroy: NULL is fine. */
ksiProcesses *ksiProcessesCreate(void);
void ksiProcessesDestroy(ksiProcesses *processes);

/* Adds one with its program's name. Without memory, or room for another fate, counts it only. */
void ksiProcessesAdd(ksiProcesses *processes, const char *program, const ksiProcessFate *fate);
void ksiProcessesTurnAway(ksiProcesses *processes, int count); /* in total so far */

unsigned ksiProcessesUnseen(const ksiProcesses *processes);

/* A sentence for each reportable fate. */
void ksiProcessesEach(const ksiProcesses *processes, bool isAnyInspected, void (*tell)(const char *words, void *user),
                      void *user);

#endif
