/* relax_joint.c  One joint's converged multipliers alone, each from its own relaxed coordinate (Paulus 1910 (17), (18)). */
#include "inspector.h"

#include "../base/quietly.h"

#include <math.h>
#include <string.h>

static ksStatus relaxJoint(const ksiStep *step, ksiSolver *solver, int index, ksRelaxation *found)
{
    const int island = step->member[index].island;
    const ksiPlaces *places;
    ksStatus status = ksiRestoreSystem(step, solver, island, &places);
    if (!status)
        status = ksiReserveScratch(step, solver, island);
    if (status)
        return status;
    ksSystem *system = solver->system;
    status = ksiSystemGetDeterminacy(system, solver->flag, NULL);
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

ksStatus ksInspectorRelaxJoint(ksInspector *inspector, dJointID id, int capacity, ksRelaxation *out, int *count)
{
    if (!inspector || !out || !count || inspector->isOpen || !inspector->published.count)
        return KS_ERROR_BAD_ARGUMENT;
    const ksiStep *step = &inspector->step;
    const int at = ksiPointersFind(&step->input->jointIndex, id);
    if (at < 0 || step->joint[at].rows.count > capacity)
        return KS_ERROR_BAD_ARGUMENT;
    if (step->member[at].island < 0)
        return KS_ERROR_UNAVAILABLE;
    ksRelaxation found[KSI_MAX_ROWS];
    ksStatus status;
    KSI_QUIETLY(status = relaxJoint(step, &inspector->solver, at, found));
    if (status)
        return status;
    memcpy(out, found, (size_t)step->joint[at].rows.count * sizeof *out);
    *count = step->joint[at].rows.count;
    return KS_OK;
}
