/* bounded_motion.c  ksSystemSolveMotion: the motion of motion.c, with the rows at bounds that bounded.c finds. */
#include "system_private.h"

#include "../base/fpguard.h"

static ksStatus bilateralMotion(ksSystem *system, void *acceleration)
{
    return ksiSolveMotion(system, acceleration);
}

static ksStatus solveMotion(ksSystem *system, double *acceleration)
{
    KSI_REQUIRE_SYSTEM(system);
    KSI_REQUIRE(acceleration || system->model.coordinateCount == 0, "acceleration is NULL");
    return ksiWithinBounds(system, bilateralMotion, acceleration);
}

ksStatus ksSystemSolveMotion(ksSystem *system, double *acceleration)
{
    KSI_RETURN_OF_SYSTEM(system, solveMotion(system, acceleration));
}
