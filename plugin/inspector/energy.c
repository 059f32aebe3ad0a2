/* energy.c  Where the kinetic energy of a step comes from and goes to.
 *
 * With the masses of the start pose, the change of T = v^T M v / 2 from v to v* is the sum over rows and applied forces of
 *
 *     W_l = h lambda_l J_l (v + v*) / 2          W_f = h f (v + v*) / 2
 *
 * to rounding. A row's share has four causes, since J_l v* = c_l - cfm_l lambda_l + r_l:
 *
 *     W_l = h lambda c  -  h cfm lambda^2  +  h lambda r  -  h lambda J (v* - v) / 2
 *
 * J over the bodies that move freely; the motion of a kinematic partner belongs to the target c. In the continuum an ideal
 * row at rest does no work (Banach X, section 5); a discrete one does, by its last term. */
#include "inspector_private.h"

#include <math.h>

static double rowRates(const ksInspector *inspector, const ksiJointState *joint, int l, double *before, double *after)
{
    double driven = 0;
    *before = *after = 0;
    for (int side = 0; side < 2; side++) {
        if (joint->bodyIndex[side] < 0)
            continue;
        const ksiBodyState *body = &inspector->body[joint->bodyIndex[side]];
        for (int k = 0; k < 6; k++) {
            double j = joint->rows.jacobian[l][side][k];
            if (body->moved) {
                *before += j * body->begin.velocity[k];
                *after += j * body->solved[k];
            } else {
                driven += j * body->begin.velocity[k];
            }
        }
    }
    return driven;
}

static void bookRow(ksInspector *inspector, const ksiJointState *joint, int l)
{
    ksRow *row = &inspector->row[joint->firstRow + (size_t)l];
    double before, after, driven = rowRates(inspector, joint, l, &before, &after);
    double impulse = inspector->h * joint->multiplier[l];
    row->work = impulse * 0.5 * (before + after);
    row->workPart[KS_WORK_TARGET] = impulse * (row->c - driven);
    row->workPart[KS_WORK_COMPLIANCE] = -impulse * row->cfm * joint->multiplier[l];
    row->workPart[KS_WORK_RESIDUAL] = impulse * row->residual;
    row->workPart[KS_WORK_DISCRETISATION] = -0.5 * impulse * (after - before);
    inspector->report.rowWork += row->work;
}

static double kinetic(const ksiBody *body, const double v[6])
{
    double twice = 0;
    for (int i = 0; i < 3; i++) {
        twice += body->mass * v[i] * v[i];
        for (int k = 0; k < 3; k++)
            twice += v[3 + i] * body->inertia[3 * i + k] * v[3 + k];
    }
    return 0.5 * twice;
}

static void bookBody(ksInspector *inspector, const ksiBodyState *body)
{
    ksStepReport *report = &inspector->report;
    const ksiBody *b = &body->begin;
    double gravity = 0;
    report->kineticEnergy[0] += kinetic(b, b->velocity);
    report->kineticEnergy[1] += kinetic(b, body->solved);
    report->dampingWork += kinetic(b, body->finished) - kinetic(b, body->solved);
    for (int k = 0; k < 6; k++) {
        double mean = 0.5 * (b->velocity[k] + body->solved[k]), weight = k < 3 ? b->gravity[k] : 0;
        report->forceWork += inspector->h * (b->force[k] + body->fudge[k] - weight) * mean;
        gravity += inspector->h * weight * mean;
    }
    double fall = 0;
    for (int k = 0; k < 3; k++)
        fall += b->gravity[k] * (body->endCentre[k] - b->centre[k]);
    report->potentialChange -= fall;
    report->gravityDiscretisation += gravity - fall;
}

void ksiBookEnergy(ksInspector *inspector)
{
    for (size_t i = 0; i < inspector->jointCount; i++) {
        const ksiJointState *joint = &inspector->joint[i];
        for (int l = 0; joint->solved && joint->finite && l < joint->rows.count; l++)
            bookRow(inspector, joint, l);
    }
    for (size_t i = 0; i < inspector->bodyCount; i++) {
        if (inspector->body[i].moved)
            bookBody(inspector, &inspector->body[i]);
    }
}
