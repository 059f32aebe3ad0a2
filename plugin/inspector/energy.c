/* energy.c  Where the kinetic energy of a step comes from and goes to.
 *
 * With the masses of the start pose, the change of T = v^T M v / 2 from v to v* is the sum over rows and applied forces of
 *
 *     W_l = h lambda_l J_l (v + v*) / 2          W_f = h f (v + v*) / 2
 *
 * to rounding. The rows' share is booked in describe.c. */
#include "inspector_private.h"

#include "../base/vectorise.h"

KSI_CLONES
void ksiBookEnergy(ksInspector *inspector, const ksiBodyState *body)
{
    if (!body->moved)
        return;
    ksStepReport *report = &inspector->report;
    const ksiBody *b = &body->begin;
    report->kineticEnergy[0] += body->kinetic[0];
    report->kineticEnergy[1] += body->kinetic[1];
    report->dampingWork += body->kinetic[2] - body->kinetic[1];
    const ksiFour mean = 0.5 * (*(const ksiFour *)b->velocity + *(const ksiFour *)body->solved);
    const ksiTwo spin = 0.5 * (*(const ksiTwo *)(b->velocity + 4) + *(const ksiTwo *)(body->solved + 4));
    const ksiFour weight = {b->gravity[0], b->gravity[1], b->gravity[2], 0};
    const ksiFour other = (*(const ksiFour *)b->force - weight) * mean, gravity = weight * mean;
    const ksiTwo others = ksiFold(&other) + *(const ksiTwo *)(b->force + 4) * spin;
    const ksiFour way = weight * (*(const ksiFour *)body->endCentre - *(const ksiFour *)b->centre);
    const double fall = way[0] + way[1] + way[2];
    report->forceWork += inspector->h * (others[0] + others[1]);
    report->potentialChange -= fall;
    report->gravityDiscretisation += inspector->h * (gravity[0] + gravity[1] + gravity[2]) - fall;
}
