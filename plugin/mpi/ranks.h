/* ranks.h  The processes of an MPI job, which judge what the first one hands out, and whose reports are merged in a tree. */
#ifndef KSI_MPI_RANKS_H
#define KSI_MPI_RANKS_H

#include "unit.h"

/* Adds to the report of rank 0 what all have found, and sums up in *sum, there. The others' reports are of no use thereafter. false: it is not whole, and
 * that has been said. */
bool ksiRanksJudge(const ksiOptions *options, ksReport *report, ksiFound *sum);

/* Is it so for all ranks? */
bool ksiRanksAgree(bool isGood);

/* Until all have come here. */
void ksiRanksWait(void);

/* The number of this one; how many there are. */
int ksiRank(void);
int ksiRanks(void);

#endif
