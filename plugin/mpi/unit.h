/* unit.h  Judges units of a recording in processes that may crash, without MPI. */
#ifndef KSI_MPI_UNIT_H
#define KSI_MPI_UNIT_H

#include "schedule.h"

#include "../command/options.h"

enum { KSI_UNIT_NAME = 300 };

/* Outcome of a unit besides its report. It has no pointers. */
typedef struct ksiFound {
    uint64_t bytes, windows;
    uint64_t unread, lost, units; /* numbers of units. unread: units of unreadable files; lost:
                                     units with lost or damaged records; units: all units */
    double worst;                 /* the error of the worst world, by the value and percentile of
                                     the limit; NaN: none */
    char name[KSI_UNIT_NAME];     /* name of the worst joint of this world */
} ksiFound;

typedef struct ksiUnits ksiUnits;

/* The caller keeps the options alive. Returns NULL if it failed; the error was printed. */
ksiUnits *ksiUnitsCreate(const ksiOptions *options);
void ksiUnitsDestroy(ksiUnits *units);

/* Starts a unit; no other unit may be in progress. Returns false if no process was started; the
 * error was printed. */
bool ksiUnitBegin(ksiUnits *units, const ksiUnit *unit);

/* Adds a finished unit to the report and sets *isDone. Returns false if the unit failed; the error
 * was printed. */
bool ksiUnitPoll(ksiUnits *units, ksReport *report, bool *isDone, ksiFound *found);

#endif
