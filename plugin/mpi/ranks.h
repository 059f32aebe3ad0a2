/* ranks.h  The processes of an MPI job: rank 0 assigns units, all ranks judge them and merge their
 * reports. */
#ifndef KSI_MPI_RANKS_H
#define KSI_MPI_RANKS_H

#include "unit.h"

/* Adds the results of all ranks to rank 0's report and *sum. The other reports are invalid
 * afterwards. false: the result is incomplete, and the error was printed. */
bool ksiRanksJudge(const ksiOptions *options, ksReport *report, ksiFound *sum);

/* Is isGood true on all ranks? */
bool ksiRanksAgree(bool isGood);

/* Waits for all ranks. */
void ksiRanksWait(void);

/* ksiRank: the number of this rank. ksiRanks: how many ranks there are. */
int ksiRank(void);
int ksiRanks(void);

#endif
