/* energy.c  Where the kinetic energy of a step comes from and goes to.
 *
 * With the masses of the start pose, the change of T = v^T M v / 2 from v to v* is the sum over rows and applied forces of
 *
 *     W_l = h lambda_l J_l (v + v*) / 2          W_f = h f (v + v*) / 2
 *
 * to rounding. The rows' share is booked in describe.c. */
#include "inspector_private.h"

#include "../vectorise.h"

KSI_CLONES
void ksiBookEnergy(ksInspector *inspector, const ksiBodyState *body)
{
    if (!body->moved)
        return;
    ksStepReport *report = &inspector->report;
    const ksiBody *b = &body->begin;
    double gravity = 0, other = 0;
    report->kineticEnergy[0] += body->kinetic[0];
    report->kineticEnergy[1] += body->kinetic[1];
    report->dampingWork += body->kinetic[2] - body->kinetic[1];
    KSI_UNROLL
    for (int k = 0; k < 6; k++) {
        const double mean = 0.5 * (b->velocity[k] + body->solved[k]), weight = k < 3 ? b->gravity[k] : 0;
        other += (b->force[k] - weight) * mean;
        gravity += weight * mean;
    }
    report->forceWork += inspector->h * other;
    double fall = 0;
    for (int k = 0; k < 3; k++)
        fall += b->gravity[k] * (body->endCentre[k] - b->centre[k]);
    report->potentialChange -= fall;
    report->gravityDiscretisation += inspector->h * gravity - fall;
}
