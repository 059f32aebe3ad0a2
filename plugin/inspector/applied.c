/* applied.c  Applied forces, which no multipliers change. */
#include "phases.h"

/* The stepper's gyroscopic torque is implicit in h; the mechanism's is -w x I w. */
void ksiMechanismForce(const ksiStep *step, int index, const double inertia[9], const double w[3], double force[6])
{
    const ksiBody *body = &step->body[index].begin;
    double momentum[3] = {0};
    ksiForceOnBody(step, index, force);
    if (!body->gyroscopicMode)
        return;
    for (int k = 0; k < 3; k++) {
        for (int m = 0; m < 3; m++)
            momentum[k] += inertia[3 * k + m] * w[m];
    }
    for (int k = 0; k < 3; k++) {
        int p = (k + 1) % 3, q = (k + 2) % 3;
        force[3 + k] -= body->gyroscopic[k] + w[p] * momentum[q] - w[q] * momentum[p];
    }
}
