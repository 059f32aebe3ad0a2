/* relax_joint.c  Finds the converged multipliers of a single joint, each by relaxing its own
 * coordinate (Paulus 1910 (17), (18)). */
#include "query.h"

#include "../base/fpguard.h"
#include "../inspector/read/bound_state.h"

#include <math.h>
#include <string.h>

static ksStatus relaxJoint(const ksiStep *step, ksiSolver *solver, int index, ksRelaxation *found)
{
    const int island = step->member[index].island;
    const ksiPlaces *places;
    KSI_TRY(ksiRestoreSystem(step, solver, island, &places));
    KSI_TRY(ksiReserveScratch(step, solver, island));
    ksSystem *system = solver->system;
    ksStatus status = ksiFindUniqueRows(step, solver, island, solver->flag, NULL);
    for (int l = 0; !status && l < step->joint[index].rows.count; l++) {
        const int row = step->layout[index].row[l];
        const ksRowPlace place = places[index].place[l];
        if (place != KS_INSIDE) {
            const double bound = place == KS_INACTIVE ? 0 : ksiBoundInForce(&places[index], l, place);
            found[l] = (ksRelaxation){.rho = NAN, .derivative = NAN, .multiplier = bound, .effectiveMass = NAN};
        } else if (!solver->flag[row]) {
            status = KS_ERROR_REDUNDANT;
        } else {
            status = ksiSystemRelaxRow(system, row, NULL, NULL, &found[l]);
        }
    }
    return status;
}

static ksStatus relaxFound(ksInspector *inspector, dJointID id, int capacity, ksRelaxation *out, int *count)
{
    KSI_REQUIRE_POINTER(inspector);
    KSI_REQUIRE_POINTER(out);
    KSI_REQUIRE_POINTER(count);
    const ksiStep *step = &inspector->step;
    int at;
    KSI_TRY(ksiRequireStep(inspector, KS_ERROR_BAD_ARGUMENT));
    KSI_TRY(ksiFindJoint(inspector, id, &at, "joint"));
    KSI_TRY(ksiRequireSolver(inspector));
    const int rows = step->joint[at].rows.count;
    KSI_REQUIRE(rows <= capacity, "capacity is %d, must be at least the joint's number of rows, %d", capacity, rows);
    if (step->member[at].island < 0)
        return KSI_EXPLAIN(KS_ERROR_UNAVAILABLE, "the engine did not solve this joint");
    ksRelaxation found[KSI_MAX_ROWS];
    KSI_TRY(relaxJoint(step, ksiSolverOf(inspector, step->member[at].island), at, found));
    memcpy(out, found, (size_t)rows * sizeof *out);
    *count = rows;
    return KS_OK;
}

ksStatus ksInspectorRelaxJoint(ksInspector *inspector, dJointID joint, int capacity, ksRelaxation *out, int *count)
{
    KSI_RETURN_GUARDED(relaxFound(inspector, joint, capacity, out, count));
}
