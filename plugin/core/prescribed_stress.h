/* prescribed_stress.h  Declarations that prescribed_stress.c and its companions share. */
#ifndef KSI_CORE_PRESCRIBED_STRESS_H
#define KSI_CORE_PRESCRIBED_STRESS_H

#include "loop.h"

/* With more self-stresses from redundant rows, prescribed_search.c is tried first. */
enum { KSI_CORE_MOST_DIRECT = 64 };

/* prescribed_sizes.c: factors the rows that are not redundant, and sets size2 of all rows. Keeps
 * ksiCore::weak up to `from`. */
KS_MUST_USE ksStatus ksiCoreLeaveOut(ksiCore *core, size_t from);

/* prescribed_search.c: ksiCoreGive for self-stresses that redundant rows determine.
 * KS_ERROR_SINGULAR: the search does not converge, and column 0 is as before. */
KS_MUST_USE ksStatus ksiCoreSearchGiven(ksiCoreIsland *island, double *missed);

#endif
