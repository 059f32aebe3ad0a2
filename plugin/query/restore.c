/* restore.c  Sets up the equations that an island had in the step again, in its solver's system. */
#include "query.h"

/* Sets up the equations of an island that was not solved, and finds its rows at bounds. */
static ksStatus setUp(const ksiStep *step, ksiSolver *solver, int index)
{
    ksStatus status = ksiReserveScratch(step, solver, index);
    if (status)
        return status;
    ksiFoundSet found = {.places = solver->queried,
                         .multiplier = solver->scratch,
                         .acceleration = solver->scratch + step->island[index].rowCount};
    if (step->island[index].isBounded) {
        status = ksiFindActiveSet(step, solver, index, &found);
        if (!status)
            status = ksiFreeDegenerateRows(step, solver, index, false, &found);
    } else {
        ksiTakeReportedPlaces(step, index, solver->queried);
        status = ksiBuildSystem(step, solver, index, solver->queried);
    }
    if (!status)
        solver->systemState = KSI_QUERIED_EQUATIONS;
    return status == KS_ERROR_BOUND || status == KS_ERROR_INCONSISTENT ? KS_ERROR_UNAVAILABLE : status;
}

/* A failure is remembered for the step, except a lack of memory, which may be temporary. */
static ksStatus setUpOnce(const ksiStep *step, ksiSolver *solver, int index)
{
    if (solver->refused[index])
        return solver->refused[index];
    const ksStatus status = setUp(step, solver, index);
    if (status != KS_ERROR_NO_MEMORY)
        solver->refused[index] = status;
    return status;
}

ksStatus ksiRestoreSystem(const ksiStep *step, ksiSolver *solver, int index, const ksiPlaces **places)
{
    const ksiIslandConverged *island = &step->islandConverged[index];
    const ksiSystemState systemState = ksiSystemStateOf(solver, index);
    *places = island->isSolved ? step->convergedPlaces : solver->queried;
    // converged values that were not requested can still be computed
    if (island->reasons & ~KS_REASON_NOT_ASKED)
        return KS_ERROR_UNAVAILABLE;
    if (systemState == (island->isSolved ? KSI_CONVERGED_EQUATIONS : KSI_QUERIED_EQUATIONS))
        return KS_OK;
    return island->isSolved ? ksiBuildSystem(step, solver, index, *places) : setUpOnce(step, solver, index);
}
