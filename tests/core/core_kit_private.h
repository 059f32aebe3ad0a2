/* core_kit_private.h  What the files of core_kit share. */
#ifndef TESTS_CORE_CORE_KIT_PRIVATE_H
#define TESTS_CORE_CORE_KIT_PRIVATE_H

#include "tests/core/core_kit.h"
#include "tests/kits/inside_kit.h"
#include "tests/kits/support.h"

/* Multipliers in units of |w_l|, by which an error of the motion enters them, and motions, relative to the largest of an island.
 * Both sides lose a few digits to the length of chains and to different masses. */
static const double kSame = 5e-12;
/* What the certificate finds is rounding of all terms, a few times each. */
static const double kRounding = 4;

static inline void keep(double *most, double value)
{
    ck_assert(!isnan(value));
    *most = fmax(*most, value);
}

/* of what is 0 together */
static inline double rootOf(double share, double whole)
{
    return share > 0 ? sqrt(share / whole) : 0;
}

/* Forces of the bodies, with those of rows at bounds that are not the core's. */
void coreForces(CoreTwin *twin, const ksiStep *step, const ksiIsland *island);

void corePlan(CoreTwin *twin, const ksiStep *step, const ksiIsland *island);

/* Rows, forces and compliances of the core. Column 1 has other right-hand sides. */
void coreSet(CoreTwin *twin, const ksiStep *step, const ksiIsland *island, CoreEquations equations);

/* Both are filled with an island. */
void coreTake(CoreTwin *twin, const ksiStep *step, int index, CoreEquations equations);

/* Multipliers of the system by the null-space route, with the engine's self-stress, and its motion. */
bool coreSolveSystem(CoreTwin *twin, const ksiStep *step, int index, CoreEquations equations);

ksiCertificate coreRefine(CoreTwin *twin);

double coreLargest(const CoreTwin *twin, double *motion);

#endif
