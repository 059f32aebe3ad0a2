/* ranks.h  The processes of an MPI job: they judge what rank 0 hands out and merge their
 * reports. */
#ifndef KSI_MPI_RANKS_H
#define KSI_MPI_RANKS_H

#include "unit.h"

/* Adds the results of all ranks to the report and to *sum of rank 0. The other reports are invalid
 * afterwards. false: incomplete; the error was printed. */
bool ksiRanksJudge(const ksiOptions *options, ksReport *report, ksiFound *sum);

/* Is it true on all ranks? */
bool ksiRanksAgree(bool isGood);

/* Waits for all ranks. */
void ksiRanksWait(void);

/* The number of this rank; the number of ranks. */
int ksiRank(void);
int ksiRanks(void);

#endif
