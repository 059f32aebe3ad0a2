/* unit.h  Some windows of a recording, judged in processes of their own, which know nothing of MPI and may break down. */
#ifndef KSI_MPI_UNIT_H
#define KSI_MPI_UNIT_H

#include "deal.h"

#include "../command/options.h"

enum { KSI_UNIT_NAME = 300 };

/* What became of a unit, beside its report. Without pointers. */
typedef struct ksiFound {
    uint64_t bytes, windows;
    uint64_t unread, lost, units; /* of so many: files that cannot be read; those of which records were left out */
    double worst;                 /* the largest error that counts for the limit; NaN: none */
    char name[KSI_UNIT_NAME];     /* of the joint */
} ksiFound;

typedef struct ksiUnits ksiUnits;

/* Judged by the options, which stay the caller's. NULL: that has been said. */
ksiUnits *ksiUnitsCreate(const ksiOptions *options);
void ksiUnitsDestroy(ksiUnits *units);

/* Begins one, when no other one is judged. false: there is no process for it, and that has been said. */
bool ksiUnitBegin(ksiUnits *units, const ksiUnit *unit);

/* Adds what was found to the report if it is done: *isDone. false: it cannot be added, and that has been said. */
bool ksiUnitPoll(ksiUnits *units, ksReport *report, bool *isDone, ksiFound *found);

#endif
