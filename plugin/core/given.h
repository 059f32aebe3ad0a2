/* given.h  Shared parts of given.c and given_search.c. */
#ifndef KSI_CORE_GIVEN_H
#define KSI_CORE_GIVEN_H

#include "loop.h"

/* The most self-stresses for given.c itself. */
enum { KSI_CORE_MOST_DIRECT = 64 };

/* given_sizes.c: leaves redundant rows out, factors the others, and sets size2. ksiCore::weak
 * stays as it is up to `from`. */
KS_MUST_USE ksStatus ksiCoreLeaveOut(ksiCore *core, size_t from);

/* given_search.c: as ksiCoreGive and ksiCoreGiveAgain, where redundant rows determine the
 * self-stresses. */
KS_MUST_USE ksStatus ksiCoreSearchGiven(ksiCoreIsland *island, double *missed);
KS_MUST_USE ksStatus ksiCoreSearchAgain(ksiCoreIsland *island, double missed);

#endif
