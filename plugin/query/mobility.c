/* mobility.c  Finds the velocity of one body of the world, along `e`, per impulse on another, along
 * `d`: it is e^T B d, with
 *
 *     B = M^-1 - M^-1 J^T (A + S)^-1 J M^-1        (Lamb 1911: reciprocal theorems)
 *
 * J has the rows that are inside their bounds in the last step, and A = J M^-1 J^T. The diagonal
 * matrix `S` has cfm/h for springs (cfm above options.rigidCfm), else 0. The pose is the pose at
 * the start of the step. For a drifted loop, it is the nearest pose in which the joints fit. */
#include "query.h"

#include "../base/fpguard.h"
#include "../inspector/publish/wrench_norm.h"

#include <string.h>

/* e . M^-1 d of a body without joints */
static double freeMobility(const ksiBodyInput *body, const double at[6], const double from[6])
{
    double a[6], b[6], sum = 0;
    ksiScaleWrench(body, at, a);
    ksiScaleWrench(body, from, b);
    for (int k = 0; k < 6; k++)
        sum += a[k] * b[k];
    return sum;
}

static ksStatus findMobility(ksInspector *inspector, const ksBodyProbe *at, const ksBodyProbe *from, double *mobility)
{
    int body[2];
    double direction[2][6];
    KSI_REQUIRE_POINTER(inspector);
    KSI_REQUIRE_POINTER(mobility);
    const ksiStep *step = &inspector->step;
    KSI_TRY(ksiRequireStep(inspector, KS_ERROR_BAD_ARGUMENT));
    KSI_TRY(ksiReadProbe(inspector, "at", at, &body[0], direction[0]));
    KSI_TRY(ksiReadProbe(inspector, "from", from, &body[1], direction[1]));

    const ksiBodyMember *first = &step->bodyMember[body[0]], *second = &step->bodyMember[body[1]];
    if (!step->body[body[0]].dynamic || !step->body[body[1]].dynamic || first->island != second->island ||
        (first->island < 0 && first != second)) {
        *mobility = 0;  // a body does not move, or the bodies are not connected
        return KS_OK;
    }
    if (first->island < 0) {
        *mobility = freeMobility(&step->body[body[0]], direction[0], direction[1]);
        return KS_OK;
    }
    const ksiPlaces *places;
    ksiSolver *solver = ksiSolverOf(inspector, first->island);
    KSI_TRY(ksiRestoreSystem(step, solver, first->island, &places));
    ksiPosedProbe posed[2] = {{.block = first->block}, {.block = second->block}};
    for (int i = 0; i < 2; i++)
        memcpy(posed[i].direction, direction[i], sizeof direction[i]);
    const ksStatus status = ksiPosedMobility(step, solver, first->island, places, posed, mobility);
    if (status != KS_ERROR_UNAVAILABLE)
        return status;
    const double *piece[2] = {direction[0], direction[1]};
    ksProbe probe[2] = {{1, &first->block, &piece[0]}, {1, &second->block, &piece[1]}};
    return ksiSystemGetRigidMobility(solver->system, &probe[0], &probe[1], mobility);
}

ksStatus ksInspectorGetMobility(ksInspector *inspector, const ksBodyProbe *at, const ksBodyProbe *from,
                                double *mobility)
{
    KSI_RETURN_GUARDED(findMobility(inspector, at, from, mobility));
}
